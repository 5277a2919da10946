"""Products made of patches. Their shapes are drawn at random within realistic bounds."""

import math
from typing import Callable

import numpy as np
from numpy.random import Generator

from everyday import EVERYDAY
from goods import GOODS
from solids import Patch, Solid, arch, cap, lathe, rotation, rounded_box, smooth_profile, tube, wander


def bottle(g: Generator) -> Solid:
    body, neck, height = g.uniform(0.22, 0.55), g.uniform(0.1, 0.22), g.uniform(0.9, 2.4)
    shoulder = g.uniform(0.5, 0.85)
    z = np.array([0, 0.02, shoulder * 0.5, shoulder, shoulder + (1 - shoulder) * g.uniform(0.3, 0.7), 1]) * height
    waist = g.uniform(0.8, 1.05)
    r = np.array([body * 0.9, body, body * waist, body * g.uniform(0.85, 1), min(neck * g.uniform(1, 1.5), body), min(neck, body)])
    fine = np.linspace(0, height, 24)
    radius = np.interp(fine, z, r)
    if g.random() < 0.7:
        radius = np.convolve(np.pad(radius, 1, mode="edge"), [0.25, 0.5, 0.25], "valid")
    oval = g.choice([1.0, 1.0, g.uniform(0.4, 1)])
    solid = [lathe(cap(np.stack([radius, fine], 1)), 0, oval=oval)]
    if g.random() < 0.8:
        lid = radius[-1] * g.uniform(1, 1.4)
        tall = height * g.uniform(0.05, 0.2)
        solid.append(lathe(cap(np.array([[lid, height * 0.985], [lid, height + tall * 0.9], [lid * 0.9, height + tall]])), 1, oval=oval))
        if g.random() < 0.3:
            path = arch(g, lid * g.uniform(0.8, 1.6), g.uniform(0.1, 0.5), [lid * g.uniform(-0.3, 0.3), 0, height + tall * 0.95])
            solid.append(tube(path, g.uniform(0.02, 0.05), 2))
    if g.random() < 0.4:
        low, high = np.sort(g.uniform(0.05, shoulder, 2)) * height
        inside = np.linspace(low, high, 6)
        solid.append(lathe(np.stack([np.interp(inside, fine, radius) * 1.01, inside], 1), 3, oval=oval))
    return solid


def vessel(g: Generator) -> Solid:
    """Vases, jars, lamps, bowls, cans: any surface of revolution."""
    profile = smooth_profile(g, int(g.integers(3, 7)), 0.12, g.uniform(0.4, 0.9), g.uniform(0.4, 2.0))
    around = int(g.choice([4, 6, 8, 28, 28, 28, 28]))
    solid = [lathe(cap(profile, True, g.random() < 0.7), 0, around, g.choice([1, 1, g.uniform(0.5, 1)]))]
    if g.random() < 0.4:
        top = profile[-1]
        lid = np.array([[top[0] * 1.05, top[1]], [top[0] * 0.8, top[1] + 0.1], [0.08, top[1] + 0.14], [0.08, top[1] + 0.22], [0, top[1] + 0.24]])
        solid.append(lathe(lid, 1))
    return solid


def mug(g: Generator) -> Solid:
    radius, height = g.uniform(0.35, 0.6), g.uniform(0.6, 1.2)
    flare = g.uniform(0.85, 1.15)
    wall = np.array([[0, 0], [radius * 0.92, 0], [radius, 0.05 * height], [radius * flare, height * 0.97], [radius * flare * 1.01, height], [radius * flare * 0.93, height * 0.97], [radius * 0.88, height * 0.12], [0, height * 0.1]])
    t = np.linspace(-math.pi / 2, math.pi / 2, 18)
    reach, tall = g.uniform(0.2, 0.5), height * g.uniform(0.25, 0.4)
    bend = g.uniform(0.5, 1)
    edge = radius * (1 + (flare - 1) * 0.5)
    path = np.stack([edge * 0.96 + reach * np.cos(t) ** bend, 0 * t, height * g.uniform(0.45, 0.55) + tall * np.sin(t)], 1)
    solid = [lathe(wall, 0), tube(path, g.uniform(0.045, 0.11), int(g.choice([0, 1])), flat=g.uniform(0.5, 1))]
    if g.random() < 0.5:  # coffee
        level = g.uniform(0.5, 0.93)
        solid.append(lathe(np.array([[radius * (0.88 + (flare * 0.93 - 0.88) * level), height * level], [0, height * level]]), 3))
    if g.random() < 0.25:  # a saucer
        wide, rim = radius * g.uniform(1.5, 2.1), height * g.uniform(0.05, 0.15)
        solid.append(lathe(np.array([[0, -0.02], [wide * 0.6, -0.02], [wide, rim], [wide * 0.97, rim * 1.1], [wide * 0.6, 0.01], [0, 0.01]]), int(g.choice([0, 0, 2]))))
    return solid


