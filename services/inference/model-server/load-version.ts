/** Loads one model version: graph, sessions, node placements, shared memory and warm-up. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { availableParallelism } from "node:os";
import type { InstanceGroup, ModelConfig, TensorConfig } from "@packshot/models/config-pbtxt.ts";
import { explainCudaError } from "@packshot/models/cuda-check.ts";
import type { ModelFiles, ModelFolder } from "@packshot/models/model-repository.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { executeGraph, type RowTensors } from "./execute-batch.ts";
import type { InferenceMetrics } from "./inference-metrics.ts";
import { type Instance, startInstance } from "./instance.ts";
import type { GraphTensor, LoadInstance, MessageFromInstance, NodePlacement, RowTensor } from "./instance-protocol.ts";
import { choosePrecision, type Int8Use, type Precision } from "./model-precision.ts";
import { type ServedVersion, serveVersion } from "./served-version.ts";
import { watchRuns } from "./slow-runs.ts";
import { datatypeFromConfig, elementBytes, elementCount, toConfigType } from "./tensor-types.ts";
import { warmInstances } from "./warm-instances.ts";

export interface SessionSettings {
  /** In order of preference. */
  readonly executionProviders: readonly ("cpu" | "cuda")[];
  readonly requireGpu: boolean;
  /** Threads of one session; 0: the cores shared among the instances. */
  readonly threads: number;
  /** Instances per model; 0: config.pbtxt's instance_group. */
  readonly instances: number;
  readonly int8: Int8Use;
  /** host:port of a server that runs the graphs of image models; undefined: they run here. */
  readonly graphServer?: string | undefined;
  /** A graph of an image model that still runs so long after its picture was given up has stopped. */
  readonly imageModelTimeoutMs: number;
}

export interface LoadVersionDeps {
  readonly folder: ModelFolder;
  readonly files: ModelFiles;
  readonly settings: SessionSettings;
  readonly metrics: InferenceMetrics;
  readonly logger: Logger;
  readonly onFatal: (error: Error) => void;
  /** Told when the version is away, or there again. */
  readonly onAwayChange: () => void;
}

const slowRunsMessage =
  "runs take over five times what the warm-up measured: other work takes the device or the cores, or on a GPU each run builds its plans anew, which packshot doctor shows";

/** Throws an error that names the model and the fault; no instance is left running then. */
export async function loadVersion(deps: LoadVersionDeps): Promise<ServedVersion> {
  const { folder, settings, logger } = deps;
  const { version, file, int8File } = deps.files;
  const startedAt = performance.now();
  const devices = instanceDevices(
    folder.config?.instanceGroups ?? [{ kind: "KIND_AUTO", count: 1, gpus: [] }],
    settings,
  );
  const onGpu = devices.every(({ providers }) => providers[0] === "cuda");
  const precision = choosePrecision({
    onGpu,
    halfOnGpu: folder.config?.parameters["packshot.gpu_precision"] === "fp16",
    // All instances of a version run the same precision.
    hasInt8File: int8File !== null && devices.every(({ providers }) => !providers.includes("cuda")),
    int8: settings.int8,
  });
  const threads = settings.threads || Math.max(1, Math.floor(availableParallelism() / devices.length));
  const weights = precision === "int8" ? int8File! : file;
  const instances: Instance[] = [];
  try {
    const graph = await startInstances(
      deps,
      { devices, file: weights, halfPrecision: precision === "fp16", threads },
      instances,
    );
    if (settings.requireGpu) requireGpuPlacement(graph.placements);
    const configured = limitBatchToGraph(graph.inputs, folder.config ?? autoCompleteConfig(folder.name, graph), logger);
    checkInterface(configured, graph);
    const config = withIdentity(configured, precision, await sha256Of(weights, folder.manifest));
    const { rowTensors, ...warmVersion } = await warmUp(deps, instances, config, onGpu);
    const provider = onGpu ? "cuda" : "cpu";
    const metrics = deps.metrics.forVersion(folder.name, version, { count: instances.length, provider, precision });
    // On a CPU there are no placements to read, because no other provider is registered.
    const hasPlacements = graph.placements.length > 0;
    metrics.nodesPlaced(
      hasPlacements ? graph.placements : [{ provider: "CPUExecutionProvider", nodes: 1, operators: [] }],
    );
    logger.info(
      {
        model: folder.name,
        version,
        precision,
        instances: instances.length,
        threads,
        providers: hasPlacements ? graph.placements : devices[0]!.providers,
        warmed: warmVersion.warmed.map(({ bucket, ms }) => ({ bucket, ms: Math.round(Math.min(...ms) * 10) / 10 })),
        tookMs: Math.round(performance.now() - startedAt),
      },
      "model ready",
    );
    return serveVersion({
      name: folder.name,
      version,
      instances,
      provider,
      ...warmVersion,
      execute: executeGraph(rowTensors, warmVersion.config.maxBatchSize > 0),
      canBatch: rowTensors !== null,
      metrics: watchRuns(metrics, warmVersion.warmed, (slow) =>
        logger.warn({ model: folder.name, version, ...slow }, slowRunsMessage),
      ),
      onFatal: deps.onFatal,
    });
  } catch (cause) {
    await Promise.all(instances.map((instance) => instance.stop()));
    throw new Error(`model ${folder.name} version ${version}: ${(cause as Error).message}`, { cause });
  }
}

