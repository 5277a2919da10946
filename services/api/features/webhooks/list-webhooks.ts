import type { Webhook } from "@packshot/domain/webhook.ts";
import type { Realm } from "../../access/caller.ts";
import { listIndexed } from "../../records/account-index.ts";
import type { AccountDeps } from "../../records/commit-account.ts";

/** Oldest first. */
export async function listWebhooks(deps: AccountDeps, { realm }: { readonly realm: Realm }): Promise<Webhook[]> {
  const records = await listIndexed<Webhook>(deps, realm.accountId, "webhooks");
  return records
    .map(({ value }) => value)
    .filter(({ live }) => live === realm.live)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
