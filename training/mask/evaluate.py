"""Scores exported weights on photos with a true matte, without any refinement (bilinear upsampling, threshold 0.5).

    PACKSHOT_SHARED=... python evaluate.py --model ../../models/packshot-mask/1/model.onnx --json out/score.json --sheet out/predictions.png
    PACKSHOT_SHARED=... python evaluate.py --photos photos-wild
    python evaluate.py --held-out out/shards/00000.npz out/traced/00000.npz
    python evaluate.py --time --threads 2

Photos are NAME.jpg with NAME.mask.png in a folder of $PACKSHOT_SHARED, `photos` if none is named; the group is NAME up to the first hyphen.
Boundary IoU counts the pixels within 0.4 % of the diagonal of either outline (Cheng et al., CVPR 2021).
"""

import argparse
import json
import os
import time
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from backdrop import backdrop_distance
from shards import Shard

BAND_OF_DIAGONAL = 0.004
GROUPS = ("white", "studio", "scene", "wild")
REPEATS = 30


def session_for(model: Path, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def predict(session: onnxruntime.InferenceSession, photo: np.ndarray) -> tuple[np.ndarray, float]:
    """Matte [H, W] in 0..1 and the backdrop's residual for a photo [H, W, 3] u8 RGB."""
    side = session.get_inputs()[0].shape[2]
    small = cv2.resize(photo, (side, side), interpolation=cv2.INTER_AREA)
    backdrop, residual = backdrop_distance(small)
    wire = np.dstack([small, backdrop])[None].transpose(0, 3, 1, 2).astype(np.float32) / 255
    matte = session.run(["matte"], {"input": wire})[0][0, 0]
    return cv2.resize(matte, photo.shape[1::-1], interpolation=cv2.INTER_LINEAR), residual


def iou(a: np.ndarray, b: np.ndarray) -> float:
    either = np.count_nonzero(a | b)
    return 1.0 if either == 0 else np.count_nonzero(a & b) / either


def inner_band(mask: np.ndarray, width: int) -> np.ndarray:
    """Pixels of the mask within `width` of its outline; the image's border counts as outline."""
    padded = cv2.copyMakeBorder(mask.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    kernel = np.ones((3, 3), np.uint8)
    return mask & ~cv2.erode(padded, kernel, iterations=width)[1:-1, 1:-1].astype(bool)


def boundary_iou(a: np.ndarray, b: np.ndarray) -> float:
    width = max(1, round(BAND_OF_DIAGONAL * float(np.hypot(*a.shape))))
    return iou(inner_band(a, width), inner_band(b, width))


def scores(session: onnxruntime.InferenceSession, folder: Path) -> tuple[list[dict], list[np.ndarray]]:
    rows, tiles = [], []
    for mask_path in sorted(folder.glob("*.mask.png")):
        name = mask_path.name.removesuffix(".mask.png")
        photo = cv2.cvtColor(cv2.imread(str(folder / f"{name}.jpg")), cv2.COLOR_BGR2RGB)
        truth = cv2.imread(str(mask_path), cv2.IMREAD_GRAYSCALE) > 127
        matte, residual = predict(session, photo)
        found = matte > 0.5
        rows.append({"photo": name, "iou": round(iou(found, truth), 4), "boundaryIou": round(boundary_iou(found, truth), 4), "backdropResidual": round(residual, 2)})
        tiles.append(_tile(photo, truth, matte, f"{name} {rows[-1]['iou']:.3f}"))
    if not rows:
        raise FileNotFoundError(f"no NAME.mask.png in {folder}: set PACKSHOT_SHARED to the folder that holds {folder.name}/")
    return rows, tiles


def shard_scores(session: onnxruntime.InferenceSession, path: Path) -> list[float]:
    """IoU on a shard's images, at the size they were rendered at."""
    shard = Shard(path)
    return [iou(predict(session, np.ascontiguousarray(p[..., :3]))[0] > 0.5, p[..., 3] > 127) for p in (shard[i] for i in range(len(shard)))]


def by_group(rows: list[dict]) -> dict:
    table = {}
    for group in GROUPS:
        own = [row for row in rows if row["photo"].startswith(group + "-")]
        if own:
            table[group] = {
                "photos": len(own),
                "iou": round(float(np.mean([row["iou"] for row in own])), 4),
                "boundaryIou": round(float(np.mean([row["boundaryIou"] for row in own])), 4),
                "worstIou": min(row["iou"] for row in own),
            }
    return table


def _tile(photo: np.ndarray, truth: np.ndarray, matte: np.ndarray, label: str) -> np.ndarray:
    """Photo and matte side by side; missing pixels are green, excess pixels red."""
    high = 300
    size = (round(photo.shape[1] * high / photo.shape[0]), high)
    small, t, m = (cv2.resize(a.astype(np.float32), size, interpolation=cv2.INTER_AREA) for a in (photo, truth, matte))
    wrong = np.stack([m * 255, t * 255, np.minimum(m, t) * 255], -1)
    both = np.hstack([small, wrong])[..., ::-1].clip(0, 255).astype(np.uint8).copy()
    cv2.putText(both, label, (4, high - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 0, 255), 1, cv2.LINE_AA)
    return cv2.copyMakeBorder(both, 0, 0, 0, 600 - both.shape[1], cv2.BORDER_CONSTANT) if both.shape[1] < 600 else both[:, :600]


def milliseconds(session: onnxruntime.InferenceSession) -> float:
    """Median time of one image through the graph."""
    shape = [1, *session.get_inputs()[0].shape[1:]]
    fed = {session.get_inputs()[0].name: np.random.default_rng(0).random(shape, np.float32)}
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        session.run(None, fed)
        times.append(time.perf_counter() - began)
    return float(np.median(times) * 1000)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = Path(__file__).resolve().parent
    arguments.add_argument("--model", type=Path, default=here / "../../models/packshot-mask/1/model.onnx")
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--sheet", type=Path)
    arguments.add_argument("--photos", default="photos", help="folder within $PACKSHOT_SHARED")
    arguments.add_argument("--held-out", type=Path, nargs="+", default=[], help="shards to score on instead of photos")
    arguments.add_argument("--time", action="store_true", help="only the time of one picture")
    chosen = arguments.parse_args()
    session = session_for(chosen.model, chosen.threads)
    if chosen.time:
        print(f"{milliseconds(session):.1f} ms a picture, {chosen.threads} threads")
        return
    for path in chosen.held_out:
        own = shard_scores(session, path)
        print(f"{path.parent.name}/{path.stem}  {len(own)} images  IoU {np.mean(own):.4f}  right (.95) {np.mean(np.array(own) >= 0.95):.3f}")
    if chosen.held_out:
        return
    shared = Path(os.environ.get("PACKSHOT_SHARED", here / "../../../shared"))
    rows, tiles = scores(session, shared / chosen.photos)
    groups = by_group(rows)
    for row in rows:
        print(f"{row['photo']:32} IoU {row['iou']:.4f}  boundary {row['boundaryIou']:.4f}  residual {row['backdropResidual']:.2f}")
    for name, group in groups.items():
        print(f"{name:8} {group['photos']:3} photos  IoU {group['iou']:.4f}  boundary {group['boundaryIou']:.4f}  worst {group['worstIou']:.4f}")
    if chosen.json:
        chosen.json.write_text(json.dumps({"groups": groups, "photos": rows}, indent=1))
    if chosen.sheet:
        tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 3)
        cv2.imwrite(str(chosen.sheet), np.vstack([np.hstack(tiles[i : i + 3]) for i in range(0, len(tiles), 3)]))


if __name__ == "__main__":
    main()
