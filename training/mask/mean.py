"""The mean of the weights of two runs, the second of which started from the first: often better than either (Wortsman et
al., "Model soups", ICML 2022). Choose the share by held-out images, not by photos.

    python mean.py --runs out/run8 out/run10 --share 0.7 --to out/mean     # 0.7 of the second
"""

import argparse
import json
from pathlib import Path

import torch


def mean(first: dict[str, torch.Tensor], second: dict[str, torch.Tensor], share: float) -> dict[str, torch.Tensor]:
    unlike = first.keys() ^ second.keys()
    if unlike:
        raise ValueError(f"the runs differ in layers: {', '.join(sorted(unlike))}")
    return {name: first[name].lerp(value, share) if value.dtype.is_floating_point else value for name, value in second.items()}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--runs", type=Path, nargs=2, required=True, help="the earlier one first")
    arguments.add_argument("--share", type=float, default=0.5, help="of the second")
    arguments.add_argument("--to", type=Path, required=True)
    chosen = arguments.parse_args()
    first, second = (torch.load(run / "average.pt", map_location="cpu", weights_only=True) for run in chosen.runs)
    chosen.to.mkdir(parents=True, exist_ok=True)
    torch.save(mean(first, second, chosen.share), chosen.to / "average.pt")
    # The second run's record contains that of the first, from which it started.
    record = json.loads((chosen.runs[1] / "curve.json").read_text())
    record["recipe"]["mean"] = {"of": [run.name for run in chosen.runs], "shareOfSecond": chosen.share}
    (chosen.to / "curve.json").write_text(json.dumps(record, indent=1))


if __name__ == "__main__":
    main()
