"""Flat products: garments laid flat or hung, and free outlines, with a slightly convex shading and folds."""

import math

import cv2
import numpy as np
from numpy.random import Generator

from raster import OVERSAMPLING, Layer
from surfaces import PatternBank, clouds, color, pale, panels


def _mirror(half: np.ndarray) -> np.ndarray:
    return np.concatenate([half, (half * [-1, 1])[::-1]])


def tee(g: Generator) -> np.ndarray:
    """The right half of a garment's outline from the neck down, x 0..1, y 0 (top) .. 1."""
    sleeve, drop = g.uniform(0.75, 1.05), g.uniform(0.25, 0.5)
    if g.random() < 0.3:
        sleeve, drop = g.uniform(0.8, 1.0), g.uniform(0.75, 1.0)
    body, hem = g.uniform(0.45, 0.6), g.uniform(0.42, 0.65)
    neck = g.uniform(0.13, 0.24)
    half = [[0, g.uniform(0.02, 0.2)], [neck * 0.7, 0.05], [neck, 0], [0.45, 0.06], [0.56, 0.12], [sleeve, drop], [sleeve - 0.2, drop + 0.08], [body, 0.36], [body * 0.97, 0.6], [hem, 1], [0, 1 + g.uniform(0, 0.04)]]
    return _mirror(np.array(half))


def trousers(g: Generator) -> np.ndarray:
    leg, waist = g.uniform(0.15, 0.35), g.uniform(0.28, 0.4)
    long = g.uniform(0.55, 1.3)
    spread = g.uniform(0.02, 0.2)
    half = [[0, 0], [waist, 0], [waist + 0.06, 0.3], [spread + leg, long], [spread, long], [0.0, 0.36]]
    return _mirror(np.array(half))


def dress(g: Generator) -> np.ndarray:
    half = [[0, 0.1], [0.12, 0.0], [0.2, 0.0], [0.24, 0.18], [g.uniform(0.16, 0.24), 0.4], [g.uniform(0.25, 0.6), g.uniform(0.9, 1.4)], [0, 1.2]]
    return _mirror(np.array(half))


def blob(g: Generator) -> np.ndarray:
    t = np.linspace(0, 2 * math.pi, 70, endpoint=False)
    radius = 1 + sum(g.normal(0, 0.22 / q) * np.cos(q * t + g.uniform(0, 6.3)) for q in range(1, 9))
    return np.stack([np.cos(t) * radius * g.uniform(0.4, 1), np.sin(t) * radius * 0.5 + 0.5], 1)


def sole(g: Generator) -> np.ndarray:
    """A shoe from above."""
    t = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    y = np.cos(t)
    blunt = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** g.uniform(0.55, 0.8)
    waist = np.interp(y, [-1, -0.45, 0.15, 0.7, 1], [0.36, 0.35, 0.27, 0.29, 0.28])
    return np.stack([blunt * waist + g.uniform(0, 0.05) * np.cos(2 * t), -y * 0.9], 1)


def cut_out(g: Generator) -> np.ndarray:
    """Polygons with corners: tools, keys, toys."""
    n = int(g.integers(3, 10))
    t = np.sort(g.uniform(0, 2 * math.pi, n))
    radius = g.uniform(0.35, 1, n)
    return np.stack([np.cos(t) * radius, np.sin(t) * radius], 1)


OUTLINES = (tee, tee, tee, trousers, dress, blob, sole, sole, cut_out)


