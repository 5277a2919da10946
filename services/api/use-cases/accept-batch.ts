/**
 * Group commit: what waits to be accepted for one account goes into one atomic batch, one batch in flight per account.
 * A commit costs one disk write however much it carries; that is what makes a hot account fast.
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
import { LogConflict, LogOutcomeUnknown, LogRefused } from "@packshot/platform/nats/batch.ts";
import { isWorthAnotherTry, type Log } from "@packshot/platform/nats/log.ts";
import type { CachedRecords } from "../http/authenticate.ts";
import type { TakeTurn } from "./account-turn.ts";
import type { IdempotencyClaim } from "./idempotency.ts";

/** 200 × (job, idempotency, debit, ready) + account, usage and a renewal's two entries stay below 1,000 messages. */
export const batchAcceptsMax = 200;
const attemptsMax = 12;
const waitingMax = 20_000;

export interface JobToBe
  extends Omit<QueuedJob, "creditsCharged" | "period" | "lane" | "status" | "attempts" | "startedAt" | "v"> {
  readonly credits: number;
}

/** Plain data: it may be forwarded to another process. */
export interface AcceptRequest {
  readonly job: JobToBe;
  readonly idempotency: IdempotencyClaim | undefined;
}

export type AcceptOutcome =
  | { readonly kind: "accepted"; readonly job: QueuedJob; readonly sequence: number }
  /** Another process was first with the same Idempotency-Key. */
  | { readonly kind: "replayed"; readonly record: IdempotencyRecord };

interface Waiting {
  readonly request: AcceptRequest;
  /** Another process may have accepted it already. */
  readonly mayBeCommitted: boolean;
  resolve(outcome: AcceptOutcome): void;
  reject(error: unknown): void;
}

interface Tried {
  readonly writes: readonly Write[];
  readonly accepted: readonly { readonly entry: Waiting; readonly job: QueuedJob; readonly at: number }[];
  readonly refused: readonly { readonly entry: Waiting; readonly error: unknown }[];
  readonly account: Account;
}

export type AcceptOne = (
  accountId: string,
  request: AcceptRequest,
  options?: { readonly mayBeCommitted: boolean },
) => Promise<AcceptOutcome>;

export interface AcceptBatchParts {
  readonly log: Log;
  readonly records: CachedRecords;
  readonly takeTurn: TakeTurn;
  readonly nowMs: () => number;
  /** The answer that an idempotency record keeps. */
  readonly answerBody: (job: QueuedJob) => unknown;
  readonly onBatch?: (accepts: number) => void;
  readonly onConflict?: (accountId: string) => void;
}

