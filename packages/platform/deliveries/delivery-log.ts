/** Reading `PS_ATTEMPTS`, from the stream's leader. */
import type { NatsConnection } from "@nats-io/transport-node";
import { type DeliveryAttempt, type DeliveryKey, deliverySubjects } from "@packshot/domain/delivery.ts";
import { streams } from "@packshot/domain/subjects.ts";

const readTimeoutMs = 5_000;
const noMessageFound = 10037;

interface Found {
  readonly attempt: DeliveryAttempt;
  readonly sequence: number;
}

async function get(connection: NatsConnection, request: object): Promise<Found | undefined> {
  const reply = await connection.request(`$JS.API.STREAM.MSG.GET.${streams.attempts}`, JSON.stringify(request), {
    timeout: readTimeoutMs,
  });
  const { message, error } = reply.json<{
    message?: { seq: number; data: string };
    error?: { err_code: number; description: string };
  }>();
  if (message !== undefined) {
    const attempt = JSON.parse(Buffer.from(message.data, "base64").toString("utf8")) as DeliveryAttempt;
    return { attempt, sequence: message.seq };
  }
  if (error === undefined || error.err_code === noMessageFound) return undefined;
  throw new Error(`reading the delivery log: ${error.description}`);
}

export async function isAttemptRecorded(
  connection: NatsConnection,
  delivery: DeliveryKey,
  attempt: number,
): Promise<boolean> {
  return (await get(connection, { last_by_subj: deliverySubjects.attempt(delivery, attempt) })) !== undefined;
}

/** What was logged last; undefined when nothing was in 72 h. */
export async function latestAttempt(
  connection: NatsConnection,
  delivery: DeliveryKey,
): Promise<DeliveryAttempt | undefined> {
  return (await get(connection, { last_by_subj: deliverySubjects.attemptsOf(delivery) }))?.attempt;
}

/** At most so many are read: ten a schedule, and redeliveries. */
const attemptsMax = 200;

/** In the order in which they were logged. */
export async function attemptsOf(connection: NatsConnection, delivery: DeliveryKey): Promise<DeliveryAttempt[]> {
  const attempts: DeliveryAttempt[] = [];
  for (let sequence = 1; attempts.length < attemptsMax; ) {
    const found = await get(connection, { seq: sequence, next_by_subj: deliverySubjects.attemptsOf(delivery) });
    if (found === undefined) break;
    attempts.push(found.attempt);
    sequence = found.sequence + 1;
  }
  return attempts;
}
