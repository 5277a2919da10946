"""Shards: files of some hundreds of rendered images, each a JPEG with a PNG of its matte, a twelfth of the raw pixels' size.

A shard is an .npz of `bytes` (all files in a row), `ends` (where each of them ends) and `side`.
"""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from packing import write_files

JPEG = [cv2.IMWRITE_JPEG_QUALITY, 95, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
PATTERN = "[0-9]*.npz"
# One shard of each folder: no run trains on it.
HELD_OUT_SHARD = 0


class Shard:
    """A shard in memory; an item is one image and its true matte, [S, S, 4] u8."""

    def __init__(self, path: Path):
        with np.load(path) as kept:
            self._bytes, self._ends, self.side = kept["bytes"], kept["ends"], int(kept["side"])

    def __len__(self) -> int:
        return len(self._ends) // 2

    def __getitem__(self, index: int) -> np.ndarray:
        if not 0 <= index < len(self):
            raise IndexError(index)
        rgb = cv2.imdecode(self._file(2 * index), cv2.IMREAD_COLOR)[..., ::-1]
        return np.dstack([rgb, cv2.imdecode(self._file(2 * index + 1), cv2.IMREAD_GRAYSCALE)])

    def _file(self, number: int) -> np.ndarray:
        return self._bytes[self._ends[number - 1] if number else 0 : self._ends[number]]


def write_shard(path: Path, pictures: list[np.ndarray]) -> None:
    """Images and mattes [S, S, 4] u8, all of one side."""
    files = []
    for picture in pictures:
        files += [cv2.imencode(".jpg", picture[..., 2::-1], JPEG)[1].tobytes(), cv2.imencode(".png", picture[..., 3])[1].tobytes()]
    write_files(path, files, pictures[0].shape[0])


def paths_in(folders: list[Path]) -> list[Path]:
    return sorted(path for folder in folders for path in folder.glob(PATTERN))


@lru_cache(maxsize=None)
def size_of(path: Path) -> tuple[int, int]:
    """Number of images, and their side."""
    with np.load(path) as kept:
        return len(kept["ends"]) // 2, int(kept["side"])


class Folder(NamedTuple):
    path: Path
    share: float | None  # of the images; None: an even part of what the others leave


def parse_folder(text: str) -> Folder:
    path, _, share = text.partition("=")
    return Folder(Path(path), float(share) if share else None)
