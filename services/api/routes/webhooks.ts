import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import type { IdempotencyRecord } from "@packshot/domain/idempotency.ts";
import type { Webhook } from "@packshot/domain/webhook.ts";
import { type DeliveryQuery, listDeliveries } from "@packshot/platform/deliveries/list-deliveries.ts";
import { redeliver, redeliverFailed } from "@packshot/platform/deliveries/redeliver.ts";
import type { Caller } from "../access/caller.ts";
import type { ApiResponse, Handlers } from "../http/call.ts";
import { idempotencyKeyOf, type SingleFlight, replayedHeader } from "../idempotency/idempotency-key.ts";
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhookSecret,
  sendTestEvent,
  updateWebhook,
  type WebhookChange,
  type NewWebhook,
  type WebhookDeps,
} from "../use-cases/webhooks/create-webhook.ts";

export interface WebhookRouteDeps extends WebhookDeps {
  readonly once: SingleFlight;
  readonly publicUrl: string;
}

export function webhookHandlers(parts: WebhookRouteDeps): Handlers {
  const ownerOf = ({ account, key }: Caller) => ({ accountId: account.accountId, live: key.live });
  const withSecret = (webhook: Webhook, secret: string) => ({ ...webhookBody(webhook), secret });

  const addressOf = (id: string) => `${parts.publicUrl.replace(/\/$/, "")}/v1/webhooks/${id}`;

  function replay({ status, body, subjectId }: IdempotencyRecord): ApiResponse {
    const { sealed } = body as { sealed: string };
    const headers = { Location: addressOf(subjectId), ...replayedHeader };
    return { status, body: JSON.parse(parts.seal.unseal(sealed)), headers };
  }

  return {
    async listWebhooks({ caller }) {
      return { status: 200, body: { data: (await listWebhooks(parts, ownerOf(caller))).map(webhookBody) } };
    },

    async createWebhook({ caller, body, headers }) {
      const order = body as NewWebhook;
      const owner = ownerOf(caller);
      const claim = idempotencyKeyOf(owner, headers["idempotency-key"], { operation: "createWebhook", ...order });
      return await parts.once.run(
        claim,
        async () => {
          const made = await createWebhook(parts, owner, order, claim, withSecret);
          if (made.kind === "replayed") return replay(made.record);
          const { webhook, secret } = made;
          return { status: 201, body: withSecret(webhook, secret), headers: { Location: addressOf(webhook.id) } };
        },
        async (record) => replay(record),
      );
    },

    async getWebhook({ caller, path }) {
      const { value } = await readWebhook(parts, ownerOf(caller), path.webhook_id!);
      return { status: 200, body: webhookBody(value) };
    },

    async updateWebhook({ caller, path, body }) {
      const webhook = await updateWebhook(parts, ownerOf(caller), path.webhook_id!, body as WebhookChange);
      return { status: 200, body: webhookBody(webhook) };
    },

    async deleteWebhook({ caller, path }) {
      await deleteWebhook(parts, ownerOf(caller), path.webhook_id!);
      return { status: 204 };
    },

    async testWebhook({ caller, path }) {
      return { status: 202, body: { eventId: await sendTestEvent(parts, ownerOf(caller), path.webhook_id!) } };
    },

    async rotateWebhookSecret({ caller, path }) {
      const { webhook, secret } = await rotateWebhookSecret(parts, ownerOf(caller), path.webhook_id!);
      return { status: 200, body: withSecret(webhook, secret) };
    },

    async listDeliveries({ caller, path, query }) {
      const { value: webhook } = await readWebhook(parts, ownerOf(caller), path.webhook_id!);
      const { limit, cursor, status, event, jobId } = query as unknown as DeliveryQuery;
      const asked = Object.entries({ cursor, status, event, jobId }).filter(([, value]) => value !== undefined);
      const which = { accountId: webhook.accountId, webhookId: webhook.id, limit, ...Object.fromEntries(asked) };
      return { status: 200, body: await listDeliveries(parts.log.connection, which) };
    },

    async redeliver({ caller, path }) {
      const { value: webhook } = await readWebhook(parts, ownerOf(caller), path.webhook_id!);
      const eventId = path.id!;
      if (!isUuid(eventId)) throw new PackshotError("not_found", "No such delivery in the last 72 hours.");
      await redeliver(parts.log.connection, { accountId: webhook.accountId, webhookId: webhook.id, eventId });
      return { status: 202, body: { eventId } };
    },

    async redeliverFailed({ caller, path, body }) {
      const { value: webhook } = await readWebhook(parts, ownerOf(caller), path.webhook_id!);
      const sinceMs = Date.parse((body as { since: string }).since);
      const which = { accountId: webhook.accountId, webhookId: webhook.id, sinceMs };
      return { status: 202, body: { redelivered: await redeliverFailed(parts.log.connection, which) } };
    },
  };
}

function webhookBody(webhook: Webhook) {
  const { id, url, events, description, metadata, live, status, createdAt, failingSince } = webhook;
  const isDisabled = status.kind === "disabled";
  return {
    id,
    url,
    events,
    description,
    metadata,
    live,
    status: status.kind,
    disabledReason: isDisabled ? status.reason : null,
    disabledAt: isDisabled ? status.at : null,
    createdAt,
    failingSince,
  };
}
