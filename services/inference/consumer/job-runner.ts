/** Runs a claimed job: fetches the source, waits for memory, edits it, stores the files and delivers the result. */

import { pipelineVersion } from "@packshot/domain/edits/pipeline.ts";
import { type JobError, PackshotError, toJobError } from "@packshot/domain/errors.ts";
import { extensionOf } from "@packshot/domain/file-extension.ts";
import {
  type BucketDelivery,
  type FileRef,
  furtherResults,
  type JobResult,
  type ProcessingJob,
} from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { startDeadline } from "@packshot/platform/flow/deadline.ts";
import { assertContainerBounded } from "@packshot/platform/images/container-walk.ts";
import { type InspectImageFor, ProcessLost } from "@packshot/platform/images/image-inspector.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import {
  activeSpan,
  failSpan,
  runInSpan,
  startSpan,
  type TraceSpan,
  traced,
} from "@packshot/platform/telemetry/tracing.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import type { EditInput, EditOutput, OnStage } from "../edits/edit.ts";
import { estimateEditMemory, largestPixels } from "../edits/tools/edit-memory.ts";
import type { EncodedImage } from "../imaging/codec/encode.ts";
import type { Size } from "../imaging/pixels/geometry.ts";
import type { ModelClient } from "../model-client/model-client.ts";
import type { Painter } from "../model-client/painter.ts";
import { deliverResult, type ResultDeliveryDeps } from "./deliver-result.ts";
import { type EditFiles, findEditFiles } from "./edit-files.ts";
import type { JobSourceDeps } from "./fetch-job-source.ts";
import type { KeptMattes } from "./kept-mattes.ts";
import type { MemoryBudget } from "./memory-budget.ts";
import { type OwnPainter, orOtherWorker, painterOf } from "./other-worker.ts";
import { failedResults, namedResults, storeFurther, storeLayers } from "./store-results.ts";
import { type Inference, meterInference } from "./worker-metrics.ts";
import type { ReleaseWhile } from "./worker-slots.ts";

export interface JobRunner {
  /**
   * Resolves with the job's result when its files are stored; throws the error that the job fails with. The runner
   * waits for anything slow inside `releaseWhile`. It asks `mayDeliver` before bytes of the result may leave for a
   * customer's bucket: false when the job has ended or is another worker's.
   */
  run(
    job: ProcessingJob,
    signal: AbortSignal,
    onStage: OnStage,
    releaseWhile?: ReleaseWhile,
    mayDeliver?: () => Promise<boolean>,
  ): Promise<JobResult>;
}

/** Without a painter, jobs that an image model is to paint go to other workers. */
export interface JobRunnerDeps extends JobSourceDeps, ResultDeliveryDeps, OwnPainter {
  readonly storage: Storage;
  readonly models: ModelClient;
  readonly runEdit: (input: EditInput) => Promise<EditOutput>;
  /** By processes that can be stopped: what a header does to its decoder ends that one photo. In turns by account. */
  readonly inspectImage: InspectImageFor;
  readonly maxPixels: number;
  readonly defaultModel: string;
  /** Absent: no edit takes the matte of another. */
  readonly keptMattes?: KeptMattes;
  /** One for all runners of a process. */
  readonly memory: MemoryBudget;
  /** Told of each file of `outputs` that failed by a fault of ours. */
  readonly onFailedOutput?: (job: ProcessingJob, name: string, error: unknown) => void;
  /** Told of each prediction of a live job. */
  readonly onInference?: (job: ProcessingJob, inference: Inference) => void;
}

/** The photo has not been looked at, so the job is requeued and the attempt does not count. */
export class InspectorBusy extends Error {}

interface DeliveryRun {
  readonly stages: StageSpans;
  readonly releaseWhile: ReleaseWhile;
  readonly enterStage: (stage: string) => void;
  readonly mayDeliver: () => Promise<boolean>;
}

interface ReservedFiles extends EditFiles, Required<Pick<EditInput, "largestPixels" | "onFrame">> {
  /** Gives back the memory that the edit had reserved. */
  readonly release: () => void;
}

/** Enough for the header of almost every photo; otherwise the whole file goes to the inspector. */
const firstBytes = 64 * 1024;

/** Before the job's deadline: the end of a job whose bucket is too slow is to be recorded. */
const recordReserveMs = 15_000;

