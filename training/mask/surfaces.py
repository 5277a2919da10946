"""Colors and flat patterns of products and backgrounds.

A pattern is a field [P, P] of floats in 0..1. Fields are expensive, so each process makes a bank of them once and takes
rotated and mirrored crops from it.
"""

import math
import string

import cv2
import numpy as np
from numpy.random import Generator

PATTERN_SIDE = 256


def clouds(g: Generator, octaves: int, base: int, falloff: float = 0.55, side: int = PATTERN_SIDE) -> np.ndarray:
    """Value noise, several octaves, stretched to 0..1."""
    total = np.zeros((side, side), np.float32)
    for octave in range(octaves):
        cells = min(side, base * 2**octave) + 1
        grid = g.random((cells, cells)).astype(np.float32)
        total += falloff**octave * cv2.resize(grid, (side, side), interpolation=cv2.INTER_CUBIC)
    return (total - total.min()) / max(float(np.ptp(total)), 1e-6)


def axes(side: int = PATTERN_SIDE) -> tuple[np.ndarray, np.ndarray]:
    y, x = np.mgrid[0:side, 0:side].astype(np.float32) / side
    return x, y


def _stripes(g: Generator) -> np.ndarray:
    x, y = axes()
    angle = g.choice([0, math.pi / 2, g.uniform(0, math.pi)])
    wave = np.sin(2 * math.pi * (x * math.cos(angle) + y * math.sin(angle)) * g.uniform(2, 22))
    return (wave > g.uniform(-0.7, 0.7)).astype(np.float32) if g.random() < 0.6 else wave * 0.5 + 0.5


def _wood(g: Generator) -> np.ndarray:
    x, y = axes()
    planks = g.integers(2, 9)
    shift = g.random(planks + 1).astype(np.float32)
    plank = np.minimum((x * planks).astype(int), planks)
    grain = np.sin(2 * math.pi * ((x + shift[plank]) * g.uniform(15, 40) + g.uniform(1, 4) * clouds(g, 3, 2)))
    seam = (np.abs((x * planks) % 1 - 0.5) > 0.5 - 0.015 * planks / 4).astype(np.float32)
    long = cv2.resize(clouds(g, 4, 6)[:40], (PATTERN_SIDE, PATTERN_SIDE), interpolation=cv2.INTER_CUBIC)
    field = 0.35 * (grain * 0.5 + 0.5) + 0.4 * long + 0.25 * shift[plank]
    return np.clip(field * (1 - 0.7 * seam), 0, 1)


def _tiles(g: Generator) -> np.ndarray:
    x, y = axes()
    across, down = g.integers(3, 14, 2)
    rows = (y * down).astype(int)
    u = x * across + (rows % 2) * g.choice([0, 0, 0.5])
    joint = 0.02 + g.uniform(0, 0.05)
    gap = (np.abs(u % 1 - 0.5) > 0.5 - joint) | (np.abs((y * down) % 1 - 0.5) > 0.5 - joint)
    tone = g.random((64, 64)).astype(np.float32)[rows % 64, u.astype(int) % 64]
    field = 0.55 + g.uniform(0.05, 0.4) * (tone - 0.5) + 0.15 * clouds(g, 4, 8)
    return np.where(gap, g.choice([0.0, 0.95]), field).astype(np.float32)


def _checks(g: Generator) -> np.ndarray:
    x, y = axes()
    n = g.uniform(3, 16)
    a, b = (x * n) % 1 < 0.5, (y * n) % 1 < 0.5
    return ((a ^ b) if g.random() < 0.5 else a * 0.5 + b * 0.5).astype(np.float32)


def _marble(g: Generator) -> np.ndarray:
    return np.abs(2 * clouds(g, 6, 3) - 1) ** g.uniform(0.3, 0.7)


