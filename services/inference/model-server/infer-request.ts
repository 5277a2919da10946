/** Checks the protocol's ModelInferRequest and builds its ModelInferResponse. */

import type { TensorConfig } from "@packshot/models/config-pbtxt.ts";
import { InferError } from "./infer-error.ts";
import type { InferTensor } from "./instance-protocol.ts";
import {
  contentsToBytes,
  datatypeFromConfig,
  decodeStrings,
  deserializeBytesTensor,
  elementBytes,
  elementCount,
  serializeBytesTensor,
  type TensorContents,
} from "./tensor-types.ts";

export interface ParameterMessage {
  readonly bool_param?: boolean;
  readonly int64_param?: string;
  readonly string_param?: string;
  readonly double_param?: number;
  readonly uint64_param?: string;
}

export interface InferRequestMessage {
  readonly model_name: string;
  readonly model_version: string;
  readonly id: string;
  readonly parameters: Readonly<Record<string, ParameterMessage>>;
  readonly inputs: readonly {
    readonly name: string;
    readonly datatype: string;
    readonly shape: readonly string[];
    readonly parameters: Readonly<Record<string, ParameterMessage>>;
    readonly contents: TensorContents | null;
  }[];
  readonly outputs: readonly {
    readonly name: string;
    readonly parameters: Readonly<Record<string, ParameterMessage>>;
  }[];
  readonly raw_input_contents: readonly Buffer[];
}

export interface InferResponseMessage {
  readonly model_name: string;
  readonly model_version: string;
  readonly id: string;
  readonly parameters?: Readonly<Record<string, ParameterMessage>>;
  readonly outputs: readonly { readonly name: string; readonly datatype: string; readonly shape: readonly number[] }[];
  readonly raw_output_contents: readonly Uint8Array[];
}

/** A model's inputs and outputs, from its configuration. */
export interface ModelInterface {
  readonly maxBatchSize: number;
  readonly inputs: readonly TensorConfig[];
  readonly outputs: readonly TensorConfig[];
}

export interface CheckedRequest {
  readonly rows: number;
  /** In the order of the model's inputs, without those that were left out. */
  readonly inputs: readonly InferTensor[];
  /** In the requested order. */
  readonly outputNames: readonly string[];
}

/** Throws an InferError INVALID_ARGUMENT that names the input and the expected value. */
export function checkRequest(message: InferRequestMessage, model: ModelInterface): CheckedRequest {
  const invalid = (text: string): InferError => new InferError("INVALID_ARGUMENT", text);
  const raw = message.raw_input_contents;
  if (message.inputs.some(({ parameters }) => "shared_memory_region" in parameters)) {
    throw new InferError("UNIMPLEMENTED", "shared memory regions are not supported: send the bytes");
  }
  if (raw.length > 0 && raw.length !== message.inputs.length) {
    throw invalid(`${raw.length} raw_input_contents for ${message.inputs.length} inputs: give one for each, or none`);
  }
  const wanted = model.inputs.filter(
    ({ name, optional }) => optional !== true || message.inputs.some((input) => input.name === name),
  );
  if (message.inputs.length !== wanted.length) {
    const names = model.inputs.map((input) => `'${input.name}'`).join(", ");
    throw invalid(
      `expected ${wanted.length} inputs but got ${message.inputs.length}: '${message.model_name}' takes ${names}`,
    );
  }
  let rows = 1;
  const inputs = wanted.map((config, order) => {
    const at = message.inputs.findIndex((input) => input.name === config.name);
    const input = message.inputs[at];
    if (!input) throw invalid(`input '${config.name}' is missing`);
    const shape = checkShape(message.model_name, input.name, input.shape.map(Number), config, model.maxBatchSize);
    if (model.maxBatchSize > 0) {
      if (order > 0 && shape[0] !== rows) throw invalid(`input '${config.name}' has ${shape[0]} rows, another ${rows}`);
      rows = shape[0]!;
    }
    const datatype = datatypeFromConfig(config.dataType)!;
    if (input.datatype !== datatype) {
      throw invalid(
        `inference input '${input.name}' data-type is '${input.datatype}', but model '${message.model_name}' expects '${datatype}'`,
      );
    }
    return {
      name: config.name,
      datatype,
      shape,
      data: tensorData(input.name, datatype, shape, raw[at], input.contents),
    };
  });
  const outputNames =
    message.outputs.length > 0 ? message.outputs.map((o) => o.name) : model.outputs.map((o) => o.name);
  for (const name of outputNames) {
    if (!model.outputs.some((output) => output.name === name)) {
      throw invalid(`unexpected inference output '${name}' for model '${message.model_name}'`);
    }
  }
  for (const output of message.outputs) {
    if ("shared_memory_region" in output.parameters || "classification" in output.parameters) {
      throw new InferError("UNIMPLEMENTED", "outputs come as raw bytes: no shared memory, no classification");
    }
  }
  return { rows, inputs, outputNames };
}

