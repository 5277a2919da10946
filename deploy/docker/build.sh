#!/bin/sh
# Builds and pushes the images, with an SBOM beside each: build.sh REGISTRY/REPOSITORY [VERSION]. It needs docker with
# buildx, and takes the digests of pin-digests.sh where there are some. The image is of the last commit, and its files are as old, so that
# its layers have the same digests whoever builds them.
set -eu
cd "$(dirname "$0")/../.."
repository=$1
version=${2:-$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)}
set --
if [ -f deploy/docker/digests.env ]; then
  while read -r pinned; do set -- "$@" --build-arg "$pinned"; done <deploy/docker/digests.env
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# buildx makes no file newer than that, but leaves older ones, as a checkout may have, as they are.
source=$(mktemp -d)
trap 'rm -rf "$source"' EXIT
git archive HEAD | tar -x -C "$source"
build() {
  target=$1 platforms=$2 tag=$3
  shift 3
  docker buildx build --file "$source/deploy/docker/Dockerfile" --target "$target" --platform "$platforms" \
    --label "org.opencontainers.image.version=$version" --provenance true --sbom true \
    --output "type=image,name=$repository:$tag,push=true,rewrite-timestamp=true" "$@" "$source"
}
build packshot linux/amd64,linux/arm64 "$version" "$@"
build packshot-cuda linux/amd64 "$version-cuda" "$@"
sh deploy/docker/write-sbom.sh dist
