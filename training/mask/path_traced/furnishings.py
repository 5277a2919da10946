"""Furnishings for path tracing, from the shapes of goods.py: plants, chairs, clocks, loudspeakers, lamps."""

import math

import numpy as np
from numpy.random import Generator

from .goods import FACING, any_of, dark_plain, extruded, hoop, put, rounded, skin, standing, white_plain, wires
from .materials import cloth, color, metal, plain, printed, wood
from .shapes import Thing, ball, lathe, tube


def _leaf(base, turn: float, long: float, wide: float, rise: float, bend: float) -> list:
    """A leaf's grid: it rises from its base and bends outward, and is folded a little along its middle."""
    rows, out, up = [], 0.0, 0.0
    for u in np.linspace(0, 1, 7):
        half = wide * max(0.03, math.sin(math.pi * u**0.8))
        c, s = math.cos(turn), math.sin(turn)
        rows.append([(base[0] + c * out - s * half * v, base[1] + s * out + c * half * v, base[2] + up + 0.3 * half * v * v) for v in (-1, 0, 1)])
        angle = rise - bend * u
        out, up = out + long / 6 * math.cos(angle), up + long / 6 * math.sin(angle)
    return rows


def _blossom(g: Generator, at) -> Thing:
    heart = plain(g, (0.7, 0.5, 0.05), 0.8)
    many, rise = int(g.integers(5, 11)), g.uniform(0.1, 1.3)
    petals = [_leaf(at, 2 * math.pi * k / many, g.uniform(0.1, 0.16), 0.035, rise, 0.4) for k in range(many)]
    return [ball(0.03, heart, at), skin(petals, plain(g, color(g), 0.6), thick=0.004)]


def potted_plant(g: Generator) -> Thing:
    """Blades from the soil, broad leaves on stems, a bush, or flowers."""
    radius, deep, foot = g.uniform(0.22, 0.36), g.uniform(0.35, 0.6), g.uniform(0.6, 1.0)
    pot = any_of(g, white_plain, white_plain, lambda g: plain(g, (0.5, g.uniform(0.13, 0.2), 0.06), 0.8, bump=0.2), plain, metal, printed)
    lip = g.choice([0, 0.03])
    profile = [
        (0.001, 0),
        (radius * foot, 0),
        (radius, deep * 0.8),
        (radius + lip, deep * 0.82),
        (radius + lip, deep),
        (radius - 0.03, deep),
        (radius - 0.05, deep * 0.85),
    ]
    parts = [
        lathe(profile, pot, 48, 0),
        lathe([(0.001, deep * 0.9), (radius - 0.03, deep * 0.88)], plain(g, (0.03, 0.02, 0.012), 0.95, bump=0.8), 30),
    ]
    greens = [
        plain(g, tuple(np.array((g.uniform(0.03, 0.2), g.uniform(0.15, 0.35), 0.04)) * g.uniform(0.4, 1.3)), g.uniform(0.25, 0.7)) for _ in range(2)
    ]
    kind, count, high = g.integers(4), int(g.integers(6, 26)), g.uniform(0.6, 1.2)
    leaves, stems = ([], []), []
    for number in range(count):
        turn, root = g.uniform(0, 6.28), (*(g.uniform(-0.4, 0.4, 2) * radius), deep * 0.88)
        if kind == 0:
            leaves[number % 2].append(
                _leaf(root, turn, high * g.uniform(0.6, 1.1), g.uniform(0.03, 0.07), g.uniform(1.1, 1.55), g.choice([0.1, 1.6]))
            )
            continue
        far, up = g.uniform(0.1, 0.5) * high, g.uniform(0.4, 1) * high
        tip = (root[0] + far * math.cos(turn), root[1] + far * math.sin(turn), deep + up)
        middle = (root[0] + far * 0.3 * math.cos(turn), root[1] + far * 0.3 * math.sin(turn), deep + up * 0.6)
        stems.append([root, middle, tip])
        if kind == 1:
            leaves[number % 2].append(_leaf(tip, turn, g.uniform(0.3, 0.5), g.uniform(0.1, 0.18), g.uniform(0.2, 0.8), g.uniform(0.8, 1.8)))
            continue
        for _ in range(5):
            at = [a + (b - a) * g.uniform(0.2, 1) for a, b in zip(middle, tip)] if kind == 2 else middle
            leaves[number % 2].append(
                _leaf(at, g.uniform(0, 6.28), g.uniform(0.12, 0.28), g.uniform(0.03, 0.06), g.uniform(-0.2, 1), g.uniform(0, 1.2))
            )
        if kind == 3:
            parts += _blossom(g, tip)
    parts += [skin(grids, green, thick=0.004) for grids, green in zip(leaves, greens) if grids]
    if stems:
        parts.append(wires(stems, g.uniform(0.007, 0.014), greens[0]))
    return standing(g, parts)


