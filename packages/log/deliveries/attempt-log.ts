/** The log of delivery attempts in `PS_ATTEMPTS`, kept for 72 hours. Single reads go to the stream's leader. */
import { type ConsumerConfig, DeliverPolicy, ReplayPolicy } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryKey,
  type DeliveryStatus,
  type DeliveryWithRequest,
  deliveryFromAttempts,
  deliveryStatusFor,
  deliverySubjects,
} from "@packshot/domain/webhooks/delivery.ts";
import { contentTypeOf } from "@packshot/domain/webhooks/envelope.ts";
import type { WebhookEventKind } from "@packshot/domain/webhooks/event.ts";
import type { Publish } from "../commit/batch-publisher.ts";
import { addEphemeralConsumer } from "../follow/ephemeral-consumer.ts";
import { listSubjects } from "../follow/list-subjects.ts";
import { readLastMessage } from "../nats/leader-read.ts";

export const attemptLogMs = 72 * 3600 * 1000;
/** A schedule makes ten attempts, and each redelivery begins it anew; what comes beyond is not shown. */
const attemptsMax = 200;
/** The newest entries of a window that are returned; older ones of a busier webhook are left out. */
const windowEntriesMax = 50_000;
const fetchMessagesMax = 1_000;
const fetchWaitMs = 5_000;
const consumerIdleMs = 10_000;
const nanosPerMs = 1_000_000;

export async function recordAttempt(publish: Publish, attempt: DeliveryAttempt): Promise<void> {
  await publish(deliverySubjects.attempt(attempt, attempt.attempt), attempt);
}

export async function isAttemptRecorded(
  connection: NatsConnection,
  delivery: DeliveryKey,
  attempt: number,
): Promise<boolean> {
  const subject = deliverySubjects.attempt(delivery, attempt);
  return (await readLastMessage(connection, streams.attempts, subject)) !== undefined;
}

/** The attempt that was logged last; undefined when none was in 72 h. */
async function readLatestAttempt(
  connection: NatsConnection,
  delivery: DeliveryKey,
): Promise<DeliveryAttempt | undefined> {
  const found = await readLastMessage(connection, streams.attempts, deliverySubjects.attemptsOf(delivery));
  return found === undefined ? undefined : (JSON.parse(found.text) as DeliveryAttempt);
}

/** By their number; of an attempt that was logged twice, the later entry. */
export async function readAttempts(connection: NatsConnection, delivery: DeliveryKey): Promise<DeliveryAttempt[]> {
  const names = await Array.fromAsync(
    listSubjects(connection, streams.attempts, deliverySubjects.attemptsOf(delivery)),
  );
  const attemptOf = (name: string) => Number(name.slice(name.lastIndexOf(".") + 1));
  const first = names.sort((a, b) => attemptOf(a) - attemptOf(b)).slice(0, attemptsMax);
  const found = await Promise.all(first.map((name) => readLastMessage(connection, streams.attempts, name)));
  return found.flatMap((message) => (message === undefined ? [] : [JSON.parse(message.text) as DeliveryAttempt]));
}

/** undefined when nothing of the delivery was logged in 72 h. */
export async function findDelivery(connection: NatsConnection, key: DeliveryKey): Promise<Delivery | undefined> {
  const attempts = await readAttempts(connection, key);
  return attempts.length === 0 ? undefined : deliveryFromAttempts(attempts, isoTime(uuidv7TimeMs(key.eventId)));
}

/** With the request that every attempt sends; undefined like `findDelivery`. */
export async function findDeliveryWithRequest(
  connection: NatsConnection,
  key: DeliveryKey,
): Promise<DeliveryWithRequest | undefined> {
  const attempts = await readAttempts(connection, key);
  if (attempts.length === 0) return undefined;
  const body = attempts.find((attempt) => attempt.body !== undefined)?.body ?? null;
  const headers = { "content-type": contentTypeOf(body ?? ""), "webhook-id": key.eventId };
  const delivery = deliveryFromAttempts(attempts, isoTime(uuidv7TimeMs(key.eventId)));
  const [scheduled] = await asScheduled(connection, [delivery], key.accountId);
  return { ...scheduled!, request: { method: "POST", headers, body } };
}

const scheduleHeader = /^Nats-Schedule: @at (\S+)\r?$/im;

/**
 * With the times at which the pending ones are due now. Only the first postponement of a delivery is in the log of attempts:
 * while an endpoint is dead, an entry for each would be a write for every waiting delivery every few minutes. Its schedule in
 * `PS_DELIVERIES` moves each time, also when it is promoted. One without a schedule is due or being sent.
 */
async function asScheduled(
  connection: NatsConnection,
  deliveries: readonly Delivery[],
  accountId: string,
): Promise<Delivery[]> {
  const nowMs = Date.now();
  const nextAttemptAt = async ({ webhookId, id: eventId }: Delivery): Promise<string | null> => {
    const subject = deliverySubjects.retry({ accountId, webhookId, eventId });
    const schedule = await readLastMessage(connection, streams.deliveries, subject);
    const at = schedule?.headerText.match(scheduleHeader)?.[1];
    return at !== undefined && Date.parse(at) > nowMs ? at : null;
  };
  return await Promise.all(
    deliveries.map(async (delivery) =>
      delivery.status === "pending" ? { ...delivery, nextAttemptAt: await nextAttemptAt(delivery) } : delivery,
    ),
  );
}

