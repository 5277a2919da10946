import { subjects } from "@packshot/domain/subjects.ts";
import { type Webhook, webhookWrites } from "@packshot/domain/webhook.ts";
import { indexWrite } from "../../records/account-index.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import { webhookNotFound, readWebhook, type WebhookRef } from "./read-webhook.ts";

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
