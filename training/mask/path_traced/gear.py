"""Gear for path tracing, from the shapes of goods.py: cameras, bags, hats, scents, toys, bicycles, guitars."""

import math

import numpy as np
from numpy.random import Generator

from .furnishings import three_legs
from .goods import FACING, any_of, dark_plain, extruded, hoop, put, rounded, skin, standing, white_plain, wires
from .materials import any_material, cloth, color, glass, metal, painted, plain, printed, wood
from .shapes import Thing, ball, box, lathe, tube

SIDEWAYS = (0, math.pi / 2, 0)


def smooth_outline(points, steps: int = 6) -> list:
    """A closed outline through these points (Catmull and Rom's curve)."""
    b = np.array(points, float)
    a, c, d = np.roll(b, 1, 0), np.roll(b, -1, 0), np.roll(b, -2, 0)
    runs = [b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a))) for u in np.linspace(0, 1, steps, endpoint=False)]
    return [tuple(point) for point in np.stack(runs, 1).reshape(-1, b.shape[1])]


def mirrored(half) -> list:
    return list(half) + [(-x, y) for x, y in reversed(half) if x > 0]


def photo_camera(g: Generator) -> Thing:
    """A camera, sometimes with its strap, sometimes on three legs."""
    wide, high, deep = g.uniform(0.9, 1.1), g.uniform(0.55, 0.7), g.uniform(0.22, 0.34)
    hide, top, dark = (
        plain(g, color(g, g.random() < 0.7), 0.6, bump=0.4, scale=150),
        any_of(g, metal, dark_plain, plain),
        plain(g, (0.008,) * 3, 0.25),
    )
    lip, x, z, radius, front = high * g.uniform(0.68, 0.8), g.uniform(-0.12, 0.12), high * 0.42, high * g.uniform(0.32, 0.44), -deep / 2
    parts = [extruded(rounded(wide, deep, deep * g.uniform(0.15, 0.49)), lip, hide, 0.01)]
    parts.append(extruded(rounded(wide, deep, deep * 0.3), high - lip, top, 0.03, (0, 0, lip)))
    if g.random() < 0.6:
        parts.append(extruded([(-0.2, 0), (0.2, 0), (0.12, 0.2), (-0.12, 0.2)], deep * 0.9, top, 0.03, (x, deep * 0.45, high - 0.02), FACING))
    else:
        parts.append(box((0.16, 0.01, 0.09), glass(g), 0.004, at=(-x - 0.25, front - 0.002, lip + 0.02)))
    if g.random() < 0.6:
        parts.append(extruded(rounded(0.16, lip, 0.06), 0.08, hide, 0.03, (-wide * 0.42, front + 0.01, lip / 2), FACING))
    profile, at = [(radius, -0.02)], 0.0
    for _ in range(int(g.integers(2, 5))):
        step, ring = g.uniform(0.04, 0.2), radius * g.uniform(0.82, 1)
        profile += [(ring, at), (ring, at + step)]
        at += step
    profile += [(ring * 0.85, at), (ring * 0.7, at - 0.04)]
    parts += [put(lathe(profile, any_of(g, dark_plain, dark_plain, metal), 48, 0), (x, front, z), FACING)]
    parts += [
        put(
            lathe([(ring * 0.75, at - 0.05), (ring * 0.4, at - 0.02), (0.001, at - 0.01)], dark if g.random() < 0.75 else glass(g)),
            (x, front, z),
            FACING,
        )
    ]
    for place, size in ((-0.4, 0.05), (0.3, 0.08), (0.42, 0.06)):
        parts.append(
            put(
                lathe([(0.001, 0.07), (size * 0.9, 0.07), (size, 0.06), (size, 0)], any_of(g, metal, dark_plain), 30, 0),
                (wide * place, 0, high - 0.02),
            )
        )
    if g.random() < 0.45:
        out, lie = wide * g.uniform(0.6, 0.8), g.uniform(-0.7, 0.5)
        loop = [
            (-wide / 2, 0, lip),
            (-out, lie * 0.2, high * 0.4),
            (-out * 0.8, lie, 0.03),
            (0.1, lie * 1.4, 0.02),
            (out * 0.9, lie * 0.8, 0.03),
            (out, 0, high * 0.4),
            (wide / 2, 0, lip),
        ]
        parts.append(tube(loop, 0.015, any_of(g, cloth, plain, dark_plain), flat=g.choice([0, 0.03])))
    elif g.random() < 0.45:
        parts += three_legs(dark_plain(g), g.uniform(1.0, 1.8), g.uniform(0.4, 0.7), 0.025, -0.12)
        parts.append(lathe([(0.001, 0), (0.12, 0), (0.12, -0.03), (0.05, -0.06), (0.06, -0.3), (0.001, -0.3)], dark_plain(g)))
    return standing(g, parts, (0, 0, g.uniform(-0.4, 0.4)))


