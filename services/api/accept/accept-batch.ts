/**
 * One atomic batch of accepts, of one account or of several: a commit costs the same disk writes however much it
 * carries. After a conflict all is read again from the leader; a batch of several accounts that fails twice is halved,
 * until the one that others write stands alone.
 */
import { type Account, acceptJob, renewCredits } from "@packshot/domain/account.ts";
import { usageWrite } from "@packshot/domain/account-writes.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { IdempotencyRecord } from "@packshot/domain/idempotency.ts";
import type { QueuedJob } from "@packshot/domain/job.ts";
import { ledgerWrite } from "@packshot/domain/ledger.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import { readyWrite, waitWrite } from "@packshot/domain/wait.ts";
import type { Write } from "@packshot/domain/write.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import { LogOutcomeUnknown, LogRefused } from "@packshot/platform/nats/batch.ts";
import { isRetryableLogError, type Log } from "@packshot/platform/nats/log.ts";
import type { RecordCache } from "../records/record-cache.ts";
import type { IdempotencyKey } from "../idempotency/idempotency-key.ts";

const attemptsMax = 12;
/** So often in conflict, one of the batch may have been accepted by the process that forwarded it and gave up waiting. */
const conflictsUntilDoubt = 3;

export interface NewJob
  extends Omit<QueuedJob, "creditsCharged" | "period" | "lane" | "status" | "attempts" | "startedAt" | "v"> {
  readonly credits: number;
}

/** Plain data: it may be forwarded to another process. */
export interface AcceptRequest {
  readonly job: NewJob;
  readonly idempotency: IdempotencyKey | undefined;
}

export type AcceptOutcome =
  | { readonly kind: "accepted"; readonly job: QueuedJob; readonly sequence: number }
  /** Another process was first with the same Idempotency-Key. */
  | { readonly kind: "replayed"; readonly record: IdempotencyRecord };

/** One request, and whom to tell. */
export interface PendingAccept {
  readonly request: AcceptRequest;
  /** Another process may have accepted it already. */
  readonly mayBeCommitted: boolean;
  resolve(outcome: AcceptOutcome): void;
  reject(error: unknown): void;
}

interface ShareDecision {
  readonly writes: readonly Write[];
  readonly accepted: readonly { readonly entry: PendingAccept; readonly job: QueuedJob; readonly at: number }[];
  readonly refused: readonly { readonly entry: PendingAccept; readonly error: unknown }[];
  readonly account: Account;
}

/** Sequence of each account's record by which the last try was decided: one that has changed since made it conflict. */
type DecidedBy = Map<string, number>;

/** What of one account goes into a batch. Its turn is held by the caller. */
export interface AccountShare {
  readonly accountId: string;
  readonly pending: readonly PendingAccept[];
}

/** Resolves when every request has been answered or refused. */
export type CommitAccepts = (shares: readonly AccountShare[]) => Promise<void>;

export interface AcceptBatchDeps {
  readonly log: Log;
  readonly records: RecordCache;
  readonly nowMs: () => number;
  /** The answer that an idempotency record keeps. */
  readonly answerBody: (job: QueuedJob) => unknown;
  /** Another process wrote this account first: of a batch of many, only those that it wrote are told. */
  readonly onConflict: (accountId: string) => void;
}

