/** A batch's report as text, a segment at a time: memory does not grow with the batch. */
import type { Batch } from "@packshot/domain/batch.ts";
import { formatCsv } from "./csv-text.ts";
import type { CreateReportLines, ReportLine } from "./report-line.ts";
import type { ResolveRows } from "./resolve-rows.ts";

export type ReportFormat = "csv" | "ndjson";

export const reportTypes: Readonly<Record<ReportFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson",
};

const columns = [
  ...["ref", "line", "status", "code", "message", "tool", "resultUrl", "expiresAt", "destination"],
  ...["delivery", "quality", "checks", "credits", "milliseconds", "jobId", "sameAsBatch", "sameAsRow"],
] as const;

export interface ReportDeps {
  readonly resolveRows: ResolveRows;
  readonly createLines: CreateReportLines;
}

export async function* reportText(
  { resolveRows, createLines }: ReportDeps,
  batch: Batch,
  format: ReportFormat,
): AsyncGenerator<string> {
  if (format === "csv") yield formatCsv([columns]);
  for await (const rows of resolveRows(batch)) {
    const lines = await createLines(rows);
    yield format === "csv" ? formatCsv(lines.map(cellsOf)) : lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  }
}

function cellsOf(line: ReportLine): unknown[] {
  const cells: Readonly<Record<string, unknown>> = {
    ...line,
    checks: line.checks === null ? null : JSON.stringify(line.checks),
    sameAsBatch: line.sameAs?.batchId,
    sameAsRow: line.sameAs?.row,
  };
  return columns.map((column) => cells[column]);
}
