/**
 * A delivery brings one event to one endpoint. Its id is the event's id, so `webhook-id` is the same at every attempt.
 * A message on `PS_DELIVERIES` holds its state, and the attempts on `PS_ATTEMPTS` are its history.
 */

import { type ToldEvent, webhookEventKindOf } from "./envelope.ts";
import { isBatchNewsEvent, type JobEndedEvent, type WebhookEventKind, type WebhookTestEvent } from "./event.ts";
import type { Webhook } from "./webhook.ts";

export const deliverySubjects = {
  /** Deliveries that are due: the webhook service consumes them. */
  due: (delivery: DeliveryKey) => `psd.due.${subjectTokens(delivery)}`,
  /** A schedule whose target is `due`. A newer schedule of the same delivery replaces the older one. */
  retry: (delivery: DeliveryKey) => `psd.retry.${subjectTokens(delivery)}`,
  dueAll: "psd.due.>",
  attempt: (delivery: DeliveryKey, attempt: number) => `psa.${subjectTokens(delivery)}.${attempt}`,
  attemptsOf: (delivery: DeliveryKey) => `psa.${subjectTokens(delivery)}.*`,
  attemptsOfWebhook: (accountId: string, webhookId: string) => `psa.${accountId}.${webhookId}.*.*`,
} as const;

export interface DeliveryKey {
  readonly accountId: string;
  readonly webhookId: string;
  readonly eventId: string;
}

function subjectTokens({ accountId, webhookId, eventId }: DeliveryKey): string {
  return `${accountId}.${webhookId}.${eventId}`;
}

/** `Nats-Msg-Id` of the fan-out: an event that is followed twice still makes one message per endpoint. */
export function fanOutMessageId({ eventId, webhookId }: DeliveryKey): string {
  return `${eventId}.${webhookId}`;
}

/** The value of a message on `PS_DELIVERIES`. */
export interface DeliveryMessage extends DeliveryKey {
  readonly v: 1;
  readonly event: WebhookEventKind;
  /** null for `webhook.test`. */
  readonly jobId: string | null;
  /** The envelope. Every attempt signs and sends exactly these bytes. */
  readonly body: string;
  /** Attempts so far, redeliveries included; the next attempt has the number after it. */
  readonly attempts: number;
  /** Failures since the retry schedule began: 0 at first and after each redelivery that a client asks for. */
  readonly failures: number;
  /** The delivery waits for its endpoint, not for the retry schedule: it may be promoted before its time. */
  readonly postponed?: true;
  /** W3C trace context of what queued it. */
  readonly traceparent?: string;
}

/**
 * `postponed` is attempt 0: the endpoint's concurrency limit was reached or its circuit was open, and nothing was sent.
 * `abandoned`: the webhook was removed or disabled in the meantime, or too many deliveries wait. The delivery can be
 * redelivered.
 */
export type AttemptOutcome = "succeeded" | "retrying" | "exhausted" | "postponed" | "abandoned";

/** The value of a message on `PS_ATTEMPTS`, kept 72 h. */
export interface DeliveryAttempt extends DeliveryKey {
  readonly v: 1;
  readonly event: WebhookEventKind;
  readonly jobId: string | null;
  /** Counted from 1; 0 when nothing was sent yet. */
  readonly attempt: number;
  readonly at: string;
  readonly outcome: AttemptOutcome;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  readonly durationMs: number;
  /** The first bytes of the answer's body, as text. */
  readonly responseHead: string;
  /** Why the attempt failed, for people; null when it succeeded. */
  readonly error: string | null;
  /** As it was planned then: later postponements and promotions move it. */
  readonly nextAttemptAt: string | null;
  /** On a delivery's first entry and on one that ends it as failed, so that a redelivery can send the same bytes. */
  readonly body?: string;
}

const deliveryStatuses = ["succeeded", "pending", "failed"] as const;
/** `pending`: the first attempt or the next is to come. `failed`: exhausted or abandoned. */
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** A delivery as the API shows it. */
export interface Delivery {
  /** The event's id. */
  readonly id: string;
  readonly webhookId: string;
  readonly event: WebhookEventKind;
  readonly jobId: string | null;
  readonly status: DeliveryStatus;
  readonly createdAt: string;
  /** When the next attempt is due; null where it is due already, and where none follows. */
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly Pick<
    DeliveryAttempt,
    "attempt" | "at" | "outcome" | "status" | "durationMs" | "responseHead" | "error"
  >[];
}

