/** Builds the parts of an ONNX graph: tensors, attributes, nodes and values. */
import { elementTypes, type OnnxAttribute, type OnnxNode, type OnnxTensor, type OnnxValue } from "./onnx-file.ts";

export type AttributeValue = number | string | readonly number[] | { readonly float: number };

/** A float is written `{ float: 0.5 }`, because JavaScript cannot distinguish 1 from 1.0. */
function attribute(name: string, value: AttributeValue): OnnxAttribute {
  if (typeof value === "number") return { name, type: 2, i: value };
  if (typeof value === "string") return { name, type: 3, s: Buffer.from(value) };
  if ("float" in value) return { name, type: 1, f: value.float };
  return { name, type: 7, ints: [...value] };
}

export function node(
  opType: string,
  input: readonly string[],
  output: string,
  attributes: Readonly<Record<string, AttributeValue>> = {},
): OnnxNode {
  return {
    opType,
    input: [...input],
    output: [output],
    // The prefix avoids names that an exporter gave to the network's own nodes.
    name: `packshot/${opType}/${output}`,
    attribute: Object.entries(attributes).map(([name, value]) => attribute(name, value)),
  };
}

export function floatTensor(name: string, dims: readonly number[], values: ArrayLike<number>): OnnxTensor {
  return tensor(name, dims, elementTypes.float32, Float32Array.from(values));
}

export function int64Tensor(name: string, values: readonly number[]): OnnxTensor {
  return tensor(name, [values.length], elementTypes.int64, BigInt64Array.from(values, BigInt));
}

function tensor(
  name: string,
  dims: readonly number[],
  dataType: number,
  data: Float32Array | BigInt64Array,
): OnnxTensor {
  const count = dims.reduce((product, dim) => product * dim, 1);
  if (count !== data.length) throw new Error(`tensor ${name}: ${data.length} values for the shape [${dims}]`);
  return { name, dims: [...dims], dataType, rawData: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

/** A string dimension is dynamic and named; equal names mean equal sizes. */
export function value(name: string, elemType: number, dims: readonly (number | string)[]): OnnxValue {
  const dim = dims.map((size) => (typeof size === "string" ? { dimParam: size } : { dimValue: size }));
  return { name, type: { tensorType: { elemType, shape: { dim } } } };
}
