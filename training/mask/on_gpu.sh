#!/bin/sh
# Renders on all processors of a machine with a GPU and trains there meanwhile: some fifty thousand images in seven minutes on
# sixteen processors.
#   MINUTES=7 on_gpu.sh OUT render        the renderers that need no sprites of path-traced products
#   MINUTES=7 on_gpu.sh OUT sprites       those that do
#   MINUTES=7 on_gpu.sh OUT train         from OUT/last/average.pt (resume.py); OUT/run holds the result
# OUT/real and OUT/sprites hold sprites (cut_outs.py, path_traced). Every command returns when its minutes are over.
set -eu
cd "$(dirname "$0")"
python=${PYTHON:-python3}
out=${1:?name an output folder}
SCENES=environment,interior,furnished,night,white,blurred,room,draped,markings,plain,sweep,top_down,lay,checkered
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
render() {
  first=$1 folder=$2
  shift 2
  nice -n 19 "$python" render.py --minutes "$MINUTES" --count 1000000 --first "$first" --seed "${SEED:-2701}" --side 480 --out "$out/$folder" "$@" \
    > "$out/log-$folder-$first" 2>&1 &
}
mkdir -p "$out"
case ${2:?render, sprites or train} in
  render)
    for k in 0 1 2 3 4; do render $((k * 400)) shards; done
    for k in 0 1 2; do render $((k * 400)) shards-real --sprites "$out/real" --kinds $SCENES; done
    render 0 shards-whites --hidden 0.9 --kinds white,plain,sweep,paper
    render 0 shards-cut --cut 0.9 --kinds lay,top_down,environment,interior,plain,sweep
    ;;
  sprites)
    for k in 0 1 2 3; do render $((k * 400)) shards-mix --sprites "$out/sprites" --kinds $SCENES; done
    render 400 shards-whites --hidden 0.9 --kinds white,plain,sweep,paper,room --sprites "$out/sprites"
    ;;
  train)
    "$python" train.py --shards "$out/shards=0.31" "$out/shards-mix=0.28" "$out/shards-real=0.2" "$out/shards-whites=0.13" "$out/shards-cut=0.08" \
      --run "$out/run" --start-from "$out/last/average.pt" --device "${DEVICE:-cuda}" --resident \
      --norms batch --rate "${RATE:-0.0015}" --stages "${STAGES:-480:1:96}" --minutes "$MINUTES" --seed "${SEED:-2701}"
    ;;
esac
wait
