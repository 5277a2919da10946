import type { BucketConnection } from "@packshot/domain/bucket-connection.ts";
import type { Realm } from "../../access/caller.ts";
import { listIndexed } from "../../records/account-index.ts";
import type { AccountDeps } from "../../records/commit-account.ts";

/** By name. */
export async function listConnections(
  deps: AccountDeps,
  { realm }: { readonly realm: Realm },
): Promise<BucketConnection[]> {
  const records = await listIndexed<BucketConnection>(deps, realm.accountId, "connections");
  return records
    .map(({ value }) => value)
    .filter(({ live }) => live === realm.live)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
