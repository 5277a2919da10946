/** Has a delivery wait that may not be sent now, or ends it where too many wait. */

import { isoTime } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";
import type { DeliveryAttempt, DeliveryMessage } from "@packshot/domain/webhooks/delivery.ts";
import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { fillMax } from "@packshot/log/nats/streams.ts";
import type { Backlog } from "./backlog.ts";
import type { DeliveryObserver, DeliveryQueue, PostponeReason } from "./delivery-queue.ts";
import type { EndpointAdmission } from "./endpoint-admission.ts";
import type { EndpointLimits } from "./endpoint-limits.ts";

export interface PostponementDeps {
  readonly limits: Pick<EndpointLimits, "room">;
  readonly queue: DeliveryQueue;
  /** The part of its bytes that the queue has; 0 where there is no limit. */
  readonly queueFill: () => number;
  readonly backlog: Backlog;
  readonly nowMs: () => number;
  readonly observe: DeliveryObserver;
}

export interface TakenDelivery {
  readonly message: DeliveryMessage;
  readonly webhook: Webhook;
  readonly endpoint: EndpointAdmission;
  readonly wasInterrupted: boolean;
}

const postponeErrors: Readonly<Record<PostponeReason, string>> = {
  concurrency: "the endpoint has its full number of requests",
  circuit: "the endpoint is failing",
  limit: "the webhook's maxPerSecond or maxConcurrent is reached",
};

export function createPostponement({ limits, queue, queueFill, backlog, nowMs, observe }: PostponementDeps) {
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
  function refusalToPostpone({ webhook, endpoint }: TakenDelivery, reason?: PostponeReason): string | undefined {
    if (reason === "limit") return refusalToQueue(queueFill(), "its webhook is limited");
    const isFailing = webhook.failingSince !== null || endpoint.circuit(nowMs()) !== "closed";
    return refusalToQueue(queueFill(), isFailing ? "the endpoint is failing" : undefined);
  }

  async function postponeOrAbandon(delivery: TakenDelivery, reason: PostponeReason): Promise<void> {
    const { message, endpoint, wasInterrupted } = delivery;
    const refusal = refusalToPostpone(delivery, reason);
    if (refusal === undefined) return await postpone(delivery, reason);
    // As for an attempt: the interrupted one may have stored a retry.
    if (wasInterrupted) await queue.unschedule(message);
    await abandon(message, `nothing was sent: ${refusal}`);
    backlog.remove(message);
    // A line that is full has no place for another.
    if (reason !== "limit") promoteNext(message.webhookId, endpoint);
  }

  async function postpone({ message, endpoint }: TakenDelivery, reason: PostponeReason): Promise<void> {
    observe.postponed(reason);
    const atMs = backlog.fallbackAtMs(nowMs());
    if (!message.postponed && message.attempts === 0) {
      await queue.record({
        ...logEntry(message, 0, nowMs()),
        outcome: "postponed",
        error: `${postponeErrors[reason]}; nothing was sent yet`,
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
    const room = limits.room(webhookId) - backlog.asked(webhookId);
    const { count, atMs } = endpoint.takePromotions(Math.max(0, Math.min(backlog.pending(webhookId), room)), nowMs());
    backlog.promote(webhookId, count, atMs);
  }

  return { abandon, abandonAndClearBacklog, refusalToPostpone, postponeOrAbandon, promoteNext };
}

export function logEntry(message: DeliveryMessage, attempt: number, atMs: number): Omit<DeliveryAttempt, "outcome"> {
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
 *   fill of the queue     failing or limited endpoint   other endpoint
 *   up to half            waits                         waits
 *   more than half        ends as failed                waits
 *   more than nine tenths ends as failed                ends as failed
 *
 * Each was attempted at least once, or was due while the circuit was open or a concurrency limit or the client's limit was
 * reached. Its last attempt is logged as `abandoned` with the body, so `redeliver-failed` can send it for 72 hours; a new
 * outcome would have broken clients that know five. An endpoint that succeeds now and then is not failing, so its retries can
 * fill the queue up to nine tenths. A share for each account would prevent that, at the price of counting bytes by account.
 */

/** Share of the queue's bytes above which no endpoint's deliveries wait. */
const fullFill = 0.9;

/**
 * Why a delivery may not wait, for people; undefined when it may. `fill`: the part of its bytes that the queue has.
 * `fault`: why the endpoint itself makes its deliveries wait: it has not succeeded since a failure, its circuit is not
 * closed, or its client has limited it; undefined for any other.
 */
export function refusalToQueue(fill: number, fault: string | undefined): string | undefined {
  if (fill > fullFill) return "too many deliveries wait";
  if (fill > fillMax(streams.deliveries) && fault !== undefined) return `too many deliveries wait, and ${fault}`;
  return undefined;
}
