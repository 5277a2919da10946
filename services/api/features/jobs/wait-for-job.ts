import { isEnded, type Job } from "@packshot/domain/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { JobView } from "./job-view.ts";

export interface WaitForJobDeps {
  readonly log: Log;
  readonly view: Pick<JobView, "onChange">;
}

export interface JobWait {
  readonly job: Job;
  readonly waitMs: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * The job as soon as it has ended, or as it is after `waitMs` or when the signal aborts; undefined when it was deleted
 * meanwhile. It listens before it reads, so that it misses no change.
 */
export async function waitForJob(
  { log, view }: WaitForJobDeps,
  { job, waitMs, signal }: JobWait,
): Promise<Job | undefined> {
  if (isEnded(job) || waitMs <= 0 || signal.aborted) return job;
  const over = Promise.withResolvers<Job | "unknown">();
  const giveUp = () => over.resolve("unknown");
  const timer = setTimeout(giveUp, waitMs);
  const stopListening = view.onChange(job.id, (change) => {
    // An end is final, and the view has it from the log: it is not read again.
    if (change === undefined) giveUp();
    else if (isEnded(change)) over.resolve(change);
  });
  signal.addEventListener("abort", giveUp, { once: true });
  const subject = subjects.job(job.accountId, job.id);
  try {
    const { value: current } = await log.read<Job>(subject);
    if (current === undefined || isEnded(current)) return current;
    const end = await over.promise;
    if (end !== "unknown") return end;
  } finally {
    clearTimeout(timer);
    stopListening();
  }
  return (await log.read<Job>(subject)).value;
}
