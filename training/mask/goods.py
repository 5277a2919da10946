"""More products made of patches: things with thin parts, seats, screens, people. The same rules as in products.py."""

import math

import numpy as np
from numpy.random import Generator

from solids import Patch, Solid, arch, cap, lathe, rounded_box, smooth_profile, tube, wander

FRONT = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # turns z to the front


def moved(patch: Patch, turn: np.ndarray | None = None, by=(0.0, 0.0, 0.0)) -> Patch:
    points = patch.points if turn is None else patch.points @ turn
    return patch._replace(points=points + np.asarray(by))


def _tilted(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0], [0, c, s], [0, -s, c]])


def _rod(a, b, radius: float, part: int = 0, steps: int = 4, around: int = 8) -> Patch:
    return tube(np.linspace(a, b, steps), radius, part, around=around)


def laptop(g: Generator) -> Solid:
    """Two thin slabs with keys and a screen; half of them a tablet, a book or a phone on its back or upright."""
    wide, deep, thick = g.uniform(1.2, 1.7), g.uniform(0.8, 1.1), g.uniform(0.03, 0.08)
    solid = [rounded_box([wide, deep, thick], 0.05, part=0)]
    if g.random() < 0.5:
        solid.append(rounded_box([wide * 0.96, deep * 0.96, thick * 0.2], 0.05, [0, 0, thick * 0.95], 1))
        if g.random() < 0.5:
            lean = _tilted(g.uniform(1.1, 1.5))
            return [moved(p, lean, (0, 0, deep / 2)) for p in solid]
        return solid
    rows, columns = int(g.integers(3, 6)), int(g.integers(8, 14))
    for row in range(rows):
        for column in range(columns):
            at = [(column + 0.5) / columns * wide * 0.86 - wide * 0.43, row / rows * deep * 0.45 - 0.02, thick]
            solid.append(Patch(_plate(wide * 0.8 / columns, deep * 0.36 / rows, at), 2, False))
    lid = [rounded_box([wide, deep, thick * 0.6], 0.05, part=0), Patch(_plate(wide * 0.94, deep * 0.92, [0, 0, thick * 0.6 + 0.004]), 1, False)]
    lean = _tilted(g.uniform(1.1, 1.9))
    return solid + [moved(moved(p, None, (0, deep / 2, 0)), lean, (0, deep / 2, thick)) for p in lid]


def _plate(wide: float, deep: float, at) -> np.ndarray:
    x, y = np.meshgrid(np.linspace(-wide / 2, wide / 2, 4), np.linspace(-deep / 2, deep / 2, 4))
    return np.stack([x, y, np.zeros_like(x)], -1) + np.asarray(at)


def seat(g: Generator) -> Solid:
    """Armchairs, sofas, cushions on legs; shells on rods."""
    wide, deep, low = g.uniform(0.9, 2.4), g.uniform(0.8, 1.0), g.uniform(0.12, 0.4)
    soft = g.uniform(0.15, 0.45)
    solid = [rounded_box([wide, deep, g.uniform(0.2, 0.4)], soft, [0, 0, low], 0)]
    back, arm = g.uniform(0.4, 0.9), g.uniform(0.2, 0.5)
    if g.random() < 0.5:  # a shell bent around the seat
        t = np.linspace(-0.1 * math.pi, 1.1 * math.pi, 22)
        high = low + 0.25 + back * np.clip(np.sin(t), 0.15, 1) ** g.uniform(0.3, 1.2)
        path = np.stack([np.cos(t) * wide * 0.52, np.sin(t) * deep * 0.5, high * 0.6 + 0.1], 1)
        solid.append(tube(path, (high - low) * 0.5, 0, around=12, flat=g.uniform(0.1, 0.3)))
    else:
        solid.append(rounded_box([wide, 0.25, back + 0.25], soft, [0, deep * 0.45, low], 0))
        for side in (-1, 1) if g.random() < 0.8 else ():
            solid.append(rounded_box([0.22, deep, arm + 0.2], soft, [side * wide * 0.52, 0, low], 0))
    for _ in range(int(g.integers(0, 4))):
        solid.append(rounded_box([0.45, 0.2, 0.4], 0.5, [g.uniform(-0.35, 0.35) * wide, deep * 0.25, low + 0.25], int(g.integers(1, 4))))
    splay, leg = g.uniform(0, 0.25), g.uniform(0.02, 0.06)
    for x in (-1, 1):
        for y in (-1, 1):
            top = np.array([x * wide * 0.4, y * deep * 0.36, low + 0.05])
            solid.append(_rod(top * [1 + splay * 0.5, 1 + splay, 0], top, leg, 1))
    if g.random() < 0.3:  # rods crossing below
        for x in (-1, 1):
            solid.append(_rod([x * wide * 0.42, -deep * 0.3, 0.02], [-x * wide * 0.3, deep * 0.2, low], leg * 0.5, 1))
    return solid


