import type { ApiKey } from "@packshot/domain/api-key.ts";
import { listIndexed } from "../../records/account-index.ts";
import type { AccountDeps } from "../../records/commit-account.ts";

/** Oldest first. Throws `not_found`. */
export async function listApiKeys(deps: AccountDeps, { accountId }: { readonly accountId: string }): Promise<ApiKey[]> {
  const records = await listIndexed<ApiKey>(deps, accountId, "keys");
  return records.map(({ value }) => value);
}
