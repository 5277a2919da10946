/** A row of a batch's report. */

import type { Batch } from "@packshot/domain/batches/batch.ts";
import type { ErrorCode, JobError } from "@packshot/domain/errors.ts";
import type { Verdict } from "@packshot/domain/jobs/job.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { stringify } from "csv-stringify/sync";
import type { RowOutcome, RowOutput } from "../rows/row.ts";
import { entryName } from "./entry-names.ts";
import {
  bucketPlaceOf,
  deliveryOfRow,
  type KeptFile,
  type ResolvedRow,
  type ResolveRows,
  type RowStatus,
} from "./resolve-rows.ts";

export interface ReportLine {
  readonly ref: string;
  readonly line: number;
  readonly status: RowStatus;
  readonly code: ErrorCode | null;
  readonly message: string | null;
  readonly tool: string | null;
  readonly jobId: string | null;
  readonly resultUrl: string | null;
  readonly expiresAt: string | null;
  readonly destination: string | null;
  readonly delivery: "stored" | "failed" | null;
  readonly sameAs: RowOutcome["sameAs"];
  readonly quality: RowOutcome["quality"];
  readonly review: Verdict | null;
  readonly checks: unknown;
  readonly credits: number;
  readonly milliseconds: number | null;
  /** In the order of the edit's `outputs`, the one of `resultUrl` first; null where it makes one file. */
  readonly results: readonly ReportedFile[] | null;
}

/** As the job has it, and where the customer's bucket has it instead. */
interface ReportedFile {
  readonly name: string;
  /** null: the bucket has the file, it is no longer kept, or it could not be made. */
  readonly url: string | null;
  readonly contentType: string | null;
  readonly bytes: number | null;
  readonly width: number | null;
  readonly height: number | null;
  /** `s3://…` */
  readonly destination: string | null;
  readonly checks?: unknown;
  /** Why it could not be made. */
  readonly error?: JobError;
}

/** S3 signs links for seven days at most. */
const linkLifeMs = 6 * 24 * 3_600_000;
/** A link is the same within an hour, so that a second report costs no cache its files. */
const linkStepMs = 3_600_000;
const signsMax = 8;

export type CreateReportLines = (rows: readonly ResolvedRow[]) => Promise<ReportLine[]>;

export function createReportLines(storage: Pick<Storage, "signGet">, nowMs: () => number): CreateReportLines {
  const limit = createLimiter(signsMax);

  function expiryOf({ expiresAt }: KeptFile): number {
    const latestMs = Math.floor((nowMs() + linkLifeMs) / linkStepMs) * linkStepMs;
    return expiresAt === null ? latestMs : Math.min(latestMs, Date.parse(expiresAt));
  }

  async function sign(ref: string, file: KeptFile): Promise<Pick<ReportLine, "resultUrl" | "expiresAt">> {
    const expiresAtMs = expiryOf(file);
    const filename = entryName(ref, file.contentType);
    const resultUrl = await storage.signGet(file.key, { expiresAtMs, contentType: file.contentType, filename });
    return { resultUrl, expiresAt: new Date(expiresAtMs).toISOString() };
  }

  /** @param kept the row's result; undefined: no file is kept any more */
  async function linkOutput(ref: string, output: RowOutput, kept: KeptFile | undefined): Promise<ReportedFile> {
    if ("error" in output) {
      const { name, error } = output;
      const none = { url: null, contentType: null, bytes: null, width: null, height: null, destination: null };
      return { name, ...none, error };
    }
    const { key, ...file } = output;
    if (key === null || kept === undefined) return { ...file, url: null };
    const { contentType, name } = file;
    const filename = entryName(key === kept.key ? ref : `${ref}-${name}`, contentType);
    return { ...file, url: await storage.signGet(key, { expiresAtMs: expiryOf(kept), contentType, filename }) };
  }

  async function lineOf(resolved: ResolvedRow): Promise<ReportLine> {
    const { row, status, outcome, same, file } = resolved;
    const isEnded = status !== "pending" && status !== "open";
    const known = isEnded ? outcome : undefined;
    const link = file === undefined || !isEnded ? { resultUrl: null, expiresAt: null } : await sign(row.ref, file);
    // A skipped row has the measurements of the result that was kept; its own job would have cost credits and time.
    const measured = status === "skipped" ? same : known;
    const outputs = measured?.outputs;
    return {
      ref: row.ref,
      line: row.line,
      status,
      ...problemOf(resolved),
      tool: "fault" in row ? null : row.tool,
      jobId: known?.jobId ?? null,
      ...link,
      destination: bucketPlaceOf(resolved),
      delivery: deliveryOfRow(resolved),
      sameAs: known?.sameAs ?? null,
      quality: measured?.quality ?? null,
      review: measured?.review?.verdict ?? null,
      checks: measured?.checks ?? null,
      credits: (known?.credits ?? 0) - (known?.review?.creditsRefunded ?? 0),
      milliseconds: known?.milliseconds ?? null,
      results: outputs ? await Promise.all(outputs.map((output) => linkOutput(row.ref, output, file))) : null,
    };
  }

  return async (rows) => await Promise.all(rows.map((row) => limit(() => lineOf(row))));
}

