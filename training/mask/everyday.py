"""Products of patches that lie flat, run out of the image, or are made of many small parts. The same rules as in products.py."""

import math

import numpy as np
from numpy.random import Generator

from goods import moved
from solids import Patch, Solid, cap, lathe, rotation, rounded_box, smooth_profile, tube, wander


def _block(size, at, part: int) -> Patch:
    """A small box of few faces, for things of many parts."""
    wide, deep, high = size
    square = lathe(cap(np.array([[math.sqrt(0.5), 0], [math.sqrt(0.5), high * 0.8], [math.sqrt(0.5) * 0.85, high]])), part, 4)
    points = square.points @ rotation(math.pi / 4) * [wide, deep, 1]
    return square._replace(points=points + np.asarray(at))


def strap(g: Generator) -> Solid:
    """A watch, a belt, a collar or a lead, stretched out: a long flat band, mostly with something in its middle."""
    long, wide, thick = g.uniform(2, 9), g.uniform(0.12, 0.5), g.uniform(0.02, 0.06)
    t = np.linspace(-1, 1, 40)
    bend = g.normal(0, 0.15) * long * 0.3 * t**2 + g.normal(0, 0.04) * long * np.sin(3 * t)
    path = np.stack([t * long / 2, bend, np.full(40, thick)], 1)
    taper = wide * (1 - g.uniform(0, 0.4) * np.abs(t))
    solid = [tube(path[::-1], taper, 0, around=10, flat=thick / wide)]
    kind = g.random()
    if kind < 0.6:  # a face, in rings
        radius, high = wide * g.uniform(1.2, 2.2), thick * g.uniform(2, 5)
        edges = int(g.choice([4, 32, 32, 32]))
        for part, size, lift in ((1, 1.0, 0.0), (2, g.uniform(0.75, 0.92), high * 0.3), (3, g.uniform(0.1, 0.5), high * 0.45)):
            disc = np.array([[radius, 0], [radius, high * 0.8], [radius * 0.94, high]]) * [size, 1]
            solid.append(moved(lathe(cap(disc), part, edges), None, (0, bend[20], lift)))
        solid.append(_block([wide * 0.3, wide * 0.3, high * 0.5], [radius * 1.05, bend[20], thick], 1))
    elif kind < 0.8:
        solid.append(rounded_box([wide * 1.6, wide * 2.4, thick * 4], 0.2, [t[30] * long / 2, bend[30], 0], 1))
    for at in range(4, 36, int(g.integers(2, 9))) if g.random() < 0.4 else ():
        solid.append(_block([wide * 0.2, wide * 1.9, thick * 1.3], [path[at, 0], bend[at], thick], 3))
    return solid


def keyboard(g: Generator) -> Solid:
    """Keys in rows on a plate, sometimes a mouse beside it; also calculators and remote controls."""
    rows, columns = int(g.integers(3, 7)), int(g.choice([4, 5, g.integers(8, 16), g.integers(10, 16)]))
    pitch, high = g.uniform(0.9, 1.1), g.uniform(0.05, 0.35)
    wide, deep = columns + g.uniform(0.2, 0.9), rows * pitch + g.uniform(0.2, 1.2)
    solid = [rounded_box([wide, deep, high], g.uniform(0.04, 0.3), part=0)]
    gap, tall = g.uniform(0.06, 0.25), g.uniform(0.05, 0.4)
    for row in range(rows):
        column = 0.0
        while column < columns:
            length = min(columns - column, g.choice([1, 1, 1, 1, 1, 1.5, 2]) if row else 1)
            if row == rows - 1 and 2 <= column < columns / 2:
                length = columns // 3
            at = [column + length / 2 - columns / 2, (rows / 2 - row - 0.5) * pitch, high * 0.8]
            solid.append(_block([length - gap, pitch - gap, tall], at, 1 if g.random() < 0.85 else 2))
            column += length
    if g.random() < 0.3:
        solid += [moved(p, None, (wide / 2 + 1.6, g.normal(0, 0.5), 0)) for p in _mouse(g, 1.6)]
    if g.random() < 0.4:
        count = 24
        t = np.linspace(0, 1, count)[:, None]
        solid.append(tube([g.normal(0, 2), deep / 2, high / 2] + t * [g.normal(0, 2), g.uniform(1, 4), 0] + wander(g, count, [0.8, 0.5, 0.02], 3) * t, 0.1, 3, around=6))
    return solid


def _mouse(g: Generator, size: float) -> Solid:
    body = g.uniform([0.8, 1.4, 0.5], [1.1, 1.8, 0.8]) * size
    wheel = rounded_box([body[0] * 0.1, body[1] * 0.18, body[2] * 0.2], 0.6, [0, -body[1] * 0.28, body[2] * 0.8], 2)
    return [rounded_box(body, g.uniform(0.55, 0.9), part=0), wheel]


