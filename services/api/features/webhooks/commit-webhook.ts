import { type Webhook, webhookWrites } from "@packshot/domain/webhook.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { readWebhook, type WebhookRef } from "./read-webhook.ts";

/** Changes one webhook's record. `change` is called again after a conflict. Throws `not_found`. */
export async function commitWebhook(
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
