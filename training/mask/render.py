"""Renders images of products with their true mattes and writes them as shards.

    python render.py --count 4000 --seed 7 --out out/shards            # 250 images a shard
    python render.py --sheet out/sheet.png --seed 7                    # a sheet of forty samples
    python render.py --sprites out/sprites --out out/shards-mix        # most products path-traced (sprites.py)
"""

import argparse
import hashlib
import json
import math
import time
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.random import Generator

from backgrounds import REAL, background
from everyday import RUNNING_OUT
from goods import SKINNED, pendant
from products import product
from raster import Camera, Layer, Mood, cast_shadow, draw, faces_of, material
from shards import write_shard
from silhouettes import flat_product
from solids import Patch, rotation, tube
from sprites import Sprites, parse_sprites
from surfaces import PatternBank

SHARD_PICTURES = 250
SHARDS_PER_BANK = 4
LOW_SUN_HEIGHT = 0.5
RENDERER = (
    "backgrounds.py", "environments.py", "everyday.py", "goods.py", "products.py", "raster.py", "render.py", "scenes.py", "silhouettes.py", "solids.py",
    "sprites.py", "surfaces.py",
)  # fmt: skip
EMPTY_SHARE, PAIR_SHARE = 0.015, 0.06
LOW_SUN_SHARE, BACKDROP_PRINT_SHARE, CORD_SHARE = 0.3, 0.12, 0.04
MIRRORING = {"white": 0.12, "sweep": 0.12, "paper": 0.12, "room": 0.12, "plain": 0.12, "night": 0.4}
FLAT_SHARES = {
    "sweep": 0.25, "white": 0.25, "plain": 0.25, "top_down": 0.25, "room": 0.25, "blurred": 0.25, "markings": 0.15, "checkered": 0.2, "draped": 0.15, "lay": 0.2,
}  # fmt: skip
SUNLIT = ("plain", "paper", "room", "top_down", "markings", "checkered", "furnished", "lay")
CLUTTERED = {"room": 0.15, "top_down": 0.15, "blurred": 0.15, "furnished": 0.6, "draped": 0.15, "night": 0.15, "interior": 0.4}
COVERAGE_MIN, COVERAGE_MAX = 0.012, 0.93
CUT_SHARE = 0.14
FROM_ABOVE = ("top_down", "lay")


HIDDEN_SHARE, HIDDEN_SHARE_AT_NIGHT = 0.35, 0.6
SPRITE_SHARE = 0.8
Names = tuple[str, ...] | None


class Goods(NamedTuple):
    """Which products are rendered: all as often as usual where nothing is said."""

    products: Names = None
    hidden: float | None = None  # the share of products with parts in the backdrop's color
    sprites: Sprites | None = None  # path-traced products for most images
    cut: float | None = None  # the share of products that the border cuts, on one side or on several

    def record(self) -> dict:
        said = {name: value for name, value in self._asdict().items() if value is not None}
        return said | ({"sprites": self.sprites.last, "spritesFrom": self.sprites.folder} if self.sprites else {})


ANY = Goods()


def render(g: Generator, bank: PatternBank, side: int, kinds: Names = None, goods: Goods = ANY) -> np.ndarray:
    """One image and its true matte, [S, S, 4] u8; on backgrounds of these kinds only, or of all."""
    while True:
        picture, kind, shadow_odds = background(g, bank, side, kinds)
        if g.random() < EMPTY_SHARE:
            truth = np.zeros((side, side), np.float32)
        else:
            picture, truth = _furnish(g, bank, picture, kind, shadow_odds, goods)
            if not COVERAGE_MIN < float(truth.mean()) < COVERAGE_MAX:
                continue
        seen = _photograph(g, picture, kind)
        return np.dstack([seen, np.round(truth * 255).astype(np.uint8)])


