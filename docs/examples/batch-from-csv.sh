#!/bin/sh
# Edits a catalog from a CSV file as one batch, with curl (and Node, which reads the JSON). The file has a column `ref` and a
# column `imageUrl`:
#
#     ref,imageUrl
#     MUG-1,https://shop.example/mug.jpg
#
#     PACKSHOT_URL=https://packshot.example PACKSHOT_KEY=ps_live_… sh batch-from-csv.sh rows.csv results
#
# Writes report.csv, with a line for each row, and results.zip to the folder. When it runs again, rows that were edited before
# are skipped free of charge.
set -eu
rows=$1
results=$2
attempts_max=600
mkdir -p "$results"

# api METHOD PATH [curl options]: calls the API and prints the response. --fail-with-body prints errors, too.
api() {
  method=$1
  path=$2
  shift 2
  curl -sS --fail-with-body --retry 3 -X "$method" "$PACKSHOT_URL$path" -H "Authorization: Bearer $PACKSHOT_KEY" \
    -H "Content-Type: application/json" "$@"
}
# field EXPRESSION: prints a field of the JSON on stdin, such as `counts.failed`.
field() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }

# 1. Upload the file.
session=$(api POST /v1/uploads \
  -d "{\"contentType\": \"text/csv\", \"filename\": \"rows.csv\", \"sizeBytes\": $(wc -c <"$rows" | tr -d ' ')}")
curl -sS --fail-with-body -X PUT "$(echo "$session" | field uploadUrl)" -H "Content-Type: text/csv" --data-binary "@$rows"
id=$(echo "$session" | field uploadSessionId)

# 2. Create the batch. The Idempotency-Key lets curl repeat the request without a second batch. With "dryRun": true it would only be checked and priced.
batch=$(api POST /v1/batches -H "Idempotency-Key: rows-$id" \
  -d "{\"tool\": \"mask\", \"uploadSessionId\": \"$id\"}" | field id)
echo "batch $batch"

# 3. Wait for its end. A service that runs all the time would take the webhook event `batch.completed` instead.
attempt=0
while status=$(api GET "/v1/batches/$batch" | field status); [ "$status" = validating ] || [ "$status" = running ]; do
  attempt=$((attempt + 1))
  [ "$attempt" -lt "$attempts_max" ] || { echo "the batch is still $status" >&2; exit 1; }
  sleep 1
done
echo "$status"

# 4. Fetch the report and the results.
api GET "/v1/batches/$batch/report" -H "Accept: text/csv" -o "$results/report.csv"
api GET "/v1/batches/$batch/archive" -o "$results/results.zip"