export function createJobRunner(deps: JobRunnerDeps): JobRunner {
  const { storage } = deps;

  const store = (job: ProcessingJob, name: string, image: EncodedImage) => storeImage(storage, job, name, image);

  async function editAndStore(
    job: ProcessingJob,
    files: Omit<ReservedFiles, "release">,
    signal: AbortSignal,
    onStage: OnStage,
    { fetchMs, stages, painter }: { fetchMs: number; stages: StageSpans; painter: Painter | undefined },
  ): Promise<JobResult> {
    const meter = meterInference(deps.models, (inference) => deps.onInference?.(job, inference), painter);
    const parameters = parametersOf(deps, job);
    const lookup = await stages.run(() => deps.keptMattes?.lookUp(job, files, { ...deps, parameters }));
    const output = await orOtherWorker(deps, job, {
      tool: job.tool,
      ...files,
      toneGains: job.tone?.gains,
      keptMatte: lookup?.found,
      keepsMatte: lookup !== undefined,
      parameters,
      tenant: job.accountId,
      deadlineAtMs: Date.parse(job.deadlineAt),
      maxPixels: deps.maxPixels,
      models: withStageSpans(meter.models, stages),
      painter: meter.painter,
      paintTimeoutMs: deps.imageModelTimeoutMs,
      mayRender: job.mayRender,
      signal,
      onStage,
    });
    signal.throwIfAborted();
    const failed = failedResults(output, (error, name) => deps.onFailedOutput?.(job, name, error));
    onStage("storeResult");
    const storeStartedMs = performance.now();
    const [result, further, layers, thumbnail, shadow, photo, matte] = await stages.run(() =>
      allEnded([
        store(job, "result", output.result),
        storeFurther(job, output, store),
        storeLayers(job, output, store),
        store(job, "thumbnail", output.thumbnail),
        output.shadow && store(job, "shadow", output.shadow),
        output.proof && store(job, "photo", output.proof.photo),
        output.proof && store(job, "matte", output.proof.matte),
        output.madeMatte && lookup?.keep(output.madeMatte, output.model),
      ]),
    );
    const timings = {
      fetchSource: Math.round(fetchMs),
      ...output.timings,
      storeResult: Math.round(performance.now() - storeStartedMs),
    };
    const inferenceMs = Math.round(meter.computedMs);
    const proof = photo === undefined || matte === undefined ? undefined : { photo, matte };
    const named = {
      ...namedResults(job, output, { result, further }),
      ...failed,
      layers: layers.length === 0 ? undefined : layers,
    };
    const stored = { result, ...named, thumbnail, shadow, proof };
    return { ...stored, model: output.model, pipeline: pipelineVersion, report: output.report, timings, inferenceMs };
  }

  /** A slow bucket takes neither a slot nor memory from other edits. */
  async function deliver(
    job: ProcessingJob,
    edited: JobResult,
    signal: AbortSignal,
    run: DeliveryRun,
  ): Promise<Pick<JobResult, "delivery" | "timings">> {
    if (job.destination === undefined || !(await run.mayDeliver())) return { timings: {} };
    run.enterStage("storeDestination");
    const startedAtMs = performance.now();
    const error = await run.stages.run(() => run.releaseWhile(() => deliveryError(job, edited, signal)));
    const delivery: BucketDelivery =
      error === undefined ? { status: "stored", attempts: 1 } : { status: "failed", attempts: 1, error };
    return { delivery, timings: { storeDestination: Math.round(performance.now() - startedAtMs) } };
  }

  /**
   * Why the bucket does not have the result; undefined: it has. Throws what is no fault of the customer's. The bucket may have
   * kept what it refused, so whatever it answers, and however late, the edit was done and is paid.
   */
  async function deliveryError(
    job: ProcessingJob,
    edited: JobResult,
    signal: AbortSignal,
  ): Promise<JobError | undefined> {
    const deadline = startDeadline(Date.parse(job.deadlineAt) - Date.now() - recordReserveMs);
    try {
      for (const result of [edited.result, ...furtherResults(edited)])
        await deliverResult(deps, { job, result, signal, putSignal: deadline.signal });
      return undefined;
    } catch (error) {
      const isBucketsFault =
        error instanceof PackshotError &&
        error.code === "destination_failed" &&
        toInfrastructureFault(error) === undefined;
      if (signal.aborted || !isBucketsFault) throw error;
      return toJobError(error);
    } finally {
      deadline.end();
    }
  }

  return {
    async run(job, signal, onStage, releaseWhile = (wait) => wait(), mayDeliver = async () => true) {
      const stages = createStageSpans();
      const enterStage: OnStage = (stage, done) => {
        if (done === undefined) stages.enter(stage);
        onStage(stage, done);
      };
      return await stages.during(async () => {
        const painter = await painterOf(deps, job);
        const startedAtMs = performance.now();
        enterStage("fetchSource");
        const { release, ...files } = await stages.run(async () =>
          reserveAndRead(deps, job, await findEditFiles(deps, job, { signal, releaseWhile }), signal),
        );
        const fetchMs = performance.now() - startedAtMs;
        const edited = await editAndStore(job, files, signal, enterStage, { fetchMs, stages, painter }).finally(
          release,
        );
        const delivered = await deliver(job, edited, signal, { stages, releaseWhile, enterStage, mayDeliver });
        const total = Math.round(performance.now() - startedAtMs);
        return { ...edited, ...delivered, timings: { ...edited.timings, ...delivered.timings, total } };
      });
    },
  };
}

