import { isEnded, type Job } from "@packshot/domain/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { JobView } from "../../followers/job-view.ts";

/**
 * The job as soon as it has ended, or as it is when the time is over or the client gone; undefined when it was deleted
 * meanwhile. Listens before it reads, so that no change falls between.
 */
export async function waitForJob(
  { log, view }: { log: Log; view: JobView },
  job: Job,
  waitMs: number,
  signal: AbortSignal,
): Promise<Job | undefined> {
  if (isEnded(job) || waitMs <= 0 || signal.aborted) return job;
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, waitMs);
  const stopListening = view.onChange(job.id, (change) => {
    if (change === undefined || isEnded(change)) over.resolve();
  });
  signal.addEventListener("abort", () => over.resolve(), { once: true });
  const subject = subjects.job(job.accountId, job.id);
  try {
    const { value: now } = await log.read<Job>(subject);
    if (now === undefined || isEnded(now)) return now;
    await over.promise;
  } finally {
    clearTimeout(timer);
    stopListening();
  }
  return (await log.read<Job>(subject)).value;
}
