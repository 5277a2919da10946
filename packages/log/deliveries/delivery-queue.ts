/** Writes to `PS_DELIVERIES`: due deliveries, schedules of retries, postponed deliveries. */
import { headers, type NatsConnection } from "@nats-io/transport-node";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";
import {
  type DeliveryKey,
  type DeliveryMessage,
  deliveryStatusFor,
  deliverySubjects,
  fanOutMessageId,
} from "@packshot/domain/webhooks/delivery.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import { traced, traceField } from "@packshot/platform/telemetry/tracing.ts";
import { setTraceHeader } from "../commit/atomic-batch.ts";
import { assertStored, type Publish } from "../commit/batch-publisher.ts";
import { isWrongLastSequence, LogRefused } from "../nats/errors.ts";
import { requestJetStream } from "../nats/jetstream-request.ts";
import { readLastMessage } from "../nats/leader-read.ts";
import { attemptLogMs, readAttempts, readAttemptWindow } from "./attempt-log.ts";

const publishTimeoutMs = 5_000;

/** Due at once. Enqueued again for the same event and endpoint within an hour, it is stored once. */
export async function enqueueDelivery(publish: Publish, message: DeliveryMessage): Promise<void> {
  await traced(`send ${streams.deliveries}`, { kind: "producer" }, async (span) => {
    span?.setAttributes({
      "messaging.system.name": "nats",
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      "messaging.destination.name": streams.deliveries,
    });
    await publish(deliverySubjects.due(message), { ...message, ...traceField() }, fanOutMessageId(message));
  });
}

/**
 * Due at `atMs`, or at once when that has passed; until then it is a stored message that no process holds. A delivery
 * has one schedule at most, so this replaces an older one. It is published alone: a batch may not contain schedules.
 */
export async function scheduleDelivery(
  connection: NatsConnection,
  message: DeliveryMessage,
  atMs: number,
  /** Sequence of the schedule that is replaced; the write is refused when that schedule is gone. */
  expected?: number,
): Promise<void> {
  const options = headers();
  if (expected !== undefined) options.set("Nats-Expected-Last-Subject-Sequence", String(expected));
  options.set("Nats-Schedule", `@at ${isoTime(atMs)}`);
  options.set("Nats-Schedule-Target", deliverySubjects.due(message));
  setTraceHeader(options, message);
  const subject = deliverySubjects.retry(message);
  const answer = await connection.request(subject, JSON.stringify(message), {
    headers: options,
    timeout: publishTimeoutMs,
  });
  assertStored(subject, answer);
}

/** Brings a postponed delivery forward to `atMs`; false when it is not postponed any more. */
export async function promotePostponed(
  connection: NatsConnection,
  delivery: DeliveryKey,
  atMs: number,
): Promise<boolean> {
  const found = await readLastMessage(connection, streams.deliveries, deliverySubjects.retry(delivery));
  if (found === undefined) return false;
  const message = JSON.parse(found.text) as DeliveryMessage;
  if (message.postponed !== true) return false;
  try {
    await scheduleDelivery(connection, message, atMs, found.sequence);
    return true;
  } catch (error) {
    if (error instanceof LogRefused && isWrongLastSequence(error.errCode)) return false;
    throw error;
  }
}

/** Removes a delivery's schedule, because the delivery is finished. */
export async function unscheduleDelivery(connection: NatsConnection, delivery: DeliveryKey): Promise<void> {
  const body = { filter: deliverySubjects.retry(delivery) };
  await requestJetStream(connection, { endpoint: `STREAM.PURGE.${streams.deliveries}`, body });
}

/** Sends deliveries again, as a client asks: the same id and bytes, and the retry schedule from its beginning. */

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
