"""Images that stay in a GPU's memory and are augmented there. A GPU trains on far more images a second than the processors beside
it decode and augment, so each is decoded once, by threads, as soon as its shard is rendered.

The augmentation is train.py's, of a whole batch at once; the backdrop channel is backdrop.py's, exact to a level.
"""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Iterator

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from augment import (
    CUT_SHARE, DEVELOPED_SHARE, FADED_SHARE, MARGIN, MIRRORED_SHARE, NEAR_SHARE, NEAR_SIDE_MIN, SOFTENED_SHARE, SOFTNESS, SWAPPED_SHARE, UPSIDE_DOWN_SHARE,
)  # fmt: skip
from backdrop import LEVELS_PER_LAB_UNIT, RESIDUAL_SCALE_GAIN, RESIDUAL_SCALE_MIN, ROUNDS, TO_WHITE_XYZ, plane
from shards import HELD_OUT_SHARD, Folder, Shard, paths_in

FREE_MEMORY_SHARE = 0.5
FIRST_PICTURES, SETTLED_SECONDS, FIRST_WAIT_SECONDS, LOOK_EVERY_SECONDS = 2_000, 30, 300, 0.5


class Resident:
    """All images of some folders, [N, S, S, 4] u8, on a device; those rendered meanwhile join them, and the oldest make place."""

    def __init__(self, folders: list[Folder], side: int, device: torch.device, threads: int = 2):
        self.folders, self.side, self.device = folders, side, device
        self.pictures = torch.empty((_capacity(side, device), side, side, 4), dtype=torch.uint8, device=device)
        self.boxes = torch.zeros((len(self.pictures), 4), device=device)
        self.slots: list[list[int]] = [[] for _ in folders]
        self.loaded = 0
        self._owner = np.full(len(self.pictures), -1)
        self._lock, self._pool = threading.Lock(), ThreadPoolExecutor(threads)
        self._asked: set[Path] = set()
        threading.Thread(target=self._follow, daemon=True).start()

    def wait(self) -> None:
        """Until there are some thousand images to begin with, or all that have come in half a minute."""
        began = time.monotonic()
        while self.loaded < FIRST_PICTURES:
            waited = time.monotonic() - began
            if self.loaded > 0 and waited > SETTLED_SECONDS:
                return
            if waited > FIRST_WAIT_SECONDS:
                raise FileNotFoundError(f"no shards in {', '.join(str(folder.path) for folder in self.folders)}: run render.py beside this")
            time.sleep(LOOK_EVERY_SECONDS)

    def batches(self, batch: int, side: int, seed: list[int]) -> Iterator[tuple[Tensor, Tensor]]:
        """Endless batches of ([B, side, side, 4] u8 with backdrop, [B, side, side] u8 truth)."""
        g = np.random.default_rng(seed)
        while True:
            at = torch.from_numpy(self._drawn(g, batch)).to(self.device)
            yield augmented(g, self.pictures[at], self.boxes[at], side)

    def _drawn(self, g: np.random.Generator, batch: int) -> np.ndarray:
        with self._lock:
            odds = _odds(self.folders, [len(slots) for slots in self.slots])
            counts = g.multinomial(batch, odds)
            drawn = [np.array(slots)[g.integers(len(slots), size=count)] for slots, count in zip(self.slots, counts) if count]
        return np.concatenate(drawn)

    def _follow(self) -> None:
        while True:
            for index, folder in enumerate(self.folders):
                for path in paths_in([folder.path]):
                    if int(path.stem) != HELD_OUT_SHARD and path not in self._asked:
                        self._asked.add(path)
                        self._pool.submit(self._load, index, path)
            time.sleep(LOOK_EVERY_SECONDS)

    def _load(self, index: int, path: Path) -> None:
        shard = Shard(path)
        some = np.stack([_sized(shard[i], self.side) for i in range(len(shard))])
        boxes = np.stack([box_of(picture) for picture in some])
        with self._lock:
            slots = [(self.loaded + i) % len(self.pictures) for i in range(len(some))]
            for slot in slots:
                if self._owner[slot] >= 0:
                    self.slots[self._owner[slot]].remove(slot)
            at = torch.tensor(slots, device=self.device)
            self.pictures[at] = torch.from_numpy(some).to(self.device)
            self.boxes[at] = torch.from_numpy(boxes).to(self.device)
            self._owner[slots] = index
            self.slots[index] += slots
            self.loaded += len(slots)


