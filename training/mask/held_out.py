"""Renders images as photos with their true mattes, KIND-NNN.jpg and KIND-NNN.mask.png, as many of each kind of background.

    python held_out.py --count 50 --seed 777 --side 896 --out out/held-out

For measuring and fitting what comes after the network: at a photo's size, and never with a seed that was trained on. Images
that exist are left as they are.
"""

import argparse
from pathlib import Path

import cv2

from backgrounds import KINDS, REAL
from render import ANY, Goods, generator, render
from shards import JPEG
from sprites import parse_sprites
from surfaces import PatternBank

BANK_SHARD = 1_000_000


def write_photos(count: int, seed: int, side: int, kinds: list[str], out: Path, goods: Goods = ANY) -> None:
    """The nth image of a kind depends on (seed, kind, n) only."""
    out.mkdir(parents=True, exist_ok=True)
    bank = PatternBank(generator(seed, BANK_SHARD))
    names = [kind.__name__ for kind in KINDS] + list(REAL)
    for kind in kinds:
        for number in range(count):
            stem = out / f"{kind}-{number:03d}"
            mask = stem.with_suffix(".mask.png")
            if mask.exists():
                continue
            g = generator(seed, names.index(kind) * 10_000 + number)
            picture = render(g, bank, side, (kind,), goods)
            while picture[..., 3].max() == 0:  # a photo without a product has no overlap to measure
                picture = render(g, bank, side, (kind,), goods)
            cv2.imwrite(str(stem.with_suffix(".jpg")), picture[..., 2::-1], JPEG)
            cv2.imwrite(str(mask), picture[..., 3])
        print(f"{kind}: {count} images", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [kind.__name__ for kind in KINDS] + list(REAL)
    arguments.add_argument("--count", type=int, default=50, help="images of each kind")
    arguments.add_argument("--seed", type=int, default=777)
    arguments.add_argument("--side", type=int, default=896)
    arguments.add_argument("--kinds", type=lambda text: text.split(","), default=names)
    arguments.add_argument("--products", type=lambda text: tuple(text.split(",")), help="these products only, nothing flat")
    arguments.add_argument("--hidden", type=float, help="share of products with parts in the backdrop's color")
    arguments.add_argument("--sprites", type=parse_sprites, help="FOLDER of path-traced products that were not trained on")
    arguments.add_argument("--out", type=Path, default=Path(__file__).parent / "out" / "held-out")
    chosen = arguments.parse_args()
    cv2.setNumThreads(1)
    write_photos(chosen.count, chosen.seed, chosen.side, chosen.kinds, chosen.out, Goods(chosen.products, chosen.hidden, chosen.sprites))


if __name__ == "__main__":
    main()
