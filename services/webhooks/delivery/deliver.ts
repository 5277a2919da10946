/**
 * One delivery from the queue to its next state. What is written, in this order: the retry's schedule, the log of the
 * attempt, then (by the caller) the ack. A delivery that comes back was interrupted in between: an attempt that stands
 * in the log has its schedule stored, so it is settled and nothing is sent again.
 */
import type { AttemptOutcome, DeliveryAttempt, DeliveryKey, DeliveryMessage } from "@packshot/domain/delivery.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import { nextRetry } from "@packshot/domain/retry-schedule.ts";
import type { Webhook } from "@packshot/domain/webhook.ts";
import { signingSecrets } from "@packshot/domain/webhook-secret.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { WebhookView } from "../consumers/webhook-view.ts";
import type { Backlog } from "./backlog.ts";
import type { EndpointGate, GateOutcome, Gates } from "./endpoint-admission.ts";
import type { EndpointHealth } from "./endpoint-health.ts";
import type { Post, SendOutcome } from "./send.ts";
import type { SendSlots, Slot } from "./send-slots.ts";
import { signatureHeaders } from "./signature.ts";

export interface DeliverOptions {
  readonly webhooks: WebhookView;
  readonly gates: Pick<Gates, "of">;
  readonly slots: Pick<SendSlots, "acquire" | "isBusy" | "wrote">;
  readonly health: EndpointHealth;
  readonly queue: DeliveryQueue;
  readonly backlog: Backlog;
  readonly unseal: (sealed: string) => string;
  readonly send: (post: Post) => Promise<SendOutcome>;
  readonly clock: () => number;
  readonly random: () => number;
  readonly observe: DeliveryObserver;
}

/** Where a delivery's future is stored; each call resolves when it is. */
export interface DeliveryQueue {
  schedule(message: DeliveryMessage, atMs: number): Promise<void>;
  /** Brings one that was postponed forward; false when it does not wait any more. */
  call(delivery: DeliveryKey, atMs: number): Promise<boolean>;
  unschedule(message: DeliveryMessage): Promise<void>;
  record(attempt: DeliveryAttempt): Promise<void>;
  /** Whether the attempt of this number stands in the log. */
  isRecorded(message: DeliveryMessage, attempt: number): Promise<boolean>;
}

export interface DeliveryObserver {
  attempted(outcome: AttemptOutcome, durationMs: number): void;
  postponed(reason: "concurrency" | "circuit"): void;
}

interface Delivery {
  readonly message: DeliveryMessage;
  readonly webhook: Webhook;
  readonly secrets: readonly string[];
  readonly cameBack: boolean;
}

interface Verdict {
  readonly outcome: AttemptOutcome;
  readonly error: string | null;
  readonly nextAtMs?: number;
}

