import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Webhook } from "@packshot/domain/webhook.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { AccountScope } from "../../access/caller.ts";

export interface WebhookRef {
  readonly scope: AccountScope;
  readonly webhookId: string;
}

export function noSuchWebhook(): PackshotError {
  return new PackshotError("not_found", "Webhook not found.");
}

/** From the leader. Throws `not_found`. */
export async function readWebhook(
  { log }: { readonly log: Log },
  { scope, webhookId }: WebhookRef,
): Promise<Versioned<Webhook>> {
  if (!isUuid(webhookId)) throw noSuchWebhook();
  const { value, sequence } = await log.read<Webhook>(subjects.webhook(scope.accountId, webhookId));
  if (value === undefined || value.live !== scope.live) throw noSuchWebhook();
  return { value, sequence };
}
