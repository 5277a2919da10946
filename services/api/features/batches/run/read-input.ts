/** Reads the rows of a batch's file into storage, segment by segment, and then starts the batch. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { Batch, BatchError } from "@packshot/domain/batches/batch.ts";
import { countReadFault, type EndTimes, rejectBatch, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { CheckFile } from "../read/check-file.ts";
import { type RowRulesDeps, readRowRules } from "../read/check-row.ts";
import { emptinessOf, type RowFormat, type RowsSummary } from "../read/read-rows.ts";
import type { RowSegments } from "../rows/row-segments.ts";
import { commitBatch } from "./commit-batch.ts";
import type { FeedBatch } from "./feeder.ts";

export interface ReadInputDeps extends RowRulesDeps {
  readonly segments: Pick<RowSegments, "write">;
  readonly checkFile: CheckFile;
}

/** A storage that fails is waited for, as everywhere, but not for ever: its client would wait, too. */
const readingHoursMax = 24;

/**
 * A repetition after a kill writes all segments again: the same ones, unless presets or connections that rows name have
 * changed meanwhile.
 */
export function createReadInput(deps: ReadInputDeps): FeedBatch {
  const { log, segments, checkFile, nowMs } = deps;

  async function read(batch: Batch, account: Account, signal: AbortSignal): Promise<RowsSummary> {
    const { tool, parameters, destination } = batch;
    const known = await readRowRules(deps, batch, account);
    return await checkFile({
      key: storageKeys.batchInput(batch.accountId, batch.id),
      format: formatOf(batch),
      rules: { ...known, tool, parameters, destination: destination ?? undefined },
      accountId: batch.accountId,
      signal,
      writeSegment: (segment) => segments.write(batch, segment),
    });
  }

  /** Ends the batch with a reason when its file cannot be read whatever is done. */
  async function countFault({ accountId, id, createdAt }: Batch, fault: unknown, times: EndTimes): Promise<void> {
    const isOfFile = fault instanceof PackshotError && fault.code === "internal_error";
    const hours = (nowMs() - Date.parse(createdAt)) / 3_600_000;
    if (!isOfFile && hours < readingHoursMax) return;
    const late = `The file could not be read for ${readingHoursMax} hours: make the batch again.`;
    const error: BatchError = isOfFile
      ? { code: "internal_error", message: fault.message }
      : { code: "unavailable", message: late };
    const end = isOfFile ? countReadFault : rejectBatch;
    await commitBatch({ log, nowMs }, "fail-batch", { accountId, batchId: id }, (before) => ({
      batch: end(before, error, { ...times, nowMs: nowMs() }),
    }));
  }

  return async ({ accountId, batchId }, signal) => {
    const [{ value: batch }, { value: account }] = await Promise.all([
      log.read<Batch>(subjects.batch(accountId, batchId)),
      log.read<Account>(subjects.account(accountId)),
    ]);
    if (batch === undefined || account === undefined || batch.status !== "validating") return "nothing";
    const times = { nowMs: nowMs(), lifetimeMs: account.limits.batchHours * 3_600_000 };
    const summary = await read(batch, account, signal).catch(async (error: unknown) => {
      if (error instanceof PackshotError && error.code === "not_found") return undefined;
      if (!signal.aborted) await countFault(batch, error, times);
      throw error;
    });
    failpoint("start-batch:before-record");
    const problem = problemOf(summary, formatOf(batch));
    await commitBatch({ log, nowMs }, "start-batch", { accountId, batchId }, (before) => {
      if (problem === undefined) return { batch: startBatch(before, summary!.rows, nowMs()) };
      return {
        batch: rejectBatch(before, { code: "invalid_request", message: problem }, { ...times, nowMs: nowMs() }),
      };
    });
    return "nothing";
  };
}

function formatOf({ input }: Batch): RowFormat {
  return input.kind === "file" ? input.format : "ndjson";
}

/** Why no row of the file is edited. A row with a fault is none of these: it fails alone. */
function problemOf(summary: RowsSummary | undefined, format: RowFormat): string | undefined {
  if (summary === undefined) return "The file is gone.";
  if (summary.broken !== null) return `Line ${summary.broken.line}: ${summary.broken.message}`;
  return emptinessOf(summary, format);
}
