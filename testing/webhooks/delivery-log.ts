/** The progress of deliveries, read from the log. */

import { streams } from "@packshot/domain/subjects.ts";
import { type Delivery, deliverySubjects } from "@packshot/domain/webhooks/delivery.ts";
import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { findDelivery } from "@packshot/log/deliveries/attempt-log.ts";
import { readInOrder } from "@packshot/log/follow/ordered-reader.ts";
import type { Log } from "@packshot/log/log.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";

/** A request of nats.js has a second where nothing else is said, which a busy nats-server may take. */
export const patientRequest = { timeout: 60_000 };

/** Resolves when no delivery is due or being sent; scheduled retries do not count. */
export async function untilNothingIsDue(log: Log): Promise<void> {
  for (;;) {
    const reply = await log.connection.request("$JS.API.CONSUMER.INFO.PS_DELIVERIES.deliveries", "", patientRequest);
    const info = reply.json<{ num_pending: number; num_ack_pending: number }>();
    if (info.num_pending + info.num_ack_pending === 0) return;
    await pause(200, new AbortController().signal);
  }
}

/** Resolves when the log has this many attempts of the delivery; it is written after the answer. */
export async function loggedDelivery(
  log: Log,
  { accountId, id: webhookId }: Webhook,
  eventId: string,
  attempts: number,
): Promise<Delivery> {
  const ending = new AbortController();
  let seen = 0;
  for await (const _ of readInOrder({
    connection: log.connection,
    stream: streams.attempts,
    filters: [deliverySubjects.attemptsOf({ accountId, webhookId, eventId })],
    fromSequence: 1,
    signal: ending.signal,
    logger: createLogger({ name: "test", level: "fatal" }),
  })) {
    seen += 1;
    if (seen === attempts) break;
  }
  ending.abort();
  return (await findDelivery(log.connection, { accountId, webhookId, eventId }))!;
}
