"""Fits the probability that an enclosed opening is open to the ground, to openings of rendered cut-outs, whose truth is known, and of shop photos.

    node training/openings/features.ts --shop SHOP FOLDER…     # the features that refinement itself measures
    python fit.py --fit FOLDER… --shop SHOP --to ../../services/inference/imaging/matting/mend/opening-weights.ts

A network of one small hidden layer over the standardized features, with noise and weight decay: false openings are few. The limits, and
the table of both errors (openings that the truth has not, and true openings that are closed), come from images that were left out of
the fit, a fifth at a time; of shop photos, whole families of products.
"""

import argparse
import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np

HIDDEN, BATCH, STEPS, DECAY, NOISE = 8, 256, 3000, 5e-3, 1.0
FOLDS = 5
OPEN, SHUT = 0.75, 0.25  # shares of an opening that are open in the truth: what lies between is no lesson
COUNTED = 0.0005  # share of the product from which an opening is judged
BESIDE = 0.5  # an opening in a thing that is no product is no lesson
LESSONS = 8  # openings of one photo count as many lessons at most: a lattice is one thing
SHOP_LESSONS = 8  # one opening of a shop photo counts as many rendered ones: there are few of them, and they are what is cut out
KEPT = 0.98
SURELY_KEPT = 0.995  # what is less likely than all but so many true openings is closed without a word


class Openings(NamedTuple):
    features: np.ndarray
    is_open: np.ndarray
    weight: np.ndarray
    share: np.ndarray
    rows: list[dict]

    def where(self, chosen: np.ndarray) -> "Openings":
        rows = [self.rows[n] for n in np.flatnonzero(chosen)]
        return Openings(*(values[chosen] for values in self[:4]), rows)


def family(photo: str) -> str:
    """The products of a maker that look alike: those whose names begin with the same two words."""
    return "-".join(re.split("[-_]", photo)[:2]) if not photo.startswith("bagisto") else "bagisto"


def load(folders: list[Path], model: str, shop: list[Path]) -> tuple[list[str], Openings]:
    names, rows = [], []
    for folder in [*folders, *shop]:
        data = json.loads((folder / f"features-{model}.json").read_text())
        names = data["featureNames"]
        here = [{**row, "photo": f"{folder.name}/{row['photo']}", "isShop": folder in shop} for row in data["rows"]]
        rows += [{**row, "fold": f"{folder.name}/{family(row['photo'].split('/')[1])}" if folder in shop else row["photo"]} for row in here]
    rows = [row for row in rows if not SHUT < row["open"] < OPEN and row.get("beside", 1) >= BESIDE and row["share"] >= COUNTED]
    of_photo = Counter(row["photo"] for row in rows)
    weight = np.array([min(1, LESSONS / of_photo[row["photo"]]) * (SHOP_LESSONS if row["isShop"] else 1) for row in rows])
    is_open = np.array([row["open"] >= OPEN for row in rows])
    return names, Openings(np.array([row["f"] for row in rows]), is_open, weight, np.array([row["share"] for row in rows]), rows)


def standardized(features: np.ndarray, mean: np.ndarray, spread: np.ndarray) -> np.ndarray:
    z = np.clip((features - mean) / spread, -3, 3)
    return np.hstack([z, np.ones((len(z), 1))])


class Network(NamedTuple):
    inward: np.ndarray  # [features + 1, HIDDEN]
    outward: np.ndarray  # [HIDDEN + 1]

    def hidden(self, x: np.ndarray) -> np.ndarray:
        return np.hstack([np.tanh(x @ self.inward), np.ones((len(x), 1))])

    def odds(self, x: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-self.hidden(x) @ self.outward))


def fit(x: np.ndarray, y: np.ndarray, importance: np.ndarray, seed: int = 1) -> Network:
    """Adam on batches, with weight decay; noise on the features stands for what renders do not show."""
    g = np.random.default_rng(seed)
    weights = [g.normal(0, 0.3 / np.sqrt(x.shape[1]), (x.shape[1], HIDDEN)), np.zeros(HIDDEN + 1)]
    moments = [[np.zeros_like(w), np.zeros_like(w)] for w in weights]
    odds = importance / importance.sum()
    for step in range(1, STEPS + 1):
        chosen = g.choice(len(x), BATCH, p=odds)
        noisy = x[chosen].copy()
        noisy[:, :-1] += g.normal(0, NOISE, noisy[:, :-1].shape)
        network = Network(*weights)
        h = network.hidden(noisy)
        error = (1 / (1 + np.exp(-h @ weights[1])) - y[chosen]) / BATCH
        back = (error[:, None] * weights[1][None, :-1]) * (1 - h[:, :-1] ** 2)
        rate = 0.01 * 0.5 * (1 + np.cos(np.pi * step / STEPS))
        for w, (m, v), gradient in zip(weights, moments, (noisy.T @ back, h.T @ error)):
            gradient = gradient + DECAY * w
            m *= 0.9
            m += 0.1 * gradient
            v *= 0.999
            v += 0.001 * gradient**2
            w -= rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-9)
    return Network(*weights)


