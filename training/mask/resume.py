"""Converts an exported model back to weights from which training can continue.

    python resume.py --model ../../models/packshot-mask/1/model.onnx --shards out/shards --to out/last/average.pt

An export holds every layer by its name, so nothing is lost. Older exports have each batch normalization folded into the
convolution before it. Of these the convolutions' outputs on rendered images are measured, and each normalization is set so
that the measured mean and spread reproduce the folded output: the network equals the exported one in evaluation, and nearly
so in training. Folding also scales the weights, deep layers' down to a fiftieth, where an optimizer's steps of fixed size
would wreck them; so each output channel is scaled up to the usual size before its normalization.
"""

import argparse
import json
import math
from pathlib import Path

import cv2
import numpy as np
import onnx
from onnx import numpy_helper
import onnxruntime
import torch
from torch import nn

from backdrop import with_backdrop
from network import HINTS, SIZES, MaskNetwork, Matte
from shards import Shard, paths_in

BATCH = 20
DIFFERENCE_MAX = 1e-4
# Trained weights of a layer with normalization are about twice as large as those it starts with.
WEIGHT_GAIN = 2.0


def folded_convolutions(network: MaskNetwork) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Pairs in the order of the forward pass, which is also the order of the exported graph."""
    modules = list(network.modules())
    return [(a, b) for a, b in zip(modules, modules[1:]) if isinstance(a, nn.Conv2d) and isinstance(b, nn.BatchNorm2d)]


def load_named(network: MaskNetwork, model: Path) -> None:
    """The weights of an export with its normalizations apart; those of the coarse outputs are in its metadata."""
    loaded = onnx.load(str(model))
    tensors = {t.name.removeprefix("network."): torch.from_numpy(numpy_helper.to_array(t).copy()) for t in loaded.graph.initializer}
    tensors |= {name: torch.tensor(value) for name, value in json.loads(metadata(loaded).get(HINTS, "{}")).items()}
    wanted = network.state_dict()
    network.load_state_dict({name: tensor for name, tensor in tensors.items() if name in wanted}, strict=False)
    lost = [name for name in wanted if name not in tensors and not name.endswith("num_batches_tracked")]
    if lost:
        raise ValueError(f"{model} does not hold {', '.join(lost)}")


def metadata(model: onnx.ModelProto) -> dict[str, str]:
    return {entry.key: entry.value for entry in model.metadata_props}


def load_folded(network: MaskNetwork, model: Path) -> None:
    """The export's weights with each normalization as a plain shift: correct in evaluation, not yet fit for training."""
    graph = onnx.load(str(model)).graph
    tensors = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
    convolutions = [n for n in graph.node if n.op_type == "Conv" and not n.input[1].startswith("network.")]
    pairs = folded_convolutions(network)
    if len(convolutions) != len(pairs):
        raise ValueError(f"{model} has {len(convolutions)} folded convolutions, the network {len(pairs)}")
    with torch.no_grad():
        for node, (convolution, norm) in zip(convolutions, pairs):
            convolution.weight.copy_(tensors[node.input[1]])
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
            norm.weight.fill_(1)
            norm.bias.copy_(tensors[node.input[2]])
        named = dict(network.named_parameters())
        for name, tensor in tensors.items():
            if name.startswith("network."):
                named[name.removeprefix("network.")].copy_(tensor)


@torch.no_grad()
def spread_norms(network: MaskNetwork, pictures: torch.Tensor) -> None:
    """Measures each convolution's output, gives the normalization its mean and spread, and reverts both behind it."""
    pairs = folded_convolutions(network)
    sums = [torch.zeros(2, convolution.out_channels, dtype=torch.float64) for convolution, _ in pairs]
    counts = [0] * len(pairs)

    def watch(index: int):
        def seen(_module, _inputs, output):
            sums[index][0] += output.double().sum((0, 2, 3))
            sums[index][1] += output.double().square().sum((0, 2, 3))
            counts[index] += output.numel() // output.shape[1]

        return seen

    hooks = [convolution.register_forward_hook(watch(i)) for i, (convolution, _) in enumerate(pairs)]
    for start in range(0, len(pictures), BATCH):
        network(pictures[start : start + BATCH])
    for hook in hooks:
        hook.remove()
    for (convolution, norm), total, count in zip(pairs, sums, counts):
        mean = total[0] / count
        spread = (total[1] / count - mean.square()).clamp(min=1e-6)
        usual = WEIGHT_GAIN / math.sqrt(3 * convolution.weight[0].numel())
        gain = (usual / convolution.weight.flatten(1).std(1).clamp(min=1e-8)).clamp(min=1)
        convolution.weight.mul_(gain[:, None, None, None])
        norm.running_mean.copy_(mean * gain)
        norm.running_var.copy_(spread * gain**2)
        norm.weight.copy_((norm.running_var + norm.eps).sqrt() / gain)
        norm.bias.add_(mean)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", type=Path, required=True)
    arguments.add_argument("--shards", type=Path, default=Path(__file__).parent / "out" / "shards")
    arguments.add_argument("--pictures", type=int, default=200, help="to measure the normalizations of an older export with")
    arguments.add_argument("--size", choices=sorted(SIZES), default="small")
    arguments.add_argument("--to", type=Path, required=True)
    chosen = arguments.parse_args()
    torch.set_num_threads(1)
    session = onnxruntime.InferenceSession(str(chosen.model), providers=["CPUExecutionProvider"])
    size = tuple(session.get_inputs()[0].shape[:1:-1])
    shard = Shard(paths_in([chosen.shards])[-1])
    some = (shard[i] for i in range(min(len(shard), chosen.pictures)))
    resized = (cv2.resize(np.ascontiguousarray(picture[..., :3]), size, interpolation=cv2.INTER_AREA) for picture in some)
    inputs = np.stack([with_backdrop(picture) for picture in resized]).transpose(0, 3, 1, 2)
    pictures = torch.from_numpy(np.ascontiguousarray(inputs)).float() / 255
    network = MaskNetwork(chosen.size).eval()
    apart = any(node.op_type == "BatchNormalization" for node in onnx.load(str(chosen.model)).graph.node)
    if apart:
        load_named(network, chosen.model)
    else:
        load_folded(network, chosen.model)
        spread_norms(network, pictures)
    wanted = session.run(["matte"], {"input": pictures[:4].numpy()})[0]
    with torch.no_grad():
        difference = float(np.abs(Matte(network)(pictures[:4]).numpy() - wanted).max())
    if difference > DIFFERENCE_MAX:
        raise RuntimeError(f"the weights answer otherwise than {chosen.model}, by {difference:.2g}")
    chosen.to.parent.mkdir(parents=True, exist_ok=True)
    # An older export has no coarse outputs; train.py fits them first where they are missing.
    torch.save({name: value for name, value in network.state_dict().items() if apart or not name.startswith("hints.")}, chosen.to)
    record = chosen.model.parent.parent / "training.json"
    if record.exists():  # train.py keeps it under "before"
        kept = json.loads(record.read_text())
        (chosen.to.parent / "curve.json").write_text(json.dumps({"recipe": kept["recipe"], "curve": kept["curve"]}, indent=1))
    print(f"{chosen.to}: answers as {chosen.model.name} within {difference:.1g}")


if __name__ == "__main__":
    main()
