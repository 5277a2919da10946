"""Materials of the sample photos: plain, wood, printed, and a dipped glaze."""

import os
import tempfile

import bpy

scratch = tempfile.mkdtemp(prefix="packshot-samples-")


def linear(color):
    """#rrggbb to the linear color that Cycles wants."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return (*[c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels], 1)


def material(color, rough=0.5, metal=0.0, coat=0.0, bump=0.0, scale=60.0, spread=0.0):
    """`bump`: depth of a fine grain. `spread`: by how much the color varies over the surface."""
    made = bpy.data.materials.new("material")
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = linear(color)
    shader.inputs["Roughness"].default_value = rough
    shader.inputs["Metallic"].default_value = metal
    shader.inputs["Coat Weight"].default_value = coat
    if bump or spread:
        noise = nodes.new("ShaderNodeTexNoise")
        noise.inputs["Scale"].default_value = scale
        noise.inputs["Detail"].default_value = 6
        place = nodes.new("ShaderNodeTexCoord")
        links.new(place.outputs["Object"], noise.inputs["Vector"])
    if bump:
        relief = nodes.new("ShaderNodeBump")
        relief.inputs["Strength"].default_value = bump
        relief.inputs["Distance"].default_value = 0.01
        links.new(noise.outputs[0], relief.inputs["Height"])
        links.new(relief.outputs[0], shader.inputs["Normal"])
    if spread:
        ramp = nodes.new("ShaderNodeValToRGB")
        dark = [c * (1 - spread) for c in linear(color)[:3]]
        light = [min(1, c * (1 + spread)) for c in linear(color)[:3]]
        ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.35, 0.65
        ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (*dark, 1), (*light, 1)
        links.new(noise.outputs[0], ramp.inputs[0])
        links.new(ramp.outputs[0], shader.inputs["Base Color"])
    return made


def wood(light, dark, along=(0.7, 7, 7), rough=0.4):
    made = material(light, rough=rough)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    place, stretch, noise = (nodes.new(f"ShaderNode{kind}") for kind in ("TexCoord", "Mapping", "TexNoise"))
    stretch.inputs["Scale"].default_value = along
    noise.inputs["Scale"].default_value = 1.6
    noise.inputs["Detail"].default_value = 9
    noise.inputs["Distortion"].default_value = 0.6
    ramp = nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.35, 0.68
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = linear(dark), linear(light)
    links.new(place.outputs["Object"], stretch.inputs[0])
    links.new(stretch.outputs[0], noise.inputs["Vector"])
    links.new(noise.outputs[0], ramp.inputs[0])
    links.new(ramp.outputs[0], nodes["Principled BSDF"].inputs["Base Color"])
    return made


def printed(picture, rough=0.45, coat=0.0):
    path = os.path.join(scratch, f"{len(os.listdir(scratch))}.png")
    picture.save(path)
    made = material("#ffffff", rough=rough, coat=coat)
    texture = made.node_tree.nodes.new("ShaderNodeTexImage")
    texture.image = bpy.data.images.load(path)
    made.node_tree.links.new(texture.outputs[0], made.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
    return made


def dipped(glaze, clay, edge):
    """A glaze above a clay body, with a wavering edge at height `edge`."""
    made = material(glaze, rough=0.12, coat=0.6)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    place, split, noise = (nodes.new(f"ShaderNode{kind}") for kind in ("TexCoord", "SeparateXYZ", "TexNoise"))
    noise.inputs["Scale"].default_value = 2.2
    links.new(place.outputs["Object"], split.inputs[0])
    links.new(place.outputs["Object"], noise.inputs["Vector"])
    waver, above = nodes.new("ShaderNodeMath"), nodes.new("ShaderNodeMapRange")
    waver.operation = "MULTIPLY_ADD"
    waver.inputs[1].default_value = 0.22
    links.new(noise.outputs[0], waver.inputs[0])
    links.new(split.outputs["Z"], waver.inputs[2])
    above.inputs["From Min"].default_value, above.inputs["From Max"].default_value = edge + 0.105, edge + 0.115
    links.new(waver.outputs[0], above.inputs["Value"])
    colors, roughness = nodes.new("ShaderNodeMix"), nodes.new("ShaderNodeMapRange")
    colors.data_type = "RGBA"
    colors.inputs[6].default_value, colors.inputs[7].default_value = linear(clay), linear(glaze)
    roughness.inputs["To Min"].default_value, roughness.inputs["To Max"].default_value = 0.75, 0.12
    links.new(above.outputs[0], colors.inputs[0])
    links.new(above.outputs[0], roughness.inputs["Value"])
    links.new(above.outputs[0], shader.inputs["Coat Weight"])
    links.new(colors.outputs[2], shader.inputs["Base Color"])
    links.new(roughness.outputs[0], shader.inputs["Roughness"])
    return made