def kettle(g: Generator) -> Solid:
    profile = smooth_profile(g, 4, 0.3, 0.65, g.uniform(0.8, 1.4))
    top, middle = profile[-1], profile[10]
    solid = [lathe(cap(profile), 0)]
    if g.random() < 0.6:
        path = arch(g, middle[0] * 2 * g.uniform(0.8, 1.1), g.uniform(0.3, 0.8), [0, 0, top[1] * g.uniform(0.7, 0.95)])
    else:
        t = np.linspace(-math.pi / 2, math.pi / 2, 16)
        path = np.stack([middle[0] * 0.9 + g.uniform(0.3, 0.5) * np.cos(t) ** 0.6, 0 * t, top[1] * 0.55 + top[1] * 0.38 * np.sin(t)], 1)
    solid.append(tube(path, g.uniform(0.04, 0.1), 1))
    spout = np.array([[-middle[0] * 0.8, 0, top[1] * g.uniform(0.3, 0.7)], [-middle[0] - 0.2, 0, top[1] * 0.8], [-middle[0] - 0.38, 0, top[1]]])
    solid.append(tube(spout, [0.14, 0.09, 0.06], 0))
    solid.append(lathe(np.array([[top[0] * 1.02, top[1]], [top[0] * 0.7, top[1] + 0.1], [0.07, top[1] + 0.12], [0.09, top[1] + 0.24], [0, top[1] + 0.26]]), 1))
    return solid


def bag(g: Generator) -> Solid:
    width, depth, height = g.uniform(0.8, 1.8), g.uniform(0.25, 0.7), g.uniform(0.6, 1.3)
    body = rounded_box([width, depth, height], g.uniform(0.15, 0.6))
    points = body.points.copy()
    points[..., 0] *= 1 + g.uniform(-0.3, 0.15) * (points[..., 2:3] / height)[..., 0]
    points += 0.02 * np.sin(points[..., ::-1] * g.uniform(3, 12, 3) + g.uniform(0, 6, 3))
    solid = [body._replace(points=points)]
    strap, flat = g.uniform(0.02, 0.07), g.uniform(0.25, 1)
    if g.random() < 0.85:
        span, tall = width * g.uniform(0.25, 0.6), g.uniform(0.2, 1.0)
        for side in (-1, 1) if g.random() < 0.7 else (1,):
            path = arch(g, span, tall + height * 0.2, [g.normal(0, 0.03), side * depth * 0.35, height * 0.8])
            solid.append(tube(path, strap, 1, flat=flat))
    if g.random() < 0.2:  # loops at the sides
        t = np.linspace(0, math.pi, 18)
        for side in (-1, 1):
            low, high, out = g.uniform(0.02, 0.3) * height, g.uniform(0.6, 0.97) * height, g.uniform(0.1, 0.5)
            path = np.stack([side * (width * 0.46 + out * np.sin(t)), 0 * t, (low + high) / 2 + np.cos(t) * (high - low) / 2], 1)
            solid.append(tube(path, strap, 1, flat=flat))
    if g.random() < 0.35:  # a shoulder strap: over the top, or hanging across the front
        t = np.linspace(0, math.pi, 26)
        hang = g.choice([-1, 1]) * g.uniform(0.3, 0.8)
        path = np.stack([-np.cos(t) * width * 0.52, -depth * 0.56 * np.sin(t) ** 0.3, height * 0.85 + hang * np.sin(t)], 1)
        solid.append(tube(path, strap, 1, flat=flat))
    for _ in range(int(g.integers(0, 4))):
        size = np.array([width * g.uniform(0.1, 0.75), 0.12, height * g.uniform(0.08, 0.6)])
        at = [g.uniform(-0.5, 0.5) * (width * 0.85 - size[0]), -depth * 0.46, g.uniform(0.08, 0.92) * (height * 0.9 - size[2])]
        solid.append(rounded_box(size, g.uniform(0.1, 0.5), at, int(g.integers(0, 4))))
    return solid


