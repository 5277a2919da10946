/**
 * Reads and writes ONNX files. Fields that `proto/onnx.proto` does not name are kept as unread bytes and written back,
 * so that a changed model loses nothing. Source: the ONNX IR specification.
 */
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";

/** protobufjs reads int64 as a number, or as a `Long` object, which `Number()` converts. */
export type Int64 = number | { toString(): string };

/** TensorProto.DataType. */
export const elementTypes = {
  float32: 1,
  uint8: 2,
  int8: 3,
  int32: 6,
  int64: 7,
  string: 8,
  bool: 9,
  float16: 10,
  float64: 11,
} as const;

export interface OnnxTensor {
  name?: string;
  dims: Int64[];
  dataType: number;
  rawData?: Uint8Array;
  floatData?: number[];
  int64Data?: Int64[];
  int32Data?: number[];
  stringData?: Uint8Array[];
  dataLocation?: number;
  /** Where the values are in another file: `location`, its name, and more. */
  externalData?: readonly { readonly key: string; readonly value: string }[];
}

export interface OnnxAttribute {
  name: string;
  /** AttributeProto.AttributeType: 1 float, 2 int, 3 string, 4 tensor, 5 graph, 6 floats, 7 ints. */
  type: number;
  f?: number;
  i?: Int64;
  s?: Uint8Array;
  t?: OnnxTensor;
  g?: OnnxGraph;
  floats?: number[];
  ints?: Int64[];
}

export interface OnnxNode {
  input: string[];
  output: string[];
  name?: string;
  opType: string;
  domain?: string;
  attribute: OnnxAttribute[];
}

export interface OnnxDimension {
  dimValue?: Int64;
  dimParam?: string;
}

export interface OnnxValue {
  name: string;
  type?: { tensorType?: { elemType: number; shape?: { dim: OnnxDimension[] } } };
}

export interface OnnxGraph {
  name?: string;
  node: OnnxNode[];
  initializer: OnnxTensor[];
  input: OnnxValue[];
  output: OnnxValue[];
  valueInfo: OnnxValue[];
}

export interface OnnxModel {
  irVersion: Int64;
  producerName?: string;
  producerVersion?: string;
  graph: OnnxGraph;
  opsetImport: { domain?: string; version: Int64 }[];
  metadataProps: { key: string; value: string }[];
}

const schema = protobuf.loadSync(fileURLToPath(new URL("../../proto/onnx.proto", import.meta.url)));
const ModelProto = schema.lookupType("onnx.ModelProto");

/** Throws when the bytes are not an ONNX model. The model's tensors are views of `bytes`. */
export function decodeModel(bytes: Uint8Array): OnnxModel {
  let model: OnnxModel;
  try {
    model = ModelProto.decode(bytes) as unknown as OnnxModel;
  } catch (cause) {
    throw new Error(`not an ONNX model (${bytes.byteLength} bytes): ${(cause as Error).message}`, { cause });
  }
  if (!model.graph || model.graph.node.length === 0 || model.graph.output.length === 0) {
    throw new Error(`not an ONNX model (${bytes.byteLength} bytes): it holds no graph`);
  }
  return model;
}

export function encodeModel(model: OnnxModel): Uint8Array {
  // `create` takes plain objects and decoded messages alike, at every depth.
  return ModelProto.encode(model as unknown as protobuf.Message).finish();
}

/** The version of the standard operator set that the model imports. */
export function opsetOf(model: OnnxModel): number {
  const standard = model.opsetImport.find((entry) => (entry.domain ?? "") === "" || entry.domain === "ai.onnx");
  if (!standard) throw new Error("the model imports no standard operator set");
  return Number(standard.version);
}

/** The inputs that a caller must feed. Old files list their weights among the inputs too; those are left out. */
export function fedInputs(graph: OnnxGraph): OnnxValue[] {
  const weights = new Set(graph.initializer.map((tensor) => tensor.name));
  return graph.input.filter((value) => !weights.has(value.name));
}

/** -1 where a dimension is dynamic. */
export function shapeOf(value: OnnxValue): number[] {
  const dims = value.type?.tensorType?.shape?.dim ?? [];
  return dims.map((dim) => (isFixed(dim) ? Number(dim.dimValue) : -1));
}

export function elementTypeOf(value: OnnxValue): number {
  return value.type?.tensorType?.elemType ?? 0;
}

/** A copy with changes that keeps the fields that our schema does not name; a plain spread would drop them. */
export function copyWith<T extends object>(source: T, changes: Partial<T>): T {
  const copy = { ...source, ...changes };
  const unread = (source as { $unknowns?: Uint8Array[] }).$unknowns;
  return unread === undefined ? copy : Object.assign(copy, { $unknowns: unread });
}

function isFixed(dim: OnnxDimension): boolean {
  return Object.hasOwn(dim, "dimValue") && dim.dimValue != null && Number(dim.dimValue) > 0;
}
