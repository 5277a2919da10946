/**
 * What one worker cannot do and another may: the job goes back to the queue. An image model may be lost at any time, since model
 * servers load and drop models while they run.
 */
import { pipelineVersion } from "@packshot/domain/edits/pipeline.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { ProcessingJob } from "@packshot/domain/jobs/job.ts";
import type { EditInput, EditOutput } from "../edits/edit.ts";
import type { Painter, PaintRequest } from "../model-client/painter.ts";

/** The job asks for a release or an image model that this worker does not have: it goes back to the queue, for one that does. */
export class OtherWorkerNeeded extends Error {}

/** How long the job has gone back for this is recorded on it, so that it does not wait for ever. */
export class ImageModelMissing extends OtherWorkerNeeded {
  /** Its servers start, stop or are out of reach for a moment. */
  readonly isSoonBack: boolean;

  constructor(message: string, { cause, isSoonBack = false }: { cause?: unknown; isSoonBack?: boolean } = {}) {
    super(message, { cause });
    this.isSoonBack = isSoonBack;
  }
}

export interface OwnPainter {
  readonly painter?: Painter | undefined;
  /** Without a painter: whether other workers have an image model now; absent: none has. */
  readonly isPaintedElsewhere?: (() => boolean) | undefined;
  /** How long a job goes back to the queue because no model server has its image model. */
  readonly imageModelTimeoutMs: number;
}

/**
 * What paints the job; undefined: nothing does, and the renderer's scene stays. Throws before anything is fetched: what another
 * worker may do, and `image_model_timeout` for a job that has waited long enough for its image model.
 */
export async function painterOf(own: OwnPainter, job: ProcessingJob): Promise<Painter | undefined> {
  const { painter, imageModelTimeoutMs } = own;
  const { pipeline, engine } = job.parameters;
  if (pipeline !== undefined && pipeline !== pipelineVersion)
    throw new OtherWorkerNeeded(`the job asks for the pipeline ${pipeline}, and this worker has ${pipelineVersion}`);
  if (engine !== "generative") return undefined;
  // A worker that was never to paint has lost nothing: the job's wait for its image model is that of the others.
  if (painter === undefined && own.isPaintedElsewhere?.())
    throw new OtherWorkerNeeded("the job asks for an image model, which other workers have");
  const missing = await whyMissing(painter);
  if (missing === undefined) return painter;
  giveBackOrEnd(missing, job, imageModelTimeoutMs);
  return undefined;
}

/**
 * Throws `missing`, so that the job goes back to the queue, and `image_model_timeout` for one that has waited for as long as it may.
 * Returns where the renderer's scene is the result then.
 */
function giveBackOrEnd(
  missing: ImageModelMissing,
  { unpaintedSince, mayRender }: ProcessingJob,
  limitMs: number,
): void {
  const waitedMs = unpaintedSince === undefined ? 0 : Date.now() - Date.parse(unpaintedSince);
  if (waitedMs < limitMs) throw missing;
  if (mayRender) return;
  const message = `No image model could be had for ${Math.round(waitedMs / 1_000)} seconds: try again, or leave "engine" out.`;
  throw new PackshotError("image_model_timeout", message);
}

async function whyMissing(painter: Painter | undefined): Promise<ImageModelMissing | undefined> {
  if (painter === undefined) return new ImageModelMissing("the job asks for an image model, and this worker has none");
  try {
    await painter.describe();
    return undefined;
  } catch (cause) {
    return new ImageModelMissing("no model server has the image model", { cause, isSoonBack: !isLostModel(cause) });
  }
}

const isUnavailable = (error: unknown) => error instanceof PackshotError && error.code === "model_unavailable";

/** A server that refuses is busy, starts or stops, and has the model. */
function isLostModel(error: unknown): boolean {
  return isUnavailable(error) && (error as PackshotError).details?.refused !== true;
}

/**
 * Runs an edit that an image model paints. Where the model is lost meanwhile, or refuses, the job goes back to the queue, and ends as
 * in `painterOf` when it has waited for as long as it may. An error from an edit's thread no longer says whose it was.
 */
export async function orOtherWorker(
  { runEdit, imageModelTimeoutMs }: OwnPainter & { readonly runEdit: (input: EditInput) => Promise<EditOutput> },
  job: ProcessingJob,
  input: EditInput,
): Promise<EditOutput> {
  const { painter, signal } = input;
  let unavailable: unknown;
  const noting = async <A>(answer: Promise<A>): Promise<A> => {
    try {
      return await answer;
    } catch (error) {
      if (isUnavailable(error)) unavailable = error;
      throw error;
    }
  };
  const watched = painter && {
    describe: () => noting(painter.describe()),
    paint: (request: PaintRequest) => noting(painter.paint(request)),
  };
  try {
    return await runEdit({ ...input, painter: watched });
  } catch (error) {
    if (unavailable === undefined || signal.aborted) throw error;
    const message = "the model servers do not paint now, or have lost the image model";
    const missing = new ImageModelMissing(message, { cause: unavailable, isSoonBack: !isLostModel(unavailable) });
    giveBackOrEnd(missing, job, imageModelTimeoutMs);
    return await runEdit({ ...input, painter: undefined });
  }
}
