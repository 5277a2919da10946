"""Books, electronics, glasses and shoes for path tracing, and the shapes that furnishings.py and gear.py share."""

import math

import bmesh
import bpy
import numpy as np
from numpy.random import Generator

from .materials import cloth, color, glass, metal, painted, plain, print_picture, printed
from .shapes import Thing, box, grouped, lathe, mesh, tube

FACING = (math.pi / 2, 0, 0)  # turns what points up toward the viewer


def any_of(g: Generator, *makers):
    return makers[g.integers(len(makers))](g)


def dark_plain(g: Generator):
    return plain(g, color(g, True), g.uniform(0.1, 0.6))


def white_plain(g: Generator):
    return plain(g, tuple(np.full(3, g.uniform(0.65, 0.88)) * g.uniform(0.94, 1, 3)), g.uniform(0.2, 0.8))


def put(thing, at=(0, 0, 0), turn=(0, 0, 0)):
    thing.location, thing.rotation_euler = at, turn
    return thing


def placed(parts: Thing, at=(0, 0, 0), turn=(0, 0, 0)) -> Thing:
    group = grouped(parts)
    put(group[0], at, turn)
    return group


def _extent(things: Thing) -> tuple[np.ndarray, np.ndarray]:
    """From the vertices themselves: shapes.bounds would let a turned thing hover by its box's empty corners."""
    bpy.context.view_layer.update()
    graph, low, top = bpy.context.evaluated_depsgraph_get(), np.full(3, np.inf), np.full(3, -np.inf)
    for thing in (thing for thing in things if thing.type in ("MESH", "CURVE")):
        shown = thing.evaluated_get(graph)
        built, matrix = shown.to_mesh(), np.array(thing.matrix_world)
        points = np.empty(len(built.vertices) * 3, np.float32)
        built.vertices.foreach_get("co", points)
        shown.to_mesh_clear()
        points = points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
        low, top = np.minimum(low, points.min(0)), np.maximum(top, points.max(0))
    return low, top


def standing(g: Generator, parts: Thing, turn=(0, 0, 0)) -> Thing:
    """The parts turned, brought to a size near 1, their lowest point on the ground at the origin."""
    group = placed(parts, turn=turn)
    low, top = _extent(group)
    scale, middle = g.uniform(0.9, 1.5) / float((top - low).max()), (low + top) / 2
    group[0].scale, group[0].location = (scale,) * 3, (-middle[0] * scale, -middle[1] * scale, -low[2] * scale)
    return grouped(group)


def rounded(wide: float, high: float, radius: float, steps: int = 7) -> list:
    """A rectangle's outline around the origin, its corners arcs."""
    corners = ((1, 1, 0), (-1, 1, 1), (-1, -1, 2), (1, -1, 3))
    turns = np.linspace(0, math.pi / 2, steps)
    return [
        (x * (wide / 2 - radius) + radius * math.cos(a + k * math.pi / 2), y * (high / 2 - radius) + radius * math.sin(a + k * math.pi / 2))
        for x, y, k in corners for a in turns
    ]  # fmt: skip


def extruded(outline, thick: float, material, bevel: float = 0.0, at=(0, 0, 0), turn=(0, 0, 0)):
    """An outline in the ground's plane raised to a slab; a print covers its whole face."""
    built = bmesh.new()
    flat = built.faces.new([built.verts.new((x, y, 0)) for x, y in outline])
    raised = bmesh.ops.extrude_face_region(built, geom=[flat], use_keep_orig=True)["geom"]
    bmesh.ops.translate(built, verts=[part for part in raised if isinstance(part, bmesh.types.BMVert)], vec=(0, 0, thick))
    bmesh.ops.recalc_face_normals(built, faces=built.faces)
    layer, table = built.loops.layers.uv.new(), np.array(outline)
    low, size = table.min(0), np.ptp(table, 0)
    for face in built.faces:
        for loop in face.loops:
            loop[layer].uv = (np.array(loop.vert.co.xy) - low) / size
    thing = mesh(built, material, smooth=bool(bevel), bevel=min(bevel, thick * 0.49))
    if bevel:
        thing.modifiers["b"].harden_normals = True
    return put(thing, at, turn)


