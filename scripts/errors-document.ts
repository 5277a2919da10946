import { errorCatalog } from "../packages/domain/errors.ts";

interface Row {
  readonly code: string;
  readonly httpStatus: number | null;
  readonly retryable: boolean;
  readonly ofJob: boolean;
  readonly meaning: string;
}

function table(rows: readonly Row[], withStatus: boolean): string {
  const head = withStatus
    ? "| HTTP | code | retry | meaning |\n|---|---|---|---|"
    : "| code | retry | meaning |\n|---|---|---|";
  const lines = rows.map(({ code, httpStatus, retryable, meaning }) => {
    const cells = [`\`${code}\``, retryable ? "yes" : "no", meaning];
    return `| ${(withStatus ? [String(httpStatus), ...cells] : cells).join(" | ")} |`;
  });
  return [head, ...lines].join("\n");
}

/** The text of docs/errors.md. */
export function errorsDocument(): string {
  const rows: Row[] = Object.entries(errorCatalog).map(([code, kind]) => ({ code, ...kind, ofJob: "ofJob" in kind }));
  return `# Errors

\`npm run docs\` generates this file from \`packages/domain/errors.ts\`; a test keeps the two equal.

The body of an error response is \`{code, message, requestId, details?}\`. Branch on \`code\`, which is stable; the message
is for people. "Retry" says whether the same request may succeed later; \`Retry-After\`, where present, says when.

## Try again safely

A request whose response was lost may have arrived. Send what makes something (an edit, an upload session, a batch, a webhook) with an
\`Idempotency-Key\` of your own: sent again with the same key, the same request makes and costs nothing twice.

- **Send again** what got no response, and what got 408, 429 or 5xx (502 and 504 are a proxy's): after \`Retry-After\` seconds, or else after a
  delay that doubles, some five times in all. A \`queued\` or \`processing\` job is asked for again (\`GET /v1/jobs/{id}\`), not sent again.
- **A key has its first job for 24 hours**, also when that has failed, and when it has been removed (410 \`job_expired\`). To edit again, as after
  a failure whose \`error.retryable\` is true, take another key: \`mug-1\`, then \`mug-2\`. A refused request takes no key.
- **The key belongs to the request**: with another photo or parameter it is refused (422 \`idempotency_key_reused\`). A hash of the photo and
  the settings, or your own id of the edit, is a good one.

\`\`\`sh run
curl -sS --fail-with-body --retry 5 --retry-connrefused "$PACKSHOT_URL/v1/tools/mask/edit" -H "Authorization: Bearer $PACKSHOT_KEY" \\
  -H "Prefer: wait=60" -H "Idempotency-Key: mask-$(cksum <cli/demo/sample/mug.jpg | tr ' ' -)-1" -F "image=@cli/demo/sample/mug.jpg"
\`\`\`

The same in whole programs without any library: [Python](examples/edit_photo.py), [Go](examples/packshot.go). The
[SDK](../packages/sdk/README.md) and \`packshot edit\` do it by themselves.

## Error responses

${table(
  rows.filter((row) => row.httpStatus !== null),
  true,
)}

## Errors of a failed job

A failed job has \`status: "failed"\` and \`error: {code, message, retryable}\`. It costs no credits. Where
errors of a code differ, \`error.retryable\` counts, and the table has what most of them are.

${table(
  rows.filter((row) => row.ofJob),
  false,
)}
`;
}