def duffel(g: Generator) -> Solid:
    length, radius = g.uniform(1.2, 2.0), g.uniform(0.3, 0.5)
    x = np.concatenate([[-1], np.linspace(-1, 1, 16), [1]]) * length / 2
    r = radius * np.concatenate([[0], 1 + 0.05 * np.sin(np.linspace(0, g.uniform(3, 25), 16)), [0]])
    angle = np.linspace(0, 2 * math.pi, 26, endpoint=False)
    points = np.stack([np.repeat(x[:, None], 26, 1), r[:, None] * np.cos(angle), radius + r[:, None] * np.sin(angle)], -1)
    solid = [Patch(points, 0, True)]
    for side in (-1, 1):
        path = arch(g, length * g.uniform(0.25, 0.45), g.uniform(0.4, 1.0), [0, side * radius * 0.5, radius * 1.7])
        solid.append(tube(path, g.uniform(0.03, 0.06), 1, flat=g.uniform(0.3, 1)))
    for x0 in (-0.22, 0.22):
        band = np.stack([np.full(20, x0 * length), np.cos(np.linspace(0, 6.28, 20)) * radius * 1.04, radius + np.sin(np.linspace(0, 6.28, 20)) * radius * 1.04], 1)
        solid.append(tube(band, g.uniform(0.02, 0.05), 1, around=6, caps=False))
    return solid


def shoe(g: Generator, mirrored: bool = False) -> Solid:
    """Heel at -x, toe at +x: an upper lofted from sections, an opening, a sole."""
    n = 20
    t = (1 - np.cos(np.linspace(0.12, math.pi - 0.12, n))) / 2
    t = (t - t[0]) / (t[-1] - t[0])
    width = np.interp(t, [0, 0.2, 0.45, 0.75, 1], [0.27, 0.29, 0.27, 0.36, 0.3])
    blunt_heel, blunt_toe = g.uniform(5, 12), g.uniform(2.5, 6)
    round_off = np.sqrt(np.clip(1 - np.abs(2 * t - 1) ** np.where(t < 0.5, blunt_heel, blunt_toe), 0.01, 1))
    width *= round_off
    ankle, toe = g.uniform(0.4, 0.65) if g.random() < 0.75 else g.uniform(0.8, 1.3), g.uniform(0.22, 0.34)
    height = np.interp(t, [0, 0.3, 0.5, 0.72, 1], [ankle, ankle * g.uniform(0.85, 1), ankle * 0.3 + toe * 0.8, toe * 1.05, toe * 0.9])
    height *= np.where(t > 0.6, round_off**0.6, 1)
    x = (t - 0.5) * 2.0
    bend = 0.08 * np.sin(math.pi * t) * (-1 if mirrored else 1)
    angle = np.linspace(0, 2 * math.pi, 20, endpoint=False)
    c, s = np.cos(angle), np.sin(angle)
    y = np.sign(c) * np.abs(c) ** 0.8 * width[:, None] + bend[:, None]
    z = height[:, None] * (0.5 + 0.5 * np.sign(s) * np.abs(s) ** 0.7) + 0.12
    points = np.stack([np.repeat(x[:, None], 20, 1), y, z], -1)
    upper = np.concatenate([points.mean(1, keepdims=True)[:1].repeat(20, 1), points, points.mean(1, keepdims=True)[-1:].repeat(20, 1)])
    solid = [Patch(upper, 0, True)]
    sole_y = 1.1 * width[:, None] * np.sign(c) * np.abs(c) ** 0.3 + bend[:, None]
    sole_z = 0.09 * (1 + np.sign(s) * np.abs(s) ** 0.3) + np.zeros((n, 1))
    sole = np.stack([np.repeat(x[:, None] * 1.04, 20, 1), sole_y, sole_z], -1)
    sole = np.concatenate([sole.mean(1, keepdims=True)[:1].repeat(20, 1), sole, sole.mean(1, keepdims=True)[-1:].repeat(20, 1)])
    solid.append(Patch(sole, 1, True))
    long, wide = g.uniform(0.4, 0.55), 0.24
    rim = np.stack([-0.45 + long * np.cos(angle), wide * np.sin(angle) + 0.03 * (-1 if mirrored else 1), np.interp(-0.45 + long * np.cos(angle), x, height) * 0.97 + 0.14], 1)
    inner = np.concatenate([rim[None], (rim * [0.8, 0.8, 1] + [-0.09, 0, -0.06])[None], (rim.mean(0) - [0, 0, 0.12])[None, None].repeat(20, 1)])
    solid.append(Patch(inner, 2, True))
    if g.random() < 0.5:
        for at in np.linspace(0.0, 0.4, int(g.integers(3, 6))):
            h = np.interp(at, x, height) + 0.13
            solid.append(tube(np.array([[at, -0.18, h - 0.08], [at, 0, h + 0.01], [at, 0.18, h - 0.08]]), 0.022, 3, around=5))
    return solid


