"""What stands around and under the product: a desk, a room, a street, a dark table, cloth in folds, the open air."""

import math

import bpy
import numpy as np
from mathutils import Vector
from numpy.random import Generator

from . import assets
from .materials import any_material, cloth, color, marked_ground, plain, printed, scanned, wood
from .products import bottle, mug
from .shapes import Thing, ball, bounds, box, grouped, imported, plane, removed, sheet, tube

OUTDOOR_LIGHT = ("forest", "immenst", "kiara", "lebombo", "venice", "rooitou", "adams", "potsd")
INDOOR_LIGHT = ("lebombo", "fagans", "studio", "ware", "adams", "dikhol")
STUDIO_SHARE = 0.4


def _board_material(g: Generator):
    kind = g.random()
    if kind < 0.45:
        return wood(g)
    if kind < 0.65:
        return scanned(g, ("wood-floor-43", "marble")[g.integers(2)], g.uniform(0.3, 0.5))
    return plain(g)


def _wall(g: Generator, at: float) -> None:
    """A wall with pictures, shelves, a window, curtains, a skirting board."""
    tone = np.full(3, g.uniform(0.4, 0.85)) * g.uniform(0.9, 1.05, 3) if g.random() < 0.6 else color(g)
    plane(30, 14, plain(g, tuple(tone), 0.9, bump=0.1), (0, at, 5), (math.pi / 2, 0, 0))
    box((30, 0.06, 0.3), plain(g, (0.8, 0.8, 0.78), 0.5), at=(0, at - 0.03, 0))
    for _ in range(int(g.integers(1, 5))):
        wide, high, x, z = g.uniform(0.6, 2.2), g.uniform(0.6, 1.8), g.uniform(-5, 5), g.uniform(1.2, 3.5)
        box((wide + 0.12, 0.05, high + 0.12), any_material(g), 0.01, at=(x, at - 0.03, z))
        plane(wide, high, printed(g), (x, at - 0.07, z + high / 2 + 0.06), (math.pi / 2, 0, 0))
    if g.random() < 0.6:
        _shelf(g, g.uniform(-4, 4), at - 0.35)
    if g.random() < 0.4:
        x, z = g.uniform(-4, 4), g.uniform(1, 2)
        glow = plain(g, (1, 1, 1), 0.5)
        shader = glow.node_tree.nodes["Principled BSDF"]
        shader.inputs["Emission Color"].default_value = (0.9, 0.95, 1, 1)
        shader.inputs["Emission Strength"].default_value = g.uniform(0.8, 4)
        plane(2, 2.6, glow, (x, at - 0.04, z + 1.3), (math.pi / 2, 0, 0))
        frame = plain(g, (0.8, 0.8, 0.8), 0.4)
        for across in (-1, 0, 1):
            box((0.08, 0.08, 2.6), frame, at=(x + across, at - 0.06, z))
        if g.random() < 0.6:
            _curtain(g, x + g.choice([-1.4, 1.4]), at - 0.3)


def _shelf(g: Generator, x: float, y: float) -> None:
    wide, high, material = g.uniform(1, 2.4), g.uniform(1.5, 4), wood(g) if g.random() < 0.5 else plain(g)
    for side in (-1, 1):
        box((0.06, 0.5, high), material, 0.01, at=(x + side * wide / 2, y, 0))
    for z in np.linspace(0.1, high, int(g.integers(3, 6))):
        box((wide, 0.5, 0.05), material, 0.01, at=(x, y, z))
        at = -wide / 2 + 0.06
        while z < high - 0.1 and at < wide / 2 - 0.1:
            thick = g.uniform(0.03, 0.1) if g.random() < 0.8 else g.uniform(0.15, 0.4)
            if g.random() < 0.8:
                box((thick * 0.95, 0.35, g.uniform(0.2, 0.45)), printed(g) if g.random() < 0.3 else plain(g), 0.005, at=(x + at + thick / 2, y, z + 0.05))
            at += thick