def backpack(g: Generator) -> Thing:
    wide, high, deep = g.uniform(0.6, 0.8), g.uniform(0.9, 1.15), g.uniform(0.28, 0.42)
    hide, second, line = any_of(g, cloth, cloth, plain, dark_plain), any_of(g, cloth, plain, printed, dark_plain), any_of(g, metal, dark_plain, plain)
    top, front, taper = g.uniform(0.5, 0.95) * wide / 2, -deep / 2, g.uniform(0.8, 1)

    def shape(w: float, h: float) -> list:
        half = [
            (w * 0.42, -h / 2),
            (w / 2, -h / 2 + 0.08),
            (w / 2 * (1 + taper) / 2, 0.1 * h),
            (w / 2 * taper, h / 2 - top * 0.8),
            (w * 0.28 * taper, h / 2 - top * 0.15),
            (0, h / 2),
        ]
        return smooth_outline(mirrored([(0, -h / 2), *half]), 5)

    parts = [extruded(shape(wide, high), deep, hide, deep * g.uniform(0.25, 0.45), (0, deep / 2, high / 2), FACING)]
    rows = g.uniform(0.38, 0.5)
    parts.append(extruded(rounded(wide * 0.78, high * rows, 0.09), 0.16, second, 0.06, (0, front + 0.04, high * 0.27), FACING))
    parts.append(
        tube(
            [
                (-wide * 0.3, front - 0.12, high * (rows - 0.05)),
                (0, front - 0.125, high * (rows - 0.05)),
                (wide * 0.3, front - 0.12, high * (rows - 0.05)),
            ],
            0.01,
            line,
        )
    )
    seam = [(x * 1.01, 0.02, z + high / 2) for x, z in shape(wide, high)[::3] if z > -high * 0.25]
    parts.append(tube(seam, 0.012, line))
    if g.random() < 0.6:
        parts.append(extruded(rounded(0.2, 0.12, 0.02), 0.01, printed(g), 0.003, (0, front - 0.005, high * 0.68), FACING))
    parts.append(
        tube(
            [(-0.1, deep * 0.3, high * 0.96), (-0.08, deep * 0.3, high + 0.1), (0.08, deep * 0.3, high + 0.1), (0.1, deep * 0.3, high * 0.96)],
            0.022,
            second,
            flat=0.02,
        )
    )
    for side in (-1, 1):
        x, bow = side * wide * 0.25, g.uniform(0.15, 0.35)
        way = [
            (x, deep * 0.45, high * 0.9),
            (x * 1.3, deep / 2 + bow, high * 0.7),
            (x * 1.5, deep / 2 + bow * 0.8, high * 0.3),
            (x * 1.5, deep * 0.45, high * 0.08),
        ]
        parts.append(tube(way, 0.03, hide, flat=0.05))
        if g.random() < 0.5:
            parts.append(ball(0.14, second, (side * wide * 0.47, 0, high * 0.22), (0.5, 0.8, 1.2)))
    return standing(g, parts, (g.uniform(-0.12, 0.05), 0, g.choice([0, 0, math.pi, 0.8])))


