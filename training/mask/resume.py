"""Converts an exported model back to weights from which training can continue.

    python resume.py --model ../../models/packshot-mask/1/model.onnx --shards out/shards --to out/last/average.pt

An export holds every layer by its name, so nothing is lost.
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import onnx
from onnx import numpy_helper
import onnxruntime
import torch

from backdrop import with_backdrop
from network import HINTS, SIZES, MaskNetwork, Matte
from shards import Shard, paths_in

PICTURES, DIFFERENCE_MAX = 4, 1e-4


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


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", type=Path, required=True)
    arguments.add_argument("--shards", type=Path, default=Path(__file__).parent / "out" / "shards")
    arguments.add_argument("--size", choices=sorted(SIZES), default="small")
    arguments.add_argument("--to", type=Path, required=True)
    chosen = arguments.parse_args()
    torch.set_num_threads(1)
    session = onnxruntime.InferenceSession(str(chosen.model), providers=["CPUExecutionProvider"])
    size = tuple(session.get_inputs()[0].shape[:1:-1])
    shard = Shard(paths_in([chosen.shards])[-1])
    some = (shard[i] for i in range(min(len(shard), PICTURES)))
    resized = (cv2.resize(np.ascontiguousarray(picture[..., :3]), size, interpolation=cv2.INTER_AREA) for picture in some)
    inputs = np.stack([with_backdrop(picture) for picture in resized]).transpose(0, 3, 1, 2)
    pictures = torch.from_numpy(np.ascontiguousarray(inputs)).float() / 255
    network = MaskNetwork(chosen.size).eval()
    load_named(network, chosen.model)
    wanted = session.run(["matte"], {"input": pictures.numpy()})[0]
    with torch.no_grad():
        difference = float(np.abs(Matte(network)(pictures).numpy() - wanted).max())
    if difference > DIFFERENCE_MAX:
        raise RuntimeError(f"the weights answer otherwise than {chosen.model}, by {difference:.2g}")
    chosen.to.parent.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), chosen.to)
    record = chosen.model.parent.parent / "training.json"
    if record.exists():  # train.py keeps it under "before"
        kept = json.loads(record.read_text())
        (chosen.to.parent / "curve.json").write_text(json.dumps({name: kept[name] for name in ("recipe", "shards", "curve")}, indent=1))
    print(f"{chosen.to}: answers as {chosen.model.name} within {difference:.1g}")


if __name__ == "__main__":
    main()
