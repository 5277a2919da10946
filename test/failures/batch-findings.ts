/** What became of a batch, by its files, the ledger and the events: each must say the same. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { segmentRows } from "@packshot/domain/batches/batch.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { isBatchNewsEvent, isJobEndedEvent, type PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import type { Log } from "@packshot/log/log.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createOutcomeFiles } from "../../services/api/features/batches/rows/outcome-files.ts";
import { readLedger } from "./check-ledger.ts";
import { readAllOf } from "./read-streams.ts";

export interface FoundBatch {
  readonly log: Log;
  readonly storageDir: string;
  readonly accountId: string;
  readonly batchId: string;
  readonly rows: number;
}

export interface BatchFindings {
  /** Rows with an outcome in the batch's files, by its status. */
  readonly outcomes: Readonly<Record<"completed" | "failed" | "skipped" | "cancelled", number>>;
  /** Results that are there. */
  readonly results: number;
  /** Rows of which one job ended, and rows of which several did. */
  readonly rowsWithOneJob: number;
  readonly rowsWithSeveralJobs: number;
  readonly debits: number;
  readonly refunds: number;
  /** The balance in the account's record, and the sum of its ledger. */
  readonly balances: readonly [number, number];
  readonly endsTold: number;
}

export async function gatherBatchFindings(found: FoundBatch): Promise<BatchFindings> {
  const { log, accountId } = found;
  const ledger = await readLedger(log, createDiskStorage({ dir: found.storageDir }));
  const entries = ledger.entries.filter((entry) => entry.accountId === accountId);
  const { value: account } = await log.read<Account>(subjects.account(accountId));
  const count = (kind: LedgerEntry["kind"]) => entries.filter((entry) => entry.kind === kind).length;
  return {
    ...(await readOutcomes(found)),
    ...(await readEvents(found)),
    debits: count("debit"),
    refunds: count("refund"),
    balances: [account!.credits.remaining, entries.reduce((sum, { amount }) => sum + amount, 0)],
  };
}

async function readOutcomes({ storageDir, accountId, batchId, rows }: FoundBatch) {
  const storage = createDiskStorage({ dir: storageDir });
  const files = createOutcomeFiles(storage);
  const outcomes = { completed: 0, failed: 0, skipped: 0, cancelled: 0 };
  let results = 0;
  for (let segment = 0; segment * segmentRows < rows; segment++) {
    for (const { status, result } of (await files.read({ accountId, id: batchId }, segment)).values()) {
      outcomes[status] += 1;
      if (result !== null && (await storage.stat(result.key)) !== undefined) results += 1;
    }
  }
  return { outcomes, results };
}

async function readEvents({ log, batchId }: FoundBatch) {
  const events = await readAllOf<PackshotEvent>(log.connection, log.stateStreams, (stream) => stream.events);
  const jobsOfRow = new Map<number, number>();
  let endsTold = 0;
  for (const { value } of events) {
    if (value === undefined) continue;
    if (isBatchNewsEvent(value) && value.kind === "batchcompleted" && value.batch.id === batchId) endsTold += 1;
    if (!isJobEndedEvent(value) || value.batch?.id !== batchId) continue;
    jobsOfRow.set(value.batch.row, (jobsOfRow.get(value.batch.row) ?? 0) + 1);
  }
  const counts = [...jobsOfRow.values()];
  return {
    rowsWithOneJob: counts.filter((count) => count === 1).length,
    rowsWithSeveralJobs: counts.filter((count) => count > 1).length,
    endsTold,
  };
}