function checkShape(
  model: string,
  name: string,
  shape: readonly number[],
  config: TensorConfig,
  maxBatchSize: number,
): number[] {
  const expected = maxBatchSize > 0 ? [-1, ...config.dims] : config.dims;
  const fits =
    shape.length === expected.length && shape.every((size, axis) => expected[axis] === -1 || expected[axis] === size);
  if (!fits) {
    throw new InferError(
      "INVALID_ARGUMENT",
      `unexpected shape for input '${name}' for model '${model}'. Expected [${expected}], got [${shape}]`,
    );
  }
  if (shape.some((size) => !Number.isSafeInteger(size) || size < 1)) {
    throw new InferError("INVALID_ARGUMENT", `input '${name}': every size of [${shape}] must be at least 1`);
  }
  if (maxBatchSize > 0 && shape[0]! > maxBatchSize) {
    throw new InferError(
      "INVALID_ARGUMENT",
      `inference request batch-size must be <= ${maxBatchSize} for '${model}', got ${shape[0]}`,
    );
  }
  return [...shape];
}

function tensorData(
  name: string,
  datatype: string,
  shape: readonly number[],
  raw: Buffer | undefined,
  contents: TensorContents | null,
): Uint8Array | string[] {
  const count = elementCount(shape);
  if (datatype === "BYTES") {
    const strings = raw ? deserializeBytesTensor(name, raw) : decodeStrings(name, contents?.bytes_contents ?? []);
    if (strings.length !== count) {
      throw new InferError(
        "INVALID_ARGUMENT",
        `input '${name}' has ${strings.length} elements; its shape [${shape}] needs ${count}`,
      );
    }
    return strings;
  }
  const bytes = raw ?? contentsToBytes(name, datatype, contents ?? {});
  const expectedBytes = count * elementBytes(datatype)!;
  if (bytes.byteLength !== expectedBytes) {
    throw new InferError(
      "INVALID_ARGUMENT",
      `input byte size mismatch for input '${name}'. Expected ${expectedBytes} bytes for ${datatype} [${shape}], got ${bytes.byteLength}`,
    );
  }
  return bytes;
}

/** The earliest of all deadlines that apply to the request, in milliseconds since the epoch. */
export function requestDeadlineMs(
  message: InferRequestMessage,
  grpcDeadlineMs: number,
  defaultTimeoutMs: number,
  nowMs: number,
): number {
  const own = parseInteger(message.parameters.deadline_ms);
  // Triton's clients send a timeout in microseconds.
  const timeoutUs = parseInteger(message.parameters.timeout);
  return Math.min(
    grpcDeadlineMs,
    own ?? Number.POSITIVE_INFINITY,
    timeoutUs ? nowMs + timeoutUs / 1000 : Number.POSITIVE_INFINITY,
    defaultTimeoutMs > 0 ? nowMs + defaultTimeoutMs : Number.POSITIVE_INFINITY,
  );
}

/** Packshot's worker sends it with each request of its one stream. */
export function requestTraceparent(message: InferRequestMessage): string | undefined {
  return message.parameters.traceparent?.string_param;
}

const tenantLengthMax = 200;

export function requestTenant(message: InferRequestMessage): string {
  return (message.parameters.tenant?.string_param ?? "").slice(0, tenantLengthMax);
}

/** As in Triton, 0, an absent priority and one out of range mean the model's default. */
export function requestPriority(message: InferRequestMessage, levels: number, defaultLevel: number): number {
  const priority = parseInteger(message.parameters.priority) ?? 0;
  return priority >= 1 && priority <= levels ? priority : defaultLevel;
}

function parseInteger(parameter: ParameterMessage | undefined): number | null {
  const text = parameter?.int64_param ?? parameter?.uint64_param ?? parameter?.double_param;
  if (text === undefined) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** What the request took, for clients that account for it: in microseconds, as all durations of the protocol. */
export function timeParameters(times: InferTimes | undefined): Record<string, ParameterMessage> {
  if (times === undefined) return {};
  const microseconds = (ms: number): ParameterMessage => ({ int64_param: String(Math.round(ms * 1000)) });
  return {
    packshot_queue_us: microseconds(times.queueMs),
    packshot_run_us: microseconds(times.runMs),
    packshot_share_us: microseconds(times.shareMs),
    packshot_provider: { string_param: times.provider },
  };
}

export function buildResponse(
  message: InferRequestMessage,
  version: string,
  outputs: readonly InferTensor[],
  outputNames: readonly string[],
  parameters: Readonly<Record<string, ParameterMessage>> = {},
): InferResponseMessage {
  const chosen = outputNames.map((name) => outputs.find((output) => output.name === name)!);
  return {
    model_name: message.model_name,
    model_version: version,
    id: message.id,
    parameters,
    outputs: chosen.map(({ name, datatype, shape }) => ({ name, datatype, shape })),
    raw_output_contents: chosen.map(({ data }) => (data instanceof Uint8Array ? data : serializeBytesTensor(data))),
  };
}

/** What a request took, once it is answered. */
export interface InferTimes {
  readonly queueMs: number;
  /** The whole batch's time. */
  readonly runMs: number;
  /** The request's part of that, by its rows: over all requests they add up to the time in which sessions ran. */
  readonly shareMs: number;
  readonly provider: string;
}