def board(g: Generator) -> Solid:
    """A skateboard from above or from the side, a snowboard, a surfboard."""
    long, wide = g.uniform(2.2, 3.2), g.uniform(0.5, 0.8)
    t = np.linspace(0, 2 * math.pi, 48, endpoint=False)
    blunt = g.uniform(0.3, 0.8)
    edge = np.stack([np.sign(np.cos(t)) * np.abs(np.cos(t)) ** blunt * long / 2, np.sign(np.sin(t)) * np.abs(np.sin(t)) ** g.uniform(0.3, 0.7) * wide / 2], 1)
    lift = g.uniform(0, 0.3) * np.clip(np.abs(edge[:, 0]) / long * 2 - 0.7, 0, 1)
    rings = [np.column_stack([edge * k, lift * k + z]) for k, z in ((0.02, 0.3), (1, 0.3), (1.0, 0.36), (0.02, 0.36))]
    solid = [Patch(np.stack(rings), 0, True)]
    for x in (-1, 1) if g.random() < 0.85 else ():
        for y in (-1, 1):
            solid.append(_rod([x * long * 0.3, y * wide * 0.32, 0.12], [x * long * 0.3, y * wide * g.uniform(0.45, 0.62), 0.12], 0.12, 1, around=14))
    if g.random() < 0.6:  # lying as seen from above
        lying = _tilted(g.choice([-1, 1]) * math.pi / 2)
        solid = [moved(p, lying, (0, 0, wide / 2)) for p in solid]
        turn = g.uniform(-math.pi, math.pi)
        c, s = math.cos(turn), math.sin(turn)
        spin = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        return [moved(p, spin) for p in solid]
    return solid


def lens(g: Generator) -> Solid:
    """A camera's lens or a lamp's head lying or standing: rings, ribs, a glass front."""
    rings, radius = [], g.uniform(0.4, 0.6)
    along, at = [], 0.0
    for _ in range(int(g.integers(3, 8))):
        step = g.uniform(0.08, 0.4)
        along += [[radius, at], [radius, at + step]]
        at += step
        radius = float(np.clip(radius * g.uniform(0.85, 1.15), 0.3, 0.75))
    rings = np.array([[0, 0], *along])
    solid = [lathe(rings, 0, 36)]
    for high in g.uniform(0.1, 0.9, int(g.integers(1, 4))) * at:
        here = np.interp(high, rings[1:, 1], rings[1:, 0]) * 1.02
        solid.append(lathe(np.array([[here, high], [here, high + g.uniform(0.02, 0.1)]]), int(g.integers(1, 4)), 36))
    radius = rings[-1, 0]
    solid.append(lathe(np.array([[radius, at], [radius * 0.86, at + 0.01], [radius * 0.8, at - 0.12], [radius * 0.5, at - 0.1], [0, at - 0.05]]), 2, 36))
    if g.random() < 0.7:  # lying, the glass to the front
        return [moved(p, FRONT, (0, 0, float(rings[:, 0].max()))) for p in solid]
    return solid


