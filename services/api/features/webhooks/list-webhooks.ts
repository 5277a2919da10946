import type { Webhook } from "@packshot/domain/webhook.ts";
import type { AccountScope } from "../../access/caller.ts";
import { listIndexed } from "../../records/account-index.ts";
import type { AccountDeps } from "../../records/commit-account.ts";

/** Oldest first. */
export async function listWebhooks(deps: AccountDeps, { scope }: { readonly scope: AccountScope }): Promise<Webhook[]> {
  const records = await listIndexed<Webhook>(deps, scope.accountId, "webhooks");
  return records
    .map(({ value }) => value)
    .filter(({ live }) => live === scope.live)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
