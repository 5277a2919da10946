"""Path-traced products as layers of fast images: `path_traced.trace --alone` renders each once, here it is put into many pictures."""

import math
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.random import Generator

from raster import Layer, Mood
from shards import HELD_OUT_SHARD, Shard, paths_in

ENLARGED_MAX = 1.4
TILTED_SHARE, LYING_SHARE, RECOLORED_SHARE = 0.15, 0.6, 0.2
DRAWS_MAX = 12
VISIBLE_MIN = 128
OPAQUE_MIN, GAIN_MAX = 0.95, 3


class Sprites:
    """The sprites of a folder's shards 1 to `last`; shard 0 is held out, as that of a folder of images."""

    def __init__(self, folder: Path, last: int | None = None):
        numbered = {int(path.stem): path for path in paths_in([folder])}
        self._paths = [path for number, path in numbered.items() if number != HELD_OUT_SHARD and number <= (last or number)]
        if not self._paths:
            raise FileNotFoundError(f"no sprites in {folder}: run path_traced.trace --alone --out {folder} first (shard 0 is held out)")
        self.last, self.folder = int(self._paths[-1].stem), folder.name
        self._shard = lru_cache(maxsize=None)(Shard)

    def layer(
        self, g: Generator, box: tuple[float, float, float, float], stretch: tuple[float, float], side: int, mood: Mood,
        like: np.ndarray | None = None, lying: bool = False,
    ) -> Layer:  # fmt: skip
        """A sprite in the middle of a box (x, y, width, height) of an image [side, side]; parts of it in the color `like`, if given.

        Most that are lying, as on a table seen from above, point anywhere; of the others a few lean.
        """
        seen, cut = self._drawn(g)
        if g.random() < 0.5:
            seen, cut = seen[:, ::-1], cut._replace(left=cut.right, right=cut.left)
        share, most = (LYING_SHARE, math.pi) if lying else (TILTED_SHARE, 1.6)
        if g.random() < share and not any(cut):
            seen = _tilted(seen, g.uniform(-most, most))
        seen = _developed(g, seen, mood)
        if like is not None:
            seen = _toned(g, seen, like)
        high, wide = seen.shape[0] * stretch[1], seen.shape[1] * stretch[0]
        scale = min(box[2] / wide, box[3] / high, ENLARGED_MAX)
        # What is cut on two opposite sides fills the image between them.
        scale = max(scale, side / high if cut.top and cut.bottom else 0, side / wide if cut.left and cut.right else 0)
        size = wide * scale, high * scale
        x = _along(box[0] + box[2] / 2, size[0], cut.left, cut.right, side)
        return _placed(seen, (x, _along(box[1] + box[3] / 2, size[1], cut.top, cut.bottom, side)), size, side)

    def _drawn(self, g: Generator) -> tuple[np.ndarray, "Cut"]:
        """A sprite that is not empty, and where its frame cuts the product."""
        for _ in range(DRAWS_MAX):
            shard = self._shard(self._paths[g.integers(len(self._paths))])
            seen = shard[int(g.integers(len(shard)))]
            alpha = seen[..., 3]
            if alpha.max() >= VISIBLE_MIN:
                cut = Cut(*(bool((edge >= VISIBLE_MIN).any()) for edge in (alpha[0], alpha[-1], alpha[:, 0], alpha[:, -1])))
                return _cropped(seen.astype(np.float32) / 255), cut
        raise ValueError(f"{DRAWS_MAX} sprites of {self._paths[0].parent} in a row are empty: render them anew")


class Cut(NamedTuple):
    """The sides of a sprite's frame that cut the product. There it also runs out of the image that it is put into."""

    top: bool
    bottom: bool
    left: bool
    right: bool


def _along(middle: float, length: float, starts: bool, ends: bool, side: int) -> float:
    """The middle of a length along one axis, moved so that what is cut lies at the image's border."""
    if starts and ends:
        return side / 2
    if starts:
        return length / 2 - 1
    return side - length / 2 + 1 if ends else middle


def parse_sprites(text: str) -> Sprites:
    """FOLDER, or FOLDER=LAST: its shards 1 to LAST, for the same images again when more have been rendered since."""
    folder, _, last = text.partition("=")
    return Sprites(Path(folder), int(last) if last else None)


def _cropped(seen: np.ndarray) -> np.ndarray:
    rows, columns = (np.flatnonzero((seen[..., 3] > 0.02).any(axis)) for axis in (1, 0))
    return seen[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _tilted(seen: np.ndarray, angle: float) -> np.ndarray:
    high, wide = seen.shape[:2]
    reach = math.ceil(math.hypot(high, wide))
    turn = cv2.getRotationMatrix2D((wide / 2, high / 2), math.degrees(angle), 1)
    turn[:, 2] += [(reach - wide) / 2, (reach - high) / 2]
    return _cropped(cv2.warpAffine(seen, turn, (reach, reach), flags=cv2.INTER_LINEAR))


def _developed(g: Generator, seen: np.ndarray, mood: Mood) -> np.ndarray:
    """Exposure, contrast and white balance of its own; sometimes other colors."""
    alpha = seen[..., 3:]
    color = np.clip(seen[..., :3] / np.maximum(alpha, 1e-3), 0, 1)
    if g.random() < RECOLORED_SHARE:
        color = color[..., g.permutation(3)]
    color = color ** math.exp(g.normal(0, 0.25)) * math.exp(g.normal(0, 0.15)) * (1 + g.normal(0, 0.03, 3))
    if mood.exposure is not None:
        color = color * mood.exposure
    return np.dstack([np.clip(color, 0, 1) * alpha, alpha]).astype(np.float32)


def _toned(g: Generator, seen: np.ndarray, like: np.ndarray) -> np.ndarray:
    """Exposed so that some place of the product, often a bright one, has the color of what is behind: a reflection of white paper on a glaze."""
    alpha = seen[..., 3:]
    places = seen[seen[..., 3] > OPAQUE_MIN]
    if len(places) == 0:
        return seen
    tones = np.sort(places[:, :3].mean(1))
    level = tones[int(len(tones) * g.uniform(0.5, 1) ** 0.5) - 1]
    gain = np.clip(like.mean() / max(level, 1e-3), 1 / GAIN_MAX, GAIN_MAX)
    tint = np.clip(like / max(like.mean(), 1e-3), 0.5, 2) ** g.uniform(0, 1)
    return np.dstack([np.minimum(seen[..., :3] * gain * tint, alpha), alpha]).astype(np.float32)


def _placed(seen: np.ndarray, center: tuple[float, float], size: tuple[float, float], side: int) -> Layer:
    wide, high = (max(2, round(length)) for length in size)
    shrinking = wide < seen.shape[1]
    seen = cv2.resize(np.ascontiguousarray(seen), (wide, high), interpolation=cv2.INTER_AREA if shrinking else cv2.INTER_LINEAR)
    whole = np.zeros((side, side, 4), np.float32)
    left, top = round(center[0] - wide / 2), round(center[1] - high / 2)
    rows, columns = slice(max(0, top), min(side, top + high)), slice(max(0, left), min(side, left + wide))
    if rows.start < rows.stop and columns.start < columns.stop:
        whole[rows, columns] = seen[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    return Layer(whole[..., :3], whole[..., 3])
