/**
 * `config.pbtxt`, the model configuration in protobuf's text format as Triton reads it. It is checked against the
 * `ModelConfig` message of `proto/open_inference.proto`. A field that Packshot does not honor is an error that names
 * its line, so that no operator relies on a setting without effect.
 */

import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";
import textformat from "protobufjs/ext/textformat.js";

export interface TensorConfig {
  readonly name: string;
  /** TYPE_UINT8, TYPE_FP32, TYPE_STRING, … */
  readonly dataType: string;
  /** Without the batch dimension where maxBatchSize > 0. -1: any size. */
  readonly dims: readonly number[];
  readonly format?: string;
  /** true: a request may leave it out. */
  readonly optional?: boolean;
}

export interface InstanceGroup {
  readonly kind: "KIND_AUTO" | "KIND_GPU" | "KIND_CPU" | "KIND_MODEL";
  readonly count: number;
  readonly gpus: readonly number[];
}

export interface DynamicBatching {
  readonly preferredBatchSize: readonly number[];
  readonly priorityLevels: number;
  readonly defaultPriorityLevel: number;
  /** Rows in the queue at most; 0: four times the largest batch. */
  readonly queueRowsMax: number;
  /** 0: none. */
  readonly defaultTimeoutMs: number;
}

export interface ModelConfig {
  readonly name: string;
  /** 0: the model has no batch dimension. */
  readonly maxBatchSize: number;
  readonly input: readonly TensorConfig[];
  readonly output: readonly TensorConfig[];
  readonly instanceGroups: readonly InstanceGroup[];
  /** null: requests run one by one. */
  readonly dynamicBatching: DynamicBatching | null;
  /** How many of the newest versions are served, or which. */
  readonly versions: { readonly latest: number } | { readonly specific: readonly number[] } | "all";
  readonly parameters: Readonly<Record<string, string>>;
  /** Extra rounds per bucket at warm-up. */
  readonly warmupRounds: number;
  /** The message that the `ModelConfig` call returns (proto-loader's field names). */
  readonly message: Readonly<Record<string, unknown>>;
}

const schema = new protobuf.Root()
  .loadSync(fileURLToPath(new URL("../../proto/open_inference.proto", import.meta.url)), { keepCase: true })
  .resolveAll();
const configType = schema.lookupType("inference.ModelConfig");

/** Throws an error that names the file, the line and what to do. */
export function parseModelConfig(text: string, file: string): ModelConfig {
  const message = parseTextFormat(text, file, configType);
  try {
    return toModelConfig(message);
  } catch (cause) {
    throw new Error(`${file}: ${(cause as Error).message}`, { cause });
  }
}

function toModelConfig(message: Message): ModelConfig {
  const name = String(message.name ?? "");
  if (name === "") throw new Error('no name; write name: "<the folder\'s name>"');
  const maxBatchSize = Number(message.max_batch_size ?? 0);
  if (!Number.isInteger(maxBatchSize) || maxBatchSize < 0 || maxBatchSize > batchSizeMax) {
    throw new Error(`max_batch_size ${maxBatchSize}; it must be 0 to ${batchSizeMax}`);
  }
  const input = toTensors(message.input, "input");
  const output = toTensors(message.output, "output");
  const groups = list(message.instance_group).map((group) => ({
    kind: (group.kind ?? "KIND_AUTO") as InstanceGroup["kind"],
    count: bounded(group.count ?? 1, 1, instancesMax, "instance_group.count"),
    gpus: numbers(group.gpus),
  }));
  const warmups = list(message.model_warmup).map((warmup) => bounded(warmup.count ?? 1, 0, 100, "model_warmup.count"));
  return {
    name,
    maxBatchSize,
    input,
    output,
    instanceGroups: groups.length > 0 ? groups : [{ kind: "KIND_AUTO", count: 1, gpus: [] }],
    dynamicBatching: toDynamicBatching(message.dynamic_batching as Message | undefined, maxBatchSize),
    versions: toVersionPolicy(message.version_policy as Message | undefined),
    parameters: Object.fromEntries(
      Object.entries((message.parameters ?? {}) as Record<string, Message>).map(([key, entry]) => [
        key,
        String(entry.string_value ?? ""),
      ]),
    ),
    warmupRounds: Math.max(1, ...warmups),
    message: {
      ...message,
      platform: message.platform ?? "onnxruntime_onnx",
      backend: message.backend ?? "onnxruntime",
    },
  };
}

const batchSizeMax = 1024;
const instancesMax = 64;

