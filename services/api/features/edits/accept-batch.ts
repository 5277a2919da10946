/**
 * Commits accepts of one account or of several as one atomic batch: a commit costs the same disk writes however much it
 * carries. After a conflict everything is read again from the leader. A batch of several accounts that fails twice is
 * halved, until the account that others write stands alone.
 */

import { type Account, acceptJob, renewCredits } from "@packshot/domain/accounts/account.ts";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { readyWrite, waitWrite } from "@packshot/domain/accounts/queue-entry.ts";
import type { BatchRef } from "@packshot/domain/batches/batch.ts";
import { type PicturePart, picturesOf } from "@packshot/domain/edits/pictures.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { endedJobWrite } from "@packshot/domain/jobs/ended-job-write.ts";
import type { IdempotencyRecord, Job, JobSource, QueuedJob } from "@packshot/domain/jobs/job.ts";
import { type ReviewRecord, reviewRecordWrite, takeFreeRepeat } from "@packshot/domain/jobs/review.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Versioned, Write } from "@packshot/domain/write.ts";
import type { Log, LogRecord } from "@packshot/log/log.ts";
import { isRetryableLogError, LogOutcomeUnknown } from "@packshot/log/nats/errors.ts";
import { jitteredBackoffMs } from "@packshot/platform/flow/pause.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import { idempotencyWrites } from "../../http/idempotency.ts";
import { type AccountBatch, type AccountsDecision, commitAccounts } from "../../records/commit-account.ts";
import { cacheAccountIn, type RecordCache } from "../../records/record-cache.ts";
import type { AcceptOutcome, AcceptRequest, AccountShare, PendingAccept } from "./accept-request.ts";

const attemptsMax = 12;
/** A batch of several accounts is halved after so many. */
const sharedAttemptsMax = 2;
/** After so many conflicts, the process that forwarded a request may have given up waiting and accepted it itself. */
const conflictsUntilUncertain = 3;

/** Resolves when every request has been accepted or refused. */
export type CommitAccepts = (shares: readonly AccountShare[]) => Promise<void>;

export interface AcceptBatchDeps {
  readonly log: Log;
  readonly records: Pick<RecordCache, "peek" | "put">;
  readonly nowMs: () => number;
  /** The body of the response, which the idempotency record keeps. */
  readonly responseBody: (job: QueuedJob) => unknown;
  readonly onDebits?: (entries: readonly LedgerEntry[]) => void;
  /** Another process wrote this account first. The other accounts of the batch are not reported. */
  readonly onConflict: (accountId: string) => void;
}

interface Batch {
  readonly shares: readonly AccountShare[];
  /** Attempts on the larger batches that held these shares before. */
  readonly earlierAttempts: number;
  /** Some request may be committed already: its job is looked for before it is decided again. */
  isUncertain: boolean;
  /** Sequence of each account's record in the last decision: a record that has changed since made it conflict. */
  readonly decidedOn: Map<string, number>;
}

