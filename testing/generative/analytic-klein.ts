/**
 * Graphs of FLUX.2 [klein]'s names whose picture is known: the denoiser answers the exact velocity towards its reference, shifted
 * by what the text says, and the VAE moves 2 × 2 pixels into channels and back.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { floatTensor, int64Tensor, node, value } from "@packshot/models/graph-builders.ts";
import {
  elementTypes,
  encodeModel,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
} from "@packshot/models/onnx-file.ts";
import type { KleinConfig } from "../../packages/models/pipeline-file.ts";

const channels = 48;

export const analyticKleinConfig: KleinConfig = {
  scheduler: { _class_name: "FlowMatchEulerDiscreteScheduler", use_dynamic_shifting: true },
  textTokensMax: 64,
  patchPixels: 4,
  channels,
  mean: Array.from({ length: channels }, () => 0.25),
  deviation: Array.from({ length: channels }, () => 0.5),
};

interface Graph {
  readonly inputs: readonly OnnxValue[];
  readonly output: string;
  readonly nodes: OnnxNode[];
  readonly weights?: OnnxTensor[];
}

export interface AnalyticKlein {
  /** How far the latents are moved for each mean token id; NaN: the text encoder answers no numbers. */
  readonly shift: number;
  /** The picture shows its reference once more, so many tokens to the right. */
  readonly doubledBy?: number;
  /** Side of two matrices that each step multiplies for nothing, for each of its pictures. */
  readonly slowBy?: number;
  /** true: no step ends, as on a device that has stopped. */
  readonly hangs?: boolean;
}

export function writeAnalyticKlein(
  folder: string,
  { shift, doubledBy = 0, slowBy = 0, hangs = false }: AnalyticKlein,
): void {
  const { float32, int64 } = elementTypes;
  const picture = (name: string) => value(name, float32, [1, "channels", "height", "width"]);
  write(folder, "text_encoder", {
    inputs: [value("input_ids", int64, [1, "words"]), value("attention_mask", int64, [1, "words"])],
    output: "prompt_embeds",
    nodes: [
      node("Mul", ["input_ids", "attention_mask"], "read"),
      node("Cast", ["read"], "numbers", { to: float32 }),
      node("Unsqueeze", ["numbers", "last"], "column"),
      node("Mul", ["column", "row"], "prompt_embeds"),
    ],
    weights: [int64Tensor("last", [2]), floatTensor("row", [channels], new Float32Array(channels).fill(shift))],
  });
  write(folder, "vae_encoder", {
    inputs: [picture("pixels")],
    output: "latents",
    nodes: [node("SpaceToDepth", ["pixels"], "latents", { blocksize: 2 })],
  });
  write(folder, "vae_decoder", {
    inputs: [picture("latents")],
    output: "pixels",
    nodes: [node("DepthToSpace", ["latents"], "pixels", { blocksize: 2 })],
  });
  const moved = doubledReference(doubledBy);
  const wasted = hangs ? endless() : delayed(slowBy);
  const tokens = (name: string, size: number, count: string, rows: number | string = 1) =>
    value(name, float32, [rows, count, size]);
  write(folder, "transformer", {
    inputs: [
      tokens("hidden_states", channels, "tokens", "pictures"),
      value("timestep", float32, ["pictures"]),
      tokens("encoder_hidden_states", channels, "words", "pictures"),
      tokens("txt_ids", 4, "words"),
      tokens("img_ids", 4, "tokens"),
    ],
    output: "velocity",
    nodes: [
      ...splitByTime,
      node("ReduceMean", ["encoder_hidden_states", "words"], "ofText"),
      node("Add", ["ofText", "ofStyle"], "color"),
      ...moved.nodes,
      ...wasted.nodes,
      node("Add", [moved.output, wasted.output], "wanted"),
      node("Sub", ["own", "wanted"], "distance"),
      node("Unsqueeze", ["timestep", "tokenAxes"], "time"),
      node("Div", ["distance", "time"], "towards"),
      node("Concat", ["towards", "reference", "style"], "velocity", { axis: 1 }),
    ],
    weights: [
      int64Tensor("words", [1]),
      int64Tensor("tokenAxes", [1, 2]),
      ...weightsOfSplit,
      ...moved.weights,
      ...wasted.weights,
    ],
  });
}

/** The denoiser's part of the style's mean color that it adds to the picture. */
export const styleShare = 0.25;

