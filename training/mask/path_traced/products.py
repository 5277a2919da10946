"""Products for path tracing. Each maker draws its sizes and materials and returns a thing standing at the origin."""

import math

import numpy as np
from numpy.random import Generator

from . import assets
from .furnishings import FURNISHINGS
from .gear import GEAR
from .goods import GOODS
from .materials import any_material, cloth, color, glass, metal, plain, print_picture, printed, painted, wood
from .shapes import Thing, ball, box, grouped, imported, lathe, tube


def mug(g: Generator) -> Thing:
    material = printed(g) if g.random() < 0.3 else plain(g)
    radius, high, wall, flare = g.uniform(0.36, 0.45), g.uniform(0.8, 1.1), 0.045, g.uniform(-0.08, 0.1)
    profile = [
        (0.001, 0), (radius * 0.9, 0.02), (radius, 0.12), (radius + flare, high - 0.02), (radius + flare - wall / 2, high),
        (radius + flare - wall, high - 0.02), (radius - wall, 0.16), (0.001, 0.07),
    ]  # fmt: skip
    reach = g.uniform(0.28, 0.4)
    handle = [(radius - 0.02, 0, high * 0.82), (radius + reach * 0.7, 0, high * 0.8), (radius + reach, 0, high * 0.52), (radius + reach * 0.6, 0, high * 0.24), (radius - 0.04, 0, high * 0.2)]
    return grouped([lathe(profile, material), tube(handle, g.uniform(0.035, 0.06), material)])


def bottle(g: Generator) -> Thing:
    radius, high, wall = g.uniform(0.2, 0.3), g.uniform(0.9, 1.5), 0.025
    neck, shoulder = radius * g.uniform(0.3, 0.45), high * g.uniform(0.6, 0.72)
    outside = [(0.001, 0), (radius * 0.9, 0), (radius, 0.04), (radius, shoulder), (neck * 1.3, (shoulder + high) / 2), (neck, high * 0.9), (neck, high)]
    inside = [(neck - wall * 0.7, high), (neck - wall * 0.7, high * 0.9), (radius - wall, shoulder - 0.02), (radius - wall, 0.06), (0.001, 0.05)]
    parts = [lathe(outside + inside, glass(g) if g.random() < 0.6 else plain(g), 48)]
    if g.random() < 0.7:
        drink = glass(g, [(1, 0.75, 0.4), (0.6, 0.05, 0.1), (0.95, 0.97, 1), (0.4, 0.7, 0.2)][g.integers(4)])
        parts.append(lathe([(0.001, 0.052), (radius - wall - 0.002, 0.062), (radius - wall - 0.002, shoulder * 0.7), (0.001, shoulder * 0.7)], drink, 48, 0))
    parts.append(lathe([(0.001, high + 0.07), (neck * 1.15, high + 0.07), (neck * 1.2, high - 0.1)], any_material(g)))
    if g.random() < 0.7:
        parts.append(lathe([(radius + 0.003, shoulder * 0.2), (radius + 0.003, shoulder * 0.75)], printed(g), 48, 0))
    return grouped(parts)


def bag(g: Generator) -> Thing:
    material = cloth(g) if g.random() < 0.5 else plain(g, rough=g.uniform(0.3, 0.6), bump=0.35, scale=90)
    wide, deep, high = g.uniform(0.9, 1.3), g.uniform(0.3, 0.5), g.uniform(0.8, 1.1)
    strap, ring = plain(g, bump=0.2), metal(g)
    parts = [box((wide, deep, high), material, 0.06, 3)]
    tall, at = g.uniform(0.35, 0.9), wide * g.uniform(0.2, 0.3)
    for y in (-deep * 0.42, deep * 0.42):
        lean = g.uniform(-0.1, 0.1)
        arch = [(-at, y, high * 0.8), (-at * 0.95, y + lean * 0.3, high + tall * 0.5), (0, y + lean, high + tall), (at * 0.95, y + lean * 0.3, high + tall * 0.5), (at, y, high * 0.8)]
        parts.append(tube(arch, g.uniform(0.018, 0.035), strap, flat=g.choice([0, 0.03])))
        for x in (-at, at):
            eye = lathe([(0.05, -0.01), (0.06, 0), (0.05, 0.01)], ring, 20)
            eye.location, eye.rotation_euler = (x, y * 1.13, high * 0.82), (math.pi / 2, 0, 0)
            parts.append(eye)
    return grouped(parts)