def _curtain(g: Generator, x: float, y: float) -> None:
    steps = 80
    waves = 0.12 * np.sin(np.linspace(0, g.uniform(20, 50), steps)) * g.uniform(0.5, 1.3)
    hung = sheet(1.4, 5, cloth(g), np.tile(waves, (steps, 1)), steps)
    hung.location, hung.rotation_euler = (x, y, 2.5), (math.pi / 2, 0, 0)


def desk(g: Generator) -> None:
    table = box((9, 5, 0.15), _board_material(g), 0.02, at=(0, 0.8, -0.15))
    table.modifiers["b"].segments = 3
    _wall(g, g.uniform(4, 7))
    plane(30, 30, wood(g), (0, 0, -4))


def living(g: Generator) -> None:
    floors = (wood, lambda g: scanned(g, "wood-floor-43", 0.3), cloth, lambda g: scanned(g, "tiles", 0.3), lambda g: marked_ground(g, True))
    plane(40, 40, floors[g.integers(len(floors))](g))
    _wall(g, g.uniform(3, 8))
    if g.random() < 0.7:
        plane(g.uniform(3, 8), g.uniform(2, 6), printed(g) if g.random() < 0.4 else cloth(g), (g.uniform(-1, 1), g.uniform(0, 1), 0.006))
    material, x, y = cloth(g), g.uniform(-4, 4), g.uniform(2.5, 5)
    for size, at in (((4, 1.6, 0.9), (0, 0, 0)), ((4, 0.5, 2), (0, 0.7, 0)), ((0.5, 1.6, 1.3), (-2, 0, 0)), ((0.5, 1.6, 1.3), (2, 0, 0))):
        box(size, material, 0.15, at=(x + at[0], y + at[1], at[2])).modifiers["b"].segments = 6
    for _ in range(int(g.integers(1, 4))):
        ball(0.4, cloth(g), (x + g.uniform(-1.5, 1.5), y - 0.3, 1.25), (1, 0.45, 0.9))
    names = ("pillow", "plant", "bench", "cactus", "guitar", "chest")
    for _ in range(2):
        thing = imported(names[g.integers(len(names))], g.uniform(1.0, 2.2))
        thing[0].location, thing[0].rotation_euler.z = (g.choice([-1, 1]) * g.uniform(1.5, 4), g.uniform(1.5, 5), 0), g.uniform(0, 6)


def street(g: Generator) -> None:
    plane(40, 40, marked_ground(g))
    if g.random() < 0.5:
        box((30, 4, 0.2), scanned(g, ("tiles", "rock")[g.integers(2)], 0.3), at=(0, g.uniform(4, 8), 0))


def dark(g: Generator) -> None:
    floors = (lambda g: wood(g, True), lambda g: plain(g, color(g, True), g.uniform(0.03, 0.5)), lambda g: scanned(g, "rock", 0.3), lambda g: plain(g, (0.002,) * 3, 0.3))
    plane(40, 40, floors[g.integers(len(floors))](g))
    plane(40, 20, plain(g, color(g, True), 0.9), (0, g.uniform(2.5, 9), 5), (math.pi / 2, 0, 0))


def draped(g: Generator) -> None:
    """The product stands on cloth; the folds are low where it stands."""
    steps = 140
    y, x = np.mgrid[0:steps, 0:steps] / steps - 0.5
    height = np.zeros((steps, steps))
    for _ in range(int(g.integers(3, 7))):
        angle, bend = g.uniform(0, math.pi), g.uniform(0, 0.3)
        way = (x * math.cos(angle) + y * math.sin(angle) + bend * np.sin(6 * y + g.uniform(0, 6))) * g.uniform(8, 30)
        height += g.uniform(0.01, 0.09) * np.abs(np.sin(way + g.uniform(0, 6))) ** g.uniform(0.6, 2)
    near = np.clip(np.hypot(x, y) * 9 - 0.5, 0, 1)
    height = height * near + np.clip(y - 0.15, 0, 1) * g.uniform(0, 12)
    sheet(10, 10, cloth(g) if g.random() < 0.7 else printed(g), height - 0.02, steps)


def outdoor(g: Generator) -> None:
    plane(40, 40, scanned(g, ("grass", "rock", "tiles", "wood-floor-43")[g.integers(4)], g.uniform(0.25, 0.5)))