def skin(patches, material, wrap: bool = False, thick: float = 0.0):
    """Grids of points [rows][columns], each joined to a surface; a wrapped one closes around its columns."""
    built = bmesh.new()
    layer = built.loops.layers.uv.new()
    for rows in patches:
        points = [[built.verts.new(point) for point in row] for row in rows]
        high, wide = len(rows) - 1, len(rows[0]) - (not wrap)
        for i in range(high):
            for k in range(wide):
                corners = ((k, i), (k + 1, i), (k + 1, i + 1), (k, i + 1))
                face = built.faces.new([points[row][column % len(rows[0])] for column, row in corners])
                for loop, (u, v) in zip(face.loops, corners):
                    loop[layer].uv = (u / wide, v / high)
    thing = mesh(built, material)
    if thick:
        thing.modifiers.new("t", "SOLIDIFY").thickness = thick
    finer = thing.modifiers.new("s", "SUBSURF")
    finer.levels = finer.render_levels = 1
    return thing


def wires(ways, radius: float, material):
    """Many thin tubes as one object."""
    thing = tube(ways[0], radius, material)
    for way in ways[1:]:
        spline = thing.data.splines.new("BEZIER")
        spline.bezier_points.add(len(way) - 1)
        for knot, at in zip(spline.bezier_points, way):
            knot.co, knot.handle_left_type, knot.handle_right_type = at, "AUTO", "AUTO"
    return thing


def hoop(radius: float, thick: float, material, at=(0, 0, 0), turn=(0, 0, 0)):
    way = [(radius * math.cos(a), radius * math.sin(a), 0) for a in np.linspace(0, 2 * math.pi, 13)[:-1]]
    return put(tube(way, thick, material, closed=True), at, turn)


def _volume(g: Generator, wide: float, high: float, thick: float) -> Thing:
    """One closed book lying, its spine to the left."""
    jacket = painted(g, print_picture(g), g.uniform(0.1, 0.8)) if g.random() < 0.75 else any_of(g, cloth, plain, dark_plain)
    board, over = g.uniform(0.008, 0.025), g.choice([0.0, 0.02, 0.03])
    cover, bevel = rounded(wide, high, g.uniform(0.002, 0.03)), board * 0.3
    pages = plain(g, (0.78, g.uniform(0.68, 0.77), g.uniform(0.5, 0.74)), 0.9, bump=0.3, scale=120)
    block = box((wide - over, high - 2 * over, thick - 2 * board), pages, 0.002, at=(-over / 2, 0, board))
    spine = extruded(
        rounded(thick, high, 0.002), board, jacket if g.random() < 0.6 else plain(g), bevel, (-wide / 2, 0, thick / 2), (0, -math.pi / 2, 0)
    )
    return [block, spine, extruded(cover, board, jacket, bevel), extruded(cover, board, jacket, bevel, (0, 0, thick - board))]


def book(g: Generator) -> Thing:
    """Standing, lying, standing before a lying one, or a stack."""
    wide, high, kind, parts, z = g.uniform(0.6, 0.85), g.uniform(0.8, 1.1), g.random(), [], 0.0
    if kind < 0.4:
        return standing(g, _volume(g, wide, high, g.uniform(0.05, 0.25)), (math.pi / 2 - g.uniform(0, 0.35), 0, 0))
    for _ in range(1 if kind < 0.6 else int(g.integers(2, 6))):
        thick = g.uniform(0.06, 0.22)
        shift, shrink = g.uniform(-0.06, 0.06, 2), g.uniform(0.75, 1)
        parts += placed(
            _volume(g, wide * shrink, high * shrink, thick), (*shift, z), (0, 0, g.choice([0, math.pi / 2, math.pi]) + g.uniform(-0.3, 0.3))
        )
        z += thick
    if g.random() < 0.4:
        thick = g.uniform(0.06, 0.15)
        parts += placed(_volume(g, wide, high, thick), (g.uniform(-0.2, 0.2), -0.7, high / 2), (math.pi / 2 - 0.03, 0, g.uniform(-0.3, 0.3)))
    return standing(g, parts)