def _furnish(g, bank, picture, kind, shadow_odds, goods) -> tuple[np.ndarray, np.ndarray]:
    """Adds products to the image one after another, with shadows and reflections."""
    side = picture.shape[0]
    truth = np.zeros((side, side), np.float32)
    aspect = g.choice([1.0, 0.8, math.exp(g.uniform(-0.5, 0.5))])
    stretch = (1.0, aspect) if aspect < 1 else (1 / aspect, 1.0)
    view = Camera(_pitch(g, kind), g.uniform(2.5, 7), np.ones(2), np.zeros(2))
    sun = kind in SUNLIT and g.random() < LOW_SUN_SHARE
    light = _low_sun(g) if sun else _daylight(g)
    mood = _mood(g, kind, sun)
    if g.random() < CLUTTERED.get(kind, 0):
        picture = _cluttered(g, bank, picture, kind, view, stretch, light, mood, goods)
    count = 1 if g.random() < 0.9 else int(g.integers(2, 4))
    shadowed = g.random() < shadow_odds
    for index in range(count):
        box = _place(g, side, index, count, CUT_SHARE if goods.cut is None else goods.cut)
        pair = count == 1 and g.random() < PAIR_SHARE
        if pair:
            box = _left_half(g, side)
        if g.random() < FLAT_SHARES.get(kind, 0) * (1 - SPRITE_SHARE if goods.sprites else 1) and not goods.products:
            layer = flat_product(g, bank, box, stretch, side, _tone_at(g, picture, box))
            shade = _pool(g, layer.alpha, floating=True) if shadowed else None
        else:
            layer, shade = _solid_product(g, bank, kind, view, box, stretch, picture, light, shadowed, mood, goods)
            if sun and shade is not None:
                shade = _hardened(g, shade)
        if layer.alpha.max() < 0.5:
            continue
        if pair:
            layer, shade = _with_its_mirror(layer), None if shade is None else np.maximum(shade, shade[:, ::-1])
        if kind != "white" and g.random() < 0.15:
            layer = _pasted(g, layer)
        if shade is not None:
            dark = g.uniform(0.6, 0.97) if sun else g.uniform(0.15, 0.75) * (0.6 if kind in ("white", "sweep") else 1)
            tint = 1 - dark * (1 + g.normal(0, 0.05, 3))
            picture = picture * (1 - shade[..., None] * (1 - tint))
        if g.random() < MIRRORING.get(kind, 0):
            picture = _reflect(g, picture, layer)
        picture = picture * (1 - layer.alpha[..., None]) + layer.premultiplied
        truth = truth + layer.alpha * (1 - truth)
    return picture.astype(np.float32), truth


def _daylight(g: Generator) -> np.ndarray:
    light = g.normal(0, 1, 3).astype(np.float32)
    light[1] = -abs(light[1]) * 0.6
    light[2] = abs(light[2]) + 0.6
    return light / np.linalg.norm(light)


def _low_sun(g: Generator) -> np.ndarray:
    """From one side, sometimes from behind: the shadow reaches far."""
    height, turn = g.uniform(0.12, 0.6), g.uniform(-0.6, math.pi + 0.6)
    light = np.array([math.cos(turn), -0.8 * math.sin(turn) * g.choice([1, 1, -1]), height], np.float32)
    return light / np.linalg.norm(light)


def _mood(g: Generator, kind: str, sun: bool) -> Mood:
    if kind == "night" and g.random() < 0.75:  # black on black, lit from behind or faintly
        return Mood(g.uniform(0.05, 0.6), math.exp(g.uniform(-1.9, 0)), g.uniform(0, 1.2))
    if sun:
        return Mood(g.uniform(0.1, 0.4), g.uniform(0.9, 1.5))
    return Mood()


def _cluttered(g, bank, picture, kind, view, stretch, light, mood, goods) -> np.ndarray:
    """Things behind that are no product: out of focus, or in a furnished room nearly sharp at the sides and cut by the edge."""
    side = picture.shape[0]
    for _ in range(int(g.integers(1, 4))):
        wide, high = g.uniform(0.2, 0.5, 2) if kind != "furnished" else g.uniform(0.15, 0.7, 2)
        left = g.uniform(-0.3, 0.9) if kind != "furnished" else g.choice([g.uniform(-0.4, 0.1), g.uniform(0.6, 1.0)])
        behind = (left * side, g.uniform(-0.1, 0.4) * side, wide * side, high * side)
        layer, _ = _solid_product(g, bank, kind, view, behind, stretch, picture, light, False, mood, goods._replace(products=None, hidden=None))
        picture = picture * (1 - layer.alpha[..., None]) + layer.premultiplied
    blur = g.uniform(0.5, 4) if kind == "furnished" else g.uniform(2.5, 8)
    return cv2.GaussianBlur(picture.astype(np.float32), (0, 0), blur * side / 256)


