/** Every account's webhooks in memory, following `ps.webhook.>`; asked to be fresh, it is as new as the log's leader. */
import { streams } from "@packshot/domain/subjects.ts";
import type { Webhook } from "@packshot/domain/webhook.ts";
import type { Component } from "@packshot/platform/lifecycle/run.ts";
import { readInOrder } from "@packshot/platform/nats/ordered-reader.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

const allWebhooks = "ps.webhook.>";
const freshnessTimeoutMs = 5_000;

export interface WebhookView extends Component {
  listByAccount(accountId: string): Iterable<Webhook>;
  find(accountId: string, webhookId: string): Webhook | undefined;
  /** Resolves when every change committed before this call is seen: a webhook registered before an event gets it. */
  refresh(): Promise<void>;
}

interface Waiter {
  readonly sequence: number;
  readonly seen: () => void;
}

export function createWebhookView({ log, logger }: { log: Log; logger: Logger }): WebhookView {
  const accounts = new Map<string, Map<string, Webhook>>();
  const waiters = new Set<Waiter>();
  const stopping = new AbortController();
  let following: Promise<void> | undefined;
  let seenSequence = 0;
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;

  function take(subject: string, webhook: Webhook | undefined): void {
    const [, , accountId, webhookId] = subject.split(".") as [string, string, string, string];
    const webhooks = accounts.get(accountId) ?? new Map<string, Webhook>();
    if (webhook === undefined) webhooks.delete(webhookId);
    else webhooks.set(webhookId, webhook);
    if (webhooks.size === 0) accounts.delete(accountId);
    else accounts.set(accountId, webhooks);
  }

  async function follow(): Promise<void> {
    const { connection } = log;
    const reading = { connection, logger, stream: streams.state, filter: allWebhooks, fromSequence: 1 };
    for await (const message of readInOrder({ ...reading, signal: stopping.signal })) {
      take(message.subject, message.data.length === 0 ? undefined : message.json<Webhook>());
      seenSequence = message.seq;
      for (const waiter of waiters) if (waiter.sequence <= seenSequence) waiter.seen();
    }
  }

  async function catchUp(): Promise<void> {
    const { sequence } = await log.read(allWebhooks);
    if (sequence <= seenSequence) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.delete(waiter);
        reject(new Error(`the view of webhooks is behind: ${seenSequence} of ${sequence}`));
      }, freshnessTimeoutMs);
      const waiter: Waiter = {
        sequence,
        seen() {
          clearTimeout(timer);
          waiters.delete(waiter);
          resolve();
        },
      };
      waiters.add(waiter);
    });
  }

  function begin(): Promise<void> {
    running = catchUp().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    name: "webhook view",
    listByAccount: (accountId) => accounts.get(accountId)?.values() ?? [],
    find: (accountId, webhookId) => accounts.get(accountId)?.get(webhookId),

    // One that runs already may have asked the leader before the caller's event: those who come later share the next.
    refresh() {
      if (running === undefined) return begin();
      queued ??= running
        .catch(() => {})
        .then(() => {
          queued = undefined;
          return begin();
        });
      return queued;
    },

    async start() {
      following ??= follow();
      await catchUp();
    },

    async stop() {
      stopping.abort();
      await following;
    },
  };
}