/** An edit that has to wait for memory holds none meanwhile: it reads its files again. */
async function reserveAndRead(
  deps: JobRunnerDeps,
  job: ProcessingJob,
  read: () => Promise<EditFiles>,
  signal: AbortSignal,
): Promise<ReservedFiles> {
  let files: EditFiles | undefined = await read();
  const { bytes, bytesInFrame, pixels } = await memoryOf(deps, job, files);
  const release = await traced("reserve memory", {}, () =>
    deps.memory.reserve({ bytes, signal, onWait: () => (files = undefined) }),
  );
  try {
    const onFrame = (frame: Size) => release(bytesInFrame(frame));
    return { ...(files ?? (await read())), release, largestPixels: pixels, onFrame };
  } catch (error) {
    release();
    throw error;
  }
}

async function storeImage(
  storage: Storage,
  { accountId, id, attemptId }: ProcessingJob,
  name: string,
  image: EncodedImage,
): Promise<Required<FileRef>> {
  const key = `${storageKeys.attempt(accountId, id, attemptId)}${name}.${extensionOf(image.contentType)}`;
  const { bytes } = await storage.write(key, image.bytes, { bytesMax: image.bytes.length });
  return { key, contentType: image.contentType, bytes, width: image.width, height: image.height };
}

/** As Promise.all, but nothing writes any more when it rejects: the attempt's files are then deleted. */
async function allEnded<T extends readonly unknown[]>(
  promises: readonly [...T],
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  await Promise.allSettled(promises);
  return await Promise.all(promises);
}

/** The job's parameters, with the model that edits it. A test job is edited by the sandbox's model, whatever it names. */
function parametersOf({ defaultModel }: JobRunnerDeps, { live, parameters }: ProcessingJob): EditInput["parameters"] {
  return { ...parameters, model: (live ? parameters.model : undefined) ?? defaultModel };
}

interface EditMemory {
  /** In the largest frame that the edit may have. */
  readonly bytes: number;
  readonly bytesInFrame: (frame: Size) => number;
  /** Those of its largest image. */
  readonly pixels: number;
}

/**
 * What the edit takes.
 *
 * @throws what is wrong with the photo's header or container, and `InspectorBusy`
 */
export async function memoryOf(
  { inspectImage, maxPixels }: Pick<JobRunnerDeps, "inspectImage" | "maxPixels">,
  { tool, parameters, accountId }: Pick<ProcessingJob, "tool" | "parameters" | "accountId">,
  { source, background, mask, logo, palette, tone }: EditFiles,
): Promise<EditMemory> {
  await assertContainerBounded(source);
  const inspect = (bytes: Uint8Array) => inspectImage(accountId, bytes, { maxPixels });
  const header = await inspect(source.subarray(0, firstBytes))
    .catch((error: unknown) => {
      const mayGoOn = error instanceof PackshotError && error.code === "image_unreadable";
      if (!mayGoOn || error.cause instanceof ProcessLost || source.length <= firstBytes) throw error;
      return inspect(source);
    })
    .catch((error: unknown) => {
      if (error instanceof PackshotError && error.code === "unavailable") throw new InspectorBusy(error.message);
      throw error;
    });
  const maskHeader = mask && (await inspect(mask).catch(unlessBusy));
  const edit = {
    tool,
    parameters,
    header,
    sourceBytes: source.length,
    backgroundBytes: background?.length,
    maskBytes: mask?.length,
    maskHeader,
    logoBytes: logo?.length,
    paletteBytes: palette?.length,
    toneBytes: tone?.length,
  };
  const bytesInFrame = (frame: Size) => estimateEditMemory({ ...edit, frame });
  return { bytes: estimateEditMemory(edit), bytesInFrame, pixels: largestPixels(edit) };
}

/** What is wrong with a mask is said by its edit. */
function unlessBusy(error: unknown): undefined {
  if (!(error instanceof PackshotError)) throw error;
  if (error.code === "unavailable") throw new InspectorBusy(error.message);
}

/** A span for each stage of a job, one after the other. Stages run in threads that know no spans: they are announced. */
export interface StageSpans {
  /** The stage before ends. */
  enter(stage: string): void;
  /** Runs `act` as a part of the current stage. */
  run<T>(act: () => T): T;
  /** Ends the last stage with `act`. */
  during<T>(act: () => Promise<T>): Promise<T>;
}

const untraced: StageSpans = { enter() {}, run: (act) => act(), during: (act) => act() };

/** The stages of what the active span stands for. */
function createStageSpans(): StageSpans {
  const parent = activeSpan();
  if (parent === undefined) return untraced;
  let stageSpan: TraceSpan | undefined;
  return {
    enter(stage) {
      stageSpan?.end();
      stageSpan = startSpan(stage, { parent });
    },
    run: (act) => runInSpan(stageSpan ?? parent, act),
    async during(act) {
      try {
        return await act();
      } catch (error) {
        if (stageSpan !== undefined) failSpan(stageSpan, error);
        throw error;
      } finally {
        stageSpan?.end();
      }
    },
  };
}

/** A thread's predictions arrive outside of any span: they belong to the stage that asks for them. */
function withStageSpans(models: ModelClient, stages: StageSpans): ModelClient {
  if (stages === untraced) return models;
  return {
    describe: (model) => models.describe(model),
    predict: (request) => stages.run(() => models.predict(request)),
  };
}