def _hardened(g: Generator, shade: np.ndarray) -> np.ndarray:
    """The sharp edge of a shadow in sunlight."""
    return np.clip((shade - 0.25) * g.uniform(2, 8), 0, 1)


def _tone_at(g: Generator, picture: np.ndarray, box: tuple[float, float, float, float]) -> np.ndarray:
    """The background's color at a random position under the product."""
    side = picture.shape[0]
    x, y = (int(np.clip(start + g.random() * length, 0, side - 1)) for start, length in ((box[0], box[2]), (box[1], box[3])))
    reach = side // 16
    return np.median(picture[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach].reshape(-1, 3), 0)


def _left_half(g: Generator, side: int) -> tuple[float, float, float, float]:
    high, wide = g.uniform(0.5, 0.9), g.uniform(0.25, 0.42)
    left = max(0.02, 0.5 - wide * g.uniform(0.95, 1.25))
    return (left * side, g.uniform(0.02, 0.98 - high) * side, wide * side, high * side)


def _with_its_mirror(layer: Layer) -> Layer:
    """A pair: shoes, gloves, cups."""
    alpha, premultiplied = layer.alpha[:, ::-1], layer.premultiplied[:, ::-1]
    clear = 1 - layer.alpha
    return Layer(layer.premultiplied + premultiplied * clear[..., None], layer.alpha + alpha * clear)


def _pasted(g: Generator, layer: Layer) -> Layer:
    """A thin pale rim around the product, as of an earlier cut from a white page."""
    rim = np.clip(cv2.GaussianBlur(layer.alpha, (0, 0), g.uniform(0.5, 1.2)) * g.uniform(1.2, 2.2), 0, 1)
    rim = np.maximum(rim, layer.alpha)
    on_white = layer.premultiplied + (1 - layer.alpha[..., None])
    return Layer(on_white * rim[..., None], rim)


def _pitch(g: Generator, kind: str) -> float:
    if kind in FROM_ABOVE or (kind in ("markings", "checkered") and g.random() < 0.4):
        return g.uniform(1.0, 1.5)
    return g.uniform(-0.03, 0.25) if g.random() < 0.5 else g.uniform(0.1, 0.9)


def _place(g: Generator, side: int, index: int, count: int, cut: float) -> tuple[float, float, float, float]:
    """The product's bounding box, (x, y, width, height) in pixels."""
    if count == 1:
        size = g.uniform(0.55, 0.97) if g.random() < 0.65 else g.uniform(0.25, 0.6)
        x, y = g.normal(0.5, 0.05 if g.random() < 0.8 else 0.2, 2)
        if g.random() < cut:
            size, (x, y) = g.uniform(0.8, 1.7), (g.uniform(0.1, 0.9, 2) if g.random() < 0.6 else (g.uniform(0.1, 0.9), y))
        return ((x - size / 2) * side, (y - size / 2) * side, size * side, size * side)
    size = g.uniform(0.7, 1.2) / count
    x = (index + 0.5) / count + g.normal(0, 0.04)
    return ((x - size / 2) * side, g.uniform(0.3, 0.95 - size) * side, size * side, size * side)


