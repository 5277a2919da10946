import type { QueueDeadlines } from "@packshot/domain/jobs/job.ts";
import type { Settings } from "./settings.ts";

export interface StopTimes {
  /** From the signal on, requests are still answered, while balancers learn that the process is not ready. */
  readonly drainMs: number;
  /** After that, what is under way may finish; then it is given back or broken off. */
  readonly finishMs: number;
  /** After the drain the process ends within this time, whatever still runs. */
  readonly stopMs: number;
}

/** The second half of the time to stop is for giving back, which may need several tries. */
export function readStopTimes(settings: Settings): StopTimes {
  const stopMs = settings.PACKSHOT_STOP_SECONDS * 1000;
  return { drainMs: settings.PACKSHOT_DRAIN_SECONDS * 1000, finishMs: stopMs / 2, stopMs };
}

export function readQueueDeadlines(settings: Settings): QueueDeadlines {
  return {
    liveMs: settings.PACKSHOT_QUEUE_DEADLINE_SECONDS * 1000,
    sandboxMs: settings.PACKSHOT_SANDBOX_QUEUE_DEADLINE_SECONDS * 1000,
  };
}
