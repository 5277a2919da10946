"""Renders the sample photos of the demo and of the documents, so that these pictures are ours: products made of primitives
in `products.py`, with materials and prints drawn here, lit by soft boxes and path-traced.

    python3 -m venv .cache/samples && .cache/samples/bin/pip install bpy==5.0.1 pillow==12.0.0
    .cache/samples/bin/python scripts/sample-photos/render.py cli/demo/sample [NAME…]

Blender (GPL) is a tool of this script alone: nothing of it is in the pictures or in the product.
"""

import math
import os
import sys

import bpy  # before bmesh, which comes with it
import bmesh
from materials import linear, material, wood
from mathutils import Vector
from shapes import shape

import products

width, height = 1000, 750
samples = int(os.environ.get("SAMPLES", "128"))

# By name: where the product stands, from where it is lit and seen. Angles in degrees, lengths in heights of the product.
photos = {
    "mug": dict(product=products.mug, ground="sweep", color="#d8d4cc", key=(-2.2, -1.6, 2.6), seen=20, far=4.6, aim=0.46, lens=62),
    "bottle": dict(product=products.bottle, ground="sweep", color="#9fb6ba", key=(-2.0, -2.0, 2.2), seen=9, far=4.8, aim=0.52, lens=62),
    "bag": dict(product=products.bag, ground="room", color="#c9d0cf", key=(-2.4, -2.2, 2.8), seen=13, far=5.0, aim=0.5, lens=62),
    "box": dict(product=products.carton, ground="table", color="#b9c4bd", key=(2.2, -2.2, 2.6), seen=17, far=4.8, aim=0.46, lens=62),
    "stool": dict(product=products.stool, ground="room", color="#9db3bd", key=(2.4, -1.8, 3.0), seen=16, far=5.0, aim=0.47, lens=60),
}


def sweep(color):
    """Paper that rises behind the product without an edge."""
    mesh = bmesh.new()
    line = [(-9, 0), (2.2, 0)]
    line += [(2.2 + 1.6 * math.sin(a), 1.6 - 1.6 * math.cos(a)) for a in (math.pi / 2 * i / 24 for i in range(1, 25))]
    line += [(3.8, 9)]
    rows = [[mesh.verts.new((x, y, z)) for y, z in line] for x in (-12, 12)]
    for i in range(len(line) - 1):
        mesh.faces.new((rows[0][i], rows[0][i + 1], rows[1][i + 1], rows[1][i]))
    shape(mesh, material(color, rough=0.9, bump=0.02, scale=300))


def plane(made, size, at, upright=False):
    mesh = bmesh.new()
    bmesh.ops.create_grid(mesh, size=size)
    thing = shape(mesh, made, smooth=False)
    thing.location = at
    if upright:
        thing.rotation_euler = (math.pi / 2, 0, 0)


def room(color):
    plane(wood("#a67c52", "#7d5736", along=(0.5, 5, 5), rough=0.35), 14, (0, 0, 0))
    plane(material(color, rough=0.95, bump=0.08, scale=40, spread=0.02), 14, (0, 2.6, 0), upright=True)


def table(color):
    plane(wood("#c79a66", "#97683c", along=(0.6, 6, 6), rough=0.3), 14, (0, 0, 0))
    plane(material(color, rough=0.95), 30, (0, 9, 0), upright=True)


def lamp(at, size, power, toward=(0, 0, 0.5), color="#ffffff"):
    data = bpy.data.lights.new("lamp", "AREA")
    data.size, data.energy, data.color = size, power, linear(color)[:3]
    thing = bpy.data.objects.new("lamp", data)
    bpy.context.scene.collection.objects.link(thing)
    thing.location = at
    thing.rotation_euler = (Vector(toward) - Vector(at)).to_track_quat("-Z", "Y").to_euler()


def light(key):
    lamp(key, 1.8, 190, color="#fff4e6")
    lamp((-key[0] * 1.4, -2.4, 1.6), 3.0, 45, color="#e6efff")
    lamp((-key[0] * 0.8, 1.9, 2.8), 1.4, 60)
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = linear("#e3e6ea")
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.28
    bpy.context.scene.world = world


def camera(seen, far, aim, lens):
    data = bpy.data.cameras.new("camera")
    data.lens = lens
    data.dof.use_dof, data.dof.focus_distance, data.dof.aperture_fstop = True, far - 0.3, 2.8
    thing = bpy.data.objects.new("camera", data)
    bpy.context.scene.collection.objects.link(thing)
    raised = math.radians(seen)
    thing.location = (0, -far * math.cos(raised), aim + far * math.sin(raised))
    thing.rotation_euler = (Vector((0, 0, aim)) - thing.location).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.camera = thing


def render(path):
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = width, height, 100
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, 7
    cycles.use_adaptive_sampling, cycles.adaptive_threshold = True, 0.03
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 6, 3, 4
    cycles.caustics_reflective = cycles.caustics_refractive = False
    scene.view_settings.view_transform, scene.view_settings.exposure = "AgX", 0.35
    scene.view_settings.look = "AgX - Medium High Contrast"
    scene.render.filepath = path
    scene.render.image_settings.file_format, scene.render.image_settings.quality = "JPEG", 88
    bpy.ops.render.render(write_still=True)


def main(folder, *names):
    for name in names or photos:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        photo = photos[name]
        turn = photo["product"]()
        pivot = bpy.data.objects.new("pivot", None)
        for thing in list(bpy.context.scene.objects):
            thing.parent = pivot
        bpy.context.scene.collection.objects.link(pivot)
        pivot.rotation_euler = (0, 0, turn)
        {"sweep": sweep, "room": room, "table": table}[photo["ground"]](photo["color"])
        light(photo["key"])
        camera(photo["seen"], photo["far"], photo["aim"], photo["lens"])
        render(os.path.join(os.path.abspath(folder), f"{name}.jpg"))


main(*sys.argv[1:])
