"""Reads each config.pbtxt of a model repository as Triton reads it: triton-repository.py REPOSITORY…

The message is that of tritonclient, which is generated from Triton's own model_config.proto; the rules are those that Triton
checks when it loads a model of its onnxruntime backend. Prints one line per fault, and a closing count of models.
"""

import pathlib
import sys

from google.protobuf import text_format
from tritonclient.grpc import model_config_pb2

faults = []


def expect(config, is_true, fault):
    if not is_true:
        faults.append(f"{config.name}: {fault}")


def check(file):
    config = text_format.Parse(file.read_text(), model_config_pb2.ModelConfig())
    expect(config, config.name == file.parent.name, "its name is not its folder's")
    expect(config, config.backend == "onnxruntime" or config.platform == "onnxruntime_onnx", "is not for onnxruntime")
    expect(config, config.max_batch_size >= 0 and len(config.input) > 0 and len(config.output) > 0, "no input or output")
    for tensor in [*config.input, *config.output]:
        expect(config, tensor.name and tensor.data_type != model_config_pb2.TYPE_INVALID, "a tensor without name or type")
        expect(config, len(tensor.dims) > 0 and all(dim == -1 or dim > 0 for dim in tensor.dims), f"{tensor.name}: dims")
    for tensor in config.input:
        if tensor.format != model_config_pb2.ModelInput.FORMAT_NONE:
            expect(config, len(tensor.dims) == 3, f"{tensor.name}: a format needs three dims")
    batching = config.dynamic_batching
    if config.HasField("dynamic_batching"):
        expect(config, config.max_batch_size > 0, "batching without a batch size")
        expect(config, all(0 < size <= config.max_batch_size for size in batching.preferred_batch_size), "preferred_batch_size")
        expect(config, batching.default_priority_level <= batching.priority_levels, "default_priority_level")
        expect(config, batching.priority_levels == 0 or batching.default_priority_level > 0, "no default priority")
    for group in config.instance_group:
        expect(config, group.count >= 1, "instance_group.count")
        expect(config, not (group.gpus and group.kind == model_config_pb2.ModelInstanceGroup.KIND_CPU), "GPUs for a CPU")
    inputs = {tensor.name: tensor for tensor in config.input}
    for warmup in config.model_warmup:
        expect(config, warmup.name != "" and 0 < warmup.batch_size <= max(1, config.max_batch_size), "model_warmup")
        expect(config, set(warmup.inputs) == set(inputs), "model_warmup does not feed every input")
        for name, tensor in warmup.inputs.items():
            same = list(tensor.dims) == list(inputs[name].dims) and tensor.data_type == inputs[name].data_type
            expect(config, same, f"model_warmup: {name} is not as the input says")
            expect(config, tensor.WhichOneof("input_data_type") is not None, f"model_warmup: {name} has no data")


files = [file for repository in sys.argv[1:] for file in sorted(pathlib.Path(repository).glob("*/config.pbtxt"))]
for each in files:
    check(each)
for fault in faults:
    print(fault)
print(f"{len(files)} models, {len(faults)} faults")
sys.exit(min(len(faults), 1))
