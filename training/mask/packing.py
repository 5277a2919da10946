"""Writes a shard from files that are encoded already; needs numpy only, because Blender's Python has its own."""

import os
from pathlib import Path

import numpy as np


def write_files(path: Path, files: list[bytes], side: int) -> None:
    """JPEG, PNG, JPEG, PNG …: an image and its matte in turn, all of one side."""
    partial = path.with_name(f".{path.stem}.partial.npz")
    ends = np.cumsum([len(file) for file in files])
    np.savez(partial, bytes=np.frombuffer(b"".join(files), np.uint8), ends=ends, side=side)
    os.replace(partial, path)
