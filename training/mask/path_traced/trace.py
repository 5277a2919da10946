"""Renders path-traced images of products with their exact mattes, and writes them as shards beside the fast ones.

    cd training/mask && out/bpy/bin/python -m path_traced.trace --count 400 --seed 7 --out out/traced
    cd training/mask && out/bpy/bin/python -m path_traced.trace --alone --count 400 --seed 8 --out out/sprites

With --alone the products stand on nothing, for render.py --sprites: color times alpha, and alpha. That costs a quarter.

A scene depends on the seed and on its number only. A shard is written when all its images are; a run that was ended goes on with
the first shard that is missing.
"""

import argparse
import hashlib
import json
import math
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import bpy
import numpy as np

from packing import write_files

from . import assets, camera, products, rooms

SHARD_PICTURES, VIEWS = 40, 4
COVERAGE_MIN, COVERAGE_MAX = 0.012, 0.9


def matte_file(path: Path, folder: Path) -> tuple[bytes, float]:
    """A rendered PNG's alpha as a gray PNG, and its mean."""
    image = bpy.data.images.load(str(path))
    side = image.size[0]
    pixels = np.empty(side * side * 4, np.float32)
    image.pixels.foreach_get(pixels)
    alpha = pixels.reshape(-1, 4)[:, 3]
    gray = bpy.data.images.new("g", side, side, is_data=True)
    gray.pixels.foreach_set(np.stack([alpha, alpha, alpha, np.ones_like(alpha)], 1).ravel())
    scene_settings = bpy.context.scene.render.image_settings
    scene_settings.file_format, scene_settings.color_mode = "PNG", "BW"
    out = folder / "gray.png"
    gray.filepath_raw, gray.file_format = str(out), "PNG"
    gray.save()
    bpy.data.images.remove(image)
    bpy.data.images.remove(gray)
    return out.read_bytes(), float(alpha.mean())


def sprite_files(path: Path, folder: Path) -> tuple[bytes, bytes, float]:
    """A rendered PNG's color times alpha, its alpha, both as PNG, and the mean of the alpha."""
    image = bpy.data.images.load(str(path))
    side = image.size[0]
    pixels = np.empty(side * side * 4, np.float32)
    image.pixels.foreach_get(pixels)
    pixels = pixels.reshape(-1, 4)
    color = np.concatenate([pixels[:, :3] * pixels[:, 3:], np.ones((len(pixels), 1), np.float32)], 1)
    shown = bpy.data.images.new("s", side, side, is_data=True)
    shown.pixels.foreach_set(color.ravel())
    shown.filepath_raw, shown.file_format = str(folder / "color.png"), "PNG"
    shown.save()
    for done in (image, shown):
        bpy.data.images.remove(done)
    gray, coverage = matte_file(path, folder)
    return (folder / "color.png").read_bytes(), gray, coverage


def alone(seed: int, number: int, side: int, threads: int, folder: Path) -> list[bytes]:
    """A product by itself from several sides: PNG, PNG, PNG, PNG …"""
    g = np.random.default_rng([seed, number])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    thing, name = products.product(g)
    thing[0].rotation_euler.z = g.uniform(-1.2, 1.2)
    rooms.light_alone(g)
    camera.set_up(side, threads, alone=True)
    files: list[bytes] = []
    for view in range(VIEWS):
        camera.look(np.random.default_rng([seed, number, view]), thing, "alone")
        camera.sprite(folder / "sprite.png")
        color, gray, coverage = sprite_files(folder / "sprite.png", folder)
        if COVERAGE_MIN < coverage < COVERAGE_MAX:
            files += [color, gray]
    print(f"scene {number}: {name} alone, {len(files) // 2} images", flush=True)
    return files


def scene(seed: int, number: int, side: int, threads: int, folder: Path) -> list[bytes]:
    """One scene from several sides: JPEG, PNG, JPEG, PNG …"""
    g = np.random.default_rng([seed, number])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    thing, name = products.product(g)
    thing[0].rotation_euler.z = g.uniform(-1.2, 1.2)
    room = rooms.furnish(g, thing)
    camera.set_up(side, threads)
    files: list[bytes] = []
    for view in range(VIEWS):
        camera.look(np.random.default_rng([seed, number, view]), thing, room)
        camera.matte(folder / "matte.png", thing)
        gray, coverage = matte_file(folder / "matte.png", folder)
        if COVERAGE_MIN < coverage < COVERAGE_MAX:
            camera.picture(folder / "picture.jpg")
            files += [(folder / "picture.jpg").read_bytes(), gray]
    print(f"scene {number}: {name} in {room}, {len(files) // 2} images", flush=True)
    return files


def write_shards(count: int, first: int, seed: int, side: int, threads: int, out: Path, make=scene) -> None:
    out.mkdir(parents=True, exist_ok=True)
    scenes = SHARD_PICTURES // VIEWS
    for shard in range(first, first + math.ceil(count / SHARD_PICTURES)):
        path = out / f"{shard:05d}.npz"
        if path.exists():
            continue
        began, files = time.monotonic(), []
        with TemporaryDirectory() as folder:
            for number in range(shard * scenes, (shard + 1) * scenes):
                files += make(seed, number, side, threads, Path(folder))
        write_files(path, files, side)
        made = (shard + 1 - first) * SHARD_PICTURES
        write_record(out / f"made-{first:05d}.json", made, first, seed, side, make is alone)
        print(f"shard {shard}: {(time.monotonic() - began) / max(1, len(files) // 2):.1f} s an image", flush=True)


def write_record(path: Path, count: int, first: int, seed: int, side: int, sprites: bool) -> None:
    """As render.py's, with the assets that these shards show."""
    digests = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(Path(__file__).parent.glob("*.py"))}
    kept = json.loads(path.read_text())["assets"] if path.exists() else {}
    kind = {"pathTraced": True, **({"alone": True} if sprites else {})}
    record = {"count": count, "first": first, "seed": seed, "side": side, **kind, "assets": kept | assets.credits(), "sha256": digests}
    path.write_text(json.dumps(record, indent=1))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=400)
    arguments.add_argument("--first", type=int, default=0, help="number of the first shard")
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--side", type=int, default=384)
    arguments.add_argument("--threads", type=int, default=1)
    arguments.add_argument("--out", type=Path, default=Path(__file__).resolve().parent.parent / "out" / "traced")
    arguments.add_argument("--alone", action="store_true", help="products on nothing, to be put into fast images")
    chosen = arguments.parse_args()
    write_shards(chosen.count, chosen.first, chosen.seed, chosen.side, chosen.threads, chosen.out, alone if chosen.alone else scene)


if __name__ == "__main__":
    main()
