#!/bin/sh
# The whole recipe, tiny: render, train, mean, export, resume, time. It shows that the recipe runs, not that it learns much.
#   smoke.sh OUT_FOLDER        with PYTHON naming an interpreter that has requirements.txt installed
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
out=${1:?name an output folder}
"$python" "$here/render.py" --count 500 --side 64 --seed 1 --out "$out/shards"
"$python" "$here/train.py" --shards "$out/shards" --run "$out/run" --steps 24 --stages 32:0.5:8,64:0.5:8 --threads 1 --workers 0
"$python" "$here/mean.py" --runs "$out/run" "$out/run" --to "$out/mean"
"$python" "$here/export.py" --run "$out/mean" --to "$out/model" --side 32 --version smoke
"$python" "$here/resume.py" --model "$out/model/1/model.onnx" --shards "$out/shards" --to "$out/again/average.pt"
"$python" "$here/evaluate.py" --model "$out/model/1/model.onnx" --time --threads 1
