#!/bin/sh
# The whole recipe, tiny: render, train, go on, mean, export, resume, large network, teacher. It shows that the recipe runs,
# not that it learns much.
#   smoke.sh OUT_FOLDER        with PYTHON naming an interpreter that has requirements.txt installed
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
out=${1:?name an output folder}
train() { "$python" "$here/train.py" --shards "$out/shards" --threads 1 --workers 0 "$@"; }
"$python" "$here/render.py" --count 250 --side 64 --seed 1 --out "$out/shards"
"$python" "$here/render.py" --count 250 --first 1 --side 64 --seed 1 --products plug,shoe,strap --hidden 0.9 --cut 0.9 --out "$out/shards"
if [ -d "${PACKSHOT_SHARED:-$here/../../../shared}/assets" ]; then
  "$python" "$here/render.py" --count 250 --side 64 --seed 1 --kinds environment --out "$out/environment"
fi
# Blender is not needed here: any image with its matte does as a sprite.
mkdir -p "$out/sprites" "$out/rebuilt/sprites"
cp "$out/shards/00001.npz" "$out/sprites" && cp "$out/shards/00001.npz" "$out/rebuilt/sprites"
"$python" "$here/render.py" --count 250 --first 2 --side 64 --seed 1 --sprites "$out/sprites" --out "$out/shards"
printf '{"shards": [%s, %s, %s]}' "$(cat "$out/shards/made-00000.json")" "$(cat "$out/shards/made-00001.json")" "$(cat "$out/shards/made-00002.json")" > "$out/record.json"
"$python" "$here/rebuild.py" --record "$out/record.json" --out "$out/rebuilt" --wait
cmp "$out/shards/00000.npz" "$out/rebuilt/shards/00000.npz"
cmp "$out/shards/00001.npz" "$out/rebuilt/shards/00001.npz"
cmp "$out/shards/00002.npz" "$out/rebuilt/shards/00002.npz"
train --run "$out/run" --steps 24 --stages 32:0.5:8,64:0.5:8
train --run "$out/run" --steps 30 --stages 32:0.5:8,64:0.5:8 --resume
"$python" "$here/mean.py" --runs "$out/run" "$out/run" --to "$out/mean"
"$python" "$here/export.py" --run "$out/mean" --to "$out/model" --side 32 --version smoke
"$python" "$here/resume.py" --model "$out/model/1/model.onnx" --shards "$out/shards" --to "$out/again/average.pt"
"$python" "$here/resume.py" --model "$here/../../models/packshot-mask/1/model.onnx" --shards "$out/shards" --to "$out/bundled/average.pt"
train --run "$out/onward" --start-from "$out/bundled/average.pt" --norms kept --steps 3 --stages 64:1:8
(cd "$here" && "$python" - <<'CHECK'
import numpy as np, torch
from backdrop import backdrop_distance
from resident import backdrop_distance as on_device

pictures = np.random.default_rng(1).integers(0, 256, (4, 64, 64, 3), dtype=np.uint8)
pictures[1] = pictures[1] // 20 + 220
pictures[2] = 250
wanted = np.stack([backdrop_distance(picture)[0] for picture in pictures])
got = on_device(torch.from_numpy(pictures).permute(0, 3, 1, 2)).numpy()
assert np.abs(wanted.astype(int) - got.astype(int)).max() <= 1, "resident.py computes another backdrop channel"
CHECK
)
train --run "$out/resident" --resident --steps 3 --stages 64:1:8
train --run "$out/large" --size large --steps 3 --stages 64:1:8
"$python" "$here/export.py" --run "$out/large" --size large --half --to "$out/large-model" --side 64 --version smoke --shards "$out/shards"
train --run "$out/taught" --teacher "$out/large/average.pt" --steps 3 --stages 64:1:8
"$python" "$here/evaluate.py" --model "$out/model/1/model.onnx" --time --threads 1
"$python" "$here/compare.py" "$out/mean/average.pt" "$out/again/average.pt" > "$out/difference"
"$python" "$here/quantize.py" --folder "$out/model" --shards "$out/shards" --count 4
