"""Draws a solid: the painter's algorithm fills a buffer of face numbers, then each pixel is shaded.

It draws at twice the resolution, so that edges and holes are exact to a quarter of a pixel after downscaling.
"""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.random import Generator

from solids import Solid
from surfaces import PatternBank, color, panels

OVERSAMPLING = 2
SUBPIXEL_BITS = 4
LARGE_PRINTS = ("print", "print", "blotches", "dots", "stripes", "checks")
MIRROR_METAL = 0.75
LOWEST_SUN = 0.12  # the light's height: shadows at most eight times as long as the product is high


class Faces(NamedTuple):
    corners: np.ndarray  # [F, 4, 3] in space
    normals: np.ndarray  # [F, 4, 3]
    uv: np.ndarray  # [F, 4, 2]
    part: np.ndarray  # [F]


class Layer(NamedTuple):
    """A drawn product: color times alpha [S, S, 3] in 0..1, and alpha [S, S]."""

    premultiplied: np.ndarray
    alpha: np.ndarray


class Mood(NamedTuple):
    """How the light falls: parts of the shading that are drawn at random where they are None."""

    ambient: float | None = None
    exposure: float | None = None
    rim: float = 0.0  # light from behind, which shows on the outline only


class Material(NamedTuple):
    texture: np.ndarray | None
    tint: np.ndarray
    gloss: float
    sharpness: float
    metal: float
    clear: float  # transparency; the true alpha is 1 nevertheless


def faces_of(solid: Solid) -> Faces:
    corners, normals, uvs, parts = [], [], [], []
    for points, part, closed in solid:
        rows, columns = points.shape[:2]
        down = np.gradient(points, axis=0)
        if closed:
            across = (np.roll(points, -1, 1) - np.roll(points, 1, 1)) / 2
            grid = np.concatenate([points, points[:, :1]], 1)
        else:
            across, grid = np.gradient(points, axis=1), points
        normal = np.cross(across, down)
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + 1e-9
        if closed:
            normal = np.concatenate([normal, normal[:, :1]], 1)
        v, u = np.mgrid[0:rows, 0 : grid.shape[1]].astype(float)
        uv = np.stack([u / (grid.shape[1] - 1), v / (rows - 1)], -1)
        quad = lambda a: np.stack([a[:-1, :-1], a[:-1, 1:], a[1:, 1:], a[1:, :-1]], 2).reshape(-1, 4, a.shape[-1])  # noqa: E731
        corners.append(quad(grid))
        normals.append(quad(normal))
        uvs.append(quad(uv))
        parts.append(np.full(len(corners[-1]), part))
    return Faces(np.concatenate(corners), np.concatenate(normals), np.concatenate(uvs), np.concatenate(parts))


