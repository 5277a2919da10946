/** Makes the graph that the server runs, with bytes in and bytes out, from a model's file and manifest. */

import { node } from "./graph-builders.ts";
import type { ModelManifest } from "./manifest.ts";
import {
  copyWith,
  decodeModel,
  elementTypes,
  encodeModel,
  fedInputs,
  type OnnxAttribute,
  type OnnxModel,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
  shapeOf,
} from "./onnx-file.ts";
import { isByteGraph, wrapForBytes } from "./wrap-for-bytes.ts";

export interface ServedFile {
  readonly bytes: Uint8Array;
  /** False: `bytes` is the file itself. */
  readonly changed: boolean;
}

/**
 * The model to run. A file that takes bytes already (written by wrap-model-main.ts or another tool) is not changed. A
 * bare network is wrapped as its manifest says. `halfPrecision` makes either one compute in half floats. Without a
 * manifest any graph is served unchanged.
 */
export function servedModel(
  file: Uint8Array,
  manifest: ModelManifest | null,
  { halfPrecision = false } = {},
): ServedFile {
  if (manifest === null) return { bytes: file, changed: false };
  const core = decodeModel(file);
  if (isByteGraph(core) && !halfPrecision) return { bytes: file, changed: false };
  const wrapped = isByteGraph(core) ? core : wrapForBytes(makeBatchDynamic(core), manifest.pre, manifest.post);
  return { bytes: encodeModel(halfPrecision ? toHalfPrecision(wrapped) : wrapped), changed: true };
}

/** Makes the batch dimension dynamic in files that were exported for one image at a time. */

/** Operators that carry sizes fixed at export, among them the batch of 1. */
const fixedSizeOperators = new Set(["Reshape", "Expand", "ConstantOfShape", "Tile"]);

/**
 * Lets a network that was exported with a batch of 1 take any batch. For a purely convolutional network (u2net, isnet)
 * it is enough to change the declared sizes. A model that computes with sizes (birefnet's windows) is returned
 * unchanged.
 */
function makeBatchDynamic(model: OnnxModel): OnnxModel {
  const { graph } = model;
  const isFixed = fedInputs(graph).some((input) => shapeOf(input)[0] === 1);
  if (!isFixed || graph.node.some((each) => fixedSizeOperators.has(each.opType))) return model;
  const fedNames = new Set(fedInputs(graph).map(({ name }) => name));
  const input = graph.input.map((each) => (fedNames.has(each.name) ? withDynamicBatch(each) : each));
  // The inner sizes that the exporter noted would contradict the dynamic ones; onnxruntime infers them again.
  return copyWith(model, {
    graph: copyWith(graph, { input, output: graph.output.map(withDynamicBatch), valueInfo: [] }),
  });
}

function withDynamicBatch(each: OnnxValue): OnnxValue {
  const tensorType = each.type?.tensorType;
  if (!tensorType?.shape || tensorType.shape.dim.length === 0) return each;
  const dim = [{ dimParam: "N" }, ...tensorType.shape.dim.slice(1)];
  return copyWith(each, { type: { tensorType: { ...tensorType, shape: { dim } } } });
}

/**
 * Converts a graph to half precision, for GPUs whose matrix units are several times faster with half floats. It takes
 * byte graphs only (wrap-for-bytes.ts): with bytes as input and output, no half float crosses into JavaScript, where
 * onnxruntime-node on Node 24 refuses them. Half floats represent the bytes 0..255 exactly.
 */

/** Inputs that the ONNX specification requires as float32: the region and the scales of Resize. */
const float32Inputs: Readonly<Record<string, readonly number[]>> = { Resize: [1, 2], Upsample: [1] };
const halfMax = 65_504;

/** A new model in which every float32 is a float16. Throws for graphs whose inputs or outputs are floats. */
function toHalfPrecision(model: OnnxModel): OnnxModel {
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
    name,
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
