/** Reading the delivery log, and asking for an event to be sent again. */
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryMessage,
  deliveryOf,
  deliverySubjects,
} from "@packshot/domain/delivery.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, isUuid, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";
import { attemptsOf } from "@packshot/platform/nats/delivery-log.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { DeliverPolicy, jetstream } from "@nats-io/jetstream";

const attemptsReadMax = 10_000;

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  readonly hasMore: boolean;
}

/** Newest event first; event ids are UUIDv7, so they tell the order. */
export async function listDeliveries(
  log: Log,
  webhook: { accountId: string; webhookId: string },
  { beforeId, limit }: { beforeId: string | undefined; limit: number },
): Promise<DeliveryPage> {
  const byEvent = new Map<string, DeliveryAttempt[]>();
  for await (const attempt of attemptsOfWebhook(log, webhook)) {
    const attempts = byEvent.get(attempt.eventId) ?? [];
    attempts.push(attempt);
    byEvent.set(attempt.eventId, attempts);
  }
  const ids = [...byEvent.keys()]
    .filter((id) => beforeId === undefined || id < beforeId)
    .sort((a, b) => (a < b ? 1 : -1));
  const deliveries = ids.slice(0, limit).map((id) => deliveryOf(byEvent.get(id)!, isoTime(uuidv7TimeMs(id))));
  return { deliveries, hasMore: ids.length > limit };
}

async function* attemptsOfWebhook(
  log: Log,
  { accountId, webhookId }: { accountId: string; webhookId: string },
): AsyncIterable<DeliveryAttempt> {
  const consumer = await jetstream(log.connection).consumers.get(streams.attempts, {
    filter_subjects: deliverySubjects.attemptsOfWebhook(accountId, webhookId),
    deliver_policy: DeliverPolicy.All,
  });
  const { num_pending: pending } = await consumer.info();
  let left = Math.min(pending, attemptsReadMax);
  if (left > 0) {
    const messages = await consumer.fetch({ max_messages: left, expires: 5_000 });
    for await (const message of messages) {
      yield message.json<DeliveryAttempt>();
      left -= 1;
      if (left === 0) break;
    }
  }
  await consumer.delete();
}

/** The same bytes again, whatever became of the earlier attempts. Throws `not_found`. */
export async function redeliver(
  log: Log,
  { accountId, webhookId }: { accountId: string; webhookId: string },
  eventId: string,
): Promise<void> {
  const unknown = () => new PackshotError("not_found", "There is no such delivery of the last 72 hours.");
  if (!isUuid(eventId)) throw unknown();
  const key = { accountId, webhookId, eventId };
  const attempts = await attemptsOf(log.connection, key);
  const latest = attempts.at(-1);
  const body = attempts.find((attempt) => attempt.body !== undefined)?.body;
  if (latest === undefined || body === undefined) throw unknown();
  const message: DeliveryMessage = {
    v: 1,
    ...key,
    event: latest.event,
    jobId: latest.jobId,
    body,
    attempts: Math.max(...attempts.map(({ attempt }) => attempt)),
    failures: 0,
  };
  await jetstream(log.connection).publish(deliverySubjects.due(key), JSON.stringify(message));
}
