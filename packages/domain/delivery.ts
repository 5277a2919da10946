/**
 * A delivery is one event on its way to one endpoint; its id is the event's id, so `webhook-id` stays the same however
 * often it is tried. The message on `PS_DELIVERIES` carries it, the attempts on `PS_ATTEMPTS` are its history.
 */
import type { JobEndedEvent, WebhookEventKind, WebhookTestEvent } from "./event.ts";
import type { JobError } from "./errors.ts";
import type { Metadata } from "./job.ts";
import type { Webhook } from "./webhook.ts";

export const deliverySubjects = {
  /** Due now: what the webhook service consumes. */
  due: (delivery: DeliveryKey) => `psd.due.${keyTokens(delivery)}`,
  /** A schedule whose target is `due`. One subject per delivery: a newer schedule replaces the older one. */
  retry: (delivery: DeliveryKey) => `psd.retry.${keyTokens(delivery)}`,
  dueAll: "psd.due.>",
  attempt: (delivery: DeliveryKey, attempt: number) => `psa.${keyTokens(delivery)}.${attempt}`,
  attemptsOf: (delivery: DeliveryKey) => `psa.${keyTokens(delivery)}.*`,
  attemptsOfWebhook: (accountId: string, webhookId: string) => `psa.${accountId}.${webhookId}.*.*`,
} as const;

export interface DeliveryKey {
  readonly accountId: string;
  readonly webhookId: string;
  readonly eventId: string;
}

function keyTokens({ accountId, webhookId, eventId }: DeliveryKey): string {
  return `${accountId}.${webhookId}.${eventId}`;
}

/** `Nats-Msg-Id` of the fan-out: one message per event and endpoint however often the event is followed. */
export function fanOutMessageId({ eventId, webhookId }: DeliveryKey): string {
  return `${eventId}.${webhookId}`;
}

/** The value of a message on `PS_DELIVERIES`. */
export interface DeliveryMessage extends DeliveryKey {
  readonly v: 1;
  readonly event: WebhookEventKind;
  /** null for `webhook.test`. */
  readonly jobId: string | null;
  /** The envelope as it is signed and sent, byte for byte, at every attempt. */
  readonly body: string;
  /** Attempts so far, redeliveries included: the next one is this + 1. */
  readonly attempts: number;
  /** Failures since the schedule began: 0 at first and after a redelivery was asked for. */
  readonly failures: number;
  /** Waits for its endpoint, not for the schedule of retries: it may be called before its time. */
  readonly postponed?: true;
}

/**
 * `postponed` is attempt 0: the endpoint was at its limit or its circuit open, nothing was sent.
 * `abandoned`: the webhook was removed or disabled in the meantime; it can be redelivered.
 */
export type AttemptOutcome = "succeeded" | "retrying" | "exhausted" | "postponed" | "abandoned";

/** The value of a message on `PS_ATTEMPTS`, kept 72 h. */
export interface DeliveryAttempt extends DeliveryKey {
  readonly v: 1;
  readonly event: WebhookEventKind;
  readonly jobId: string | null;
  /** Counted from 1; 0 where nothing was sent yet. */
  readonly attempt: number;
  readonly at: string;
  readonly outcome: AttemptOutcome;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  readonly durationMs: number;
  /** First bytes of the answer as text. */
  readonly responseHead: string;
  /** Why it failed, for people; null when it succeeded. */
  readonly error: string | null;
  readonly nextAttemptAt: string | null;
  /** Only on the first entry of a delivery: redelivery sends the same bytes again. */
  readonly body?: string;
}

export const deliveryStatuses = ["succeeded", "pending", "failed"] as const;
/** `pending`: waits for its first attempt or its next; `failed`: exhausted or abandoned. */
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** What the API shows. */
export interface Delivery {
  /** The event's id. */
  readonly id: string;
  readonly webhookId: string;
  readonly event: WebhookEventKind;
  readonly jobId: string | null;
  readonly status: DeliveryStatus;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly Pick<
    DeliveryAttempt,
    "attempt" | "at" | "outcome" | "status" | "durationMs" | "responseHead" | "error"
  >[];
}

export function statusOfOutcome(outcome: AttemptOutcome): DeliveryStatus {
  if (outcome === "succeeded") return "succeeded";
  return outcome === "retrying" || outcome === "postponed" ? "pending" : "failed";
}

/** `attempts` of one delivery in any order, at least one; the same attempt may appear twice after a lost answer. */
export function deliveryOf(attempts: readonly DeliveryAttempt[], createdAt: string): Delivery {
  const byNumber = new Map(attempts.map((attempt) => [attempt.attempt, attempt]));
  const ordered = [...byNumber.values()].sort((a, b) => a.attempt - b.attempt);
  const latest = ordered.reduce((last, attempt) => (attempt.at >= last.at ? attempt : last));
  return {
    id: latest.eventId,
    webhookId: latest.webhookId,
    event: latest.event,
    jobId: latest.jobId,
    status: statusOfOutcome(latest.outcome),
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

/** The body that a receiver gets (spec §6). */
export interface Envelope {
  readonly event: WebhookEventKind;
  readonly eventId: string;
  readonly createdAt: string;
  readonly data: {
    readonly id: string;
    readonly tool: string | null;
    readonly status: string;
    readonly resultUrl?: string;
    readonly thumbnailUrl?: string;
    readonly error?: JobError;
    readonly metadata: Metadata;
    readonly createdAt: string;
    readonly startedAt: string | null;
    readonly finishedAt: string | null;
    /** When the links die and the job is cleaned up. */
    readonly expiresAt: string | null;
    readonly creditsCharged: number;
  };
}

export function jobEnvelope(event: JobEndedEvent, links: { resultUrl?: string; thumbnailUrl?: string }): Envelope {
  return {
    event: `job.${event.kind}`,
    eventId: event.eventId,
    createdAt: event.createdAt,
    data: {
      id: event.jobId,
      tool: event.tool,
      status: event.kind,
      ...links,
      ...(event.error === null ? {} : { error: event.error }),
      metadata: event.metadata,
      createdAt: event.jobCreatedAt,
      startedAt: event.startedAt,
      finishedAt: event.finishedAt,
      expiresAt: event.expiresAt,
      // A failed or cancelled job costs nothing.
      creditsCharged: event.kind === "completed" ? event.credits : 0,
    },
  };
}

/** The same fields as a job's event, none of which can be mistaken for a job: `data.id` is the webhook's. */
export function testEnvelope(event: WebhookTestEvent): Envelope {
  return {
    event: "webhook.test",
    eventId: event.eventId,
    createdAt: event.createdAt,
    data: {
      id: event.webhookId,
      tool: null,
      status: "test",
      metadata: {},
      createdAt: event.createdAt,
      startedAt: null,
      finishedAt: null,
      expiresAt: null,
      creditsCharged: 0,
    },
  };
}

/** Which of an account's webhooks get this event; a test goes to its own webhook, enabled or not. */
export function receiversOf(event: JobEndedEvent | WebhookTestEvent, webhooks: Iterable<Webhook>): Webhook[] {
  const all = [...webhooks];
  if (event.kind === "test") return all.filter((webhook) => webhook.id === event.webhookId);
  return all.filter(
    (webhook) =>
      webhook.status.kind === "enabled" && webhook.live === event.live && webhook.events.includes(`job.${event.kind}`),
  );
}