# Relative frequency, the strength of the surroundings' light, and how often the sun stands low.
ROOMS = {
    desk: (4, (0.35, 0.8), 0.2), living: (6, (0.35, 0.8), 0.2), street: (4, (0.3, 0.8), 0.5), dark: (4, (0.03, 0.3), 0.1),
    draped: (3, (0.3, 0.8), 0.2), outdoor: (2, (0.5, 0.9), 0.3),
}  # fmt: skip


def _surroundings(g: Generator, outside: bool, strength: float) -> None:
    names = [name for name in assets.HDRIS if name.startswith(OUTDOOR_LIGHT if outside else INDOOR_LIGHT)]
    image = bpy.data.images.load(str(assets.hdri(names[g.integers(len(names))])), check_existing=True)
    pixels = np.empty(image.size[0] * image.size[1] * 4, np.float32)
    image.pixels.foreach_get(pixels)
    mean = float(np.minimum(pixels.reshape(-1, 4)[:, :3].mean(1), 50).mean())
    world = bpy.context.scene.world = bpy.data.worlds.new("w")
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    node, place, turn = nodes.new("ShaderNodeTexEnvironment"), nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    node.image, turn.inputs["Rotation"].default_value = image, (0, 0, g.uniform(0, 6.28))
    links.new(place.outputs["Generated"], turn.inputs[0])
    links.new(turn.outputs[0], node.inputs[0])
    links.new(node.outputs[0], nodes["Background"].inputs[0])
    nodes["Background"].inputs[1].default_value = strength / max(mean, 1e-3)


def _light(kind: str, energy: float, at, toward=(0, 0, 0.5), size: float = 0.0, tone=(1, 1, 1), high: float | None = None) -> None:
    data = bpy.data.lights.new("l", kind)
    data.energy, data.color = energy, tone
    if kind == "AREA":
        data.size = size
        if high:
            data.shape, data.size_y = "RECTANGLE", high
    else:
        data.angle = size
    thing = bpy.data.objects.new("l", data)
    bpy.context.scene.collection.objects.link(thing)
    thing.location = at
    thing.rotation_euler = (Vector(toward) - Vector(at)).to_track_quat("-Z", "Y").to_euler()


def light_alone(g: Generator) -> None:
    """Light as in a room, a street or a studio, and mostly a ground that the camera does not see: it darkens what faces it."""
    if g.random() < STUDIO_SHARE:
        return _studio(g)
    _surroundings(g, g.random() < 0.4, g.uniform(0.15, 0.9))
    turn = g.uniform(0, 6.28)
    if g.random() < 0.25:
        _light("SUN", g.uniform(2, 6), (math.cos(turn), math.sin(turn), g.uniform(0.15, 0.9)), (0, 0, 0), g.uniform(0.005, 0.05))
    for _ in range(int(g.integers(0, 3))):
        turn = g.uniform(0, 6.28)
        _light("AREA", g.uniform(20, 350), (4 * math.cos(turn), 4 * math.sin(turn) - 1, g.uniform(1, 5)), size=g.uniform(0.4, 3))
    if g.random() < 0.75:
        plane(12, 12, plain(g)).visible_camera = False


def _studio(g: Generator) -> None:
    """Pale paper on all sides, which glossy things show at their rims, and tall softboxes, whose reflections are white stripes."""
    world = bpy.context.scene.world = bpy.data.worlds.new("w")
    world.use_nodes = True
    shade = world.node_tree.nodes["Background"].inputs
    pale = np.clip(1 + g.normal(0, 0.04, 3), 0, 1)
    shade[0].default_value, shade[1].default_value = (*pale, 1), g.uniform(0.25, 1)
    for _ in range(int(g.integers(1, 4))):
        turn, far = g.uniform(0, 6.28), g.uniform(1.5, 4)
        at = (far * math.cos(turn), far * math.sin(turn) - 0.5, g.uniform(0.4, 3))
        _light("AREA", g.uniform(4, 18) * far * far, at, size=g.uniform(0.3, 1.2), high=g.uniform(0.8, 3))
    plane(12, 12, plain(g, pale * g.uniform(0.5, 0.9), 0.85)).visible_camera = False


