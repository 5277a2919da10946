"""Materials of Cycles: plain, metal, glass, wood, cloth, scanned surfaces, and pictures painted here: prints, road marks."""

import colorsys
import math

import bpy
import numpy as np
from numpy.random import Generator

from . import assets

PRINT_SIDE = 256


def color(g: Generator, dark: bool = False) -> tuple[float, float, float]:
    kind = g.random()
    if dark:
        return colorsys.hsv_to_rgb(g.random(), g.uniform(0, 0.5), g.uniform(0.004, 0.05))
    if kind < 0.38:
        gray = g.choice([0.015, 0.04, 0.18, 0.45, 0.8])
        return (gray, gray * g.uniform(0.92, 1.05), gray * g.uniform(0.85, 1.1))
    if kind < 0.62:  # leather, wood, sand
        return colorsys.hsv_to_rgb(g.uniform(0.03, 0.12), g.uniform(0.3, 0.7), g.uniform(0.08, 0.6))
    return colorsys.hsv_to_rgb(g.random(), g.uniform(0.3, 0.95), g.uniform(0.1, 0.9))


def _new():
    material = bpy.data.materials.new("m")
    material.use_nodes = True
    tree = material.node_tree
    return material, tree.nodes, tree.links, tree.nodes["Principled BSDF"]


def _wear(g, nodes, links, shader, rough: float) -> None:
    """Fingerprints, scratches: the roughness varies."""
    noise, spread = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeMapRange")
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = g.uniform(2, 12), 6
    spread.inputs[3].default_value, spread.inputs[4].default_value = max(0.03, rough - 0.12), min(1, rough + 0.2)
    links.new(noise.outputs[0], spread.inputs[0])
    links.new(spread.outputs[0], shader.inputs["Roughness"])


def _bump(g, nodes, links, shader, strength: float, scale: float) -> None:
    noise, bump = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeBump")
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = scale, 4
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = strength, 0.02
    links.new(noise.outputs[0], bump.inputs["Height"])
    links.new(bump.outputs[0], shader.inputs["Normal"])


def plain(g: Generator, tone=None, rough: float | None = None, metal: float = 0, bump: float = 0, scale: float = 60, sheen: float = 0):
    material, nodes, links, shader = _new()
    rough = g.choice([0.08, 0.25, 0.4, 0.6, 0.85]) if rough is None else rough
    shader.inputs["Base Color"].default_value = (*(color(g) if tone is None else tone), 1)
    shader.inputs["Metallic"].default_value, shader.inputs["Sheen Weight"].default_value = metal, sheen
    _wear(g, nodes, links, shader, rough)
    if bump:
        _bump(g, nodes, links, shader, bump, scale)
    return material


def metal(g: Generator):
    return plain(g, colorsys.hsv_to_rgb(g.uniform(0.05, 0.15), g.uniform(0, 0.5), g.uniform(0.5, 0.95)), g.uniform(0.02, 0.45), 1)


def glass(g: Generator, tone=None):
    material, _, _, shader = _new()
    tints = [(1, 1, 1), (0.75, 0.95, 0.8), (0.55, 0.3, 0.08), (0.85, 0.95, 1), (0.3, 0.25, 0.2)]
    tone = tone or tints[g.integers(len(tints))]
    shader.inputs["Base Color"].default_value = (*tone, 1)
    shader.inputs["Transmission Weight"].default_value, shader.inputs["Roughness"].default_value = 1, 0
    return material


def cloth(g: Generator, tone=None):
    material, nodes, links, shader = _new()
    tone = color(g) if tone is None else tone
    place, total, bump = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMath"), nodes.new("ShaderNodeBump")
    for number, direction in enumerate("XZ"):
        wave = nodes.new("ShaderNodeTexWave")
        wave.inputs["Scale"].default_value, wave.inputs["Distortion"].default_value = g.uniform(20, 45), 1
        wave.bands_direction = direction
        links.new(place.outputs["Object"], wave.inputs[0])
        links.new(wave.outputs[1], total.inputs[number])
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = 0.5, 0.01
    links.new(total.outputs[0], bump.inputs["Height"])
    links.new(bump.outputs[0], shader.inputs["Normal"])
    shader.inputs["Base Color"].default_value = (*tone, 1)
    shader.inputs["Roughness"].default_value, shader.inputs["Sheen Weight"].default_value = 0.85, 0.3
    return material


def wood(g: Generator, dark: bool = False):
    material, nodes, links, shader = _new()
    place, stretch = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    noise, ramp = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeValToRGB")
    stretch.inputs["Scale"].default_value = (g.uniform(0.5, 1), g.uniform(6, 10), 1)
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = g.uniform(1, 2.5), 9
    noise.inputs["Distortion"].default_value = g.uniform(0.2, 1.2)
    hue, value = g.uniform(0.05, 0.1), g.uniform(0.02, 0.06) if dark else g.uniform(0.15, 0.5)
    for stop, at, scale in zip(ramp.color_ramp.elements, (0.35, 0.65), (0.45, 1.3)):
        stop.color, stop.position = (*colorsys.hsv_to_rgb(hue, 0.6, min(1, value * scale)), 1), at
    links.new(place.outputs["Object"], stretch.inputs[0])
    links.new(stretch.outputs[0], noise.inputs[0])
    links.new(noise.outputs[0], ramp.inputs[0])
    links.new(ramp.outputs[0], shader.inputs["Base Color"])
    shader.inputs["Roughness"].default_value = g.uniform(0.2, 0.55)
    return material


