/** Writes to `PS_DELIVERIES`: due deliveries, schedules of retries, postponed deliveries. */
import { headers, type NatsConnection } from "@nats-io/transport-node";
import {
  type DeliveryKey,
  type DeliveryMessage,
  deliverySubjects,
  fanOutMessageId,
} from "@packshot/domain/webhooks/delivery.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";
import { assertStored, type Publish } from "../commit/batch-publisher.ts";
import { requestJetStream } from "../nats/jetstream-request.ts";
import { readLastMessage } from "../nats/leader-read.ts";
import { isWrongLastSequence, LogRefused } from "../nats/errors.ts";
import { setTraceHeader } from "../commit/atomic-batch.ts";
import { traced, traceField } from "@packshot/platform/telemetry/tracing.ts";

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