export function createDeliver(options: DeliverOptions): (message: DeliveryMessage, cameBack: boolean) => Promise<void> {
  const { webhooks, gates, slots, health, queue, backlog, unseal, send, clock, random, observe } = options;

  /** Before one is given up for its webhook the view is made fresh: it may have been made or enabled a moment ago. */
  async function receiver(message: DeliveryMessage): Promise<Webhook | undefined> {
    const { accountId, webhookId } = message;
    if (webhooks.find(accountId, webhookId)?.status.kind !== "enabled") await webhooks.freshen();
    return webhooks.find(accountId, webhookId);
  }

  async function postpone(
    message: DeliveryMessage,
    gate: EndpointGate,
    reason: "concurrency" | "circuit",
  ): Promise<void> {
    observe.postponed(reason);
    const atMs = backlog.returnAtMs(clock());
    if (!message.postponed && message.attempts === 0) {
      const why = reason === "circuit" ? "the endpoint is failing" : "the endpoint has its full number of requests";
      await queue.record({
        ...entryOf(message, 0, clock()),
        outcome: "postponed",
        error: `${why}; nothing was sent yet`,
        nextAttemptAt: isoTime(atMs),
        body: message.body,
      });
    }
    await queue.schedule({ ...message, postponed: true }, atMs);
    backlog.add(message);
    callNext(message.webhookId, gate);
  }

  /** After anything that may have made room at an endpoint, or left its backlog without anyone to call it. */
  function callNext(webhookId: string, gate: EndpointGate): void {
    const { count, atMs } = gate.takeCalls(backlog.waiting(webhookId), clock());
    backlog.call(webhookId, count, atMs);
  }

  /** Decides what follows from an attempt, and stores the retry where there is one. */
  async function judge(message: DeliveryMessage, webhook: Webhook, sent: SendOutcome): Promise<Verdict> {
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
    const nextAtMs = clock() + retry.afterMs;
    const { postponed: _, ...tried } = message;
    await queue.schedule({ ...tried, attempts: message.attempts + 1, failures }, nextAtMs);
    return { outcome: "retrying", error, nextAtMs };
  }

  /** Throws when a secret is sealed under a key that is not configured. */
  function secretsOf(webhook: Webhook): string[] {
    return signingSecrets(webhook.secrets, clock()).map(unseal);
  }

  function signedPost({ message: { body, eventId }, webhook, secrets }: Delivery, nowMs: number): Post {
    return { url: webhook.url, headers: signatureHeaders(eventId, Math.floor(nowMs / 1000), body, secrets), body };
  }

  async function attempt(delivery: Delivery, gate: EndpointGate, slot?: Slot): Promise<void> {
    const { message, webhook, cameBack } = delivery;
    const startedAtMs = clock();
    const sent = await send(signedPost(delivery, startedAtMs));
    slot?.answered();
    gate.leave(gateOutcomeOf(sent), clock(), slots.isBusy());
    callNext(webhook.id, gate);
    failpoint("deliver:after-send");
    const writingSinceMs = performance.now();
    const verdict = await judge(message, webhook, sent);
    // Before the crash this delivery may have failed and left a retry behind.
    if (cameBack && verdict.outcome !== "retrying") await queue.unschedule(message);
    const number = message.attempts + 1;
    await queue.record({
      ...entryOf(message, number, startedAtMs),
      outcome: verdict.outcome,
      status: sent.kind === "answered" ? sent.status : null,
      durationMs: sent.durationMs,
      responseHead: sent.kind === "answered" ? sent.head : "",
      error: verdict.error,
      nextAttemptAt: verdict.nextAtMs === undefined ? null : isoTime(verdict.nextAtMs),
      ...(number === 1 ? { body: message.body } : {}),
    });
    slots.wrote(performance.now() - writingSinceMs);
    observe.attempted(verdict.outcome, sent.durationMs);
  }

  async function sendWhenFree(delivery: Delivery, gate: EndpointGate): Promise<void> {
    const answer = gate.enter(clock(), delivery.message.event === "webhook.test");
    if (answer.kind === "later") return await postpone(delivery.message, gate, answer.reason);
    backlog.remove(delivery.message);
    if (!answer.isPrompt) return await attempt(delivery, gate);
    let isLagging = false;
    const slot = await slots.acquire({ id: delivery.webhook.id, isProven: gate.isProven }, () => {
      isLagging = true;
      gate.beginLag();
    });
    try {
      if (gate.isPrompt) return await attempt(delivery, gate, slot);
    } finally {
      slot.release();
      if (isLagging) gate.endLag();
    }
    // While it waited the endpoint began to fail: ask again.
    gate.withdraw();
    await sendWhenFree(delivery, gate);
  }

  return async (message, cameBack) => {
    if (cameBack && (await queue.isRecorded(message, message.attempts + 1))) return;
    const webhook = await receiver(message);
    const isEnabled = webhook?.status.kind === "enabled" || message.event === "webhook.test";
    if (webhook === undefined || !isEnabled) {
      backlog.forget(message.webhookId);
      const error = webhook === undefined ? "the webhook was removed" : "the webhook is disabled";
      const entry = entryOf(message, message.attempts + 1, clock());
      await queue.record({ ...entry, outcome: "abandoned", error, body: message.body });
      observe.attempted("abandoned", 0);
      return;
    }
    const delivery: Delivery = { message, webhook, cameBack, secrets: secretsOf(webhook) };
    await sendWhenFree(delivery, gates.of(webhook.id, webhook.failingSince === null));
  };
}

function gateOutcomeOf(sent: SendOutcome): GateOutcome {
  const unwell = sent.kind === "unanswered" || sent.status === 429 || sent.status >= 500;
  return unwell ? { kind: "unwell" } : { kind: "answered", durationMs: sent.durationMs };
}

function entryOf(message: DeliveryMessage, attempt: number, atMs: number): Omit<DeliveryAttempt, "outcome"> {
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