def headphones(g: Generator) -> Thing:
    wide, high, cup = g.uniform(0.36, 0.46), g.uniform(0.5, 0.7), g.uniform(0.18, 0.27)
    shell, soft, arm = (
        any_of(g, plain, plain, metal, dark_plain, white_plain),
        any_of(g, dark_plain, dark_plain, cloth, plain),
        any_of(g, metal, metal, plain),
    )
    arch = [(wide * math.sin(a), 0, high * math.cos(a)) for a in np.linspace(-1.35, 1.35, 9)]
    pad = [(x * 0.93, y, z * 0.94) for x, y, z in arch[2:7]]
    parts = [tube(arch, g.uniform(0.03, 0.05), shell, flat=g.uniform(0.03, 0.08)), tube(pad, g.uniform(0.06, 0.11), soft, flat=g.uniform(0.03, 0.07))]
    fat, long, slim, drop = cup * g.uniform(0.25, 0.4), g.uniform(0.85, 1.25), g.uniform(0.06, 0.12), -cup * g.uniform(0.7, 1)
    for side in (-1, 1):
        body = lathe([(0.001, slim), (cup * 0.6, slim), (cup * 0.9, slim * 0.7), (cup, 0), (cup * 0.95, -0.03), (0.001, -0.03)], shell)
        cap = lathe([(0.001, slim + 0.012), (cup * 0.5, slim + 0.012), (cup * 0.55, slim)], any_of(g, metal, plain, plain, printed))
        cushion = hoop(cup - fat * 0.7, fat, soft, (0, 0, -0.03 - fat * 0.7))
        mesh_inside = lathe([(0.001, -0.05), (cup - fat, -0.05)], dark_plain(g), 30, 0)
        ear = placed([body, cap, cushion, mesh_inside], (side * wide, 0, drop), (0, side * math.pi / 2 + side * g.uniform(0, 0.25), 0))
        ear[0].scale = (long, 1, 1)
        reach = wide + slim * 0.5
        yoke = [(side * reach, cup * 1.05 * math.cos(a), drop + cup * long * 1.08 * math.sin(a)) for a in np.linspace(0, math.pi, 7)]
        stem = [(side * reach, 0, drop + cup * long * 1.05), (side * wide * 0.98, 0, high * 0.3)]
        parts += [*ear, tube(yoke, g.uniform(0.014, 0.028), arm), tube(stem, g.uniform(0.015, 0.03), arm)]
    lean = g.choice([0, g.uniform(-0.5, 0.5), -1.45, 1.45])
    return standing(g, parts, (lean, g.uniform(-0.15, 0.15), 0))


def _handset(g: Generator, wide: float, high: float, back: bool) -> Thing:
    thick, radius, frame = g.uniform(0.04, 0.07), g.uniform(0.04, 0.14), any_of(g, metal, plain, dark_plain)
    rear = any_of(g, plain, metal, dark_plain, printed) if back else frame
    rim, dark = g.uniform(0.012, 0.05), plain(g, (0.005,) * 3, 0.08)
    parts = [extruded(rounded(wide, high, radius), thick, frame, 0.018)]
    if back:
        parts.append(extruded(rounded(wide - 0.03, high - 0.03, radius * 0.9), 0.004, rear, 0.001, (0, 0, thick)))
        patch = g.uniform(0.16, 0.26), g.uniform(0.16, 0.4)
        corner = (-wide / 2 + patch[0] / 2 + 0.05, high / 2 - patch[1] / 2 - 0.05)
        parts.append(extruded(rounded(*patch, 0.05), 0.02, rear if g.random() < 0.5 else dark, 0.006, (*corner, thick)))
        for k in range(int(g.integers(1, 4))):
            eye = lathe([(0.001, 0.01), (0.035, 0.01), (0.035, 0.02), (0.048, 0.02), (0.05, 0)], dark if g.random() < 0.6 else metal(g))
            parts.append(put(eye, (corner[0] + (0.04 if k == 1 else -0.04), corner[1] + 0.08 - 0.08 * k, thick + 0.02)))
        return parts
    screen = painted(g, print_picture(g), 0.08) if g.random() < 0.6 else dark
    parts.append(extruded(rounded(wide - 0.02, high - 0.02, radius * 0.92), 0.003, dark, 0.001, (0, 0, thick)))
    parts.append(extruded(rounded(wide - 2 * rim, high - 2 * rim, max(0.01, radius - rim)), 0.002, screen, 0, (0, 0, thick + 0.002)))
    if g.random() < 0.5:
        parts.append(put(lathe([(0.001, 0), (0.015, 0)], dark, 20, 0), (0, high / 2 - rim - 0.03, thick + 0.005)))
    return parts


