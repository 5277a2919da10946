"""Scales of int8 weights with which no processor's sums saturate.

x86 without VNNI multiplies levels (0 to 255) by weights (-127 to 127) and adds two neighboring products in 16 bits, with
saturation. onnxruntime's int8 convolutions pair input channels 2k and 2k + 1 of one position of the kernel.
"""

import numpy as np
import onnx
from onnx import NodeProto, numpy_helper

# 255 × 128 = 32,640 is the largest sum that fits.
PAIR_SUM_MAX = 128


def pair_sums(weights: np.ndarray) -> np.ndarray:
    """The largest sum of one sign of two paired weights, of each output channel: [O, I, h, w] to [O]."""
    paired = np.pad(weights, ((0, 0), (0, weights.shape[1] % 2), (0, 0), (0, 0)))
    paired = paired.reshape(len(weights), -1, 2, *weights.shape[2:])
    signs = [np.maximum(sign * paired, 0).sum(2).reshape(len(weights), -1).max(1) for sign in (1, -1)]
    return np.maximum(*signs)


def unsaturated(weights: np.ndarray, scales: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights [O, I, h, w] as int8, and their scales [O]: the given ones, or the least with which no sum saturates."""
    per_channel = (slice(None), None, None, None)
    # One less than the limit: rounding adds at most a half to each of the two.
    wanted = np.maximum(scales, pair_sums(weights) / (PAIR_SUM_MAX - 1)).astype(np.float32)
    levels = np.clip(np.round(weights / wanted[per_channel]), -127, 127).astype(np.int8)
    if (pair_sums(levels.astype(int)) > PAIR_SUM_MAX).any():
        raise RuntimeError("two neighboring weights are too large for a sum of 16 bits")
    return levels, wanted


def unsaturate(quantized: onnx.ModelProto, original: onnx.ModelProto) -> None:
    """Quantizes again, from the original's weights, each convolution of a QDQ graph whose sums could saturate."""
    floats = {tensor.name: numpy_helper.to_array(tensor) for tensor in original.graph.initializer}
    tensors = {tensor.name: tensor for tensor in quantized.graph.initializer}
    makers = {output: node for node in quantized.graph.node for output in node.output}

    def read(name: str) -> np.ndarray:
        return numpy_helper.to_array(tensors[name])

    def write(dequantize: NodeProto, levels: np.ndarray, scales: np.ndarray) -> None:
        for name, values in zip(dequantize.input, (levels, scales)):
            tensors[name].CopyFrom(numpy_helper.from_array(values, name))

    for conv in (node for node in quantized.graph.node if node.op_type == "Conv"):
        weights, bias = (makers.get(name) for name in conv.input[1:3])
        if weights is None or weights.op_type != "DequantizeLinear":
            continue
        former = read(weights.input[1])
        levels, scales = unsaturated(floats[weights.input[0].removesuffix("_quantized")], former)
        write(weights, levels, scales)
        # A bias counts in products of the input's scale and the weights'.
        before = read(bias.input[1])
        after = (before / former * scales).astype(np.float32)
        write(bias, np.round(read(bias.input[0]) * (before.astype(float) / after)).astype(np.int32), after)
