import { toolIds } from "@packshot/domain/edits/tools.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import type { IdempotencyRecord } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { endpointConcurrencyMax, type Webhook } from "@packshot/domain/webhooks/webhook.ts";
import {
  type DeliveryQuery,
  findDelivery,
  findDeliveryWithRequest,
  listDeliveries,
} from "@packshot/log/deliveries/attempt-log.ts";
import { redeliver, redeliverFailed } from "@packshot/log/deliveries/delivery-queue.ts";
import { realmOf } from "../../access/caller.ts";
import type { Core, Feature } from "../../core/core.ts";
import type { ApiResponse, Call, Handlers } from "../../http/call.ts";
import { resourceUrl } from "../../http/call.ts";
import { replayedHeader } from "../../http/headers.ts";
import type { RunOnce } from "../../http/idempotency.ts";
import { idempotencyKeyOf } from "../../http/idempotency.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import {
  type CreateWebhookDeps,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  type NewWebhook,
  readWebhook,
  rotateWebhookSecret,
  sendTestEvent,
  updateWebhook,
  type WebhookRef,
  type WebhookUpdate,
} from "./webhook-actions.ts";

export function createWebhooks(core: Core): Feature {
  return { handlers: webhookHandlers({ ...core, allow: core.allowWebhooks }) };
}

interface WebhookHandlerDeps extends CreateWebhookDeps {
  readonly runOnce: RunOnce;
  readonly rateLimit: RateLimit;
  readonly publicUrl: string;
}

function webhookHandlers(deps: WebhookHandlerDeps): Handlers {
  return { ...webhookResourceHandlers(deps), ...deliveryHandlers(deps) };
}

function webhookResourceHandlers(deps: WebhookHandlerDeps): Handlers {
  const locationOf = (webhookId: string) => ({ Location: resourceUrl(deps.publicUrl, "webhooks", webhookId) });

  async function replay({ status, body, subjectId }: IdempotencyRecord, accountId: string): Promise<ApiResponse> {
    const { value: webhook } = await deps.log.read<Webhook>(subjects.webhook(accountId, subjectId));
    if (webhook === undefined) throw webhookDeleted(subjectId);
    const { sealed } = body as { sealed: string };
    const headers = { ...locationOf(subjectId), ...replayedHeader };
    return { status, body: JSON.parse(deps.seal.unseal(sealed)), headers };
  }

  return {
    async listWebhooks({ caller }) {
      const webhooks = await listWebhooks(deps, { realm: realmOf(caller) });
      return { status: 200, body: { data: webhooks.map(webhookBody) } };
    },

    async createWebhook({ caller, body, headers }) {
      const newWebhook = body as NewWebhook;
      const realm = realmOf(caller);
      const request = { operation: "createWebhook", ...newWebhook };
      const idempotencyKey = idempotencyKeyOf(realm, headers["idempotency-key"], request);
      return await deps.runOnce(
        idempotencyKey,
        async () => {
          const input = { realm, newWebhook, idempotencyKey, responseBody: bodyWithSecret };
          const outcome = await createWebhook(deps, input);
          if (outcome.kind === "replayed") return await replay(outcome.record, realm.accountId);
          const { webhook, secret } = outcome;
          return { status: 201, body: bodyWithSecret(webhook, secret), headers: locationOf(webhook.id) };
        },
        async (record) => await replay(record, realm.accountId),
      );
    },

    async getWebhook(call) {
      const { value } = await readWebhook(deps, webhookRef(call));
      return { status: 200, body: webhookBody(value) };
    },

    async updateWebhook(call) {
      const webhook = await updateWebhook(deps, { ...webhookRef(call), update: call.body as WebhookUpdate });
      return { status: 200, body: webhookBody(webhook) };
    },

    async deleteWebhook(call) {
      await deleteWebhook(deps, webhookRef(call));
      return { status: 204 };
    },

    async testWebhook(call) {
      return { status: 202, body: { eventId: await sendTestEvent(deps, webhookRef(call)) } };
    },

    async rotateWebhookSecret(call) {
      const { webhook, secret } = await rotateWebhookSecret(deps, webhookRef(call));
      return { status: 200, body: bodyWithSecret(webhook, secret) };
    },
  };
}

function webhookDeleted(id: string): PackshotError {
  const problem = `The webhook ${id} of this Idempotency-Key has been deleted: create another with a new key.`;
  return new PackshotError("webhook_deleted", problem);
}

