#!/bin/sh
# Edits a folder of product photos by the rules of a marketplace, with the command line. Run it again at any time: finished
# photos are skipped free of charge, and new or changed ones are edited.
#
#     PACKSHOT_URL=https://packshot.example PACKSHOT_KEY=ps_live_… sh catalog-folder.sh photos web
#
# Prints the photos that failed and those that need review. Exits with 0 when every photo is edited, and with 3 when at
# least one failed.
set -eu
photos=$1
results=$2
events=$(mktemp)
trap 'rm -f "$events"' EXIT

status=0
packshot edit "$photos" --preset amazon-main --out "$results" --json >"$events" || status=$?

# One JSON object a line: edited, done (in an earlier run), failed, and a summary at the end.
grep '"event":"failed"' "$events" | sed 's/.*"photo":"\([^"]*\)".*"code":"\([^"]*\)".*/failed: \1 (\2)/' || true
grep '"quality":"review"' "$events" | sed 's/.*"photo":"\([^"]*\)".*/needs review: \1/' || true
sed -n '/"event":"summary"/s/.*"edited":\([0-9]*\),"skipped":\([0-9]*\),"failed":\([0-9]*\).*/\1 edited, \2 skipped, \3 failed/p' "$events"
exit "$status"