export function createCommitAccepts(parts: AcceptBatchDeps): CommitAccepts {
  const { log, records, nowMs, answerBody, onConflict } = parts;

  async function commitFrom(
    given: readonly AccountShare[],
    attemptsBefore: number,
    wasUncertain: boolean,
    decidedBy: DecidedBy,
  ) {
    let shares = given;
    let isUncertain = wasUncertain;
    for (let attempt = attemptsBefore + 1; shares.length > 0; attempt++) {
      try {
        if (attempt > 1 || isUncertain) shares = await answerKnown(shares, isUncertain);
        if (shares.length > 0) await decideAndCommit(shares, attempt === 1, decidedBy);
        return;
      } catch (error) {
        isUncertain ||= error instanceof LogOutcomeUnknown || attempt >= conflictsUntilDoubt;
        const isWorthIt = isRetryableLogError(error) || error instanceof LogRefused;
        if (!isWorthIt || attempt >= attemptsMax) return refuseAll(shares, isWorthIt, error);
        if (attempt >= 2 && shares.length > 1) {
          const half = shares.length >>> 1;
          const halves = [shares.slice(0, half), shares.slice(half)];
          await Promise.all(halves.map((part) => commitFrom(part, attempt, isUncertain, decidedBy)));
          return;
        }
        await pause(attempt);
      }
    }
  }

  async function answerKnown(shares: readonly AccountShare[], isUncertain: boolean): Promise<readonly AccountShare[]> {
    const left = await Promise.all(
      shares.map(async ({ accountId, pending }) => {
        const uncommitted = isUncertain ? await answerCommitted(pending) : pending;
        return { accountId, pending: await answerReplays(uncommitted) };
      }),
    );
    return left.filter(({ pending }) => pending.length > 0);
  }

  /** After a lost answer: what carries my job's id is my success. */
  async function answerCommitted(open: readonly PendingAccept[]): Promise<readonly PendingAccept[]> {
    const found = await Promise.all(
      open.map(({ request: { job } }) => log.read<QueuedJob>(subjects.job(job.accountId, job.id))),
    );
    for (const [index, { value, sequence }] of found.entries()) {
      if (value !== undefined) open[index]!.resolve({ kind: "accepted", job: value, sequence });
      // Deleted already: whoever deleted it had been told of it by another way.
      else if (sequence > 0) open[index]!.reject(new PackshotError("not_found", "The job has been deleted."));
    }
    return open.filter((_, index) => found[index]!.sequence === 0);
  }

  /** Idempotency records that are there now, by the leader: those requests are answered and leave the batch. */
  async function answerReplays(open: readonly PendingAccept[]): Promise<readonly PendingAccept[]> {
    const found = await Promise.all(
      open.map(async ({ request }) =>
        request.idempotency === undefined
          ? undefined
          : (await log.read<IdempotencyRecord>(request.idempotency.subject)).value,
      ),
    );
    for (const [index, record] of found.entries()) {
      if (record !== undefined) open[index]!.resolve({ kind: "replayed", record });
    }
    return open.filter((_, index) => found[index] === undefined);
  }

  async function decideAndCommit(
    shares: readonly AccountShare[],
    mayUseCache: boolean,
    decidedBy: DecidedBy,
  ): Promise<void> {
    const decided = await Promise.all(shares.map((share) => decideShare(share, mayUseCache, decidedBy)));
    const tried = decided.filter((one) => one !== undefined);
    const changing = tried.filter((one) => one.accepted.length > 0);
    for (const one of tried) if (one.accepted.length === 0) settle(one, 0);
    if (changing.length === 0) return;
    const { firstSequence } = await log.commit(
      "accept",
      changing.flatMap((one) => one.writes),
    );
    failpoint("accept:before-ack");
    let sequence = firstSequence;
    for (const one of changing) {
      records.put(subjects.account(one.account.accountId), one.account, sequence);
      settle(one, sequence);
      sequence += one.writes.length;
    }
  }

  async function decideShare(
    { accountId, pending }: AccountShare,
    mayUseCache: boolean,
    decidedBy: DecidedBy,
  ): Promise<ShareDecision | undefined> {
    const subject = subjects.account(accountId);
    const cached = mayUseCache ? records.peek<Account>(subject) : undefined;
    const read = cached?.value === undefined ? await log.read<Account>(subject) : cached;
    if (read.value === undefined) {
      for (const entry of pending) entry.reject(new PackshotError("unauthenticated", "The account is gone."));
      return undefined;
    }
    const tried = decide(read.value, read.sequence, pending, nowMs(), answerBody);
    // Refusals are judged by what the leader has, never by a cache.
    if (tried.refused.length > 0 && read === cached) return await decideShare({ accountId, pending }, false, decidedBy);
    const before = decidedBy.get(accountId);
    if (before !== undefined && before !== read.sequence) onConflict(accountId);
    decidedBy.set(accountId, read.sequence);
    return tried;
  }

  /**
   * Other processes hand over their requests here, so one batch may hold the same Idempotency-Key twice: its record can
   * be written once only, and the batch would conflict with itself for ever. The repeats follow, and find the record.
   */
  async function commitAll(shares: readonly AccountShare[], attemptsBefore: number): Promise<void> {
    const { firsts, repeats } = byFirstUse(shares);
    const mayBeCommitted = firsts.some(({ pending }) => pending.some((entry) => entry.mayBeCommitted));
    await commitFrom(firsts, attemptsBefore, mayBeCommitted, new Map());
    if (repeats.length > 0) await commitAll(repeats, 1);
  }

  return (shares) => commitAll(shares, 0);
}

