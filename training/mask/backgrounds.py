"""Backgrounds behind and under the product: [S, S, 3] floats in 0..1, and the height of the horizon (0 top .. 1)."""

import math

import cv2
import numpy as np
from numpy.random import Generator

from scenes import checkered, draped, from_above, furnished, lay, markings, night
from surfaces import FLOORS, PatternBank, axes, pale
from surfaces import color as any_color


def color(g: Generator) -> np.ndarray:
    """A color as for products, but dark rooms are rarer than dark products."""
    tone = any_color(g)
    return tone if tone.mean() > 0.25 or g.random() < 0.4 else np.clip(tone + g.uniform(0.2, 0.6), 0, 1)


def white(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    return np.full((side, side, 3), 1.0 if g.random() < 0.8 else g.uniform(0.93, 1), np.float32)


def plain(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    tone = pale(g) if g.random() < 0.5 else color(g)
    return np.broadcast_to(tone.astype(np.float32), (side, side, 3)).copy()


def sweep(g: Generator, bank: PatternBank, side: int, tone: np.ndarray | None = None) -> np.ndarray:
    """Studio paper: a soft turn from wall to floor, falling light, dark corners."""
    x, y = axes(side)
    wall = tone if tone is not None else pale(g)
    floor = np.clip(wall * g.uniform(0.82, 1.12) + g.normal(0, 0.006, 3), 0, 1)
    horizon, soft = g.uniform(0.35, 0.9), g.uniform(4, 60)
    mix = 1 / (1 + np.exp(-(y - horizon) * soft))[..., None]
    picture = wall * (1 - mix) + floor * mix
    center = g.uniform(0.2, 0.8, 2)
    fall = (x - center[0]) ** 2 * g.uniform(0.3, 1.5) + (y - center[1]) ** 2
    picture = picture * (1 - g.uniform(0, 0.4) * fall[..., None]) * (1 + g.uniform(-0.08, 0.08) * (x - 0.5))[..., None]
    return np.clip(picture, 0, 1).astype(np.float32)


def paper(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    return sweep(g, bank, side, color(g))


def room(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """A wall (gradient, plain or patterned) over a floor (seen flat or in perspective)."""
    kind = g.random()
    if kind < 0.55:
        x, y = axes(side)
        top, bottom = color(g), color(g)
        if g.random() < 0.75:
            bottom = np.clip(top * g.uniform(0.8, 1.5), 0, 1)
        wall = top * (1 - y[..., None]) + bottom * y[..., None]
    elif kind < 0.75:
        wall = cv2.resize(bank.texture(g, contrast=0.25), (side, side))
    else:
        wall = blurred(g, bank, side)
    horizon = int(side * g.uniform(0.25, 0.8))
    ground = _ground(g, bank, side, horizon)
    picture = np.array(wall, np.float32)
    picture[horizon:] = ground[horizon:]
    if g.random() < 0.3:  # a lighter or darker seam where they meet
        picture[max(0, horizon - 1) : horizon + 1] *= g.uniform(0.5, 1.1)
    if g.random() < 0.25:
        picture = cv2.GaussianBlur(picture, (0, 0), g.uniform(0.5, 5))
    return np.clip(picture, 0, 1)


def _ground(g: Generator, bank: PatternBank, side: int, horizon: int) -> np.ndarray:
    texture = bank.texture(g, FLOORS, contrast=g.uniform(0.2, 0.9))
    texture = np.clip(texture * (0.75 + 0.5 * bank.field(g, ("grain", "clouds"))[..., None]), 0, 1)
    if g.random() < 0.35:  # stone and earth: rough and dark
        rough = bank.field(g, ("grain", "marble", "veins", "clouds"))[..., None] * bank.field(g, ("grain", "marble"))[..., None]
        texture = texture * g.uniform(0.05, 0.5) + rough ** g.uniform(0.7, 2) * g.uniform(0.1, 0.6)
    if g.random() < 0.5:  # the floor texture without perspective
        if g.random() < 0.35:
            texture = np.tile(texture, (2, int(g.integers(2, 4)), 1))
        cut = int(g.uniform(0.3, 1) * len(texture))
        return cv2.resize(texture[:cut, :cut], (side, side), interpolation=cv2.INTER_AREA)
    repeat = int(g.integers(1, 4))
    wide = np.tile(texture, (repeat, repeat, 1))
    n = wide.shape[0]
    spread = g.uniform(0.3, 2.5) * side
    source = np.float32([[0, 0], [n, 0], [n, n], [0, n]])
    target = np.float32([[0, horizon], [side, horizon], [side + spread, side], [-spread, side]])
    return cv2.warpPerspective(wide, cv2.getPerspectiveTransform(source, target), (side, side), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)


def top_down(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """A table from above."""
    return from_above(g, bank, side) * g.uniform(0.8, 1.1)


def blurred(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """A street, a shelf, people: out-of-focus shapes of all kinds."""
    picture = np.array(cv2.resize(bank.texture(g), (side, side)), np.float32)
    if g.random() < 0.6:
        x, y = axes(side)
        picture = picture * 0.3 + 0.7 * (color(g) * (1 - y[..., None]) + color(g) * y[..., None]).astype(np.float32)
    for _ in range(int(g.integers(4, 30))):
        center, size = g.uniform(0, side, 2), g.uniform(0.03, 0.35, 2) * side
        if g.random() < 0.4:
            size[1] *= g.uniform(1.5, 4)  # people, trees, posts
        tone = tuple(float(c) for c in color(g))
        kind = g.random()
        if kind < 0.4:
            cv2.ellipse(picture, (center.tolist(), (size * 2).tolist(), float(g.uniform(-20, 20))), tone, -1)
        elif kind < 0.85:
            box = cv2.boxPoints((center.tolist(), (size * 2).tolist(), float(g.normal(0, 8))))
            cv2.fillConvexPoly(picture, np.round(box).astype(np.int32), tone)
        else:
            cv2.circle(picture, np.round(center).astype(int).tolist(), int(size[0] * 0.3) + 1, (1.0, 1.0, g.uniform(0.6, 1)), -1)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), math.exp(g.uniform(0.6, 2.9)) * side / 256), 0, 1)


# Relative frequency of each background, and the probability of a shadow on it.
KINDS = {
    white: (10, 0.35), plain: (5, 0.6), sweep: (20, 0.9), paper: (7, 0.85),
    room: (20, 0.9), top_down: (5, 0.85), blurred: (10, 0.35),
    markings: (10, 0.85), checkered: (8, 0.85), furnished: (20, 0.85), draped: (8, 0.8), night: (10, 0.4), lay: (12, 0.85),
}  # fmt: skip


# In environments.py, made of ../shared/assets, so rendered only where they are asked for by name.
REAL = ("environment", "interior")


def background(
    g: Generator, bank: PatternBank, side: int, only: tuple[str, ...] | None = None
) -> tuple[np.ndarray, str, float]:
    """A background, its kind, and the probability that a product casts a shadow on it."""
    kinds = [kind for kind in KINDS if only is None or kind.__name__ in only]
    real = [name for name in REAL if only and name in only]
    if real and g.random() < len(real) / (len(kinds) + len(real)):
        from environments import KINDS as real_kinds

        name = real[g.integers(len(real)) if len(real) > 1 else 0]
        kind = next(kind for kind in real_kinds if kind.__name__ == name)
        return kind(g, bank, side), kind.__name__, real_kinds[kind]
    odds = np.array([KINDS[kind][0] for kind in kinds], float)
    kind = kinds[g.choice(len(kinds), p=odds / odds.sum())]
    return kind(g, bank, side), kind.__name__, KINDS[kind][1]
