/** Webhooks as records; the webhook service delivers. */
import type { Account } from "@packshot/domain/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { eventWrite, type WebhookEventKind, type WebhookTestEvent, webhookEventKinds } from "@packshot/domain/event.ts";
import type { IdempotencyRecord } from "@packshot/domain/idempotency.ts";
import { isoTime, isUuid, uuidv7 } from "@packshot/domain/ids.ts";
import type { Metadata } from "@packshot/domain/job.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import { newWebhookSecret, secretOverlapMs } from "@packshot/domain/webhook-secret.ts";
import type { Webhook } from "@packshot/domain/webhook.ts";
import type { Versioned, Write } from "@packshot/domain/write.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import { type AllowList, checkTarget } from "@packshot/platform/outbound/address-guard.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import { assertSameRequest, type IdempotencyKey } from "../../idempotency/idempotency-key.ts";
import { listRecords } from "../../records/list-records.ts";

const webhooksMax = 1_000;

export interface WebhookDeps extends AccountDeps {
  readonly seal: Seal;
  readonly allow: AllowList;
}

export interface NewWebhook {
  readonly url: string;
  readonly events?: readonly WebhookEventKind[];
  readonly description?: string;
  readonly metadata?: Metadata;
}

export interface WebhookOwner {
  readonly accountId: string;
  readonly live: boolean;
}

export type CreatedWebhook =
  | { readonly kind: "created"; readonly webhook: Webhook; readonly secret: string }
  | { readonly kind: "replayed"; readonly record: IdempotencyRecord };

/** Throws `invalid_request` (the URL), `limit_reached`, `idempotency_key_reused`. */
export async function createWebhook(
  parts: WebhookDeps,
  owner: WebhookOwner,
  order: NewWebhook,
  claim: IdempotencyKey | undefined,
  answerBody: (webhook: Webhook, secret: string) => unknown,
): Promise<CreatedWebhook> {
  checkTarget(order.url, { allow: parts.allow, purpose: "webhook" });
  const now = parts.nowMs();
  const secret = newWebhookSecret();
  const webhook: Webhook = {
    v: 1,
    id: uuidv7(now),
    ...owner,
    url: order.url,
    events: order.events ?? webhookEventKinds,
    description: order.description ?? "",
    metadata: order.metadata ?? {},
    status: { kind: "enabled" },
    createdAt: isoTime(now),
    secrets: [{ sealed: parts.seal.seal(secret), validUntil: null }],
    failingSince: null,
  };
  const subject = subjects.webhook(owner.accountId, webhook.id);
  const created: CreatedWebhook = { kind: "created", webhook, secret };
  return await commitAccount<CreatedWebhook>(parts, "create-webhook", owner.accountId, async (account, attempt) => {
    if (attempt > 1 && (await parts.log.read(subject)).sequence > 0) return { done: created };
    if (claim !== undefined) {
      const { value: record } = await parts.log.read<IdempotencyRecord>(claim.subject);
      if (record !== undefined) {
        assertSameRequest(record, claim);
        return { done: { kind: "replayed", record } };
      }
    }
    assertRoom(account);
    const writes: Write[] = [{ subject, value: webhook, expected: 0 }];
    if (claim !== undefined) {
      // The first answer holds the secret: it lies sealed like the secret itself.
      const body = { sealed: parts.seal.seal(JSON.stringify(answerBody(webhook, secret))) };
      const { fingerprint } = claim;
      const value: IdempotencyRecord = { v: 1, fingerprint, status: 201, body, subjectId: webhook.id };
      writes.push({ subject: claim.subject, value, expected: 0, ttlSeconds: ttlSeconds.idempotency });
    }
    return { account: { ...account, webhooks: account.webhooks + 1 }, writes, answer: created };
  });
}

function assertRoom({ webhooks, limits }: Account): void {
  if (webhooks < limits.maxWebhooks) return;
  throw new PackshotError("limit_reached", `The plan allows ${limits.maxWebhooks} webhooks: remove one first.`);
}

/** From the leader. Throws `not_found`. */
export async function readWebhook(
  { log }: WebhookDeps,
  { accountId, live }: WebhookOwner,
  webhookId: string,
): Promise<Versioned<Webhook>> {
  const unknown = () => new PackshotError("not_found", "There is no such webhook in this account.");
  if (!isUuid(webhookId)) throw unknown();
  const { value, sequence } = await log.read<Webhook>(subjects.webhook(accountId, webhookId));
  if (value === undefined || value.live !== live) throw unknown();
  return { value, sequence };
}

