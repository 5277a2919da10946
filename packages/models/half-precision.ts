/**
 * Converts a graph to half precision, for GPUs whose matrix units are several times faster with half floats. It takes
 * byte graphs only (wrap-for-bytes.ts): with bytes as input and output, no half float crosses into JavaScript, where
 * onnxruntime-node on Node 24 refuses them. Half floats represent the bytes 0..255 exactly.
 */
import { node } from "./graph-builders.ts";
import {
  copyWith,
  elementTypes,
  type OnnxAttribute,
  type OnnxModel,
  type OnnxNode,
  type OnnxTensor,
} from "./onnx-file.ts";

/** Inputs that the ONNX specification requires as float32: the region and the scales of Resize. */
const float32Inputs: Readonly<Record<string, readonly number[]>> = { Resize: [1, 2], Upsample: [1] };
const halfMax = 65_504;

/** A new model in which every float32 is a float16. Throws for graphs whose inputs or outputs are floats. */
export function toHalfPrecision(model: OnnxModel): OnnxModel {
  const { graph } = model;
  for (const boundary of [...graph.input, ...graph.output]) {
    if (boundary.type?.tensorType?.elemType === elementTypes.float32) {
      throw new Error(`${boundary.name} is float32: wrap the model for bytes before converting it to half precision`);
    }
  }
  const kept = new Set(
    graph.node.flatMap((each) => (float32Inputs[each.opType] ?? []).map((at) => each.input[at] ?? "")),
  );
  const weights = new Map(graph.initializer.map((tensor) => [tensor.name ?? "", tensor]));
  const initializer: OnnxTensor[] = [];
  for (const tensor of graph.initializer) {
    const isFloat = tensor.dataType === elementTypes.float32;
    if (isFloat && kept.has(tensor.name ?? "")) initializer.push(tensor);
    initializer.push(
      isFloat ? halfTensor(tensor, kept.has(tensor.name ?? "") ? halfNameOf(tensor.name!) : tensor.name) : tensor,
    );
  }
  const nodes = graph.node.flatMap((each) => halfNode(each, weights, kept));
  return copyWith(model, {
    graph: copyWith(graph, { node: nodes, initializer: withoutUnused(initializer, nodes), valueInfo: [] }),
  });
}

function halfNameOf(name: string): string {
  return `${name}/half`;
}

function halfNode(each: OnnxNode, weights: ReadonlyMap<string, OnnxTensor>, kept: ReadonlySet<string>): OnnxNode[] {
  const needFloat32 = float32Inputs[each.opType] ?? [];
  const before: OnnxNode[] = [];
  const input = each.input.map((name, at) => {
    const weight = weights.get(name);
    if (needFloat32.includes(at)) {
      if (name === "" || weight !== undefined) return name;
      // It was computed in half floats, so it is cast to float32 here.
      before.push(node("Cast", [name], `${each.output[0]}/widened-${at}`, { to: elementTypes.float32 }));
      return `${each.output[0]}/widened-${at}`;
    }
    return weight?.dataType === elementTypes.float32 && kept.has(name) ? halfNameOf(name) : name;
  });
  const attributes = each.attribute.map((attr) => halfAttribute(each.opType, attr));
  return [...before, copyWith(each, { input, attribute: attributes })];
}

function halfAttribute(opType: string, attr: OnnxAttribute): OnnxAttribute {
  if (opType === "Cast" && attr.name === "to" && Number(attr.i) === elementTypes.float32) {
    return copyWith(attr, { i: elementTypes.float16 });
  }
  if (attr.t?.dataType === elementTypes.float32) return copyWith(attr, { t: halfTensor(attr.t, attr.t.name) });
  if (attr.g) throw new Error(`${opType} contains a graph and cannot be converted to half precision`);
  return attr;
}

function halfTensor(tensor: OnnxTensor, name: string | undefined): OnnxTensor {
  const values = floatsOf(tensor);
  const halves = new Float16Array(values.length);
  for (let at = 0; at < values.length; at += 1) halves[at] = Math.max(-halfMax, Math.min(halfMax, values[at]!));
  return {
    ...(name === undefined ? {} : { name }),
    dims: tensor.dims,
    dataType: elementTypes.float16,
    rawData: new Uint8Array(halves.buffer),
  };
}

function floatsOf(tensor: OnnxTensor): ArrayLike<number> {
  if (Number(tensor.dataLocation ?? 0) !== 0) throw new Error(`the weights of ${tensor.name} are in another file`);
  if (!tensor.rawData || tensor.rawData.byteLength === 0) return tensor.floatData ?? [];
  // A copy, because a protobuf field may start at an unaligned address.
  const bytes = new Uint8Array(tensor.rawData);
  return new Float32Array(bytes.buffer, 0, bytes.byteLength / 4);
}

function withoutUnused(tensors: readonly OnnxTensor[], nodes: readonly OnnxNode[]): OnnxTensor[] {
  const read = new Set(nodes.flatMap((each) => each.input));
  return tensors.filter(({ name }) => name !== undefined && read.has(name));
}
