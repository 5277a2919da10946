#!/bin/sh
# Prints the digests that the tags of our base images and engines have in the registry now, for build.sh (digests.env) and
# for the chart. It needs docker with buildx, and a registry that can be reached: digests are asked for, never made up.
set -eu
cd "$(dirname "$0")/../.."
image_in() { sed -n "s/^ARG $1=//p" deploy/docker/Dockerfile; }
digest_of() { docker buildx imagetools inspect "$1" --format '{{.Manifest.Digest}}'; }
engine_in() {
  awk -v engine="$1:" '$0 == engine { inside = 1; next } inside && /^[a-z]/ { exit } inside && /^    (repository|tag):/ { print $2 }' \
    deploy/helm/values.yaml | paste -sd: -
}

for name in NODE_IMAGE GO_IMAGE PYTHON_IMAGE; do
  image=$(image_in "$name")
  echo "$name=$image@$(digest_of "$image")"
done >deploy/docker/digests.env
cat deploy/docker/digests.env
for engine in nats redis; do
  image=$(engine_in "$engine")
  echo "helm: --set $engine.image.digest=$(digest_of "$image")   # $image"
done
