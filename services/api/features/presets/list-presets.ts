import type { AccountPreset } from "@packshot/domain/account-preset.ts";
import type { Realm } from "../../access/caller.ts";
import { listIndexed } from "../../records/account-index.ts";
import type { AccountDeps } from "../../records/commit-account.ts";

/** By name. */
export async function listPresets(deps: AccountDeps, { realm }: { readonly realm: Realm }): Promise<AccountPreset[]> {
  const records = await listIndexed<AccountPreset>(deps, realm.accountId, "presets");
  return records
    .map(({ value }) => value)
    .filter(({ live }) => live === realm.live)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