export function createCommitAccepts(deps: AcceptBatchDeps): CommitAccepts {
  const { log, records, nowMs, responseBody, onConflict } = deps;
  const cacheAccount = cacheAccountIn(records);
  /** A request leaves its batch when it is answered: no later attempt may decide it again. */
  const answered = new WeakSet<PendingAccept>();

  function resolve(accept: PendingAccept, outcome: AcceptOutcome): void {
    answered.add(accept);
    accept.resolve(outcome);
  }

  function reject(accept: PendingAccept, error: unknown): void {
    answered.add(accept);
    accept.reject(error);
  }

  function unanswered(shares: readonly AccountShare[]): AccountShare[] {
    return shares
      .map(({ accountId, pending }) => ({ accountId, pending: pending.filter((accept) => !answered.has(accept)) }))
      .filter(({ pending }) => pending.length > 0);
  }

  async function commitBatch(batch: Batch): Promise<void> {
    let attempts = batch.earlierAttempts;
    const attemptsHereMax = batch.shares.length > 1 ? sharedAttemptsMax : attemptsMax;
    try {
      await commitAccounts<void>({ log, cacheAccount }, "accept", () => decideBatch(batch, ++attempts), {
        attemptsMax: Math.max(1, attemptsHereMax - batch.earlierAttempts),
        backoffMs: () => jitteredBackoffMs(attempts, { firstMs: 4, maxMs: 500 }),
        onFailure(error) {
          batch.isUncertain ||= error instanceof LogOutcomeUnknown || attempts >= conflictsUntilUncertain;
        },
      });
    } catch (error) {
      const shares = unanswered(batch.shares);
      const wereRetriesExhausted = error instanceof PackshotError && isRetryableLogError(error.cause);
      if (!wereRetriesExhausted || attempts >= attemptsMax) {
        for (const { pending } of shares) for (const accept of pending) reject(accept, error);
        return;
      }
      const half = Math.ceil(shares.length / 2);
      const halves = [shares.slice(0, half), shares.slice(half)].filter((part) => part.length > 0);
      await Promise.all(halves.map((part) => commitBatch({ ...batch, shares: part, earlierAttempts: attempts })));
    }
  }

  async function decideBatch(batch: Batch, attempt: number): Promise<AccountsDecision<void>> {
    if (attempt > 1 || batch.isUncertain) await resolveKnown(unanswered(batch.shares), batch.isUncertain);
    const found = await Promise.all(
      unanswered(batch.shares).map((share) => decideShare(share, batch.decidedOn, { mayUseCache: attempt === 1 })),
    );
    const decisions = found.filter((decision) => decision !== undefined);
    // A share of which nothing is accepted changes nothing: it is refused without waiting for the commit.
    const accounts = decisions.filter(({ accepted }) => accepted.length > 0);
    for (const decision of decisions) if (decision.accepted.length === 0) rejectRefused(decision);
    if (accounts.length === 0) return { done: undefined };
    return { accounts: accounts.map(withOutcomes), result: undefined };
  }

  function withOutcomes(decision: AcceptDecision): AcceptDecision {
    return {
      ...decision,
      onCommit(sequenceOf) {
        failpoint("accept:before-ack");
        deps.onDebits?.(decision.entries);
        for (const { accept, job, writeIndex } of decision.accepted) {
          resolve(accept, { kind: "accepted", job, sequence: sequenceOf(writeIndex) });
        }
        rejectRefused(decision);
      },
    };
  }

  function rejectRefused({ refused }: AcceptDecision): void {
    for (const { accept, error } of refused) reject(accept, error);
  }

  async function resolveKnown(shares: readonly AccountShare[], isUncertain: boolean): Promise<void> {
    await Promise.all(
      shares.map(async ({ pending }) => {
        if (isUncertain) await resolveCommitted(pending);
        await resolveReplays(pending.filter((accept) => !answered.has(accept)));
      }),
    );
  }

  /** After a lost response from the log: a job that is there under its id was accepted. */
  async function resolveCommitted(pending: readonly PendingAccept[]): Promise<void> {
    await Promise.all(
      pending.map(async (accept) => {
        const { accountId, id } = accept.request.job;
        const { value: job, sequence } = await log.read<QueuedJob>(subjects.job(accountId, id));
        if (job !== undefined) resolve(accept, { kind: "accepted", job, sequence });
        // Only a client that had its id can have deleted it, so another attempt accepted it and responded with the id.
        else if (sequence > 0) reject(accept, new PackshotError("not_found", "The job has been deleted."));
      }),
    );
  }

  /** Answers the requests whose idempotency records are there now, as the leader has them. */
  async function resolveReplays(pending: readonly PendingAccept[]): Promise<void> {
    await Promise.all(
      pending.map(async (accept) => {
        const { idempotency } = accept.request;
        if (idempotency === undefined) return;
        const { value: record } = await log.read<IdempotencyRecord>(idempotency.subject);
        if (record !== undefined) resolve(accept, { kind: "replayed", record });
      }),
    );
  }

  async function decideShare(
    { accountId, pending }: AccountShare,
    decidedOn: Map<string, number>,
    { mayUseCache }: { mayUseCache: boolean },
  ): Promise<AcceptDecision | undefined> {
    const subject = subjects.account(accountId);
    const cached = mayUseCache ? records.peek<Account>(subject) : undefined;
    const { value, sequence } = cached?.value === undefined ? await log.read<Account>(subject) : cached;
    if (value === undefined) {
      for (const accept of pending) reject(accept, new PackshotError("unauthenticated", "The account is gone."));
      return undefined;
    }
    const originals = await readOriginals(log, accountId, pending);
    const decision = decideAccepts({ value, sequence }, pending, { nowMs: nowMs(), responseBody, originals });
    // A refusal needs the leader's record: the cache may be stale.
    if (decision.refused.length > 0 && value === cached?.value) {
      return await decideShare({ accountId, pending }, decidedOn, { mayUseCache: false });
    }
    const before = decidedOn.get(accountId);
    if (before !== undefined && before !== sequence) onConflict(accountId);
    decidedOn.set(accountId, sequence);
    return decision;
  }

  async function commitAll(shares: readonly AccountShare[], earlierAttempts: number): Promise<void> {
    const { first, repeated } = splitRepeatedKeys(shares);
    const isUncertain = first.some(({ pending }) => pending.some(({ mayBeCommitted }) => mayBeCommitted));
    await commitBatch({ shares: first, earlierAttempts, isUncertain, decidedOn: new Map() });
    if (repeated.length > 0) await commitAll(repeated, 1);
  }

  return (shares) => commitAll(shares, 0);
}