/** Starts one instance per device, pushes each into `instances` at once, and returns the loaded graph. */
async function startInstances(
  { folder, onFatal }: LoadVersionDeps,
  session: { devices: readonly InstanceDevice[]; file: string; halfPrecision: boolean; threads: number },
  instances: Instance[],
): Promise<Loaded> {
  const { devices, file, halfPrecision, threads } = session;
  const graphs: Loaded[] = [];
  for (const device of devices) {
    const instance = startInstance(onFatal);
    instances.push(instance);
    const reportPlacements = graphs.length === 0 && device.providers.includes("cuda");
    const { manifest } = folder;
    graphs.push(await load(instance, { file, manifest, halfPrecision, ...device, threads, reportPlacements }));
  }
  return graphs[0]!;
}

/** Warms every instance, and leaves out the buckets that do not fit the device. */
async function warmUp(
  { folder, files, logger }: LoadVersionDeps,
  instances: readonly Instance[],
  config: ModelConfig,
  onGpu: boolean,
) {
  const rowTensors = rowTensorsOf(config);
  if (rowTensors === null) return { config, rowTensors, buckets: [1], warmed: [] };
  const planned = bucketsOf(config, onGpu);
  const hasBatch = config.maxBatchSize > 0;
  const options = { ...rowTensors, buckets: planned, hasBatch, warmupRounds: config.warmupRounds };
  const { warmed, dropped } = await explained(warmInstances(instances, options, onGpu), onGpu);
  for (const { bucket, reason } of dropped) {
    logger.warn(
      { model: folder.name, version: files.version, bucket, reason },
      "a bucket does not fit this device and is not served",
    );
  }
  const buckets = planned.filter((bucket) => !dropped.some((each) => each.bucket === bucket));
  if (dropped.length > 0) for (const instance of instances) await instance.keep(buckets);
  return { config: limitBatchToBuckets(config, buckets), rowTensors, buckets, warmed };
}

/** Some published files take one image at a time, whatever the configuration says. */
function limitBatchToGraph(inputs: readonly GraphTensor[], config: ModelConfig, logger: Logger): ModelConfig {
  if (config.maxBatchSize <= 1 || inputs.every(({ shape }) => shape[0] !== 1)) return config;
  logger.warn({ model: config.name }, "the graph's batch size is fixed at 1, so requests run one by one");
  return { ...config, maxBatchSize: 1, message: { ...config.message, max_batch_size: 1 } };
}

/**
 * The configuration that callers read names the precision, because mattes of int8 weights differ by some levels, and the SHA-256
 * of the weights with their manifest: they may be exchanged under one version.
 */
function withIdentity(config: ModelConfig, precision: Precision, sha256: string): ModelConfig {
  const said = { "packshot.precision": precision, "packshot.sha256": sha256 };
  const strings = Object.entries(said).map(([key, value]) => [key, { string_value: value }]);
  return {
    ...config,
    parameters: { ...config.parameters, ...said },
    message: {
      ...config.message,
      parameters: { ...(config.message.parameters as object), ...Object.fromEntries(strings) },
    },
  };
}

async function sha256Of(file: string, manifest: ModelFolder["manifest"]): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(manifest));
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

type Loaded = Extract<MessageFromInstance, { kind: "loaded" }>;

async function load(instance: Instance, message: Omit<LoadInstance, "kind">): Promise<Loaded> {
  return await explained(instance.load(message), message.providers.includes("cuda"));
}

async function explained<T>(work: Promise<T>, withCuda: boolean): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw withCuda ? explainCudaError(cause as Error) : cause;
  }
}

interface InstanceDevice {
  readonly providers: readonly ("cpu" | "cuda")[];
  readonly deviceId: number;
}

/** One entry per instance. */
function instanceDevices(groups: readonly InstanceGroup[], settings: SessionSettings): InstanceDevice[] {
  return groups.flatMap(({ kind, count, gpus }) => {
    const cuda = settings.executionProviders.includes("cuda");
    if (kind === "KIND_GPU" && !cuda) {
      throw new Error("instance_group asks for KIND_GPU; set PACKSHOT_EXECUTION_PROVIDERS=cuda or use KIND_AUTO");
    }
    const providers = kind === "KIND_CPU" ? (["cpu"] as const) : settings.executionProviders;
    const deviceIds = cuda && kind !== "KIND_CPU" && gpus.length > 0 ? gpus : [0];
    const each = settings.instances || count;
    return deviceIds.flatMap((deviceId) => Array.from({ length: each }, () => ({ providers, deviceId })));
  });
}

const defaultBuckets = [1, 2, 4, 8, 16];
/** Fewer, because on a GPU each bucket's session holds the weights once more. */
const defaultBucketsOnGpu = [1, 4, 16];

