"""Traces the shadows of products whose pose is known, by paths of light: the truth for bench/edits/shadow-error.ts.

    pip install embreex==4.4.0.post1            # beside ../mask/requirements.txt
    python trace_shadows.py --count 300 --seed 11 --out out/traced   # about a second each on one core

Unlike `render.py --shadows`, whose light is the one that Packshot casts with, the lamp is a round softbox at a finite distance, the
sky is even, and light that product and ground throw back counts up to the third bounce. The truth of a place on the ground is the
share of its irradiance that the product takes. The products and poses are those of render.py.
"""

import argparse
import json
import math
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from embreex import rtcore_scene
from embreex.mesh_construction import TriangleMesh
from numpy.random import Generator
from render import SIDE, STANDING, Pose, matte_of, pitch_standing, posed

HALF = SIDE // 2
LAMP_SAMPLES, SKY_SAMPLES, BOUNCES = 48, 64, 3
LAMP_DISTANCE = 4.0  # of the softbox, in sizes of the product; --lamp-distance
PRODUCT_ALBEDO, GROUND_ALBEDO = 0.45, 0.75
EPSILON = 1e-3
GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


class Light(NamedTuple):
    center: np.ndarray  # of the softbox, [3]
    across: np.ndarray  # its axes, [2, 3], of its radius's length
    key: float  # irradiance of level ground at the origin by the lamp; the sky's is 1 - key
    record: dict  # as Packshot's `Light` has it

    @staticmethod
    def drawn(g: Generator) -> "Light":
        direction = g.uniform(35, 105) if g.random() < 0.5 else g.uniform(255, 325)
        record = {"directionDeg": direction, "elevationDeg": g.uniform(46, 62), "softness": g.uniform(0.2, 0.75), "opacity": 1.0, "keyShare": 0.48}
        angle, high = math.radians(direction), math.radians(record["elevationDeg"])
        toward = np.array([math.sin(angle) * math.cos(high), math.cos(angle) * math.cos(high), math.sin(high)])
        # A softbox of the same angle as Packshot's lamp, which is a disc at height 1 above the ground, seen along a slope.
        radius = (0.02 + 0.5 * record["softness"]) * math.sin(high) * LAMP_DISTANCE
        side = np.cross(toward, [0, 0, 1])
        side /= np.linalg.norm(side)
        return Light(toward * LAMP_DISTANCE, np.stack([side, np.cross(side, toward)]) * radius, record["keyShare"], record)

    def points(self, turn: np.ndarray, share: np.ndarray) -> np.ndarray:
        r = np.sqrt(share)[:, None]
        return self.center + r * (np.cos(turn)[:, None] * self.across[0] + np.sin(turn)[:, None] * self.across[1])

    def reaching(self, at: np.ndarray, normals: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Irradiance from a point of the lamp where nothing is between, as a share of the origin's."""
        to = points - at
        far = np.linalg.norm(to, axis=1)
        axis = self.center / LAMP_DISTANCE
        facing = np.maximum((to * normals).sum(1) / far, 0) * np.maximum((to @ axis) / far, 0)
        return self.key * facing / axis[2] * (LAMP_DISTANCE / far) ** 2


class Scene:
    def __init__(self, pose: Pose):
        corners = pose.solid.corners
        self.triangles = np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]]).astype(np.float32)
        self.scene = rtcore_scene.EmbreeScene()
        TriangleMesh(self.scene, np.ascontiguousarray(self.triangles))
        edges = self.triangles[:, 1:] - self.triangles[:, :1]
        normals = np.cross(edges[:, 0], edges[:, 1])
        self.normals = normals / (np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12)

    def hits(self, at: np.ndarray, along: np.ndarray) -> np.ndarray:
        """The triangle that each ray meets first; -1: none."""
        return self.scene.run(np.ascontiguousarray(at, np.float32), np.ascontiguousarray(along, np.float32))

    def distances(self, at: np.ndarray, along: np.ndarray) -> np.ndarray:
        return self.scene.run(np.ascontiguousarray(at, np.float32), np.ascontiguousarray(along, np.float32), query="DISTANCE")

    def blocked(self, at: np.ndarray, to: np.ndarray) -> np.ndarray:
        """Whether the product is on the way to a point of the lamp, which is beyond all of it."""
        way = to - at
        return self.hits(at, way / np.linalg.norm(way, axis=1, keepdims=True)) >= 0