def flat_product(g: Generator, bank: PatternBank, box, stretch, side: int, backdrop: np.ndarray) -> Layer:
    """A flat product in a box (x, y, width, height) of pixels; one in six in a color close to the backdrop's."""
    make = OUTLINES[g.integers(len(OUTLINES))]
    outline = make(g)
    pair = make is sole and g.random() < 0.75
    angle = g.normal(0, 0.06) if g.random() < 0.75 else g.uniform(-3.14, 3.14)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    pieces = [outline]
    if pair:
        gap = g.uniform(0.36, 0.5)
        pieces = [outline * [1, 1] - [gap, 0], outline * [-1, 1] + [gap, g.choice([0, g.normal(0, 0.1)])]]
    fine = side * OVERSAMPLING
    everything = np.concatenate(pieces) @ turn.T
    low, high = everything.min(0), everything.max(0)
    size = (high - low) * stretch
    k = min(box[2] / size[0], box[3] / size[1]) * OVERSAMPLING
    corner = (np.array(box[:2]) + np.array(box[2:]) / 2) * OVERSAMPLING - size * k / 2
    mask = np.zeros((fine, fine), np.uint8)
    holes = np.zeros((fine, fine), np.uint8)
    lining = np.zeros((fine, fine), np.uint8)
    for piece in pieces:
        place = lambda p: np.round(((p @ turn.T - low) * stretch * k + corner) * 16).astype(np.int32)  # noqa: B023, E731
        if make is not cut_out:
            piece = _rounded(piece)
        cv2.fillPoly(mask, [place(piece)], 255, cv2.LINE_8, 4)
        if make is sole:
            cv2.fillPoly(lining, [place(piece * [0.66, 0.45] + [piece[:, 0].mean() * 0.34, 0.4 * piece[:, 1].max()])], 255, cv2.LINE_8, 4)
        elif make is cut_out and g.random() < 0.5:
            cv2.fillPoly(holes, [place(piece * g.uniform(0.2, 0.6) + g.normal(0, 0.05, 2))], 255, cv2.LINE_8, 4)
    mask[holes > 0] = 0
    like = backdrop if g.random() < 0.16 else None
    colors = _cloth(g, bank, mask, fine, like)
    if lining.any():
        inside = (bank.texture(g, ("print", "weave", "clouds")) if g.random() < 0.5 else np.broadcast_to(color(g), (256, 256, 3)))
        inside = cv2.resize(np.ascontiguousarray(inside, np.float32), (fine, fine)) * g.uniform(0.6, 1)
        colors = np.where((lining > 0)[..., None], inside, colors)
    alpha = (mask > 0).astype(np.float32)
    small = cv2.resize(np.dstack([np.clip(colors, 0, 1) * alpha[..., None], alpha]).astype(np.float32), (side, side), interpolation=cv2.INTER_AREA)
    return Layer(small[..., :3], small[..., 3])


def _rounded(points: np.ndarray) -> np.ndarray:
    """Smooths an outline by Chaikin's corner cutting, twice."""
    for _ in range(2):
        after = np.roll(points, -1, 0)
        points = np.stack([points * 0.8 + after * 0.2, points * 0.2 + after * 0.8], 1).reshape(-1, 2)
    return points


def _cloth(g: Generator, bank: PatternBank, mask: np.ndarray, fine: int, like: np.ndarray | None) -> np.ndarray:
    depth = np.minimum(cv2.distanceTransform(mask, cv2.DIST_L2, 3), fine * g.uniform(0.02, 0.12))
    height = np.sqrt(np.maximum(depth, 0) * fine * 0.05) * g.uniform(0.4, 1.4)
    folds = clouds(g, 4, int(g.integers(2, 6)), 0.5)
    if g.random() < 0.6:
        folds = cv2.resize(folds[: int(g.uniform(60, 200))], (256, 256))
    height = cv2.GaussianBlur(height.astype(np.float32), (0, 0), 2) + cv2.resize(folds, (fine, fine)) * g.uniform(2, 26)
    across, down = cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=0.125)
    angle = g.uniform(0, 2 * math.pi)
    lean = g.uniform(0.2, 0.8)
    shade = (1 - lean * (across * math.cos(angle) + down * math.sin(angle))) / np.sqrt(1 + across**2 + down**2)
    shade = np.clip(shade, 0.25, 1.4)[..., None] * g.uniform(0.75, 1.25)
    base = color(g) if g.random() < 0.7 else pale(g)
    if like is not None:
        base = np.clip(like * g.uniform(0.9, 1.15) + g.normal(0, 0.015, 3), 0, 1)
    elif g.random() < 0.35:
        return cv2.resize(panels(g) if g.random() < 0.3 else bank.texture(g), (fine, fine)) * shade
    picture = np.broadcast_to(base.astype(np.float32), (fine, fine, 3)) * shade
    if g.random() < 0.6:
        ink = cv2.resize(bank.field(g, ("print", "print", "confetti", "dots")), (fine, fine))[..., None] * (0.5 + 0.5 * shade)
        rows, columns = np.nonzero(mask)
        if len(rows) and g.random() < 0.6:
            chest = np.zeros((fine, fine, 1), np.float32)
            top, left = np.percentile(rows, 20), np.percentile(columns, 25)
            chest[int(top) : int(np.percentile(rows, 65)), int(left) : int(np.percentile(columns, 75))] = 1
            ink = ink * chest
        picture = picture * (1 - ink) + color(g).astype(np.float32) * ink
    return picture
