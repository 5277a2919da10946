/** Brings one version of a model into service: graph, sessions, proof of the provider, shared memory, warm-up. */
import { availableParallelism } from "node:os";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { InstanceGroup, ModelConfig, TensorConfig } from "@packshot/models/config-pbtxt.ts";
import { derivedConfig } from "./derived-config.ts";
import { type Instance, startInstance } from "./instance.ts";
import type { FromInstance, GraphTensor, LoadInstance, RowTensor } from "./instance-protocol.ts";
import type { InferenceMetrics } from "./metrics.ts";
import { requireGpuProof } from "./provider-proof.ts";
import type { ModelFolder } from "./repository.ts";
import { type ServedVersion, serveVersion } from "./served-version.ts";
import { datatypeOfConfig, elementBytes, elementCount } from "./tensor-types.ts";

export interface SessionSettings {
  /** In order of preference. */
  readonly executionProviders: readonly ("cpu" | "cuda")[];
  readonly requireGpu: boolean;
  /** Threads of one session; 0: the cores shared among the instances. */
  readonly threads: number;
  /** Instances per model; 0: config.pbtxt's instance_group. */
  readonly instances: number;
}

export interface LoadVersionOptions {
  readonly folder: ModelFolder;
  readonly version: string;
  readonly file: string;
  readonly settings: SessionSettings;
  readonly metrics: InferenceMetrics;
  readonly logger: Logger;
  readonly onFatal: (error: Error) => void;
}

/** Throws with the model's name and what is wrong; nothing is left running then. */
export async function loadVersion(options: LoadVersionOptions): Promise<ServedVersion> {
  const { folder, version, file, settings, logger } = options;
  const startedAt = performance.now();
  const places = placesOf(folder.config?.instanceGroups ?? [{ kind: "KIND_AUTO", count: 1, gpus: [] }], settings);
  const onGpu = places.every((place) => place.providers[0] === "cuda");
  const half = onGpu && folder.config?.parameters["packshot.gpu_precision"] === "fp16";
  const threads = settings.threads || Math.max(1, Math.floor(availableParallelism() / places.length));
  const instances: Instance[] = [];
  try {
    const graphs: Loaded[] = [];
    for (const place of places) {
      const instance = startInstance(options.onFatal);
      instances.push(instance);
      const proveProviders = graphs.length === 0 && place.providers.includes("cuda");
      graphs.push(await load(instance, { file, manifest: folder.manifest, half, ...place, threads, proveProviders }));
    }
    const graph = graphs[0]!;
    if (settings.requireGpu) requireGpuProof(graph.proof);
    const config = withBatchOf(graph.inputs, folder.config ?? derivedConfig(folder.name, graph), logger);
    checkInterface(config, graph);
    const rowTensors = rowTensorsOf(config);
    const wanted = rowTensors ? bucketsOf(config) : [1];
    const prepared = rowTensors
      ? await prepareAll(instances, rowTensors, wanted, config, onGpu)
      : { warmed: [], dropped: [] };
    for (const { bucket, reason } of prepared.dropped) {
      logger.warn(
        { model: folder.name, version, bucket, reason },
        "a bucket does not fit this device and is not served",
      );
    }
    const buckets = wanted.filter((bucket) => !prepared.dropped.some((dropped) => dropped.bucket === bucket));
    const served = narrowed(config, buckets, rowTensors !== null);
    const metrics = options.metrics.of(folder.name, version);
    // On a CPU there is nothing to prove: no other provider was registered.
    metrics.proved(
      graph.proof.length > 0 ? graph.proof : [{ provider: "CPUExecutionProvider", nodes: 1, operators: [] }],
    );
    const result = serveVersion({
      name: folder.name,
      version,
      config: served,
      instances,
      rowTensors,
      buckets,
      warmed: prepared.warmed,
      metrics,
      onFatal: options.onFatal,
    });
    logger.info(
      {
        model: folder.name,
        version,
        half,
        instances: instances.length,
        threads,
        providers: graph.proof.length > 0 ? graph.proof : places[0]!.providers,
        warmed: prepared.warmed.map(({ bucket, ms }) => ({ bucket, ms: Math.round(Math.min(...ms) * 10) / 10 })),
        tookMs: Math.round(performance.now() - startedAt),
      },
      "model ready",
    );
    return result;
  } catch (cause) {
    await Promise.all(instances.map((instance) => instance.stop()));
    throw new Error(`model ${folder.name} version ${version}: ${(cause as Error).message}`, { cause });
  }
}

/** Some published files hold one picture at a time, whatever the configuration hopes for. */
function withBatchOf(inputs: readonly GraphTensor[], config: ModelConfig, logger: Logger): ModelConfig {
  if (config.maxBatchSize <= 1 || inputs.every(({ shape }) => shape[0] !== 1)) return config;
  logger.warn({ model: config.name }, "the graph's batch is fixed at 1; requests run one by one");
  return { ...config, maxBatchSize: 1, message: { ...config.message, max_batch_size: 1 } };
}

type Loaded = Extract<FromInstance, { kind: "loaded" }>;

async function load(instance: Instance, message: Omit<LoadInstance, "kind">): Promise<Loaded> {
  try {
    return await instance.load(message);
  } catch (cause) {
    throw message.providers.includes("cuda") ? gpuFault(cause as Error) : cause;
  }
}

