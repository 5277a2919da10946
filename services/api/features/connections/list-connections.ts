import type { BucketConnection } from "@packshot/domain/bucket-connection.ts";
import type { AccountScope } from "../../access/caller.ts";
import { listIndexed } from "../../records/account-index.ts";
import type { AccountDeps } from "../../records/commit-account.ts";

/** By name. */
export async function listConnections(
  deps: AccountDeps,
  { scope }: { readonly scope: AccountScope },
): Promise<BucketConnection[]> {
  const records = await listIndexed<BucketConnection>(deps, scope.accountId, "connections");
  return records
    .map(({ value }) => value)
    .filter(({ live }) => live === scope.live)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