def mouse(g: Generator) -> Solid:
    """A mouse, a pebble, a soap; with or without a cable."""
    solid = _mouse(g, 1.0)
    if g.random() < 0.5:
        count = 30
        t = np.linspace(0, 1, count)[:, None]
        path = [0, -0.7, 0.1] + t * [g.normal(0, 1), -g.uniform(0.5, 3), 0] + wander(g, count, [0.6, 0.4, 0.02], 4) * t
        solid.append(tube(path, g.uniform(0.03, 0.08), 3, around=6))
    return solid


def tent(g: Generator) -> Solid:
    """A ridge or a dome on the ground, with an entrance in another color, lines and pegs."""
    wide, deep, high = g.uniform(1.4, 2.4), g.uniform(1.2, 2.4), g.uniform(0.8, 1.4)
    bulge = g.choice([1.0, g.uniform(0.4, 0.8)])
    across = np.linspace(-1, 1, 21)
    rise = high * (1 - np.abs(across) ** (1 / bulge if bulge < 1 else 1))
    sag = 1 - g.uniform(0, 0.25) * np.sin(np.linspace(0, math.pi, 9))
    along = np.linspace(-deep / 2, deep / 2, 9)
    points = np.stack([np.stack([across * wide / 2, np.full(21, y), rise * s], 1) for y, s in zip(along, sag)])
    solid = [Patch(points, 0, False)]
    inset = deep / 2 * g.uniform(0.7, 1)
    front = np.stack([np.stack([across * wide / 2, np.full(21, -inset), rise * up], 1) for up in (0, 0.5, 1)])
    solid.append(Patch(front, 1, False))
    if g.random() < 0.6:  # a dark entrance
        door = front[:, 5:16] * [g.uniform(0.4, 0.9), 1, g.uniform(0.5, 0.8)] - [0, 0.01, 0]
        solid.append(Patch(door, 2, False))
    solid.append(Patch(front * [1, -1, 1], 1, False))
    if g.random() < 0.6:
        for side in (-1, 1):
            for y in (-deep / 2, deep / 2):
                peg = [side * wide * g.uniform(0.6, 0.9), y * g.uniform(1, 1.4), 0]
                solid.append(tube(np.linspace([side * wide * 0.2, y, high * 0.6], peg, 4), 0.012, 3, around=5))
    return solid


def _pot(g: Generator, radius: float, tall: float) -> list[Patch]:
    flare = g.uniform(0.6, 1.1)
    rim = np.array([[0, 0], [radius * flare, 0], [radius, tall * 0.85], [radius * 1.08, tall * 0.86], [radius * 1.08, tall], [radius * 0.92, tall], [radius * 0.9, tall * 0.9]])
    pot = [lathe(rim, 0), lathe(np.array([[radius * 0.92, tall * 0.88], [0, tall * 0.93]]), 2)]
    if g.random() < 0.3:
        pot.append(lathe(np.array([[0, 0.0], [radius * 1.3, 0.03], [radius * 1.4, 0.12], [radius * 1.25, 0.1]]), 0))
    return pot


def cactus(g: Generator) -> Solid:
    """Ribbed columns, balls or ears with spines, in a pot."""
    tall, radius = g.uniform(0.3, 0.8), g.uniform(0.25, 0.5)
    solid = _pot(g, radius, tall)
    for index in range(int(g.integers(1, 5))):
        thick, high = radius * g.uniform(0.25, 0.8), g.uniform(0.3, 1.8)
        at = np.array([0, 0, tall * 0.85]) + (g.normal(0, radius * 0.4, 3) * [1, 1, 0] if index else 0)
        ribs, around = int(g.integers(5, 13)), 48
        angle = np.linspace(0, 2 * math.pi, around, endpoint=False)
        wave = 1 + g.uniform(0.03, 0.2) * np.cos(angle * ribs)
        rise = np.linspace(0, math.pi * 0.98, 12)
        ring = np.sin(rise * 0.93 + 0.2) ** g.uniform(0.4, 0.9) * thick
        flat = g.choice([1.0, g.uniform(0.25, 0.5)])
        z = (1 - np.cos(rise)) / 2 * high
        points = np.stack([ring[:, None] * wave * np.cos(angle), ring[:, None] * wave * np.sin(angle) * flat, np.repeat(z[:, None], around, 1)], -1)
        solid.append(Patch(points + at, 1, True))
        for _ in range(int(g.integers(0, 40))):
            k, a = int(g.integers(1, 11)), int(g.integers(0, around))
            out = points[k, a] + at
            solid.append(tube(np.stack([out, out + (points[k, a] - [0, 0, z[k]]) * g.uniform(0.15, 0.5) / max(ring[k], 0.05) * 0.3]), 0.008, 3, around=4))
    return solid


