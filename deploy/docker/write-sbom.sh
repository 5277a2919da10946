#!/bin/sh
# Writes an SBOM (CycloneDX) of what we put into each image to a folder: write-sbom.sh FOLDER. It reads the lock file and
# needs no network. What the base image brings, buildx lists by itself (--sbom true).
set -eu
cd "$(dirname "$0")/../.."
mkdir -p "$1"
for image in amd64 arm64 cuda; do
  npm sbom --package-lock-only --sbom-format cyclonedx |
    node deploy/docker/sbom-of-image.mjs "$image" >"$1/packshot-$image.cdx.json"
  echo "$1/packshot-$image.cdx.json"
done