function problemOf(resolved: ResolvedRow): Pick<ReportLine, "code" | "message"> {
  const { row, status, outcome, same, file } = resolved;
  if ("fault" in row) return row.fault;
  const none = { code: null, message: null };
  if (status === "failed") return { code: outcome!.code, message: outcome!.message };
  if (deliveryOfRow(resolved) === "failed") {
    const { code, message } = (status === "skipped" ? same : outcome)!;
    return { code, message };
  }
  if (status === "completed" && file === undefined && outcome!.destination === null) {
    return { ...none, message: whyGone(outcome!) };
  }
  if (status !== "skipped" || file !== undefined || same?.destination) return none;
  if (same === undefined) return { ...none, message: `${sameRow}, of which no result is kept any more.` };
  if (same.status === "completed") return { ...none, message: `${sameRow}. ${gone}` };
  return { code: same.code, message: `${sameRow}, which is ${same.status}.` };
}

function whyGone({ isDeleted, review }: RowOutcome): string {
  if (isDeleted) return deleted;
  return review?.verdict === "rejected" ? rejected : gone;
}

const deleted = "Its job was deleted, and its result with it.";
const sameRow = "The row is the same as the one that sameAs names";
const rejected = "Its result was rejected, and removed.";
const gone = "Its result is no longer kept.";

/**
 * Refs and messages come from others, and a spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula:
 * such a cell gets an apostrophe.
 */
export function formatCsv(records: readonly (readonly unknown[])[]): string {
  return stringify(records as unknown[][], { escape_formulas: true, record_delimiter: "\r\n" });
}

export type ReportFormat = "csv" | "ndjson";

export const reportTypes: Readonly<Record<ReportFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson",
};

const fixedColumns = [
  ...["ref", "line", "status", "code", "message", "tool", "resultUrl", "expiresAt", "destination"],
  ...["delivery", "quality", "review", "checks", "credits", "milliseconds", "jobId", "sameAsBatch", "sameAsRow"],
  "results",
];
const outputColumn = "results.";

/** Each file of the batch's own `outputs` has a column; `results` has those of all rows. */
function columnsOf({ parameters: { outputs = [] } }: Batch): string[] {
  return [...fixedColumns, ...outputs.map(({ name }) => `${outputColumn}${name}`)];
}

export interface ReportDeps {
  readonly resolveRows: ResolveRows;
  readonly createLines: CreateReportLines;
}

export async function* reportText(
  { resolveRows, createLines }: ReportDeps,
  batch: Batch,
  format: ReportFormat,
): AsyncGenerator<string> {
  const columns = columnsOf(batch);
  if (format === "csv") yield formatCsv([columns]);
  for await (const rows of resolveRows(batch)) {
    const lines = await createLines(rows);
    yield format === "csv"
      ? formatCsv(lines.map((line) => cellsOf(line, columns)))
      : lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  }
}

function cellsOf(line: ReportLine, columns: readonly string[]): unknown[] {
  const ofFiles = line.results?.map(({ name, url, destination }) => [`${outputColumn}${name}`, url ?? destination]);
  const cells: Readonly<Record<string, unknown>> = {
    ...line,
    checks: line.checks === null ? null : JSON.stringify(line.checks),
    sameAsBatch: line.sameAs?.batchId,
    sameAsRow: line.sameAs?.row,
    results: line.results === null ? null : JSON.stringify(line.results),
    ...Object.fromEntries(ofFiles ?? []),
  };
  return columns.map((column) => cells[column]);
}
