/**
 * Wraps a segmentation network so that its input and output are bytes. Nodes before it turn u8 NHWC into the normalized
 * f32 NCHW that the network was trained on, and nodes behind it turn its f32 map into a u8 matte. So only bytes cross
 * the network (a quarter of the floats), and no caller can normalize wrongly.
 */
import { floatTensor, int64Tensor, node, value } from "./graph-builders.ts";
import {
  copyWith,
  elementTypeOf,
  elementTypes,
  fedInputs,
  type OnnxGraph,
  type OnnxModel,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
  opsetOf,
  shapeOf,
} from "./onnx-file.ts";

export type Channels = "rgb" | "rgb+backdrop";

export interface PreProcessing {
  /** Pixels of the network's input. */
  readonly width: number;
  readonly height: number;
  readonly channels: Channels;
  /** A byte is divided by 255, or by the largest byte of the image (u2net and isnet as published). */
  readonly divideBy: "255" | "image-maximum";
  /** Per channel, after the division: (x − mean) / std. */
  readonly mean: readonly number[];
  readonly std: readonly number[];
}

export interface PostProcessing {
  /** The network's output to serve; null: the first one. */
  readonly output: string | null;
  readonly activation: "none" | "sigmoid";
  /** `image-min-max` stretches each map to 0..1, as the published isnet and birefnet pipelines do. */
  readonly range: "none" | "image-min-max";
}

/** The names of the wrapped graph's only input and output. */
const byteInput = "image";
const byteOutput = "matte";

/** Clip with inputs and Round need this operator set. */
const opsetMin = 11;
/** From here on, reductions take their axes as an input. */
const opsetOfReduceAxesInput = 18;
/**
 * The smallest spread that `image-min-max` divides by. The published pipelines divide by any spread, which turns the
 * faint noise of an image without a product into a full matte. No real product has a spread below a quarter.
 */
const spreadMin = 0.25;

function channelCount(channels: Channels): number {
  return channels === "rgb" ? 3 : 4;
}

/** True when the graph's input is bytes already. */
export function isByteGraph(model: OnnxModel): boolean {
  const inputs = fedInputs(model.graph);
  return inputs.length === 1 && elementTypeOf(inputs[0]!) === elementTypes.uint8;
}

/**
 * A new model around `core`, whose input must be f32 [N, C, height, width] and whose served output f32 [N, 1, height,
 * width]. The result takes `image` u8 [N, height, width, C] and gives `matte` u8 [N, height, width, 1]. The weights are
 * shared with `core`. Throws when the core's interface is another.
 */
export function wrapForBytes(core: OnnxModel, pre: PreProcessing, post: PostProcessing): OnnxModel {
  const opset = opsetOf(core);
  if (opset < opsetMin)
    throw new Error(`operator set ${opset} is too old to wrap; convert the model to ${opsetMin} or newer`);
  const reserved = [byteInput, byteOutput];
  const graph = renameReserved(core.graph, reserved);
  const coreInput = unreserved(checkedInput(core.graph, pre), reserved);
  const coreOutput = unreserved(checkedOutput(core.graph, post), reserved);

  const front = preprocessing(coreInput, pre, opset);
  const back = postprocessing(coreOutput, post, opset);
  const batch = shapeOf(fedInputs(graph)[0]!)[0] === 1 ? 1 : "N";
  const wrapped = copyWith(graph, {
    node: neededNodes([...front.nodes, ...graph.node, ...back.nodes], byteOutput),
    initializer: [...graph.initializer, ...front.weights, ...back.weights],
    input: [
      value(byteInput, elementTypes.uint8, [batch, pre.height, pre.width, channelCount(pre.channels)]),
      // Old files list their weights as inputs; those stay.
      ...graph.input.filter((input) => input.name !== coreInput),
    ],
    output: [value(byteOutput, elementTypes.uint8, [batch, pre.height, pre.width, 1])],
  });
  return copyWith(core, {
    // From IR version 4 on, initializers need not be listed as inputs, and ours are not.
    irVersion: Math.max(4, Number(core.irVersion)),
    graph: copyWith(wrapped, { initializer: neededWeights(wrapped) }),
  });
}