def sky_directions(normals: np.ndarray, share: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Directions around normals, with cosine-weighted density."""
    other = np.where(np.abs(normals[:, 2:]) < 0.9, [[0, 0, 1.0]], [[1.0, 0, 0]])
    a = np.cross(normals, other)
    a /= np.linalg.norm(a, axis=1, keepdims=True)
    b = np.cross(normals, a)
    r = np.sqrt(share)[:, None]
    return r * (np.cos(turn)[:, None] * a + np.sin(turn)[:, None] * b) + np.sqrt(1 - share)[:, None] * normals


def lamp_irradiance(g: Generator, scene: Scene, light: Light, at: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """From one random point of the lamp."""
    points = light.points(g.uniform(0, 2 * math.pi, len(at)), g.random(len(at)))
    above = at + normals * EPSILON
    return light.reaching(at, normals, points) * ~scene.blocked(above, points)


def radiance(g: Generator, scene: Scene, light: Light, at: np.ndarray, along: np.ndarray, bounces: int) -> np.ndarray:
    """Light that comes along rays, times pi: 1 - key from the open sky, and what product and ground throw back."""
    sky = 1 - light.key
    result = np.full(len(at), sky)
    hit = scene.hits(at, along)
    far = scene.distances(at, along)
    ground = np.where(along[:, 2] < -1e-6, -at[:, 2] / np.minimum(along[:, 2], -1e-6), np.inf)
    on_product = (hit >= 0) & (far < ground)
    on_ground = ~on_product & np.isfinite(ground)
    for chosen, albedo in ((on_product, PRODUCT_ALBEDO), (on_ground, GROUND_ALBEDO)):
        if not chosen.any():
            continue
        if bounces == 0:
            result[chosen] = 0
            continue
        way = along[chosen]
        length = np.where(on_product, far, ground)[chosen]
        points = at[chosen] + way * length[:, None]
        if albedo == GROUND_ALBEDO:
            normals = np.tile([0.0, 0, 1.0], (len(points), 1))
        else:
            normals = scene.normals[hit[chosen]]
            normals = np.where((normals * way).sum(1, keepdims=True) > 0, -normals, normals)
        arriving = lamp_irradiance(g, scene, light, points, normals)
        onward = sky_directions(normals, g.random(len(points)), g.uniform(0, 2 * math.pi, len(points)))
        arriving += radiance(g, scene, light, points + normals * EPSILON, onward, bounces - 1)
        result[chosen] = albedo * arriving
    return result


def ground_points(pose: Pose) -> tuple[np.ndarray, np.ndarray]:
    """Points of the ground at the centers of HALF x HALF pixels, and which pixels show any."""
    camera = pose.camera
    y, x = (np.mgrid[0:HALF, 0:HALF] + 0.5) * (SIDE / HALF)
    ax, ay = (x - camera.offset[0]) / camera.scale[0], (y - camera.offset[1]) / camera.scale[1]
    c, s, d = math.cos(camera.pitch), math.sin(camera.pitch), camera.distance
    slope = ay * c + s * d
    shown = slope > 0.02 * d
    away = np.where(shown, -ay * d / np.where(shown, slope, 1), 0)
    shown &= (d + away * c > 0.3) & (away < 12)
    points = np.stack([ax * (d + away * c) / d, away, np.full_like(away, EPSILON)], -1)
    return points, shown


def shadow_of(g: Generator, pose: Pose, light: Light) -> np.ndarray:
    """[HALF, HALF]: the share of the ground's light that the product takes."""
    points, shown = ground_points(pose)
    scene = Scene(pose)
    at = points[shown]
    up = np.tile([0.0, 0, 1.0], (len(at), 1))
    turn, offset = g.uniform(0, 2 * math.pi, len(at)), g.random(len(at))
    lamp, open_lamp, sky = np.zeros(len(at)), np.zeros(len(at)), np.zeros(len(at))
    for i in range(LAMP_SAMPLES):
        samples = light.points(turn + i * GOLDEN_ANGLE, (i + offset) / LAMP_SAMPLES)
        reaching = light.reaching(at, up, samples)
        open_lamp += reaching / LAMP_SAMPLES
        lamp += reaching * ~scene.blocked(at, samples) / LAMP_SAMPLES
    for i in range(SKY_SAMPLES):
        along = sky_directions(up, (i + offset) / SKY_SAMPLES, turn + i * GOLDEN_ANGLE)
        sky += radiance(g, scene, light, at, along, BOUNCES) / SKY_SAMPLES
    taken = np.zeros(shown.shape)
    taken[shown] = np.clip(1 - (lamp + sky) / (open_lamp + 1 - light.key), 0, 1)
    return taken


def trace(g: Generator, count: int, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    records: list[dict] = []
    families = list(STANDING.items())
    for number in range(count):
        family, makers = families[number % len(families)]
        pitch, turn = pitch_standing(g), g.normal(0, 0.5) if g.random() < 0.6 else g.uniform(0, 2 * math.pi)
        pose = posed(g, makers[(number // len(families)) % len(makers)], pitch, turn)
        light = Light.drawn(g)
        taken = cv2.resize(shadow_of(g, pose, light).astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
        name = f"{number:05d}"
        cv2.imwrite(str(out / f"{name}.png"), matte_of(pose))
        cv2.imwrite(str(out / f"{name}.shadow.png"), np.round(taken * 255).astype(np.uint8))
        shadow = {"file": f"{name}.png", "shadow": f"{name}.shadow.png", "light": light.record}
        records.append({"family": family, "stance": "standing", "pitch": round(pitch, 3), **shadow})
        (out / "poses.json").write_text(json.dumps(records))
        print(f"{number + 1} of {count}: {family}", flush=True)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=11)
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--lamp-distance", type=float, default=LAMP_DISTANCE, help="40 for the direction and the length of parallel light")
    chosen = arguments.parse_args()
    LAMP_DISTANCE = chosen.lamp_distance
    cv2.setNumThreads(1)
    trace(np.random.default_rng(chosen.seed), chosen.count, chosen.out)
