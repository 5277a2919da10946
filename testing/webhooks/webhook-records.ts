/** Webhooks and events, written to the log as the API and the workers write them. */

import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { eventWrite, type JobEndedEvent, type WebhookTestEvent } from "@packshot/domain/webhooks/event.ts";
import { createWebhookSecret, type Webhook, webhookWrites } from "@packshot/domain/webhooks/webhook.ts";
import type { Log } from "@packshot/log/log.ts";
import { createSeal } from "@packshot/platform/crypto/seal.ts";
import { masterKey } from "./webhook-service.ts";

const seal = createSeal({ keys: [masterKey] });

export async function registerWebhook(
  log: Log,
  accountId: string,
  url: string,
  change: Partial<Webhook> = {},
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = createWebhookSecret();
  const webhook: Webhook = {
    v: 1,
    id: uuidv7(),
    accountId,
    url,
    live: true,
    events: ["job.completed", "job.failed", "job.cancelled"],
    description: "",
    metadata: {},
    status: { kind: "enabled" },
    createdAt: isoTime(Date.now()),
    secrets: [{ sealed: seal.seal(secret), validUntil: null }],
    failingSince: null,
    ...change,
  };
  await log.commit("webhook", webhookWrites(webhook, webhook));
  return { webhook, secret };
}

export function sealedSecret(secret: string, validUntil: string | null): Webhook["secrets"][number] {
  return { sealed: seal.seal(secret), validUntil };
}

export function endedEvent(accountId: string, change: Partial<JobEndedEvent> = {}): JobEndedEvent {
  const nowMs = Date.now();
  const jobId = uuidv7();
  const file = (name: string, contentType: string) => ({
    key: `api/${accountId}/${jobId}/${name}`,
    contentType,
    bytes: 1_000,
  });
  return {
    v: 1,
    kind: "completed",
    eventId: uuidv7(),
    createdAt: isoTime(nowMs),
    accountId,
    jobId,
    tool: "mask",
    live: true,
    lane: 0,
    sourceBytes: 0,
    metadata: { sku: "A-1" },
    credits: 1,
    period: 1,
    jobCreatedAt: isoTime(nowMs - 900),
    startedAt: isoTime(nowMs - 800),
    finishedAt: isoTime(nowMs),
    expiresAt: isoTime(nowMs + 3_600_000),
    result: file("result", "image/png"),
    thumbnail: file("thumbnail", "image/webp"),
    error: null,
    ...change,
  };
}

export function testEvent(webhook: Webhook): WebhookTestEvent {
  const { accountId, id } = webhook;
  return { v: 1, kind: "test", eventId: uuidv7(), createdAt: isoTime(Date.now()), accountId, webhookId: id };
}

/** Commits events in one batch, as finishing a job does. */
export async function emit(log: Log, ...events: (JobEndedEvent | WebhookTestEvent)[]): Promise<void> {
  await log.commit("event", events.map(eventWrite));
}
