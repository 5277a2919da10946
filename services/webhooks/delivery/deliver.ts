/**
 * Brings one delivery from the queue to its next state. It writes, in this order, the retry's schedule, the attempt's
 * log entry, and (in the caller) the ack. A message that comes again was interrupted in between: when its attempt is
 * in the log the retry is stored too, so nothing is sent again.
 */

import { isoTime } from "@packshot/domain/ids.ts";
import {
  type AttemptOutcome,
  type DeliveryMessage,
  deliveryStatusFor,
  nextRetry,
} from "@packshot/domain/webhooks/delivery.ts";
import { contentTypeOf } from "@packshot/domain/webhooks/envelope.ts";
import { signingSecrets, type Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { EventDestination, OutgoingEvent, Post } from "../destinations/event-destination.ts";
import type { OpenDestination } from "../destinations/open-destination.ts";
import type { EndpointAdmissions, RequestOutcome } from "./endpoint-admission.ts";
import type { EndpointHealth } from "./endpoint-health.ts";
import type { EndpointLimits, Turn } from "./endpoint-limits.ts";
import { createPostponement, logEntry, type PostponementDeps, type TakenDelivery } from "./postpone.ts";
import { type SendOutcome, signatureHeaders } from "./send.ts";
import type { SendSlots, Slot } from "./send-slots.ts";

export interface DeliverDeps extends PostponementDeps {
  readonly webhooks: Webhooks;
  readonly admissions: Pick<EndpointAdmissions, "get">;
  readonly limits: Pick<EndpointLimits, "enter" | "room" | "update">;
  readonly slots: Pick<SendSlots, "acquire" | "isBusy" | "recordWrite">;
  readonly health: EndpointHealth;
  readonly unseal: (sealed: string) => string;
  readonly openDestination: OpenDestination;
  readonly send: (post: Post) => Promise<SendOutcome>;
  readonly random: () => number;
}

export interface Webhooks {
  find(accountId: string, webhookId: string): Webhook | undefined;
  /** Resolves when `find` knows every change that was committed before this call. */
  refresh(accountId: string): Promise<void>;
}

interface Delivery extends TakenDelivery {
  readonly secrets: readonly string[];
  readonly destination: EventDestination;
  readonly givenBack: AbortSignal;
}

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
  const { webhooks, admissions, limits, slots, health, queue, backlog, nowMs, random, observe } = deps;
  const { unseal, openDestination, send } = deps;
  const { abandon, abandonAndClearBacklog, refusalToPostpone, postponeOrAbandon, promoteNext } =
    createPostponement(deps);

  /**
   * The webhook, or why the delivery is abandoned. That is only by a fresh view: it may have been created or enabled a moment
   * ago.
   */
  async function findReceiver({ accountId, webhookId, event }: DeliveryMessage): Promise<Webhook | string> {
    if (webhooks.find(accountId, webhookId)?.status.kind !== "enabled") await webhooks.refresh(accountId);
    const webhook = webhooks.find(accountId, webhookId);
    if (webhook === undefined) return "the webhook was removed";
    return webhook.status.kind === "enabled" || event === "webhook.test" ? webhook : "the webhook is disabled";
  }

  /** Decides what follows from the answer, updates the webhook's health, and stores the retry if there is one. */
  async function conclude(delivery: Delivery, sent: SendOutcome): Promise<Conclusion> {
    const { message, webhook } = delivery;
    if (isSuccess(sent)) {
      await health.succeeded(webhook);
      return { outcome: "succeeded", error: null };
    }
    const error = sent.kind === "answered" ? (sent.refusal ?? `the endpoint answered ${sent.status}`) : sent.error;
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

  async function attempt(delivery: Delivery, turn: Turn, slot?: Slot): Promise<void> {
    const { message, webhook, endpoint, wasInterrupted } = delivery;
    const startedAtMs = nowMs();
    turn.began();
    const sent = await sendTo(delivery.destination, outgoingEvent(delivery, startedAtMs), send);
    assertHeld(delivery, sent);
    slot?.answered();
    turn.release();
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

  async function sendOrPostpone(delivery: Delivery, turn: Turn): Promise<void> {
    const { endpoint } = delivery;
    const decision = endpoint.admit(nowMs(), delivery.message.event === "webhook.test");
    if (decision.kind === "rejected") return await postponeOrAbandon(delivery, decision.reason);
    backlog.remove(delivery.message);
    if (!decision.isFast) return await attempt(delivery, turn);
    let isOverdue = false;
    const slot = await acquireSlot(slots, delivery, () => {
      isOverdue = true;
      endpoint.beginOverdue();
    });
    try {
      if (endpoint.isFast) return await attempt(delivery, turn, slot);
    } finally {
      slot.release();
      if (isOverdue) endpoint.endOverdue();
    }
    // The endpoint began to fail while this delivery waited for its slot: ask for admission again.
    endpoint.cancel();
    await sendOrPostpone(delivery, turn);
  }

  /** Throws when the newest secret is sealed under a key that is not configured. */
  function openReceiver(webhook: Webhook): Pick<Delivery, "webhook" | "secrets" | "destination"> {
    const sealed = signingSecrets(webhook.secrets, nowMs());
    const secrets = [...sealed.slice(0, 1).map(unseal), ...sealed.slice(1).flatMap(unsealIfPossible)];
    return { webhook, secrets, destination: openDestination(webhook) };
  }

  /** A client who rotates a secret whose key was lost must not wait for a day until the old one has expired. */
  function unsealIfPossible(sealed: string): string[] {
    try {
      return [unseal(sealed)];
    } catch {
      return [];
    }
  }

  return async (message, wasInterrupted, givenBack) => {
    if (wasInterrupted && (await queue.isRecorded(message, message.attempts + 1))) return;
    const webhook = await findReceiver(message);
    if (typeof webhook === "string") return await abandonAndClearBacklog(message, webhook);
    const endpoint = admissions.get(webhook.id, webhook.failingSince === null);
    const delivery = { message, endpoint, wasInterrupted, givenBack, ...openReceiver(webhook) };
    const problem = oversizeProblem(message.body, delivery.destination);
    if (problem !== undefined) {
      backlog.remove(message);
      return await abandon(message, `nothing was sent: ${problem}`);
    }
    const isTest = message.event === "webhook.test";
    // It need not wait for a turn, in which others can send.
    if (!isTest && endpoint.circuit(nowMs()) === "open") return await postponeOrAbandon(delivery, "circuit");
    const entered = limits.enter(webhook, { isPostponed: message.postponed === true, isTest });
    if (entered === undefined) return await postponeOrAbandon(delivery, "limit");
    const turn = await entered;
    try {
      // The client may have changed or disabled the webhook meanwhile.
      const current = await findReceiver(message);
      if (typeof current === "string") return await abandonAndClearBacklog(message, current);
      limits.update(current);
      await sendOrPostpone({ ...delivery, ...openReceiver(current) }, turn);
    } finally {
      turn.release();
    }
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

function outgoingEvent({ message, secrets }: Delivery, nowMs: number): OutgoingEvent {
  const { body, eventId, event, jobId } = message;
  const signature = signatureHeaders(eventId, Math.floor(nowMs / 1000), body, secrets);
  const headers = { ...signature, "content-type": contentTypeOf(body) };
  return { eventId, kind: event, group: jobId ?? eventId, body, headers, nowMs };
}

async function sendTo(
  destination: EventDestination,
  event: OutgoingEvent,
  send: DeliverDeps["send"],
): Promise<SendOutcome> {
  let post: Post;
  try {
    post = await destination.toPost(event);
  } catch (error) {
    return { kind: "unanswered", error: `the request cannot be made: ${(error as Error).message}`, durationMs: 0 };
  }
  const sent = await send(post);
  if (sent.kind === "unanswered" || !isSuccess(sent)) return sent;
  const refusal = destination.refusalIn?.(sent.head);
  return refusal === undefined ? sent : { ...sent, refusal };
}

/** Why no attempt is of use: a queue refuses long messages each time. */
function oversizeProblem(body: string, { bodyBytesMax }: EventDestination): string | undefined {
  const bytes = Buffer.byteLength(body);
  if (bodyBytesMax === undefined || bytes <= bodyBytesMax) return undefined;
  return `the event has ${bytes} bytes, and its destination takes ${bodyBytesMax}`;
}

function isSuccess(sent: SendOutcome): boolean {
  return sent.kind === "answered" && sent.status >= 200 && sent.status < 300 && sent.refusal === undefined;
}

function requestOutcome(sent: SendOutcome): RequestOutcome {
  const hasFailed =
    sent.kind === "unanswered" || sent.status === 429 || sent.status >= 500 || sent.refusal !== undefined;
  return hasFailed ? { kind: "failed" } : { kind: "answered", durationMs: sent.durationMs };
}
