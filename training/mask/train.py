"""Trains the network on rendered shards and keeps the averaged weights.

    python train.py --shards out/shards --minutes 60 --run out/run                       # a CPU with two threads
    python train.py --shards out/shards --minutes 10 --run out/run --device cuda --resident --stages 480:1:96   # a GPU
    python train.py --shards out/shards out/traced=0.3 --run out/run --resume            # go on after an interruption

A folder of shards may be given the share of images to be taken from it; the others share the rest evenly. The image's side grows
from stage to stage: small images teach what a product is at a quarter of the cost, the last stage teaches edges. Shards that are
rendered meanwhile are used too. Shards with images smaller than three quarters of the stage's side are left out.
Shard 0 is held out.

With --resident the images stay in the GPU's memory and are augmented there (resident.py).
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

from augment import augment
from backdrop import with_backdrop
from network import SIZES, MaskNetwork
from resident import Resident
from shards import HELD_OUT_SHARD, Folder, Shard, parse_folder, paths_in, size_of

SHARDS_AT_ONCE = 8
RATE_PEAK, RATE_LOW, WARM_UP_STEPS = 2.5e-3, 2e-5, 150
AVERAGE_DECAY = 0.998
EDGE_WEIGHT = 5.0
# Images this much smaller than a stage's side are enlarged for it: a little soft, as many photos are.
SMALLEST_SHARE = 0.75
LOG_EVERY_STEPS = 50
SCORE_EVERY_STEPS = 1500
SAVE_EVERY_STEPS = 150
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

    def __init__(self, folders: list[Folder], stage: Stage, seed: int, step: int):
        self.folders, self.stage, self.seed, self.step = folders, stage, seed, step

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        worker = get_worker_info()
        # A run that goes on at a step draws other images than it drew at its beginning.
        g = np.random.default_rng([self.seed, self.stage.side, worker.id if worker else 0, self.step])
        cv2.setNumThreads(1)
        while True:
            # A few shards at once, so that a batch mixes images without reading all shards.
            some = [Shard(path) for path in self._drawn(g)]
            order = [(s, i) for s, shard in enumerate(some) for i in range(len(shard))]
            g.shuffle(order)
            for start in range(0, len(order) - self.stage.batch + 1, self.stage.batch):
                made = [augment(g, some[s][i], self.stage.side) for s, i in order[start : start + self.stage.batch]]
                yield torch.from_numpy(np.stack([m[0] for m in made])), torch.from_numpy(np.stack([m[1] for m in made]))

    def _drawn(self, g: np.random.Generator) -> list[Path]:
        """Some shards, a folder's as often as its share says. Folders without a fitting shard yet are passed over."""
        usable = {folder: self._usable(folder) for folder in self.folders}
        usable = {folder: paths for folder, paths in usable.items() if paths}
        if not usable:
            folders = ", ".join(str(folder.path) for folder in self.folders)
            least = math.ceil(SMALLEST_SHARE * self.stage.side)
            raise FileNotFoundError(f"no shards of side {least} or more in {folders}: run render.py first (shard 0 is held out)")
        fixed = sum(folder.share or 0 for folder in usable)
        even = max(0.0, 1 - fixed) / max(1, sum(folder.share is None for folder in usable))
        odds = np.array([even if folder.share is None else folder.share for folder in usable])
        # By images, not by shards: a folder's shards may be small.
        counts = np.array([np.mean([size_of(path)[0] for path in paths]) for paths in usable.values()])
        drawn = g.choice(len(usable), SHARDS_AT_ONCE, p=odds / counts / (odds / counts).sum())
        return [list(usable.values())[k][g.integers(len(list(usable.values())[k]))] for k in drawn]

    def _usable(self, folder: Folder) -> list[Path]:
        least = SMALLEST_SHARE * self.stage.side
        return [path for path in paths_in([folder.path]) if int(path.stem) != HELD_OUT_SHARD and size_of(path)[1] >= least]


def teaching_loss(logits: Tensor, taught: Tensor) -> Tensor:
    """Cross-entropy with a teacher's matte, which says more than the truth where a pixel could be either."""
    return F.binary_cross_entropy_with_logits(logits, taught)


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
def held_out_iou(network: MaskNetwork, folders: list[Folder], side: int, device: torch.device) -> dict[str, float]:
    """The mean IoU on each folder's held-out shard, by folder."""
    scores = {}
    for folder in folders:
        path = folder.path / f"{HELD_OUT_SHARD:05d}.npz"
        if path.exists():
            scores[folder.path.name] = round(shard_iou(network, Shard(path), side, device), 4)
    return scores


