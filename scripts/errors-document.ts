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
