"""Trains the network on rendered shards and keeps the averaged weights.

    python train.py --shards out/shards --minutes 60 --run out/run                       # a CPU with two threads
    python train.py --shards out/shards --minutes 30 --run out/run --device cuda --workers 12 \\
        --stages 128:0.2:64,256:0.8:64                                                   # a GPU

The image's side grows from stage to stage: small images teach what a product is at a quarter of the cost, the last stage
teaches edges. Shards that are rendered meanwhile are used too. Shards with smaller images than the stage's are left out.
Shard 0 is held out.
"""

import argparse
import copy
import json
import math
import os
import time
from pathlib import Path
from typing import Iterator, NamedTuple

# The matrices are small, so several BLAS threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from backdrop import with_backdrop
from network import MaskNetwork

HELD_OUT_SHARD = 0
RATE_PEAK, RATE_LOW, WARM_UP_STEPS = 2.5e-3, 2e-5, 150
AVERAGE_DECAY = 0.998
EDGE_WEIGHT = 5.0
NEAR_SHARE, NEAR_SIDE_MIN = 0.35, 48
LOG_EVERY_STEPS = 100
SCORE_EVERY_STEPS = 1500
SAVE_EVERY_STEPS = 300
HELD_OUT_PICTURES_MAX = 100


class Stage(NamedTuple):
    side: int
    share: float  # of the whole time
    batch: int


def parse_stages(text: str) -> list[Stage]:
    stages = [Stage(int(a), float(b), int(c)) for a, b, c in (part.split(":") for part in text.split(","))]
    if abs(sum(stage.share for stage in stages) - 1) > 1e-6 or any(stage.side % 32 for stage in stages):
        raise ValueError("the stages' shares must add up to 1 and their sides be multiples of 32")
    return stages


class Pictures(IterableDataset):
    """Endless batches of ([B, S, S, 4] u8 with backdrop, [B, S, S] u8 truth)."""

    def __init__(self, shards: Path, stage: Stage, seed: int):
        self.shards, self.stage, self.seed = shards, stage, seed

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        worker = get_worker_info()
        g = np.random.default_rng([self.seed, self.stage.side, worker.id if worker else 0])
        cv2.setNumThreads(1)
        while True:
            paths = [path for path in sorted(self.shards.glob("[0-9]*.npy")) if int(path.stem) != HELD_OUT_SHARD]
            shards = [shard for shard in (np.load(path, mmap_mode="r") for path in paths) if shard.shape[1] >= self.stage.side]
            if not shards:
                raise FileNotFoundError(f"no shards of side {self.stage.side} or more in {self.shards}: run render.py first (shard 0 is held out)")
            # A few shards at once, so that a batch mixes images without reading all shards.
            some = [shards[i] for i in g.choice(len(shards), min(8, len(shards)), replace=False)]
            order = [(s, i) for s, shard in enumerate(some) for i in range(len(shard))]
            g.shuffle(order)
            for start in range(0, len(order) - self.stage.batch + 1, self.stage.batch):
                made = [augment(g, some[s][i], self.stage.side) for s, i in order[start : start + self.stage.batch]]
                yield torch.from_numpy(np.stack([m[0] for m in made])), torch.from_numpy(np.stack([m[1] for m in made]))