def _solid_product(g, bank, kind, view, box, stretch, picture, light, shadowed, mood, goods=ANY) -> tuple[Layer, np.ndarray | None]:
    side = picture.shape[0]
    if goods.sprites and g.random() < SPRITE_SHARE:
        like = _tone_at(g, picture, box) if g.random() < _hidden_share(kind, goods) else None
        layer = goods.sprites.layer(g, box, stretch, side, mood, like, lying=kind in FROM_ABOVE)
        return layer, _pool(g, layer.alpha, floating=g.random() < 0.2) if shadowed else None
    solid, make = product(g, goods.products)
    corded = make is pendant or g.random() < CORD_SHARE
    faces = faces_of([*solid, _cord(g, solid)] if corded and make is not pendant else solid)
    tilt = 0.0 if g.random() < 0.8 else g.uniform(-1.6, 1.6)
    turn = rotation(_turn(g, lying=kind in FROM_ABOVE or make in RUNNING_OUT), tilt).T
    corners = faces.corners @ turn
    corners = corners / np.ptp(corners.reshape(-1, 3), 0).max()
    corners -= [*corners.reshape(-1, 3).mean(0)[:2], corners[..., 2].min()]
    turned = faces._replace(corners=corners, normals=faces.normals @ turn)
    if make is pendant and g.random() < 0.7:  # the cord ends above the image
        box = (box[0], -g.uniform(0.02, 0.4) * side, box[2], box[3])
    if make in RUNNING_OUT and g.random() < 0.8:  # flat: seen from above, in half of the images from edge to edge
        view = view._replace(pitch=g.uniform(0.5, 1.5))
        if g.random() < 0.5:
            grown = g.uniform(1.1, 2)
            box = (box[0] - box[2] * (grown - 1) / 2, box[1] - box[3] * (grown - 1) / 2, box[2] * grown, box[3] * grown)
    camera = view.fitted(corners, box, stretch)
    glass = g.random() < 0.12
    # Parts in the backdrop's own color: a white sole on white paper.
    hidden = g.random(4) < g.choice([0.3, 0.7, 1.0]) if g.random() < _hidden_share(kind, goods) else np.zeros(4, bool)
    backdrop = _tone_at(g, picture, box)
    printed = g.random() < BACKDROP_PRINT_SHARE
    materials = []
    for part in range(4):
        clear = g.uniform(0.35, 0.8) if glass and part in (0, 3) else 0.0
        like = backdrop if hidden[part] and not printed else None
        materials.append(material(g, bank, clear, like, backdrop if printed and part in (0, 1) else None))
    if make in SKINNED:
        materials[3] = material(g, bank, 0.0, _skin(g))
    if g.random() < 0.12:
        materials[1] = materials[1]._replace(clear=g.uniform(0.3, 0.7))
    layer = draw(g, turned, camera, materials, picture, light, mood)
    if not shadowed or corded:
        return layer, None
    low = light[2] < LOW_SUN_HEIGHT
    if not low and g.random() < 0.55:
        return layer, _pool(g, layer.alpha, floating=g.random() < 0.3)
    hard = cast_shadow(turned, camera, light, side)
    if low:
        return layer, cv2.GaussianBlur(hard, (0, 0), g.uniform(0.4, 2.5) * side / 256)
    near = cv2.GaussianBlur(hard, (0, 0), g.uniform(0.7, 3) * side / 256)
    far = cv2.GaussianBlur(hard, (0, 0), g.uniform(4, 14) * side / 256)
    return layer, np.clip(near * g.uniform(0.2, 0.8) + far * g.uniform(0.3, 0.8), 0, 1)


def _hidden_share(kind: str, goods: Goods) -> float:
    if goods.hidden is not None:
        return goods.hidden
    return HIDDEN_SHARE_AT_NIGHT if kind == "night" else HIDDEN_SHARE


def _cord(g: Generator, solid: list[Patch]) -> Patch:
    """A cord from the product's top upwards, with a loop: earrings, ornaments, tags, lamps."""
    points = np.concatenate([patch.points.reshape(-1, 3) for patch in solid])
    top = points[points[:, 2].argmax()]
    tall = float(np.ptp(points[:, 2])) * g.uniform(0.3, 1.2)
    t = np.linspace(0, 1, 12)[:, None]
    return tube(top + t * [g.normal(0, 0.1) * tall, 0, tall], tall * g.uniform(0.008, 0.025), int(g.integers(0, 4)), around=6)