class Camera(NamedTuple):
    """A point p of space appears at scale * project(p) + offset, in pixels of the final image."""

    pitch: float
    distance: float
    scale: np.ndarray  # [2]
    offset: np.ndarray  # [2]

    def project(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        c, s = np.cos(self.pitch), np.sin(self.pitch)
        depth = self.distance + points[..., 1] * c - points[..., 2] * s
        seen = np.stack([points[..., 0], -(points[..., 1] * s + points[..., 2] * c)], -1)
        seen = seen * (self.distance / np.maximum(depth, 0.3))[..., None]
        return seen * self.scale + self.offset, depth

    def fitted(self, points: np.ndarray, box: tuple[float, float, float, float], stretch: tuple[float, float]) -> "Camera":
        """The same view, moved and scaled so that the points fit a box (x, y, width, height) of pixels.

        stretch: the image's anisotropic scaling of x and y, kept for any box.
        """
        seen, _ = self._replace(scale=np.ones(2), offset=np.zeros(2)).project(points)
        low, high = seen.reshape(-1, 2).min(0), seen.reshape(-1, 2).max(0)
        size = np.maximum(high - low, 1e-6) * stretch
        k = min(box[2] / size[0], box[3] / size[1])
        scale = np.array(stretch) * k
        corner = np.array(box[:2]) + (np.array(box[2:]) - size * k) / 2
        return self._replace(scale=scale, offset=corner - low * scale)


def material(
    g: Generator, bank: PatternBank, clear: float, like: np.ndarray | None = None, ink: np.ndarray | None = None
) -> Material:
    """like: a color to be close to, as white on white; ink: the color of a large print on it, as the backdrop's."""
    plain = g.random() < 0.45 or ink is not None
    tint = color(g) if like is None else np.clip(like * g.uniform(0.85, 1.15) + g.normal(0, 0.02, 3), 0, 1)
    plain = plain or like is not None
    texture = None
    if not plain:
        texture = panels(g) if g.random() < 0.25 else bank.texture(g)
    elif ink is not None or g.random() < 0.45:  # a print on plain ground
        kinds = LARGE_PRINTS if ink is not None else ("print", "print", "confetti", "dots")
        mark = bank.field(g, kinds)[..., None]
        texture = (tint * (1 - mark) + (color(g) if ink is None else ink) * mark).astype(np.float32)
    glossy = g.random() < 0.5
    metal = g.uniform(0.4, 1) if g.random() < 0.13 else 0.0
    return Material(texture, tint, g.uniform(0.15, 0.9) if glossy else g.uniform(0, 0.12), g.uniform(8, 90), metal, clear)


def draw(
    g: Generator, faces: Faces, camera: Camera, materials: list[Material], under: np.ndarray, light: np.ndarray, mood: Mood = Mood()
) -> Layer:
    """Draw over `under` [S, S, 3], which only transparent and mirroring materials show."""
    side = under.shape[0]
    fine = side * OVERSAMPLING
    seen, depth = camera.project(faces.corners)
    seen = seen * OVERSAMPLING
    numbers = np.zeros((fine, fine), np.int32)
    fixed = np.round(np.clip(seen - 0.5, -4 * fine, 5 * fine) * (1 << SUBPIXEL_BITS)).astype(np.int32)
    order = np.argsort(-depth.mean(1))
    for index in order.tolist():
        cv2.fillConvexPoly(numbers, fixed[index], index + 1, cv2.LINE_8, SUBPIXEL_BITS)
    rows, columns = np.nonzero(numbers)
    if len(rows) == 0:
        return Layer(np.zeros_like(under), np.zeros((side, side), np.float32))
    face = numbers[rows, columns] - 1
    attributes = np.concatenate([faces.normals, faces.uv], -1).astype(np.float32)
    values = _interpolate(seen.astype(np.float32), attributes, face, columns, rows)
    colors = _shade(g, camera, faces.part[face], values, materials, light, under, rows, columns, mood)
    picture = np.zeros((fine, fine, 4), np.float32)
    picture[rows, columns, :3] = colors
    picture[rows, columns, 3] = 1
    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    return Layer(small[..., :3], small[..., 3])


def _interpolate(seen: np.ndarray, attributes: np.ndarray, face: np.ndarray, columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Attributes [F, 4, A] at pixels, by each face's best plane through its four corners."""
    center, mean = seen.mean(1), attributes.mean(1)
    offset, change = seen - center[:, None], attributes - mean[:, None]
    xx, yy = (offset[..., 0] ** 2).sum(1) + 0.5, (offset[..., 1] ** 2).sum(1) + 0.5
    xy = (offset[..., 0] * offset[..., 1]).sum(1)
    ax = np.einsum("fc,fca->fa", offset[..., 0], change)
    ay = np.einsum("fc,fca->fa", offset[..., 1], change)
    determinant = (xx * yy - xy * xy)[:, None]
    slope_x = (ax * yy[:, None] - ay * xy[:, None]) / determinant
    slope_y = (ay * xx[:, None] - ax * xy[:, None]) / determinant
    x = (columns - center[face, 0]).astype(np.float32)[:, None]
    y = (rows - center[face, 1]).astype(np.float32)[:, None]
    return mean[face] + slope_x[face] * x + slope_y[face] * y


def _shade(g, camera, part, values, materials, light, under, rows, columns, mood) -> np.ndarray:
    normal = values[:, :3]
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-6
    c, s = np.cos(camera.pitch), np.sin(camera.pitch)
    view = np.array([0, -c, s], np.float32)
    facing = normal @ view
    normal *= np.where(facing < 0, -1, 1)[:, None]
    facing = np.abs(facing)
    diffuse = np.clip(normal @ light, 0, 1)
    sky = normal[:, 2] * 0.5 + 0.5
    # A third of the images are high-key: white products are brighter than the paper behind them.
    exposure = g.uniform(1.15, 1.6) if g.random() < 0.35 else 1.0
    ambient = g.uniform(0.25, 0.75)
    exposure = exposure if mood.exposure is None else mood.exposure
    ambient = ambient if mood.ambient is None else mood.ambient
    floor = under[-under.shape[0] // 4 :].mean((0, 1))
    base = exposure * (ambient * (0.55 + 0.45 * sky) + (1 - ambient) * 1.1 * diffuse)[:, None]
    spill = (1 - sky)[:, None] * g.uniform(0, 0.35) * floor
    half = (light + view) / np.linalg.norm(light + view)
    shine = np.clip(normal @ half, 0, 1)
    rim = (1 - facing) ** 3
    mirrored = 2 * facing[:, None] * normal - view
    up = mirrored[:, 2] * 0.5 + 0.5
    room = _room(g)[np.clip((up * 63).astype(int), 0, 63)]
    # What a mirror shows of the surroundings: the picture's own colors, row by row from its lower to its upper edge.
    around = under.mean(1)[::-1][np.clip((up * (len(under) - 1)).astype(int), 0, len(under) - 1)]
    side_on = np.clip(normal[:, 0] * np.sign(light[0] + 1e-6) * 0.7 + normal[:, 2] * 0.6, 0, 1)
    behind_light = mood.rim * (1 - facing) ** 2 * side_on
    behind = under[rows // OVERSAMPLING, columns // OVERSAMPLING]
    colors = np.empty((len(rows), 3), np.float32)
    for number, m in enumerate(materials):
        here = np.flatnonzero(part == number)
        if len(here) == 0:
            continue
        albedo = m.tint.astype(np.float32)
        if m.texture is not None:
            high = m.texture.shape[0]
            u = (np.clip(values[here, 3], 0, 1) * (high - 1)).astype(int)
            v = ((1 - np.clip(values[here, 4], 0, 1)) * (high - 1)).astype(int)
            albedo = m.texture[v, u]
        lit = albedo * (base[here] + spill[here])
        if m.metal > 0:
            seen = around[here] * (0.5 + 0.6 * room[here, None]) if m.metal > MIRROR_METAL else room[here, None]
            lit = lit * (1 - m.metal) + m.metal * (0.35 + 0.65 * albedo) * seen * (mood.exposure or 1)
        if m.clear > 0:
            through = behind[here] * (0.75 + 0.25 * albedo)
            keep = m.clear * (1 - rim[here, None] * 0.8)
            lit = lit * (1 - keep) + through * keep
        lamps = shine[here, None] ** m.sharpness + 0.35 * rim[here, None] * room[here, None] * (mood.exposure or 1)
        colors[here] = lit + m.gloss * lamps + behind_light[here, None] * (0.2 + 0.8 * albedo)
    return np.clip(colors, 0, 1)


def _room(g: Generator) -> np.ndarray:
    """The environment that a mirror reflects, from below (0) to above (63): dark ground, bright lamps."""
    room = np.interp(np.arange(64), np.sort(g.integers(0, 64, 6)), g.uniform(0.1, 1, 6))
    lamp = int(g.integers(20, 60))
    room[lamp : lamp + int(g.integers(2, 10))] = g.uniform(0.9, 1.3)
    return room.astype(np.float32)


def cast_shadow(faces: Faces, camera: Camera, light: np.ndarray, side: int) -> np.ndarray:
    """Hard shadow on the ground z = 0, [S, S] in 0..1; computed at half the resolution."""
    corners = faces.corners.copy()
    corners[..., :2] -= corners[..., 2:] * (light[:2] / max(light[2], LOWEST_SUN))
    corners[..., 2] = 0
    seen, _ = camera.project(corners)
    half = side // 2
    fixed = np.round(np.clip(seen * 0.5, -2 * side, 3 * side) * 16).astype(np.int32)
    shadow = np.zeros((half, half), np.uint8)
    for polygon in fixed:
        cv2.fillConvexPoly(shadow, polygon, 255, cv2.LINE_8, SUBPIXEL_BITS)
    return cv2.resize(shadow.astype(np.float32) / 255, (side, side), interpolation=cv2.INTER_LINEAR)