def augment(g: np.random.Generator, rendered: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Crops (each axis by itself, which also changes the aspect), mirrors and recolors; then adds the backdrop channel."""
    picture = rendered
    full = picture.shape[0]
    cut = g.random()
    if cut < 0.2:
        high, wide = (g.uniform(0.6, 1, 2) * full).astype(int)
        top, left = g.integers(0, full - high + 1), g.integers(0, full - wide + 1)
        picture = picture[top : top + high, left : left + wide]
    elif cut < 0.2 + NEAR_SHARE:
        picture = _near(g, picture)
    if picture.shape[0] != side or picture.shape[1] != side:
        shrinking = picture.shape[0] >= side and picture.shape[1] >= side
        picture = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA if shrinking else cv2.INTER_LINEAR)
    if g.random() < 0.5:
        picture = picture[:, ::-1]
    if g.random() < 0.08:
        picture = picture[::-1]
    rgb, truth = np.ascontiguousarray(picture[..., :3]), np.ascontiguousarray(picture[..., 3])
    if g.random() < 0.2:
        rgb = np.ascontiguousarray(rgb[..., g.permutation(3)])
    if g.random() < 0.15:
        gray = rgb.mean(2, keepdims=True)
        rgb = np.clip(gray + (rgb - gray) * g.uniform(0, 1.3), 0, 255).astype(np.uint8)
    return with_backdrop(rgb), truth


def _near(g: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """The region of interest of test-time augmentation: the product's box with a small margin, not always the exact one."""
    rows, columns = (np.flatnonzero((picture[..., 3] > 127).any(axis)) for axis in (1, 0))
    if len(rows) == 0:
        return picture
    (top, bottom), (left, right) = (
        np.clip([at[0] - before * len(at), at[-1] + 1 + after * len(at)], 0, picture.shape[0]).astype(int)
        for at, (before, after) in ((rows, g.normal(0.06, 0.05, 2)), (columns, g.normal(0.06, 0.05, 2)))
    )
    if min(bottom - top, right - left) < NEAR_SIDE_MIN:
        return picture
    return picture[top:bottom, left:right]


def matte_loss(logits: Tensor, coarse: list[Tensor], truth: Tensor) -> Tensor:
    """Cross-entropy with a higher weight near edges, plus one minus the soft IoU, plus the coarse outputs' cross-entropy."""
    edge = (F.avg_pool2d(truth, 9, 1, 4) - truth).abs() * 2
    bits = F.binary_cross_entropy_with_logits(logits, truth, weight=1 + EDGE_WEIGHT * edge)
    matte = torch.sigmoid(logits)
    both = (matte * truth).sum((1, 2, 3))
    either = (matte + truth - matte * truth).sum((1, 2, 3))
    loss = bits + (1 - (both + 8) / (either + 8)).mean()
    for hint in coarse:
        small = F.adaptive_avg_pool2d(truth, hint.shape[-2:])
        loss = loss + 0.15 * F.binary_cross_entropy_with_logits(hint, small)
    return loss


def as_input(batch: Tensor, device: torch.device) -> Tensor:
    # NHWC u8 viewed as NCHW is channels_last already.
    return batch.to(device, non_blocking=True).permute(0, 3, 1, 2).float().div_(255)


@torch.no_grad()
def held_out_iou(network: MaskNetwork, shards: Path, side: int, device: torch.device) -> float | None:
    path = shards / f"{HELD_OUT_SHARD:05d}.npy"
    if not path.exists():
        return None
    g = np.random.default_rng(0)
    rendered = np.load(path, mmap_mode="r")[:HELD_OUT_PICTURES_MAX]
    scores = []
    for start in range(0, len(rendered), 20):
        chunk = [cv2.resize(p, (side, side), interpolation=cv2.INTER_AREA) for p in rendered[start : start + 20]]
        batch = torch.from_numpy(np.stack([with_backdrop(np.ascontiguousarray(p[..., :3])) for p in chunk]))
        truth = torch.from_numpy(np.stack([p[..., 3] for p in chunk])).to(device) > 127
        matte = network(as_input(batch, device))[0][:, 0] > 0
        either = (matte | truth).sum((1, 2)).float()
        scores.append(torch.where(either > 0, (matte & truth).sum((1, 2)) / either.clamp(min=1), 1.0))
    return float(torch.cat(scores).mean())


class Average:
    """Exponential moving average of weights and of batch statistics."""

    def __init__(self, network: MaskNetwork):
        self.network = copy.deepcopy(network).eval()
        self.steps = 0

    @torch.no_grad()
    def follow(self, network: MaskNetwork) -> None:
        self.steps += 1
        keep = min(AVERAGE_DECAY, self.steps / (self.steps + 9))
        for mean, now in zip(self.network.state_dict().values(), network.state_dict().values()):
            if mean.dtype.is_floating_point:
                mean.lerp_(now, 1 - keep)
            else:
                mean.copy_(now)


def train(chosen: argparse.Namespace) -> None:
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(chosen.threads)
    device = torch.device(chosen.device)
    stages = parse_stages(chosen.stages)
    chosen.run.mkdir(parents=True, exist_ok=True)
    network = MaskNetwork()
    if chosen.start_from:
        # Layers without weights in the file start afresh; weights without a layer in the network are an error.
        fresh, unknown = network.load_state_dict(torch.load(chosen.start_from, map_location="cpu", weights_only=True), strict=False)
        if unknown:
            raise ValueError(f"{chosen.start_from} holds layers that the network has not: {', '.join(unknown)}")
        print(json.dumps({"fresh": fresh}), flush=True)
    network = network.to(device, memory_format=torch.channels_last)
    average = Average(network)
    optimizer = torch.optim.AdamW(network.parameters(), chosen.rate, weight_decay=1e-3)
    curve: list[dict] = []
    began, step, spent_share, seen = time.monotonic(), 0, 0.0, 0
    limit = chosen.minutes * 60
    for stage in stages:
        ends = spent_share + stage.share
        loader = DataLoader(Pictures(chosen.shards, stage, chosen.seed), batch_size=None, num_workers=chosen.workers, prefetch_factor=3 if chosen.workers else None)
        losses: list[float] = []
        for batch, truth in loader:
            share = min(1.0, step / chosen.steps if chosen.steps else (time.monotonic() - began) / limit)
            if share >= ends - 1e-9:
                break
            for group in optimizer.param_groups:
                group["lr"] = RATE_LOW + chosen.rate * min(1, (step + 1) / WARM_UP_STEPS) * (0.5 + 0.5 * math.cos(math.pi * share))
            x, y = as_input(batch, device), truth.to(device)[:, None].float().div_(255)
            with torch.autocast(device.type, torch.bfloat16, enabled=chosen.bf16):
                logits, coarse = network(x)
            loss = matte_loss(logits.float(), [hint.float() for hint in coarse], y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimizer.step()
            average.follow(network)
            step += 1
            seen += len(x)
            losses.append(float(loss.detach()))
            if step % LOG_EVERY_STEPS == 0:
                point = {"step": step, "seconds": round(time.monotonic() - began), "side": stage.side, "seen": seen, "loss": round(float(np.mean(losses)), 4)}
                losses.clear()
                if step % SCORE_EVERY_STEPS == 0:
                    score = held_out_iou(average.network, chosen.shards, stage.side, device)
                    point["heldOutIou"] = None if score is None else round(score, 4)
                curve.append(point)
                print(json.dumps(point), flush=True)
            if step % SAVE_EVERY_STEPS == 0:
                save(chosen, average, curve)
        spent_share = ends
    score = held_out_iou(average.network, chosen.shards, stages[-1].side, device)
    last = {"step": step, "seconds": round(time.monotonic() - began), "side": stages[-1].side, "seen": seen}
    if losses:
        last["loss"] = round(float(np.mean(losses)), 4)
    curve.append({**last, "heldOutIou": None if score is None else round(score, 4)})
    print(json.dumps(curve[-1]), flush=True)
    save(chosen, average, curve)


def save(chosen: argparse.Namespace, average: Average, curve: list[dict]) -> None:
    torch.save(average.network.state_dict(), chosen.run / "average.pt")
    # Only the folders' names, so that the record holds no paths of the machine.
    recipe = {name: value.name if isinstance(value, Path) else value for name, value in vars(chosen).items()}
    before = chosen.start_from and chosen.start_from.parent / "curve.json"
    if before and before.exists():
        recipe["before"] = json.loads(before.read_text())
    recipe["pictures"] = sum(len(np.load(path, mmap_mode="r")) for path in chosen.shards.glob("[0-9]*.npy"))
    (chosen.run / "curve.json").write_text(json.dumps({"recipe": recipe, "curve": curve}, indent=1))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--shards", type=Path, default=Path(__file__).parent / "out" / "shards")
    arguments.add_argument("--run", type=Path, default=Path(__file__).parent / "out" / "run")
    arguments.add_argument("--minutes", type=float, default=60)
    arguments.add_argument("--steps", type=int, help="steps instead of minutes: a run that repeats exactly")
    arguments.add_argument("--stages", default="128:0.35:24,192:0.2:16,256:0.45:12", help="side:share:batch,...")
    arguments.add_argument("--start-from", type=Path, help="weights to go on from")
    arguments.add_argument("--rate", type=float, default=RATE_PEAK)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--workers", type=int, default=1)
    arguments.add_argument("--device", default="cpu")
    arguments.add_argument("--bf16", action=argparse.BooleanOptionalAction, default=True)
    train(arguments.parse_args())


if __name__ == "__main__":
    main()
