/** Writing to `PS_DELIVERIES` and `PS_ATTEMPTS`: fan-out, schedules, the log of attempts. */
import { headers, type MsgHdrs, type NatsConnection } from "@nats-io/transport-node";
import {
  type DeliveryAttempt,
  type DeliveryKey,
  type DeliveryMessage,
  deliverySubjects,
} from "@packshot/domain/delivery.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";

const publishTimeoutMs = 5_000;

/** Due at once. The same `messageId` within an hour is stored once, whatever became of the first. */
export async function queueDelivery(
  connection: NatsConnection,
  message: DeliveryMessage,
  messageId: string,
): Promise<void> {
  const options = headers();
  options.set("Nats-Msg-Id", messageId);
  await publish(connection, deliverySubjects.due(message), message, options);
}

/**
 * Due at `atMs` (at once when that has passed), and until then a message that nobody holds. It replaces a schedule of
 * the same delivery: there is never more than one.
 */
export async function scheduleDelivery(
  connection: NatsConnection,
  message: DeliveryMessage,
  atMs: number,
): Promise<void> {
  const options = headers();
  options.set("Nats-Schedule", `@at ${isoTime(atMs)}`);
  options.set("Nats-Schedule-Target", deliverySubjects.due(message));
  await publish(connection, deliverySubjects.retry(message), message, options);
}

/** Takes back what is scheduled, when the delivery has ended in the meantime. */
export async function unscheduleDelivery(connection: NatsConnection, delivery: DeliveryKey): Promise<void> {
  await request(connection, `$JS.API.STREAM.PURGE.${streams.deliveries}`, {
    filter: deliverySubjects.retry(delivery),
  });
}

export async function recordAttempt(connection: NatsConnection, attempt: DeliveryAttempt): Promise<void> {
  await publish(connection, deliverySubjects.attempt(attempt, attempt.attempt), attempt, undefined);
}

async function publish(
  connection: NatsConnection,
  subject: string,
  value: object,
  options: MsgHdrs | undefined,
): Promise<void> {
  await request(connection, subject, value, options);
}

async function request(connection: NatsConnection, subject: string, value: object, options?: MsgHdrs): Promise<void> {
  const answer = await connection.request(subject, JSON.stringify(value), {
    timeout: publishTimeoutMs,
    ...(options === undefined ? {} : { headers: options }),
  });
  const { error } = answer.json<{ error?: { description: string; err_code: number } }>();
  if (error !== undefined) throw new Error(`${subject}: ${error.description} (${error.err_code})`);
}
