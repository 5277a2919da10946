"""Prints how far two files of weights differ, and fails if they hold other layers.

    python compare.py out/run/average.pt out/again/average.pt
"""

import sys
from pathlib import Path

import torch


def difference(first: Path, second: Path) -> float:
    a, b = (torch.load(path, map_location="cpu", weights_only=True) for path in (first, second))
    if a.keys() != b.keys():
        raise ValueError(f"other layers: {', '.join(sorted(a.keys() ^ b.keys()))}")
    # The count of batches has no part in the network's answers.
    return max(float((a[name] - b[name]).abs().max()) for name in a if not name.endswith("num_batches_tracked"))


if __name__ == "__main__":
    print(difference(Path(sys.argv[1]), Path(sys.argv[2])))