/** What lists are made from. Bodies and answers are left out: a page may pass over a hundred thousand entries. */
export type AttemptSummary = DeliveryKey & Pick<DeliveryAttempt, "event" | "jobId" | "attempt" | "at" | "outcome">;

export interface AttemptEntry {
  readonly attempt: AttemptSummary;
  /** In the stream: cursors count in it. */
  readonly sequence: number;
  readonly storedAtMs: number;
}

/** A webhook's entries that were stored from `fromMs` on and before `untilSequence`, in stream order. */
export async function readAttemptWindow(
  connection: NatsConnection,
  { accountId, webhookId }: { accountId: string; webhookId: string },
  fromMs: number,
  untilSequence: number,
): Promise<AttemptEntry[]> {
  const config: Partial<ConsumerConfig> = {
    filter_subject: deliverySubjects.attemptsOfWebhook(accountId, webhookId),
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: isoTime(fromMs),
    replay_policy: ReplayPolicy.Instant,
  };
  const times = { timeoutMs: fetchWaitMs, idleMs: consumerIdleMs };
  const { fetch, pending, remove } = await addEphemeralConsumer(connection, streams.attempts, config, times);
  const entries: AttemptEntry[] = [];
  try {
    let left = pending;
    while (left > 0) {
      let received = 0;
      const request = { max_messages: Math.min(left, fetchMessagesMax), expires: fetchWaitMs };
      for await (const message of fetch(request)) {
        received += 1;
        const { streamSequence, timestampNanos } = message.info;
        if (streamSequence >= untilSequence) return entries;
        const storedAtMs = Math.floor(timestampNanos / nanosPerMs);
        const { eventId, event, jobId, attempt, at, outcome } = message.json<DeliveryAttempt>();
        const summary = { accountId, webhookId, eventId, event, jobId, attempt, at, outcome };
        entries.push({ attempt: summary, sequence: streamSequence, storedAtMs });
        if (entries.length > 2 * windowEntriesMax) entries.splice(0, windowEntriesMax);
      }
      if (received === 0) break;
      left -= received;
    }
    return entries.slice(-windowEntriesMax);
  } finally {
    await remove();
  }
}

/**
 * Lists a webhook's deliveries from the log of attempts, newest first. A stream can only be read forward, so the log is
 * read in windows of time that reach further and further back.
 */
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

const firstWindowMs = 10 * 60 * 1000;
const windowGrowth = 4;
/** Log entries read for one page. The page of a busier webhook ends early, with a cursor. */
const entriesPerPageMax = windowEntriesMax;

/** Throws `invalid_request` for a cursor that this list did not give out. */
export async function listDeliveries(connection: NatsConnection, query: DeliveryQuery): Promise<DeliveryPage> {
  const { data, ...rest } = await readPage(connection, query);
  return { data: await asScheduled(connection, data, query.accountId), ...rest };
}

async function readPage(connection: NatsConnection, query: DeliveryQuery): Promise<DeliveryPage> {
  const cursor = parseCursor(query.cursor);
  const nowMs = Date.now();
  const data: Delivery[] = [];
  let read = 0;
  let untilMs = cursor?.storedAtMs ?? nowMs + 1_000;
  let untilSequence = cursor?.sequence ?? Number.POSITIVE_INFINITY;
  for (let windowMs = firstWindowMs; untilMs > nowMs - attemptLogMs; windowMs *= windowGrowth) {
    const fromMs = Math.max(nowMs - attemptLogMs, untilMs - windowMs);
    const entries = await readAttemptWindow(connection, query, fromMs, untilSequence);
    read += entries.length;
    for (const entry of entries.reverse()) {
      untilSequence = entry.sequence;
      if (!matches(entry.attempt, query)) continue;
      const delivery = await deliveryIfLatest(connection, entry.attempt);
      if (delivery !== undefined) data.push(delivery);
      if (data.length === query.limit) return { data, nextCursor: formatCursor(entry) };
    }
    const oldest = entries.at(-1);
    if (oldest !== undefined && read >= entriesPerPageMax) return { data, nextCursor: formatCursor(oldest) };
    untilMs = fromMs;
  }
  return { data };
}

/** A delivery is listed once, at its latest attempt; at an earlier one this is undefined. */
async function deliveryIfLatest(connection: NatsConnection, attempt: AttemptSummary): Promise<Delivery | undefined> {
  const latest = await readLatestAttempt(connection, attempt);
  const isLatest = latest?.at === attempt.at && latest.attempt === attempt.attempt;
  return isLatest ? await findDelivery(connection, attempt) : undefined;
}

function matches(attempt: AttemptSummary, { status, event, jobId }: DeliveryQuery): boolean {
  if (status !== undefined && deliveryStatusFor(attempt.outcome) !== status) return false;
  if (event !== undefined && attempt.event !== event) return false;
  return jobId === undefined || attempt.jobId === jobId;
}

function formatCursor({ sequence, storedAtMs }: AttemptEntry): string {
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
