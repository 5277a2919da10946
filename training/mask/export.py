"""Exports averaged weights as ONNX and writes the manifest and the training record beside them.

    python export.py --run out/run --to ../../models/packshot-mask --version 1

Input `input` f32 [N, 4, S, S] in 0..1 (RGB, backdrop distance), output `matte` f32 [N, 1, S, S] in 0..1.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

from network import HINTS, SIZES, MaskNetwork, Matte

OPSET = 17
DIFFERENCE_MAX, HALF_DIFFERENCE_MAX = 1e-3, 3e-2
NAMES = {"small": "packshot-mask", "large": "packshot-mask-large"}
TRAINER = (
    "augment.py", "backdrop.py", "export.py", "mean.py", "network.py", "packing.py", "resident.py", "resume.py", "shards.py", "train.py",
)  # fmt: skip


def export(weights: Path, to: Path, side: int, size: str, half: bool) -> None:
    """Normalizations stay apart from the convolutions: onnxruntime folds them itself, and training can go on from the graph."""
    network = MaskNetwork(size)
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    matte = Matte(network.half() if half else network).eval()
    example = torch.rand(2, 4, side, side)
    to.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        matte, (example,), str(to), opset_version=OPSET, dynamo=False,
        input_names=["input"], output_names=["matte"], dynamic_axes={"input": {0: "N"}, "matte": {0: "N"}},
        training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False,
    )  # fmt: skip
    hints = {name: value.tolist() for name, value in network.state_dict().items() if name.startswith("hints.")}
    graph = onnx.load(str(to))
    graph.metadata_props.add(key=HINTS, value=json.dumps(hints))
    onnx.save(graph, str(to))
    session = onnxruntime.InferenceSession(str(to), providers=["CPUExecutionProvider"])
    for count in (1, 3):
        seen = torch.rand(count, 4, side, side)
        with torch.no_grad():
            wanted = matte(seen).numpy()
        got = session.run(["matte"], {"input": seen.numpy()})[0]
        difference = float(np.abs(wanted - got).max())
        if difference > (HALF_DIFFERENCE_MAX if half else DIFFERENCE_MAX):
            raise RuntimeError(f"the exported graph differs from the network by {difference:.2g} for {count} pictures")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def records(shards: list[Path]) -> list[dict]:
    return [json.loads(path.read_text()) for folder in shards for path in sorted(folder.glob("made-*.json"))]


def trained_on(shards: list[Path]) -> str:
    photos = {name: credit["license"] for record in records(shards) for name, credit in record.get("photos", {}).items()}
    if not photos:
        return "rendered images (training/mask)"
    return f"rendered images, and cut-outs of {len(photos)} photos under {' and '.join(sorted(set(photos.values())))} (training/mask)"


def write_manifest(model: Path, to: Path, version: str, side: int, size: str, score: dict | None, shards: list[Path]) -> None:
    """`packshot.json` as packages/models/manifest.ts reads it; keys of other origin stay unchanged."""
    manifest = json.loads(to.read_text()) if to.exists() else {}
    manifest.update(
        {
            "name": NAMES[size],
            "version": version,
            "description": f"Packshot's own product segmentation at {side} pixels{'; the bundled default' if size == 'small' else ''}",
            "license": "Apache-2.0",
            "trainedOn": trained_on(shards),
            "source": None,
            "sha256": digest(model),
            "size": model.stat().st_size,
            "pre": {"width": side, "height": side, "channels": "rgb+backdrop", "divideBy": "255", "mean": [0] * 4, "std": [1] * 4},
            "post": {"output": "matte", "activation": "none", "range": "none"},
            # Plain network, without refinement: "whiteIou", "whiteBoundaryIou", "whiteWorstIou", ...
            "score": score and {
                group + name[0].upper() + name[1:]: value
                for group, measured in score.items() for name, value in measured.items() if name != "photos"
            },
        }
    )  # fmt: skip
    # Int8 weights are made of these weights by quantize.py, so the former ones are of no use.
    for stale in ("input", "int8"):
        manifest.pop(stale, None)
    (model.parent / "model.int8.onnx").unlink(missing_ok=True)
    to.write_text(json.dumps(manifest, indent=2) + "\n")


def write_recipe(run: Path, shards: list[Path], model: Path, to: Path, size: str, score: dict | None) -> None:
    kept = json.loads((run / "curve.json").read_text())
    here = Path(__file__).parent
    recipe = {
        "recipe": kept["recipe"],
        "torch": torch.__version__,
        "parameters": sum(p.numel() for p in MaskNetwork(size).parameters()),
        "sha256": {"model.onnx": digest(model), **{name: digest(here / name) for name in TRAINER}},
        "shards": records(shards),
        "score": score,
        "curve": kept["curve"],
    }
    to.write_text(json.dumps(recipe, indent=1) + "\n")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--run", type=Path, required=True)
    arguments.add_argument("--shards", type=Path, nargs="+", help="what it was trained on; else the folder `shards` beside the run")
    arguments.add_argument("--to", type=Path, required=True, help="the model's folder")
    arguments.add_argument("--version", default="1")
    arguments.add_argument("--side", type=int, default=480)
    arguments.add_argument("--size", choices=sorted(SIZES), default="small")
    arguments.add_argument("--half", action="store_true", help="weights of half precision")
    arguments.add_argument("--score", type=Path, help="what evaluate.py --json wrote")
    chosen = arguments.parse_args()
    score = json.loads(chosen.score.read_text()) if chosen.score else None
    model = chosen.to / "1" / "model.onnx"
    export(chosen.run / "average.pt", model, chosen.side, chosen.size, chosen.half)
    shards = chosen.shards or [chosen.run.parent / "shards"]
    write_manifest(model, chosen.to / "packshot.json", chosen.version, chosen.side, chosen.size, score and score["groups"], shards)
    write_recipe(chosen.run, shards, model, chosen.to / "training.json", chosen.size, score)
    print(f"{model}: {model.stat().st_size / 1e6:.2f} MB, sha256 {digest(model)}")


if __name__ == "__main__":
    main()
