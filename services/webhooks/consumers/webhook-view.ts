/** All webhooks in memory, projected from their records. After `refresh` the view is as new as the log's leader. */
import { shardOf, subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { createStateProjection } from "@packshot/log/follow/projection.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

const catchUpTimeoutMs = 5_000;

export interface WebhookView extends Component {
  /** Why the view is behind the log; undefined when it is not. */
  lag(): string | undefined;
  listByAccount(accountId: string): Iterable<Webhook>;
  find(accountId: string, webhookId: string): Webhook | undefined;
  /** Resolves when every change of the account's webhooks before this call is applied: no event misses one made before it. */
  refresh(accountId: string): Promise<void>;
}

export function createWebhookView({ log, logger }: { log: Log; logger: Logger }): WebhookView {
  const accounts = new Map<string, Map<string, Webhook>>();
  /** By shard: the catch-up under way, and the one that follows it. */
  const catchingUp = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();

  function apply(subject: string, webhook: Webhook | undefined): void {
    const { accountId, ids } = subjectTokens(subject);
    const webhookId = ids[0]!;
    const webhooks = accounts.get(accountId) ?? new Map<string, Webhook>();
    if (webhook === undefined) webhooks.delete(webhookId);
    else webhooks.set(webhookId, webhook);
    if (webhooks.size === 0) accounts.delete(accountId);
    else accounts.set(accountId, webhooks);
  }

  const projection = createStateProjection({
    name: "webhook view",
    log,
    logger,
    filters: [subjects.webhook("*", "*"), subjects.webhookChange("*")],
    from: "first",
    apply(message) {
      if (subjectTokens(message.subject).kind === "change") return;
      apply(message.subject, message.data.length === 0 ? undefined : message.json<Webhook>());
    },
  });

  async function readAll(shard: string): Promise<void> {
    const subject = subjects.webhookChange(shard);
    // The change tells nothing of webhooks from before it was first written: a migration leaves it out.
    if (!(await projection.caughtUp(subject, catchUpTimeoutMs))) throw new Error(projection.lag());
    await projection.catchUp(subject, catchUpTimeoutMs);
  }

  function catchUp(shard: string): Promise<void> {
    const running = readAll(shard).finally(() => catchingUp.delete(shard));
    catchingUp.set(shard, running);
    return running;
  }

  return {
    name: projection.name,
    start: projection.start,
    stop: projection.stop,
    lag: projection.lag,
    listByAccount: (accountId) => accounts.get(accountId)?.values() ?? [],
    find: (accountId, webhookId) => accounts.get(accountId)?.get(webhookId),

    // A catch-up under way may have asked the leader before the caller's event, so later callers share the next one.
    refresh(accountId) {
      const shard = shardOf(accountId);
      const running = catchingUp.get(shard);
      if (running === undefined) return catchUp(shard);
      const following =
        next.get(shard) ??
        running
          .catch(() => {})
          .then(() => {
            next.delete(shard);
            return catchUp(shard);
          });
      next.set(shard, following);
      return following;
    },
  };
}
