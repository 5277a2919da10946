/** Sends deliveries again, as a client asks: the same id and bytes, and the retry schedule from its beginning. */
import type { NatsConnection } from "@nats-io/transport-node";
import { type DeliveryKey, type DeliveryMessage, deliveryStatusFor } from "@packshot/domain/webhooks/delivery.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import { traceField } from "@packshot/platform/telemetry/tracing.ts";
import { attemptLogMs, readAttempts, readAttemptWindow } from "./attempt-log.ts";
import { scheduleDelivery } from "./delivery-queue.ts";

/** One call of `redeliverFailed` sends at most so many. */
const redeliveriesMax = 10_000;
const concurrencyMax = 32;

/** Due at once, in place of a scheduled retry. Throws `not_found` when the log has nothing of the delivery, or no body. */
export async function redeliver(connection: NatsConnection, key: DeliveryKey): Promise<void> {
  if (await tryRedeliver(connection, key)) return;
  throw new PackshotError("not_found", "Delivery not found in the last 72 hours.");
}

/** false: the log has nothing of the delivery, or no entry with its body. */
async function tryRedeliver(connection: NatsConnection, key: DeliveryKey): Promise<boolean> {
  const attempts = await readAttempts(connection, key);
  const body = attempts.find((attempt) => attempt.body !== undefined)?.body;
  const [first] = attempts;
  if (first === undefined || body === undefined) return false;
  const { accountId, webhookId, eventId } = key;
  const message: DeliveryMessage = {
    v: 1,
    accountId,
    webhookId,
    eventId,
    event: first.event,
    jobId: first.jobId,
    body,
    attempts: Math.max(...attempts.map(({ attempt }) => attempt)),
    failures: 0,
    ...traceField(),
  };
  await scheduleDelivery(connection, message, Date.now());
  return true;
}

export interface FailedDeliveries {
  readonly accountId: string;
  readonly webhookId: string;
  readonly sinceMs: number;
  /** Told how many deliveries would be sent again; returns how many may be. Each costs as much as any other delivery. */
  readonly admit: (deliveries: number) => Promise<number>;
}

export interface RedeliveryCounts {
  readonly redelivered: number;
  /** Failed deliveries that were not admitted, or are more than one call sends. */
  readonly left: number;
}

/** Redelivers what failed for good (exhausted or abandoned) at or after `sinceMs`, oldest first. */
export async function redeliverFailed(
  connection: NatsConnection,
  { accountId, webhookId, sinceMs, admit }: FailedDeliveries,
): Promise<RedeliveryCounts> {
  const fromMs = Math.max(sinceMs, Date.now() - attemptLogMs);
  const entries = await readAttemptWindow(connection, { accountId, webhookId }, fromMs, Number.POSITIVE_INFINITY);
  const latest = new Map(entries.map(({ attempt }) => [attempt.eventId, attempt]));
  const failed = [...latest.values()].filter(({ outcome }) => deliveryStatusFor(outcome) === "failed");
  const wanted = Math.min(failed.length, redeliveriesMax);
  const chosen = failed.slice(0, wanted === 0 ? 0 : await admit(wanted));
  const limit = createLimiter(concurrencyMax);
  const redelivered = await Promise.all(chosen.map((attempt) => limit(() => tryRedeliver(connection, attempt))));
  return { redelivered: redelivered.filter(Boolean).length, left: failed.length - chosen.length };
}
