"""Shapes for Blender: surfaces of revolution, boxes, bent tubes, planes, imported models. A thing is a list of objects whose
first one is the parent of all others.
"""

import math

import bmesh
import bpy
import numpy as np
from mathutils import Matrix, Vector

from . import assets

Thing = list


def _link(thing):
    bpy.context.scene.collection.objects.link(thing)
    return thing


def empty():
    return _link(bpy.data.objects.new("t", None))


def _unwrapped():
    """A mesh to be built with coordinates for prints: without this layer `calc_uvs` does nothing."""
    built = bmesh.new()
    built.loops.layers.uv.new()
    return built


def mesh(built, material, smooth: bool = True, subdivide: int = 0, bevel: float = 0):
    data = bpy.data.meshes.new("m")
    built.to_mesh(data)
    built.free()
    thing = _link(bpy.data.objects.new("m", data))
    data.materials.append(material)
    if smooth:
        data.shade_smooth()
    if bevel:
        edge = thing.modifiers.new("b", "BEVEL")
        edge.width, edge.segments = bevel, 4
    if subdivide:
        finer = thing.modifiers.new("s", "SUBSURF")
        finer.levels = finer.render_levels = subdivide
    return thing


def lathe(profile, material, around: int = 40, subdivide: int = 1):
    built = bmesh.new()
    points = [built.verts.new((radius, 0, height)) for radius, height in profile]
    edges = [built.edges.new(pair) for pair in zip(points, points[1:])]
    bmesh.ops.spin(built, geom=points + edges, cent=(0, 0, 0), axis=(0, 0, 1), angle=2 * math.pi, steps=around)
    bmesh.ops.remove_doubles(built, verts=built.verts, dist=1e-4)
    bmesh.ops.recalc_face_normals(built, faces=built.faces)
    _wrap(built)
    return mesh(built, material, subdivide=subdivide)


def _wrap(built) -> None:
    """Coordinates for prints: once around, from the lowest point to the highest."""
    layer = built.loops.layers.uv.new()
    heights = [vertex.co.z for vertex in built.verts]
    low, tall = min(heights), max(max(heights) - min(heights), 1e-6)
    for face in built.faces:
        turns = [math.atan2(loop.vert.co.y, loop.vert.co.x) / (2 * math.pi) for loop in face.loops]
        across = max(turns) - min(turns) > 0.5  # the face where the print's ends meet
        for loop, turn in zip(face.loops, turns):
            loop[layer].uv = (turn + 1 if across and turn < 0 else turn, (loop.vert.co.z - low) / tall)


def box(size, material, bevel: float = 0.02, subdivide: int = 0, at=(0, 0, 0)):
    built = _unwrapped()
    bmesh.ops.create_cube(built, size=1, calc_uvs=True)
    bmesh.ops.scale(built, verts=built.verts, vec=size)
    bmesh.ops.translate(built, verts=built.verts, vec=(0, 0, size[2] / 2))
    thing = mesh(built, material, smooth=bool(subdivide), subdivide=subdivide, bevel=bevel)
    thing.location = at
    return thing


def ball(radius: float, material, at=(0, 0, 0), scale=(1, 1, 1)):
    built = _unwrapped()
    bmesh.ops.create_uvsphere(built, u_segments=24, v_segments=16, radius=radius, calc_uvs=True)
    bmesh.ops.scale(built, verts=built.verts, vec=scale)
    thing = mesh(built, material)
    thing.location = at
    return thing


def tube(points, radius: float, material, closed: bool = False, flat: float = 0, tilt: float = 0):
    data = bpy.data.curves.new("c", "CURVE")
    data.dimensions, data.resolution_u = "3D", 12
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(len(points) - 1)
    for knot, at in zip(spline.bezier_points, points):
        knot.co, knot.tilt = at, tilt
        knot.handle_left_type = knot.handle_right_type = "AUTO"
    spline.use_cyclic_u = closed
    data.bevel_depth, data.bevel_resolution = (radius * 0.4, 2) if flat else (radius, 4)
    data.extrude = flat
    data.materials.append(material)
    return _link(bpy.data.objects.new("c", data))


def plane(wide: float, high: float, material, at=(0, 0, 0), turn=(0, 0, 0)):
    """Its coordinates stay in units of space, so that patterns have the same size on every plane."""
    built = _unwrapped()
    bmesh.ops.create_grid(built, size=0.5, calc_uvs=True)
    thing = mesh(built, material, smooth=False)
    thing.data.transform(Matrix.Diagonal((wide, high, 1, 1)))
    thing.location, thing.rotation_euler = at, turn
    return thing


def sheet(wide: float, deep: float, material, height, steps: int = 120):
    """Cloth: a grid with a height [steps, steps] at each point."""
    built = _unwrapped()
    bmesh.ops.create_grid(built, x_segments=steps - 1, y_segments=steps - 1, size=0.5, calc_uvs=True)
    for vertex in built.verts:
        x, y = vertex.co.x + 0.5, vertex.co.y + 0.5
        lift = height[min(int(y * steps), steps - 1), min(int(x * steps), steps - 1)]
        vertex.co = ((x - 0.5) * wide, (y - 0.5) * deep, lift)
    return mesh(built, material, subdivide=1)


def grouped(parts: Thing) -> Thing:
    parent = empty()
    for part in parts:
        if part.parent is None:
            part.parent = parent
    return [parent, *parts]


def imported(name: str, high: float) -> Thing:
    """A model standing on the ground at the origin, of about this height."""
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=str(assets.model(name)), loglevel=50)
    new = [thing for thing in bpy.data.objects if thing not in before]
    for thing in [thing for thing in new if thing.type in ("CAMERA", "LIGHT")]:
        new.remove(thing)
        bpy.data.objects.remove(thing)
    root = empty()
    for thing in new:
        if thing.parent is None:
            thing.parent = root
    low, top = bounds(new)
    size = top - low
    scale = high / max(size.z, 0.6 * max(size.x, size.y), 1e-6)
    middle = (low + top) / 2
    root.scale, root.location = (scale,) * 3, (-middle.x * scale, -middle.y * scale, -low.z * scale)
    return grouped([root, *new])


def bounds(things) -> tuple[Vector, Vector]:
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    corners = []
    for thing in things:
        if thing.type not in ("MESH", "CURVE"):
            continue
        shown = thing.evaluated_get(graph)
        if thing.type == "CURVE":
            built = shown.to_mesh()
            own = [vertex.co.copy() for vertex in built.vertices]
            shown.to_mesh_clear()
        else:
            own = shown.bound_box
        corners += [thing.matrix_world @ Vector(corner) for corner in own]
    table = np.array([tuple(corner) for corner in corners] or [(0, 0, 0)])
    return Vector(table.min(0)), Vector(table.max(0))


def removed(thing: Thing) -> None:
    for part in thing:
        bpy.data.objects.remove(part)