def _veins(g: Generator) -> np.ndarray:
    """Thin bright lines and specks on an even ground: dark stone, cracked earth."""
    field = np.zeros((PATTERN_SIDE, PATTERN_SIDE), np.float32)
    for octave in range(int(g.integers(2, 5))):
        ridge = 1 - np.abs(2 * clouds(g, 4, int(g.integers(3, 9)) * 2**octave) - 1)
        field = np.maximum(field, ridge ** g.uniform(6, 20) * g.uniform(0.4, 1))
    return np.clip(field + 0.25 * clouds(g, 5, 4) * g.random(), 0, 1)


def _blotches(g: Generator) -> np.ndarray:
    return (clouds(g, 4, int(g.integers(2, 12))) > g.uniform(0.35, 0.65)).astype(np.float32)


def _grain(g: Generator) -> np.ndarray:
    fine = cv2.GaussianBlur(g.random((PATTERN_SIDE, PATTERN_SIDE)).astype(np.float32), (0, 0), g.uniform(0.4, 1.5))
    fine = np.clip((fine - 0.5) * 2.5 + 0.5, 0, 1)
    return np.clip(fine * 0.6 + 0.4 * clouds(g, 4, 3), 0, 1)


def _weave(g: Generator) -> np.ndarray:
    x, y = axes()
    n = g.uniform(20, 50)
    return (0.5 + 0.25 * np.sin(6.28 * n * x) + 0.25 * np.sin(6.28 * n * y)) * (0.6 + 0.4 * clouds(g, 4, 4))


def _dots(g: Generator) -> np.ndarray:
    n = g.uniform(4, 18)
    x, y = axes()
    return (np.hypot((x * n) % 1 - 0.5, (y * n) % 1 - 0.5) < g.uniform(0.15, 0.4)).astype(np.float32)


def _confetti(g: Generator) -> np.ndarray:
    field = np.zeros((PATTERN_SIDE, PATTERN_SIDE), np.float32)
    for _ in range(int(g.integers(15, 90))):
        start = g.integers(0, PATTERN_SIDE, 2)
        end = start + g.integers(-14, 15, 2)
        thick = int(g.integers(2, 7))
        if g.random() < 0.5:
            cv2.line(field, start.tolist(), end.tolist(), float(g.uniform(0.4, 1)), thick, cv2.LINE_AA)
        else:
            cv2.circle(field, start.tolist(), thick, float(g.uniform(0.4, 1)), int(g.choice([-1, 2])), cv2.LINE_AA)
    return field


def _print(g: Generator) -> np.ndarray:
    """A label: some lines of letters, a mark."""
    field = np.zeros((PATTERN_SIDE, PATTERN_SIDE), np.uint8)
    for _ in range(int(g.integers(1, 5))):
        letters = "".join(g.choice(list(string.ascii_letters + string.digits), int(g.integers(1, 9))))
        at = (int(g.integers(0, 120)), int(g.integers(40, 240)))
        cv2.putText(field, letters, at, int(g.integers(0, 8)), g.uniform(0.6, 3.5), 255, int(g.integers(2, 12)), cv2.LINE_AA)
    if g.random() < 0.5:
        low = g.integers(0, 180, 2)
        cv2.rectangle(field, low.tolist(), (low + g.integers(20, 120, 2)).tolist(), 255, int(g.choice([-1, 4, 8])))
    if g.random() < 0.3:
        field = np.rot90(field).copy()
    return field.astype(np.float32) / 255


def _ramp(g: Generator) -> np.ndarray:
    x, y = axes()
    angle = g.uniform(0, 2 * math.pi)
    field = x * math.cos(angle) + y * math.sin(angle)
    return (field - field.min()) / np.ptp(field)


MAKERS = {
    "clouds": lambda g: clouds(g, 5, int(g.integers(1, 8))),
    "stripes": _stripes, "wood": _wood, "tiles": _tiles, "checks": _checks, "marble": _marble,
    "veins": _veins, "blotches": _blotches, "grain": _grain, "weave": _weave, "dots": _dots, "confetti": _confetti,
    "print": _print, "ramp": _ramp,
}  # fmt: skip
FLOORS = ("wood", "wood", "tiles", "grain", "marble", "veins", "weave", "clouds", "checks", "stripes")