def shoes(g: Generator) -> Solid:
    seed = int(g.integers(1 << 30))
    turn, gap = g.normal(0, 0.12), g.uniform(0.38, 0.6)
    both: Solid = []
    for side in (-1, 1):
        slide = g.uniform(-0.5, 0.5) if g.random() < 0.4 else 0.0
        for patch in shoe(np.random.default_rng(seed), side > 0):
            points = patch.points @ rotation(turn * side).T + [slide * side, gap * side, 0]
            both.append(patch._replace(points=points))
    return both


def watch(g: Generator) -> Solid:
    """A band with a face: also rings, bracelets, belts."""
    t = np.linspace(0, 2 * math.pi, 44)
    path = np.stack([np.cos(t) * g.uniform(0.5, 0.8), 0 * t, 0.8 + np.sin(t) * g.uniform(0.6, 0.9)], 1)
    thick = g.uniform(0.04, 0.12)
    radius = np.full(44, g.uniform(0.1, 0.3)) * (1 + g.uniform(0, 1) * np.exp(-(((t - math.pi / 2) / 0.5) ** 2)))
    solid = [tube(path, radius, 0, around=10, flat=thick / radius[0], caps=False)]
    if g.random() < 0.7:
        face = lathe(cap(np.array([[0.3, 0], [0.32, 0.06], [0.26, 0.1]]) * g.uniform(0.6, 1.2)), 1)
        solid.append(face._replace(points=face.points + [0, 0, path[11, 2] + thick * 0.5]))
    return solid


def coil(g: Generator) -> Solid:
    """Rope, cable, hose, necklace: loops through which the ground is visible, often with two grips."""
    turns, count = int(g.integers(1, 6)), 110
    t = np.linspace(0, 2 * math.pi * turns, count)
    wide, tall = g.uniform(0.5, 1.0), g.uniform(0.4, 0.9)
    path = np.stack([np.cos(t) * wide, 0.1 * np.sin(3 * t), tall + np.sin(t) * tall], 1) + wander(g, count, [0.12, 0.1, 0.12], 6)
    solid = [tube(path, g.uniform(0.015, 0.06), 0, around=6)]
    if g.random() < 0.6:
        for end in (path[0], path[-1]):
            way = np.array([g.normal(0, 0.3), g.normal(0, 0.2), -1.0])
            solid.append(tube(end + np.linspace(0, 1, 9)[:, None] * way * g.uniform(0.5, 1), g.uniform(0.06, 0.16), 1))
    return solid