interface GraphPiece {
  readonly nodes: OnnxNode[];
  readonly weights: OnnxTensor[];
}

function preprocessing(target: string, pre: PreProcessing, opset: number): GraphPiece {
  const count = channelCount(pre.channels);
  if (pre.mean.length !== count || pre.std.length !== count) {
    throw new Error(`pre.mean and pre.std need ${count} values for ${pre.channels}`);
  }
  const nodes = [
    node("Cast", [byteInput], "packshot/f32", { to: elementTypes.float32 }),
    node("Transpose", ["packshot/f32"], "packshot/nchw", { perm: [0, 3, 1, 2] }),
  ];
  const weights: OnnxTensor[] = [];
  let last = "packshot/nchw";
  let divisor = 255;
  if (pre.divideBy === "image-maximum") {
    divisor = 1;
    const maximum = reduction("ReduceMax", last, "packshot/maximum", [1, 2, 3], opset);
    // A black image has the maximum 0.
    nodes.push(...maximum.nodes, node("Max", ["packshot/maximum", "packshot/one"], "packshot/divisor"));
    nodes.push(node("Div", [last, "packshot/divisor"], "packshot/divided"));
    weights.push(...maximum.weights, floatTensor("packshot/one", [], [1]));
    last = "packshot/divided";
  }
  // ((x / divisor) − mean) / std as one multiplication and one addition.
  const shape = [1, count, 1, 1];
  weights.push(
    floatTensor(
      "packshot/factor",
      shape,
      pre.std.map((std) => 1 / (divisor * std)),
    ),
  );
  if (pre.mean.every((mean) => mean === 0)) {
    nodes.push(node("Mul", [last, "packshot/factor"], target));
    return { nodes, weights };
  }
  weights.push(
    floatTensor(
      "packshot/offset",
      shape,
      pre.mean.map((mean, c) => -mean / pre.std[c]!),
    ),
  );
  nodes.push(node("Mul", [last, "packshot/factor"], "packshot/scaled"));
  nodes.push(node("Add", ["packshot/scaled", "packshot/offset"], target));
  return { nodes, weights };
}

function postprocessing(source: string, post: PostProcessing, opset: number): GraphPiece {
  const nodes: OnnxNode[] = [];
  const weights: OnnxTensor[] = [];
  let last = source;
  if (post.activation === "sigmoid") {
    nodes.push(node("Sigmoid", [last], "packshot/sigmoid"));
    last = "packshot/sigmoid";
  }
  if (post.range === "image-min-max") {
    const low = reduction("ReduceMin", last, "packshot/low", [1, 2, 3], opset);
    const high = reduction("ReduceMax", last, "packshot/high", [1, 2, 3], opset);
    weights.push(...low.weights, ...high.weights, floatTensor("packshot/spread-min", [], [spreadMin]));
    nodes.push(
      ...low.nodes,
      ...high.nodes,
      node("Sub", ["packshot/high", "packshot/low"], "packshot/spread"),
      node("Max", ["packshot/spread", "packshot/spread-min"], "packshot/spread-safe"),
      node("Sub", [last, "packshot/low"], "packshot/above-low"),
      node("Div", ["packshot/above-low", "packshot/spread-safe"], "packshot/stretched"),
    );
    last = "packshot/stretched";
  }
  weights.push(floatTensor("packshot/255", [], [255]), floatTensor("packshot/0", [], [0]));
  nodes.push(
    node("Mul", [last, "packshot/255"], "packshot/out-255"),
    node("Clip", ["packshot/out-255", "packshot/0", "packshot/255"], "packshot/out-clipped"),
    node("Round", ["packshot/out-clipped"], "packshot/out-rounded"),
    node("Transpose", ["packshot/out-rounded"], "packshot/out-nhwc", { perm: [0, 2, 3, 1] }),
    node("Cast", ["packshot/out-nhwc"], byteOutput, { to: elementTypes.uint8 }),
  );
  return { nodes, weights };
}

