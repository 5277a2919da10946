/**
 * Brings one delivery from the queue to its next state. It writes, in this order, the retry's schedule, the attempt's
 * log entry, and (in the caller) the ack. A message that comes again was interrupted in between: when its attempt is
 * in the log the retry is stored too, so nothing is sent again.
 */

import { isoTime } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";
import {
  type AttemptOutcome,
  type DeliveryAttempt,
  type DeliveryKey,
  type DeliveryMessage,
  deliveryStatusFor,
  nextRetry,
} from "@packshot/domain/webhooks/delivery.ts";
import { signingSecrets, type Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { fillMax } from "@packshot/log/nats/streams.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Backlog } from "./backlog.ts";
import type { EndpointAdmission, EndpointAdmissions, RequestOutcome } from "./endpoint-admission.ts";
import type { EndpointHealth } from "./endpoint-health.ts";
import { type Post, type SendOutcome, signatureHeaders } from "./send.ts";
import type { SendSlots, Slot } from "./send-slots.ts";

export interface DeliverDeps {
  readonly webhooks: Webhooks;
  readonly admissions: Pick<EndpointAdmissions, "get">;
  readonly slots: Pick<SendSlots, "acquire" | "isBusy" | "recordWrite">;
  readonly health: EndpointHealth;
  readonly queue: DeliveryQueue;
  /** The part of its bytes that the queue has; 0 where there is no limit. */
  readonly queueFill: () => number;
  readonly backlog: Backlog;
  readonly unseal: (sealed: string) => string;
  readonly send: (post: Post) => Promise<SendOutcome>;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly observe: DeliveryObserver;
}

export interface Webhooks {
  find(accountId: string, webhookId: string): Webhook | undefined;
  /** Resolves when `find` knows every change that was committed before this call. */
  refresh(accountId: string): Promise<void>;
}

/** Where a delivery's next state is stored; each call resolves when it is. */
export interface DeliveryQueue {
  schedule(message: DeliveryMessage, atMs: number): Promise<void>;
  /** Brings a postponed delivery forward; false when it is not postponed any more. */
  promote(delivery: DeliveryKey, atMs: number): Promise<boolean>;
  unschedule(message: DeliveryMessage): Promise<void>;
  record(attempt: DeliveryAttempt): Promise<void>;
  /** Whether the attempt of this number is in the log. */
  isRecorded(message: DeliveryMessage, attempt: number): Promise<boolean>;
}

export interface DeliveryObserver {
  attempted(outcome: AttemptOutcome, durationMs: number): void;
  postponed(reason: PostponeReason): void;
}

interface Delivery {
  readonly message: DeliveryMessage;
  readonly webhook: Webhook;
  readonly endpoint: EndpointAdmission;
  readonly secrets: readonly string[];
  readonly wasInterrupted: boolean;
  readonly givenBack: AbortSignal;
}

type PostponeReason = "concurrency" | "circuit";

interface Conclusion {
  readonly outcome: AttemptOutcome;
  readonly error: string | null;
  readonly nextAtMs?: number;
}

/**
 * `wasInterrupted`: the message was taken before, and not acked. Once `givenBack` aborts the message is another process's:
 * a request that has no answer by then is not recorded, one that was answered is. Rejects to have the message come again.
 */
export type Deliver = (message: DeliveryMessage, wasInterrupted: boolean, givenBack: AbortSignal) => Promise<void>;

export function createDeliver(deps: DeliverDeps): Deliver {
  const { webhooks, admissions, slots, health, queue, queueFill, backlog, unseal, send, nowMs, random, observe } = deps;

  /** A delivery is abandoned only by a fresh view: its webhook may have been created or enabled a moment ago. */
  async function findReceiver({ accountId, webhookId }: DeliveryMessage): Promise<Webhook | undefined> {
    if (webhooks.find(accountId, webhookId)?.status.kind !== "enabled") await webhooks.refresh(accountId);
    return webhooks.find(accountId, webhookId);
  }

  async function abandon(message: DeliveryMessage, error: string): Promise<void> {
    const entry = logEntry(message, message.attempts + 1, nowMs());
    await queue.record({ ...entry, outcome: "abandoned", error, body: message.body });
    observe.attempted("abandoned", 0);
  }

  /** The endpoint gets no more deliveries: its others are abandoned as they come up, and none is brought forward. */
  async function abandonAndClearBacklog(message: DeliveryMessage, error: string): Promise<void> {
    backlog.clear(message.webhookId);
    await abandon(message, error);
  }

  /** Why no delivery to this endpoint may be stored for later; undefined when it may. */
  function refusalToPostpone({ webhook, endpoint }: Delivery): string | undefined {
    return refusalToQueue(queueFill(), webhook.failingSince !== null || endpoint.circuit(nowMs()) !== "closed");
  }

  async function postponeOrAbandon(delivery: Delivery, reason: PostponeReason): Promise<void> {
    const { message, endpoint, wasInterrupted } = delivery;
    const refusal = refusalToPostpone(delivery);
    if (refusal === undefined) return await postpone(delivery, reason);
    // As for an attempt: the interrupted one may have stored a retry.
    if (wasInterrupted) await queue.unschedule(message);
    await abandon(message, `nothing was sent: ${refusal}`);
    backlog.remove(message);
    promoteNext(message.webhookId, endpoint);
  }

  async function postpone({ message, endpoint }: Delivery, reason: PostponeReason): Promise<void> {
    observe.postponed(reason);
    const atMs = backlog.fallbackAtMs(nowMs());
    if (!message.postponed && message.attempts === 0) {
      const why = reason === "circuit" ? "the endpoint is failing" : "the endpoint has its full number of requests";
      await queue.record({
        ...logEntry(message, 0, nowMs()),
        outcome: "postponed",
        error: `${why}; nothing was sent yet`,
        nextAttemptAt: isoTime(atMs),
        body: message.body,
      });
    }
    await queue.schedule({ ...message, postponed: true }, atMs);
    backlog.add(message);
    promoteNext(message.webhookId, endpoint);
  }

  /** Called after whatever may have freed concurrency, or may have left a backlog that nobody would promote. */
  function promoteNext(webhookId: string, endpoint: EndpointAdmission): void {
    const { count, atMs } = endpoint.takePromotions(backlog.pending(webhookId), nowMs());
    backlog.promote(webhookId, count, atMs);
  }

  /** Decides what follows from the answer, updates the webhook's health, and stores the retry if there is one. */
  async function conclude(delivery: Delivery, sent: SendOutcome): Promise<Conclusion> {
    const { message, webhook } = delivery;
    if (sent.kind === "answered" && sent.status >= 200 && sent.status < 300) {
      await health.succeeded(webhook);
      return { outcome: "succeeded", error: null };
    }
    const error = sent.kind === "answered" ? `the endpoint answered ${sent.status}` : sent.error;
    if (sent.kind === "answered" && sent.status === 410) {
      await health.gone(webhook);
      return { outcome: "abandoned", error: `${error}: the webhook was disabled` };
    }
    if ((await health.failed(webhook)) === "disabled") {
      return { outcome: "abandoned", error: `${error}; the webhook was disabled after three days of failure` };
    }
    const failures = message.failures + 1;
    const retry = nextRetry(failures, sent.kind === "answered" ? sent.retryAfterMs : undefined, random());
    if (retry.kind === "exhausted") return { outcome: "exhausted", error };
    const refusal = refusalToPostpone(delivery);
    if (refusal !== undefined) return { outcome: "abandoned", error: `${error}; not tried again: ${refusal}` };
    const nextAtMs = nowMs() + retry.afterMs;
    const { postponed: _, ...tried } = message;
    await queue.schedule({ ...tried, attempts: message.attempts + 1, failures }, nextAtMs);
    return { outcome: "retrying", error, nextAtMs };
  }

  async function attempt(delivery: Delivery, slot?: Slot): Promise<void> {
    const { message, webhook, endpoint, wasInterrupted } = delivery;
    const startedAtMs = nowMs();
    const sent = await send(signedPost(delivery, startedAtMs));
    assertHeld(delivery, sent);
    slot?.answered();
    endpoint.complete(requestOutcome(sent), nowMs(), slots.isBusy());
    promoteNext(webhook.id, endpoint);
    failpoint("deliver:after-send");
    const writingSinceMs = performance.now();
    const { outcome, error, nextAtMs } = await conclude(delivery, sent);
    // The interrupted attempt may have failed and stored a retry.
    if (wasInterrupted && outcome !== "retrying") await queue.unschedule(message);
    const number = message.attempts + 1;
    await queue.record({
      ...logEntry(message, number, startedAtMs),
      outcome,
      status: sent.kind === "answered" ? sent.status : null,
      durationMs: sent.durationMs,
      responseHead: sent.kind === "answered" ? sent.head : "",
      error,
      nextAttemptAt: nextAtMs === undefined ? null : isoTime(nextAtMs),
      // The first entry expires before that of the last attempt, two days later, so a failed delivery keeps its own.
      ...(number === 1 || deliveryStatusFor(outcome) === "failed" ? { body: message.body } : {}),
    });
    slots.recordWrite(performance.now() - writingSinceMs);
    observe.attempted(outcome, sent.durationMs);
  }

  async function sendOrPostpone(delivery: Delivery): Promise<void> {
    const { endpoint } = delivery;
    const decision = endpoint.admit(nowMs(), delivery.message.event === "webhook.test");
    if (decision.kind === "rejected") return await postponeOrAbandon(delivery, decision.reason);
    backlog.remove(delivery.message);
    if (!decision.isFast) return await attempt(delivery);
    let isOverdue = false;
    const slot = await acquireSlot(slots, delivery, () => {
      isOverdue = true;
      endpoint.beginOverdue();
    });
    try {
      if (endpoint.isFast) return await attempt(delivery, slot);
    } finally {
      slot.release();
      if (isOverdue) endpoint.endOverdue();
    }
    // The endpoint began to fail while this delivery waited for its slot: ask for admission again.
    endpoint.cancel();
    await sendOrPostpone(delivery);
  }

  return async (message, wasInterrupted, givenBack) => {
    if (wasInterrupted && (await queue.isRecorded(message, message.attempts + 1))) return;
    const webhook = await findReceiver(message);
    if (webhook === undefined) return await abandonAndClearBacklog(message, "the webhook was removed");
    const isReceiving = webhook.status.kind === "enabled" || message.event === "webhook.test";
    if (!isReceiving) return await abandonAndClearBacklog(message, "the webhook is disabled");
    // Throws when a secret is sealed under a key that is not configured.
    const secrets = signingSecrets(webhook.secrets, nowMs()).map(unseal);
    const endpoint = admissions.get(webhook.id, webhook.failingSince === null);
    await sendOrPostpone({ message, webhook, endpoint, secrets, wasInterrupted, givenBack });
  };
}

async function acquireSlot(
  slots: Pick<SendSlots, "acquire">,
  { webhook, endpoint }: Delivery,
  onOverdue: () => void,
): Promise<Slot> {
  try {
    return await slots.acquire({ id: webhook.id, hasAnswered: endpoint.hasAnswered }, onOverdue);
  } catch (error) {
    endpoint.cancel();
    throw error;
  }
}

/** A request without an answer that this process broke off at its stop is no attempt: there is nothing to record. */
function assertHeld({ givenBack }: Delivery, sent: SendOutcome): void {
  if (sent.kind === "unanswered") givenBack.throwIfAborted();
}

function signedPost({ message: { body, eventId }, webhook, secrets }: Delivery, nowMs: number): Post {
  return { url: webhook.url, headers: signatureHeaders(eventId, Math.floor(nowMs / 1000), body, secrets), body };
}

function requestOutcome(sent: SendOutcome): RequestOutcome {
  const hasFailed = sent.kind === "unanswered" || sent.status === 429 || sent.status >= 500;
  return hasFailed ? { kind: "failed" } : { kind: "answered", durationMs: sent.durationMs };
}

function logEntry(message: DeliveryMessage, attempt: number, atMs: number): Omit<DeliveryAttempt, "outcome"> {
  const { accountId, webhookId, eventId, event, jobId } = message;
  return {
    v: 1,
    accountId,
    webhookId,
    eventId,
    event,
    jobId,
    attempt,
    at: isoTime(atMs),
    status: null,
    durationMs: 0,
    responseHead: "",
    error: null,
    nextAttemptAt: null,
  };
}

/**
 * Decides whether a delivery may wait in the queue, by how full that is. A retry waits up to a day there, and nats-server
 * cannot limit a stream with schedules: at the default size 181,000 waiting deliveries of one account with dead endpoints
 * would fill what all accounts share. Edits used to be refused then; deliveries are dropped instead:
 *
 *   fill of the queue     failing endpoint   other endpoint
 *   up to half            waits              waits
 *   more than half        ends as failed     waits
 *   more than nine tenths ends as failed     ends as failed
 *
 * Each was attempted at least once, or was due while the circuit was open or the concurrency limit was reached. Its last
 * attempt is logged as `abandoned` with the body, so `redeliver-failed` can send it for 72 hours; a new outcome would have broken
 * clients that know five. An endpoint that succeeds now and then is not failing, so its retries can fill the queue up to
 * nine tenths. A share for each account would prevent that, at the price of counting bytes by account.
 */

/** Share of the queue's bytes above which no endpoint's deliveries wait. */
const fullFill = 0.9;

/**
 * Why a delivery may not wait, for people; undefined when it may. `fill`: the part of its bytes that the queue has.
 * `isFailing`: the endpoint has not succeeded since a failure, or its circuit is not closed.
 */
export function refusalToQueue(fill: number, isFailing: boolean): string | undefined {
  if (fill > fullFill) return "too many deliveries wait";
  if (fill > fillMax(streams.deliveries) && isFailing) return "too many deliveries wait, and the endpoint is failing";
  return undefined;
}
