import type { ToolId } from "../edits/tools.ts";
import type { Metadata } from "../jobs/job.ts";
import { shardOf, subjects, ttlSeconds } from "../subjects.ts";
import type { Write } from "../write.ts";
import type { StoredDestination } from "./destination.ts";
import type { WebhookDisabledEvent, WebhookEventKind } from "./event.ts";

/** The shape of the body: our own envelope, or CloudEvents 1.0 in its structured JSON mode. */
export type WebhookFormat = "packshot" | "cloudevents";

/** Requests to one endpoint at once, and the most that a client may set. */
export const endpointConcurrencyMax = 256;

/** A registered endpoint. Its secrets are encrypted (AES-256-GCM under the master key), not hashed: they must sign. */
export interface Webhook {
  readonly v: 1;
  readonly id: string;
  readonly accountId: string;
  /** Where it is posted to, of a queue or a topic too. */
  readonly url: string;
  /** The queue or topic that events go to; absent: they are posted to `url` as they are. */
  readonly destination?: StoredDestination | undefined;
  /** Registered with a live key it gets the events of live jobs, with a test key those of test jobs. */
  readonly live: boolean;
  readonly events: readonly WebhookEventKind[];
  /** Only events of jobs of these tools; absent: of all. */
  readonly tools?: readonly ToolId[] | undefined;
  /** Only events of jobs whose metadata has all of these entries. */
  readonly metadataFilter?: Metadata | undefined;
  /** Absent: packshot. */
  readonly format?: WebhookFormat | undefined;
  /** Requests a second that the endpoint takes; absent or 0: any number. */
  readonly maxPerSecond?: number | undefined;
  /** Requests at once that the endpoint takes; absent: `endpointConcurrencyMax`. */
  readonly maxConcurrent?: number | undefined;
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

/** Secrets as Standard Webhooks defines them: `whsec_` and the base64 of 24 to 64 bytes. */

export const webhookSecretPrefix = "whsec_";
const secretBytes = 32;

export function createWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return webhookSecretPrefix + btoa(String.fromCharCode(...bytes));
}

/** How long the old secret signs beside the new one after a rotation. */
export const secretOverlapMs = 24 * 3600 * 1000;

/** What a signature covers: id and time as in the headers, and the exact text of the body. */
export function signedContent(webhookId: string, timestampSeconds: number, body: string): string {
  return `${webhookId}.${timestampSeconds}.${body}`;
}

/** The sealed secrets that sign now: the newest, and after a rotation the older one while it is valid. */
export function signingSecrets(
  secrets: readonly { readonly sealed: string; readonly validUntil: string | null }[],
  nowMs: number,
): string[] {
  return secrets
    .filter(({ validUntil }) => validUntil === null || Date.parse(validUntil) > nowMs)
    .map(({ sealed }) => sealed);
}

export function webhookDisabledEvent(
  { accountId, id, url, live, metadata, createdAt, failingSince }: Webhook,
  reason: WebhookDisabledEvent["reason"],
  { eventId, at }: { readonly eventId: string; readonly at: string },
): WebhookDisabledEvent {
  const webhook = { id, url, live, metadata, createdAt, failingSince };
  return { v: 1, kind: "webhookdisabled", eventId, createdAt: at, accountId, webhook, reason };
}
