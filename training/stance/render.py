"""Renders mattes of products whose pose is known, and the shadow that each casts.

    python render.py --count 40 --seed 1 --out out/fit                 # of each family: PNG mattes, and poses.json
    python render.py --count 20 --seed 2 --out out/held-out
    python render.py --count 6 --seed 3 --shadows --out out/shadows    # and the shadow on the ground, of those that stand

The products are those of ../mask. A matte needs no colors, so an image takes some milliseconds. A shadow is exact up to its
samples: the mean, over points of a lamp and of the sky, of the product's projection onto the ground.
"""

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Callable, NamedTuple

import cv2
import numpy as np
from numpy.random import Generator

sys.path.insert(0, str(Path(__file__).parent.parent / "mask"))

from everyday import cactus, keyboard, small_tree, stand, strap, tent  # noqa: E402
from goods import bicycle, flowers, laptop, lens, plug, seat, tripod  # noqa: E402
from products import (  # noqa: E402
    arches, bag, balls, blocks, bottle, coil, duffel, furniture, glasses, gym, hat, kettle, mug, plant, rack, shoe, shoes, vessel, watch,
    wristwatch,
)  # fmt: skip
from raster import Camera, Faces, faces_of  # noqa: E402
from silhouettes import _rounded, dress, tee, trousers  # noqa: E402
from solids import Solid, arch, cap, lathe, rotation, rounded_box, tube  # noqa: E402

SIDE = 256
FINE = 2
LAMP_SAMPLES, SKY_SAMPLES = 40, 48
GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
Maker = Callable[[Generator], Solid]


def box(g: Generator) -> Solid:
    """Cartons, speakers, books: seen at any angle."""
    return [rounded_box(g.uniform(0.3, 1.2, 3), g.uniform(0.02, 0.25))]


def pair(g: Generator) -> Solid:
    """Two that stand beside each other: salt mills, jars, mugs."""
    make = (bottle, vessel)[g.integers(2)]
    first, gap, turn = make(g), g.uniform(0.02, 0.3), g.uniform(-0.9, 0.9)
    wide = max(float(np.ptp(patch.points[..., 0])) for patch in first)
    second = first if g.random() < 0.6 else make(g)
    step = np.array([math.cos(turn), math.sin(turn), 0]) * (wide + gap)
    return [*first, *(patch._replace(points=patch.points + step) for patch in second)]


