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
    ? "| HTTP | code | try again | meaning |\n|---|---|---|---|"
    : "| code | try again | meaning |\n|---|---|---|";
  const lines = rows.map(({ code, httpStatus, retryable, meaning }) => {
    const cells = [`\`${code}\``, retryable ? "yes" : "no", meaning];
    return `| ${(withStatus ? [String(httpStatus), ...cells] : cells).join(" | ")} |`;
  });
  return [head, ...lines].join("\n");
}

/** docs/errors.md as the catalog says it must read. */
export function errorsDocument(): string {
  const rows: Row[] = Object.entries(errorCatalog).map(([code, kind]) => ({ code, ...kind, ofJob: "ofJob" in kind }));
  return `# Errors

Written from \`packages/domain/errors.ts\` by \`npm run docs\`; a test keeps the two equal.

An error answer is \`{code, message, requestId, details?}\`. Branch on \`code\`: it is stable, the message is for people.
"Try again" says whether the very same request may succeed later; \`Retry-After\`, where present, says when.

## Answers to a request

${table(
  rows.filter((row) => row.httpStatus !== null),
  true,
)}

## In a failed job's \`error\`

A job that could not be edited has \`status: "failed"\` and \`error: {code, message, retryable}\`. It costs no credits.

${table(
  rows.filter((row) => row.ofJob),
  false,
)}
`;
}
