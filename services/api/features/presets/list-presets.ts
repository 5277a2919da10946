import type { AccountPreset } from "@packshot/domain/account-preset.ts";
import type { AccountScope } from "../../access/caller.ts";
import { listIndexed } from "../../records/account-index.ts";
import type { AccountDeps } from "../../records/commit-account.ts";

/** By name. */
export async function listPresets(
  deps: AccountDeps,
  { scope }: { readonly scope: AccountScope },
): Promise<AccountPreset[]> {
  const records = await listIndexed<AccountPreset>(deps, scope.accountId, "presets");
  return records
    .map(({ value }) => value)
    .filter(({ live }) => live === scope.live)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