def arches(g: Generator) -> Solid:
    """Grips, bows, croquet hoops: the ground is visible through and between them."""
    solid: Solid = []
    count, grips, rings = int(g.integers(1, 4)), g.random() < 0.5, int(g.integers(0, 5))
    wide, tall, thick = g.uniform(0.7, 1.4), g.uniform(0.4, 1.0), g.uniform(0.04, 0.12)
    square, turn, gap = g.uniform(0.2, 0.8), g.normal(0, 0.2), g.uniform(0.3, 0.9)
    foot = g.uniform([0.1, 0.2, 0.04], [0.45, 0.9, 0.2])
    for index in range(count):
        at = np.array([g.uniform(-0.4, 0.4), index * gap, foot[2] * 0.7])
        path = (arch(g, wide, tall, [0, 0, 0], square=square) @ rotation(turn + g.normal(0, 0.1)).T) + at
        solid.append(tube(path, thick, 0, around=10))
        middle = path[6:-6]
        if grips:
            solid.append(tube(middle, thick * g.uniform(1.1, 1.6), 2, around=10))
            for place in g.integers(0, len(middle) - 1, rings):
                solid.append(tube(middle[place : place + 2], thick * 1.7, 3, around=10))
        for end in (path[0], path[-1]):
            solid.append(rounded_box(foot, g.uniform(0.2, 0.9), end - [0, 0, foot[2] * 0.6], 1))
            if g.random() < 0.4:
                solid.append(rounded_box(foot * [1.05, 1.05, 0.2], 0.5, end - [0, 0, foot[2] * 0.62], 3))
    return solid


def furniture(g: Generator) -> Solid:
    """A top on legs, with or without a back and rungs."""
    width, depth, height, thick = g.uniform(0.6, 1.8), g.uniform(0.5, 1.1), g.uniform(0.4, 1.1), g.uniform(0.04, 0.3)
    sharp = g.uniform(0.05, 0.4)
    solid = [rounded_box([width, depth, thick], sharp, [0, 0, height], 0)]
    splay, leg = g.uniform(0, 0.25), g.uniform(0.015, 0.07)
    for x in (-1, 1):
        for y in (-1, 1):
            top = np.array([x * width * 0.43, y * depth * 0.43, height + thick * 0.3])
            foot = np.array([x * width * 0.43 + x * splay, y * depth * 0.43 + y * splay, 0])
            solid.append(tube(np.linspace(foot, top, 6), leg, 1))
    if g.random() < 0.6:
        back = g.uniform(0.4, 1.0)
        if g.random() < 0.5:
            solid.append(rounded_box([width, thick * 0.8, back], sharp, [0, depth * 0.47, height + thick], 0))
        else:
            for x in np.linspace(-0.45, 0.45, int(g.integers(3, 8))) * width:
                solid.append(tube(np.linspace([x, depth * 0.46, height], [x, depth * 0.5, height + back], 4), leg, 1, around=6))
            solid.append(rounded_box([width, 0.08, 0.12], 0.3, [0, depth * 0.5, height + back], 0))
    if g.random() < 0.4:
        level = height * g.uniform(0.15, 0.5)
        solid.append(tube(np.linspace([-width * 0.43, -depth * 0.43, level], [width * 0.43, -depth * 0.43, level], 4), leg * 0.8, 1, around=6))
        solid.append(tube(np.linspace([-width * 0.43, depth * 0.43, level], [width * 0.43, depth * 0.43, level], 4), leg * 0.8, 1, around=6))
    return solid


def rack(g: Generator) -> Solid:
    """A lattice of wires: shelves, baskets, cages, drainers."""
    width, height, depth = g.uniform(0.8, 1.6), g.uniform(0.5, 1.6), g.uniform(0.2, 0.6)
    wire = g.uniform(0.012, 0.035)
    bar = lambda a, b, r=wire, part=0: tube(np.linspace(a, b, 3), r, part, around=6)  # noqa: E731
    solid: Solid = []
    for y in (-depth / 2, depth / 2) if g.random() < 0.5 else (0.0,):
        for x in np.linspace(-width / 2, width / 2, int(g.integers(2, 9))):
            solid.append(bar([x, y, 0], [x, y, height]))
        for z in np.linspace(0.02, height, int(g.integers(2, 6))):
            solid.append(bar([-width / 2, y, z], [width / 2, y, z]))
    for z in np.linspace(0.03, height, int(g.integers(1, 4))) if len(solid) > 8 and g.random() < 0.5 else ():
        solid.append(rounded_box([width, depth, 0.05], 0.1, [0, 0, z], 1))
    return solid


