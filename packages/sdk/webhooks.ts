import { PackshotError } from "./packshot-error.ts";
import type {
  Delivery,
  DeliveryFilter,
  DeliveryWithRequest,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookEvent,
  WebhookWithSecret,
} from "./schemas.ts";
import { paginate, type Transport, type Waiting } from "./transport.ts";

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
          method: "GET",
          path: path(id, "/deliveries"),
          query: { ...filter, cursor },
          ...waiting,
        }),
      ),
    /** One of them, with the request that is or was sent. */
    delivery: (id: string, eventId: string, waiting: Waiting = {}): Promise<DeliveryWithRequest> =>
      transport.json({ method: "GET", path: path(id, `/deliveries/${encodeURIComponent(eventId)}`), ...waiting }),
    redeliver: (id: string, eventId: string, waiting: Waiting = {}): Promise<EventReference> =>
      transport.json({
        method: "POST",
        path: path(id, `/deliveries/${encodeURIComponent(eventId)}/redeliver`),
        ...waiting,
      }),
    /** Whatever has failed since then. */
    redeliverFailed: (id: string, since: Date, waiting: Waiting = {}): Promise<Redelivered> =>
      transport.json({
        method: "POST",
        path: path(id, "/deliveries/redeliver-failed"),
        json: { since: since.toISOString() },
        ...waiting,
      }),
    verify: verifyWebhook,
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event, when its signature is right and less than five minutes old.
 *
 * @param body exactly as it arrived: parsed and serialized again, it may differ
 * @param headers of the request, as fetch, Node or Express have them
 * @param secret `whsec_…`; while it is rotated, the new one and the old one both verify
 * @throws PackshotError `signature_invalid`
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string,
): Promise<WebhookEvent> {
  // Loaded where it is needed, so that a page that only edits does not carry it.
  const { Webhook } = await import("standardwebhooks");
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const given = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  const signed: Record<string, string> = {};
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
    const value = given[name];
    if (value !== undefined) signed[name] = [value].flat().join(" ");
  }
  try {
    return new Webhook(secret).verify(text, signed) as WebhookEvent;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PackshotError("signature_invalid", `The webhook is not verified: ${why}.`, { cause });
  }
}
