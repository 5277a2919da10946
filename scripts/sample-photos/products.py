"""The products of the sample photos. Each function builds one that stands on z = 0 and is about 1 high."""

import math

import bpy  # before bmesh, which comes with it
import bmesh
from materials import dipped, material, printed, wood
from mathutils import Vector
from PIL import Image, ImageDraw, ImageFont
from shapes import box, lathe, shape, smooth_profile, tube


def centered(draw, text, at, size, fill):
    draw.text(at, text, font=ImageFont.load_default(size), fill=fill, anchor="mm")


def mug():
    made = dipped("#1f6f78", "#b5623c", edge=0.26)
    outside = [(0.001, 0.015), (0.34, 0.015), (0.37, 0.0), (0.4, 0.0), (0.425, 0.02), (0.445, 0.08), (0.45, 0.2)]
    wall = [(0.45, 0.2 + 0.1 * step) for step in range(1, 8)]
    rim = [(0.449, 0.95), (0.44, 0.975), (0.425, 0.982), (0.41, 0.975), (0.402, 0.95)]
    inside = [(0.402, 0.9 - 0.1 * step) for step in range(8)]
    bottom = [(0.395, 0.14), (0.36, 0.09), (0.28, 0.07), (0.001, 0.07)]
    lathe([*outside, *wall, *rim, *inside, *bottom], made)
    side = [(0.43, 0.8), (0.56, 0.82), (0.72, 0.72), (0.75, 0.52), (0.66, 0.34), (0.52, 0.26), (0.43, 0.25)]
    tube([(x, 0, z) for x, z in side], 0.052, made)
    return -0.55


def bottle():
    """A pump bottle of a lotion: matte plastic, a paper label, a brushed collar."""
    body = material("#8f3f2b", rough=0.28, coat=0.3)
    white = material("#f2efe9", rough=0.35)
    profile = [(0.001, 0.012), (0.22, 0.0), (0.25, 0.012), (0.262, 0.05), (0.265, 0.12), (0.265, 0.62)]
    shoulder = smooth_profile([(0.265, 0.64), (0.255, 0.7), (0.2, 0.765), (0.12, 0.79), (0.1, 0.8), (0.1, 0.83)])
    lathe([*profile, *shoulder, (0.001, 0.83)], body)
    lathe([(0.001, 0.82), (0.112, 0.82), (0.116, 0.825), (0.116, 0.9), (0.11, 0.908), (0.001, 0.908)], material("#c9a86a", rough=0.25, metal=1))
    lathe([(0.001, 0.9), (0.03, 0.9), (0.03, 1.0), (0.001, 1.0)], white)
    lathe([(0.001, 0.985), (0.075, 0.985), (0.082, 0.993), (0.08, 1.05), (0.07, 1.058), (0.001, 1.06)], white)
    tube([(0.05, 0, 1.03), (0.16, 0, 1.035), (0.235, 0, 1.02), (0.25, 0, 0.985)], 0.024, white)
    picture = Image.new("RGB", (1400, 800), "#efe7d8")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((30, 30, 1370, 770), outline="#3b3a36", width=5)
    centered(draw, "OAT & FIG", (700, 300), 150, "#2b2a27")
    centered(draw, "hand lotion", (700, 440), 76, "#8f3f2b")
    centered(draw, "300 ml", (700, 660), 52, "#2b2a27")
    for leaf in range(-3, 4):
        x, y = 700 + leaf * 46, 150 + abs(leaf) * 10
        draw.ellipse((x - 12, y - 40, x + 12, y + 40), fill="#6d7d4e")
    wrap(picture, radius=0.2668, bottom=0.17, top=0.56, arc=2.5)
    return -0.35


def wrap(picture, radius, bottom, top, arc, steps=64):
    """A label about the axis, its middle toward the viewer."""
    mesh = bmesh.new()
    uv = mesh.loops.layers.uv.new()
    rows = []
    for step in range(steps + 1):
        angle = -math.pi / 2 - arc / 2 + arc * step / steps
        x, y = radius * math.cos(angle), radius * math.sin(angle)
        rows.append((mesh.verts.new((x, y, bottom)), mesh.verts.new((x, y, top))))
    for step in range(steps):
        face = mesh.faces.new((rows[step][0], rows[step + 1][0], rows[step + 1][1], rows[step][1]))
        for loop, (u, v) in zip(face.loops, ((step, 0), (step + 1, 0), (step + 1, 1), (step, 1))):
            loop[uv].uv = (u / steps, v)
    shape(mesh, printed(picture, rough=0.6))


