/** Accounts on a log, and jobs that go through their states by the domain's own rules. */
import { type Account, acceptJob, openAccount } from "@packshot/domain/accounts/account.ts";
import { accountWrites } from "@packshot/domain/accounts/account-writes.ts";
import { type LedgerEntry, ledgerWrite } from "@packshot/domain/accounts/ledger.ts";
import { builtInPlans, type PlanLimits } from "@packshot/domain/accounts/plan.ts";
import { readyWrite, waitWrite } from "@packshot/domain/accounts/queue-entry.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import {
  cancelJob,
  completeJob,
  createJobError,
  type EndedJob,
  failJob,
  type Job,
  type QueuedJob,
} from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { eventWrite, jobEndedEvent, type PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import { queuedJob } from "./job-records.ts";

export const testRetentionMs = 60_000;

export async function openTestAccount(log: Log, limits: Partial<PlanLimits> = {}, credits = 1_000): Promise<string> {
  const plan = { ...builtInPlans[0]!, creditsPerPeriod: credits };
  const who = { accountId: uuidv7(), workspaceId: uuidv7(), name: "test" };
  const opened = openAccount({ ...plan, limits: { ...plan.limits, ...limits } }, who, Date.now());
  await log.commit("open", [
    { subject: subjects.account(who.accountId), value: opened.account, expected: 0 },
    ...opened.entries.map(ledgerWrite),
  ]);
  return who.accountId;
}

export async function readAccount(log: Log, accountId: string): Promise<Account> {
  return (await log.read<Account>(subjects.account(accountId))).value!;
}

const acceptsPerBatch = 200;

type JobChange = Partial<Pick<QueuedJob, "live" | "metadata" | "createdAt">>;

/** Jobs of one account, accepted in their order. */
export async function acceptTestJobs(
  log: Log,
  accountId: string,
  count: number,
  change: JobChange = {},
): Promise<string[]> {
  const createdMs = change.createdAt === undefined ? Date.now() : Date.parse(change.createdAt);
  const ids = Array.from({ length: count }, () => uuidv7(createdMs));
  for (let from = 0; from < count; from += acceptsPerBatch) {
    await acceptBatch(log, accountId, ids.slice(from, from + acceptsPerBatch), change);
  }
  return ids;
}

async function acceptBatch(log: Log, accountId: string, jobIds: readonly string[], change: JobChange): Promise<void> {
  const { live = true } = change;
  const credits = live ? 2 : 0;
  await log.transact("accept", async () => {
    const { value, sequence } = await log.read<Account>(subjects.account(accountId));
    const entries: LedgerEntry[] = [];
    const writes: Write[] = [];
    let account = value!;
    for (const jobId of jobIds) {
      const accepted = acceptJob(account, { jobId, tool: "mask", live, credits }, Date.now());
      account = accepted.account;
      entries.push(...accepted.entries);
      const entry = { v: 1, accountId, jobId, lane: accepted.lane } as const;
      const job = queuedJob({
        ...change,
        id: jobId,
        accountId,
        lane: accepted.lane,
        creditsCharged: credits,
        period: account.credits.period,
      });
      writes.push({ subject: subjects.job(accountId, jobId), value: job, expected: 0 });
      writes.push(accepted.state === "ready" ? readyWrite(entry) : waitWrite(entry));
    }
    const changed = accountWrites({ value: value!, sequence }, { account, entries });
    return { writes: [...changed, ...writes], result: undefined };
  });
}

/** Ends a job as a worker or a client would, with its event; returns the event's sequence. */
export async function endTestJob(
  log: Log,
  accountId: string,
  jobId: string,
  outcome: EndedJob["status"],
  retentionMs = testRetentionMs,
): Promise<void> {
  const subject = subjects.job(accountId, jobId);
  const eventId = uuidv7();
  await log.transact("finish", async () => {
    const { value: job, sequence } = await log.read<Job>(subject);
    const ended = endedJob(job!, outcome, { nowMs: Date.now(), retentionMs });
    const record = { subject, value: ended, expected: sequence, ttlSeconds: Math.ceil(retentionMs / 1000) };
    return { writes: [record, eventWrite(jobEndedEvent(ended, eventId))], result: undefined };
  });
}

function endedJob(job: Job, outcome: EndedJob["status"], times: { nowMs: number; retentionMs: number }): EndedJob {
  if (outcome === "cancelled") return cancelJob(job, times);
  if (outcome === "failed") return failJob(job, createJobError("image_unreadable", "test"), times);
  const file = { key: "none", contentType: "image/png", bytes: 1 };
  const processing = { ...job, status: "processing", startedAt: job.createdAt } as Extract<
    Job,
    { status: "processing" }
  >;
  return completeJob(
    processing,
    { result: file, thumbnail: file, model: null, report: {}, timings: {}, inferenceMs: 0 },
    null,
    times,
  );
}

export async function commitEvent(log: Log, event: PackshotEvent): Promise<void> {
  await log.commit("event", [eventWrite(event)]);
}
