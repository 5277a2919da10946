import type { Account } from "@packshot/domain/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { type WebhookEventKind, webhookEventKinds } from "@packshot/domain/event.ts";
import type { IdempotencyRecord } from "@packshot/domain/idempotency.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { Metadata } from "@packshot/domain/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { type Webhook, webhookWrites } from "@packshot/domain/webhook.ts";
import { createWebhookSecret } from "@packshot/domain/webhook-secret.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import { type AllowList, checkTarget } from "@packshot/platform/outbound/address-guard.ts";
import type { Realm } from "../../access/caller.ts";
import { findReplay, type IdempotencyKey, idempotencyWrites } from "../../idempotency/idempotency-key.ts";
import { indexWrite } from "../../records/account-index.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";

export interface CreateWebhookDeps extends AccountDeps {
  readonly seal: Seal;
  /** Private addresses that webhooks may have. */
  readonly allow: AllowList;
}

export interface NewWebhook {
  readonly url: string;
  readonly events?: readonly WebhookEventKind[];
  readonly description?: string;
  readonly metadata?: Metadata;
}

export interface CreateWebhookInput {
  readonly realm: Realm;
  readonly newWebhook: NewWebhook;
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** The body of the response, which the idempotency record keeps. */
  readonly responseBody: (webhook: Webhook, secret: string) => unknown;
}

export type CreatedWebhook =
  | { readonly kind: "created"; readonly webhook: Webhook; readonly secret: string }
  | { readonly kind: "replayed"; readonly record: IdempotencyRecord };

/** Throws `invalid_request` (the URL), `limit_reached`, `idempotency_key_reused`. */
export async function createWebhook(
  deps: CreateWebhookDeps,
  { realm, newWebhook, idempotencyKey, responseBody }: CreateWebhookInput,
): Promise<CreatedWebhook> {
  const { log, seal, allow, nowMs } = deps;
  checkTarget(newWebhook.url, { allow, purpose: "webhook" });
  const now = nowMs();
  const secret = createWebhookSecret();
  const webhook: Webhook = {
    v: 1,
    id: uuidv7(now),
    ...realm,
    url: newWebhook.url,
    events: newWebhook.events ?? webhookEventKinds,
    description: newWebhook.description ?? "",
    metadata: newWebhook.metadata ?? {},
    status: { kind: "enabled" },
    createdAt: isoTime(now),
    secrets: [{ sealed: seal.seal(secret), validUntil: null }],
    failingSince: null,
  };
  const { accountId } = realm;
  const subject = subjects.webhook(accountId, webhook.id);
  const created: CreatedWebhook = { kind: "created", webhook, secret };
  // The response has the secret in it, so the record keeps it sealed, as the webhook's record keeps the secret.
  const sealedBody = () => ({ sealed: seal.seal(JSON.stringify(responseBody(webhook, secret))) });
  return await commitAccount<CreatedWebhook>(
    deps,
    { transition: "create-webhook", accountId },
    async (account, attempt) => {
      if (attempt > 1 && (await log.read(subject)).sequence > 0) return { done: created };
      const replay = await findReplay(log, idempotencyKey);
      if (replay !== undefined) return { done: replay };
      assertBelowLimit(account);
      return {
        account: { ...account, webhooks: account.webhooks + 1 },
        writes: [
          ...webhookWrites(webhook, webhook, 0),
          await indexWrite(log, account, "webhooks", { added: [webhook.id] }),
          ...idempotencyWrites(idempotencyKey, () => ({ status: 201, body: sealedBody(), subjectId: webhook.id })),
        ],
        result: created,
      };
    },
  );
}

function assertBelowLimit({ webhooks, limits }: Account): void {
  if (webhooks < limits.maxWebhooks) return;
  throw new PackshotError("limit_reached", `The plan allows ${limits.maxWebhooks} webhooks: remove one first.`);
}
