/**
 * Loads an image model: a pipeline of graphs that is served as one model. Text, reference, mask and seed go in and a picture comes out,
 * so that latents never cross the protocol (docs/adr/0049-serving-image-models.md).
 */
import { createHash } from "node:crypto";
import { createReadStream, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { type ModelConfig, parseModelConfig } from "@packshot/models/config-pbtxt.ts";
import { explainCudaError } from "@packshot/models/cuda-check.ts";
import { type PipelineFile, pipelineGraphs, readPipelineFile } from "@packshot/models/pipeline-file.ts";
import type { BatchRun, ExecutedBatch } from "./execute-batch.ts";
import { watchGraphServer } from "./graph-server-watch.ts";
import { InferError } from "./infer-error.ts";
import type { CheckedRequest } from "./infer-request.ts";
import type { ModelMetrics } from "./inference-metrics.ts";
import type { InferTensor } from "./instance-protocol.ts";
import type { LoadVersionDeps } from "./load-version.ts";
import { type PipelineInstance, startPipelineInstance } from "./pipeline-instance.ts";
import { type ServedVersion, serveVersion } from "./served-version.ts";
import { typedView } from "./tensor-types.ts";

/** Pictures that may wait; a job beyond them goes to another server, or back to the queue. */
const queueMax = 64;
/** Masks have the other cores. */
const coresShare = 0.5;

/** Throws an error that names the model and the fault, UNAVAILABLE where its graphs' server is away; nothing is left running then. */
export async function loadPipeline(deps: LoadVersionDeps): Promise<ServedVersion> {
  const { folder, files, settings, logger } = deps;
  const { version, file } = files;
  const startedAt = performance.now();
  let metrics: ModelMetrics | undefined;
  const instance = startPipelineInstance({
    onExit: deps.onFatal,
    hungAfterMs: settings.imageModelTimeoutMs,
    onStepRan: (pictures) => metrics?.stepRan(pictures),
    onBatchFailed: ({ message: problem, pictures, batchMax }) => {
      const said = "a step of several pictures failed, and no step of one did: batchMax may share the next ones";
      logger.warn({ model: folder.name, version, problem, pictures, batchMax }, said);
    },
  });
  const provider = settings.executionProviders.includes("cuda") ? "cuda" : "cpu";
  const { graphServer } = settings;
  const remote = graphServer === undefined ? undefined : { address: graphServer, model: folder.name };
  try {
    const pipeline = readPipelineFile(file);
    const threads = settings.threads || Math.max(1, Math.floor(availableParallelism() * coresShare));
    await instance
      .load({ file, providers: settings.executionProviders, deviceId: 0, threads, remote })
      .catch((cause: Error) => Promise.reject(provider === "cuda" && !remote ? explainCudaError(cause) : cause));
    const config = configOf(folder.name, pipeline, await sha256OfFolder(dirname(file)));
    const { pipeline: kind, license, steps, batchMax } = pipeline;
    metrics = deps.metrics.forVersion(folder.name, version, {
      count: batchMax,
      provider,
      precision: "original",
      runsInSteps: true,
    });
    const tookMs = Math.round(performance.now() - startedAt);
    logger.info(
      { model: folder.name, version, pipeline: kind, license, steps, batchMax, threads, tookMs },
      "model ready",
    );
    const served = serveVersion({
      name: folder.name,
      version,
      config,
      // As many pictures are painted at once; the thread brings their steps together.
      instances: Array.from({ length: batchMax }, () => instance),
      execute: (painter: PipelineInstance, run) =>
        paint(painter, pipeline, run).catch((error: Error) => {
          const problem = problemOfGraphServer(error);
          if (problem) logger.error({ model: folder.name, version, problem }, "the graph server did not run a graph");
          throw error;
        }),
      canBatch: false,
      buckets: [1],
      warmed: [],
      provider,
      metrics,
      onFatal: deps.onFatal,
    });
    return remote === undefined ? served : await whileItsGraphsAreThere(served, { ...remote, kind }, deps);
  } catch (cause) {
    await instance.stop();
    const problem = problemOfGraphServer(cause);
    const named = (message: string) => `model ${folder.name} version ${version}: ${message}`;
    if (problem && (cause as InferError).status === "UNAVAILABLE")
      throw new InferError("UNAVAILABLE", named((cause as Error).message), new Error(problem));
    throw new Error(named(problem ?? (cause as Error).message), { cause });
  }
}

async function whileItsGraphsAreThere(
  served: ServedVersion,
  { kind, ...remote }: { readonly address: string; readonly model: string; readonly kind: PipelineFile["pipeline"] },
  { onAwayChange, logger }: LoadVersionDeps,
): Promise<ServedVersion> {
  const watch = await watchGraphServer({ ...remote, graphs: pipelineGraphs[kind], onChange: onAwayChange, logger });
  return {
    ...served,
    isAway: watch.isAway,
    async unload() {
      await watch.stop();
      await served.unload();
    },
  };
}

/** For the log: it has the server's address. undefined: the error is another one. */
function problemOfGraphServer(error: unknown): string | undefined {
  const isOfServer = error instanceof InferError && (error.status === "UNAVAILABLE" || error.status === "INTERNAL");
  return isOfServer ? (error.cause as Error).message : undefined;
}

/** What callers read of the model, in the terms of every other. */
function configOf(
  name: string,
  { pipeline, steps, pixelsMax, patchPixels }: PipelineFile,
  sha256: string,
): ModelConfig {
  const said = {
    pipeline,
    steps,
    pixels_max: pixelsMax,
    patch_pixels: patchPixels,
    sha256,
  };
  const parameters = Object.entries(said)
    .map(([key, value]) => `parameters { key: "packshot.${key}" value { string_value: "${value}" } }`)
    .join("\n");
  const text = `name: "${name}" platform: "packshot_pipeline" backend: "packshot" max_batch_size: 0
    dynamic_batching { default_queue_policy { max_queue_size: ${queueMax} } }
    input { name: "PROMPT" data_type: TYPE_STRING dims: 1 }
    input { name: "REFERENCE" data_type: TYPE_UINT8 dims: [ -1, -1, 3 ] }
    input { name: "FILL" data_type: TYPE_UINT8 dims: [ -1, -1 ] }
    input { name: "SEED" data_type: TYPE_INT64 dims: 1 }
    input { name: "STRENGTH" data_type: TYPE_FP32 dims: 1 }
    input { name: "STYLE" data_type: TYPE_UINT8 dims: [ -1, -1, 3 ] optional: true }
    output { name: "PICTURE" data_type: TYPE_UINT8 dims: [ -1, -1, 3 ] }
    ${parameters}`;
  return parseModelConfig(text, `the pipeline ${name}`);
}

async function sha256OfFolder(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isFile()) continue;
    hash.update(entry.name);
    for await (const chunk of createReadStream(join(folder, entry.name))) hash.update(chunk as Buffer);
  }
  return hash.digest("hex");
}

