#!/bin/sh
# Puts the CUDA library of the matching onnxruntime-gpu wheel beside onnxruntime-node's binding. It needs CUDA 13 and
# cuDNN 9 on the machine. Where nothing can be reached, carry the wheel there and name it: install-cuda-provider.sh FILE.whl
set -eu
cd "$(dirname "$0")/../.."
version=$(node -p 'require("onnxruntime-node/package.json").version')
target=node_modules/onnxruntime-node/bin/napi-v6/linux/x64
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -gt 0 ]; then
  cp "$1" "$work/"
else
  python3 -m pip download --quiet --no-deps --only-binary=:all: --dest "$work" "onnxruntime-gpu==$version"
fi
python3 -m zipfile -e "$work"/onnxruntime_gpu-*.whl "$work/wheel"
sha256sum "$work"/onnxruntime_gpu-*.whl
cp "$work"/wheel/onnxruntime/capi/libonnxruntime_providers_shared.so "$work"/wheel/onnxruntime/capi/libonnxruntime_providers_cuda.so "$target/"
echo "installed the CUDA provider of onnxruntime $version into $target"