function byFirstUse(shares: readonly AccountShare[]): { firsts: AccountShare[]; repeats: AccountShare[] } {
  const used = new Set<string>();
  const isRepeat = ({ request }: PendingAccept): boolean => {
    const subject = request.idempotency?.subject;
    if (subject === undefined) return false;
    const seen = used.has(subject);
    used.add(subject);
    return seen;
  };
  const split = shares.map(({ accountId, pending }) => {
    const marked = pending.map((entry) => ({ entry, repeat: isRepeat(entry) }));
    const of = (repeat: boolean) => marked.filter((one) => one.repeat === repeat).map(({ entry }) => entry);
    return { first: { accountId, pending: of(false) }, again: { accountId, pending: of(true) } };
  });
  const nonEmpty = (some: AccountShare[]) => some.filter(({ pending }) => pending.length > 0);
  return { firsts: nonEmpty(split.map(({ first }) => first)), repeats: nonEmpty(split.map(({ again }) => again)) };
}

function refuseAll(shares: readonly AccountShare[], wasTried: boolean, cause: unknown): void {
  const error = wasTried
    ? new PackshotError("unavailable", "The log is too busy or out of reach; try again.", { cause })
    : cause;
  for (const { pending } of shares) for (const entry of pending) entry.reject(error);
}

function settle(tried: ShareDecision, firstSequence: number): void {
  for (const { entry, job, at } of tried.accepted) {
    entry.resolve({ kind: "accepted", job, sequence: firstSequence + at });
  }
  for (const { entry, error } of tried.refused) entry.reject(error);
}

/** Pure: the account after as many of the requests as it can take, and the batch that says so. */
function decide(
  before: Account,
  sequence: number,
  open: readonly PendingAccept[],
  nowMs: number,
  answerBody: (job: QueuedJob) => unknown,
): ShareDecision {
  const renewal = renewCredits(before, nowMs);
  let account = renewal.account;
  const rest: Write[] = renewal.entries.map(ledgerWrite);
  const accepted: { entry: PendingAccept; job: QueuedJob; at: number }[] = [];
  const refused: { entry: PendingAccept; error: unknown }[] = [];
  for (const entry of open) {
    const { job: toBe, idempotency } = entry.request;
    const { credits, ...facts } = toBe;
    try {
      const taken = acceptJob(account, { jobId: toBe.id, tool: toBe.tool, live: toBe.live, credits }, nowMs);
      account = taken.account;
      const job: QueuedJob = {
        v: 1,
        ...facts,
        creditsCharged: credits,
        period: account.credits.period,
        lane: taken.lane,
        attempts: 0,
        startedAt: null,
        status: "queued",
      };
      // Position 0 is the account's record.
      accepted.push({ entry, job, at: rest.length + 1 });
      rest.push(...writesOf(job, taken.place), ...taken.entries.map(ledgerWrite));
      if (idempotency !== undefined) {
        const { subject, fingerprint } = idempotency;
        const value: IdempotencyRecord = { v: 1, fingerprint, status: 202, body: answerBody(job), subjectId: job.id };
        rest.push({ subject, value, expected: 0, ttlSeconds: ttlSeconds.idempotency });
      }
    } catch (error) {
      refused.push({ entry, error });
    }
  }
  const writes: Write[] = [
    { subject: subjects.account(account.accountId), value: account, expected: sequence },
    ...rest,
    ...(account.usage === before.usage ? [] : [usageWrite(account)]),
  ];
  return { writes, accepted, refused, account };
}

function writesOf(job: QueuedJob, placed: "ready" | "waiting"): Write[] {
  const place = { v: 1, accountId: job.accountId, jobId: job.id, lane: job.lane } as const;
  return [
    { subject: subjects.job(job.accountId, job.id), value: job, expected: 0 },
    placed === "ready"
      ? readyWrite(place)
      : waitWrite(job.source.kind === "url" ? { ...place, sourceIsUrl: true } : place),
  ];
}

async function pause(attempt: number): Promise<void> {
  const pauseMs = Math.min(500, 2 * 2 ** attempt) * (0.5 + Math.random());
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
