import type { Metadata } from "../jobs/job.ts";
import type { WebhookEventKind } from "./event.ts";
import { shardOf } from "../shard.ts";
import { subjects, ttlSeconds } from "../subjects.ts";
import type { Write } from "../write.ts";

/** A registered endpoint. Its secrets are encrypted (AES-256-GCM under the master key), not hashed: they must sign. */
export interface Webhook {
  readonly v: 1;
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  /** Registered with a live key it gets the events of live jobs, with a test key those of test jobs. */
  readonly live: boolean;
  readonly events: readonly WebhookEventKind[];
  readonly description: string;
  readonly metadata: Metadata;
  readonly status:
    | { readonly kind: "enabled" }
    | { readonly kind: "disabled"; readonly reason: "operator" | "client" | "gone" | "failing"; readonly at: string };
  readonly createdAt: string;
  /** Newest first. After a rotation the older one still signs until `validUntil`. */
  readonly secrets: readonly { readonly sealed: string; readonly validUntil: string | null }[];
  /** When deliveries began to fail, without a success since; null while the endpoint is healthy. */
  readonly failingSince: string | null;
}

/**
 * Stores a webhook, or ends it. The record of the shard's last change follows it in the batch: views of webhooks wait for it, and
 * need not search the log for the newest webhook. `expected` is absent only for an unconditional write.
 */
export function webhookWrites(
  { accountId, id }: Pick<Webhook, "accountId" | "id">,
  value: Webhook | null,
  expected?: number,
): Write[] {
  const subject = subjects.webhook(accountId, id);
  const condition = expected === undefined ? {} : { expected };
  const record: Write =
    value === null
      ? { subject, value, ...condition, ttlSeconds: ttlSeconds.credentialTombstone }
      : { subject, value, ...condition };
  return [record, { subject: subjects.webhookChange(shardOf(accountId)), value: { v: 1, accountId, webhookId: id } }];
}
