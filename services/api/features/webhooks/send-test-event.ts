import { eventWrite, type WebhookTestEvent } from "@packshot/domain/event.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { traceField } from "@packshot/platform/telemetry/tracing.ts";
import { readWebhook, type WebhookRef } from "./read-webhook.ts";

export interface SendTestEventDeps {
  readonly log: Log;
  readonly nowMs: () => number;
}

/**
 * Sends a test event to this webhook only, enabled or not. Returns the event's id. Throws `not_found`.
 */
export async function sendTestEvent({ log, nowMs }: SendTestEventDeps, ref: WebhookRef): Promise<string> {
  await readWebhook({ log }, ref);
  const now = nowMs();
  const event: WebhookTestEvent = {
    v: 1,
    kind: "test",
    eventId: uuidv7(now),
    createdAt: isoTime(now),
    accountId: ref.realm.accountId,
    webhookId: ref.webhookId,
    ...traceField(),
  };
  await log.transact("test-webhook", async (attempt) => {
    const write = eventWrite(event);
    if (attempt > 1 && (await log.read(write.subject)).sequence > 0) return { done: undefined };
    return { writes: [write], result: undefined };
  });
  return event.eventId;
}
