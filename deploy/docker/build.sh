#!/bin/sh
# Builds and pushes the images, with an SBOM beside each: build.sh REGISTRY/REPOSITORY [VERSION]. It needs docker with
# buildx, and takes the digests of pin-digests.sh where there are some.
set -eu
cd "$(dirname "$0")/../.."
repository=$1
version=${2:-$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)}
set --
if [ -f deploy/docker/digests.env ]; then
  while read -r pinned; do set -- "$@" --build-arg "$pinned"; done <deploy/docker/digests.env
fi
build() {
  target=$1 platforms=$2 tag=$3
  shift 3
  docker buildx build --file deploy/docker/Dockerfile --target "$target" --platform "$platforms" \
    --label "org.opencontainers.image.version=$version" --provenance true --sbom true --tag "$repository:$tag" --push "$@" .
}
build packshot linux/amd64,linux/arm64 "$version" "$@"
build packshot-cuda linux/amd64 "$version-cuda" "$@"
sh deploy/docker/write-sbom.sh dist