def phone(g: Generator) -> Thing:
    """A phone or a tablet, upright, leaning or lying; sometimes two, one of them seen from behind."""
    wide, high = (g.uniform(0.46, 0.54), 1.0) if g.random() < 0.75 else (g.uniform(0.68, 0.78), 1.0)
    turned, pose = g.random() < 0.2, g.random()
    parts = _handset(g, wide, high, g.random() < 0.3)
    if g.random() < 0.3:
        parts = placed(parts) + placed(_handset(g, wide, high, True), (wide * g.uniform(0.3, 0.9), g.uniform(-0.1, 0.1), -g.uniform(0.1, 0.2)))
    lean = 0 if pose < 0.25 else math.pi / 2 - g.uniform(0, 0.6) * (pose < 0.75)
    return standing(g, parts, (lean, g.uniform(-0.3, 0.3) if pose > 0.85 else 0, g.uniform(-0.6, 0.6) + (math.pi / 2 if turned and not lean else 0)))


def sunglasses(g: Generator) -> Thing:
    wide, high, gap, power = g.uniform(0.2, 0.25), g.uniform(0.14, 0.23), g.uniform(0.03, 0.06), g.uniform(0.55, 1)
    rim, thick = any_of(g, metal, dark_plain, plain), g.uniform(0.008, 0.026)
    clear = g.random() < 0.4
    pane = glass(g, tuple(g.uniform(0.02, 0.9, 3))) if clear else plain(g, color(g, g.random() < 0.7), 0.04, g.choice([0, 0, 1]))
    round_turns = np.linspace(0, 2 * math.pi, 33)[:-1]
    parts, droop, cat = [], g.uniform(0, 0.3), g.uniform(-0.02, 0.05)
    for side in (-1, 1):
        outline = []
        for a in round_turns:
            c, s = math.cos(a), math.sin(a)
            x, y = math.copysign(abs(c) ** power, c), math.copysign(abs(s) ** power, s)
            outline.append((side * (gap + wide + wide * x * (1 - droop * max(0, -s))), high * y + cat * x))
        parts.append(extruded(outline, 0.008, pane, 0.002, (0, 0.004, 0), FACING))
        parts.append(tube([(x, 0, z) for x, z in outline], thick, rim, closed=True))
        hinge, ear = side * (gap + 2 * wide), g.uniform(0.75, 0.95)
        way = [(hinge, 0, high * 0.5), (hinge * 1.05, 0.06, high * 0.5), (hinge * 1.06, ear * 0.7, high * 0.45), (hinge, ear, -high * 0.6)]
        parts.append(tube(way, thick * 0.9, rim, flat=g.choice([0, 0.015])))
    parts.append(tube([(-gap * 1.3, 0, high * 0.35), (0, -0.01, high * 0.5), (gap * 1.3, 0, high * 0.35)], thick, rim))
    if power > 0.85 and g.random() < 0.5:
        parts.append(wires([[(-gap - wide, 0, high * 1.0), (0, -0.01, high * 0.95), (gap + wide, 0, high * 1.0)]], thick * 0.8, rim))
    return standing(g, parts, (g.choice([0, -0.2, 0.2, math.pi - 0.25]), 0, 0))


def _upper(turn: float, level: float, wide: float, toe: float, ankle: float) -> np.ndarray:
    """A shoe's surface: around the foot by the turn (0 at the toe), from the sole at level 0 to the collar at 1."""
    c, s = math.cos(turn), math.sin(turn)
    foot = np.array([0.5 * math.copysign(abs(c) ** 0.85, c), wide * s * (1 + 0.12 * c), 0])
    full = np.array([foot[0] * 1.04, foot[1] * 1.12, toe + (ankle * 0.8 - toe) * (0.5 - 0.5 * c)])
    collar = np.array([-0.25 + 0.2 * c, 0.1 * s, ankle + 0.05 * math.cos(2 * turn)])
    return (1 - level) ** 2 * foot + 2 * level * (1 - level) * full + level**2 * collar


