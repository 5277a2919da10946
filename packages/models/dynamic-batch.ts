/** Makes the batch dimension dynamic in files that were exported for one image at a time. */
import { copyWith, fedInputs, type OnnxModel, type OnnxValue, shapeOf } from "./onnx-file.ts";

/** Operators that carry sizes fixed at export, among them the batch of 1. */
const fixedSizeOperators = new Set(["Reshape", "Expand", "ConstantOfShape", "Tile"]);

/**
 * Lets a network that was exported with a batch of 1 take any batch. For a purely convolutional network (u2net, isnet)
 * it is enough to change the declared sizes. A model that computes with sizes (birefnet's windows) is returned
 * unchanged.
 */
export function makeBatchDynamic(model: OnnxModel): OnnxModel {
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