export function createAcceptBatch(parts: AcceptBatchParts): AcceptOne {
  const { log, records, takeTurn, nowMs, answerBody, onBatch, onConflict } = parts;
  const queues = new Map<string, Waiting[]>();

  async function drain(accountId: string, queue: Waiting[]) {
    while (queue.length > 0) {
      await takeTurn(accountId, async () => {
        const batch = queue.splice(0, batchAcceptsMax);
        onBatch?.(batch.length);
        await commitAll(accountId, batch).catch((error: unknown) => {
          for (const entry of batch) entry.reject(error);
        });
      });
    }
    queues.delete(accountId);
  }

  async function commitAll(accountId: string, batch: readonly Waiting[]) {
    let open = batch;
    let isUncertain = batch.some((entry) => entry.mayBeCommitted);
    for (let attempt = 1; ; attempt++) {
      try {
        if (attempt > 1 || isUncertain) {
          if (isUncertain) open = await answerCommitted(open);
          open = await answerReplays(open);
        }
        if (open.length > 0) await decideAndCommit(accountId, open, attempt === 1);
        return;
      } catch (error) {
        isUncertain ||= error instanceof LogOutcomeUnknown;
        if (error instanceof LogConflict) onConflict?.(accountId);
        if (!isWorthAnotherTry(error) && !(error instanceof LogRefused)) throw error;
        if (attempt >= attemptsMax) {
          throw new PackshotError("unavailable", "The log is too busy or out of reach; try again.", { cause: error });
        }
        await pause(attempt);
      }
    }
  }

  /** After a lost answer: what carries my job's id is my success. */
  async function answerCommitted(open: readonly Waiting[]): Promise<readonly Waiting[]> {
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
  async function answerReplays(open: readonly Waiting[]): Promise<readonly Waiting[]> {
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

  async function decideAndCommit(accountId: string, open: readonly Waiting[], mayUseCache: boolean): Promise<void> {
    const subject = subjects.account(accountId);
    const cached = mayUseCache ? records.peek<Account>(subject) : undefined;
    let read = cached ?? (await log.read<Account>(subject));
    if (read.value === undefined) throw new PackshotError("unauthenticated", "The account is gone.");
    let tried = decide(read.value, read.sequence, open, nowMs(), answerBody);
    if (tried.refused.length > 0 && cached !== undefined) {
      // Refusals are judged by what the leader has, never by a cache.
      read = await log.read<Account>(subject);
      tried = decide(read.value!, read.sequence, open, nowMs(), answerBody);
    }
    if (tried.accepted.length === 0) {
      settle(tried, 0);
      return;
    }
    const { firstSequence } = await log.commit("accept", tried.writes);
    failpoint("accept:before-ack");
    records.put(subject, tried.account, firstSequence);
    settle(tried, firstSequence);
  }

  return (accountId, request, { mayBeCommitted } = { mayBeCommitted: false }) =>
    new Promise((resolve, reject) => {
      const entry: Waiting = { request, mayBeCommitted, resolve, reject };
      const queue = queues.get(accountId);
      if (queue === undefined) {
        const fresh = [entry];
        queues.set(accountId, fresh);
        // A tick later, so that requests that arrived together go together.
        setImmediate(() => void drain(accountId, fresh));
      } else if (queue.length >= waitingMax) {
        reject(new PackshotError("unavailable", "Too many edits of this account wait to be accepted; try again."));
      } else queue.push(entry);
    });
}

function settle(tried: Tried, firstSequence: number): void {
  for (const { entry, job, at } of tried.accepted) {
    entry.resolve({ kind: "accepted", job, sequence: firstSequence + at });
  }
  for (const { entry, error } of tried.refused) entry.reject(error);
}

/** Pure: the account after as many of the requests as it can take, and the batch that says so. */
function decide(
  before: Account,
  sequence: number,
  open: readonly Waiting[],
  nowMs: number,
  answerBody: (job: QueuedJob) => unknown,
): Tried {
  const renewal = renewCredits(before, nowMs);
  let account = renewal.account;
  const rest: Write[] = renewal.entries.map(ledgerWrite);
  const accepted: { entry: Waiting; job: QueuedJob; at: number }[] = [];
  const refused: { entry: Waiting; error: unknown }[] = [];
  for (const entry of open) {
    const { job: toBe, idempotency } = entry.request;
    const { credits, ...facts } = toBe;
    try {
      const taken = acceptJob(account, { jobId: toBe.id, tool: toBe.tool, credits }, nowMs);
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
      // Position 0 is the account's record, 1 the usage.
      accepted.push({ entry, job, at: rest.length + 2 });
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
    usageWrite(account),
    ...rest,
  ];
  return { writes, accepted, refused, account };
}

function writesOf(job: QueuedJob, placed: "ready" | "waiting"): Write[] {
  const place = { v: 1, accountId: job.accountId, jobId: job.id, lane: job.lane } as const;
  return [
    { subject: subjects.job(job.accountId, job.id), value: job, expected: 0 },
    placed === "ready" ? readyWrite(place) : waitWrite(place),
  ];
}

async function pause(attempt: number): Promise<void> {
  const pauseMs = Math.min(500, 2 * 2 ** attempt) * (0.5 + Math.random());
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
