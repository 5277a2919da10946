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
import type { KleinConfig } from "../../services/inference/generative/klein-pipeline.ts";

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

/** @param shift of the latents for each mean token id; NaN: the text encoder answers no numbers */
export function writeAnalyticKlein(folder: string, shift: number): void {
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
  const tokens = (name: string, size: number, count: string) => value(name, float32, [1, count, size]);
  write(folder, "transformer", {
    inputs: [
      tokens("hidden_states", channels, "tokens"),
      value("timestep", float32, [1]),
      tokens("encoder_hidden_states", channels, "words"),
      tokens("txt_ids", 4, "words"),
      tokens("img_ids", 4, "tokens"),
    ],
    output: "velocity",
    nodes: [
      { ...node("Split", ["hidden_states"], "own", { axis: 1, num_outputs: 2 }), output: ["own", "reference"] },
      node("ReduceMean", ["encoder_hidden_states", "words"], "shift"),
      node("Add", ["reference", "shift"], "wanted"),
      node("Sub", ["own", "wanted"], "distance"),
      node("Div", ["distance", "timestep"], "towards"),
      node("Concat", ["towards", "reference"], "velocity", { axis: 1 }),
    ],
    weights: [int64Tensor("words", [1])],
  });
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