function reduction(op: string, input: string, output: string, axes: readonly number[], opset: number): GraphPiece {
  if (opset < opsetOfReduceAxesInput) {
    return { nodes: [node(op, [input], output, { axes, keepdims: 1 })], weights: [] };
  }
  const name = `${output}-axes`;
  return { nodes: [node(op, [input, name], output, { keepdims: 1 })], weights: [int64Tensor(name, axes)] };
}

function checkedInput(graph: OnnxGraph, pre: PreProcessing): string {
  const inputs = fedInputs(graph);
  if (inputs.length !== 1) throw new Error(`the network has ${inputs.length} inputs; one image is expected`);
  const input = inputs[0]!;
  const wanted = [-1, channelCount(pre.channels), pre.height, pre.width];
  const shape = shapeOf(input);
  const fits = shape.length === 4 && shape.every((size, axis) => size === -1 || axis === 0 || size === wanted[axis]);
  if (elementTypeOf(input) !== elementTypes.float32 || !fits) {
    throw new Error(`the network's input ${input.name} is [${shape}]; the manifest says f32 [N,${wanted.slice(1)}]`);
  }
  return input.name;
}

function checkedOutput(graph: OnnxGraph, post: PostProcessing): string {
  const outputs = graph.output;
  const output = post.output === null ? outputs[0] : outputs.find((candidate) => candidate.name === post.output);
  if (!output)
    throw new Error(`the network has no output ${post.output}; it has ${outputs.map((o) => o.name).join(", ")}`);
  const shape = shapeOf(output);
  if (shape.length !== 0 && (shape.length !== 4 || (shape[1] !== 1 && shape[1] !== -1))) {
    throw new Error(`the network's output ${output.name} is [${shape}]; a map [N,1,height,width] is expected`);
  }
  return output.name;
}

/** The nodes that `output` depends on: side outputs (u2net has six) would cost time and memory. */
function neededNodes(nodes: readonly OnnxNode[], output: string): OnnxNode[] {
  const producer = new Map<string, OnnxNode>();
  for (const each of nodes) for (const name of each.output) producer.set(name, each);
  const needed = new Set<OnnxNode>();
  const open = [output];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const maker = producer.get(name);
    if (!maker || needed.has(maker)) continue;
    needed.add(maker);
    open.push(...readNames(maker));
  }
  return nodes.filter((each) => needed.has(each));
}

function neededWeights(graph: OnnxGraph): OnnxTensor[] {
  const read = new Set(graph.node.flatMap(readNames));
  return graph.initializer.filter((tensor) => tensor.name !== undefined && read.has(tensor.name));
}

/** The node's own inputs and those that its subgraphs read from outside. */
function readNames(each: OnnxNode): string[] {
  const inner = each.attribute.flatMap((attr) => (attr.g ? attr.g.node.flatMap(readNames) : []));
  return [...each.input, ...inner].filter((name) => name !== "");
}

function unreserved(name: string, reserved: readonly string[]): string {
  return reserved.includes(name) ? `core/${name}` : name;
}

/** Renames the core's values whose names the wrapper needs. */
function renameReserved(graph: OnnxGraph, reserved: readonly string[]): OnnxGraph {
  const renamed = (name: string): string => unreserved(name, reserved);
  const inValue = (each: OnnxValue): OnnxValue =>
    reserved.includes(each.name) ? copyWith(each, { name: renamed(each.name) }) : each;
  const inNode = (each: OnnxNode): OnnxNode =>
    copyWith(each, {
      input: each.input.map(renamed),
      output: each.output.map(renamed),
      attribute: each.attribute.map((attr) =>
        attr.g ? copyWith(attr, { g: renameReserved(attr.g, reserved) }) : attr,
      ),
    });
  return copyWith(graph, {
    node: graph.node.map(inNode),
    initializer: graph.initializer.map((t) =>
      t.name !== undefined && reserved.includes(t.name) ? copyWith(t, { name: renamed(t.name) }) : t,
    ),
    input: graph.input.map(inValue),
    output: graph.output.map(inValue),
    valueInfo: graph.valueInfo.map(inValue),
  });
}
