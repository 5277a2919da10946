"""Quantizes an exported network to int8 (QDQ, per channel), calibrated on rendered images, and times it beside the original.

    python quantize.py                                                 # the bundled network, recorded in its manifest
    python quantize.py --to out/int8/1/model.onnx --method entropy     # another form to measure; nothing is recorded

The images are rendered first unless they are there. The same weights give the same file. docs/adr/0037-int8-weights.md says
where it is used.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from backdrop import backdrop_distance
from faster_graph import pool_before_quantizing, widen_output
from shards import Shard, paths_in
from unsaturated import unsaturate

METHODS = {"minmax": CalibrationMethod.MinMax, "percentile": CalibrationMethod.Percentile, "entropy": CalibrationMethod.Entropy}
TIMED_TURNS = 15
# Training never saw these images: no shard of a training record has this seed.
SEED, PICTURES, RENDERED_SIDE = 77, 400, 480
# The small deep layers decide what is product: in int8 they cost scenes .002 of IoU, in floats they take .2 ms. The first
# layer sees what is nearly the backdrop's color: in int8 it costs white soles .006 of boundary IoU, in floats it takes 2 ms.
IN_FLOATS = r"down\.3/down\.3\.3|context|down\.4|stem"
INT8 = "model.int8.onnx"
QUANTIZER = ("faster_graph.py", "quantize.py", "unsaturated.py")


class RenderedImages(CalibrationDataReader):
    """Images as the network sees them: the whole image, resized to its side, with the backdrop distance."""

    def __init__(self, shards: Path, count: int, side: int):
        self.feeds = iter(self.read(shards, count, side))

    @staticmethod
    def read(shards: Path, count: int, side: int):
        left = count
        for path in paths_in([shards]):
            shard = Shard(path)
            for rendered in (shard[i] for i in range(min(left, len(shard)))):
                small = cv2.resize(np.ascontiguousarray(rendered[..., :3]), (side, side), interpolation=cv2.INTER_AREA)
                wire = np.dstack([small, backdrop_distance(small)[0]])[None].transpose(0, 3, 1, 2)
                yield {"input": wire.astype(np.float32) / 255}
                left -= 1
            if left <= 0:
                return

    def get_next(self):
        return next(self.feeds, None)


def processor_ms(sessions: dict[str, onnxruntime.InferenceSession], side: int) -> dict[str, float]:
    """Median processor time of one prediction, in turns."""
    feed = {"input": np.random.default_rng(1).random((1, 4, side, side), dtype=np.float32)}
    times: dict[str, list[float]] = {name: [] for name in sessions}
    for turn in range(TIMED_TURNS + 3):
        for name, session in sessions.items():
            started = time.process_time()
            session.run(None, feed)
            if turn >= 3:
                times[name].append(1000 * (time.process_time() - started))
    return {name: round(float(np.median(ms)), 1) for name, ms in times.items()}


def session_of(model: Path, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def side_of(model: Path) -> int:
    """Of the input [N, 4, S, S]."""
    return onnx.load(model, load_external_data=False).graph.input[0].type.tensor_type.shape.dim[2].dim_value


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def calibration_images(folder: Path) -> Path:
    if not paths_in([folder]):
        here = Path(__file__).parent
        size = ["--count", str(PICTURES), "--seed", str(SEED), "--side", str(RENDERED_SIDE)]
        subprocess.run([sys.executable, str(here / "render.py"), *size, "--out", str(folder)], check=True)
    return folder


def quantize(chosen: argparse.Namespace, model: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folded = Path(folder) / "folded.onnx"
        quant_pre_process(str(model), str(folded), skip_symbolic_shape=True)
        graph = onnx.load(folded)
        widen_output(graph)
        onnx.save(graph, folded)
        kept = [node.name for node in graph.graph.node if re.search(chosen.keep, node.name)]
        images = RenderedImages(calibration_images(chosen.shards), chosen.count, side_of(model))
        quantize_static(
            str(folded), str(to), images,
            quant_format=QuantFormat.QDQ, per_channel=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
            calibrate_method=METHODS[chosen.method], nodes_to_exclude=kept,
        )  # fmt: skip
    quantized = onnx.load(to)
    pool_before_quantizing(quantized, set(kept))
    unsaturate(quantized, graph)
    onnx.save(quantized, to)


def record(chosen: argparse.Namespace, model: Path, to: Path) -> None:
    """Names the file in the manifest and its recipe in the training record."""
    manifest, training = chosen.folder / "packshot.json", chosen.folder / "training.json"
    file = {"sha256": digest(to), "size": to.stat().st_size, "madeFrom": digest(model)}
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"int8": file}, indent=2) + "\n")
    made = [json.loads(path.read_text()) for path in sorted(chosen.shards.glob("made-*.json"))]
    recipe = {
        **file, "method": chosen.method, "keep": chosen.keep, "pictures": chosen.count,
        "shards": made, "onnxruntime": onnxruntime.__version__, **{name: digest(Path(__file__).parent / name) for name in QUANTIZER},
    }  # fmt: skip
    training.write_text(json.dumps(json.loads(training.read_text()) | {"int8": recipe}, indent=1) + "\n")


def main() -> None:
    here = Path(__file__).parent
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--folder", type=Path, default=here / "../../models/packshot-mask", help="the model's folder")
    arguments.add_argument("--shards", type=Path, default=here / "out" / "calibration")
    arguments.add_argument("--count", type=int, default=PICTURES)
    arguments.add_argument("--method", choices=METHODS, default="minmax")
    arguments.add_argument("--keep", default=IN_FLOATS, help="nodes whose name matches stay fp32")
    arguments.add_argument("--to", type=Path, help="another file; nothing is recorded then")
    chosen = arguments.parse_args()
    model = chosen.folder / "1" / "model.onnx"
    to = chosen.to or chosen.folder / "1" / INT8
    quantize(chosen, model, to)
    if not chosen.to:
        record(chosen, model, to)
    for threads in (1, 2):
        sessions = {"fp32": session_of(model, threads), "int8": session_of(to, threads)}
        print(threads, "threads, processor ms of one prediction:", processor_ms(sessions, side_of(model)))


if __name__ == "__main__":
    main()
