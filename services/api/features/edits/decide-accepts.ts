import { type Account, acceptJob, renewCredits } from "@packshot/domain/accounts/account.ts";
import type { QueuedJob } from "@packshot/domain/jobs/job.ts";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { readyWrite, waitWrite } from "@packshot/domain/accounts/queue-entry.ts";
import type { Versioned, Write } from "@packshot/domain/write.ts";
import { idempotencyWrites } from "../../idempotency/idempotency-key.ts";
import type { AccountBatch } from "../../records/commit-account.ts";
import type { PendingAccept } from "./accept-request.ts";

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
  { nowMs, responseBody }: { readonly nowMs: number; readonly responseBody: (job: QueuedJob) => unknown },
): AcceptDecision<P> {
  const renewal = renewCredits(before.value, nowMs);
  let account = renewal.account;
  const entries: LedgerEntry[] = [...renewal.entries];
  const writes: Write[] = [];
  const accepted: AcceptDecision<P>["accepted"][number][] = [];
  const refused: AcceptDecision<P>["refused"][number][] = [];
  for (const accept of pending) {
    const { idempotency, rowsLeft } = accept.request;
    const { credits, ...facts } = accept.request.job;
    try {
      const { id: jobId, tool, live } = facts;
      const fileBytes = storedBytes(facts);
      const acceptance = acceptJob(account, { jobId, tool, live, credits, fileBytes, rowsLeft }, nowMs);
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
      writes.push(
        ...jobWrites(job, acceptance.state),
        ...idempotencyWrites(idempotency, () => ({ status: 202, body: responseBody(job), subjectId: job.id })),
      );
    } catch (error) {
      refused.push({ accept, error });
    }
  }
  return { before, account, entries, writes, accepted, refused };
}

/** undefined: all that the job needs is fetched when it runs. */
function storedBytes({ source, background }: Pick<QueuedJob, "source" | "background">): number | undefined {
  const files = [source, background].flatMap((part) => (part?.kind === "file" ? [part.file.bytes] : []));
  return files.length === 0 ? undefined : files.reduce((sum, bytes) => sum + bytes, 0);
}

function jobWrites(job: QueuedJob, queue: "ready" | "waiting"): Write[] {
  const { traceparent } = job;
  const entry = {
    ...({ v: 1, accountId: job.accountId, jobId: job.id, lane: job.lane } as const),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
  // Bytes of a stored background picture are none that a prefetched source may have.
  const mayPrefetch = job.source.kind === "url" && job.background?.kind !== "file" && job.sourceBytes !== 0;
  return [
    { subject: subjects.job(job.accountId, job.id), value: job, expected: 0 },
    queue === "ready" ? readyWrite(entry) : waitWrite(mayPrefetch ? { ...entry, sourceIsUrl: true } : entry),
  ];
}
