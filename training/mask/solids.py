"""Products as surfaces in space: x to the right, y away from the camera, z up, standing on z = 0.

A patch is a grid of points [rows, columns, 3] with the number of the material it is made of; a solid is a list of
patches. products.py makes products of them.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.random import Generator


class Patch(NamedTuple):
    points: np.ndarray
    part: int
    closed: bool  # the last column meets the first


Solid = list[Patch]


def lathe(profile: np.ndarray, part: int = 0, around: int = 28, oval: float = 1.0) -> Patch:
    """A surface of revolution from a profile [n, 2] of (radius, height)."""
    angle = np.linspace(0, 2 * math.pi, around, endpoint=False)
    radius, height = profile[:, :1], profile[:, 1:]
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle) * oval, np.repeat(height, around, 1)], -1)
    return Patch(points, part, True)


def smooth_profile(g: Generator, knots: int, low: float, high: float, height: float, steps: int = 20) -> np.ndarray:
    at = np.linspace(0, 1, knots)
    radius = np.clip(g.uniform(low, high) * np.exp(np.cumsum(g.normal(0, 0.28, knots)) * 0.8), low, high)
    fine = np.linspace(0, 1, steps)
    radius = np.interp(fine, at, radius)
    radius = np.convolve(np.pad(radius, 2, mode="edge"), np.ones(5) / 5, "valid") if g.random() < 0.7 else radius
    return np.stack([radius, fine * height], 1)


def cap(profile: np.ndarray, bottom: bool = True, top: bool = True) -> np.ndarray:
    """Close a profile's ends on the axis."""
    ends = [[[0, profile[0, 1]]]] if bottom else []
    tail = [[[0, profile[-1, 1]]]] if top else []
    return np.concatenate([*ends, profile, *tail])


def rounded_box(size: np.ndarray, roundness: float, at=(0.0, 0.0, 0.0), part: int = 0) -> Patch:
    """A superellipsoid standing on `at`; roundness 1 is an ellipsoid, near 0 a box."""
    v = np.linspace(-math.pi / 2, math.pi / 2, 15)[:, None]
    # More samples where a box turns its corners.
    u = np.linspace(-math.pi, math.pi, 32, endpoint=False)[None]
    # Exactly 0 at the poles: a rounding error's small power would leave a hole in the top of a box.
    power = lambda t: np.sign(t) * np.where(np.abs(t) < 1e-9, 0, np.abs(t)) ** roundness  # noqa: E731
    points = np.stack([power(np.cos(v)) * power(np.cos(u)), power(np.cos(v)) * power(np.sin(u)), power(np.sin(v)) * np.ones_like(u)], -1)
    return Patch(points * np.asarray(size) / 2 + np.asarray(at) + [0, 0, size[2] / 2], part, True)


def tube(path: np.ndarray, radius, part: int = 0, around: int = 8, flat: float = 1.0, caps: bool = True) -> Patch:
    """A round (or, flat < 1, strap-like) section drawn along a path [n, 3]."""
    tangent = np.gradient(path, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True) + 1e-9
    reference = np.array([0.0, 1.0, 0.0]) if abs(tangent[:, 1]).mean() < 0.8 else np.array([1.0, 0.0, 0.0])
    side = np.cross(tangent, reference)
    side /= np.linalg.norm(side, axis=1, keepdims=True) + 1e-9
    other = np.cross(side, tangent)
    angle = np.linspace(0, 2 * math.pi, around, endpoint=False)
    radius = np.broadcast_to(np.asarray(radius, float), (len(path),))[:, None, None]
    ring = np.cos(angle)[None, :, None] * side[:, None] * flat + np.sin(angle)[None, :, None] * other[:, None]
    points = path[:, None] + radius * ring
    if caps:
        points = np.concatenate([np.repeat(path[:1, None], around, 1), points, np.repeat(path[-1:, None], around, 1)])
    return Patch(points, part, True)


def arch(g: Generator, width: float, height: float, at, steps: int = 22, square: float | None = None) -> np.ndarray:
    """An upside-down U in the x-z plane."""
    t = np.linspace(0, math.pi, steps)
    power = square if square is not None else g.uniform(0.5, 1.0)
    x = -np.sign(np.cos(t)) * np.abs(np.cos(t)) ** power * width / 2
    z = np.abs(np.sin(t)) ** power * height
    path = np.stack([x, np.zeros_like(x), z], 1)
    path[:, 0] += g.normal(0, 0.05) * z
    path[:, 1] += g.normal(0, 0.12) * z
    return path + np.asarray(at)


def wander(g: Generator, count: int, spread, smooth: int = 5, loop: bool = False) -> np.ndarray:
    """A smooth random path (a cable, a lace)."""
    t = np.linspace(0, 1, count)
    path = np.zeros((count, 3))
    for wave in range(1, smooth + 1):
        phase = g.uniform(0, 2 * math.pi, 3)
        turn = 2 * math.pi * wave * (1 if loop else g.uniform(0.4, 0.7))
        path += g.normal(0, 1 / wave, 3) * np.sin(turn * t[:, None] + phase)
    return path * np.asarray(spread)


def rotation(turn: float, tilt: float = 0.0) -> np.ndarray:
    c, s, ct, st = math.cos(turn), math.sin(turn), math.cos(tilt), math.sin(tilt)
    return np.array([[1, 0, 0], [0, ct, -st], [0, st, ct]]) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
