/** All webhooks in memory, projected from `ps.webhook.>`. After `refresh` the view is as new as the log's leader. */
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Webhook } from "@packshot/domain/webhook.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { createProjection } from "@packshot/platform/nats/projection.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

const catchUpTimeoutMs = 5_000;

export interface WebhookView extends Component {
  /** Why the view is behind the log; undefined when it is not. */
  lag(): string | undefined;
  listByAccount(accountId: string): Iterable<Webhook>;
  find(accountId: string, webhookId: string): Webhook | undefined;
  /** Resolves when every change committed before this call is applied: no event misses a webhook made before it. */
  refresh(): Promise<void>;
}

export function createWebhookView({ log, logger }: { log: Log; logger: Logger }): WebhookView {
  const accounts = new Map<string, Map<string, Webhook>>();
  let catchingUp: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function apply(subject: string, webhook: Webhook | undefined): void {
    const [, , accountId, webhookId] = subject.split(".") as [string, string, string, string];
    const webhooks = accounts.get(accountId) ?? new Map<string, Webhook>();
    if (webhook === undefined) webhooks.delete(webhookId);
    else webhooks.set(webhookId, webhook);
    if (webhooks.size === 0) accounts.delete(accountId);
    else accounts.set(accountId, webhooks);
  }

  const projection = createProjection({
    name: "webhook view",
    connection: log.connection,
    logger,
    stream: streams.state,
    filters: ["ps.webhook.>", subjects.webhookChange],
    from: "first",
    apply(message) {
      if (message.subject === subjects.webhookChange) return;
      apply(message.subject, message.data.length === 0 ? undefined : message.json<Webhook>());
    },
  });

  function catchUp(): Promise<void> {
    catchingUp = projection.catchUp(catchUpTimeoutMs, [subjects.webhookChange]).finally(() => {
      catchingUp = undefined;
    });
    return catchingUp;
  }

  return {
    name: projection.name,
    start: projection.start,
    stop: projection.stop,
    lag: projection.lag,
    listByAccount: (accountId) => accounts.get(accountId)?.values() ?? [],
    find: (accountId, webhookId) => accounts.get(accountId)?.get(webhookId),

    // A catch-up under way may have asked the leader before the caller's event, so later callers share the next one.
    refresh() {
      if (catchingUp === undefined) return catchUp();
      next ??= catchingUp
        .catch(() => {})
        .then(() => {
          next = undefined;
          return catchUp();
        });
      return next;
    },
  };
}