def _skin(g: Generator) -> np.ndarray:
    """From pale to dark."""
    return np.clip(np.array([0.95, 0.76, 0.64]) * (1 - g.uniform(0, 0.8) * np.array([0.85, 0.95, 1.0])) + g.normal(0, 0.02, 3), 0, 1)


def _turn(g: Generator, lying: bool) -> float:
    """What stands mostly faces the camera; what lies points anywhere."""
    return g.normal(0, 0.35) if not lying and g.random() < 0.55 else g.uniform(0, 2 * math.pi)


def _pool(g: Generator, alpha: np.ndarray, floating: bool) -> np.ndarray | None:
    """A soft contact shadow under the product, or some way below it where it floats."""
    side = alpha.shape[0]
    rows, columns = np.nonzero(alpha > 0.5)
    if len(rows) == 0:
        return None
    bottom, left, right = rows.max(), columns.min(), columns.max()
    wide = (right - left) * g.uniform(0.35, 0.62)
    flat = wide * g.uniform(0.05, 0.3)
    gap = g.uniform(0.01, 0.12) * side if floating else -flat * g.uniform(0.1, 0.9)
    center = ((left + right) / 2 + g.normal(0, 0.06) * wide, bottom + gap)
    pool = np.zeros((side, side), np.float32)
    cv2.ellipse(pool, (center, (max(2.0, wide * 2), max(2.0, flat * 2)), 0.0), 1.0, -1)
    if g.random() < 0.45:  # and a cast shadow from the product's outline, sheared or shifted
        lean, squash = g.uniform(-0.9, 0.9), g.uniform(0.15, 1)
        matrix = np.float32([[1, lean, -lean * bottom + g.normal(0, 5)], [0, squash, bottom * (1 - squash) + g.uniform(-4, 12)]])
        pool = np.maximum(pool, cv2.warpAffine(alpha, matrix, (side, side)) * g.uniform(0.3, 0.9))
    return np.clip(cv2.GaussianBlur(pool, (0, 0), math.exp(g.uniform(0.3, 2.7)) * side / 256) * g.uniform(0.8, 1.2), 0, 1)


def _reflect(g: Generator, picture: np.ndarray, layer: Layer) -> np.ndarray:
    side = picture.shape[0]
    bottom = int(np.nonzero(layer.alpha.max(1) > 0.5)[0].max())
    shift = 2 * bottom - side + 1
    mirrored = np.roll(np.dstack([layer.premultiplied, layer.alpha])[::-1], shift, 0)
    fade = np.clip(1 - (np.arange(side) - bottom) / (side * g.uniform(0.08, 0.35)), 0, 1) * (np.arange(side) >= bottom - 2)
    mirrored = cv2.GaussianBlur(mirrored.astype(np.float32), (0, 0), g.uniform(0.5, 3)) * (fade * g.uniform(0.1, 0.4)).astype(np.float32)[:, None, None]
    return picture * (1 - mirrored[..., 3:]) + mirrored[..., :3]