def shard_iou(network: MaskNetwork, shard: Shard, side: int, device: torch.device, most: int = HELD_OUT_PICTURES_MAX) -> float:
    scores = []
    for start in range(0, min(len(shard), most), 20):
        some = [shard[i] for i in range(start, min(start + 20, len(shard), most))]
        chunk = [cv2.resize(p, (side, side), interpolation=cv2.INTER_AREA) for p in some]
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


class Run:
    """A training run: everything that its checkpoint keeps, so that a later process can go on with it."""

    def __init__(self, chosen: argparse.Namespace):
        self.chosen, self.device = chosen, torch.device(chosen.device)
        self.network = MaskNetwork(chosen.size)
        self.curve: list[dict] = []
        self.step, self.seen, self.seconds_before = 0, 0, 0.0
        kept = self._kept()
        if kept:
            self.network.load_state_dict(kept["network"])
        elif chosen.start_from:
            self._start_from(chosen.start_from)
        self.network = self.network.to(self.device, memory_format=torch.channels_last)
        self.average = Average(self.network)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), chosen.rate, weight_decay=1e-3)
        if kept:
            self.average.network.load_state_dict(kept["average"])
            self.optimizer.load_state_dict(kept["optimizer"])
            self.average.steps, self.step, self.seen = kept["averaged"], kept["step"], kept["seen"]
            self.seconds_before, self.curve = kept["seconds"], kept["curve"]
        self.teacher = self._teacher()
        self.began = time.monotonic()

    def _kept(self) -> dict | None:
        path = self.chosen.run / "checkpoint.pt"
        if not self.chosen.resume:
            return None
        if not path.exists():
            raise FileNotFoundError(f"no {path} to resume from")
        return torch.load(path, map_location="cpu", weights_only=True)

    def _start_from(self, path: Path) -> None:
        """Layers without weights in the file start afresh; weights without a layer in the network are an error."""
        fresh, unknown = self.network.load_state_dict(torch.load(path, map_location="cpu", weights_only=True), strict=False)
        if unknown:
            raise ValueError(f"{path} holds layers that the network has not: {', '.join(unknown)}")
        print(json.dumps({"fresh": fresh}), flush=True)

    def _teacher(self) -> MaskNetwork | None:
        if not self.chosen.teacher:
            return None
        teacher = MaskNetwork(self.chosen.teacher_size).eval().requires_grad_(False)
        teacher.load_state_dict(torch.load(self.chosen.teacher, map_location="cpu", weights_only=True))
        return teacher.to(self.device, memory_format=torch.channels_last)

    @property
    def seconds(self) -> float:
        return self.seconds_before + time.monotonic() - self.began

    def share(self) -> float:
        """The share of the whole run that is over."""
        return min(1.0, self.step / self.chosen.steps if self.chosen.steps else self.seconds / (self.chosen.minutes * 60))

    def training_mode(self) -> None:
        """Normalizations stay as they are if asked for, so that the first step sees the very function that was loaded."""
        self.network.train()
        if self.chosen.norms == "kept":
            for module in self.network.modules():
                if isinstance(module, torch.nn.BatchNorm2d):
                    module.eval()

    def loss(self, batch: Tensor, truth: Tensor) -> Tensor:
        x, y = as_input(batch, self.device), truth.to(self.device)[:, None].float().div_(255)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.chosen.bf16):
            logits, coarse = self.network(x)
            taught = torch.sigmoid(self.teacher(x)[0].float()) if self.teacher else None
        loss = matte_loss(logits.float(), [hint.float() for hint in coarse], y)
        return loss if taught is None else loss + self.chosen.teaching * teaching_loss(logits.float(), taught)

    def learn(self, batch: Tensor, truth: Tensor) -> float:
        rate = self.chosen.rate * min(1, (self.step + 1) / WARM_UP_STEPS)
        for group in self.optimizer.param_groups:
            group["lr"] = RATE_LOW + rate * (0.5 + 0.5 * math.cos(math.pi * self.share()))
        loss = self.loss(batch, truth)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimizer.step()
        self.average.follow(self.network)
        self.step += 1
        self.seen += len(batch)
        return float(loss.detach())

    def note(self, stage: Stage, losses: list[float], scored: bool) -> None:
        point = {"step": self.step, "seconds": round(self.seconds), "side": stage.side, "seen": self.seen}
        if losses:
            point["loss"] = round(float(np.mean(losses)), 4)
        if scored:
            point["heldOutIou"] = held_out_iou(self.average.network, self.chosen.shards, stage.side, self.device)
        losses.clear()
        self.curve.append(point)
        print(json.dumps(point), flush=True)

    def save(self) -> None:
        """The averaged weights, the curve, and the checkpoint to resume from, each replaced at once."""
        kept = {
            "network": self.network.state_dict(), "average": self.average.network.state_dict(), "averaged": self.average.steps,
            "optimizer": self.optimizer.state_dict(), "step": self.step, "seen": self.seen, "seconds": self.seconds, "curve": self.curve,
        }  # fmt: skip
        for name, value in (("checkpoint.pt", kept), ("average.pt", self.average.network.state_dict())):
            partial = self.chosen.run / f".{name}"
            torch.save(value, partial)
            os.replace(partial, self.chosen.run / name)
        (self.chosen.run / "curve.json").write_text(json.dumps({"recipe": recipe_of(self.chosen), "curve": self.curve}, indent=1))