def tripod(g: Generator) -> Solid:
    """A camera, a lamp or a telescope on three legs, with straps hanging from it."""
    tall, splay = g.uniform(0.8, 2.2), g.uniform(0.25, 0.6)
    head = np.array([0, 0, tall])
    solid: Solid = []
    for turn in np.array([0.2, 2.3, 4.4]) + g.normal(0, 0.2, 3):
        foot = np.array([math.cos(turn) * splay, math.sin(turn) * splay, 0])
        knee = foot * 0.5 + head * 0.5
        solid += [_rod(foot, knee, g.uniform(0.015, 0.03), 1), _rod(knee, head, g.uniform(0.025, 0.05), 1)]
    solid.append(_rod(head, head + [0, 0, 0.25], 0.05, 1))
    size = g.uniform([0.5, 0.2, 0.3], [0.9, 0.4, 0.55])
    solid.append(rounded_box(size, 0.12, head + [0, 0, 0.22], 0))
    barrel = lathe(cap(np.array([[0.2, 0], [0.2, 0.25], [0.22, 0.3]])), 2)
    solid.append(moved(barrel, FRONT, head + [g.normal(0, 0.1), -size[1] / 2, 0.22 + size[2] / 2]))
    solid.append(rounded_box([size[0] * 0.3, size[1], 0.1], 0.2, head + [0, 0, 0.22 + size[2]], 3))
    for side in (-1, 1):
        if g.random() < 0.5:
            t = np.linspace(0, 1, 14)
            drop = tall * g.uniform(0.3, 0.95)
            path = head + np.stack([side * (size[0] / 2 + 0.15 * np.sin(math.pi * t)), 0.1 * np.sin(3 * t), 0.4 - drop * t], 1)
            solid.append(tube(path, 0.03, 3, around=6, flat=0.3))
    return solid


def bicycle(g: Generator) -> Solid:
    """Two wheels with spokes between thin tubes; also a pushchair, a trolley, a wheelchair."""
    solid: Solid = []
    far, radius = g.uniform(0.9, 1.25), g.uniform(0.5, 0.72)
    tyre, spokes = g.uniform(0.015, 0.05), int(g.integers(6, 22))
    t = np.linspace(0, 2 * math.pi, 36)
    for x in (-far, far) if g.random() < 0.9 else (0.0,):
        hub = np.array([x, 0, radius])
        solid.append(tube(np.stack([np.cos(t) * radius, 0 * t, np.sin(t) * radius], 1) + hub, tyre, 1, around=6, caps=False))
        for turn in np.linspace(0, 2 * math.pi, spokes, endpoint=False):
            solid.append(_rod(hub, hub + [math.cos(turn) * radius, 0, math.sin(turn) * radius], g.uniform(0.004, 0.01), 2, 2, 4))
    thick = g.uniform(0.02, 0.05)
    low, saddle, front = np.array([-0.15, 0, radius * 0.9]), np.array([-0.4, 0, radius * 2.1]), np.array([far * 0.62, 0, radius * 2.1])
    rear, fore = np.array([-far, 0, radius]), np.array([far, 0, radius])
    for a, b in ((low, saddle), (saddle, front), (low, front), (rear, low), (rear, saddle), (front, fore)):
        solid.append(_rod(a, b, thick, 0))
    solid.append(_rod(saddle, saddle + [-0.08, 0, 0.3], thick * 0.8, 0))
    solid.append(rounded_box([0.42, 0.18, 0.08], 0.6, saddle + [-0.08, 0, 0.3], 3))
    grip = np.array([[0.0, 0, 0], [0.05, 0, 0.25], [0.25, 0.05, 0.28], [0.32, 0.12, 0.15], [0.2, 0.14, 0.0]])
    solid.append(tube(grip + front, thick * 0.7, 3))
    solid.append(lathe(cap(np.array([[0.16, -0.02], [0.16, 0.02]])), 2)._replace(points=lathe(cap(np.array([[0.16, -0.02], [0.16, 0.02]])), 2).points @ FRONT + low))
    solid.append(_rod(low, low + [g.uniform(-0.2, 0.2), -0.08, -0.25], 0.02, 2))
    return solid


