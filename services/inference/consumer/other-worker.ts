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

export async function assertOwnJob(
  painter: Painter | undefined,
  { parameters: { pipeline, engine } }: ProcessingJob,
): Promise<void> {
  if (pipeline !== undefined && pipeline !== pipelineVersion)
    throw new OtherWorkerNeeded(`the job asks for the pipeline ${pipeline}, and this worker has ${pipelineVersion}`);
  if (engine !== "generative") return;
  if (painter === undefined) throw new OtherWorkerNeeded("the job asks for an image model, and this worker has none");
  await assertImageModel(painter);
}

/** Throws before anything is fetched where the model servers have no image model now; that they are busy fails nothing yet. */
async function assertImageModel(painter: Painter): Promise<void> {
  try {
    await painter.describe();
  } catch (error) {
    if (isLostModel(error)) throw new OtherWorkerNeeded("no model server has the image model", { cause: error });
  }
}

/** A refusal is another matter: a server is busy, and has the model. */
function isLostModel(error: unknown): boolean {
  return error instanceof PackshotError && error.code === "model_unavailable" && error.details?.refused !== true;
}

/** Rejects with OtherWorkerNeeded where the image model was lost meanwhile. An error from an edit's thread no longer says whose it was. */
export async function orOtherWorker(
  runEdit: (input: EditInput) => Promise<EditOutput>,
  input: EditInput,
): Promise<EditOutput> {
  const { painter, signal } = input;
  let lost: unknown;
  const noting = async <A>(answer: Promise<A>): Promise<A> => {
    try {
      return await answer;
    } catch (error) {
      if (isLostModel(error)) lost = error;
      throw error;
    }
  };
  const watched = painter && {
    describe: () => noting(painter.describe()),
    paint: (request: PaintRequest) => noting(painter.paint(request)),
  };
  return await runEdit({ ...input, painter: watched }).finally(() => {
    if (lost === undefined || signal.aborted) return;
    throw new OtherWorkerNeeded("the model servers lost the image model", { cause: lost });
  });
}
