/** Surgery on files that were exported for one picture at a time. */
import { copyWith, fedInputs, type OnnxModel, type OnnxValue, shapeOf } from "./onnx-file.ts";

/** These carry sizes written down at export, the batch of 1 among them. */
const sizedOperators = new Set(["Reshape", "Expand", "ConstantOfShape", "Tile"]);

/**
 * Lets a network that was exported with a batch of 1 take any batch. A purely convolutional one (u2net, isnet) needs no
 * more than its declared sizes freed; where sizes are computed with (birefnet's windows), the model is returned as it is.
 */
export function makeBatchDynamic(model: OnnxModel): OnnxModel {
  const { graph } = model;
  const isFixed = fedInputs(graph).some((input) => shapeOf(input)[0] === 1);
  if (!isFixed || graph.node.some((each) => sizedOperators.has(each.opType))) return model;
  const fed = new Set(fedInputs(graph).map(({ name }) => name));
  const input = graph.input.map((each) => (fed.has(each.name) ? freed(each) : each));
  // Inner sizes that the exporter noted would contradict the freed ones; onnxruntime infers them anew.
  return copyWith(model, { graph: copyWith(graph, { input, output: graph.output.map(freed), valueInfo: [] }) });
}

function freed(each: OnnxValue): OnnxValue {
  const tensorType = each.type?.tensorType;
  if (!tensorType?.shape || tensorType.shape.dim.length === 0) return each;
  const dim = [{ dimParam: "N" }, ...tensorType.shape.dim.slice(1)];
  return copyWith(each, { type: { tensorType: { ...tensorType, shape: { dim } } } });
}
