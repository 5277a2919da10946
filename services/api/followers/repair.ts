/**
 * The repair sweep finds jobs that would never end, every minute and by leader reads. A job that is still `processing` a
 * minute after its deadline fails, and so does one that is still `queued` at its queue deadline, wherever it waits. Any
 * other unfinished job that is in no queue (it has neither a wait record nor a message in `PS_READY`) becomes `queued`
 * with a new ready message.
 *
 *   components: [createRepairSweep({ log, logger, retentionMs })]
 */
import { eventWrite, jobEndedEvent } from "@packshot/domain/event.ts";
import { uuidv7, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import { defaultQueueDeadlines, type Job, type QueueDeadlines, repairJob } from "@packshot/domain/job.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { sandboxOutcome } from "@packshot/domain/sandbox-jobs.ts";
import { type QueueEntry, readyWrite, waitSubject } from "@packshot/domain/queue-entry.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { readLastMessage } from "@packshot/platform/nats/leader-read.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { scanLastingSubjects } from "@packshot/platform/nats/scan-lasting-subjects.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { createPeriodicTask } from "./periodic-task.ts";

export interface RepairDeps {
  readonly log: Log;
  readonly logger: Logger;
  /** How long a job that is failed here is kept. */
  readonly retentionMs: number;
  readonly queueDeadlines?: QueueDeadlines;
  /** Milliseconds since the epoch. */
  readonly nowMs?: () => number;
  /** A minute when absent. */
  readonly everyMs?: number;
}

const checksMax = 16;

export function createRepairSweep(deps: RepairDeps): Component {
  const { log, logger, everyMs = 60_000 } = deps;
  const sweep = createRepair(deps);
  return createPeriodicTask({
    name: "repair",
    log,
    logger,
    everyMs,
    work: async (signal) => void (await sweep(signal)),
  });
}

/** Resolves with how many jobs were repaired. */
export function createRepair(deps: RepairDeps) {
  const { log, logger, retentionMs, queueDeadlines = defaultQueueDeadlines, nowMs = Date.now } = deps;
  const waitFilters = [subjects.wait.live("*", "*"), subjects.wait.sandbox("*", "*")];
  /** In no queue when last seen. A ready message that is just being sourced is there by the next sweep. */
  let suspects = new Set<string>();

  return async function sweep(signal: AbortSignal): Promise<number> {
    const waiting = new Set<string>();
    for await (const subject of scanLastingSubjects(log.connection, waitFilters, signal)) {
      if (!isPastQueueDeadline(subject)) waiting.add(jobKey(subject));
    }
    const nextSuspects = new Set<string>();
    let repaired = 0;
    const checks = new Set<Promise<void>>();
    for await (const subject of scanLastingSubjects(log.connection, [subjects.job("*", "*")], signal)) {
      const key = jobKey(subject);
      if (waiting.has(key)) continue;
      const check: Promise<void> = repair(key)
        .then((outcome) => {
          if (outcome === "suspect") nextSuspects.add(key);
          if (outcome === "repaired") repaired += 1;
        })
        .catch((error: unknown) => logger.warn({ err: error, job: key }, "a job was not repaired this time"))
        .finally(() => checks.delete(check));
      checks.add(check);
      if (checks.size >= checksMax) await Promise.race(checks);
    }
    await Promise.all(checks);
    suspects = nextSuspects;
    return repaired;
  };

  async function repair(key: string): Promise<"sound" | "suspect" | "repaired"> {
    const [accountId, jobId] = key.split(".") as [string, string];
    const subject = subjects.job(accountId, jobId);
    const eventId = uuidv7(nowMs());
    let mine: number | undefined;
    return await log.transact<"sound" | "suspect" | "repaired">("repair", async () => {
      const { value: job, sequence } = await log.read<Job>(subject);
      const times = { nowMs: nowMs(), retentionMs, queueDeadlines };
      if (repairJob(job, true, times).kind === "unchanged") {
        if (job === undefined || repairJob(job, false, times).kind === "unchanged") return { done: "sound" };
        if (staysQueued(job) || (await isQueued(job))) return { done: "sound" };
        if (!suspects.has(key)) return { done: "suspect" };
      }
      // The record has a newer sequence after a lost answer: the write was a success, and the job is queued or has ended.
      if (mine !== undefined && mine !== sequence) return { done: "repaired" };
      mine = sequence;
      const decision = repairJob(job, false, times);
      if (decision.kind === "unchanged") return { done: "sound" };
      logger.warn({ accountId, jobId, repair: decision.kind }, "repaired a job");
      const writes: Write[] = [{ subject, value: decision.job, expected: sequence }];
      if (decision.kind === "failed") {
        writes[0] = { ...writes[0]!, ttlSeconds: Math.ceil(retentionMs / 1000) };
        writes.push(eventWrite(jobEndedEvent(decision.job, eventId)));
      } else {
        writes.push(readyWrite({ v: 1, accountId, jobId, lane: decision.job.lane }));
      }
      return { writes, result: "repaired" };
    });
  }

  /** By the job's id, which was made when the job was: a job that waits is read only when it has waited too long. */
  function isPastQueueDeadline(subject: string): boolean {
    const [, kind, , jobId] = subject.split(".") as [string, string, string, string];
    const { liveMs, sandboxMs } = queueDeadlines;
    return nowMs() > uuidv7TimeMs(jobId) + (kind === "wait" ? liveMs : sandboxMs);
  }

  async function isQueued(job: Job): Promise<boolean> {
    const wait = await log.read<QueueEntry>(waitSubject({ ...job, jobId: job.id }));
    if (wait.value !== undefined) return true;
    const message = await readLastMessage(
      log.connection,
      streams.ready,
      subjects.ready(job.lane, job.accountId, job.id),
    );
    return message !== undefined;
  }
}

/** A sandbox job that is to stay `queued`: its message was acked on purpose. */
function staysQueued(job: Job): boolean {
  return !job.live && sandboxOutcome(job).kind === "queued";
}

/** `<acct>.<job>` of a job's subject or of its wait record's. */
function jobKey(subject: string): string {
  return subject.split(".").slice(2).join(".");
}
