"""Quantizes an exported network to int8 (QDQ, per channel), calibrated on rendered images, and times it beside the original.

    python quantize.py --shards out/shards --to out/int8/model.onnx
    python quantize.py --shards out/shards --to out/int8/model.onnx --keep head --reduce-range

Why the bundled network is still fp32, and what int8 would give, is in docs/adr/int8-weights.md.
"""

import argparse
import re
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
from shards import Shard, paths_in

METHODS = {"minmax": CalibrationMethod.MinMax, "percentile": CalibrationMethod.Percentile, "entropy": CalibrationMethod.Entropy}
TIMED_TURNS = 15


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


def main() -> None:
    here = Path(__file__).parent
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", type=Path, default=here / "../../models/packshot-mask/1/model.onnx")
    arguments.add_argument("--shards", type=Path, default=here / "out" / "shards")
    arguments.add_argument("--count", type=int, default=200)
    arguments.add_argument("--side", type=int, default=320)
    arguments.add_argument("--method", choices=METHODS, default="minmax")
    arguments.add_argument("--reduce-range", action="store_true", help="weights of 7 bits, which no sum saturates on a CPU without VNNI")
    arguments.add_argument("--keep", default="$^", help="nodes whose name matches stay fp32")
    arguments.add_argument("--to", type=Path, required=True)
    chosen = arguments.parse_args()
    chosen.to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folded = Path(folder) / "folded.onnx"
        quant_pre_process(str(chosen.model), str(folded), skip_symbolic_shape=True)
        kept = [node.name for node in onnx.load(folded).graph.node if re.search(chosen.keep, node.name)]
        quantize_static(
            str(folded), str(chosen.to), RenderedImages(chosen.shards, chosen.count, chosen.side),
            quant_format=QuantFormat.QDQ, per_channel=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
            calibrate_method=METHODS[chosen.method], reduce_range=chosen.reduce_range, nodes_to_exclude=kept,
        )  # fmt: skip
    for threads in (1, 2):
        sessions = {"fp32": session_of(chosen.model, threads), "int8": session_of(chosen.to, threads)}
        print(threads, "threads, processor ms of one prediction:", processor_ms(sessions, chosen.side))


if __name__ == "__main__":
    main()
