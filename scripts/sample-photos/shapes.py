"""Shapes of the sample photos: bodies of revolution, boxes and tubes."""

import math

import bpy  # before bmesh, which comes with it
import bmesh


def shape(mesh, made, smooth=True, subdivide=0, bevel=0.0, segments=4):
    data = bpy.data.meshes.new("shape")
    mesh.to_mesh(data)
    mesh.free()
    thing = bpy.data.objects.new("shape", data)
    bpy.context.scene.collection.objects.link(thing)
    for one in made if isinstance(made, list) else [made]:
        data.materials.append(one)
    if bevel:
        modifier = thing.modifiers.new("bevel", "BEVEL")
        modifier.width, modifier.segments = bevel, segments
    if smooth:
        data.shade_smooth()
    if subdivide:
        modifier = thing.modifiers.new("subdivide", "SUBSURF")
        modifier.levels = modifier.render_levels = subdivide
    return thing


def lathe(profile, made, steps=96):
    """Turns (radius, height) pairs about the axis."""
    mesh = bmesh.new()
    points = [mesh.verts.new((r, 0, z)) for r, z in profile]
    edges = [mesh.edges.new(pair) for pair in zip(points, points[1:])]
    bmesh.ops.spin(mesh, geom=points + edges, axis=(0, 0, 1), cent=(0, 0, 0), angle=2 * math.pi, steps=steps)
    bmesh.ops.remove_doubles(mesh, verts=mesh.verts, dist=1e-4)
    bmesh.ops.recalc_face_normals(mesh, faces=mesh.faces)
    return shape(mesh, made)


def smooth_profile(points, steps=8):
    """A rounded line through the points (Catmull-Rom)."""
    line = []
    padded = [points[0], *points, points[-1]]
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:]):
        for step in range(steps):
            t = step / steps
            line.append(
                tuple(
                    0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t**3)
                    for p, q, r, s in zip(a, b, c, d)
                )
            )
    return [*line, points[-1]]


def box(size, made, at=(0, 0, 0), bevel=0.02, subdivide=0):
    mesh = bmesh.new()
    bmesh.ops.create_cube(mesh, size=1)
    bmesh.ops.scale(mesh, verts=mesh.verts, vec=size)
    bmesh.ops.translate(mesh, verts=mesh.verts, vec=(at[0], at[1], at[2] + size[2] / 2))
    return shape(mesh, made, smooth=bool(subdivide), subdivide=subdivide, bevel=bevel)


def tube(points, radius, made, flat=0.0):
    """`flat`: half the width of a band."""
    data = bpy.data.curves.new("tube", "CURVE")
    data.dimensions, data.resolution_u, data.bevel_resolution = "3D", 24, 6
    data.bevel_depth, data.extrude, data.use_fill_caps = radius, flat, True
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(len(points) - 1)
    for point, place in zip(spline.bezier_points, points):
        point.co = place
        point.handle_left_type = point.handle_right_type = "AUTO"
    data.materials.append(made)
    thing = bpy.data.objects.new("tube", data)
    bpy.context.scene.collection.objects.link(thing)
    return thing
