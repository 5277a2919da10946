"""The camera, the exposure, the picture and the product's exact matte."""

import math
import os
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector
from numpy.random import Generator

from .shapes import Thing, bounds

PICTURE_SAMPLES, MATTE_SAMPLES = 8, 24


def set_up(side: int, threads: int, alone: bool = False) -> None:
    """Alone, what the product leaves free is transparent."""
    scene = bpy.context.scene
    render, cycles = scene.render, scene.cycles
    render.engine, cycles.device = "CYCLES", "CPU"
    render.resolution_x = render.resolution_y = side
    render.threads_mode, render.threads = "FIXED", threads
    render.use_persistent_data, render.use_compositing, render.use_sequencer = True, False, False
    render.film_transparent = alone
    cycles.denoiser, cycles.denoising_input_passes = "OPENIMAGEDENOISE", "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter, cycles.denoising_quality = "FAST", "BALANCED"
    cycles.diffuse_bounces, cycles.glossy_bounces, cycles.transmission_bounces = 2, 3, 8
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect, cycles.blur_glossy = 4, 1
    _for_picture()


def _for_picture() -> None:
    cycles = bpy.context.scene.cycles
    cycles.samples, cycles.use_adaptive_sampling, cycles.adaptive_threshold, cycles.adaptive_min_samples = PICTURE_SAMPLES, True, 0.05, 8
    cycles.use_denoising, cycles.max_bounces = True, 8


def look(g: Generator, product: Thing, room: str) -> None:
    """The product in the middle or a little beside it, from about its own height or from above."""
    scene = bpy.context.scene
    camera = bpy.data.objects.new("c", bpy.data.cameras.new("c"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    low, high = bounds(product)
    high.z = min(high.z, low.z + 3)  # a cord goes on beyond the picture
    middle, size = (low + high) / 2, min((high - low).length, 3.5)
    camera.data.lens = g.uniform(28, 80)
    far = size * 0.5 / math.tan(math.atan(18 / camera.data.lens)) * (g.uniform(0.6, 0.95) if room == "alone" else g.uniform(0.8, 1.5)) + 0.15
    turn = -math.pi / 2 + g.uniform(-0.7, 0.7)
    above = room in ("street", "draped", "dark", "alone") and g.random() < 0.35
    rise = g.uniform(1.1, 1.5) if above else g.uniform(0.05, 0.75)
    camera.location = middle + far * Vector((math.cos(turn) * math.cos(rise), math.sin(turn) * math.cos(rise), math.sin(rise)))
    camera.location.z = max(camera.location.z, 0.12)
    aim = middle + Vector(g.uniform(-0.12, 0.12, 3)) * size
    facing = (aim - camera.location).to_track_quat("-Z", "Y").to_euler()
    facing.rotate_axis("Z", g.uniform(-0.06, 0.06))
    camera.rotation_euler = facing
    camera.data.dof.use_dof = g.random() < 0.75
    camera.data.dof.focus_distance = (middle - camera.location).length - size * 0.15
    camera.data.dof.aperture_fstop = g.choice([0.4, 0.8, 1.6, 3, 6])
    scene.view_settings.view_transform = ("AgX", "Filmic", "Standard")[g.integers(3)]
    scene.view_settings.exposure = _exposure(g, room)


def _exposure(g: Generator, room: str) -> float:
    """From a tiny rendering, so that dark rooms stay visible and bright ones do not burn out."""
    scene = bpy.context.scene
    view, cycles = scene.view_settings, scene.cycles
    kept = view.view_transform
    view.view_transform, view.exposure, scene.render.resolution_percentage = "Standard", -2, 20
    cycles.samples, cycles.use_denoising = 2, False
    path = Path(bpy.app.tempdir) / f"exposure-{os.getpid()}.png"
    _write(path, "PNG")
    image = bpy.data.images.load(str(path))
    pixels = np.empty(image.size[0] * image.size[1] * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    path.unlink()
    seen, alpha = pixels.reshape(-1, 4)[:, :3].mean(1), pixels.reshape(-1, 4)[:, 3]
    linear = np.where(seen < 0.04045, seen / 12.92, ((seen + 0.055) / 1.055) ** 2.4) * 4
    view.view_transform, scene.render.resolution_percentage = kept, 100
    _for_picture()
    wanted = g.uniform(0.01, 0.08) if room == "dark" else math.exp(g.uniform(-3, -0.8)) if room == "alone" else g.uniform(0.1, 0.26)
    mean = float((np.minimum(linear, 1.5) * alpha).sum() / max(float(alpha.sum()), 1e-3))
    return float(np.clip(math.log2(wanted / max(mean, 1e-3)), -3, 4))


def _write(path: Path, kind: str) -> None:
    scene = bpy.context.scene
    settings = scene.render.image_settings
    settings.file_format = kind
    if kind == "JPEG":
        settings.quality, settings.color_mode = 95, "RGB"
    else:
        settings.color_mode, settings.color_depth, settings.compression = "RGBA", "8", 15
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def picture(path: Path) -> None:
    _write(path, "JPEG")


def sprite(path: Path) -> None:
    """The product alone as a PNG with alpha; glass shows the surroundings' light and is opaque."""
    _write(path, "PNG")


def matte(path: Path, product: Thing) -> None:
    """The product's coverage as the alpha of a PNG: all else holds out, nothing bounces, and the product is opaque, glass too."""
    scene = bpy.context.scene
    own = set(product)
    shown = [thing for thing in bpy.data.objects if thing.type in ("MESH", "CURVE")]
    lights = [thing for thing in bpy.data.objects if thing.type == "LIGHT"]
    for thing in shown:
        thing.is_holdout = thing not in own
    for thing in lights:
        thing.hide_render = True
    world, scene.world = scene.world, None
    scene.render.film_transparent = True
    cycles = scene.cycles
    cycles.samples, cycles.use_adaptive_sampling, cycles.use_denoising, cycles.max_bounces = MATTE_SAMPLES, False, False, 0
    bpy.context.view_layer.material_override = _opaque()
    _write(path, "PNG")
    bpy.context.view_layer.material_override, scene.world, scene.render.film_transparent = None, world, False
    for thing in lights:
        thing.hide_render = False
    for thing in shown:
        thing.is_holdout = False
    _for_picture()


def _opaque():
    material = bpy.data.materials.get("opaque")
    if material is None:
        material = bpy.data.materials.new("opaque")
        material.use_nodes = True
        nodes = material.node_tree.nodes
        nodes.clear()
        shine, output = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeOutputMaterial")
        material.node_tree.links.new(shine.outputs[0], output.inputs[0])
    return material