def controller(g: Generator) -> Thing:
    half = [(0, 0.2), (0.2, 0.23), (0.42, 0.22), (0.57, 0.06), (0.64, -0.22), (0.58, -0.38), (0.46, -0.36), (0.35, -0.18), (0.22, -0.1), (0, -0.1)]
    body, key, thick = any_of(g, white_plain, dark_plain, plain, printed), any_of(g, dark_plain, plain), g.uniform(0.16, 0.22)
    parts = [extruded(smooth_outline(mirrored(half)), thick, body, thick * 0.45)]
    stick = [(0.001, 0.09), (0.07, 0.1), (0.085, 0.085), (0.05, 0.07), (0.04, 0), (0.09, -0.005)]
    parts += [
        put(lathe(stick, key), (x, y, thick)) for x, y in (((-0.2, -0.02), (0.2, -0.02)) if g.random() < 0.5 else ((-0.38, 0.08), (0.18, -0.02)))
    ]
    cross = (-0.38, 0.08) if parts[1].location.x > -0.3 else (-0.18, -0.02)
    parts += [box((*size, 0.03), key, 0.008, at=(*cross, thick - 0.005)) for size in ((0.16, 0.05), (0.05, 0.16))]
    for k in range(4):
        a = k * math.pi / 2
        button = lathe([(0.001, 0.03), (0.025, 0.03), (0.033, 0)], plain(g) if g.random() < 0.6 else key, 20)
        parts.append(put(button, (0.38 + 0.07 * math.cos(a), 0.09 + 0.07 * math.sin(a), thick - 0.005)))
    parts += [extruded(rounded(0.2, 0.05, 0.02), thick * 0.5, key, 0.015, (x, 0.22, thick * 0.3)) for x in (-0.36, 0.36)]
    return standing(g, parts, (g.choice([0, 0.9, 1.3]), 0, g.uniform(-0.5, 0.5)))


def perfume(g: Generator) -> Thing:
    wide, high, deep, corner = g.uniform(0.45, 0.75), g.uniform(0.6, 0.9), g.uniform(0.2, 0.45), g.uniform(0.02, 0.1)
    outline = rounded(wide, deep, corner) if g.random() < 0.65 else rounded(wide, wide, wide * 0.499)
    tone, lid = tuple(g.uniform(0.4, 1, 3)), any_of(g, metal, dark_plain, wood, plain)
    parts = [extruded(outline, high, glass(g) if g.random() < 0.8 else any_material(g), 0.03)]
    parts.append(extruded([(x * 0.86, y * 0.82) for x, y in outline], high * g.uniform(0.5, 0.85), glass(g, tone), 0.02, (0, 0, 0.06)))
    parts.append(lathe([(0.001, high + 0.08), (0.09, high + 0.08), (0.09, high - 0.005)], metal(g), 40, 0))
    cap = g.uniform(0.14, 0.22), g.uniform(0.15, 0.4)
    if g.random() < 0.5:
        parts.append(
            lathe(
                [
                    (0.001, high + 0.06 + cap[1]),
                    (cap[0] * 0.95, high + 0.06 + cap[1]),
                    (cap[0], high + 0.04 + cap[1]),
                    (cap[0], high + 0.06),
                    (0.001, high + 0.06),
                ],
                lid,
                48,
                0,
            )
        )
    else:
        parts.append(extruded(rounded(cap[0] * 2, min(deep, cap[0] * 2), 0.02), cap[1], lid, 0.015, (0, 0, high + 0.06)))
    if max(y for _, y in outline) < wide * 0.49:
        parts.append(extruded(rounded(wide * 0.6, high * 0.4, 0.01), 0.004, printed(g), 0, (0, -deep / 2 - 0.001, high * 0.45), FACING))
    return standing(g, parts)


def hat(g: Generator) -> Thing:
    """A cap with a visor, a hat with a brim, or a knitted one."""
    hide, kind, dome = any_of(g, cloth, cloth, plain, printed), g.integers(3), [(math.cos(a), math.sin(a)) for a in np.linspace(0, 1.56, 8)]
    high = g.uniform(0.75, 1)
    if kind == 0:
        visor, long, dip = any_of(g, cloth, plain, dark_plain), g.uniform(0.35, 0.5), g.uniform(0.02, 0.15)
        turns = np.linspace(-1.3, 1.3, 15)
        rows = [
            [(0.41 * math.sin(a), -0.41 * math.cos(a) - long * r * math.cos(a * 1.1) ** 0.6, 0.02 + dip * (1 - abs(a)) * (1 - r)) for a in turns]
            for r in np.linspace(0, 1, 5)
        ]  # fmt: skip
        parts = [
            lathe([(0.42 * c, 0.5 * high * s) for c, s in dome], hide, 48),
            skin([rows], visor, thick=0.02),
            ball(0.03, visor, (0, 0, 0.5 * high)),
        ]
        seams = [[(0.424 * c * math.cos(a), 0.424 * c * math.sin(a), 0.503 * high * s) for c, s in dome] for a in np.linspace(0, 2 * math.pi, 7)[:-1]]
        parts.append(wires(seams, 0.005, hide))
        if g.random() < 0.5:
            parts.append(extruded(rounded(0.22, 0.14, 0.03), 0.01, printed(g), 0.003, (0, -0.4, 0.24 * high), (math.pi / 2 - 0.35, 0, 0)))
    elif kind == 1:
        brim, curl, crown = g.uniform(0.7, 1.0), g.uniform(-0.08, 0.15), g.uniform(0.3, 0.5)
        profile = [
            (brim, curl),
            (0.5, 0.02),
            (0.41, 0.04),
            (0.39, crown * 0.6),
            (0.33, crown),
            (0.2, crown * g.uniform(0.85, 1.05)),
            (0.001, crown * 0.9),
        ]
        shell = lathe(profile, hide, 60)
        shell.modifiers.new("t", "SOLIDIFY").thickness = 0.015
        parts = [shell, lathe([(0.415, 0.05), (0.403, 0.14)], any_of(g, dark_plain, cloth, plain), 48, 0)]
    else:
        fold = [(0.4, 0), (0.44, 0.04), (0.44, 0.2), (0.4, 0.22)]
        parts = [lathe(fold + [(0.4 * c, 0.22 + 0.45 * high * s) for c, s in dome], hide, 48)]
        if g.random() < 0.7:
            parts.append(ball(g.uniform(0.1, 0.17), cloth(g), (0, 0, 0.22 + 0.52 * high)))
    return standing(g, parts, (g.uniform(-0.15, 0.1), 0, g.uniform(-0.6, 0.6)))