def three_legs(material, high: float, spread: float, thick: float, top: float) -> Thing:
    turns = [math.pi / 6 + k * 2 * math.pi / 3 for k in range(3)]
    legs = [[(0.06 * math.cos(a), 0.06 * math.sin(a), top), (spread * math.cos(a), spread * math.sin(a), top - high)] for a in turns]
    joints = [hoop(0.06, thick * 0.8, material, (0, 0, top))]
    return [wires(legs, thick, material), *joints]


def chair(g: Generator) -> Thing:
    """A shell, a plank with a back, or a stool, on four thin legs."""
    seat_at, wide, kind, thick = g.uniform(0.6, 0.75), g.uniform(0.6, 0.75), g.integers(3), g.uniform(0.018, 0.035)
    leg, seat = any_of(g, wood, wood, metal, dark_plain), any_of(g, plain, white_plain, wood, dark_plain, cloth)
    high, lean, deep = g.uniform(0.55, 0.75), g.uniform(0.05, 0.2), wide * 0.95
    if kind == 0:
        way = [
            (-0.5, -0.03),
            (-0.42, 0),
            (0, -0.02),
            (0.32, 0),
            (0.46, 0.1),
            (0.5 + lean * 0.4, 0.3),
            (0.5 + lean * 0.7, 0.6),
            (0.5 + lean, 0.9),
            (0.5 + lean, 1),
        ]
        spans, curl = (0.42, 0.48, 0.5, 0.5, 0.5, 0.5, 0.48, 0.42, 0.3), g.uniform(0.05, 0.3)
        rows = [
            [(wide * span * v, deep * y - 0.6 * curl * max(0, z) * v**4, seat_at + high * z + curl * 0.4 * v**4) for v in np.linspace(-1, 1, 9)]
            for (y, z), span in zip(way, spans)
        ]
        parts = [skin([rows], seat, thick=0.03)]
    else:
        outline = rounded(wide, deep, g.uniform(0.04, 0.16)) if g.random() < 0.7 else rounded(deep, deep, deep * 0.499)
        parts = [extruded(outline, g.uniform(0.03, 0.1), seat, 0.015, (0, 0, seat_at - 0.02))]
    if kind == 1:
        slats, x = int(g.integers(1, 5)), wide * 0.44
        posts = [[(s * x, deep * 0.44, seat_at), (s * x, deep * 0.46 + lean, seat_at + high)] for s in (-1, 1)]
        parts.append(wires(posts, thick, leg))
        for z in np.linspace(1 if slats == 1 else 0.45, 1, slats):
            bar = [(s * x, deep * 0.45 + lean * z + bow, seat_at + high * z - 0.04) for s, bow in ((-1, 0), (0, 0.06), (1, 0))]
            parts.append(tube(bar, 0.02, leg if slats > 1 else seat, flat=0.2 / (1 + slats), tilt=0))
    splay, rail = g.uniform(1.0, 1.3), seat_at * g.uniform(0.25, 0.6)
    tops = [(sx * wide * 0.36, sy * deep * 0.36) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    parts.append(wires([[(x, y, seat_at), (x * splay, y * splay, 0)] for x, y in tops], thick, leg))
    if kind == 2 or g.random() < 0.4:
        ends = [(x * (1 + (splay - 1) * (1 - rail / seat_at)), y * (1 + (splay - 1) * (1 - rail / seat_at)), rail) for x, y in tops]
        parts.append(wires(list(zip(ends, ends[1:] + ends[:1])), thick * 0.7, leg))
    return standing(g, parts, (0, 0, g.choice([0, math.pi]) + g.uniform(-0.6, 0.6)))


def speaker(g: Generator) -> Thing:
    wide, high, deep = g.uniform(0.5, 1.2), g.uniform(0.6, 1.1), g.uniform(0.35, 0.6)
    case, dark, ringed = any_of(g, wood, plain, dark_plain, white_plain, cloth), dark_plain(g), any_of(g, metal, dark_plain, plain)
    parts = [extruded(rounded(wide, high, g.uniform(0.01, 0.2)), deep, case, 0.015, (0, deep / 2, high / 2), FACING)]
    radius = min(wide, high * 0.5) * g.uniform(0.36, 0.44)
    for z, size in ((high * 0.3, radius), (high * 0.74, radius * g.uniform(0.4, 0.9))):
        cone = lathe(
            [(size, 0.01), (size * 0.97, 0.03), (size * 0.85, 0.015), (size * 0.8, 0.025), (size * 0.3, 0.003), (size * 0.2, 0.03), (0.001, 0.04)],
            dark,
        )
        parts += [put(cone, (0, -deep / 2, z), FACING), hoop(size * 0.98, 0.015, ringed, (0, -deep / 2 - 0.015, z), FACING)]
    if g.random() < 0.35:
        parts.append(
            tube(
                [(-wide * 0.42, 0, high * 0.98), (-wide * 0.3, 0, high + 0.15), (wide * 0.3, 0, high + 0.15), (wide * 0.42, 0, high * 0.98)],
                0.025,
                ringed,
            )
        )
    elif g.random() < 0.4:
        parts.append(
            wires(
                [[(sx * wide * 0.4, sy * deep * 0.35, 0.02), (sx * wide * 0.46, sy * deep * 0.42, -0.3)] for sx in (-1, 1) for sy in (-1, 1)],
                0.025,
                wood(g),
            )
        )
    return standing(g, parts)


def clock(g: Generator) -> Thing:
    case, ink, deep = any_of(g, metal, plain, wood, dark_plain), dark_plain(g), g.uniform(0.1, 0.4)
    profile = [(0.001, -deep), (0.42, -deep), (0.47, -deep * 0.8), (0.5, 0), (0.48, 0.03), (0.45, 0.02), (0.44, -0.03)]
    face = lathe([(0.001, -0.02), (0.45, -0.02)], white_plain(g) if g.random() < 0.7 else plain(g), 48, 0)
    parts = [lathe(profile, case, 60, 0), face]
    turns, inner = np.linspace(0, 2 * math.pi, g.choice([5, 13]))[:-1], g.uniform(0.3, 0.37)
    parts.append(wires([[(r * math.sin(a), r * math.cos(a), -0.015) for r in (inner, 0.4)] for a in turns], 0.012, ink))
    hands = [[(0, 0, -0.005), (r * math.sin(a), r * math.cos(a), -0.005)] for r, a in ((0.22, g.uniform(0, 6.28)), (0.34, g.uniform(0, 6.28)))]
    parts.append(wires(hands, 0.014, ink))
    if g.random() < 0.6:
        for side in (-1, 1):
            parts.append(tube([(side * 0.28, -0.38, -deep / 2), (side * 0.36, -0.62, -deep / 2)], 0.03, case))
            if deep > 0.2:
                bell = lathe([(0.001, 0.14), (0.1, 0.11), (0.17, 0), (0.16, 0)], any_of(g, metal, plain))
                parts.append(put(bell, (side * 0.26, 0.5, -deep / 2), (-math.pi / 2, side * 0.5, 0)))
        if deep > 0.2:
            parts.append(tube([(-0.22, 0.6, -deep / 2), (0, 0.8, -deep / 2), (0.22, 0.6, -deep / 2)], 0.02, case))
    return standing(g, parts, (math.pi / 2 - g.uniform(0, 0.15), 0, 0))


def tripod_lamp(g: Generator) -> Thing:
    high, spread, low = g.uniform(0.7, 1.4), g.uniform(0.3, 0.5), g.uniform(0.3, 0.45)
    parts = three_legs(any_of(g, wood, wood, metal, dark_plain), high, spread, g.uniform(0.018, 0.035), 0)
    shade, drum = any_of(g, cloth, white_plain, plain, metal), g.uniform(0.35, 0.5)
    parts.append(lathe([(low, -0.02), (low, 0), (low * g.uniform(0.6, 1), drum), (low * 0.6, drum - 0.01), (low * 0.97, -0.01)], shade, 48, 0))
    parts += [tube([(0, 0, -0.05), (0, 0, 0.15)], 0.03, any_of(g, metal, dark_plain)), ball(0.09, white_plain(g), (0, 0, 0.2))]
    return standing(g, parts)


# Relative frequency of each product.
FURNISHINGS = {potted_plant: 7, chair: 7, clock: 3, speaker: 4, tripod_lamp: 3}
