import type { IdempotencyRecord } from "@packshot/domain/idempotency.ts";
import type { Webhook } from "@packshot/domain/webhook.ts";
import type { Answer, Caller, Handlers } from "../http/call.ts";
import { listDeliveries, redeliver } from "../use-cases/deliveries.ts";
import { idempotencyClaim, type OneAtATime, replayedHeader } from "../use-cases/idempotency.ts";
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateSecret,
  sendTestEvent,
  updateWebhook,
  type WebhookChange,
  type WebhookOrder,
  type WebhookParts,
} from "../use-cases/webhooks.ts";

export interface WebhookRouteParts extends WebhookParts {
  readonly once: OneAtATime;
  readonly publicUrl: string;
}

export function webhookHandlers(parts: WebhookRouteParts): Handlers {
  const ownerOf = ({ account, key }: Caller) => ({ accountId: account.accountId, live: key.live });
  const withSecret = (webhook: Webhook, secret: string) => ({ ...webhookBody(webhook), secret });

  function replay(record: IdempotencyRecord): Answer {
    const { sealed } = record.body as { sealed: string };
    return { status: record.status, body: JSON.parse(parts.seal.unseal(sealed)), headers: replayedHeader };
  }

  return {
    async listWebhooks({ caller }) {
      return { status: 200, body: { data: (await listWebhooks(parts, ownerOf(caller))).map(webhookBody) } };
    },

    async createWebhook({ caller, body, headers }) {
      const order = body as WebhookOrder;
      const owner = ownerOf(caller);
      const claim = idempotencyClaim(owner, headers["idempotency-key"], { operation: "createWebhook", ...order });
      return await parts.once.run(
        claim,
        async () => {
          const made = await createWebhook(parts, owner, order, claim, withSecret);
          if (made.kind === "replayed") return replay(made.record);
          const { webhook, secret } = made;
          const location = `${parts.publicUrl.replace(/\/$/, "")}/v1/webhooks/${webhook.id}`;
          return { status: 201, body: withSecret(webhook, secret), headers: { Location: location } };
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
      const { webhook, secret } = await rotateSecret(parts, ownerOf(caller), path.webhook_id!);
      return { status: 200, body: withSecret(webhook, secret) };
    },

    async listDeliveries({ caller, path, query }) {
      const { value: webhook } = await readWebhook(parts, ownerOf(caller), path.webhook_id!);
      const which = { accountId: webhook.accountId, webhookId: webhook.id };
      const beforeId = (query.cursor as string | undefined)?.toLowerCase();
      const page = await listDeliveries(parts.log, which, { beforeId, limit: query.limit as number });
      const last = page.deliveries.at(-1);
      const nextCursor = page.hasMore && last !== undefined ? { nextCursor: last.id } : {};
      return { status: 200, body: { data: page.deliveries, ...nextCursor } };
    },

    async redeliver({ caller, path }) {
      const { value: webhook } = await readWebhook(parts, ownerOf(caller), path.webhook_id!);
      await redeliver(parts.log, { accountId: webhook.accountId, webhookId: webhook.id }, path.id!);
      return { status: 202, body: { eventId: path.id! } };
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
