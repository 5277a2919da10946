#!/bin/sh
# Runs a command with mounts, processes and temporary files of its own: when it ends, however it is ended, its machines and disks are gone.
set -eu
folder=$(mktemp -d)
# The innermost shell collects processes whose parents were killed; a process that looks for one by its number must not find those.
TMPDIR=$folder setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc -- sh -c '"$@" & wait $!' sh "$@" &
machines=$!
end() {
  kill -KILL "$machines" 2>/dev/null || true
  wait "$machines" 2>/dev/null || true
  rm -rf "$folder"
}
trap 'end; exit 143' TERM INT HUP
status=0
wait "$machines" || status=$?
end
exit "$status"
