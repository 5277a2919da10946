/**
 * The repair sweep finds jobs that would never end, every minute and by leader reads. A job that is still `processing` a
 * minute after its deadline fails, and so does one that is still `queued` at its queue deadline, wherever it waits. Any
 * other unfinished job that is in no queue (it has neither a wait record nor a message in `PS_READY`) becomes `queued`
 * with a new ready message. Each state stream is swept apart. The job view, which every API process has anyway, names the
 * unfinished jobs; they are checked in turn, a bounded number in each sweep. The log is not searched for them: to make a
 * consumer of all jobs, each minute, held up commits for 80 ms with 300,000 of them, and to list names for a second.
 *
 *   components: [createRepairSweep({ log, logger, jobs: view, retentionMs })]
 */

import { type QueueEntry, readyWrite, waitSubject } from "@packshot/domain/accounts/queue-entry.ts";
import { uuidv7, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import { defaultQueueDeadlines, type Job, type QueueDeadlines, repairJob } from "@packshot/domain/jobs/job.ts";
import { sandboxOutcome } from "@packshot/domain/jobs/sandbox-outcome.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { eventWrite, jobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import type { Write } from "@packshot/domain/write.ts";
import { createPeriodicTask } from "@packshot/log/follow/periodic-task.ts";
import type { Log } from "@packshot/log/log.ts";
import { readLastMessage } from "@packshot/log/nats/leader-read.ts";
import type { StateStream } from "@packshot/log/nats/state-streams.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { UnfinishedJob } from "./job-index.ts";
import type { JobView } from "./job-view.ts";

export interface RepairDeps {
  readonly log: Log;
  readonly logger: Logger;
  /** May lag: whether a job that it names is still unfinished is read from the leader. */
  readonly jobs: Pick<JobView, "unfinished">;
  /** How long a job that is failed here is kept. */
  readonly retentionMs: number;
  readonly queueDeadlines?: QueueDeadlines;
  /** Milliseconds since the epoch. */
  readonly nowMs?: () => number;
  /** A minute when absent. */
  readonly everyMs?: number;
  /** Unfinished jobs that one sweep looks at. */
  readonly checksPerSweepMax?: number;
}

const checksAtOnceMax = 16;
const checksPerSweepMaxDefault = 10_000;

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
  const { log, logger, jobs, retentionMs, queueDeadlines = defaultQueueDeadlines, nowMs = Date.now } = deps;
  const { checksPerSweepMax = checksPerSweepMaxDefault } = deps;
  const isOfStream = (accountId: string) => log.streamOf(subjects.account(accountId)).index === stream.index;
  /** Goes on where the sweep before ended; undefined: the next one begins with the first job. */
  let walk: Iterator<UnfinishedJob> | undefined;
  /** In no queue when last seen, by their ids. A ready message that is just being sourced is there by the next sweep. */
  let suspects = new Map<string, UnfinishedJob>();

  return async function sweep(signal: AbortSignal): Promise<number> {
    const nextSuspects = new Map<string, UnfinishedJob>();
    const limit = createLimiter(checksAtOnceMax);
    let repaired = 0;
    async function check(job: UnfinishedJob): Promise<void> {
      const { accountId, jobId } = job;
      if (signal.aborted) return;
      try {
        const outcome = await repair(accountId, jobId);
        if (outcome === "suspect") nextSuspects.set(jobId, job);
        if (outcome === "repaired") repaired += 1;
      } catch (error) {
        logger.warn({ err: error, accountId, jobId }, "a job was not repaired this time");
      }
    }
    await Promise.all(takeNext().map((job) => limit(() => check(job))));
    suspects = nextSuspects;
    return repaired;
  };

  /** The suspects, and those that follow the last one of the sweep before. */
  function takeNext(): readonly UnfinishedJob[] {
    const taken = [...suspects.values()];
    walk ??= jobs.unfinished(isOfStream);
    while (taken.length < checksPerSweepMax) {
      const next = walk.next();
      if (next.done) {
        walk = undefined;
        break;
      }
      if (!suspects.has(next.value.jobId)) taken.push(next.value);
    }
    return taken;
  }

  async function repair(accountId: string, jobId: string): Promise<"sound" | "suspect" | "repaired"> {
    const subject = subjects.job(accountId, jobId);
    const eventId = uuidv7(nowMs());
    let decidedOnSequence: number | undefined;
    return await log.transact<"sound" | "suspect" | "repaired">("repair", async () => {
      if (decidedOnSequence === undefined && (await mayWaitOn(accountId, jobId))) return { done: "sound" };
      const { value: job, sequence } = await log.read<Job>(subject);
      const times = { nowMs: nowMs(), retentionMs, queueDeadlines };
      if (repairJob(job, true, times).kind === "unchanged") {
        if (job === undefined || repairJob(job, false, times).kind === "unchanged") return { done: "sound" };
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
        writes.push(readyWrite({ v: 1, accountId, jobId, lane, traceparent }));
      }
      return { writes, result: "repaired" };
    });
  }

  /** A live job that has a wait record and was made, as its id says, within its queue deadline: one read for most jobs. */
  async function mayWaitOn(accountId: string, jobId: string): Promise<boolean> {
    if (nowMs() > uuidv7TimeMs(jobId) + queueDeadlines.liveMs) return false;
    return (await log.read<QueueEntry>(subjects.wait.live(accountId, jobId))).value !== undefined;
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
