/**
 * What the API shows of deliveries, and how it has them sent again. All is read from `PS_ATTEMPTS` (72 h); a webhook's
 * log is read backwards in growing windows of time, since a stream can only be read forwards.
 */
import { AckPolicy, DeliverPolicy, jetstream, ReplayPolicy } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryKey,
  deliveryFromAttempts,
  type DeliveryStatus,
  deliverySubjects,
  deliveryStatusFor,
} from "@packshot/domain/delivery.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { WebhookEventKind } from "@packshot/domain/event.ts";
import { isoTime, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";
import { attemptsOf, latestAttempt } from "./delivery-log.ts";
import { scheduleDelivery } from "./delivery-queue.ts";

export interface DeliveryQuery {
  readonly accountId: string;
  readonly webhookId: string;
  readonly status?: DeliveryStatus;
  readonly event?: WebhookEventKind;
  readonly jobId?: string;
  /** 1–100 */
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

export interface DeliveryPage {
  /** By the time of the latest attempt, newest first. */
  readonly data: readonly Delivery[];
  readonly nextCursor?: string;
}

const logMs = 72 * 3600 * 1000;
const firstWindowMs = 10 * 60 * 1000;
const windowGrowth = 4;
/** Log entries read for one page; a busier webhook's page ends early, with a cursor. */
const entriesPerPageMax = 50_000;
const fetchMessagesMax = 1_000;
const fetchWaitMs = 5_000;
const nanosPerMs = 1_000_000;

/** What lists are made by. Bodies and answers are left out: a page may pass over a hundred thousand of them. */
type Outline = DeliveryKey & Pick<DeliveryAttempt, "event" | "jobId" | "attempt" | "at" | "outcome">;

/** A logged attempt with its sequence in the stream, which is what a cursor counts in. */
interface Entry {
  readonly attempt: Outline;
  readonly sequence: number;
  readonly storedAtMs: number;
}

/** Throws `invalid_request` for a cursor that is none. */
export async function listDeliveries(connection: NatsConnection, query: DeliveryQuery): Promise<DeliveryPage> {
  const cursor = parseCursor(query.cursor);
  const nowMs = Date.now();
  const data: Delivery[] = [];
  let read = 0;
  let untilMs = cursor?.storedAtMs ?? nowMs + 1_000;
  let untilSequence = cursor?.sequence ?? Number.POSITIVE_INFINITY;
  for (let windowMs = firstWindowMs; untilMs > nowMs - logMs; windowMs *= windowGrowth) {
    const fromMs = Math.max(nowMs - logMs, untilMs - windowMs);
    const entries = await readWindow(connection, query, fromMs, untilSequence);
    read += entries.length;
    for (const entry of entries.reverse()) {
      untilSequence = entry.sequence;
      untilMs = Math.min(untilMs, entry.storedAtMs);
      if (!matches(entry.attempt, query)) continue;
      // Only the latest attempt stands for its delivery; those before it are passed over.
      const latest = await latestAttempt(connection, entry.attempt);
      if (latest === undefined || latest.at !== entry.attempt.at || latest.attempt !== entry.attempt.attempt) continue;
      const delivery = await findDelivery(connection, entry.attempt);
      if (delivery !== undefined) data.push(delivery);
      if (data.length === query.limit) return { data, nextCursor: formatCursor(entry) };
    }
    if (entries.length === 0) untilMs = fromMs;
    else if (read >= entriesPerPageMax) return { data, nextCursor: formatCursor(entries.at(-1)!) };
    else untilMs = fromMs;
  }
  return { data };
}

function matches(attempt: Outline, { status, event, jobId }: DeliveryQuery): boolean {
  if (status !== undefined && deliveryStatusFor(attempt.outcome) !== status) return false;
  if (event !== undefined && attempt.event !== event) return false;
  return jobId === undefined || attempt.jobId === jobId;
}

/** undefined: nothing of it was logged within 72 h. */
export async function findDelivery(connection: NatsConnection, key: DeliveryKey): Promise<Delivery | undefined> {
  const attempts = await attemptsOf(connection, key);
  return attempts.length === 0 ? undefined : deliveryFromAttempts(attempts, isoTime(uuidv7TimeMs(key.eventId)));
}

/**
 * Sends the same bytes again now; the schedule begins anew, and a retry that waits is replaced. Throws `not_found` when
 * nothing of the delivery is in the log.
 */
export async function redeliver(connection: NatsConnection, key: DeliveryKey): Promise<void> {
  const attempts = await attemptsOf(connection, key);
  const body = attempts.find((attempt) => attempt.body !== undefined)?.body;
  const [first] = attempts;
  if (first === undefined || body === undefined) {
    throw new PackshotError("not_found", "No such delivery in the last 72 hours.");
  }
  const { event, jobId } = first;
  const { accountId, webhookId, eventId } = key;
  const made = Math.max(...attempts.map(({ attempt }) => attempt));
  const message = { v: 1, accountId, webhookId, eventId, event, jobId, body, attempts: made, failures: 0 } as const;
  await scheduleDelivery(connection, message, Date.now());
}

export const redeliveriesMax = 10_000;
const redeliveriesAtOnce = 32;

/**
 * Redelivers whatever failed for good (exhausted or abandoned) at or after `sinceMs`, oldest first, at most
 * `redeliveriesMax` at a call. Returns how many.
 */
export async function redeliverFailed(
  connection: NatsConnection,
  { accountId, webhookId, sinceMs }: { accountId: string; webhookId: string; sinceMs: number },
): Promise<number> {
  const fromMs = Math.max(sinceMs, Date.now() - logMs);
  const entries = await readWindow(connection, { accountId, webhookId }, fromMs, Number.POSITIVE_INFINITY);
  const latest = new Map(entries.map(({ attempt }) => [attempt.eventId, attempt]));
  const failed = [...latest.values()].filter(({ outcome }) => deliveryStatusFor(outcome) === "failed");
  const chosen = failed.slice(0, redeliveriesMax);
  for (let begun = 0; begun < chosen.length; begun += redeliveriesAtOnce) {
    const some = chosen.slice(begun, begun + redeliveriesAtOnce);
    await Promise.all(some.map((attempt) => redeliver(connection, attempt)));
  }
  return chosen.length;
}

/** In stream order, those stored from `fromMs` on and before `untilSequence`; the newest `entriesPerPageMax` of them. */
async function readWindow(
  connection: NatsConnection,
  { accountId, webhookId }: { accountId: string; webhookId: string },
  fromMs: number,
  untilSequence: number,
): Promise<Entry[]> {
  const client = jetstream(connection, { timeout: fetchWaitMs });
  const manager = await client.jetstreamManager(false);
  const info = await manager.consumers.add(streams.attempts, {
    ack_policy: AckPolicy.None,
    filter_subject: deliverySubjects.attemptsOfWebhook(accountId, webhookId),
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: isoTime(fromMs),
    replay_policy: ReplayPolicy.Instant,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: 10_000 * nanosPerMs,
  });
  const consumer = client.consumers.getConsumerFromInfo(info);
  const entries: Entry[] = [];
  try {
    let left = info.num_pending;
    while (left > 0) {
      const batch = Math.min(left, fetchMessagesMax);
      const messages = await consumer.fetch({ max_messages: batch, expires: fetchWaitMs });
      let got = 0;
      for await (const message of messages) {
        got += 1;
        const { streamSequence, timestampNanos } = message.info;
        if (streamSequence >= untilSequence) return entries;
        const storedAtMs = Math.floor(timestampNanos / nanosPerMs);
        const { eventId, event, jobId, attempt, at, outcome } = message.json<DeliveryAttempt>();
        const outline = { accountId, webhookId, eventId, event, jobId, attempt, at, outcome };
        entries.push({ attempt: outline, sequence: streamSequence, storedAtMs });
        if (entries.length > 2 * entriesPerPageMax) entries.splice(0, entriesPerPageMax);
      }
      if (got === 0) break;
      left -= got;
    }
    return entries.slice(-entriesPerPageMax);
  } finally {
    await manager.consumers.delete(streams.attempts, info.name).catch(() => {});
  }
}

function formatCursor({ sequence, storedAtMs }: Entry): string {
  return Buffer.from(`${sequence}.${storedAtMs}`).toString("base64url");
}

function parseCursor(cursor: string | undefined): { sequence: number; storedAtMs: number } | undefined {
  if (cursor === undefined) return undefined;
  const [sequence, storedAtMs] = Buffer.from(cursor, "base64url").toString("latin1").split(".").map(Number);
  if (!Number.isSafeInteger(sequence) || !Number.isSafeInteger(storedAtMs)) {
    throw new PackshotError("invalid_request", "cursor is not one that this list gave out.");
  }
  return { sequence: sequence!, storedAtMs: storedAtMs! };
}