def glasses(g: Generator) -> Solid:
    lens, tall, wire = g.uniform(0.3, 0.42), g.uniform(0.22, 0.4), g.uniform(0.02, 0.07)
    square = g.uniform(0.55, 1)
    t = np.linspace(0, 2 * math.pi, 30)
    outline = np.stack([np.sign(np.cos(t)) * np.abs(np.cos(t)) ** square * lens, 0 * t, np.sign(np.sin(t)) * np.abs(np.sin(t)) ** square * tall], 1)
    solid: Solid = []
    middle = lens + g.uniform(0.08, 0.16)
    for side in (-1, 1):
        at = np.array([side * middle, 0, tall + wire])
        solid.append(tube(outline + at, wire, 0, around=7, caps=False))
        if g.random() < 0.97:
            disc = np.stack([outline + at, (outline * 0.5 + at + [0, -0.02, 0]), (outline * 0 + at + [0, -0.03, 0])])
            solid.append(Patch(disc[:, :-1], 1, True))
        hinge = at + [side * lens, 0, tall * 0.3]
        temple = np.stack([hinge, hinge + [side * 0.03, 0.4, 0.02], hinge + [side * 0.0, 1.0, 0.0], hinge + [0, 1.25, -0.2]])
        solid.append(tube(temple, wire * 0.8, 0, around=6))
    solid.append(tube(arch(g, (middle - lens) * 2.1, 0.06, [0, 0, tall * 1.2 + wire]), wire * 0.8, 0, around=6))
    return solid


def hat(g: Generator) -> Solid:
    radius, tall, brim = 0.5, g.uniform(0.3, 0.6), g.uniform(0, 0.5)
    dome = np.array([[radius * math.cos(a) ** g.uniform(0.5, 0.9), 0.04 + tall * math.sin(a)] for a in np.linspace(0, math.pi / 2, 12)])
    solid = [lathe(dome, 0, oval=g.uniform(0.8, 1))]
    if brim > 0.1:
        solid.append(lathe(np.array([[radius * 0.9, 0.05], [radius + brim, 0.0], [radius + brim, 0.03], [radius * 0.9, 0.08]]), int(g.choice([0, 1]))))
    elif g.random() < 0.7:
        visor = rounded_box([0.8, 0.8, 0.06], 0.7, [0, -0.4, 0.02], 1)
        solid.append(visor)
    return solid


def blocks(g: Generator) -> Solid:
    """Cartons, electronics, appliances: boxes with buttons, feet, screens."""
    size = g.uniform([0.4, 0.2, 0.3], [1.5, 1.0, 1.5])
    solid = [rounded_box(size, g.choice([0.02, 0.06, 0.2, 0.4]), part=0)]
    for _ in range(int(g.integers(0, 6))):
        button = np.array([g.uniform(0.05, 0.5) * size[0], 0.06, g.uniform(0.05, 0.5) * size[2]])
        at = [g.uniform(-0.4, 0.4) * (size[0] - button[0]), -size[1] / 2, g.uniform(0.1, 0.9) * (size[2] - button[2])]
        solid.append(rounded_box(button, g.uniform(0.1, 0.9), at, int(g.integers(1, 4))))
    for _ in range(int(g.integers(0, 3))):
        other = size * g.uniform(0.2, 0.8, 3)
        solid.append(rounded_box(other, 0.15, [g.uniform(-0.5, 0.5) * size[0], 0, size[2] * g.choice([0, 0.98])], int(g.integers(0, 4))))
    return solid


