/** What clients do with their webhooks: create, read, list, change, rotate the secret, send a test event and delete. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { ToolId } from "@packshot/domain/edits/tools.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, isUuid, uuidv7 } from "@packshot/domain/ids.ts";
import type { IdempotencyRecord, Metadata } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import {
  eventWrite,
  type WebhookEventKind,
  type WebhookTestEvent,
  webhookEventKinds,
} from "@packshot/domain/webhooks/event.ts";
import {
  createWebhookSecret,
  secretOverlapMs,
  type Webhook,
  type WebhookFormat,
  webhookWrites,
} from "@packshot/domain/webhooks/webhook.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import { traceField } from "@packshot/platform/telemetry/tracing.ts";
import type { Realm } from "../../access/caller.ts";
import { findReplay, type IdempotencyKey, idempotencyWrites } from "../../http/idempotency.ts";
import { indexWrite, listIndexed } from "../../records/account-index.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import {
  type ChooseDestinationDeps,
  chooseDestination,
  type DestinationChoice,
  requireDestination,
} from "./choose-destination.ts";

export interface CreateWebhookDeps extends AccountDeps, ChooseDestinationDeps {}

export interface NewWebhook extends DestinationChoice {
  readonly events?: readonly WebhookEventKind[];
  readonly tools?: readonly ToolId[];
  readonly format?: WebhookFormat;
  readonly metadataFilter?: Metadata;
  readonly maxPerSecond?: number;
  readonly maxConcurrent?: number;
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

/** Throws `invalid_request` (where events go), `limit_reached`, `idempotency_key_reused`. */
export async function createWebhook(
  deps: CreateWebhookDeps,
  { realm, newWebhook, idempotencyKey, responseBody }: CreateWebhookInput,
): Promise<CreatedWebhook> {
  const { log, seal, nowMs } = deps;
  const { url, destination } = requireDestination(deps, newWebhook);
  const now = nowMs();
  const secret = createWebhookSecret();
  const webhook: Webhook = {
    v: 1,
    id: uuidv7(now),
    ...realm,
    url,
    destination,
    events: newWebhook.events ?? webhookEventKinds,
    tools: newWebhook.tools,
    format: newWebhook.format,
    metadataFilter: newWebhook.metadataFilter,
    maxPerSecond: newWebhook.maxPerSecond,
    maxConcurrent: newWebhook.maxConcurrent,
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

/** Changes one webhook's record. `change` is called again after a conflict. Throws `not_found`. */
async function commitWebhook(
  { log }: { readonly log: Log },
  { transition, ...ref }: WebhookRef & { readonly transition: string },
  change: (webhook: Webhook) => Webhook,
): Promise<Webhook> {
  return await log.transact<Webhook>(transition, async () => {
    const { value: before, sequence } = await readWebhook({ log }, ref);
    const after = change(before);
    return { writes: webhookWrites(before, after, sequence), result: after };
  });
}

export interface WebhookRef {
  readonly realm: Realm;
  readonly webhookId: string;
}

function webhookNotFound(): PackshotError {
  return new PackshotError("not_found", "Webhook not found.");
}

/** From the leader. Throws `not_found`. */
export async function readWebhook(
  { log }: { readonly log: Log },
  { realm, webhookId }: WebhookRef,
): Promise<Versioned<Webhook>> {
  if (!isUuid(webhookId)) throw webhookNotFound();
  const { value, sequence } = await log.read<Webhook>(subjects.webhook(realm.accountId, webhookId));
  if (value === undefined || value.live !== realm.live) throw webhookNotFound();
  return { value, sequence };
}

/** Oldest first. */
export async function listWebhooks(deps: AccountDeps, { realm }: { readonly realm: Realm }): Promise<Webhook[]> {
  const records = await listIndexed<Webhook>(deps, realm.accountId, "webhooks");
  return records
    .map(({ value }) => value)
    .filter(({ live }) => live === realm.live)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

export interface UpdateWebhookDeps extends ChooseDestinationDeps {
  readonly log: Log;
  readonly nowMs: () => number;
}

export interface WebhookUpdate extends Partial<NewWebhook> {
  readonly enabled?: boolean;
}

/** Throws `not_found`, `invalid_request`. */
export async function updateWebhook(
  { log, seal, allow, nowMs }: UpdateWebhookDeps,
  { update, ...ref }: WebhookRef & { readonly update: WebhookUpdate },
): Promise<Webhook> {
  const { enabled, url, sqs, sns, pubsub, kafka, ...fields } = update;
  const chosen = chooseDestination({ seal, allow }, { url, sqs, sns, pubsub, kafka });
  return await commitWebhook({ log }, { transition: "update-webhook", ...ref }, (webhook) => ({
    ...webhook,
    ...fields,
    ...chosen,
    ...(enabled === true ? { status: { kind: "enabled" }, failingSince: null } : {}),
    ...(enabled === false ? { status: { kind: "disabled", reason: "client", at: isoTime(nowMs()) } } : {}),
  }));
}

export interface RotateWebhookSecretDeps {
  readonly log: Log;
  readonly seal: Seal;
  readonly nowMs: () => number;
}

/** For a day, deliveries are signed with the old secret beside the new one. Throws `not_found`. */
export async function rotateWebhookSecret(
  { log, seal, nowMs }: RotateWebhookSecretDeps,
  ref: WebhookRef,
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = createWebhookSecret();
  const sealed = seal.seal(secret);
  const validUntil = isoTime(nowMs() + secretOverlapMs);
  const webhook = await commitWebhook({ log }, { transition: "rotate-secret", ...ref }, (before) => {
    const [newest] = before.secrets;
    // An earlier attempt, whose response was lost, has stored the secret.
    if (newest?.sealed === sealed) return before;
    return {
      ...before,
      secrets: [{ sealed, validUntil: null }, ...(newest === undefined ? [] : [{ sealed: newest.sealed, validUntil }])],
    };
  });
  return { webhook, secret };
}

/** Throws `not_found`. */
export async function deleteWebhook(deps: AccountDeps, ref: WebhookRef): Promise<void> {
  const { accountId } = ref.realm;
  const subject = subjects.webhook(accountId, ref.webhookId);
  await readWebhook(deps, ref);
  await commitAccount<void>(deps, { transition: "delete-webhook", accountId }, async (account, attempt) => {
    const { value, sequence } = await deps.log.read<Webhook>(subject);
    if (value === undefined) {
      if (attempt > 1) return { done: undefined };
      throw webhookNotFound();
    }
    return {
      account: { ...account, webhooks: Math.max(0, account.webhooks - 1) },
      writes: [
        ...webhookWrites(value, null, sequence),
        await indexWrite(deps.log, account, "webhooks", { removed: [value.id] }),
      ],
      result: undefined,
    };
  });
}

export interface SendTestEventDeps {
  readonly log: Log;
  readonly nowMs: () => number;
}

/**
 * Sends a test event to this webhook only, enabled or not. Returns the event's id. Throws `not_found`.
 */
export async function sendTestEvent({ log, nowMs }: SendTestEventDeps, ref: WebhookRef): Promise<string> {
  await readWebhook({ log }, ref);
  const now = nowMs();
  const event: WebhookTestEvent = {
    v: 1,
    kind: "test",
    eventId: uuidv7(now),
    createdAt: isoTime(now),
    accountId: ref.realm.accountId,
    webhookId: ref.webhookId,
    ...traceField(),
  };
  await log.transact("test-webhook", async (attempt) => {
    const write = eventWrite(event);
    if (attempt > 1 && (await log.read(write.subject)).sequence > 0) return { done: undefined };
    return { writes: [write], result: undefined };
  });
  return event.eventId;
}