def _capacity(side: int, device: torch.device) -> int:
    free = torch.cuda.mem_get_info(device)[0] if device.type == "cuda" else 2**30
    return int(free * FREE_MEMORY_SHARE) // (side * side * 4)


def _odds(folders: list[Folder], counts: list[int]) -> np.ndarray:
    there = np.array([count > 0 for count in counts])
    fixed = sum(folder.share or 0 for folder, some in zip(folders, there) if some)
    others = sum(some and folder.share is None for folder, some in zip(folders, there))
    odds = np.array([max(0.0, 1 - fixed) / max(1, others) if folder.share is None else folder.share for folder in folders]) * there
    return odds / odds.sum()


def _sized(picture: np.ndarray, side: int) -> np.ndarray:
    if picture.shape[0] == side:
        return picture
    return cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA if picture.shape[0] > side else cv2.INTER_LINEAR)


def box_of(picture: np.ndarray) -> np.ndarray:
    """The product's box as shares of the image, (left, top, right, bottom) f32; zeros where there is none."""
    rows, columns = (np.flatnonzero((picture[..., 3] > 127).any(axis)) for axis in (1, 0))
    if len(rows) == 0:
        return np.zeros(4, np.float32)
    return np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1], np.float32) / picture.shape[0]


def augmented(g: np.random.Generator, pictures: Tensor, boxes: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """As train.py's `augment`: crops, mirrors, recolors; then adds the backdrop channel."""
    count, full = len(pictures), pictures.shape[1]
    regions = torch.from_numpy(_regions(g, boxes.cpu().numpy(), full)).to(pictures.device)
    seen = pictures.permute(0, 3, 1, 2).float().div_(255)
    seen = F.grid_sample(seen, F.affine_grid(regions, list(seen.shape), align_corners=False), "bilinear", "border", align_corners=False)
    if side < full:
        seen = F.interpolate(seen, (side, side), mode="area")
    rgb, truth = seen[:, :3], seen[:, 3]
    rgb = _recolored(g, rgb)
    some = np.flatnonzero(g.random(count) < SOFTENED_SHARE)
    if len(some):
        at = torch.from_numpy(some).to(rgb.device)
        rgb[at] = _softened(rgb[at], g.uniform(*SOFTNESS, len(some)))
    rgb = rgb.clamp(0, 1).mul(255).round_().byte()
    batch = torch.cat([rgb, backdrop_distance(rgb)[:, None]], 1)
    return batch.permute(0, 2, 3, 1).contiguous(), truth.mul(255).round_().byte()


def _regions(g: np.random.Generator, boxes: np.ndarray, full: int) -> np.ndarray:
    """The region of each image that is taken, mirrored or not, as affine maps [N, 2, 3] f32 of torch."""
    count = len(boxes)
    corners = np.tile(np.array([0.0, 0.0, 1.0, 1.0]), (count, 1))
    kind = g.random(count)
    cut = kind < CUT_SHARE
    size = g.uniform(0.6, 1, (count, 2))
    start = g.random((count, 2)) * (1 - size)
    corners[cut] = np.concatenate([start, start + size], 1)[cut]
    length = (boxes[:, 2:] - boxes[:, :2])[:, [0, 1, 0, 1]]
    margins = g.normal(*MARGIN, (count, 4)) * [-1, -1, 1, 1]
    near = np.clip(boxes + margins * length, 0, 1)
    is_near = (kind >= CUT_SHARE) & (kind < CUT_SHARE + NEAR_SHARE) & ((near[:, 2:] - near[:, :2]).min(1) * full >= NEAR_SIDE_MIN)
    corners[is_near] = near[is_near]
    scale, middle = corners[:, 2:] - corners[:, :2], corners[:, 2:] + corners[:, :2] - 1
    scale[:, 0] *= np.where(g.random(count) < MIRRORED_SHARE, -1, 1)
    scale[:, 1] *= np.where(g.random(count) < UPSIDE_DOWN_SHARE, -1, 1)
    maps = np.zeros((count, 2, 3), np.float32)
    maps[:, 0, 0], maps[:, 1, 1], maps[:, :, 2] = scale[:, 0], scale[:, 1], middle
    return maps


def _recolored(g: np.random.Generator, rgb: Tensor) -> Tensor:
    count = len(rgb)
    order = np.tile(np.arange(3), (count, 1))
    swapped = g.random(count) < SWAPPED_SHARE
    order[swapped] = g.permuted(order[swapped], axis=1)
    at = torch.from_numpy(order).to(rgb.device)
    rgb = rgb[torch.arange(count, device=rgb.device)[:, None], at]
    color = torch.from_numpy(np.where(g.random(count) < FADED_SHARE, g.uniform(0, 1.3, count), 1).astype(np.float32)).to(rgb.device)
    gray = rgb.mean(1, keepdim=True)
    rgb = (gray + (rgb - gray) * color[:, None, None, None]).clamp(0, 1)
    gammas = np.exp(g.normal(0, 0.35, (count, 1)) + g.normal(0, 0.05, (count, 3)))
    gammas[g.random(count) >= DEVELOPED_SHARE] = 1
    return rgb ** torch.from_numpy(gammas.astype(np.float32)).to(rgb.device)[:, :, None, None]


def _softened(rgb: Tensor, sigmas: np.ndarray) -> Tensor:
    count, reach = len(rgb), 4
    distance = torch.arange(-reach, reach + 1, device=rgb.device).float()
    weight = torch.exp(-0.5 * (distance / torch.from_numpy(sigmas.astype(np.float32)).to(rgb.device)[:, None]) ** 2)
    weight = (weight / weight.sum(1, keepdim=True)).repeat_interleave(3, 0)
    seen = F.pad(rgb, (reach, reach, reach, reach), "reflect").reshape(1, count * 3, rgb.shape[2] + 2 * reach, -1)
    seen = F.conv2d(seen, weight[:, None, :, None], groups=count * 3)
    return F.conv2d(seen, weight[:, None, None, :], groups=count * 3).reshape(rgb.shape)


def backdrop_distance(rgb: Tensor) -> Tensor:
    """The backdrop channel [N, S, S] u8 of images [N, 3, S, S] u8 (backdrop.py has the definition)."""
    count, _, side, _ = rgb.shape
    lab = _lab_of(rgb).reshape(count, 3, -1).transpose(1, 2)
    features, ring = _plane(side, rgb.device)
    seen, wanted = features[ring], lab[:, ring].double()
    weight = torch.ones(count, len(ring), device=rgb.device, dtype=torch.double)
    for _ in range(ROUNDS):
        weighted = seen * weight[..., None]
        surface = torch.linalg.solve_ex(weighted.transpose(1, 2) @ seen, weighted.transpose(1, 2) @ wanted).result
        residual = (wanted - seen @ surface).norm(dim=2)
        scale = (RESIDUAL_SCALE_GAIN * residual.median(1).values).clamp(min=RESIDUAL_SCALE_MIN)
        weight = 1 / (1 + (residual / scale[:, None]) ** 2) ** 2
    distance = (lab - features.float() @ surface.float()).norm(dim=2)
    return (distance * LEVELS_PER_LAB_UNIT).round_().clamp_(max=255).byte().reshape(count, side, side)


def _lab_of(rgb: Tensor) -> Tensor:
    """CIE Lab [N, 3, S, S] f32 of sRGB [N, 3, S, S] u8."""
    u = rgb.float() / 255
    linear = torch.where(u <= 0.04045, u / 12.92, ((u + 0.055) / 1.055) ** 2.4)
    t = torch.einsum("ij,njhw->nihw", torch.from_numpy(TO_WHITE_XYZ.astype(np.float32)).to(rgb.device), linear)
    f = torch.where(t > 216 / 24389, t ** (1 / 3), (24389 / 27 * t + 16) / 116)
    return torch.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], 1)


@lru_cache(maxsize=8)
def _plane(side: int, device: torch.device) -> tuple[Tensor, Tensor]:
    features, ring = plane(side)
    return torch.from_numpy(features).to(device), torch.from_numpy(ring).to(device)