/** Oldest first. */
export async function listWebhooks({ log }: WebhookDeps, { accountId, live }: WebhookOwner): Promise<Webhook[]> {
  const records = await listRecords<Webhook>(log, `ps.webhook.${accountId}.*`, webhooksMax);
  return records
    .map(({ value }) => value)
    .filter((webhook) => webhook.live === live)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

export interface WebhookChange extends Partial<NewWebhook> {
  readonly enabled?: boolean;
}

/** Throws `not_found`, `invalid_request`. */
export async function updateWebhook(
  parts: WebhookDeps,
  owner: WebhookOwner,
  webhookId: string,
  change: WebhookChange,
): Promise<Webhook> {
  if (change.url !== undefined) checkTarget(change.url, { allow: parts.allow, purpose: "webhook" });
  const { enabled, ...fields } = change;
  return await rewrite(parts, "update-webhook", owner, webhookId, (webhook) => ({
    ...webhook,
    ...fields,
    ...(enabled === true ? { status: { kind: "enabled" }, failingSince: null } : {}),
    ...(enabled === false ? { status: { kind: "disabled", reason: "client", at: isoTime(parts.nowMs()) } } : {}),
  }));
}

/** The old secret signs beside the new one for a day. */
export async function rotateWebhookSecret(
  parts: WebhookDeps,
  owner: WebhookOwner,
  webhookId: string,
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = newWebhookSecret();
  const sealed = parts.seal.seal(secret);
  const validUntil = isoTime(parts.nowMs() + secretOverlapMs);
  const webhook = await rewrite(parts, "rotate-secret", owner, webhookId, (before) => {
    const [newest] = before.secrets;
    if (newest?.sealed === sealed) return before;
    return {
      ...before,
      secrets: [{ sealed, validUntil: null }, ...(newest === undefined ? [] : [{ sealed: newest.sealed, validUntil }])],
    };
  });
  return { webhook, secret };
}

async function rewrite(
  parts: WebhookDeps,
  transition: string,
  owner: WebhookOwner,
  webhookId: string,
  change: (webhook: Webhook) => Webhook,
): Promise<Webhook> {
  return await parts.log.transact<Webhook>(transition, async () => {
    const { value: before, sequence } = await readWebhook(parts, owner, webhookId);
    const after = change(before);
    const subject = subjects.webhook(owner.accountId, webhookId);
    return { writes: [{ subject, value: after, expected: sequence }], answer: after };
  });
}

/** Throws `not_found`. */
export async function deleteWebhook(parts: WebhookDeps, owner: WebhookOwner, webhookId: string): Promise<void> {
  const subject = subjects.webhook(owner.accountId, webhookId);
  await readWebhook(parts, owner, webhookId);
  await commitAccount<undefined>(parts, "delete-webhook", owner.accountId, async (account, attempt) => {
    const { value, sequence } = await parts.log.read<Webhook>(subject);
    if (value === undefined) {
      if (attempt > 1) return { done: undefined };
      throw new PackshotError("not_found", "There is no such webhook in this account.");
    }
    return {
      account: { ...account, webhooks: Math.max(0, account.webhooks - 1) },
      writes: [{ subject, value: null, expected: sequence, ttlSeconds: ttlSeconds.seenTombstone }],
      answer: undefined,
    };
  });
}

/** The event goes to this webhook only, enabled or not. Throws `not_found`. */
export async function sendTestEvent(parts: WebhookDeps, owner: WebhookOwner, webhookId: string): Promise<string> {
  await readWebhook(parts, owner, webhookId);
  const now = parts.nowMs();
  const event: WebhookTestEvent = {
    v: 1,
    kind: "test",
    eventId: uuidv7(now),
    createdAt: isoTime(now),
    accountId: owner.accountId,
    webhookId,
  };
  await parts.log.transact("test-webhook", async (attempt) => {
    const write = eventWrite(event);
    if (attempt > 1 && (await parts.log.read(write.subject)).sequence > 0) return { done: undefined };
    return { writes: [write], answer: undefined };
  });
  return event.eventId;
}