def recipe_of(chosen: argparse.Namespace) -> dict:
    # Only the folders' names, so that the record holds no paths of the machine.
    recipe = {name: value.name if isinstance(value, Path) else value for name, value in vars(chosen).items()}
    recipe["shards"] = {folder.path.name: folder.share for folder in chosen.shards}
    before = chosen.start_from and chosen.start_from.parent / "curve.json"
    if before and before.exists():
        recipe["before"] = json.loads(before.read_text())
    recipe["pictures"] = sum(size_of(path)[0] for path in paths_in([folder.path for folder in chosen.shards]))
    return recipe


def batches_of(run: Run, stage: Stage, resident: Resident | None) -> Iterator[tuple[Tensor, Tensor]]:
    chosen = run.chosen
    if resident:
        return resident.batches(stage.batch, stage.side, [chosen.seed, stage.side, run.step])
    pictures = Pictures(chosen.shards, stage, chosen.seed, run.step)
    return iter(DataLoader(pictures, batch_size=None, num_workers=chosen.workers, prefetch_factor=3 if chosen.workers else None))


def train(chosen: argparse.Namespace) -> None:
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(chosen.threads)
    chosen.run.mkdir(parents=True, exist_ok=True)
    run = Run(chosen)
    resident = None
    if chosen.resident:
        resident = Resident(chosen.shards, max(stage.side for stage in parse_stages(chosen.stages)), run.device)
        resident.wait()
        run.began = time.monotonic()
    losses: list[float] = []
    ends = 0.0
    for stage in parse_stages(chosen.stages):
        ends += stage.share
        if run.share() >= ends - 1e-9:  # a resumed run is past it
            continue
        run.training_mode()
        for batch, truth in batches_of(run, stage, resident):
            if run.share() >= ends - 1e-9:
                break
            losses.append(run.learn(batch, truth))
            if run.step % LOG_EVERY_STEPS == 0:
                run.note(stage, losses, run.step % SCORE_EVERY_STEPS == 0)
            if run.step % SAVE_EVERY_STEPS == 0:
                run.save()
    run.note(parse_stages(chosen.stages)[-1], losses, True)
    run.save()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = Path(__file__).parent / "out"
    arguments.add_argument("--shards", type=parse_folder, nargs="+", default=[Folder(here / "shards", None)], help="FOLDER or FOLDER=SHARE")
    arguments.add_argument("--run", type=Path, default=here / "run")
    arguments.add_argument("--minutes", type=float, default=60)
    arguments.add_argument("--steps", type=int, help="steps instead of minutes: a run that repeats exactly")
    arguments.add_argument("--stages", default="128:0.35:24,192:0.2:16,256:0.45:12", help="side:share:batch,...")
    arguments.add_argument("--start-from", type=Path, help="weights to go on from")
    arguments.add_argument("--resume", action="store_true", help="go on with the run's own checkpoint")
    arguments.add_argument("--size", choices=sorted(SIZES), default="small")
    arguments.add_argument("--teacher", type=Path, help="weights of a network of --teacher-size, whose matte is learned beside the truth")
    arguments.add_argument("--teacher-size", choices=sorted(SIZES), default="large")
    arguments.add_argument("--teaching", type=float, default=1.0, help="the teacher's weight in the loss")
    arguments.add_argument("--norms", choices=("batch", "kept"), default="batch", help="kept: normalizations keep their statistics")
    arguments.add_argument("--rate", type=float, default=RATE_PEAK)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--workers", type=int, default=1)
    arguments.add_argument("--device", default="cpu")
    arguments.add_argument("--resident", action="store_true", help="keep the images in the GPU's memory, and augment them there")
    arguments.add_argument("--bf16", action=argparse.BooleanOptionalAction, help="else where the processor or the GPU computes in it")
    chosen = arguments.parse_args()
    if chosen.bf16 is None:
        # With AVX2 alone it is emulated, and slower than floats.
        chosen.bf16 = chosen.device != "cpu" or "AVX512" in torch.backends.cpu.get_cpu_capability()
    train(chosen)


if __name__ == "__main__":
    main()
