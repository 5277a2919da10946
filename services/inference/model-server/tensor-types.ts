/** The protocol's datatypes and their names in onnxruntime, in config.pbtxt and in typed contents. */
import { InferError } from "./infer-error.ts";

export type TypedArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigUint64Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

interface NumericType {
  readonly ort: string;
  readonly config: string;
  readonly bytes: number;
  readonly array: new (buffer: ArrayBufferLike, byteOffset: number, length: number) => TypedArray;
  readonly contents: keyof TensorContents;
}

export interface TensorContents {
  readonly bool_contents?: readonly boolean[];
  readonly int_contents?: readonly number[];
  readonly int64_contents?: readonly (string | number)[];
  readonly uint_contents?: readonly number[];
  readonly uint64_contents?: readonly (string | number)[];
  readonly fp32_contents?: readonly number[];
  readonly fp64_contents?: readonly number[];
  readonly bytes_contents?: readonly Uint8Array[];
}

const numericTypes: Readonly<Record<string, NumericType>> = {
  BOOL: { ort: "bool", config: "TYPE_BOOL", bytes: 1, array: Uint8Array, contents: "bool_contents" },
  UINT8: { ort: "uint8", config: "TYPE_UINT8", bytes: 1, array: Uint8Array, contents: "uint_contents" },
  UINT16: { ort: "uint16", config: "TYPE_UINT16", bytes: 2, array: Uint16Array, contents: "uint_contents" },
  UINT32: { ort: "uint32", config: "TYPE_UINT32", bytes: 4, array: Uint32Array, contents: "uint_contents" },
  UINT64: { ort: "uint64", config: "TYPE_UINT64", bytes: 8, array: BigUint64Array, contents: "uint64_contents" },
  INT8: { ort: "int8", config: "TYPE_INT8", bytes: 1, array: Int8Array, contents: "int_contents" },
  INT16: { ort: "int16", config: "TYPE_INT16", bytes: 2, array: Int16Array, contents: "int_contents" },
  INT32: { ort: "int32", config: "TYPE_INT32", bytes: 4, array: Int32Array, contents: "int_contents" },
  INT64: { ort: "int64", config: "TYPE_INT64", bytes: 8, array: BigInt64Array, contents: "int64_contents" },
  FP32: { ort: "float32", config: "TYPE_FP32", bytes: 4, array: Float32Array, contents: "fp32_contents" },
  FP64: { ort: "float64", config: "TYPE_FP64", bytes: 8, array: Float64Array, contents: "fp64_contents" },
};

/** BYTES is onnxruntime's string. onnxruntime-node on Node 24 cannot pass half floats, so they stay inside graphs. */
export function datatypeFromConfig(configType: string): string | null {
  if (configType === "TYPE_STRING") return "BYTES";
  return Object.entries(numericTypes).find(([, type]) => type.config === configType)?.[0] ?? null;
}

export function datatypeFromOrt(ortType: string): string | null {
  if (ortType === "string") return "BYTES";
  return Object.entries(numericTypes).find(([, type]) => type.ort === ortType)?.[0] ?? null;
}

export function toConfigType(datatype: string): string {
  return datatype === "BYTES" ? "TYPE_STRING" : (numericTypes[datatype]?.config ?? "TYPE_INVALID");
}

export function toOrtType(datatype: string): string {
  return datatype === "BYTES" ? "string" : numericTypes[datatype]!.ort;
}

/** null for BYTES, whose elements differ in size. */
export function elementBytes(datatype: string): number | null {
  return numericTypes[datatype]?.bytes ?? null;
}

/** A typed view of the bytes, or a copy where they are not aligned. */
export function typedView(datatype: string, bytes: Uint8Array): TypedArray {
  const type = numericTypes[datatype]!;
  const aligned = bytes.byteOffset % type.bytes === 0 ? bytes : new Uint8Array(bytes);
  return new type.array(aligned.buffer, aligned.byteOffset, aligned.byteLength / type.bytes);
}

export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Converts typed contents to raw bytes. */
export function contentsToBytes(name: string, datatype: string, contents: TensorContents): Uint8Array {
  const type = numericTypes[datatype]!;
  const values = contents[type.contents] ?? [];
  const others = Object.entries(contents).find(
    ([field, list]) => field !== type.contents && (list as unknown[]).length > 0,
  );
  if (others)
    throw new InferError(
      "INVALID_ARGUMENT",
      `input '${name}' is ${datatype}: put its elements into ${type.contents}, not ${others[0]}`,
    );
  const bytes = new Uint8Array(values.length * type.bytes);
  const view = typedView(datatype, bytes) as { [at: number]: number | bigint };
  const big = type.bytes === 8 && datatype !== "FP64";
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as number | string | boolean;
    view[at] = big ? BigInt(value) : Number(value);
    if (!big && !datatype.startsWith("FP") && Number(view[at]) !== Number(value)) {
      throw new InferError("INVALID_ARGUMENT", `input '${name}': ${value} does not fit into ${datatype}`);
    }
  }
  return bytes;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** On the wire, each BYTES element follows its length as a little-endian u32. */
export function deserializeBytesTensor(name: string, raw: Uint8Array): string[] {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const elements: Uint8Array[] = [];
  let at = 0;
  while (at < raw.byteLength) {
    const length = at + 4 <= raw.byteLength ? view.getUint32(at, true) : Number.POSITIVE_INFINITY;
    if (at + 4 + length > raw.byteLength) {
      throw new InferError(
        "INVALID_ARGUMENT",
        `input '${name}': element ${elements.length} of BYTES ends after the tensor`,
      );
    }
    elements.push(raw.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return decodeStrings(name, elements);
}

export function decodeStrings(name: string, elements: readonly Uint8Array[]): string[] {
  return elements.map((element, at) => {
    try {
      return utf8.decode(element);
    } catch {
      throw new InferError(
        "INVALID_ARGUMENT",
        `input '${name}': element ${at} is not UTF-8, which onnxruntime's strings must be`,
      );
    }
  });
}

export function serializeBytesTensor(strings: readonly string[]): Buffer {
  const parts: Buffer[] = [];
  for (const each of strings) {
    const element = Buffer.from(each);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(element.byteLength);
    parts.push(length, element);
  }
  return Buffer.concat(parts);
}
