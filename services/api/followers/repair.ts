/**
 * The repair sweep finds jobs that would never end, every minute and by leader reads. A job that is still `processing` a
 * minute after its deadline fails, and so does one that is still `queued` at its queue deadline, wherever it waits. Any
 * other unfinished job that is in no queue (it has neither a wait record nor a message in `PS_READY`) becomes `queued`
 * with a new ready message. Each state stream is swept apart. The first sweep of a process passes over all its jobs, each later one over those that
 * were written since: what is unfinished is kept in memory.
 *
 *   components: [createRepairSweep({ log, logger, retentionMs })]
 */
import { eventWrite, jobEndedEvent } from "@packshot/domain/event.ts";
import { uuidv7, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import { defaultQueueDeadlines, type Job, type QueueDeadlines, repairJob } from "@packshot/domain/job.ts";
import { streams, subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import { windowKinds } from "@packshot/domain/window.ts";
import { sandboxOutcome } from "@packshot/domain/sandbox-jobs.ts";
import { type QueueEntry, readyWrite, waitSubject } from "@packshot/domain/queue-entry.ts";
import type { Write } from "@packshot/domain/write.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { readLastMessage } from "@packshot/platform/nats/leader-read.ts";
import { listRecordSubjects } from "@packshot/platform/nats/list-subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { StateStream } from "@packshot/platform/nats/state-streams.ts";
import { type RecordChange, scanChanges } from "@packshot/platform/nats/scan-changes.ts";
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
  const tasks = log.stateStreams.map((stream) => {
    const sweep = createRepair(deps, stream);
    const work = async (signal: AbortSignal) => void (await sweep(signal));
    return createPeriodicTask({ name: "repair", log, logger, everyMs, streamIndex: stream.index, work });
  });
  return {
    name: "repair",
    async start() {
      for (const task of tasks) await task.start();
    },
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

/** Resolves with how many jobs were repaired. */
export function createRepair(deps: RepairDeps, stream: StateStream) {
  const { log, logger, retentionMs, queueDeadlines = defaultQueueDeadlines, nowMs = Date.now } = deps;
  /** Jobs by account that had not ended when their records were last seen. */
  const unfinished = new Map<string, Set<string>>();
  let seenSequence = 0;
  /** In no queue when last seen. A ready message that is just being sourced is there by the next sweep. */
  let suspects = new Set<string>();

  return async function sweep(signal: AbortSignal): Promise<number> {
    for await (const change of scanChanges(log.connection, stream, subjects.job("*", "*"), seenSequence + 1, signal)) {
      note(change);
    }
    const nextSuspects = new Set<string>();
    const limit = createLimiter(checksMax);
    let repaired = 0;
    for (const [accountId, jobs] of unfinished) {
      if (signal.aborted) break;
      const waiting = await listWaiting(accountId);
      const check = async (jobId: string) => {
        const outcome = await repair(accountId, jobId);
        if (outcome === "ended") jobs.delete(jobId);
        if (outcome === "suspect") nextSuspects.add(jobId);
        if (outcome === "repaired") repaired += 1;
      };
      const toCheck = [...jobs].filter((jobId) => !waiting.has(jobId));
      const onError = (jobId: string) => (error: unknown) =>
        logger.warn({ err: error, accountId, jobId }, "a job was not repaired this time");
      await Promise.all(toCheck.map((jobId) => limit(() => check(jobId)).catch(onError(jobId))));
      if (jobs.size === 0) unfinished.delete(accountId);
    }
    suspects = nextSuspects;
    return repaired;
  };

  function note({ subject, sequence, isLasting }: RecordChange): void {
    const { accountId, ids } = subjectTokens(subject);
    const jobId = ids[0]!;
    seenSequence = sequence;
    const jobs = unfinished.get(accountId) ?? new Set();
    if (isLasting) unfinished.set(accountId, jobs.add(jobId));
    else jobs.delete(jobId);
  }

  /** The account's jobs that have a wait record and may wait on. */
  async function listWaiting(accountId: string): Promise<Set<string>> {
    const waiting = new Set<string>();
    for (const window of windowKinds) {
      for await (const subject of listRecordSubjects(log, subjects.wait[window](accountId, "*"))) {
        if (!isPastQueueDeadline(subject)) waiting.add(subjectTokens(subject).ids[0]!);
      }
    }
    return waiting;
  }

  async function repair(accountId: string, jobId: string): Promise<"sound" | "ended" | "suspect" | "repaired"> {
    const subject = subjects.job(accountId, jobId);
    const eventId = uuidv7(nowMs());
    let decidedOnSequence: number | undefined;
    return await log.transact<"sound" | "ended" | "suspect" | "repaired">("repair", async () => {
      const { value: job, sequence } = await log.read<Job>(subject);
      const times = { nowMs: nowMs(), retentionMs, queueDeadlines };
      if (repairJob(job, true, times).kind === "unchanged") {
        if (job === undefined || repairJob(job, false, times).kind === "unchanged") return { done: "ended" };
        if (staysQueued(job) || (await isQueued(job))) return { done: "sound" };
        if (!suspects.has(jobId)) return { done: "suspect" };
      }
      // The record has a newer sequence after a lost answer: the write was a success, and the job is queued or has ended.
      if (decidedOnSequence !== undefined && decidedOnSequence !== sequence) return { done: "repaired" };
      decidedOnSequence = sequence;
      const decision = repairJob(job, false, times);
      if (decision.kind === "unchanged") return { done: "sound" };
      logger.warn({ accountId, jobId, repair: decision.kind }, "repaired a job");
      const writes: Write[] = [{ subject, value: decision.job, expected: sequence }];
      if (decision.kind === "failed") {
        writes[0] = { ...writes[0]!, ttlSeconds: Math.ceil(retentionMs / 1000) };
        writes.push(eventWrite(jobEndedEvent(decision.job, eventId)));
      } else {
        const { lane, traceparent } = decision.job;
        writes.push(
          readyWrite({ v: 1, accountId, jobId, lane, ...(traceparent === undefined ? {} : { traceparent }) }),
        );
      }
      return { writes, result: "repaired" };
    });
  }

  /** By the job's id, which was made when the job was: a job that waits is read only when it has waited too long. */
  function isPastQueueDeadline(subject: string): boolean {
    const { kind, ids } = subjectTokens(subject);
    const { liveMs, sandboxMs } = queueDeadlines;
    return nowMs() > uuidv7TimeMs(ids[0]!) + (kind === "wait" ? liveMs : sandboxMs);
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
