"""Packs cut-outs of real photos as sprites, for render.py --sprites.

    node cut-outs.ts out/cut-outs                          # the product cuts them out: look at each of them
    python cut_outs.py --cut-outs out/cut-outs --to out/real

`cut_outs.json` names the photos of $PACKSHOT_SHARED/photos-shop whose outlines were found right by eye, and their licenses. Whole
families of products are held out: they are shard 0, which no run trains on.

The bundled weights 0.15.0 saw two more than the list has, as their record says (models/packshot-mask/training.json):
bagisto-429-1.webp and solidus-solidus_hoodie_red_2.webp. They were packed for that run and are not on the list of those found
right, so this recipe repeats the weights but for these two of 100.
"""

import argparse
import json
import math
from pathlib import Path

import cv2
import numpy as np

from packing import write_files
from shards import HELD_OUT_SHARD

SIDE, MARGIN_SHARE, SHARD_CUT_OUTS, OPAQUE_MIN = 448, 0.01, 40, 200
WEBP = [cv2.IMWRITE_WEBP_QUALITY, 95]
LIST = Path(__file__).parent / "cut_outs.json"


def sprite(cut_out: np.ndarray) -> list[bytes]:
    """A cut-out [H, W, 4] u8, straight alpha, to its color times alpha (WebP) and its alpha (PNG), each SIDE x SIDE.

    Where the photo's border cuts the product, it touches the sprite's (`Cut` in sprites.py), else it keeps clear of it.
    """
    rows, columns = (np.flatnonzero((cut_out[..., 3] > 4).any(axis)) for axis in (1, 0))
    cut = cut_out[..., 3] >= OPAQUE_MIN
    seen = cut_out[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32)
    seen[..., :3] *= seen[..., 3:] / 255
    seen = cv2.copyMakeBorder(seen, *(0 if edge.any() else margin(seen) for edge in (cut[0], cut[-1], cut[:, 0], cut[:, -1])), cv2.BORDER_CONSTANT)
    scale = SIDE / max(seen.shape[:2])
    size = tuple(max(2, round(length * scale)) for length in seen.shape[1::-1])
    seen = cv2.resize(seen, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    whole = np.zeros((SIDE, SIDE, 4), np.uint8)
    # To the side that is cut, so that it stays at the frame.
    top = 0 if cut[0].any() else SIDE - size[1] if cut[-1].any() else (SIDE - size[1]) // 2
    left = 0 if cut[:, 0].any() else SIDE - size[0] if cut[:, -1].any() else (SIDE - size[0]) // 2
    whole[top : top + size[1], left : left + size[0]] = np.clip(np.round(seen), 0, 255)
    return [cv2.imencode(".webp", whole[..., :3], WEBP)[1].tobytes(), cv2.imencode(".png", whole[..., 3])[1].tobytes()]


def margin(seen: np.ndarray) -> int:
    return math.ceil(MARGIN_SHARE * max(seen.shape[:2]))


def credits(photos: list[str]) -> dict[str, dict[str, str]]:
    repositories = json.loads(LIST.read_text())["repositories"]
    return {photo: repositories[photo.split("-")[0]] for photo in photos}


def pack(folder: Path, to: Path) -> None:
    listed = json.loads(LIST.read_text())
    to.mkdir(parents=True, exist_ok=True)
    trained = listed["trained"]
    parts = [listed["heldOut"], *(trained[at : at + SHARD_CUT_OUTS] for at in range(0, len(trained), SHARD_CUT_OUTS))]
    for number, photos in enumerate(parts, HELD_OUT_SHARD):
        files = [file for photo in photos for file in sprite(cv2.imread(str(folder / f"{Path(photo).stem}.png"), cv2.IMREAD_UNCHANGED))]
        write_files(to / f"{number:05d}.npz", files, SIDE)
    record = {"photos": credits(trained), "heldOut": listed["heldOut"], "side": SIDE}
    (to / "made-00000.json").write_text(json.dumps(record, indent=1))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--cut-outs", type=Path, required=True, help="NAME.png with alpha for each photo of the list")
    arguments.add_argument("--to", type=Path, required=True)
    chosen = arguments.parse_args()
    pack(chosen.cut_outs, chosen.to)


if __name__ == "__main__":
    main()