def small_tree(g: Generator) -> Solid:
    """A bonsai, a fig, a fern: a trunk with many small leaves, or a rosette of fronds, in a pot or a hanging basket."""
    tall, radius = g.uniform(0.15, 0.7), g.uniform(0.25, 0.6)
    solid = _pot(g, radius, tall)
    low = np.array([0, 0, tall * 0.9])
    if g.random() < 0.45:  # fronds with leaflets
        for _ in range(int(g.integers(5, 16))):
            turn, rise = g.uniform(0, 2 * math.pi), g.uniform(0.2, 1.2)
            t = np.linspace(0, 1, 10)[:, None]
            path = low + t * [math.cos(turn), math.sin(turn), rise] * g.uniform(0.6, 1.3) - t**2 * [0, 0, g.uniform(0.2, 1.6)]
            solid.append(tube(path, 0.012, 1, around=4))
            for at in path[1:]:
                for hand in (-1, 1):
                    leaf = np.array([-math.sin(turn) * hand, math.cos(turn) * hand, -0.2]) * g.uniform(0.08, 0.25)
                    solid.append(tube(at + np.linspace(0, 1, 4)[:, None] * leaf, np.array([0.01, 0.035, 0.03, 0.004]), 1, around=5, flat=0.3))
        return solid
    trunk = low + np.linspace(0, 1, 12)[:, None] * [0, 0, g.uniform(0.5, 1.3)] + wander(g, 12, [0.15, 0.1, 0.02], 3)
    solid.append(tube(trunk, np.linspace(g.uniform(0.05, 0.14), 0.03, 12), 3, around=8))
    leaf = g.uniform(0.04, 0.14)
    for _ in range(int(g.integers(2, 7))):
        start = trunk[g.integers(5, 12)]
        tip = start + g.normal(0, 0.4, 3) * [1, 0.8, 0.4] + [0, 0, 0.2]
        solid.append(tube(np.linspace(start, tip, 5) + wander(g, 5, 0.03, 2), 0.025, 3, around=5))
        cloud = g.uniform([0.2, 0.2, 0.08], [0.5, 0.4, 0.25])
        for _ in range(int(g.integers(12, 40))):
            at = tip + g.normal(0, 0.5, 3) * cloud
            way = g.normal(0, 1, 3)
            way *= leaf / np.linalg.norm(way)
            solid.append(tube(at + np.linspace(0, 1, 4)[:, None] * way, np.array([0.1, 0.45, 0.4, 0.05]) * leaf, 1, around=5, flat=0.35))
    return solid


def stand(g: Generator) -> Solid:
    """A stool, a small table, a bedside table, a floor lamp: a top on thin legs that lean, with rungs or a foot."""
    high, reach = g.uniform(0.6, 2.2), g.uniform(0.25, 0.6)
    thick = g.uniform(0.02, 0.06)
    if g.random() < 0.6:
        profile = np.array([[reach, 0], [reach * 1.03, thick], [reach, thick * 2]])
        top = moved(lathe(cap(profile), 0, int(g.choice([4, 6, 32, 32]))), None, (0, 0, high))
    else:
        top = rounded_box([reach * 2, reach * g.uniform(1, 2), g.uniform(0.06, 0.4)], g.uniform(0.03, 0.4), [0, 0, high], 0)
    solid = [top]
    if g.random() < 0.25:
        solid.append(tube(np.array([[0, 0, 0], [0, 0, high / 2], [0, 0, high]]), thick, 1, around=10))
        solid.append(lathe(cap(np.array([[reach * 0.8, 0], [reach * 0.75, thick]])), 1))
        return solid
    legs, splay = int(g.integers(3, 5)), g.uniform(0.8, 1.5)
    feet = [np.array([math.cos(a), math.sin(a), 0]) * reach for a in np.arange(legs) * 2 * math.pi / legs + math.pi / 4]
    for foot in feet:
        solid.append(tube(np.linspace(foot * splay, foot * 0.85 + [0, 0, high], 4), np.linspace(thick * 0.7, thick, 4), 1, around=8))
    if g.random() < 0.6:
        share = g.uniform(0.15, 0.6)
        rung = [foot * (splay + (0.85 - splay) * share) + [0, 0, high * share] for foot in feet]
        for a, b in zip(rung, rung[1:] + rung[:1]):
            solid.append(tube(np.linspace(a, b, 3), thick * 0.5, 1, around=6))
    if g.random() < 0.3:  # something stands on it and belongs to it: a cushion, a shade
        profile = smooth_profile(g, 3, reach * 0.4, reach * 0.9, g.uniform(0.1, 0.8))
        solid.append(moved(lathe(cap(profile), 2), None, (0, 0, high + thick)))
    return solid


# Relative frequency of each, beside those of products.py and goods.py.
EVERYDAY = {strap: 9, keyboard: 5, mouse: 3, tent: 4, cactus: 4, small_tree: 6, stand: 6}
# Their ends often lie outside the image.
RUNNING_OUT = (strap, keyboard)