/** A token's own time tells the picture, 0, from its reference; what is left after as many of both are the style's. */
const splitByTime: readonly OnnxNode[] = [
  node("Slice", ["img_ids", "at0", "at1", "at2"], "times"),
  node("Equal", ["times", "now"], "isOwn"),
  node("Cast", ["isOwn"], "ones", { to: elementTypes.int64 }),
  node("ReduceSum", ["ones", "everyAxis"], "ownCounted", { keepdims: 0 }),
  node("Reshape", ["ownCounted", "at1"], "ownCount"),
  node("Shape", ["hidden_states"], "allCount", { start: 1, end: 2 }),
  node("Sub", ["allCount", "ownCount"], "otherCount"),
  node("Sub", ["otherCount", "ownCount"], "styleCount"),
  node("Concat", ["ownCount", "ownCount", "styleCount"], "counts", { axis: 0 }),
  { ...node("Split", ["hidden_states", "counts"], "own", { axis: 1 }), output: ["own", "reference", "style"] },
  node("ReduceSum", ["style", "at1"], "styleSum"),
  node("Max", ["styleCount", "at1"], "atLeastOne"),
  node("Cast", ["atLeastOne"], "divisor", { to: elementTypes.float32 }),
  node("Div", ["styleSum", "divisor"], "styleMean"),
  node("Mul", ["styleMean", "styleShare"], "ofStyle"),
];

const weightsOfSplit: readonly OnnxTensor[] = [
  int64Tensor("at0", [0]),
  int64Tensor("at1", [1]),
  int64Tensor("at2", [2]),
  int64Tensor("everyAxis", [0, 1, 2]),
  floatTensor("now", [1], Float32Array.of(0)),
  floatTensor("styleShare", [1], Float32Array.of(styleShare)),
];

/** The lesser of the reference and of itself moved to the right: what is dark appears twice. */
function doubledReference(tokens: number) {
  if (tokens === 0) return { output: "reference", nodes: [], weights: [] };
  const nodes = [
    node("Slice", ["reference", "begin", "cut", "axis"], "left"),
    node("Slice", ["reference", "cut", "end", "axis"], "right"),
    node("Concat", ["right", "left"], "rolled", { axis: 1 }),
    node("Min", ["reference", "rolled"], "doubled"),
  ];
  const weights = [
    int64Tensor("begin", [0]),
    int64Tensor("cut", [-tokens]),
    int64Tensor("end", [2 ** 31 - 1]),
    int64Tensor("axis", [1]),
  ];
  return { output: "doubled", nodes, weights };
}

/** Adds nothing, after a while, for each picture: the matrices' size depends on an input, so that nothing is computed ahead. */
function delayed(side: number) {
  if (side === 0) return { output: "color", nodes: [], weights: [] };
  const nodes = [
    node("Shape", ["hidden_states"], "count", { start: 1, end: 2 }),
    node("Div", ["count", "count"], "one"),
    node("Mul", ["one", "side"], "size"),
    node("Shape", ["hidden_states"], "pictures", { start: 0, end: 1 }),
    node("Concat", ["pictures", "size", "size"], "squares", { axis: 0 }),
    node("ConstantOfShape", ["squares"], "zeros"),
    node("MatMul", ["zeros", "zeros"], "products"),
    node("ReduceMax", ["products", "tokenAxes"], "nothing"),
    node("Add", ["color", "nothing"], "slowly"),
  ];
  return { output: "slowly", nodes, weights: [int64Tensor("side", [side])] };
}

/** Its rounds are more than anybody waits for. */
function endless() {
  const { float32, int64, bool } = elementTypes;
  const body = {
    name: "round",
    node: [node("Identity", ["goesOn"], "goesOnStill"), node("Neg", ["before"], "after")],
    initializer: [],
    input: [value("round", int64, []), value("goesOn", bool, []), value("before", float32, [1, "rows", channels])],
    output: [value("goesOnStill", bool, []), value("after", float32, [1, "rows", channels])],
    valueInfo: [],
  };
  const loop = node("Loop", ["rounds", "", "color"], "never");
  loop.attribute.push({ name: "body", type: 5, g: body });
  return { output: "never", nodes: [loop], weights: [int64Tensor("rounds", [Number.MAX_SAFE_INTEGER])] };
}

function write(folder: string, name: string, { inputs, output, nodes, weights = [] }: Graph): void {
  mkdirSync(folder, { recursive: true });
  const model = {
    irVersion: 8,
    opsetImport: [{ domain: "", version: 18 }],
    metadataProps: [],
    graph: {
      name,
      node: nodes,
      initializer: weights,
      input: [...inputs],
      output: [value(output, elementTypes.float32, [])].map((each) => ({
        ...each,
        type: { tensorType: { elemType: elementTypes.float32 } },
      })),
      valueInfo: [],
    },
  };
  writeFileSync(join(folder, `${name}.onnx`), encodeModel(model));
}
