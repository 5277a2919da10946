"""What the references share: seeded weights, rounded numbers, small ONNX graphs."""
import base64

import numpy as np
import onnx
import torch


def numbers(tensor):
    return [float(f"{x:.7g}") for x in tensor.detach().flatten().tolist()]


def floats(tensor):
    """Little-endian single precision, in base64."""
    return base64.b64encode(tensor.detach().numpy().astype("<f4").tobytes()).decode()


def shades(tensor):
    """0 to 1 in 65,536 shades, little-endian, in base64."""
    return base64.b64encode(np.round(tensor.detach().numpy() * 65535).astype("<u2").tobytes()).decode()


def bytes_of(tensor):
    return base64.b64encode(tensor.byte().numpy().tobytes()).decode()


def picture(draw, side):
    return (torch.rand(side, side, 3, generator=draw) * 255).byte()


def seeded(module, seed=47):
    """Weights that do not depend on how a library initializes them."""
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in module.named_parameters():
            if weight.ndim > 1:
                weight.copy_(torch.randn(weight.shape, generator=draw) / (weight[0].numel() ** 0.5))
            else:
                weight.copy_(torch.randn(weight.shape, generator=draw) * 0.1 + (1 if name.endswith("weight") else 0))
    return module.eval().requires_grad_(False)


def save(module, path, inputs, input_names, output_name, dynamic=None):
    """One file without what an exporter notes of its sources."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = f"{path}.onnx"
    program = torch.onnx.export(
        module.eval(), tuple(inputs), dynamo=True, input_names=input_names, output_names=[output_name],
        dynamic_shapes=None if dynamic is None else tuple(dynamic), verbose=False, opset_version=20)
    program.save(file, external_data=False)
    model = onnx.load(file)
    model.doc_string = ""
    del model.metadata_props[:]
    for each in [*model.graph.node, *model.graph.value_info, *model.graph.input, *model.graph.output, *model.graph.initializer,
                 model.graph]:
        each.doc_string = ""
        if hasattr(each, "metadata_props"):
            del each.metadata_props[:]
    del model.graph.value_info[:]
    onnx.save(model, file)
