import { paginate } from "./paginate.ts";
import type { Delivery, DeliveryFilter, NewWebhook, Webhook, WebhookChange, WebhookWithSecret } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";
import { verifyWebhook } from "./verify-webhook.ts";

interface DeliveryPage {
  readonly data: readonly Delivery[];
  readonly nextCursor?: string;
}

interface EventReference {
  readonly eventId: string;
}

export interface Redelivered {
  readonly redelivered: number;
  /** How many the plan's rate did not allow. */
  readonly left: number;
}

export function createWebhooks(transport: Transport) {
  const all = "/v1/webhooks";
  const path = (id: string, rest = "") => `${all}/${encodeURIComponent(id)}${rest}`;
  return {
    list: (waiting: Waiting = {}): AsyncIterable<Webhook> =>
      paginate(() => transport.json<{ data: readonly Webhook[] }>({ method: "GET", path: all, ...waiting })),
    /** The secret is shown only here, and when it is rotated. */
    create: (
      webhook: NewWebhook,
      { idempotencyKey = crypto.randomUUID(), ...waiting }: Waiting & { readonly idempotencyKey?: string } = {},
    ): Promise<WebhookWithSecret> =>
      transport.json({ method: "POST", path: all, json: webhook, idempotencyKey, ...waiting }),
    get: (id: string, waiting: Waiting = {}): Promise<Webhook> =>
      transport.json({ method: "GET", path: path(id), ...waiting }),
    update: (id: string, change: WebhookChange, waiting: Waiting = {}): Promise<Webhook> =>
      transport.json({ method: "PATCH", path: path(id), json: change, ...waiting }),
    delete: (id: string, waiting: Waiting = {}): Promise<void> =>
      transport.send({ method: "DELETE", path: path(id), ...waiting }),
    /** Sends a `webhook.test` event to this webhook only. */
    test: (id: string, waiting: Waiting = {}): Promise<EventReference> =>
      transport.json({ method: "POST", path: path(id, "/test"), ...waiting }),
    rotateSecret: (id: string, waiting: Waiting = {}): Promise<WebhookWithSecret> =>
      transport.json({ method: "POST", path: path(id, "/rotate-secret"), ...waiting }),
    /** Deliveries of the last 72 hours, the latest first. */
    deliveries: (id: string, filter: DeliveryFilter = {}, waiting: Waiting = {}): AsyncIterable<Delivery> =>
      paginate((cursor) =>
        transport.json<DeliveryPage>({
          ...{ method: "GET", path: path(id, "/deliveries"), query: { ...filter, cursor } },
          ...waiting,
        }),
      ),
    redeliver: (id: string, eventId: string, waiting: Waiting = {}): Promise<EventReference> =>
      transport.json({
        ...{ method: "POST", path: path(id, `/deliveries/${encodeURIComponent(eventId)}/redeliver`) },
        ...waiting,
      }),
    /** Whatever has failed since then. */
    redeliverFailed: (id: string, since: Date, waiting: Waiting = {}): Promise<Redelivered> =>
      transport.json({
        ...{ method: "POST", path: path(id, "/deliveries/redeliver-failed"), json: { since: since.toISOString() } },
        ...waiting,
      }),
    verify: verifyWebhook,
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;
