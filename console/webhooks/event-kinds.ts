import type { NewWebhook } from "@packshot/sdk";

export type EventKind = NonNullable<NewWebhook["events"]>[number];

/** What a webhook may choose; webhook.test always comes. */
export const eventKinds: readonly EventKind[] = [
  "job.completed",
  "job.failed",
  "job.cancelled",
  "batch.progress",
  "batch.completed",
];
