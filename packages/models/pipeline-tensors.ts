/** The tensors of an image model's graphs as the pipeline gives and reads them, and Triton's configuration of a graph by them. */
import { elementTypeOf, elementTypes, fedInputs, type OnnxModel, type OnnxValue, shapeOf } from "./onnx-file.ts";

interface GraphTensors {
  /** Type and number of dimensions by name. */
  readonly inputs: Readonly<Record<string, readonly ["INT64" | "FP32", number]>>;
  /** The number of dimensions of the first output, which is FP32 and may have any name. */
  readonly outputRank: number;
}

export const kleinTensors: Readonly<Record<string, GraphTensors>> = {
  text_encoder: { inputs: { input_ids: ["INT64", 2], attention_mask: ["INT64", 2] }, outputRank: 3 },
  vae_encoder: { inputs: { pixels: ["FP32", 4] }, outputRank: 4 },
  transformer: {
    inputs: {
      hidden_states: ["FP32", 3],
      timestep: ["FP32", 1],
      encoder_hidden_states: ["FP32", 3],
      txt_ids: ["FP32", 3],
      img_ids: ["FP32", 3],
    },
    outputRank: 3,
  },
  vae_decoder: { inputs: { latents: ["FP32", 4] }, outputRank: 4 },
};

/** The name of a graph's own model on another server. */
export function graphModelName(model: string, graph: string): string {
  return `${model}-${graph}`;
}

const typeNames = new Map<number, string>([
  [elementTypes.float32, "FP32"],
  [elementTypes.int64, "INT64"],
  [elementTypes.int32, "INT32"],
  [elementTypes.float16, "FP16"],
]);

/** Throws where the graph takes or answers what the pipeline does not give or read. */
export function graphConfig(model: string, graph: string, onnx: OnnxModel): string {
  const { inputs, outputRank } = kleinTensors[graph]!;
  const given = fedInputs(onnx.graph);
  const names = given.map(({ name }) => name).toSorted();
  const wanted = Object.keys(inputs).toSorted();
  if (names.join() !== wanted.join())
    throw new Error(`${graph} takes ${names.join(", ")}; the pipeline gives ${wanted.join(", ")}`);
  const lines = given.map((value) => {
    const [type, rank] = inputs[value.name]!;
    return `input { ${tensor(graph, value, type, rank)} }`;
  });
  lines.push(`output { ${tensor(graph, onnx.graph.output[0]!, "FP32", outputRank)} }`);
  const name = graphModelName(model, graph);
  return `name: "${name}"\nplatform: "onnxruntime_onnx"\nmax_batch_size: 0\n${lines.join("\n")}\n`;
}

function tensor(graph: string, value: OnnxValue, type: string, rank: number): string {
  const found = typeNames.get(elementTypeOf(value)) ?? `type ${elementTypeOf(value)}`;
  if (found !== type) throw new Error(`${graph}: ${value.name} is ${found}, and the pipeline has ${type}`);
  const shape = shapeOf(value);
  if (shape.length > 0 && shape.length !== rank)
    throw new Error(`${graph}: ${value.name} has ${shape.length} dimensions, and the pipeline ${rank}`);
  // A graph may leave out the shape of what it answers.
  const dims = shape.length > 0 ? shape : Array.from({ length: rank }, () => -1);
  return `name: "${value.name}" data_type: TYPE_${type} dims: [ ${dims.join(", ")} ]`;
}
