/**
 * Lists a webhook's deliveries from the log of attempts, newest first. A stream can only be read forward, so the log is
 * read in windows of time that reach further and further back.
 */
import type { NatsConnection } from "@nats-io/transport-node";
import { type Delivery, type DeliveryStatus, deliveryStatusFor } from "@packshot/domain/webhooks/delivery.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { WebhookEventKind } from "@packshot/domain/webhooks/event.ts";
import {
  type AttemptEntry,
  attemptLogMs,
  type AttemptSummary,
  findDelivery,
  readAttemptWindow,
  readLatestAttempt,
  windowEntriesMax,
} from "./attempt-log.ts";

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