/**
 * Other processes forward their requests here, so one batch may hold the same Idempotency-Key twice. Its record can be
 * written once only, and the batch would conflict with itself forever. The repeated requests follow in a batch of their
 * own and find the record.
 */
function splitRepeatedKeys(shares: readonly AccountShare[]): { first: AccountShare[]; repeated: AccountShare[] } {
  const seen = new Set<string>();
  const first: AccountShare[] = [];
  const repeated: AccountShare[] = [];
  for (const { accountId, pending } of shares) {
    const unique: PendingAccept[] = [];
    const repeats: PendingAccept[] = [];
    for (const accept of pending) {
      const subject = accept.request.idempotency?.subject;
      (subject !== undefined && seen.has(subject) ? repeats : unique).push(accept);
      if (subject !== undefined) seen.add(subject);
    }
    if (unique.length > 0) first.push({ accountId, pending: unique });
    if (repeats.length > 0) repeated.push({ accountId, pending: repeats });
  }
  return { first, repeated };
}

/** A job that is to be run again for free, and the one that has taken its free repeat before. */
export interface Original extends Versioned<Job> {
  readonly earlier: Job | undefined;
  /** Only for a row of a batch. */
  readonly record: LogRecord<ReviewRecord> | undefined;
}

export type Originals = ReadonlyMap<string, Original>;

/** From the leader, by id. */
async function readOriginals(
  log: Log,
  accountId: string,
  pending: readonly Pick<PendingAccept, "request">[],
): Promise<Originals> {
  const ids = new Set(pending.flatMap(({ request }) => request.freeRepeatOf ?? []));
  const read = (id: string) => log.read<Job>(subjects.job(accountId, id));
  const found = await Promise.all(
    [...ids].map(async (id): Promise<[string, Original][]> => {
      const { value, sequence } = await read(id);
      if (value === undefined) return [];
      const earlierId = value.status === "completed" ? value.freeRepeat : undefined;
      const earlier = earlierId === undefined ? undefined : (await read(earlierId)).value;
      const record = value.batch && (await log.read<ReviewRecord>(subjects.review(accountId, id)));
      return [[id, { value, sequence, earlier, record }]];
    }),
  );
  return new Map(found.flat());
}

/** What becomes of one account's requests: a part of the batch, and an outcome for each request. */
export interface AcceptDecision<P = PendingAccept> extends AccountBatch {
  /** `writeIndex`: position of the job's record among `writes`. */
  readonly accepted: readonly {
    readonly accept: P;
    readonly job: QueuedJob;
    readonly writeIndex: number;
  }[];
  readonly refused: readonly { readonly accept: P; readonly error: unknown }[];
}