def balanced(openings: Openings) -> np.ndarray:
    """Both kinds count alike: shops' photos have other shares of them than renders."""
    weight = openings.weight.copy()
    for kind in (True, False):
        here = openings.is_open == kind
        weight[here] /= weight[here].sum()
    return weight


def surely_open(features: np.ndarray, names: list[str]) -> np.ndarray:
    """What close-openings.ts opens whatever the network says: see `oddsOf` there."""
    of = {name: features[:, n] for n, name in enumerate(names)}
    like_ground = (of["likeGround"] >= 0.85) & (of["groundDistance"] < of["productDistance"])
    return like_ground & (of["edgeShare"] >= 0.9) & (of["bandToGround"] >= 0.5)


def limit_for(p: np.ndarray, openings: Openings, kept: float) -> float:
    """The probability below which 1 − kept of the true openings lie, each photo's counted as lessons."""
    here = openings.is_open
    order = np.argsort(p[here])
    below = np.cumsum(openings.weight[here][order]) / openings.weight[here].sum()
    return float(p[here][order][np.searchsorted(below, 1 - kept)])


def table(title: str, p: np.ndarray, openings: Openings, limit: float) -> None:
    true, false = openings.is_open, ~openings.is_open
    kept, left = (p >= limit) & true, (p >= limit) & false
    images = lambda which: len({openings.rows[i]["photo"] for i in np.flatnonzero(which)})  # noqa: E731
    print(
        f"{title}: true kept {kept.sum()} of {true.sum()} ({kept.sum() / max(1, true.sum()):.1%}), on all images but {images(true & ~kept)}; "
        f"false left {left.sum()} of {false.sum()}, on {images(left)} of {images(false)} images"
    )


def folds_of(openings: Openings) -> np.ndarray:
    """The part of each opening: all of one image are in the same, and all of a family."""
    return np.array([int(hashlib.sha256(row["fold"].encode()).hexdigest(), 16) % FOLDS for row in openings.rows])


def cross_validated(x: np.ndarray, openings: Openings) -> np.ndarray:
    folds, p = folds_of(openings), np.zeros(len(x))
    weight = balanced(openings)
    for fold in range(FOLDS):
        others = folds != fold
        p[~others] = fit(x[others], openings.is_open[others].astype(float), weight[others]).odds(x[~others])
    return p


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--fit", type=Path, nargs="+", required=True)
    arguments.add_argument("--shop", type=Path, nargs="*", default=[], help="openings of shop photos that an eye judged")
    arguments.add_argument("--photos", type=Path, nargs="*", default=[], help="for the table only: nothing is fitted to them")
    arguments.add_argument("--model", default="packshot-mask")
    arguments.add_argument("--to", type=Path)
    chosen = arguments.parse_args()
    names, openings = load(chosen.fit, chosen.model, chosen.shop)
    is_shop = np.array([row["isShop"] for row in openings.rows])
    mean, spread = openings.features.mean(0), openings.features.std(0) + 1e-6
    x = standardized(openings.features, mean, spread)
    network = fit(x, openings.is_open.astype(float), balanced(openings))
    left_out = cross_validated(x, openings)
    left_out[surely_open(openings.features, names)] = 1
    for kept in (SURELY_KEPT, 0.99, KEPT, 0.97, 0.95, 0.9):
        limit = limit_for(left_out, openings, kept)
        print(f"{kept:.1%} of the true openings: limit {limit:.3f}")
        table("  rendered, left out", left_out[~is_shop], openings.where(~is_shop), limit)
        if is_shop.any():
            table("  shop photos, left out", left_out[is_shop], openings.where(is_shop), limit)
        for folder in chosen.photos:
            _, photos = load([folder], chosen.model, [])
            p = network.odds(standardized(photos.features, mean, spread))
            p[surely_open(photos.features, names)] = 1
            table(f"  {folder.name}", p, photos, limit)
    if chosen.to:
        limits = [limit_for(left_out, openings, kept) for kept in (KEPT, SURELY_KEPT)]
        write(chosen.to, mean, spread, network, limits)


def write(path: Path, mean: np.ndarray, spread: np.ndarray, network: Network, limits: list[float]) -> None:
    rounded = lambda a: "[" + ", ".join(f"{float(v):.4g}" for v in a) + "]"  # noqa: E731
    rows = "".join(f"  {rounded(row)},\n" for row in network.inward.T)
    path.write_text(
        "/** Written by training/openings/fit.py from rendered cut-outs and shop photos: see there. Do not edit. */\n\n"
        f"export const featureMean = {rounded(np.round(mean, 2))};\n"
        f"export const featureSpread = {rounded(spread)};\n"
        f"/** For each hidden unit: a weight for each feature, and one for a constant. */\n"
        f"export const hiddenWeights = [\n{rows}];\n"
        f"/** For each hidden unit a weight, and one for a constant. */\n"
        f"export const openWeights = {rounded(network.outward)};\n"
        f"/** What is less likely open is closed: {KEPT:.0%} of the true openings are likelier. */\n"
        f"export const closedBelow = {limits[0]:.3g};\n"
        f"/** What is less likely than this is closed without a word: {SURELY_KEPT:.1%} of the true openings are likelier. */\n"
        f"export const surelyClosedBelow = {limits[1]:.3g};\n"
    )


if __name__ == "__main__":
    main()
