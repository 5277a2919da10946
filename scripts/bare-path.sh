#!/bin/sh
# Prints a PATH as a new machine has it: a folder of links to all programs on PATH but those that only some tests need
# (testing/programs.ts). `PATH="$(sh scripts/bare-path.sh)" make test` is what a newcomer's second command does.
set -eu
# Outside of the repository: linters would follow the links.
folder=$(mktemp -d "${TMPDIR:-/tmp}/packshot-bare-path-XXXXXX")
echo "$PATH" | tr ':' '\n' | while read -r directory; do
  [ -d "$directory" ] || continue
  # The first of a name on PATH wins: a link that is there is kept.
  find "$directory" -mindepth 1 -maxdepth 1 ! -type d -exec ln -s -t "$folder" {} + 2>/dev/null || true
done
cd "$folder"
rm -f redis-* prometheus* promtool* chromium* google-chrome* python* pip* zsh* rzsh fish* script helm* kubectl* kubeconform* versitygw* k6 nats-server
echo "$folder"