def bicycle(g: Generator) -> Thing:
    frame, dark, bright, radius = plain(g), dark_plain(g), metal(g), g.uniform(0.32, 0.36)
    rear, front, pedal, saddle, head = (-0.5, 0, radius), (0.54, 0, radius), (-0.06, 0, 0.3), (-0.2, 0, g.uniform(0.74, 0.84)), (0.36, 0, 0.84)
    step, neck = g.choice([0.0, 0.28]), (0.4, 0, 0.7)
    ways = [
        [pedal, saddle],
        [(saddle[0] + step * 0.2, 0, saddle[2] - 0.05 - step), (head[0], 0, head[2] - 0.04)],
        [pedal, neck],
        [(head[0] - 0.01, 0, head[2] + 0.06), neck],
    ]
    stays = [
        [(a[0], s * 0.03, a[2]), (b[0], s * 0.05, b[2])]
        for s in (-1, 1)
        for a, b in ((pedal, rear), ((-0.18, 0, saddle[2] - 0.1), rear), (neck, front))
    ]
    parts = [wires(ways, g.uniform(0.016, 0.026), frame), wires(stays, 0.011, frame)]
    for hub in (rear, front):
        turns = np.linspace(0, 2 * math.pi, int(g.integers(14, 29)))[:-1]
        parts.append(
            wires(
                [
                    [(hub[0], (-1) ** k * 0.03, hub[2]), (hub[0] + (radius - 0.03) * math.cos(a), 0, hub[2] + (radius - 0.03) * math.sin(a))]
                    for k, a in enumerate(turns)
                ],
                0.0025,
                bright,
            )
        )
        parts += [hoop(radius - 0.014, g.uniform(0.012, 0.026), dark, hub, FACING), hoop(radius - 0.035, 0.009, bright, hub, FACING)]
    back, out, drop = g.uniform(-0.15, 0.1), g.uniform(0.2, 0.3), g.uniform(-0.1, 0.1)
    bar = [(head[0] + back, -out, 0.93 + drop), (head[0] + 0.06, -0.08, 0.94), (head[0] + 0.06, 0.08, 0.94), (head[0] + back, out, 0.93 + drop)]
    parts += [
        tube(bar, 0.012, bright),
        tube([(head[0], 0, 0.88), (head[0] + 0.06, 0, 0.94)], 0.014, bright),
        tube([saddle, (-0.22, 0, saddle[2] + 0.08)], 0.012, bright),
    ]
    parts += [ball(0.13, dark, (-0.24, 0, saddle[2] + 0.1), (1, 0.5, 0.25)), hoop(0.08, 0.012, bright, (pedal[0], -0.04, pedal[2]), FACING)]
    for side in (-1, 1):
        foot = (pedal[0] + side * 0.12, side * 0.08, pedal[2] + side * 0.08)
        parts += [
            tube([(pedal[0], side * 0.06, pedal[2]), foot], 0.009, bright),
            box((0.09, 0.07, 0.02), dark, 0.005, at=(foot[0], foot[1] + side * 0.03, foot[2])),
        ]
    return standing(g, parts)