def balls(g: Generator) -> Solid:
    """Toys, fruit, figures: rounded lumps on one another."""
    solid: Solid = []
    height = 0.0
    for index in range(int(g.integers(1, 4))):
        size = g.uniform(0.4, 1.1, 3) * (0.85**index)
        solid.append(rounded_box(size, g.uniform(0.6, 1.1), [g.normal(0, 0.07), g.normal(0, 0.07), height], int(g.integers(0, 3))))
        height += size[2] * g.uniform(0.6, 0.95)
    for _ in range(int(g.integers(0, 5))):
        start = np.array([g.normal(0, 0.2), g.normal(0, 0.2), g.uniform(0, max(height, 0.2))])
        way = g.normal(0, 0.5, 3)
        way[2] = abs(way[2]) * 0.6
        solid.append(tube(start + np.linspace(0, 1, 8)[:, None] * way + wander(g, 8, 0.04, 2), g.uniform(0.03, 0.12), int(g.integers(0, 4))))
    return solid


def wristwatch(g: Generator) -> Solid:
    """Standing on its band, the face to the front: the band's inside is visible above and below it."""
    deep, tall, wide = g.uniform(0.45, 0.8), g.uniform(0.6, 1.1), g.uniform(0.14, 0.35)
    t = np.linspace(-math.pi, math.pi, 45)  # the face is at 0
    center = np.stack([0 * t, -np.cos(t) * deep, tall + np.sin(t) * tall], 1)
    outward = np.stack([0 * t, -np.cos(t) / deep, np.sin(t) / tall], 1)
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    half = wide * (1 + g.uniform(0, 0.5) * np.exp(-((t / 0.5) ** 2)))
    links = 1 + g.uniform(0, 0.06) * np.sign(np.sin(t * g.integers(8, 22)))
    around = np.linspace(0, 2 * math.pi, 14, endpoint=False)
    across, through = np.sign(np.cos(around)) * np.abs(np.cos(around)) ** 0.3, np.sin(around) * g.uniform(0.03, 0.07)
    points = center[:, None] + (half * links)[:, None, None] * across[None, :, None] * [1, 0, 0] + through[None, :, None] * outward[:, None]
    solid = [Patch(points, 0, True)]
    lie = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # z becomes the front
    body = wide * g.uniform(1.1, 1.7)
    edges = int(g.choice([4, 8, 28, 28, 28]))
    front = np.array([0, -deep, tall])
    for part, size, lift in ((1, 1.0, 0.0), (2, 0.82, 0.1)):
        disc = lathe(cap(np.array([[body, 0], [body, 0.09], [body * 0.92, 0.11]]) * [size, 1]), part, edges)
        solid.append(disc._replace(points=disc.points @ lie + front - [0, lift * 0.3, 0]))
    for place in g.uniform(-1.2, 1.2, int(g.integers(0, 4))):
        knob = np.array([[math.cos(place), 0, math.sin(place)]]) * np.array([[body], [body * 1.15]]) + front - [0, 0.05, 0]
        solid.append(tube(knob, 0.04, 1))
    return solid