def _photograph(g: Generator, picture: np.ndarray, kind: str) -> np.ndarray:
    """Exposure, white balance, blur, noise and JPEG. Photos are downscaled for the network, so most images are clean and sharp."""
    if kind == "white":  # white stays white
        picture = np.clip(picture, 0, 1) ** g.uniform(0.8, 1.25)
    else:
        picture = np.clip(picture * g.uniform(0.75, 1.2) * (1 + g.normal(0, 0.04, 3)), 0, 1) ** g.uniform(0.75, 1.3)
    picture = picture.astype(np.float32)
    rough = g.random()
    if rough < 0.25:
        picture = cv2.GaussianBlur(picture, (0, 0), g.uniform(0.3, 1.1))
    elif rough < 0.45:  # overshoot of a sharpening resizer
        picture = picture + g.uniform(0.1, 0.6) * (picture - cv2.GaussianBlur(picture, (0, 0), 1.0))
    if g.random() < 0.5:
        picture = picture + g.normal(0, g.uniform(0.001, 0.02 if g.random() < 0.8 else 0.05), picture.shape).astype(np.float32)
    seen = (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)
    if g.random() < 0.5:
        quality = int(g.integers(60, 98) if g.random() < 0.8 else g.integers(25, 60))
        seen = cv2.imdecode(cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return seen


def generator(seed: int, shard: int) -> Generator:
    return np.random.default_rng([seed, shard])


def provenance(count: int, first: int, seed: int, side: int, kinds: Names, goods: Goods = ANY) -> dict:
    """The record of these shards, which export.py adds to the training record."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sources if path.name in RENDERER}
    record = {"count": count, "first": first, "seed": seed, "side": side, "kinds": kinds, **goods.record(), "sha256": digests}
    if kinds and set(kinds) & set(REAL):
        from path_traced.assets import credit_surroundings

        record["assets"] = credit_surroundings()
    return record


def write_shards(
    count: int, first: int, seed: int, side: int, out: Path, kinds: Names = None, goods: Goods = ANY, minutes: float = math.inf
) -> None:
    """Shard k depends on (seed, k) only, so several processes may share the work. None is begun when the minutes are over."""
    out.mkdir(parents=True, exist_ok=True)
    ends = time.monotonic() + minutes * 60
    bank, bank_of = None, -1
    for shard in range(first, first + math.ceil(count / SHARD_PICTURES)):
        if time.monotonic() > ends:
            return
        made = count if minutes == math.inf else (shard + 1 - first) * SHARD_PICTURES
        (out / f"made-{first:05d}.json").write_text(json.dumps(provenance(made, first, seed, side, kinds, goods), indent=1))
        if (out / f"{shard:05d}.npz").exists():
            continue
        if bank is None or shard // SHARDS_PER_BANK != bank_of:
            bank_of = shard // SHARDS_PER_BANK
            bank = PatternBank(generator(seed, 1_000_000 + bank_of * SHARDS_PER_BANK))
        g, began = generator(seed, shard), time.monotonic()
        write_shard(out / f"{shard:05d}.npz", [render(g, bank, side, kinds, goods) for _ in range(SHARD_PICTURES)])
        print(f"shard {shard}: {(time.monotonic() - began) / SHARD_PICTURES * 1000:.0f} ms a picture", flush=True)


def write_sheet(
    path: Path, seed: int, side: int, kinds: Names = None, goods: Goods = ANY, columns: int = 8, rows: int = 5
) -> None:
    g = generator(seed, 0)
    bank = PatternBank(g)
    tiles = []
    for _ in range(columns * rows):
        rendered = render(g, bank, side, kinds, goods)
        tiles.append(np.vstack([rendered[..., 2::-1], np.repeat(rendered[..., 3:], 3, 2)]))
    lines = [np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)]
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), np.vstack(lines))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=1000)
    arguments.add_argument("--first", type=int, default=0, help="number of the first shard")
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--side", type=int, default=256)
    arguments.add_argument("--kinds", type=lambda text: tuple(text.split(",")), help="backgrounds of these kinds only")
    arguments.add_argument("--products", type=lambda text: tuple(text.split(",")), help="these products only (products.py, goods.py, everyday.py), nothing flat")
    arguments.add_argument("--hidden", type=float, help=f"share of products with parts in the backdrop's color (else {HIDDEN_SHARE})")
    arguments.add_argument("--cut", type=float, help=f"share of products that the border cuts (else {CUT_SHARE})")
    arguments.add_argument("--sprites", type=parse_sprites, help="FOLDER of path_traced.trace --alone, or FOLDER=LAST: most products are taken from it")
    arguments.add_argument("--out", type=Path, default=Path(__file__).parent / "out" / "shards")
    arguments.add_argument("--minutes", type=float, default=math.inf, help="begin no shard later than this")
    arguments.add_argument("--sheet", type=Path)
    chosen = arguments.parse_args()
    goods = Goods(chosen.products, chosen.hidden, chosen.sprites, chosen.cut)
    cv2.setNumThreads(1)
    if chosen.sheet:
        write_sheet(chosen.sheet, chosen.seed, chosen.side, chosen.kinds, goods)
    else:
        write_shards(chosen.count, chosen.first, chosen.seed, chosen.side, chosen.out, chosen.kinds, goods, chosen.minutes)


if __name__ == "__main__":
    main()
