/** Reads `PS_ATTEMPTS`, from the stream's leader. */
import type { NatsConnection } from "@nats-io/transport-node";
import { type DeliveryAttempt, type DeliveryKey, deliverySubjects } from "@packshot/domain/delivery.ts";
import { streams } from "@packshot/domain/subjects.ts";
import { readLastMessage, readNextMessage } from "../nats/leader-read.ts";

export async function isAttemptRecorded(
  connection: NatsConnection,
  delivery: DeliveryKey,
  attempt: number,
): Promise<boolean> {
  const subject = deliverySubjects.attempt(delivery, attempt);
  return (await readLastMessage(connection, streams.attempts, subject)) !== undefined;
}

/** The attempt that was logged last; undefined when none was in 72 h. */
export async function latestAttempt(
  connection: NatsConnection,
  delivery: DeliveryKey,
): Promise<DeliveryAttempt | undefined> {
  const found = await readLastMessage(connection, streams.attempts, deliverySubjects.attemptsOf(delivery));
  return found === undefined ? undefined : (JSON.parse(found.text) as DeliveryAttempt);
}

/** A schedule makes ten attempts, and each redelivery begins it anew; what comes beyond is not shown. */
const attemptsMax = 200;

/** In the order in which they were logged. */
export async function attemptsOf(connection: NatsConnection, delivery: DeliveryKey): Promise<DeliveryAttempt[]> {
  const subject = deliverySubjects.attemptsOf(delivery);
  const attempts: DeliveryAttempt[] = [];
  for (let sequence = 1; attempts.length < attemptsMax; ) {
    const found = await readNextMessage(connection, streams.attempts, subject, sequence);
    if (found === undefined) break;
    attempts.push(JSON.parse(found.text) as DeliveryAttempt);
    sequence = found.sequence + 1;
  }
  return attempts;
}