/** Pure: accepts the requests in their order, as many as the account can take. */
export function decideAccepts<P extends Pick<PendingAccept, "request">>(
  before: Versioned<Account>,
  pending: readonly P[],
  {
    nowMs,
    responseBody,
    originals = new Map(),
  }: {
    readonly nowMs: number;
    readonly responseBody: (job: QueuedJob) => unknown;
    readonly originals?: Originals;
  },
): AcceptDecision<P> {
  const renewal = renewCredits(before.value, nowMs);
  let account = renewal.account;
  const entries: LedgerEntry[] = [...renewal.entries];
  const writes: Write[] = [];
  const accepted: AcceptDecision<P>["accepted"][number][] = [];
  const refused: AcceptDecision<P>["refused"][number][] = [];
  const repeated = new Set<string>();
  for (const accept of pending) {
    const { idempotency, rowsLeft } = accept.request;
    const free = repeated.has(accept.request.freeRepeatOf ?? "")
      ? undefined
      : freeRepeatOf(accept.request, originals, nowMs);
    const { credits, ...facts } = free === undefined ? accept.request.job : { ...accept.request.job, ...free.job };
    try {
      const { id: jobId, tool, parameters, live } = facts;
      const fileBytes = storedBytes(facts);
      const toAccept = { jobId, tool, parameters, live, credits, fileBytes, rowsLeft };
      const acceptance = acceptJob(account, toAccept, nowMs);
      account = acceptance.account;
      const job: QueuedJob = {
        v: 1,
        ...facts,
        creditsCharged: credits,
        period: account.credits.period,
        sourceBytes: acceptance.sourceBytes,
        lane: acceptance.lane,
        attempts: 0,
        startedAt: null,
        status: "queued",
      };
      accepted.push({ accept, job, writeIndex: writes.length });
      entries.push(...acceptance.entries);
      if (free !== undefined) repeated.add(free.job.repeatOf);
      writes.push(
        ...jobWrites(job, acceptance.state),
        ...(free?.writes ?? []),
        ...idempotencyWrites(idempotency, () => ({ status: 202, body: responseBody(job), subjectId: job.id })),
      );
    } catch (error) {
      refused.push({ accept, error });
    }
  }
  return { before, account, entries, writes, accepted, refused };
}

/** undefined: the job costs what it costs. */
function freeRepeatOf(
  { freeRepeatOf: originalId, job }: Pick<AcceptRequest, "freeRepeatOf" | "job">,
  originals: Originals,
  nowMs: number,
):
  | {
      readonly writes: readonly Write[];
      readonly job: { readonly credits: 0; readonly repeatOf: string; readonly mends: BatchRef | undefined };
    }
  | undefined {
  const original = originalId === undefined ? undefined : originals.get(originalId);
  const taken = takeFreeRepeat(original?.value, job.id, original?.earlier, original?.record?.value);
  if (original === undefined || taken === undefined || Date.parse(taken.expiresAt) <= nowMs) return undefined;
  const { sequence, record } = original;
  const { accountId, id: repeatOf, batch: mends } = taken;
  const writes = [endedJobWrite(taken, { expected: sequence, nowMs })];
  // The row may be rejected when its job is gone and the repeat has not ended.
  if (record !== undefined) {
    const noted: ReviewRecord = { ...record.value, v: 1, freeRepeat: job.id };
    writes.push(reviewRecordWrite({ accountId, jobId: repeatOf }, noted, record.sequence));
  }
  return { writes, job: { credits: 0, repeatOf, mends } };
}

/** undefined: all that the job needs is fetched when it runs. */
function storedBytes(job: Pick<QueuedJob, "source" | PicturePart>): number | undefined {
  const sources = [job.source, ...Object.values(picturesOf<JobSource>(job))];
  const files = sources.flatMap((part) => (part.kind === "file" ? [part.file.bytes] : []));
  return files.length === 0 ? undefined : files.reduce((sum, bytes) => sum + bytes, 0);
}

function jobWrites(job: QueuedJob, queue: "ready" | "waiting"): Write[] {
  const { traceparent } = job;
  const entry = {
    ...({ v: 1, accountId: job.accountId, jobId: job.id, lane: job.lane } as const),
    traceparent,
  };
  // Bytes of a stored picture are none that a prefetched source may have.
  const hasFiles = Object.values(picturesOf<JobSource>(job)).some(({ kind }) => kind === "file");
  const mayPrefetch = job.source.kind === "url" && !hasFiles && job.sourceBytes !== 0;
  return [
    { subject: subjects.job(job.accountId, job.id), value: job, expected: 0 },
    queue === "ready" ? readyWrite(entry) : waitWrite(mayPrefetch ? { ...entry, sourceIsUrl: true } : entry),
  ];
}
