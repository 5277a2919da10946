"""Real surroundings as backgrounds: views into CC0 environment maps, and floors and tables with scanned CC0 surfaces.

They need ../shared/assets (path_traced/assets.py), so they are rendered only where they are asked for by name.
"""

import math
from functools import cache

import cv2
import numpy as np
from numpy.random import Generator

from path_traced import assets
from scenes import curtain, frame, laid, seat, shelf, window
from surfaces import PatternBank, axes

VIEW_MIN, VIEW_MAX = math.radians(45), math.radians(115)
INDOORS = ("lebombo", "st_fagans", "empty_warehouse", "adams", "studio_small")
GROUND_SHARE, FROM_ABOVE_SHARE = 0.65, 0.15


@cache
def _radiance(name: str) -> np.ndarray:
    """[512, 1024, 3] f32 RGB, the sun cut off."""
    return np.minimum(cv2.imread(str(assets.hdri(name)), cv2.IMREAD_UNCHANGED)[..., ::-1], 60.0)


@cache
def _scanned(name: str) -> np.ndarray:
    """[512, 512, 3] f32 RGB in 0..1, tiling."""
    seen = cv2.resize(cv2.imread(str(assets.surface(name, "map"))), (512, 512), interpolation=cv2.INTER_AREA)
    return seen[..., ::-1].astype(np.float32) / 255


def _view(g: Generator, side: int, names: list[str]) -> np.ndarray:
    """What a camera sees in a random direction near the horizon, exposed as a camera does."""
    radiance = _radiance(names[g.integers(len(names))])
    high, wide = radiance.shape[:2]
    opening, turn, pitch = g.uniform(VIEW_MIN, VIEW_MAX), g.uniform(-math.pi, math.pi), g.normal(-0.12, 0.2)
    x, y = (axis - 0.5 for axis in axes(side))
    ahead = 0.5 / math.tan(opening / 2)
    up, forward = -y * math.cos(pitch) + ahead * math.sin(pitch), y * math.sin(pitch) + ahead * math.cos(pitch)
    longitude, latitude = turn + np.arctan2(x, forward), np.arctan2(up, np.hypot(x, forward))
    columns = ((longitude / (2 * math.pi) % 1) * wide).astype(np.float32)
    rows = ((0.5 - latitude / math.pi) * high).astype(np.float32)
    seen = cv2.remap(radiance, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    seen = seen * g.uniform(0.12, 0.5) / max(float(np.median(seen.mean(2))), 1e-4)
    shown = np.clip(1 - np.exp(-seen * 1.2), 0, 1) if g.random() < 0.6 else np.clip(seen, 0, 1)
    return np.power(shown, 1 / 2.2).astype(np.float32)


def _table(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """A floor, a table, a lawn, in perspective or from above: [S, S, 3]."""
    names = sorted(name for name in assets.SURFACES if name != "gold")
    texture = np.rot90(_scanned(names[g.integers(len(names))]), int(g.integers(4)))
    repeat = int(g.integers(1, 4))
    texture = np.tile(texture, (repeat, repeat, 1))
    tone = g.uniform(0.25, 1.5) * (1 + g.normal(0, 0.1, 3)) if g.random() < 0.8 else np.ones(3)
    if g.random() < 0.3:
        gray = texture.mean(2, keepdims=True)
        texture = gray + (texture - gray) * g.uniform(0, 0.7)
    return np.clip(laid(g, np.ascontiguousarray(texture * tone, np.float32), side), 0, 1)


def environment(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """A room, a street, a forest behind; mostly a table or a floor before it; or a surface from above."""
    if g.random() < FROM_ABOVE_SHARE:
        return _table(g, bank, side).astype(np.float32)
    picture = _view(g, side, assets.HDRIS)
    soft = math.exp(g.uniform(-1.0, 2.2)) * side / 256
    picture = cv2.GaussianBlur(picture, (0, 0), max(soft, 0.3))
    if g.random() < GROUND_SHARE:
        horizon = int(g.uniform(0.35, 0.85) * side)
        ground = _table(g, bank, side) if g.random() < 0.6 else cv2.resize(bank.texture(g, contrast=0.4), (side, side))
        high = side - horizon
        picture[horizon:] = cv2.resize(np.ascontiguousarray(ground), (side, side))[side - high :]
        if g.random() < 0.5:  # the table's edge is as blurred as what is behind it
            edge = slice(max(0, horizon - side // 16), min(side, horizon + side // 16))
            picture[edge] = cv2.GaussianBlur(picture, (0, 0), g.uniform(0.5, 3) * side / 256)[edge]
    return np.clip(picture * g.uniform(0.7, 1.15), 0, 1).astype(np.float32)


def interior(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """A room with shelves, pictures, windows and furniture drawn before a real wall, on a scanned floor: nearly sharp."""
    picture = np.ascontiguousarray(_view(g, side, [name for name in assets.HDRIS if name.startswith(INDOORS)]))
    if g.random() < 0.5:  # a bare wall in the room's light
        picture = cv2.GaussianBlur(picture, (0, 0), side / 6)
    horizon = g.uniform(0.45, 0.9)
    for _ in range(int(g.integers(1, 5))):
        kind, wide, high = g.random(), g.uniform(0.15, 0.6), g.uniform(0.15, 0.6)
        left, top = g.uniform(-0.3, 0.9), g.uniform(-0.3, horizon - 0.15)
        if kind < 0.5:
            shelf(g, picture, left, top, wide, max(high, horizon - top) if g.random() < 0.6 else high)
        elif kind < 0.75:
            frame(g, bank, picture, left, top, wide, high)
        elif kind < 0.88:
            window(g, picture, left, top, wide, high)
        else:
            curtain(g, picture, left, wide, horizon if g.random() < 0.7 else 1)
    at = int(horizon * side)
    floor = cv2.resize(np.ascontiguousarray(_table(g, bank, side)), (side, side))
    picture[at:] = floor[at:]
    if g.random() < 0.6:  # the skirting board
        picture[max(0, at - max(1, int(g.uniform(0.01, 0.05) * side))) : at] = g.uniform(0.5, 1)
    for _ in range(int(g.integers(0, 2))):
        wide = g.uniform(0.25, 0.9)
        seat(g, picture, g.uniform(-0.5, 1.2 - wide / 2), horizon + g.uniform(0.0, 0.12), wide)
    if g.random() < 0.7:
        picture = cv2.GaussianBlur(picture, (0, 0), math.exp(g.uniform(-0.9, 1.3)) * side / 256)
    return np.clip(picture * g.uniform(0.7, 1.15), 0, 1).astype(np.float32)


# The probability of a shadow on each.
KINDS = {environment: 0.6, interior: 0.8}
