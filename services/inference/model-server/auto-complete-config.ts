/** Derives the configuration of a model without config.pbtxt from its graph, as Triton's auto-complete does. */
import type { ModelConfig, TensorConfig } from "@packshot/models/config-pbtxt.ts";
import type { GraphTensor } from "./instance-protocol.ts";
import { toConfigType } from "./tensor-types.ts";

const defaultBatchSizeMax = 8;

export function autoCompleteConfig(
  name: string,
  graph: { readonly inputs: readonly GraphTensor[]; readonly outputs: readonly GraphTensor[] },
): ModelConfig {
  const all = [...graph.inputs, ...graph.outputs];
  const batches = all.every(({ shape }) => shape.length > 0 && shape[0] === -1);
  const maxBatchSize = batches ? defaultBatchSizeMax : 0;
  const tensor = ({ name: tensorName, datatype, shape }: GraphTensor): TensorConfig => {
    if (datatype === null) throw new Error(`tensor "${tensorName}" has a type that cannot cross onnxruntime-node`);
    return { name: tensorName, dataType: toConfigType(datatype), dims: batches ? shape.slice(1) : shape };
  };
  const input = graph.inputs.map(tensor);
  const output = graph.outputs.map(tensor);
  const message = (each: TensorConfig) => ({ name: each.name, data_type: each.dataType, dims: each.dims });
  return {
    name,
    maxBatchSize,
    input,
    output,
    instanceGroups: [{ kind: "KIND_AUTO", count: 1, gpus: [] }],
    dynamicBatching: batches
      ? { preferredBatchSize: [], priorityLevels: 1, defaultPriorityLevel: 1, queueRowsMax: 0, defaultTimeoutMs: 0 }
      : null,
    versions: { latest: 1 },
    parameters: {},
    warmupRounds: 1,
    message: {
      name,
      platform: "onnxruntime_onnx",
      backend: "onnxruntime",
      max_batch_size: maxBatchSize,
      input: input.map(message),
      output: output.map(message),
      instance_group: [{ count: 1, kind: "KIND_AUTO" }],
      ...(batches ? { dynamic_batching: {} } : {}),
    },
  };
}