def gym(g: Generator) -> Solid:
    """Weights, balls with grips, rollers, rolled straps."""
    kind = g.integers(5)
    if kind == 0:  # dumb-bell
        reach, radius, bar = g.uniform(0.3, 0.7), g.uniform(0.2, 0.5), g.uniform(0.05, 0.1)
        solid = [tube(np.linspace([-reach, 0, radius], [reach, 0, radius], 6), bar, 1)]
        edges = int(g.choice([6, 8, 20]))
        for side in (-1, 1):
            for index in range(int(g.integers(1, 4))):
                start = reach + index * 0.14
                path = np.linspace([side * start, 0, radius], [side * (start + 0.12), 0, radius], 3)
                solid.append(tube(path, radius * g.uniform(0.7, 1) if index else radius, 0, around=edges))
        return solid
    if kind == 1:  # kettle-bell, jug: a body with a bow over it
        radius = g.uniform(0.4, 0.6)
        solid = [rounded_box(np.array([radius * 2, radius * 2, radius * g.uniform(1.5, 2)]), g.uniform(0.6, 1), part=0)]
        solid.append(tube(arch(g, radius * g.uniform(1, 1.7), g.uniform(0.4, 0.8), [0, 0, radius * 1.4], square=g.uniform(0.3, 0.8)), g.uniform(0.06, 0.13), int(g.integers(0, 2)), around=10))
        return solid
    if kind == 2:  # ball with two grips, or none
        solid = [rounded_box(np.full(3, 1.0), 1.0, part=0)]
        tilt, out = g.uniform(-0.5, 0.5), g.uniform(0.12, 0.35)
        t = np.linspace(0, math.pi, 16)
        for side in (-1, 1) if g.random() < 0.7 else ():
            path = np.stack([side * (0.44 + out * np.sin(t)), 0 * t, 0.5 + tilt * side + np.cos(t) * g.uniform(0.2, 0.35)], 1)
            solid.append(tube(path, g.uniform(0.03, 0.07), 1, around=8))
        return solid
    if kind == 3:  # roller, mat, bolster: with or without a hole along it
        length, radius = g.uniform(0.8, 2.2), g.uniform(0.2, 0.4)
        inner = g.uniform(0.3, 0.8) if g.random() < 0.5 else 0.0
        half = length / 2
        profile = np.array([[radius * inner, -half * 0.98], [radius, -half], [radius, half], [radius * inner, half * 0.98], [radius * inner, -half * 0.98]])
        roll = lathe(profile, 0)
        points = roll.points[..., [2, 0, 1]] + [0, 0, radius]
        return [roll._replace(points=points)]
    # straps rolled up, side by side
    solid = []
    for index in range(int(g.integers(1, 4))):
        t = np.linspace(0, 2 * math.pi * g.uniform(2, 5), 70)
        radius = 0.1 + t * g.uniform(0.015, 0.025)
        high = radius.max()
        path = np.stack([np.cos(t) * radius, 0 * t + index * 0.45, high + np.sin(t) * radius], 1)
        tail = path[-1] + np.linspace(0.05, 1, 8)[:, None] * [g.uniform(0.2, 0.9), 0, -path[-1, 2] * 0.9]
        solid.append(tube(np.concatenate([path, tail]), 0.17, 0, around=8, flat=0.12))
        if g.random() < 0.6:
            solid.append(rounded_box(np.array([0.16, 0.36, 0.12]), 0.3, tail[-1] - [0, 0, 0.03], 1))
    return solid


def plant(g: Generator) -> Solid:
    profile = np.array([[0, 0], [0.25, 0], [0.35, 0.5], [0.3, 0.48], [0, 0.45]])
    solid = [lathe(profile * [g.uniform(0.7, 1.3), g.uniform(0.6, 1.4)], 0)]
    for _ in range(int(g.integers(6, 22))):
        way = np.array([g.normal(0, 0.4), g.normal(0, 0.4), g.uniform(0.3, 1.1)])
        bow = np.linspace(0, 1, 8)[:, None]
        path = np.array([0, 0, 0.4]) + bow * way + bow**2 * np.array([0, 0, -g.uniform(0, 0.4)])
        solid.append(tube(path, np.sin(np.linspace(0.3, 3.05, 8)) * g.uniform(0.03, 0.12), 1, around=6, flat=0.3))
    return solid


Maker = Callable[[Generator], Solid]
CLASSIC_SHARE = 0.5  # the rest is of goods.py and everyday.py

# Relative frequency of each product.
PRODUCTS = {
    bottle: 8, vessel: 7, mug: 7, kettle: 4, bag: 12, duffel: 6, shoe: 6, shoes: 7, watch: 3, wristwatch: 6, coil: 6,
    arches: 7, furniture: 6, rack: 4, glasses: 6, hat: 3, gym: 8, blocks: 6, balls: 5, plant: 2,
}  # fmt: skip


def product(g: Generator, only: tuple[str, ...] | None = None) -> tuple[Solid, Maker]:
    """A product and what made it; one of these names only, or any."""
    if only:
        odds_of = {make: share for table in (PRODUCTS, GOODS, EVERYDAY) for make, share in table.items() if make.__name__ in only}
    else:
        odds_of = PRODUCTS if g.random() < CLASSIC_SHARE else GOODS | EVERYDAY
    makers, odds = list(odds_of), np.array(list(odds_of.values()), float)
    make = makers[g.choice(len(makers), p=odds / odds.sum())]
    return make(g), make