async function paint(
  instance: PipelineInstance,
  pipeline: PipelineFile,
  { requests, control }: BatchRun,
): Promise<ExecutedBatch> {
  const request = readRequest(requests[0]!, pipeline);
  const { ms, picture } = await instance.paint(request, control);
  const shape = [request.height, request.width, 3];
  const outputs = [{ name: "PICTURE", datatype: "UINT8", shape, data: picture }];
  return { inputMs: 0, inferMs: ms, outputs: () => [outputs] };
}

/** Throws INVALID_ARGUMENT for what the tensors' shapes alone do not say. */
function readRequest({ inputs }: CheckedRequest, { patchPixels, pixelsMax }: PipelineFile) {
  const [prompt, reference, fill, seed, strength, styleTensor] = inputs as [
    InferTensor,
    InferTensor,
    InferTensor,
    InferTensor,
    InferTensor,
    InferTensor?,
  ];
  const invalid = (text: string) => new InferError("INVALID_ARGUMENT", text);
  const picture = ({ name, shape, data }: InferTensor) => {
    const [height, width] = shape as [number, number];
    if (width % patchPixels !== 0 || height % patchPixels !== 0 || width * height > pixelsMax)
      throw invalid(`${name} must have sides of multiples of ${patchPixels} and at most ${pixelsMax} pixels`);
    return { width, height, rgb: data as Uint8Array };
  };
  const { width, height, rgb } = picture(reference);
  if (fill.shape[0] !== height || fill.shape[1] !== width) throw invalid("FILL must have the size of REFERENCE");
  const number = ({ datatype, data }: InferTensor) => Number(typedView(datatype, data as Uint8Array)[0]);
  const request = { seed: number(seed), strength: number(strength) };
  if (!(request.strength > 0 && request.strength <= 1)) throw invalid("STRENGTH must be above 0 and at most 1");
  if (!Number.isSafeInteger(request.seed) || request.seed < 0) throw invalid("SEED must be 0 to 2^53 - 1");
  return {
    ...request,
    prompt: (prompt.data as readonly string[])[0]!,
    reference: rgb,
    fill: fill.data as Uint8Array,
    width,
    height,
    ...(styleTensor && { style: picture(styleTensor) }),
  };
}