/** The last bucket is the largest batch, because one request may bring that many rows. */
export function bucketsOf(config: ModelConfig, onGpu: boolean): number[] {
  const largest = Math.max(1, config.maxBatchSize);
  const preferred = config.dynamicBatching?.preferredBatchSize ?? [];
  const buckets = preferred.length > 0 ? preferred : onGpu ? defaultBucketsOnGpu : defaultBuckets;
  return [...new Set([...buckets.filter((bucket) => bucket < largest), largest])].sort((a, b) => a - b);
}

/** The configuration that callers read promises no batch that does not fit the device. */
function limitBatchToBuckets(config: ModelConfig, buckets: readonly number[]): ModelConfig {
  const largest = buckets.at(-1)!;
  if (config.maxBatchSize === 0 || config.maxBatchSize === largest) return config;
  return { ...config, maxBatchSize: largest, message: { ...config.message, max_batch_size: largest } };
}

/** null when a tensor has no fixed row size: strings, or a dynamic dimension. */
function rowTensorsOf(config: ModelConfig): RowTensors | null {
  const rows = (tensors: readonly TensorConfig[]): RowTensor[] | null => {
    const made = tensors.map(({ name, dataType, dims }) => {
      const datatype = datatypeFromConfig(dataType)!;
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

/** Callers read the configuration, so it must match the graph. */
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
      if (tensor.optional === true)
        throw new Error(`${kind} "${tensor.name}" is optional; a graph needs all of its own`);
      const found = actual.find((each) => each.name === tensor.name);
      if (!found)
        throw new Error(
          `config.pbtxt names the ${kind} "${tensor.name}"; the graph has ${actual.map((t) => t.name).join(", ")}`,
        );
      const datatype = datatypeFromConfig(tensor.dataType);
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

/** Derives the configuration of a model without config.pbtxt from its graph, as Triton's auto-complete does. */

const defaultBatchSizeMax = 8;

function autoCompleteConfig(
  name: string,
  graph: { readonly inputs: readonly GraphTensor[]; readonly outputs: readonly GraphTensor[] },
): ModelConfig {
  const all = [...graph.inputs, ...graph.outputs];
  const batches = all.every(({ shape }) => shape.length > 0 && shape[0] === -1);
  const maxBatchSize = batches ? defaultBatchSizeMax : 0;
  const tensor = ({ name: tensorName, datatype, shape }: GraphTensor): TensorConfig => {
    if (datatype === null) throw new Error(`tensor "${tensorName}" has a type that cannot cross onnxruntime-node`);
    return { name: tensorName, dataType: toConfigType(datatype), dims: batches ? shape.slice(1) : shape };
  };
  const input = graph.inputs.map(tensor);
  const output = graph.outputs.map(tensor);
  const message = (each: TensorConfig) => ({ name: each.name, data_type: each.dataType, dims: each.dims });
  return {
    name,
    maxBatchSize,
    input,
    output,
    instanceGroups: [{ kind: "KIND_AUTO", count: 1, gpus: [] }],
    dynamicBatching: batches
      ? { preferredBatchSize: [], priorityLevels: 1, defaultPriorityLevel: 1, queueRowsMax: 0, defaultTimeoutMs: 0 }
      : null,
    versions: { latest: 1 },
    parameters: {},
    warmupRounds: 1,
    message: {
      name,
      platform: "onnxruntime_onnx",
      backend: "onnxruntime",
      max_batch_size: maxBatchSize,
      input: input.map(message),
      output: output.map(message),
      instance_group: [{ count: 1, kind: "KIND_AUTO" }],
      ...(batches ? { dynamic_batching: {} } : {}),
    },
  };
}

/** Which execution provider runs a graph's nodes, and what `--require-gpu` accepts. */

/**
 * Operators that onnxruntime places on the CPU on purpose even with CUDA, because they compute shapes of a few numbers.
 */
const shapeOperators = new Set([
  "Shape",
  "Gather",
  "Concat",
  "Slice",
  "Unsqueeze",
  "Squeeze",
  "Cast",
  "Constant",
  "ConstantOfShape",
  "Add",
  "Sub",
  "Mul",
  "Div",
  "Floor",
  "Ceil",
  "Range",
  "Reshape",
  "Equal",
  "Where",
  "Expand",
  "ReduceProd",
  "Mod",
  "Min",
  "Max",
  "Identity",
  "Size",
  "MemcpyFromHost",
  "MemcpyToHost",
]);

/** Throws an error that names the operators unless the GPU runs everything except the computation of shapes. */
export function requireGpuPlacement(placements: readonly NodePlacement[]): void {
  const gpu = placements.find(({ provider }) => provider === "CUDAExecutionProvider");
  if (!gpu || gpu.nodes === 0) throw new Error("no node ran on a GPU, and --require-gpu forbids the CPU");
  const cpu = placements.find(({ provider }) => provider === "CPUExecutionProvider");
  const heavy = (cpu?.operators ?? []).filter((operator) => !shapeOperators.has(operator));
  if (heavy.length > 0) {
    throw new Error(`the GPU has no kernel for ${heavy.join(", ")}, which ran on the CPU; --require-gpu forbids that`);
  }
}
