"""Forms of a graph in which onnxruntime's int8 kernels are faster, with answers as near to the original's."""

import numpy as np
import onnx
from onnx import helper, numpy_helper

# Its int8 convolution computes so many output channels at once; for fewer it takes three times as long.
CHANNELS_AT_ONCE = 16


def widen_output(model: onnx.ModelProto) -> None:
    """The last convolution also computes channels of zeros, which are cut off behind it."""
    graph = model.graph
    at, last = [(index, node) for index, node in enumerate(graph.node) if node.op_type == "Conv"][-1]
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    channels = tensors[last.input[1]].dims[0]
    if channels >= CHANNELS_AT_ONCE:
        return
    for name in last.input[1:]:
        narrow = numpy_helper.to_array(tensors[name])
        rest = np.zeros((CHANNELS_AT_ONCE - channels, *narrow.shape[1:]), narrow.dtype)
        tensors[name].CopyFrom(numpy_helper.from_array(np.concatenate([narrow, rest]), name))
    bounds = {"from": 0, "to": channels, "axis": 1}
    graph.initializer.extend(numpy_helper.from_array(np.array([value], np.int64), f"cut.{name}") for name, value in bounds.items())
    output, last.output[0] = last.output[0], f"{last.output[0]}_wide"
    cut = helper.make_node("Slice", [last.output[0], *(f"cut.{name}" for name in bounds)], [output], name="cut")
    graph.node.insert(at + 1, cut)


def pool_before_quantizing(model: onnx.ModelProto, in_floats: set[str]) -> None:
    """Where a value is computed in floats, its maximum is taken of the floats: the int8 kernel is four times as slow."""
    makers = {output: node for node in model.graph.node for output in node.output}
    for pool in (node for node in model.graph.node if node.op_type == "MaxPool"):
        read = makers[pool.input[0]]
        if read.op_type != "DequantizeLinear":
            continue
        exact = makers[read.input[0]].input[0]
        if makers[exact].name in in_floats:
            pool.input[0] = exact