def _clutter(g: Generator) -> Thing:
    kind, size = g.random(), g.uniform(0.25, 0.9)
    if kind < 0.4:
        names = assets.models_of("food", "misc", "accessories")
        return imported(names[g.integers(len(names))], size)
    if kind < 0.55:
        books, z = [], 0.0
        for _ in range(int(g.integers(1, 6))):
            thick = g.uniform(0.04, 0.14)
            book = box((g.uniform(0.7, 1), g.uniform(0.5, 0.7), thick), printed(g), 0.008, at=(0, 0, z))
            book.rotation_euler.z = g.uniform(-0.25, 0.25)
            books.append(book)
            z += thick
        return grouped(books)
    if kind < 0.7:
        return grouped([box((g.uniform(0.2, 0.8), g.uniform(0.2, 0.6), g.uniform(0.1, 0.9)), any_material(g), g.uniform(0.005, 0.05))])
    if kind < 0.8:
        return grouped([tube([(g.uniform(-0.8, 0.8), g.uniform(-0.6, 0.6), 0.02) for _ in range(6)], g.uniform(0.01, 0.02), plain(g))])
    return mug(g) if g.random() < 0.5 else bottle(g)


def _scatter(g: Generator, product: Thing, count: int) -> None:
    """Things around the product: mostly behind and beside it, one in some pictures before it."""
    low, high = bounds(product)
    placed = [(0.0, 0.0, 0.62 * max(high.x - low.x, high.y - low.y))]
    for number in range(count):
        thing = _clutter(g)
        low, high = bounds(thing)
        radius = 0.4 * max(high.x - low.x, high.y - low.y)
        for _ in range(25):
            before = number == 0 and g.random() < 0.4
            turn = g.uniform(-0.75 * math.pi, -0.25 * math.pi) if before else g.uniform(0, math.pi)
            far = g.uniform(0.6, 3.0)
            x, y = far * math.cos(turn) * 1.2, far * math.sin(turn)
            if all(math.hypot(x - a, y - b) > (radius + r) * 0.95 for a, b, r in placed):
                thing[0].location, thing[0].rotation_euler.z = (x, y, 0), g.uniform(0, 6.28)
                placed.append((x, y, radius))
                break
        else:
            removed(thing)


def furnish(g: Generator, product: Thing) -> str:
    """Builds a room around the product, and its light; returns the room's name."""
    rooms, odds = list(ROOMS), np.array([ROOMS[room][0] for room in ROOMS], float)
    room = rooms[g.choice(len(rooms), p=odds / odds.sum())]
    _, strength, low_sun = ROOMS[room]
    room(g)
    _surroundings(g, room in (street, outdoor), g.uniform(*strength))
    turn = g.uniform(0, 6.28)
    if g.random() < low_sun:
        _light("SUN", g.uniform(2, 6), (math.cos(turn), math.sin(turn), g.uniform(0.15, 0.7)), (0, 0, 0), g.uniform(0.005, 0.05), (1, g.uniform(0.75, 1), g.uniform(0.5, 0.95)))
    elif room is dark:  # from behind and from the side: a rim
        for side in (-1, 1):
            _light("AREA", g.uniform(5, 200), (side * g.uniform(1, 3), g.uniform(0.5, 2.2), g.uniform(0.8, 3)), size=g.uniform(0.3, 2))
    elif room is not outdoor:
        for _ in range(int(g.integers(1, 3))):
            turn = g.uniform(0, 6.28)
            tones = ((1, 1, 1), (1, 0.8, 0.6), (1, 0.6, 0.35), (0.75, 0.85, 1))
            _light("AREA", g.uniform(60, 350), (4 * math.cos(turn), 4 * math.sin(turn) - 1, g.uniform(2.5, 5)), size=g.uniform(0.4, 3), tone=tones[g.integers(4)])
    _scatter(g, product, int(g.integers(0, 12)) if room in (desk, living) else int(g.integers(0, 4)))
    return room.__name__