/** onnxruntime says which library it missed, not what to do. */
function gpuFault(cause: Error): Error {
  const hint =
    "CUDA 13, cuDNN 9 and onnxruntime-node's CUDA library must be here, or set PACKSHOT_EXECUTION_PROVIDERS=cpu";
  return new Error(`the GPU cannot be used (${cause.message}): ${hint}`, { cause });
}

interface Place {
  readonly providers: readonly ("cpu" | "cuda")[];
  readonly deviceId: number;
}

/** One entry per instance. */
function placesOf(groups: readonly InstanceGroup[], settings: SessionSettings): Place[] {
  return groups.flatMap(({ kind, count, gpus }) => {
    const cuda = settings.executionProviders.includes("cuda");
    if (kind === "KIND_GPU" && !cuda) {
      throw new Error("instance_group asks for KIND_GPU; set PACKSHOT_EXECUTION_PROVIDERS=cuda or use KIND_AUTO");
    }
    const providers = kind === "KIND_CPU" ? (["cpu"] as const) : settings.executionProviders;
    const devices = cuda && kind !== "KIND_CPU" && gpus.length > 0 ? gpus : [0];
    const each = settings.instances || count;
    return devices.flatMap((deviceId) => Array.from({ length: each }, () => ({ providers, deviceId })));
  });
}

async function prepareAll(
  instances: readonly Instance[],
  rowTensors: NonNullable<ReturnType<typeof rowTensorsOf>>,
  buckets: readonly number[],
  config: ModelConfig,
  warmAll: boolean,
) {
  const hasBatch = config.maxBatchSize > 0;
  const options = { ...rowTensors, buckets, hasBatch, warmupRounds: config.warmupRounds, warmAll };
  // One after the other: a measure taken beside another instance's warm-up would be none.
  const results = [];
  for (const instance of instances) results.push(await instance.prepare(options));
  return {
    warmed: results.flatMap(({ warmed }) => warmed),
    dropped: results.flatMap(({ dropped }) => dropped),
  };
}

const defaultBuckets = [1, 2, 4, 8, 16];

/** Ends with the largest batch, because a request may bring that many rows. */
function bucketsOf(config: ModelConfig): number[] {
  const largest = Math.max(1, config.maxBatchSize);
  const asked = config.dynamicBatching?.preferredBatchSize ?? [];
  const buckets = asked.length > 0 ? asked : defaultBuckets;
  return [...new Set([...buckets.filter((bucket) => bucket < largest), largest])].sort((a, b) => a - b);
}

/** A bucket that does not fit the device is no longer promised to callers. */
function narrowed(config: ModelConfig, buckets: readonly number[], hasRows: boolean): ModelConfig {
  const largest = buckets.at(-1)!;
  if (!hasRows || config.maxBatchSize === 0 || config.maxBatchSize === largest) return config;
  return { ...config, maxBatchSize: largest, message: { ...config.message, max_batch_size: largest } };
}

/** null when some tensor has no fixed row: strings, or a free size. */
function rowTensorsOf(config: ModelConfig): { inputs: RowTensor[]; outputs: RowTensor[] } | null {
  const rows = (tensors: readonly TensorConfig[]): RowTensor[] | null => {
    const made = tensors.map(({ name, dataType, dims }) => {
      const datatype = datatypeOfConfig(dataType)!;
      const bytes = elementBytes(datatype);
      return bytes === null || dims.includes(-1)
        ? null
        : { name, datatype, dims, rowBytes: bytes * elementCount(dims) };
    });
    return made.every((each) => each !== null) ? made : null;
  };
  const inputs = rows(config.input);
  const outputs = rows(config.output);
  return inputs && outputs ? { inputs, outputs } : null;
}

/** The configuration is what callers are told, so it must be what the graph is. */
function checkInterface(
  config: ModelConfig,
  graph: { readonly inputs: readonly GraphTensor[]; readonly outputs: readonly GraphTensor[] },
): void {
  for (const [kind, configured, actual] of [
    ["input", config.input, graph.inputs],
    ["output", config.output, graph.outputs],
  ] as const) {
    if (kind === "input" && configured.length !== actual.length) {
      throw new Error(
        `config.pbtxt names ${configured.length} inputs; the graph has ${actual.map((t) => t.name).join(", ")}`,
      );
    }
    for (const tensor of configured) {
      const found = actual.find((each) => each.name === tensor.name);
      if (!found)
        throw new Error(
          `config.pbtxt names the ${kind} "${tensor.name}"; the graph has ${actual.map((t) => t.name).join(", ")}`,
        );
      const datatype = datatypeOfConfig(tensor.dataType);
      if (datatype === null)
        throw new Error(`${kind} "${tensor.name}": ${tensor.dataType} cannot cross onnxruntime-node`);
      const dims = config.maxBatchSize > 0 ? [-1, ...tensor.dims] : tensor.dims;
      const fits =
        dims.length === found.shape.length &&
        dims.every((size, axis) => size === -1 || found.shape[axis] === -1 || size === found.shape[axis]);
      const batchFits = config.maxBatchSize <= 1 || found.shape[0] === -1;
      if (datatype !== found.datatype || !fits || !batchFits) {
        throw new Error(
          `config.pbtxt says ${kind} "${tensor.name}" is ${datatype} [${dims}]; the graph's is ${found.datatype} [${found.shape}]`,
        );
      }
    }
  }
}