def lamp(g: Generator) -> Thing:
    material = metal(g) if g.random() < 0.5 else plain(g)
    way = [(0, 0, 0.05), (g.uniform(-0.3, 0), 0, 0.6), (g.uniform(-0.1, 0.1), 0, 1.1), (g.uniform(0.25, 0.4), 0, 1.35)]
    shade = lathe([(0.04, 0.06), (0.06, 0.05), (0.22, -0.2), (0.21, -0.2), (0.05, 0.03)], material)
    shade.location, shade.rotation_euler = way[-1], (0, g.uniform(-0.6, 0.2), 0)
    return grouped([lathe([(0.001, 0), (0.3, 0), (0.31, 0.03), (0.05, 0.06), (0.03, 0.1)], material), tube(way, g.uniform(0.012, 0.025), material), shade])


def lens(g: Generator) -> Thing:
    """A camera's lens lying on its side, the glass to the front."""
    dark, parts, at, radius = plain(g, color(g, True), g.uniform(0.2, 0.6)), [], 0.0, g.uniform(0.35, 0.45)
    profile = [(0.001, 0.0)]
    for _ in range(int(g.integers(4, 8))):
        step = g.uniform(0.08, 0.25)
        profile += [(radius, at), (radius, at + step)]
        at, radius = at + step, float(np.clip(radius * g.uniform(0.9, 1.12), 0.3, 0.5))
    last = profile[-1][0]
    profile += [(last * 0.85, at), (last * 0.75, at - 0.15)]
    parts.append(lathe(profile, dark, 60, 0))
    parts.append(lathe([(last * 0.78, at - 0.12), (last * 0.5, at - 0.06), (0.001, at - 0.04)], glass(g), 60))
    parts.append(lathe([(last * 1.01, at - 0.06), (last * 1.01, at - 0.03)], plain(g), 60, 0))
    parent = grouped(parts)
    for part in parts:
        part.rotation_euler = (math.pi / 2, 0, 0)
        part.location.z = 0.5
    return parent


def laptop(g: Generator) -> Thing:
    shell, wide, deep = metal(g) if g.random() < 0.5 else plain(g), g.uniform(1.2, 1.5), g.uniform(0.8, 1)
    keys, parts = plain(g, color(g, True), 0.5), [box((wide, deep, 0.04), shell, 0.015)]
    for row in range(5):
        for column in range(12):
            at = ((column + 0.5) / 12 * wide * 0.86 - wide * 0.43, row * 0.075 + 0.03, 0.04)
            parts.append(box((wide * 0.06, 0.06, 0.008), keys, 0.002, at=at))
    lean = g.uniform(0.1, 0.5)
    screen = print_picture(g) if g.random() < 0.6 else np.full((64, 64, 3), 0.01)
    for size, material, ahead in (((wide, 0.03, deep), shell, 0.0), ((wide * 0.94, 0.005, deep * 0.9), painted(g, screen, 0.1), -0.02)):
        lid = box(size, material, 0.01, at=(0, deep / 2 + ahead, 0.05))
        lid.rotation_euler.x = -lean
        parts.append(lid)
    return grouped(parts)


def board(g: Generator) -> Thing:
    """A skateboard on its wheels or lying as seen from above."""
    long, wide = g.uniform(1.4, 1.8), g.uniform(0.36, 0.5)
    deck = box((long, wide, 0.04), printed(g) if g.random() < 0.5 else plain(g), 0.16, at=(0, 0, 0.2))
    deck.modifiers["b"].segments = 12
    parts = [deck]
    for x in (-0.3, 0.3):
        parts.append(box((0.1, wide * 0.5, 0.06), metal(g), 0.01, at=(x * long, 0, 0.12)))
        for y in (-0.4, 0.4):
            wheel = lathe([(0.001, -0.05), (0.08, -0.05), (0.1, 0), (0.08, 0.05), (0.001, 0.05)], plain(g))
            wheel.location, wheel.rotation_euler = (x * long, y * wide, 0.1), (math.pi / 2, 0, 0)
            parts.append(wheel)
    return grouped(parts)


def seat(g: Generator) -> Thing:
    material, legs = cloth(g), wood(g) if g.random() < 0.6 else metal(g)
    wide, high = g.uniform(0.9, 2.0), g.uniform(0.5, 0.9)
    parts = [box((wide, 0.8, 0.25), material, 0.09, at=(0, 0, 0.3)), box((wide, 0.2, high), material, 0.09, at=(0, 0.38, 0.35))]
    for side in (-1, 1):
        parts.append(box((0.18, 0.8, 0.4), material, 0.08, at=(side * wide / 2, 0, 0.3)))
        for y in (-0.3, 0.35):
            parts.append(tube([(side * wide * 0.44, y, 0.32), (side * wide * 0.48, y * 1.15, 0)], 0.025, legs))
    for _ in range(int(g.integers(0, 3))):
        pillow = ball(0.22, cloth(g), (g.uniform(-0.3, 0.3) * wide, 0.15, 0.72), (1, 0.45, 0.9))
        parts.append(pillow)
    for part in parts:
        if "b" in part.modifiers:
            part.modifiers["b"].segments = 6
    return grouped(parts)


