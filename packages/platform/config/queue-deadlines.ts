import type { QueueDeadlines } from "@packshot/domain/jobs/job.ts";
import type { Settings } from "./settings.ts";

export function readQueueDeadlines(settings: Settings): QueueDeadlines {
  return {
    liveMs: settings.PACKSHOT_QUEUE_DEADLINE_SECONDS * 1000,
    sandboxMs: settings.PACKSHOT_SANDBOX_QUEUE_DEADLINE_SECONDS * 1000,
  };
}