def plug(g: Generator) -> Solid:
    """A plug on a cable: a body, pins, a sleeve, a cord that wanders away."""
    size = g.uniform([0.3, 0.15, 0.5], [0.6, 0.35, 1.0])
    solid = [rounded_box(size, g.uniform(0.05, 0.4), [0, 0, 0], 0), rounded_box(size * [0.7, 0.6, 0.5], 0.08, [0, 0, size[2] * 0.97], 1)]
    for _ in range(int(g.integers(0, 4))):
        solid.append(_rod([g.uniform(-0.2, 0.2) * size[0], 0, size[2] * 1.3], [0, 0, size[2] * 1.7], 0.03, 2))
    thick = size[0] * g.uniform(0.15, 0.4)
    count = 30
    t = np.linspace(0, 1, count)[:, None]
    path = np.array([0, 0, 0.02]) + t * [g.normal(0, 0.6), g.normal(0, 0.2), -g.uniform(1, 3)] + wander(g, count, 0.25, 3) * t
    solid.append(tube(path, thick, 0, around=10))
    solid.append(tube(path[:5], np.linspace(thick * 1.8, thick * 1.1, 5), int(g.choice([0, 1])), around=10))
    turn = g.uniform(-2.2, 2.2)
    c, s = math.cos(turn), math.sin(turn)
    spin = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    turned = [moved(p, spin) for p in solid]
    low = min(float(p.points[..., 2].min()) for p in turned)
    return [moved(p, None, (0, 0, -low)) for p in turned]


def flowers(g: Generator) -> Solid:
    """A pot or a vase with thin stems, blossoms and broad leaves."""
    tall, radius = g.uniform(0.3, 0.8), g.uniform(0.18, 0.4)
    flare = g.uniform(0.6, 1.3)
    solid = [lathe(np.array([[0, 0], [radius * flare, 0], [radius, tall * 0.9], [radius * 1.05, tall], [radius * 0.9, tall], [0, tall * 0.9]]), 0)]
    count = int(g.integers(2, 11))
    bloom, petals = g.uniform(0.06, 0.2), int(g.integers(1, 7))
    for _ in range(count):
        way = np.array([g.normal(0, 0.35), g.normal(0, 0.3), g.uniform(0.5, 1.8)])
        bow = np.linspace(0, 1, 12)[:, None]
        path = [0, 0, tall * 0.8] + bow * way + bow**2 * [g.normal(0, 0.3), 0, -g.uniform(0, 0.3)]
        solid.append(tube(path, g.uniform(0.008, 0.03), 1, around=5))
        for at in path[-1:] if g.random() < 0.5 else path[4::2]:
            for _ in range(petals):
                size = bloom * g.uniform([0.8, 0.8, 0.6], [1.4, 1.4, 1.5])
                solid.append(rounded_box(size, 0.9, at + g.normal(0, bloom * 0.4, 3), 2))
    for _ in range(int(g.integers(0, 9))):
        way = np.array([g.normal(0, 0.5), g.normal(0, 0.3), g.uniform(0.0, 0.9)])
        bow = np.linspace(0, 1, 9)[:, None]
        path = [0, 0, tall * 0.85] + bow * way + bow**2 * [0, 0, -g.uniform(0, 0.5)]
        solid.append(tube(path, np.sin(np.linspace(0.2, 3.0, 9)) * g.uniform(0.04, 0.16), 3, around=6, flat=0.25))
    return solid


