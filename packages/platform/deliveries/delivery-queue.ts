/** Writing to `PS_DELIVERIES` and `PS_ATTEMPTS`: fan-out, schedules, the log of attempts. */
import { headers, type NatsConnection } from "@nats-io/transport-node";
import {
  type DeliveryAttempt,
  type DeliveryKey,
  type DeliveryMessage,
  deliverySubjects,
  fanOutMessageId,
} from "@packshot/domain/delivery.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";
import { assertStored, type Publish } from "../nats/group-publish.ts";
import { readLastMessage } from "../nats/leader-read.ts";
import { isWrongLastSequence, LogRefused } from "../nats/log-errors.ts";

const publishTimeoutMs = 5_000;

/** Due at once. Queued again for the same event and endpoint within an hour, it is stored once. */
export async function queueDelivery(publish: Publish, message: DeliveryMessage): Promise<void> {
  await publish(deliverySubjects.due(message), message, fanOutMessageId(message));
}

export async function recordAttempt(publish: Publish, attempt: DeliveryAttempt): Promise<void> {
  await publish(deliverySubjects.attempt(attempt, attempt.attempt), attempt);
}

/**
 * Due at `atMs` (at once when that has passed), and until then a message that nobody holds. It replaces a schedule of
 * the same delivery: there is never more than one. Published alone: the server takes no schedules in a batch.
 */
export async function scheduleDelivery(
  connection: NatsConnection,
  message: DeliveryMessage,
  atMs: number,
  /** Sequence of the schedule that is replaced; refused when it is not there any more. */
  expected?: number,
): Promise<void> {
  const options = headers();
  if (expected !== undefined) options.set("Nats-Expected-Last-Subject-Sequence", String(expected));
  options.set("Nats-Schedule", `@at ${isoTime(atMs)}`);
  options.set("Nats-Schedule-Target", deliverySubjects.due(message));
  const subject = deliverySubjects.retry(message);
  const answer = await connection.request(subject, JSON.stringify(message), {
    headers: options,
    timeout: publishTimeoutMs,
  });
  assertStored(subject, answer);
}

/** Brings a delivery that waits for its endpoint forward to `atMs`; false when it does not wait (any more). */
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

/** Takes back what is scheduled, when the delivery has ended in the meantime. */
export async function unscheduleDelivery(connection: NatsConnection, delivery: DeliveryKey): Promise<void> {
  const subject = `$JS.API.STREAM.PURGE.${streams.deliveries}`;
  const request = JSON.stringify({ filter: deliverySubjects.retry(delivery) });
  assertStored(subject, await connection.request(subject, request, { timeout: publishTimeoutMs }));
}