interface OwnWebhook {
  readonly webhook: { readonly accountId: string; readonly webhookId: string };
  readonly isEnabled: boolean;
}

/** Deliveries are the webhook service's; the API lists them and asks for them again. */
function deliveryHandlers(deps: WebhookHandlerDeps): Handlers {
  const { connection } = deps.log;

  async function readOwnWebhook(call: Call): Promise<OwnWebhook> {
    const { value } = await readWebhook(deps, webhookRef(call));
    const webhook = { accountId: value.accountId, webhookId: value.id };
    return { webhook, isEnabled: value.status.kind === "enabled" };
  }

  return {
    async listDeliveries(call) {
      const { webhook } = await readOwnWebhook(call);
      const { limit, cursor, status, event, jobId } = call.query as unknown as DeliveryQuery;
      const given = Object.entries({ cursor, status, event, jobId }).filter(([, value]) => value !== undefined);
      const query = { ...webhook, limit, ...Object.fromEntries(given) };
      return { status: 200, body: await listDeliveries(connection, query) };
    },

    async getDelivery(call) {
      const { webhook } = await readOwnWebhook(call);
      const key = { ...webhook, eventId: eventIdOf(call) };
      const delivery = await findDeliveryWithRequest(connection, key);
      if (delivery === undefined) throw deliveryNotFound();
      return { status: 200, body: delivery };
    },

    async redeliver(call) {
      const { webhook, isEnabled } = await readOwnWebhook(call);
      const key = { ...webhook, eventId: eventIdOf(call) };
      // Test events are sent to a disabled webhook, too.
      const event = isEnabled ? undefined : (await findDelivery(connection, key))?.event;
      if (event !== undefined && event !== "webhook.test") throw webhookDisabled();
      await redeliver(connection, key);
      return { status: 202, body: { eventId: key.eventId } };
    },

    async redeliverFailed(call) {
      const { webhook, isEnabled } = await readOwnWebhook(call);
      if (!isEnabled) throw webhookDisabled();
      const sinceMs = Date.parse((call.body as { since: string }).since);
      const { account, key } = call.caller;
      let headers: Record<string, string> = {};
      // The call itself was counted as the first delivery, so that one at a time costs the same.
      async function admit(deliveries: number): Promise<number> {
        if (deliveries === 1) return 1;
        const counted = await deps.rateLimit({ account, live: key.live }, deliveries - 1);
        headers = counted.headers;
        return 1 + counted.allowed;
      }
      return { status: 202, body: await redeliverFailed(connection, { ...webhook, sinceMs, admit }), headers };
    },
  };
}

function eventIdOf({ path }: Call): string {
  if (!isUuid(path.id!)) throw deliveryNotFound();
  return path.id!;
}

/** What the webhook service would log as abandoned, and not send. */
function webhookDisabled(): PackshotError {
  return new PackshotError(
    "webhook_disabled",
    'The webhook is disabled, so nothing would be sent: enable it first, by PATCH with {"enabled": true}.',
  );
}

function deliveryNotFound(): PackshotError {
  return new PackshotError("not_found", "Delivery not found in the last 72 hours.");
}

function webhookRef({ caller, path }: Call): WebhookRef {
  return { realm: realmOf(caller), webhookId: path.webhook_id! };
}

function bodyWithSecret(webhook: Webhook, secret: string) {
  return { ...webhookBody(webhook), secret };
}

/** Without the credentials, which no response has. */
function destinationBody({ destination }: Webhook) {
  if (destination === undefined) return { kind: "https" };
  const { kind, sealedCredentials: _, ...shown } = destination;
  return { kind, [kind]: shown };
}

function webhookBody(webhook: Webhook) {
  const { id, url, events, tools, metadataFilter, format = "packshot" } = webhook;
  const { maxPerSecond = 0, maxConcurrent = endpointConcurrencyMax } = webhook;
  const { description, metadata, live, status, createdAt, failingSince } = webhook;
  const isDisabled = status.kind === "disabled";
  return {
    id,
    ...destinationBody(webhook),
    url,
    events,
    tools: tools ?? toolIds,
    metadataFilter: metadataFilter ?? {},
    format,
    maxPerSecond,
    maxConcurrent,
    description,
    metadata,
    live,
    enabled: !isDisabled,
    status: status.kind,
    disabledReason: isDisabled ? status.reason : null,
    disabledAt: isDisabled ? status.at : null,
    createdAt,
    failingSince,
  };
}