def scanned(g: Generator, name: str, scale: float):
    material, nodes, links, shader = _new()
    place, turn = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    turn.inputs["Scale"].default_value, turn.inputs["Rotation"].default_value = (scale,) * 3, (0, 0, g.uniform(0, 6.3))
    links.new(place.outputs["Object"], turn.inputs[0])

    def picture(layer: str):
        path = assets.surface(name, layer)
        if path is None:
            return None
        node = nodes.new("ShaderNodeTexImage")
        node.image = bpy.data.images.load(str(path), check_existing=True)
        node.image.colorspace_settings.name = "sRGB" if layer == "map" else "Non-Color"
        links.new(turn.outputs[0], node.inputs[0])
        return node.outputs[0]

    for layer, socket in (("map", "Base Color"), ("roughnessMap", "Roughness"), ("metalnessMap", "Metallic")):
        if output := picture(layer):
            links.new(output, shader.inputs[socket])
    if output := picture("normalMap"):
        normal = nodes.new("ShaderNodeNormalMap")
        links.new(output, normal.inputs[1])
        links.new(normal.outputs[0], shader.inputs["Normal"])
    return material


def painted(g: Generator, picture: np.ndarray, rough: float, by: str = "UV", scale: float = 1.0):
    """A picture [P, P, 3] in 0..1 on an object's own coordinates, or on its faces."""
    material, nodes, links, shader = _new()
    side = picture.shape[0]
    image = bpy.data.images.new("p", side, side)
    image.pixels.foreach_set(np.dstack([picture, np.ones((side, side))]).astype(np.float32).ravel())
    image.pack()
    node, place, turn = nodes.new("ShaderNodeTexImage"), nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    node.image = image
    turn.inputs["Scale"].default_value = (scale,) * 3
    links.new(place.outputs[by], turn.inputs[0])
    links.new(turn.outputs[0], node.inputs[0])
    links.new(node.outputs[0], shader.inputs["Base Color"])
    _wear(g, nodes, links, shader, rough)
    return material


def _soft(g: Generator, side: int, cells: int) -> np.ndarray:
    """Smooth noise in 0..1 by bilinear steps between random cells."""
    grid, at = g.random((cells + 1, cells + 1)), np.linspace(0, cells, side, endpoint=False)
    low, mix = at.astype(int), at - at.astype(int)
    rows = grid[low] * (1 - mix)[:, None] + grid[low + 1] * mix[:, None]
    return rows[:, low] * (1 - mix) + rows[:, low + 1] * mix


def print_picture(g: Generator, ground=None, ink=None) -> np.ndarray:
    """Blocks, discs, bars and lines of short strokes like text."""
    side = PRINT_SIDE
    y, x = np.mgrid[0:side, 0:side] / side
    picture = np.broadcast_to(np.array(color(g) if ground is None else ground), (side, side, 3)).copy()
    for _ in range(int(g.integers(1, 7))):
        tone = np.array(color(g) if ink is None else ink)
        kind, (a, b), (w, h) = g.random(), g.uniform(0, 0.8, 2), g.uniform(0.05, 0.6, 2)
        if kind < 0.35:
            shown = (x > a) & (x < a + w) & (y > b) & (y < b + h)
        elif kind < 0.55:
            shown = np.hypot(x - a, y - b) < w / 2
        elif kind < 0.7:
            shown = ((x * math.cos(a * 6) + y * math.sin(a * 6)) * g.uniform(2, 12)) % 1 < 0.4
        else:
            lines = (y - b) * g.uniform(12, 40)
            strokes = _soft(g, side, 48) > 0.45
            shown = (x > a) & (x < a + w) & (y > b) & (y < b + h) & (lines % 1 < 0.55) & strokes
        picture[shown] = tone
    return picture


def printed(g: Generator, ground=None, ink=None):
    return painted(g, print_picture(g, ground, ink), g.uniform(0.15, 0.8))


def marked_ground(g: Generator, checks: bool = False):
    """A road with worn marks, or bold checks."""
    side = 512
    y, x = np.mgrid[0:side, 0:side] / side
    ground = np.array(color(g) if checks else np.full(3, g.uniform(0.02, 0.15)))
    ink = np.array(color(g)) if checks or g.random() < 0.3 else np.full(3, g.uniform(0.5, 0.85))
    if checks:
        n = int(g.integers(2, 8))
        shown = (((x * n).astype(int) + (y * n).astype(int)) % 2).astype(float)
    else:
        angle = g.uniform(0, math.pi)
        shown = ((x * math.cos(angle) + y * math.sin(angle)) * g.uniform(1, 4) % 1 < g.uniform(0.15, 0.5)).astype(float)
        shown *= np.clip((_soft(g, side, 128) * 0.6 + _soft(g, side, 24) * 0.6 - g.uniform(0.1, 0.4)) * 5, 0, 1)
    grain = 0.6 + 0.8 * _soft(g, side, 256) * g.uniform(0.3, 1)
    picture = (ground * (1 - shown[..., None]) + ink * shown[..., None]) * grain[..., None]
    return painted(g, np.clip(picture, 0, 1), g.uniform(0.3, 0.9), "Object", g.uniform(0.12, 0.35))


def any_material(g: Generator):
    makers = (metal, glass, cloth, wood, printed, printed, plain, plain, plain)
    return makers[g.integers(len(makers))](g)
