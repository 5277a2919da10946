"""Renders again, in the background, every shard that a training record names: the pictures are not kept, their seeds are.

    python rebuild.py                                     # what the bundled weights' record names
    python rebuild.py --record out/model/training.json --only 211 --bpy out/bpy/bin/python

Shards that exist are left as they are, so the same command also goes on after an interruption. It returns at once; the
renderer works at the lowest priority and writes out/rebuild.log. Where the renderer has changed since, the pictures are of the
same kinds but not the same; it says so. Cut-outs of photos are made by cut_outs.py, before.
"""

import argparse
import json
import shlex
import subprocess
import sys
from pathlib import Path

from render import provenance

HERE = Path(__file__).resolve().parent


def command(shards: dict, out: Path, bpy: Path | None) -> list[str] | None:
    """The renderer's command line for one entry of the record; none for path-traced shards without Blender."""
    size = ["--count", str(shards["count"]), "--first", str(shards["first"]), "--seed", str(shards["seed"]), "--side", str(shards["side"])]
    if shards.get("pathTraced"):
        alone = shards.get("alone", False)
        line = [str(bpy), "-m", "path_traced.trace", *(["--alone"] if alone else []), *size, "--out", str(out / ("sprites" if alone else "traced"))]
        return bpy and line
    kinds = ["--kinds", ",".join(shards["kinds"])] if shards["kinds"] else []
    goods = ["--products", ",".join(shards["products"])] if shards.get("products") else []
    goods += ["--hidden", str(shards["hidden"])] if "hidden" in shards else []
    goods += ["--cut", str(shards["cut"])] if "cut" in shards else []
    goods += ["--sprites", f"{out / shards.get('spritesFrom', 'sprites')}={shards['sprites']}"] if "sprites" in shards else []
    return [sys.executable, str(HERE / "render.py"), *size, *kinds, *goods, "--out", str(out / "shards")]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--record", type=Path, default=HERE / "../../models/packshot-mask/training.json")
    arguments.add_argument("--out", type=Path, default=HERE / "out")
    arguments.add_argument("--only", type=int, nargs="+", help="seeds")
    arguments.add_argument("--bpy", type=Path, help="an interpreter with path_traced/requirements.txt")
    arguments.add_argument("--wait", action="store_true", help="return when all is rendered")
    chosen = arguments.parse_args()
    wanted = [entry for entry in json.loads(chosen.record.read_text())["shards"] if "seed" in entry and (not chosen.only or entry["seed"] in chosen.only)]
    # Sprites first: other images are made of them.
    wanted.sort(key=lambda entry: not entry.get("alone", False))
    now = provenance(0, 0, 0, 0, None)["sha256"]
    lines = []
    for entry in wanted:
        line = command(entry, chosen.out.resolve(), chosen.bpy)
        changed = not entry.get("pathTraced") and entry["sha256"] != now
        state = "left out: name --bpy" if line is None else "other pictures of these kinds: the renderer has changed" if changed else "the same pictures"
        print(f"seed {entry['seed']}, {entry['count']} images from shard {entry['first']} on: {state}")
        lines += [shlex.join(line)] if line else []
    chosen.out.mkdir(parents=True, exist_ok=True)
    with open(chosen.out / "rebuild.log", "a") as log:
        process = subprocess.Popen(["nice", "-n", "19", "sh", "-ec", "\n".join(lines)], stdout=log, stderr=log, cwd=HERE, start_new_session=True)
    print(f"process {process.pid} writes {chosen.out / 'rebuild.log'}")
    if chosen.wait:
        sys.exit(process.wait())


if __name__ == "__main__":
    main()