def pendant(g: Generator) -> Solid:
    """A lamp, a bag, a mobile hanging from a cord that ends above the image."""
    profile = smooth_profile(g, int(g.integers(2, 5)), 0.15, g.uniform(0.4, 0.8), g.uniform(0.4, 1.0))
    solid = [lathe(profile, 0)]
    top = profile[-1, 1]
    solid.append(lathe(np.array([[profile[-1, 0], top], [0.06, top + 0.08], [0, top + 0.12]]), 1))
    if g.random() < 0.5:
        solid.append(rounded_box([0.2, 0.2, 0.24], 1.0, [0, 0, -0.05], 2))
    lean = g.normal(0, 0.05)
    solid.append(_rod([0, 0, top + 0.1], [lean * 3, 0, top + g.uniform(0.6, 3)], g.uniform(0.008, 0.03), 3, 6, 6))
    return solid


def _limb(points, radii, part: int) -> Patch:
    path, radii = np.asarray(points, float), np.asarray(radii, float)
    t, fine = np.linspace(0, 1, len(path)), np.linspace(0, 1, 14)
    smooth = np.stack([np.interp(fine, t, path[:, axis]) for axis in range(3)], 1)
    smooth[1:-1] = (smooth[:-2] + 2 * smooth[1:-1] + smooth[2:]) / 4
    return tube(smooth, np.interp(fine, t, radii), part, around=12)


def person(g: Generator) -> Solid:
    """A mannequin in clothes, with a bag or a cup in hand or none; material 3 is skin. Often cut to the upper body."""
    broad, hips = g.uniform(0.34, 0.46), g.uniform(0.28, 0.4)
    fat = g.uniform(0.5, 0.75)
    loose = g.uniform(1.0, 1.35)
    sections = np.array([[hips * 0.95, 1.7], [hips * loose, 1.85], [hips * 0.82 * loose, 2.25], [broad * loose, 2.7], [broad * 0.9, 2.98], [0.13, 3.1], [0.12, 3.12]])
    fine = np.linspace(1.7, 3.12, 22)
    body = np.stack([np.interp(fine, sections[:, 1], sections[:, 0]), fine], 1)
    solid = [lathe(cap(body), 0, oval=fat)]
    solid.append(_limb([[0, 0, 3.05], [0, -0.02, 3.3]], [0.13, 0.12], 3))
    solid.append(rounded_box([0.38, 0.44, 0.54], 0.95, [0, -0.03, 3.22], 3))
    hair = g.uniform([0.42, 0.46, 0.3], [0.6, 0.6, 0.9])
    solid.append(rounded_box(hair, 0.8, [0, 0.07, 3.86 - hair[2]], 2))
    stride = g.normal(0, 0.15)
    skirt = g.random() < 0.3
    if skirt:
        solid.append(lathe(np.array([[hips * 0.8, 2.0], [hips * 1.1, 1.6], [hips * g.uniform(1.1, 1.8), g.uniform(0.5, 1.3)]]), 1, oval=0.8))
    for side in (-1, 1):
        leg = [[side * 0.19, 0, 1.85], [side * 0.21, stride * side, 1.0], [side * 0.2, stride * side * 1.5, 0.1]]
        solid.append(_limb(leg, np.array([0.2, 0.15, 0.1]) * (1 if skirt else loose), 3 if skirt else 1))
        solid.append(rounded_box([0.16, 0.4, 0.14], 0.5, [side * 0.2, stride * side * 1.5 - 0.1, 0], 2))
        solid.extend(_arm(g, side, broad, loose))
    if g.random() < 0.35:  # the upper body only
        cut = g.uniform(1.5, 2.2)
        kept = [p for p in solid if p.points[..., 2].max() > cut]
        return [p._replace(points=np.maximum(p.points, [-9, -9, cut]) - [0, 0, cut]) for p in kept]
    return solid