def bag():
    """A tote of canvas with leather handles that stand up."""
    canvas = material("#d9c7a3", rough=0.9, bump=0.35, scale=180, spread=0.05)
    leather = material("#6b3a1e", rough=0.45, bump=0.2, scale=120)
    brass = material("#c9a86a", rough=0.2, metal=1)
    body = box((0.92, 0.34, 0.72), canvas, bevel=0.07, subdivide=3)
    folds = body.modifiers.new("folds", "DISPLACE")
    clouds = bpy.data.textures.new("folds", "CLOUDS")
    clouds.noise_scale = 0.35
    folds.texture, folds.strength, folds.mid_level = clouds, 0.035, 0.5
    box((0.9, 0.33, 0.16), leather, bevel=0.06, subdivide=3).scale = (1.04, 1.1, 1)
    for y in (-0.15, 0.15):
        arc = [(-0.23, y * 1.22, 0.5), (-0.23, y * 1.2, 0.68), (-0.17, y, 0.95), (0, y * 0.9, 1.04), (0.17, y, 0.95), (0.23, y * 1.2, 0.68), (0.23, y * 1.22, 0.5)]
        tube(arc, 0.009, leather, flat=0.022)
        for x in (-0.23, 0.23):
            rivet = lathe([(0.001, 0), (0.018, 0), (0.02, 0.006), (0.014, 0.014), (0.001, 0.016)], brass, steps=32)
            rivet.location, rivet.rotation_euler = (x, y * 1.3 + math.copysign(0.006, y), 0.55), (math.copysign(math.pi / 2, -y) * -1, 0, 0)
    return 0.35


def carton():
    """A folding carton of tea, printed on its front, side and top."""
    front = Image.new("RGB", (900, 1200), "#f3ede0")
    draw = ImageDraw.Draw(front)
    draw.rectangle((0, 0, 900, 250), fill="#21453d")
    centered(draw, "SENCHA", (450, 125), 150, "#f3ede0")
    draw.ellipse((250, 370, 650, 770), fill="#c8553d")
    for hill, (peak, color) in enumerate(((560, "#21453d"), (690, "#5f8a6b"), (800, "#a9c29a"))):
        line = [(x, peak + 70 * math.sin(x / (150 + 30 * hill) + hill * 2)) for x in range(0, 901, 10)]
        draw.polygon([*line, (900, 940), (0, 940)], fill=color)
    centered(draw, "green tea, 40 bags", (450, 1030), 64, "#21453d")
    draw.rectangle((0, 1130, 900, 1200), fill="#c8553d")
    side = Image.new("RGB", (600, 1200), "#21453d")
    draw = ImageDraw.Draw(side)
    for line in range(12):
        draw.rectangle((70, 330 + line * 44, 530 - (line * 83) % 190, 344 + line * 44), fill="#dfe6d6")
    centered(draw, "80 g", (300, 180), 110, "#f3ede0")
    draw.rectangle((0, 1130, 600, 1200), fill="#c8553d")
    top = Image.new("RGB", (900, 600), "#21453d")
    centered(ImageDraw.Draw(top), "SENCHA", (450, 300), 130, "#f3ede0")
    w, d, h = 0.66, 0.42, 0.92
    corners = {
        "front": ((-w, -d, 0), (w, -d, 0), (w, -d, 2 * h), (-w, -d, 2 * h)),
        "side": ((w, -d, 0), (w, d, 0), (w, d, 2 * h), (w, -d, 2 * h)),
        "top": ((-w, -d, 2 * h), (w, -d, 2 * h), (w, d, 2 * h), (-w, d, 2 * h)),
        "back": ((w, d, 0), (-w, d, 0), (-w, d, 2 * h), (w, d, 2 * h)),
        "other side": ((-w, d, 0), (-w, -d, 0), (-w, -d, 2 * h), (-w, d, 2 * h)),
        "bottom": ((-w, d, 0), (w, d, 0), (w, -d, 0), (-w, -d, 0)),
    }
    mesh = bmesh.new()
    uv = mesh.loops.layers.uv.new()
    for index, face in enumerate(corners.values()):
        made = mesh.faces.new([mesh.verts.new(Vector(corner) / 2) for corner in face])
        made.material_index = min(index, 3) if index != 4 else 1
        for loop, at in zip(made.loops, ((0, 0), (1, 0), (1, 1), (0, 1))):
            loop[uv].uv = at
    bmesh.ops.remove_doubles(mesh, verts=mesh.verts, dist=1e-5)
    prints = [printed(picture, rough=0.35, coat=0.2) for picture in (front, side, top)]
    shape(mesh, [*prints, material("#21453d", rough=0.4)], smooth=False, bevel=0.006, segments=2)
    return -0.6


def stool():
    """Three splayed legs, a ring that joins them, and a round seat."""
    beech = wood("#d9b27c", "#b98a52", along=(1, 9, 9))
    paint = material("#22313f", rough=0.35, coat=0.3)
    seat = [(0.001, 0.9), (0.33, 0.9), (0.365, 0.91), (0.375, 0.935), (0.365, 0.96), (0.33, 0.97), (0.15, 0.96), (0.001, 0.957)]
    lathe(seat, beech)
    rungs = []
    for leg in range(3):
        angle = leg * 2 * math.pi / 3 + 0.5
        at = lambda r: (r * math.cos(angle), r * math.sin(angle))
        tube([(*at(0.4), 0.018), (*at(0.32), 0.47), (*at(0.24), 0.905)], 0.03, paint)
        rungs.append((*at(0.345), 0.32))
    for start, end in zip(rungs, [*rungs[1:], rungs[0]]):
        tube([start, tuple((a + b) / 2 for a, b in zip(start, end)), end], 0.017, paint)
    return 0.1