export interface DeliveryWithRequest extends Delivery {
  /** Without the time and the signature, which each attempt has anew. */
  readonly request: {
    readonly method: "POST";
    readonly headers: Readonly<Record<string, string>>;
    /** null: no attempt in the log has it. */
    readonly body: string | null;
  };
}

export function deliveryStatusFor(outcome: AttemptOutcome): DeliveryStatus {
  if (outcome === "succeeded") return "succeeded";
  return outcome === "retrying" || outcome === "postponed" ? "pending" : "failed";
}

/** `attempts`: at least one of the delivery, in any order. An attempt whose write was repeated may appear twice. */
export function deliveryFromAttempts(attempts: readonly DeliveryAttempt[], createdAt: string): Delivery {
  const byNumber = new Map(attempts.map((attempt) => [attempt.attempt, attempt]));
  const ordered = [...byNumber.values()].sort((a, b) => a.attempt - b.attempt);
  const latest = ordered.reduce((last, attempt) => (attempt.at >= last.at ? attempt : last));
  return {
    id: latest.eventId,
    webhookId: latest.webhookId,
    event: latest.event,
    jobId: latest.jobId,
    status: deliveryStatusFor(latest.outcome),
    createdAt,
    nextAttemptAt: latest.nextAttemptAt,
    attempts: ordered.map(({ attempt, at, outcome, status, durationMs, responseHead, error }) => ({
      attempt,
      at,
      outcome,
      status,
      durationMs,
      responseHead,
      error,
    })),
  };
}

/** The webhooks of an account that get this event. A test goes to its own webhook only, enabled or not. */
export function selectReceivers(event: ToldEvent, webhooks: Iterable<Webhook>): Webhook[] {
  const all = [...webhooks];
  if (event.kind === "test") return all.filter((webhook) => webhook.id === event.webhookId);
  const live = isLive(event);
  const kind = webhookEventKindOf(event);
  return all.filter(
    (webhook) =>
      webhook.status.kind === "enabled" &&
      webhook.live === live &&
      webhook.events.includes(kind) &&
      (isBatchNewsEvent(event) || event.kind === "webhookdisabled" || wantsJob(webhook, event)),
  );
}

function isLive(event: Exclude<ToldEvent, WebhookTestEvent>): boolean {
  if (isBatchNewsEvent(event)) return event.batch.live;
  return event.kind === "webhookdisabled" ? event.webhook.live : event.live;
}

/** A batch has many tools and no metadata of its own, so that only jobs are filtered. */
function wantsJob(
  { tools, metadataFilter = {} }: Webhook,
  { tool, metadata }: Pick<JobEndedEvent, "tool" | "metadata">,
): boolean {
  if (tools !== undefined && !tools.includes(tool)) return false;
  return Object.entries(metadataFilter).every(([name, value]) => metadata[name] === value);
}

/** When a failed delivery is retried: often in the hour in which the result's links work, then over two days. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays after the first failure, the second, and so on: five retries within 52 minutes, four more in 42 hours. */
export const retryDelaysMs = [
  5 * second,
  1 * minute,
  5 * minute,
  15 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  24 * hour,
] as const;

/** A delay is lengthened by up to this share, so that deliveries that failed together do not come back together. */
const jitterMax = 0.1;
/** A receiver may ask for a longer delay than the schedule's, up to this. */
export const retryAfterMsMax = 24 * hour;

export type RetryDecision = { readonly kind: "retry"; readonly afterMs: number } | { readonly kind: "exhausted" };

/**
 * `failures`: how many attempts have failed, this one included. `retryAfterMs`: the delay that the receiver asked for;
 * it lengthens the schedule's delay and never shortens it. `random01` is in [0, 1).
 */
export function nextRetry(failures: number, retryAfterMs: number | undefined, random01: number): RetryDecision {
  const delayMs = retryDelaysMs[failures - 1];
  if (delayMs === undefined) return { kind: "exhausted" };
  const askedMs = Math.min(retryAfterMs ?? 0, retryAfterMsMax);
  return { kind: "retry", afterMs: Math.round(Math.max(delayMs, askedMs) * (1 + jitterMax * random01)) };
}

/** `Retry-After` (RFC 9110 §10.2.3) is seconds or an HTTP date; undefined when it is absent, past or unreadable. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const afterMs = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - nowMs;
  return Number.isFinite(afterMs) && afterMs > 0 ? afterMs : undefined;
}

/** A webhook whose endpoint has not accepted one delivery for this long is disabled. */
export const failingMsMax = 72 * hour;

export function isFailingTooLong(failingSince: string | null, nowMs: number): boolean {
  return failingSince !== null && nowMs - Date.parse(failingSince) >= failingMsMax;
}