class PatternBank:
    """Fields by kind, made once per process from the process's own seed."""

    def __init__(self, g: Generator, each: int = 10):
        self._fields = {name: [make(g).astype(np.float32) for _ in range(each)] for name, make in MAKERS.items()}

    def field(self, g: Generator, kinds: tuple[str, ...] | None = None) -> np.ndarray:
        kind = str(g.choice(kinds or tuple(self._fields)))
        field = self._fields[kind][g.integers(len(self._fields[kind]))]
        if kind != "print":
            field = np.rot90(field, int(g.integers(4)))
        return field[:, ::-1] if g.random() < 0.5 and kind != "print" else field

    def texture(self, g: Generator, kinds: tuple[str, ...] | None = None, contrast: float | None = None) -> np.ndarray:
        """Two colors mixed by a field: [P, P, 3] in 0..1."""
        first = color(g)
        if contrast is None and g.random() < 0.5:
            second = color(g)
        else:
            reach = contrast if contrast is not None else 0.6
            second = np.clip(first * g.uniform(1 - reach, 1 + reach) + g.normal(0, 0.03, 3), 0, 1)
        field = self.field(g, kinds)[..., None]
        return (first * (1 - field) + second * field).astype(np.float32)


def panels(g: Generator) -> np.ndarray:
    """Large blocks of unlike colors with seams between, as bags, jackets and cartons have: [P, P, 3] in 0..1."""
    side = PATTERN_SIDE
    field = np.empty((side, side, 3), np.float32)
    cuts = np.sort(g.integers(10, side - 10, int(g.integers(1, 5))))
    tones = [color(g) for _ in range(int(g.integers(2, 4)))]
    edges = [0, *cuts.tolist(), side]
    slant = int(g.normal(0, 25)) if g.random() < 0.4 else 0
    for index, (left, right) in enumerate(zip(edges, edges[1:])):
        field[:, left:right] = tones[index % len(tones)]
    if g.random() < 0.6:
        seam = color(g) * g.uniform(0.2, 1)
        for cut in cuts:
            field[:, cut : cut + int(g.integers(1, 9))] = seam
    if slant:
        shift = np.linspace(-slant, slant, side).astype(int)
        field = np.stack([np.roll(line, by, 0) for line, by in zip(field, shift)])
    if g.random() < 0.5:
        field = np.rot90(field)
    return np.ascontiguousarray(field * (0.9 + 0.2 * clouds(g, 3, 8)[..., None]), np.float32)


def color(g: Generator) -> np.ndarray:
    """RGB in 0..1. White, black and gray are drawn more often, as they are among products."""
    kind = g.random()
    if kind < 0.17:
        return np.clip(np.full(3, g.uniform(0.82, 1)) + g.normal(0, 0.015, 3), 0, 1)
    if kind < 0.34:
        return np.clip(np.full(3, g.uniform(0.02, 0.22)) + g.normal(0, 0.012, 3), 0, 1)
    if kind < 0.50:
        return np.clip(np.full(3, g.uniform(0.2, 0.82)) + g.normal(0, 0.03, 3), 0, 1)
    if kind < 0.62:  # leather, wood, sand
        return _from_hsv(g.uniform(12, 42), g.uniform(0.15, 0.75), g.uniform(0.2, 0.9))
    return _from_hsv(g.uniform(0, 360), g.uniform(0.1, 1) ** 0.7, g.uniform(0.15, 1))


def pale(g: Generator) -> np.ndarray:
    return np.clip(np.full(3, g.uniform(0.78, 1)) + g.normal(0, 0.012, 3), 0, 1)


def _from_hsv(hue: float, saturation: float, value: float) -> np.ndarray:
    return cv2.cvtColor(np.float32([[[hue, saturation, value]]]), cv2.COLOR_HSV2RGB)[0, 0].astype(np.float64)