def watch(g: Generator) -> Thing:
    band, case = any_material(g), metal(g)
    loop = [(0, 0.42 * math.cos(a) + 0.42, 0.36 * math.sin(a) + 0.4) for a in np.linspace(0, 2 * math.pi, 13)[:-1]]
    strap = tube(loop, 0.05, band, closed=True, flat=0.12, tilt=math.pi / 2)
    body = lathe([(0.001, 0), (0.26, 0), (0.28, 0.04), (0.26, 0.1), (0.23, 0.1), (0.22, 0.08), (0.001, 0.08)], case, 60)
    face = lathe([(0.001, 0.085), (0.22, 0.085)], printed(g), 60, 0)
    for part in (body, face):
        part.rotation_euler, part.location = (math.pi / 2, 0, 0), (0, 0.02, 0.4)
    return grouped([strap, body, face])


def figure(g: Generator) -> Thing:
    """A mannequin in clothes, holding a bag or nothing."""
    skin = plain(g, tuple(np.array([0.8, 0.5, 0.36]) * (1 - g.uniform(0, 0.85))), 0.5)
    shirt, lower, hair = cloth(g), cloth(g), plain(g, color(g, True), 0.7)
    parts = [
        lathe([(0.001, 1.5), (0.28, 1.5), (0.26, 1.9), (0.36, 2.35), (0.3, 2.6), (0.1, 2.72), (0.001, 2.74)], printed(g) if g.random() < 0.4 else shirt),
        tube([(0, 0, 2.65), (0, -0.02, 2.9)], 0.1, skin), ball(0.22, skin, (0, -0.02, 3.05), (0.85, 0.95, 1.2)), ball(0.25, hair, (0, 0.05, 3.13), (0.9, 0.95, 1.0)),
    ]  # fmt: skip
    for side in (-1, 1):
        stride = g.uniform(-0.2, 0.2)
        parts.append(tube([(side * 0.15, 0, 1.6), (side * 0.17, stride, 0.85), (side * 0.17, stride * 1.2, 0.05)], 0.14, lower))
        parts.append(box((0.18, 0.42, 0.14), plain(g), 0.05, at=(side * 0.17, stride * 1.2 - 0.1, 0)))
        elbow = (side * g.uniform(0.42, 0.6), g.uniform(-0.2, 0.1), 1.95)
        hand = (side * g.uniform(0.15, 0.6), -g.uniform(0.1, 0.5), g.uniform(1.5, 2.2))
        parts += [tube([(side * 0.33, 0, 2.5), elbow], 0.1, shirt), tube([elbow, hand], 0.065, skin), ball(0.08, skin, hand)]
        if g.random() < 0.3:
            parts.append(box((0.4, 0.15, 0.4), any_material(g), 0.03, at=(hand[0], hand[1], hand[2] - 0.42)))
    for part in parts:
        part.scale = tuple(0.5 * scale for scale in part.scale)
        part.location = part.location * 0.5
    return grouped(parts)


def hanging(g: Generator) -> Thing:
    """A lamp or an ornament on a cord that leaves the picture above."""
    radius, high = g.uniform(0.2, 0.45), g.uniform(0.3, 0.6)
    body = lathe([(0.04, high), (radius * g.uniform(0.3, 1), high * 0.8), (radius, 0.02), (radius * 0.95, 0), (0.02, high * 0.9)], any_material(g))
    return grouped([body, tube([(0, 0, high - 0.02), (0.01, 0, high + 1), (0, 0, high + 4)], 0.012, plain(g))])


def _model(*categories: str):
    def make(g: Generator) -> Thing:
        names = assets.models_of(*categories)
        return imported(names[g.integers(len(names))], g.uniform(0.9, 1.2))

    make.__name__ = "_".join(categories)
    return make


# Relative frequency of each product.
PRODUCTS = {
    mug: 5, bottle: 6, bag: 7, lamp: 4, lens: 6, laptop: 7, board: 6, seat: 7, watch: 5, figure: 5, hanging: 3, _model("misc"): 4, _model("furniture"): 3,
} | GOODS | FURNISHINGS | GEAR  # fmt: skip


def product(g: Generator) -> tuple[Thing, str]:
    makers, odds = list(PRODUCTS), np.array(list(PRODUCTS.values()), float)
    make = makers[g.choice(len(makers), p=odds / odds.sum())]
    return make(g), make.__name__
