import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Webhook } from "@packshot/domain/webhook.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Realm } from "../../access/caller.ts";

export interface WebhookRef {
  readonly realm: Realm;
  readonly webhookId: string;
}

export function webhookNotFound(): PackshotError {
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