def _arm(g: Generator, side: int, broad: float, loose: float) -> Solid:
    shoulder = np.array([side * broad * 0.92, 0, 2.88])
    elbow = shoulder + [side * g.uniform(0.05, 0.35), g.uniform(-0.25, 0.15), -g.uniform(0.4, 0.55)]
    hand = elbow + np.array([-side * g.uniform(-0.25, 0.5), -g.uniform(0, 0.5), g.uniform(-0.55, 0.45)])
    bare = g.random() < 0.5
    sleeve = elbow if bare else elbow * 0.1 + hand * 0.9
    arm = [_limb([shoulder, elbow, hand], [0.11, 0.085, 0.06], 3)]
    worn = [shoulder, shoulder * 0.4 + elbow * 0.6] if bare else [shoulder, elbow, sleeve]
    arm.append(_limb(worn, np.linspace(0.14, 0.1, len(worn)) * loose, 0))
    arm.append(rounded_box([0.13, 0.13, 0.19], 0.8, hand - [0, 0, 0.1], 3))
    if g.random() < 0.3:
        size = g.uniform([0.1, 0.06, 0.15], [0.7, 0.3, 0.7])
        arm.append(rounded_box(size, g.uniform(0.05, 0.5), hand - [0, 0.05, size[2] * g.uniform(0.2, 1.1)], int(g.integers(0, 3))))
        if g.random() < 0.5:
            arm.append(tube(arch(g, size[0] * 0.5, 0.25, hand - [0, 0.05, 0.22]), 0.025, 2))
    return arm


def held(g: Generator) -> Solid:
    """A hand and forearm from the image's edge, holding a box, a bottle or a phone; material 3 is skin."""
    size = g.uniform([0.35, 0.08, 0.5], [0.9, 0.5, 1.4])
    if g.random() < 0.5:
        solid = [rounded_box(size, g.choice([0.05, 0.2, 0.5]), part=0), rounded_box(size * [0.8, 0.2, 0.7], 0.08, [0, -size[1] * 0.45, size[2] * 0.15], 1)]
    else:
        radius = size[0] / 2
        solid = [lathe(cap(smooth_profile(g, 4, radius * 0.6, radius, size[2])), 0), lathe(cap(np.array([[radius * 0.4, size[2]], [radius * 0.4, size[2] + 0.15]])), 1)]
    side, grip = g.choice([-1, 1]), size[2] * g.uniform(0.2, 0.6)
    palm = np.array([side * size[0] * 0.55, size[1] * 0.3, grip])
    away = palm + np.array([side * g.uniform(0.6, 1.6), g.uniform(0, 0.6), -g.uniform(0.2, 1.6)])
    solid.append(rounded_box([0.22, 0.3, 0.42], 0.7, palm - [0, 0, 0.2], 3))
    solid.append(_limb([palm, palm * 0.5 + away * 0.5, away], [0.13, 0.16, 0.2], 3))
    if g.random() < 0.6:
        solid.append(_limb([palm * 0.5 + away * 0.5, away], [0.24, 0.28], 2))
    for finger in np.linspace(-0.17, 0.17, 4):
        tip = np.array([side * size[0] * g.uniform(-0.1, 0.25), -size[1] * 0.55 - 0.04, grip + finger + g.normal(0, 0.02)])
        bent = np.array([side * size[0] * 0.58, -size[1] * 0.5 - 0.04, grip + finger])
        solid.append(_limb([palm + [0, 0, finger], bent, tip], [0.06, 0.055, 0.045], 3))
    low = min(float(p.points[..., 2].min()) for p in solid)
    return [moved(p, None, (0, 0, -low)) for p in solid]


# Relative frequency of each, beside those of products.py.
GOODS = {
    laptop: 8, seat: 9, board: 6, lens: 6, tripod: 5, bicycle: 5, plug: 5, flowers: 7, pendant: 5, person: 9, held: 6,
}  # fmt: skip
SKINNED = (person, held)
