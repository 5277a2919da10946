/**
 * Hands out the next rows of a batch. The jobs, the account that pays for them and the batch's record with its cursor moved
 * are one atomic batch: a process that is killed has handed out these rows or none of them.
 */

import { type Account, renewCredits, windowCounts } from "@packshot/domain/accounts/account.ts";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { queuedJobsMax } from "@packshot/domain/accounts/window.ts";
import {
  type Batch,
  type FedOutcome,
  type PauseReason,
  segmentOf,
  segmentRows,
} from "@packshot/domain/batches/batch.ts";
import { handOutRows, pauseBatch } from "@packshot/domain/batches/batch-changes.ts";
import { type EngineRules, jobEngine } from "@packshot/domain/edits/engine.ts";
import { picturesOf } from "@packshot/domain/edits/pictures.ts";
import { type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { JobSource } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { type BatchRowsEvent, eventWrite } from "@packshot/domain/webhooks/event.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { RateLimit } from "../../../http/rate-limit.ts";
import { type AccountDeps, commitAccount } from "../../../records/commit-account.ts";
import { decideAccepts } from "../../edits/accept-batch.ts";
import { type AcceptRequest, newJob } from "../../edits/accept-request.ts";
import type { OutcomeFiles } from "../rows/outcome-files.ts";
import type { BatchRow, PreparedRow, PrepareRows, ValidRow } from "../rows/row.ts";
import type { RowSegments } from "../rows/row-segments.ts";
import type { BatchRecordRef } from "./batch-view.ts";
import { batchWrites } from "./commit-batch.ts";

/** Rows of one hand-out: each has four messages in the atomic batch, which may have 1,000. */
const rowsMax = 200;
/** The log takes messages of 1 MB. One outcome alone has at most a row's 64 KiB. */
const eventBytesMax = 512 * 1024;

export interface HandOutDeps extends AccountDeps {
  readonly storage: Pick<Storage, "deletePrefix">;
  readonly logger: Logger;
  readonly takeRows: TakeRows;
  readonly completeJobs: PrepareRows;
  /** Throws `unavailable` while the log should take no further jobs. */
  readonly assertAccepting: () => void;
  /** Counts edits with test keys, of single requests too. */
  readonly testEditRate: RateLimit;
  readonly engines: (live: boolean) => EngineRules;
  readonly onDebits?: (entries: readonly LedgerEntry[]) => void;
}

/**
 * `waits`: for something that no change of the batch's record tells of, such as room in the account's queue, or the next hour
 * of the quota of test keys.
 */
export type HandedOut = "more" | "waits" | "nothing";

/** Throws `unavailable`, and whatever storage throws: the rows are handed out later. */
export type HandOut = (ref: BatchRecordRef, signal: AbortSignal) => Promise<HandedOut>;

type PreparedJob = Extract<PreparedRow, { kind: "job" }>;

interface RowsToHandOut {
  /** In the order of the batch. */
  readonly prepared: readonly PreparedRow[];
  /** So many of them, the first ones, are within the quota of test keys. */
  readonly counted: number;
  readonly jobs: readonly JobAccept[];
}

/** What is handed out of the prepared rows. */
interface Decision {
  readonly decided: ReturnType<typeof decideAccepts<JobAccept>>;
  readonly outcomes: readonly FedOutcome[];
  readonly rows: number;
  readonly nextRow: number;
  /** Why the rows behind were left. */
  readonly stoppedBy: ErrorCode | undefined;
}

interface Committed {
  readonly handedOut: HandedOut;
  /** undefined: nothing was decided. */
  readonly decision: Decision | undefined;
}

interface JobAccept {
  readonly request: AcceptRequest;
  readonly prepared: PreparedJob;
}

export function createHandOut(deps: HandOutDeps): HandOut {
  const { log, storage, logger, nowMs, takeRows, completeJobs, assertAccepting } = deps;

  async function commit(batch: Batch, taken: TakenRows, rows: RowsToHandOut) {
    const { accountId, id: batchId } = batch;
    return await commitAccount<Committed>(deps, { transition: "hand-out", accountId }, async (account) => {
      const { value, sequence } = await log.read<Batch>(subjects.batch(accountId, batchId));
      // The cursor has moved: an earlier attempt, whose answer was lost, or another process was first.
      const hasMoved = value?.try !== batch.try || value.nextRow !== batch.nextRow;
      if (value === undefined || hasMoved) return { done: { handedOut: "more", decision: undefined } };
      if (value.status !== "running") return { done: { handedOut: "nothing", decision: undefined } };
      const decision = decide(account, taken, rows);
      const after = nextBatch(value, decision);
      if (after === value) return { done: { handedOut: "waits", decision } };
      const { account: debited, entries, writes: ofJobs } = decision.decided;
      const writes: Write[] = [
        ...ofJobs,
        ...batchWrites({ value, sequence }, after, nowMs()),
        ...outcomesEvents(after, decision.outcomes, nowMs()).map(eventWrite),
      ];
      const handedOut = decision.stoppedBy === undefined && rows.counted === rows.prepared.length ? "more" : "waits";
      return { account: debited, entries, writes, result: { handedOut, decision } };
    });
  }

  /** As many rows as the account takes, in their order. */
  function decide(account: Account, taken: TakenRows, { prepared, counted, jobs }: RowsToHandOut): Decision {
    const before = { value: account, sequence: 0 };
    const context = { nowMs: nowMs(), responseBody: () => undefined };
    const decideFirst = (rows: readonly PreparedRow[]) => {
      const ofRows = new Set(rows);
      const wanted = jobs.filter(({ prepared: row }) => ofRows.has(row));
      return decideAccepts(before, wanted, context);
    };
    const all = decideFirst(prepared.slice(0, counted));
    const stop = all.refused.find(({ error }) => !isFaultOfRow(error));
    const stopAt = stop === undefined ? counted : prepared.indexOf(stop.accept.prepared);
    const kept = prepared.slice(0, stopAt);
    const decided = stop === undefined ? all : decideFirst(kept);
    const refused = decided.refused.map(({ accept, error }) => failedOutcome(accept.prepared.row, error));
    const outcomes = kept.flatMap((row) => (row.kind === "outcome" ? [row.outcome] : []));
    return {
      decided,
      outcomes: [...outcomes, ...refused],
      rows: kept.length,
      nextRow: stopAt === prepared.length ? taken.nextRow : rowOf(prepared[stopAt]!),
      stoppedBy: stop === undefined ? undefined : (stop.error as PackshotError).code,
    };
  }

  function acceptOf(batch: Batch, { limits }: Account, prepared: PreparedJob): JobAccept {
    const { row, jobId, source, destination, fingerprint } = prepared;
    const { accountId, live } = batch;
    const of = { id: batch.id, row: row.row, try: batch.try, ref: row.ref };
    const draft = {
      id: jobId,
      accountId,
      live,
      source,
      tool: row.tool,
      ...jobEngine(row.tool, row.parameters, deps.engines(live)),
      ...(prepared.mayRender && { mayRender: true as const }),
      metadata: {},
      ...picturesOf<JobSource>(prepared),
      ...(destination && { destination }),
      maxFileSizeBytes: limits.maxFileSizeBytes,
      createdAt: isoTime(nowMs()),
      batch: fingerprint === undefined ? of : { ...of, fingerprint },
    };
    const job = newJob(draft, limits);
    const rowsLeft = batch.counts.pending + batch.counts.open - 1;
    return { request: { job, idempotency: undefined, rowsLeft }, prepared };
  }

  /**
   * Jobs of test keys cost nothing and fill the log like others, so those of batches keep to the quota of single edits: beyond
   * it they wait for the next hour. Rows that are handed out again, after a fault of the log, count again.
   */
  async function countTestRows(batch: Batch, account: Account, prepared: readonly PreparedRow[]): Promise<number> {
    const jobs = prepared.filter(({ kind }) => kind === "job");
    if (batch.live || jobs.length === 0) return prepared.length;
    const { allowed } = await deps.testEditRate({ account, live: false }, jobs.length);
    return allowed === jobs.length ? prepared.length : prepared.indexOf(jobs[allowed]!);
  }

  async function testRowsLeft(batch: Batch, account: Account): Promise<number> {
    if (batch.live) return rowsMax;
    return (await deps.testEditRate({ account, live: false }, 0)).window.remaining;
  }

  /** Files that were stored for rows that were left. */
  async function removeUnused(jobs: readonly JobAccept[], accepted: readonly { readonly accept: JobAccept }[]) {
    const handedOut = new Set(accepted.map(({ accept }) => accept));
    for (const job of jobs) {
      const { accountId, id: jobId, source } = job.request.job;
      const pictures = Object.values(picturesOf<JobSource>(job.request.job));
      const hasFiles = [source, ...pictures].some(({ kind }) => kind === "file");
      if (!hasFiles || handedOut.has(job)) continue;
      await storage
        .deletePrefix(storageKeys.job(accountId, jobId))
        .catch((error: unknown) => logger.warn({ err: error, jobId }, "a source stays until the sweep"));
    }
  }

  return async ({ accountId, batchId }, signal) => {
    assertAccepting();
    const [{ value: batch }, { value: account }] = await Promise.all([
      log.read<Batch>(subjects.batch(accountId, batchId)),
      log.read<Account>(subjects.account(accountId)),
    ]);
    if (batch === undefined || account === undefined || batch.status !== "running") return "nothing";
    const room = roomFor(batch, renewCredits(account, nowMs()).account);
    if (room.rows <= 0) return room.otherwise;
    const testRows = await testRowsLeft(batch, account);
    if (testRows === 0) return "waits";
    const taken = await takeRows(batch, Math.min(room.rows, rowsMax, testRows));
    const valid = taken.rows.flatMap((row) => ("fault" in row ? [] : [row]));
    const prepared = valid.length === 0 ? [] : await completeJobs({ batch, account }, valid, signal);
    if (signal.aborted) return "nothing";
    const ordered = inOrder(taken.rows, prepared);
    const jobs = ordered.flatMap((row) => (row.kind === "job" ? [acceptOf(batch, account, row)] : []));
    const counted = await countTestRows(batch, account, ordered);
    const { handedOut, decision } = await commit(batch, taken, { prepared: ordered, counted, jobs });
    deps.onDebits?.(decision?.decided.entries ?? []);
    // Without a decision, an earlier attempt may have handed them out.
    if (handedOut !== "more" || decision !== undefined) await removeUnused(jobs, decision?.decided.accepted ?? []);
    return handedOut;
  };
}

/** Several where the outcomes are long: a message that the log refuses would be written again and again, and the batch stay. */
export function outcomesEvents(batch: Batch, outcomes: readonly FedOutcome[], nowMs: number): BatchRowsEvent[] {
  const { accountId, id: batchId } = batch;
  const parts: FedOutcome[][] = [];
  let bytes = 0;
  for (const outcome of outcomes) {
    const outcomeBytes = Buffer.byteLength(JSON.stringify(outcome)) + 1;
    if (parts.length === 0 || bytes + outcomeBytes > eventBytesMax) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(outcome);
    bytes += outcomeBytes;
  }
  return parts.map((part) => ({
    v: 1,
    kind: "batchrows",
    eventId: uuidv7(nowMs),
    createdAt: isoTime(nowMs),
    accountId,
    batchId,
    try: batch.try,
    outcomes: part,
  }));
}

/** How many rows may be handed out now, and what comes of it if there are none. */
function roomFor(batch: Batch, account: Account): { readonly rows: number; readonly otherwise: HandedOut } {
  const { limits } = account;
  const window = batch.live ? "live" : "sandbox";
  const openMax = 2 * limits.concurrentJobs;
  const room = openMax - batch.counts.open;
  // A few at a time: a commit for each row that ends would cost many times as much.
  if (room < Math.min(batch.counts.pending, Math.ceil(openMax / 4))) return { rows: 0, otherwise: "nothing" };
  const { running, waiting } = windowCounts(account, window);
  const queueRoom = limits.concurrentJobs - running + queuedJobsMax(limits, window) - waiting;
  return { rows: Math.min(room, Math.max(0, queueRoom)), otherwise: "waits" };
}

/** With the outcomes of faulty rows in their places. */
function inOrder(rows: readonly BatchRow[], prepared: readonly PreparedRow[]): PreparedRow[] {
  const byRow = new Map(prepared.map((each) => [rowOf(each), each]));
  return rows.map((row) => {
    if (!("fault" in row)) return byRow.get(row.row)!;
    return { kind: "outcome", outcome: { row: row.row, status: "failed", ...row.fault } };
  });
}

function rowOf(prepared: PreparedRow): number {
  return prepared.kind === "job" ? prepared.row.row : prepared.outcome.row;
}

/** The account would take other rows: only this one fails. */
function isFaultOfRow(error: unknown): boolean {
  return error instanceof PackshotError && error.code === "tool_not_available";
}

function failedOutcome({ row }: ValidRow, error: unknown): FedOutcome {
  const { code, message } = error as PackshotError;
  return { row, status: "failed", code, message };
}

function nextBatch(batch: Batch, { rows, nextRow, stoppedBy }: Decision): Batch {
  const moved = rows === 0 && nextRow === batch.nextRow ? batch : handOutRows(batch, rows, nextRow);
  const reason = stoppedBy === undefined ? undefined : pauseReasons[stoppedBy];
  return reason === undefined ? moved : pauseBatch(moved, reason);
}

/** What the account's owner or operator must change before it goes on. */
const pauseReasons: Partial<Record<ErrorCode, PauseReason>> = {
  insufficient_credits: "insufficient_credits",
  api_disabled: "api_disabled",
};

/** Takes the next rows of a batch from its cursor on: all of them in the first try, and the failed ones in a retry. */
export interface TakenRows {
  readonly rows: readonly BatchRow[];
  /** Follows them. */
  readonly nextRow: number;
}

export interface TakeRowsDeps {
  readonly segments: Pick<RowSegments, "read">;
  readonly outcomes: Pick<OutcomeFiles, "read">;
}

export type TakeRows = (batch: Batch, rowsMax: number) => Promise<TakenRows>;

/** Segments in memory: rows are taken some at a time, and a segment never changes while a try lasts. */
const heldSegmentsMax = 8;

export function createTakeRows({ segments, outcomes }: TakeRowsDeps): TakeRows {
  const held = new Map<string, Promise<readonly BatchRow[]>>();

  /** The rows of the segment that the batch's try hands out. */
  async function read(batch: Batch, segment: number): Promise<readonly BatchRow[]> {
    const rows = await segments.read(batch, segment);
    if (rows === undefined) throw new Error(`segment ${segment} of batch ${batch.id} is missing in storage`);
    if (batch.try === 1) return rows;
    const ended = await outcomes.read(batch, segment);
    // A row that has an outcome of this try failed in the one before: why else would it have been taken.
    return rows.filter(({ row }) => {
      const outcome = ended.get(row);
      return outcome?.try === batch.try || (outcome?.try === batch.try - 1 && outcome.status === "failed");
    });
  }

  async function readHeld(batch: Batch, segment: number): Promise<readonly BatchRow[]> {
    const key = `${batch.id}/${batch.try}/${segment}`;
    const reading = held.get(key) ?? read(batch, segment);
    held.delete(key);
    held.set(key, reading);
    if (held.size > heldSegmentsMax) held.delete(held.keys().next().value!);
    return await reading.catch((error: unknown) => {
      held.delete(key);
      throw error;
    });
  }

  return async (batch, rowsMax) => {
    const taken: BatchRow[] = [];
    const wanted = Math.min(rowsMax, batch.counts.pending);
    for (let segment = segmentOf(batch.nextRow); segment * segmentRows < batch.rows; segment++) {
      if (taken.length === wanted) break;
      if (batch.segments !== undefined && !batch.segments.includes(segment)) continue;
      const rows = await readHeld(batch, segment);
      const from = rows.findIndex(({ row }) => row >= batch.nextRow);
      if (from >= 0) taken.push(...rows.slice(from, from + wanted - taken.length));
    }
    return { rows: taken, nextRow: taken.length === 0 ? batch.rows : taken.at(-1)!.row + 1 };
  };
}