def shoe(g: Generator) -> Thing:
    """A sneaker or a boot, or a pair."""
    wide, toe, rise = g.uniform(0.15, 0.19), g.uniform(0.18, 0.28), g.uniform(0.05, 0.14)
    ankle = g.uniform(0.28, 0.38) if g.random() < 0.75 else g.uniform(0.5, 0.8)
    hide, trim = any_of(g, plain, cloth, white_plain, dark_plain), any_of(g, plain, cloth, dark_plain, white_plain)
    sole, lace, lining = (
        white_plain(g) if g.random() < 0.6 else plain(g),
        white_plain(g) if g.random() < 0.6 else plain(g),
        cloth(g, color(g, g.random() < 0.6)),
    )
    stripes, cap = int(g.integers(0, 4)), g.random() < 0.5

    def one() -> Thing:
        def at(turn: float, level: float, out: float = 0.0):
            return tuple(_upper(turn, level, wide + out, toe + out, ankle) + (0, 0, rise * 0.95))

        def patch(turns, levels, material, out: float = 0.006):
            return skin([[[at(a, level, out) for a in turns] for level in levels]], material, thick=0.008)

        around = np.linspace(0, 2 * math.pi, 37)[:-1]
        collar = np.array([at(a, 1) for a in around])
        inside = [collar, collar * (1, 0.8, 1) - (0, 0, 0.12), collar * (1, 0.8, 0) + (0, 0, rise * 1.05)]
        parts = [
            skin([[[at(a, level) for a in around] for level in np.linspace(0, 1, 9)]], hide, True), skin([inside], lining, True),
            extruded([(x * 1.05, y * 1.12) for x, y, _ in (_upper(a, 0, wide, toe, ankle) for a in around)], rise, sole, rise * 0.25),
            tube([tuple(point) for point in collar[::3]], 0.02, trim, closed=True),
        ]  # fmt: skip
        spread = 0.75
        holes = np.linspace(0.5, 0.93, int(g.integers(4, 7)) + 2 * (ankle > 0.45))
        tongue = [[(-0.02 - 0.1 * u, y * 0.08, rise + ankle - 0.02 + 0.14 * u - 0.02 * y * y) for y in (-1, -0.5, 0, 0.5, 1)] for u in (0, 0.5, 1)]
        parts += [
            skin([tongue], trim, thick=0.02),
            wires([[at(-spread, n, 0.015), at(0, n, 0.02), at(spread, n, 0.015)] for n in holes], 0.011, lace),
        ]
        parts.append(
            wires([[at(0, 0.95, 0.03), at(side * 0.8, 0.8, 0.1), at(side * 1.1, 0.7, 0.05), at(0, 0.93, 0.03)] for side in (-1, 1)], 0.009, lace)
        )
        for side in (-1, 1):
            for number in range(stripes):
                start = side * (1.2 + 0.2 * number)
                slant = [[at(start + side * (0.12 * w + 0.25 * u), u, 0.004) for w in (0, 1)] for u in np.linspace(0.1, 0.75, 6)]
                parts.append(skin([slant], trim, thick=0.006))
            parts.append(patch(side * np.linspace(2.7, math.pi, 5), np.linspace(0, 0.8, 6), trim))
        if cap:
            parts.append(patch(np.linspace(-0.9, 0.9, 15), np.linspace(0, 0.32, 5), trim if g.random() < 0.5 else sole))
        return parts

    parts = placed(one())
    if g.random() < 0.4:
        parts += placed(one(), (g.uniform(-0.25, 0.25), g.uniform(0.42, 0.55), 0), (0, 0, g.uniform(-0.3, 0.3)))
    return standing(g, parts, (0, 0, g.choice([0, math.pi]) + g.uniform(-0.7, 0.7)))


# Relative frequency of each product.
GOODS = {book: 7, headphones: 7, phone: 7, sunglasses: 6, shoe: 8}