def guitar(g: Generator) -> Thing:
    electric, deep = g.random() < 0.4, 0.0
    half = [(0, 0), (0.2, 0.01), (0.31, 0.12), (0.31, 0.26), (0.2, 0.43), (0.21, 0.55), (0.23, 0.64), (0.13, 0.76), (0, 0.78)]
    if electric:
        half = [(0, 0), (0.16, 0.02), (0.25, 0.14), (0.21, 0.3), (0.17, 0.4), (0.2, 0.52), (0.19, 0.66), (0.13, 0.68), (0.08, 0.56), (0, 0.54)]
    deep, body, dark, bright = (0.06 if electric else g.uniform(0.13, 0.19)), any_of(g, wood, wood, plain, dark_plain), wood(g, True), metal(g)
    end, bridge = g.uniform(1.15, 1.3), 0.22
    parts = [extruded(smooth_outline(mirrored(half)), deep, body, 0.015)]
    parts.append(box((0.075, end - 0.5, 0.04), dark, 0.008, at=(0, (end + 0.5) / 2, deep - 0.01)))
    parts.append(extruded([(-0.05, 0), (0.05, 0), (0.075, 0.22), (-0.075, 0.22)], 0.025, any_of(g, wood, dark_plain), 0.006, (0, end, deep - 0.01)))
    parts.append(box((0.2 if not electric else 0.1, 0.05, 0.025), dark if not electric else bright, 0.006, at=(0, bridge, deep)))
    xs = np.linspace(-0.028, 0.028, 6)
    parts.append(wires([[(x, bridge, deep + 0.03), (x * 0.9, end, deep + 0.035), (x * 1.6, end + 0.15, deep + 0.018)] for x in xs], 0.0018, bright))
    if electric:
        parts += [box((0.11, 0.035, 0.02), dark_plain(g), 0.006, at=(0, y, deep)) for y in (0.3, 0.38, 0.46)]
        parts.append(
            extruded(
                smooth_outline([(0.05, 0.05), (0.18, 0.1), (0.16, 0.3), (0.14, 0.5), (0.05, 0.48), (0.06, 0.25)]),
                0.006,
                white_plain(g),
                0.002,
                (0, 0, deep),
            )
        )
    else:
        parts += [
            put(lathe([(0.001, 0.002), (0.085, 0.002)], plain(g, (0.004,) * 3, 0.9), 40, 0), (0, 0.48, deep)),
            hoop(0.095, 0.008, dark, (0, 0.48, deep)),
        ]
    parts.append(wires([[(s * 0.05, end + y, deep), (s * 0.115, end + y, deep)] for s in (-1, 1) for y in (0.04, 0.1, 0.16)], 0.012, bright))
    return standing(g, parts, (g.choice([math.pi / 2 - g.uniform(0.05, 0.35), 0, math.pi / 2]), g.choice([0, 0, g.uniform(-0.6, 0.6)]), 0))


def play_ball(g: Generator) -> Thing:
    """A ball with a print, with segments of two colors, or with grooves."""
    kind, lean = g.random(), tuple(g.uniform(-0.8, 0.8, 3))
    count, side = int(g.choice([4, 6, 8])), 256
    segments = np.where((np.arange(side) * count // side % 2 == 0)[None, :, None], color(g), color(g)) * np.ones((side, 1, 1))
    hide = plain(g, None, g.choice([0.15, 0.5, 0.8]), bump=g.choice([0, 0.3]), scale=140)
    if kind < 0.7:
        hide = printed(g) if kind < 0.35 else painted(g, segments, g.uniform(0.1, 0.6))
    rows = [
        [(0.5 * math.cos(b) * math.cos(a), 0.5 * math.cos(b) * math.sin(a), 0.5 * math.sin(b)) for a in np.linspace(0, 2 * math.pi, 33)[:-1]]
        for b in np.linspace(-1.56, 1.56, 17)
    ]
    parts, groove = [skin([rows], hide, True)], plain(g, color(g, True), 0.6)
    if kind > 0.7 and g.random() < 0.7:
        parts += [hoop(0.497, 0.006, groove, turn=turn) for turn in ((0, 0, 0), FACING, SIDEWAYS)]
        parts += [hoop(0.37, 0.006, groove, (s * 0.333, 0, 0), SIDEWAYS) for s in (-1, 1)]
    return standing(g, parts, lean)


# Relative frequency of each product.
GEAR = {photo_camera: 7, backpack: 5, controller: 4, perfume: 4, hat: 4, bicycle: 4, guitar: 4, play_ball: 3}