function toDynamicBatching(message: Message | undefined, maxBatchSize: number): DynamicBatching | null {
  if (message === undefined) return null;
  const preferred = numbers(message.preferred_batch_size);
  for (const size of preferred) bounded(size, 1, Math.max(1, maxBatchSize), "preferred_batch_size");
  const policy = (message.default_queue_policy ?? {}) as Message;
  const levels = bounded(message.priority_levels ?? 1, 1, 16, "priority_levels");
  return {
    preferredBatchSize: [...preferred].sort((a, b) => a - b),
    priorityLevels: levels,
    defaultPriorityLevel: bounded(message.default_priority_level ?? levels, 1, levels, "default_priority_level"),
    queueRowsMax: bounded(policy.max_queue_size ?? 0, 0, 1_000_000, "max_queue_size"),
    defaultTimeoutMs:
      bounded(policy.default_timeout_microseconds ?? 0, 0, 3.6e9, "default_timeout_microseconds") / 1000,
  };
}

function toVersionPolicy(policy: Message | undefined): ModelConfig["versions"] {
  if (policy?.all !== undefined) return "all";
  if (policy?.specific !== undefined) return { specific: numbers((policy.specific as Message).versions) };
  const latest = (policy?.latest ?? {}) as Message;
  return { latest: bounded(latest.num_versions ?? 1, 1, 100, "num_versions") };
}

function toTensors(field: unknown, kind: string): TensorConfig[] {
  const tensors = list(field).map((tensor) => ({
    name: String(tensor.name ?? ""),
    dataType: String(tensor.data_type ?? "TYPE_INVALID"),
    dims: numbers(tensor.dims),
    format: tensor.format === undefined ? undefined : String(tensor.format),
    optional: tensor.optional === true,
  }));
  if (tensors.length === 0) throw new Error(`no ${kind}; name each tensor with its data_type and dims`);
  for (const tensor of tensors) {
    if (tensor.name === "" || tensor.dataType === "TYPE_INVALID")
      throw new Error(`an ${kind} needs name and data_type`);
    if (tensor.dims.some((dim) => !Number.isInteger(dim) || dim === 0 || dim < -1)) {
      throw new Error(`${kind} ${tensor.name}: dims [${tensor.dims}] must be positive, or -1 for any size`);
    }
  }
  return tensors;
}

function list(field: unknown): Message[] {
  return (field ?? []) as Message[];
}

function numbers(field: unknown): number[] {
  return ((field ?? []) as unknown[]).map(Number);
}

function bounded(value: unknown, min: number, max: number, name: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < min || number > max)
    throw new Error(`${name} ${value}; it must be ${min} to ${max}`);
  return number;
}

/** Protobuf's text format, read by protobufjs, with errors that name the file, the line and what to do. */
export type Message = Record<string, unknown>;

const quotedCharsMax = 120;

/** A plain object: snake-case names, enums by name, 64-bit numbers as numbers. Absent fields stay absent. */
function parseTextFormat(text: string, file: string, type: protobuf.Type): Message {
  try {
    return type.toObject(textformat.fromText(type, text), { enums: String, longs: Number });
  } catch (cause) {
    const { message } = cause as Error;
    const [, fault, line] = /^(.*) \(line (\d+)\)$/s.exec(message) ?? [null, message, lineOf(message, text, type)];
    const written = text.split("\n")[Number(line) - 1]!.trim().slice(0, quotedCharsMax);
    throw new Error(`${file}:${line}: ${explain(fault!, type.root)}, in: ${written}`, { cause });
  }
}

/**
 * The parser names no line for a value of the wrong type. It reads from left to right, so the fault is in the first
 * line up to which the text fails with the same message.
 */
function lineOf(message: string, text: string, type: protobuf.Type): number {
  const lines = text.split("\n");
  const failsAlike = (count: number): boolean => {
    try {
      textformat.fromText(type, lines.slice(0, count).join("\n"));
      return false;
    } catch (error) {
      return (error as Error).message === message;
    }
  };
  return lines.findIndex((_, at) => failsAlike(at + 1)) + 1 || 1;
}

/** Puts the parser's full names (`.inference.ModelConfig.name`) into an operator's words. */
function explain(fault: string, root: protobuf.Root): string {
  const [, path, complaint] = /^\.?([\w.]+): (.*)$/s.exec(fault) ?? [];
  if (path === undefined) return fault;
  const name = path.slice(path.lastIndexOf(".") + 1);
  const unknownField = /^unknown field '(.*)'$/.exec(complaint!)?.[1];
  if (unknownField !== undefined) return `${name} has no field ${unknownField} that this server honors; remove it`;
  if (complaint === "enum value expected") return `${name} is one of ${enumValues(root.lookup(path)).join(", ")}`;
  return `${name}: ${complaint}`;
}

function enumValues(field: protobuf.ReflectionObject | null): string[] {
  const type = field instanceof protobuf.Field ? field.resolvedType : null;
  return type instanceof protobuf.Enum ? Object.keys(type.values) : [];
}
