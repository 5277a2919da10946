import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { QueuedJob } from "@packshot/domain/job.ts";

/** A job as its accept writes it, of an account of its own. */
export function queuedJob(change: Partial<QueuedJob> = {}): QueuedJob {
  return {
    v: 1,
    id: uuidv7(),
    accountId: uuidv7(),
    tool: "mask",
    live: true,
    parameters: { seed: 1 },
    metadata: {},
    source: { kind: "url", imageUrl: "https://shop.example/mug.jpg" },
    creditsCharged: 1,
    period: 1,
    maxFileSizeBytes: 1_000_000,
    lane: 0,
    createdAt: isoTime(Date.now()),
    attempts: 0,
    startedAt: null,
    status: "queued",
    ...change,
  };
}