def scattered(g: Generator) -> Solid:
    """A kit laid out: several small things apart from each other."""
    solid: Solid = []
    for number in range(int(g.integers(4, 9))):
        at = [(number % 3 - 1) * 1.3 + g.normal(0, 0.1), (number // 3 - 1) * 1.3 + g.normal(0, 0.1), 0]
        long = g.uniform(0.3, 1.1)
        for patch in (box(g) if g.random() < 0.5 else lying_bottle(g)):
            size = np.ptp(patch.points.reshape(-1, 3), 0).max()
            solid.append(patch._replace(points=patch.points / max(size, 0.5) * long + at))
    return solid


def backpack(g: Generator) -> Solid:
    """Upright, with pockets and loops; rounder above than below."""
    wide, deep, tall = g.uniform(0.5, 0.8), g.uniform(0.25, 0.5), g.uniform(0.8, 1.2)
    solid = [rounded_box([wide, deep, tall], g.uniform(0.3, 0.7))]
    for side in (-1, 1):
        if g.random() < 0.6:
            at = [side * wide * g.uniform(0.45, 0.6), g.uniform(-0.2, 0.1), tall * g.uniform(0, 0.2)]
            solid.append(rounded_box([0.18, deep * 0.7, tall * g.uniform(0.3, 0.6)], 0.5, at))
    if g.random() < 0.7:
        solid.append(rounded_box([wide * 0.8, 0.2, tall * g.uniform(0.3, 0.6)], 0.5, [0, -deep * 0.55, tall * g.uniform(0, 0.15)]))
    t = np.linspace(0, math.pi, 12)[:, None]
    loop = np.hstack([np.cos(t) * 0.12, 0 * t, tall * 0.98 + np.sin(t) * g.uniform(0.05, 0.2)])
    return [*solid, tube(loop, 0.02)]


def leaning(g: Generator) -> Solid:
    """A stick that leans on its foot, with a body near its top: vacuum cleaners, mops, reading lamps."""
    lean, turn, tall = g.uniform(0.05, 0.5), g.uniform(0, 2 * math.pi), g.uniform(1.5, 3.5)
    step = np.array([math.cos(turn) * lean, math.sin(turn) * lean, 1.0])
    foot = [g.uniform(0.3, 0.9), g.uniform(0.2, 0.4), g.uniform(0.06, 0.2)]
    solid = [rounded_box(foot, 0.3), tube(np.linspace(0.1, tall, 6)[:, None] * step, g.uniform(0.02, 0.08), 1)]
    if g.random() < 0.8:
        high = g.uniform(0.55, 0.9) * tall
        part = np.linspace(high, min(tall, high + g.uniform(0.3, 1.0)), 5)[:, None] * step
        solid.append(tube(part + [g.normal(0, 0.08), 0, 0], g.uniform(0.1, 0.25), 2))
    return solid


def handheld(g: Generator) -> Solid:
    """A head on a handle that stands on its wider end: steamers, hand blenders; some with a cord on the ground."""
    tall, thick = g.uniform(0.7, 1.3), g.uniform(0.1, 0.2)
    lean = g.normal(0, 0.12)
    top = np.array([lean * tall, 0, tall])
    solid = [tube(np.linspace([0, 0, 0], top, 6), thick * np.linspace(g.uniform(1.2, 2.4), 1, 6), 0)]
    left, right = g.uniform(0.2, 0.9), g.uniform(0.1, 0.6)
    reach = np.linspace(-left, right, 8)[:, None] * [1, 0, g.normal(0, 0.15)]
    solid.append(tube(top + reach, g.uniform(0.18, 0.34) * np.linspace(g.uniform(0.6, 1), 1, 8), 1))
    if g.random() < 0.35:
        t = np.linspace(0, 1, 14)[:, None]
        solid.append(tube(t * [g.choice([-1, 1]) * g.uniform(0.6, 1.4), 0, 0] + np.sin(5 * t) * [0, 0.2, 0] + [0, 0, 0.03], 0.03, 2))
    return solid


def laid(solid: Solid, turn: float = 0.0) -> Solid:
    """On its back: what was upright points away from the camera, turned by some radians about the vertical."""
    fall = rotation(0.0, math.pi / 2) @ rotation(turn)
    flat = [patch._replace(points=patch.points @ fall) for patch in solid]
    low = min(float(patch.points[..., 2].min()) for patch in flat)
    return [patch._replace(points=patch.points - [0, 0, low]) for patch in flat]


def dryer(g: Generator) -> Solid:
    """A hair dryer: a head on a grip on which it cannot stand, mostly with a cord from the grip's end."""
    tall, thick = g.uniform(0.6, 1.2), g.uniform(0.07, 0.15)
    lean = g.normal(0.1, 0.15) * g.choice([-1, 1])
    top = np.array([lean * tall, 0, tall])
    solid = [tube(np.linspace([0, 0, 0], top, 6), thick * np.linspace(g.uniform(0.6, 1.05), 1, 6), 0)]
    side = g.choice([-1, 1])
    long, short = g.uniform(0.5, 1.1), g.uniform(0.15, 0.45)
    reach = np.linspace(-long, short, 8)[:, None] * [side, 0, g.normal(0, 0.1)]
    solid.append(tube(top + reach, g.uniform(0.17, 0.3) * np.linspace(g.uniform(0.55, 1.1), 1, 8), 1))
    if g.random() < 0.8:
        t = np.linspace(0, 1, 20)[:, None]
        way, curl = g.choice([-1, 1]) * g.uniform(0.1, 1.2), g.uniform(0.02, 0.2)
        cord = t * [way, 0, -g.uniform(0.0, 0.3)] + np.sin(g.uniform(3, 9) * t) * [curl, 0, curl]
        solid.append(tube(cord, g.uniform(0.015, 0.035), 2))
    return solid


def lying_dryer(g: Generator) -> Solid:
    return laid(dryer(g))


def appliance(g: Generator) -> Solid:
    """A jar or a body on a base that is mostly wider, under a lid: blenders, coffee grinders, kettles on their plates."""
    low, high = g.uniform(0.25, 0.5), g.uniform(0.25, 0.8)
    neck, jar = low * g.uniform(0.55, 0.95), g.uniform(0.5, 1.4)
    rim = neck * g.uniform(0.85, 1.5)
    round_off = g.uniform(0.8, 1)
    profile = [[low * round_off, 0], [low, 0.08], [low * g.uniform(0.85, 1), high * 0.6], [neck * 1.03, high], [neck, high + 0.02], [rim, high + jar]]
    solid = [lathe(cap(np.array(profile)), 0)]
    lid = rim * g.uniform(0.85, 1.15)
    top, tall = high + jar, g.uniform(0.05, 0.35)
    solid.append(lathe(cap(np.array([[lid, top], [lid * g.uniform(0.7, 1.1), top + tall]])), 1))
    if g.random() < 0.4:
        solid.append(tube(arch(g, lid * g.uniform(0.8, 1.9), g.uniform(0.05, 0.3), [lid * g.uniform(-0.3, 0.3), 0, top + tall]), g.uniform(0.02, 0.07), 2))
    if g.random() < 0.4:
        t = np.linspace(-math.pi / 2, math.pi / 2, 14)
        grip = np.stack([neck * 0.9 + g.uniform(0.15, 0.4) * np.cos(t) ** 0.6, 0 * t, high + jar * (0.55 + 0.4 * np.sin(t))], 1)
        solid.append(tube(grip, g.uniform(0.03, 0.08), 2))
    return solid


def kit(g: Generator) -> Solid:
    """A set laid out: one long thing, and small ones in columns beside it."""
    main = laid(bottle(g), g.normal(0, 0.3))
    wide, deep = (float(np.ptp(np.concatenate([patch.points[..., axis].ravel() for patch in main]))) for axis in (0, 1))
    solid = [*main]
    for side in (-1, 1):
        count = int(g.integers(1, 5))
        for number in range(count):
            long = deep / max(2, count) * g.uniform(0.5, 0.95)
            at = [side * (wide / 2 + long * g.uniform(0.55, 0.9)), ((number + 0.5) / count - 0.5) * deep * g.uniform(0.9, 1.1), 0]
            make = (box, lying_bottle, vessel, mug)[g.integers(4)]
            for patch in laid(make(g), g.uniform(0, 2 * math.pi)):
                size = np.ptp(patch.points.reshape(-1, 3), 0).max()
                solid.append(patch._replace(points=patch.points / max(size, 0.3) * long + at))
    return solid


def lying_coil(g: Generator) -> Solid:
    return laid(coil(g), g.uniform(0, 2 * math.pi))


def slip_ons(g: Generator) -> Solid:
    """A pair of flat shoes side by side, as a shop shows it from above."""
    seed = int(g.integers(1 << 30))
    gap, wide, turn = g.uniform(0.34, 0.5), g.uniform(0.85, 1.2), g.normal(0, 0.05)
    both: Solid = []
    for side in (-1, 1):
        for patch in shoe(np.random.default_rng(seed), side > 0):
            points = patch.points * [1, wide, 0.5] @ rotation(turn * side).T + [0, gap * wide * side, 0]
            both.append(patch._replace(points=points))
    return both


def orchid(g: Generator) -> Solid:
    """Thin stems with heavy heads above a small pot: they lean out and stand all the same."""
    low, tall = g.uniform(0.15, 0.35), g.uniform(0.25, 0.5)
    solid = [lathe(cap(np.array([[low * g.uniform(0.6, 0.9), 0], [low, tall]])), 0)]
    for _ in range(int(g.integers(1, 4))):
        way, high, turn = g.uniform(0.1, 0.9), g.uniform(0.6, 1.6), g.uniform(0, 2 * math.pi)
        t = np.linspace(0, 1, 12)[:, None]
        stem = np.hstack([t**2 * way * math.cos(turn), t**2 * way * math.sin(turn), tall * 0.9 + high * np.sin(t * g.uniform(1.3, 2.2))])
        solid.append(tube(stem, g.uniform(0.01, 0.03), 1))
        for at in stem[int(g.integers(5, 9)) :]:
            size = g.uniform(0.08, 0.24)
            solid.append(rounded_box([size, size, size * 0.8], 1.0, at + g.normal(0, 0.05, 3), 2))
    for _ in range(int(g.integers(0, 5))):
        reach = np.array([g.normal(0, 0.3), g.normal(0, 0.3), g.uniform(0.0, 0.3)])
        solid.append(tube(np.linspace([0, 0, tall * 0.95], reach + [0, 0, tall], 6), 0.06 * np.sin(np.linspace(0.3, 2.8, 6)), 3))
    return solid


def group(g: Generator) -> Solid:
    """Things of different kinds and sizes that stand beside each other and in front: sets, a tool and its attachments."""
    makers = (bottle, vessel, mug, box, handheld, kettle, lying_bottle)
    solid: Solid = []
    rows = 1 if g.random() < 0.6 else 2
    for row in range(rows):
        at = g.normal(0, 0.2) if row == 0 else g.uniform(-0.2, 0.4)
        for _ in range(int(g.integers(2, 6))):
            thing = makers[g.integers(len(makers))](g)
            points = np.concatenate([patch.points.reshape(-1, 3) for patch in thing])
            k = (g.uniform(0.4, 1.0) if row == 0 else g.uniform(0.15, 0.35)) / np.ptp(points, 0).max()
            low, wide = points.min(0) * k, float(np.ptp(points[:, 0])) * k
            place = np.array([at - low[0], -0.7 * row + g.normal(0, 0.08), -low[2]])
            solid.extend(patch._replace(points=patch.points * k + place) for patch in thing)
            at += wide + g.uniform(0.0, 0.25)
    return solid


def lying_bottle(g: Generator) -> Solid:
    """A bottle, a trimmer or a torch on its side."""
    fall = rotation(0.0, math.pi / 2)
    return [patch._replace(points=patch.points @ fall) for patch in bottle(g)]


STANDING: dict[str, tuple[Maker, ...]] = {
    "bottles, vessels": (bottle, vessel), "pairs": (pair,), "mugs, kettles": (mug, kettle), "bags": (bag, duffel),
    "shoes": (shoe, shoes), "boxes": (box, blocks), "sofas, armchairs": (seat, seat), "tables, stands": (furniture, stand),
    "racks, tripods": (rack, tripod), "plants": (plant, cactus, small_tree, flowers, orchid), "hats": (hat,),
    "laptops, lenses": (laptop, lens), "weights": (gym,), "bicycles, tents": (bicycle, tent), "upright watches": (watch, wristwatch),
    "grips, balls": (arches, arches, balls), "glasses": (glasses,),
    "leaning on a foot": (leaning,), "handheld": (handheld,), "groups": (group,), "backpacks": (backpack,),
    "appliances": (appliance,),
}  # fmt: skip
LYING: dict[str, tuple[Maker, ...]] = {
    "straps, flat watches": (strap,), "coils": (lying_coil,), "shoes from above": (shoes,), "plugs": (plug,),
    "bottles on their side": (lying_bottle,), "kits laid out": (scattered, kit), "hair dryers": (lying_dryer,),
    "slip-ons from above": (slip_ons,),
}  # fmt: skip
# Nothing that leans so far can stand: it lies, and was photographed from above.
ROLLED: dict[str, tuple[Maker, ...]] = {"watches, diagonal": (watch, wristwatch), "bottles, diagonal": (bottle, vessel)}


def jumper(g: Generator) -> np.ndarray:
    """Long sleeves that hang down beside the body, with or without a hood."""
    wide, cuff = g.uniform(0.62, 0.85), g.uniform(0.75, 1.0)
    hood = [[0, -g.uniform(0.12, 0.25)], [0.13, -0.12], [0.2, 0.02]] if g.random() < 0.4 else [[0, 0.06], [g.uniform(0.12, 0.2), 0]]
    half = [*hood, [0.42, 0.08], [0.55, 0.16], [wide, cuff], [wide - 0.14, cuff + 0.04], [0.46, 0.4], [g.uniform(0.4, 0.5), 1], [0, 1]]
    return np.concatenate([half, (np.array(half) * [-1, 1])[::-1]])


def top(g: Generator) -> np.ndarray:
    """A garment as shops show it, on nobody: sleeves close to the body, with or without a hood."""
    body, wide = g.uniform(0.38, 0.5), g.uniform(0.1, 0.28)
    shoulder = [body - g.uniform(-0.02, 0.06), g.uniform(0.05, 0.12)]
    long = g.uniform(0.3, 0.48) if g.random() < 0.6 else g.uniform(0.7, 1.02)
    inner = body + wide - g.uniform(0.1, 0.17)
    neck = g.uniform(0.12, 0.2)
    collar = [[0, -g.uniform(0.08, 0.2)], [neck * 0.8, -0.07], [neck, 0.02]] if g.random() < 0.3 else [[0, g.uniform(0.01, 0.08)], [neck, 0]]
    armpit = [body * g.uniform(0.93, 1.02), g.uniform(0.27, 0.36)]
    sleeve = [[body + wide, long], [max(inner, body * 1.01), long + g.uniform(0.0, 0.08)], armpit]
    half = [*collar, shoulder, *sleeve, [body * g.uniform(0.9, 1.08), 1], [0, 1 + g.uniform(-0.02, 0.03)]]
    if g.random() < 0.12:  # without sleeves
        half = [*collar, shoulder, armpit, [body * g.uniform(0.9, 1.1), 1], [0, 1]]
    return np.concatenate([half, (np.array(half) * [-1, 1])[::-1]]) * [1, g.uniform(1.0, 1.35)]


def boxy(g: Generator) -> np.ndarray:
    """A wide shirt laid flat: straight sides, short sleeves that stick out."""
    body = g.uniform(0.36, 0.52)
    reach, drop = body * g.uniform(1.3, 1.75), g.uniform(0.2, 0.42)
    neck = body * g.uniform(0.3, 0.5)
    cuff = [reach - g.uniform(0.12, 0.28), drop + g.uniform(0.05, 0.14)]
    shoulder = [body * g.uniform(0.85, 1.0), g.uniform(0.05, 0.13)]
    half = [[0, g.uniform(0.01, 0.06)], [neck * 0.8, 0.03], [neck, 0], shoulder, [reach, drop], cuff, [body, g.uniform(0.3, 0.4)], [body * g.uniform(0.96, 1.06), 1], [0, 1 + g.uniform(-0.01, 0.02)]]
    return np.concatenate([half, (np.array(half) * [-1, 1])[::-1]])


def hoodie(g: Generator) -> np.ndarray:
    """A hooded jumper or jacket, its sleeves bent or straight, apart from the body or close to it."""
    body, hood, wide = g.uniform(0.4, 0.52), g.uniform(0.12, 0.5), g.uniform(0.12, 0.24)
    elbow = [body + g.uniform(0.14, 0.34), g.uniform(0.42, 0.62)]
    hand = [elbow[0] + g.uniform(-0.12, 0.1), g.uniform(0.8, 1.0)]
    thick = g.uniform(0.1, 0.18)
    half = [
        [0, -hood], [wide * 0.7, -hood * 0.92], [wide, -hood * 0.5], [wide * 1.02, 0.0], [body * 0.9, g.uniform(0.06, 0.14)], elbow, hand,
        [hand[0] - thick, hand[1] + g.uniform(-0.02, 0.04)], [elbow[0] - thick * 1.2, elbow[1] + 0.02], [body, g.uniform(0.34, 0.42)],
        [body * g.uniform(0.95, 1.08), 1], [0, 1],
    ]  # fmt: skip
    return np.concatenate([half, (np.array(half) * [-1, 1])[::-1]]) * [1, g.uniform(0.95, 1.25)]


HANGING = {"tees": tee, "jumpers": jumper, "trousers": trousers, "dresses": dress, "tops": top, "wide shirts": boxy, "hoodies": hoodie}


class Pose(NamedTuple):
    solid: Faces
    camera: Camera
    roll: float = 0.0

    def seen(self, corners: np.ndarray) -> np.ndarray:
        points, _ = self.camera.project(corners)
        c, s = math.cos(self.roll), math.sin(self.roll)
        return (points - SIDE / 2) @ np.array([[c, s], [-s, c]]) + SIDE / 2


def posed(g: Generator, make: Maker, pitch: float, turn: float) -> Pose:
    faces = faces_of(make(g))
    spin = rotation(turn).T
    corners = faces.corners @ spin
    corners = corners / np.ptp(corners.reshape(-1, 3), 0).max()
    corners -= [*corners.reshape(-1, 3).mean(0)[:2], corners[..., 2].min()]
    size = g.uniform(0.42, 0.62) * SIDE
    left, top = g.uniform(0.22, 0.34) * SIDE, g.uniform(0.14, 0.24) * SIDE
    view = Camera(pitch, g.uniform(3.5, 8), np.ones(2), np.zeros(2))
    return Pose(faces._replace(corners=corners), view.fitted(corners, (left, top, size, size), (1.0, 1.0)))


def filled(seen: np.ndarray, side: int, scale: float = 1.0) -> np.ndarray:
    """Polygons [F, 4, 2] as a mask of 0 and 255."""
    mask = np.zeros((side, side), np.uint8)
    fixed = np.round(np.clip(seen * scale - 0.5, -4 * side, 5 * side) * 16).astype(np.int32)
    for polygon in fixed:
        cv2.fillConvexPoly(mask, polygon, 255, cv2.LINE_8, 4)
    return mask


def matte_of(pose: Pose) -> np.ndarray:
    seen = pose.seen(pose.solid.corners)
    return cv2.resize(filled(seen, SIDE * FINE, FINE), (SIDE, SIDE), interpolation=cv2.INTER_AREA)


def garment(g: Generator, outline: np.ndarray) -> np.ndarray:
    angle = g.normal(0, 0.05)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    rough = outline + g.normal(0, g.choice([0.01, 0.025]), outline.shape)
    points = (_rounded(rough) if g.random() < 0.6 else rough) @ turn.T
    low, size = points.min(0), np.ptp(points, 0)
    k = g.uniform(0.5, 0.7) * SIDE / size.max()
    corner = (SIDE - size * k) / 2
    mask = np.zeros((SIDE * FINE, SIDE * FINE), np.uint8)
    cv2.fillPoly(mask, [np.round(((points - low) * k + corner) * FINE * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    return cv2.resize(mask, (SIDE, SIDE), interpolation=cv2.INTER_AREA)


def projection(pose: Pose, x: float, y: float) -> np.ndarray:
    """The ground that a point of light does not reach; x and y: how far a shadow reaches per unit of height."""
    corners = pose.solid.corners.copy()
    corners[..., 0] += corners[..., 2] * x
    corners[..., 1] += corners[..., 2] * y
    corners[..., 2] = 0
    seen, _ = pose.camera.project(corners)
    return filled(seen, SIDE).astype(np.float32) / 255


def shadow_of(g: Generator, pose: Pose) -> tuple[np.ndarray, dict]:
    """How much of the light the product takes from the ground, and the light, as Packshot's `Light` has it."""
    direction = g.uniform(35, 105) if g.random() < 0.5 else g.uniform(255, 325)
    light = {"directionDeg": direction, "elevationDeg": g.uniform(46, 62), "softness": g.uniform(0.2, 0.75), "opacity": 1.0, "keyShare": 0.48}
    reach = 1 / math.tan(math.radians(light["elevationDeg"]))
    angle, radius = math.radians(direction), 0.02 + 0.5 * light["softness"]
    lamp, sky = np.zeros((SIDE, SIDE), np.float32), np.zeros((SIDE, SIDE), np.float32)
    for i in range(LAMP_SAMPLES):
        r, t = radius * math.sqrt((i + 0.5) / LAMP_SAMPLES), i * GOLDEN_ANGLE
        lamp += projection(pose, -math.sin(angle) * reach + r * math.cos(t), -math.cos(angle) * reach + r * math.sin(t))
    for i in range(SKY_SAMPLES):
        share = (i + 0.5) / SKY_SAMPLES
        slope, t = min(2.6, math.sqrt(share / (1 - share))), i * GOLDEN_ANGLE
        sky += projection(pose, slope * math.cos(t), slope * math.sin(t))
    return light["keyShare"] * lamp / LAMP_SAMPLES + (1 - light["keyShare"]) * sky / SKY_SAMPLES, light


def pitch_standing(g: Generator) -> float:
    return g.uniform(0.0, 0.35) if g.random() < 0.6 else g.uniform(0.35, 0.85)


def render(g: Generator, count: int, out: Path, with_shadows: bool) -> None:
    out.mkdir(parents=True, exist_ok=True)
    poses: list[dict] = []

    def write(matte: np.ndarray, record: dict) -> None:
        record = {"file": f"{len(poses):05d}.png", **record}
        cv2.imwrite(str(out / record["file"]), matte)
        poses.append(record)

    for family, makers in STANDING.items():
        for number in range(count):
            pitch, turn = pitch_standing(g), g.normal(0, 0.5) if g.random() < 0.6 else g.uniform(0, 2 * math.pi)
            pose = posed(g, makers[number % len(makers)], pitch, turn)
            record = {"family": family, "stance": "standing", "pitch": round(pitch, 3)}
            if with_shadows:
                shade, light = shadow_of(g, pose)
                record |= {"light": light, "shadow": f"{len(poses):05d}.shadow.png"}
                cv2.imwrite(str(out / record["shadow"]), np.round(shade * 255).astype(np.uint8))
            write(matte_of(pose), record)
    for family, makers in {} if with_shadows else LYING.items():
        for number in range(count):
            turn = g.uniform(0, 2 * math.pi)
            if family in ("shoes from above", "slip-ons from above"):  # toes up or down
                turn = g.choice([-1, 1]) * math.pi / 2 + g.normal(0, 0.15)
            if family == "bottles on their side":  # upright in the picture, nobody can tell it from one that stands
                turn = g.choice([0, math.pi / 2, math.pi, 1.5 * math.pi]) + g.choice([-1, 1]) * g.uniform(0.35, 1.2)
            if family == "hair dryers":
                turn = g.normal(0, 0.3)
            # A rope shows that it lies from a lower camera, too.
            pitch = g.uniform(0.9 if family == "coils" else 1.15, 1.57)
            pose = posed(g, makers[number % len(makers)], pitch, turn)
            write(matte_of(pose), {"family": family, "stance": "lying", "pitch": round(pitch, 3)})
    for family, makers in {} if with_shadows else ROLLED.items():
        for number in range(count):
            pose = posed(g, makers[number % len(makers)], g.uniform(0, 0.4), g.normal(0, 0.6))
            roll = g.choice([-1, 1]) * g.uniform(0.45, 1.2) + g.choice([0, math.pi])
            write(matte_of(pose._replace(roll=roll)), {"family": family, "stance": "lying"})
    for family, outline in {} if with_shadows else HANGING.items():
        for _ in range(count):
            write(garment(g, outline(g)), {"family": family, "stance": "hanging"})
    (out / "poses.json").write_text(json.dumps(poses))


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=40, help="images of each family")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--shadows", action="store_true", help="only products that stand, with their shadows")
    arguments.add_argument("--out", type=Path, required=True)
    chosen = arguments.parse_args()
    cv2.setNumThreads(1)
    render(np.random.default_rng(chosen.seed), chosen.count, chosen.out, chosen.shadows)
