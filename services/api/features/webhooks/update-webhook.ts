import { isoTime } from "@packshot/domain/ids.ts";
import type { Webhook } from "@packshot/domain/webhook.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { type AllowList, checkTarget } from "@packshot/platform/outbound/address-guard.ts";
import { commitWebhook } from "./commit-webhook.ts";
import type { NewWebhook } from "./create-webhook.ts";
import type { WebhookRef } from "./read-webhook.ts";

export interface UpdateWebhookDeps {
  readonly log: Log;
  /** Private addresses that webhooks may have. */
  readonly allow: AllowList;
  readonly nowMs: () => number;
}

export interface WebhookUpdate extends Partial<NewWebhook> {
  readonly enabled?: boolean;
}

/** Throws `not_found`, `invalid_request`. */
export async function updateWebhook(
  { log, allow, nowMs }: UpdateWebhookDeps,
  { update, ...ref }: WebhookRef & { readonly update: WebhookUpdate },
): Promise<Webhook> {
  if (update.url !== undefined) checkTarget(update.url, { allow, purpose: "webhook" });
  const { enabled, ...fields } = update;
  return await commitWebhook({ log }, { transition: "update-webhook", ...ref }, (webhook) => ({
    ...webhook,
    ...fields,
    ...(enabled === true ? { status: { kind: "enabled" }, failingSince: null } : {}),
    ...(enabled === false ? { status: { kind: "disabled", reason: "client", at: isoTime(nowMs()) } } : {}),
  }));
}
