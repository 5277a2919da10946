import type { Account } from "@packshot/domain/account.ts";
import type { Log } from "@packshot/platform/nats/log.ts";

/**
 * A page of accounts, in the order of their last changes. `next` is the `after` of the next page, undefined on the last
 * one.
 */
export async function listAccounts(
  { log }: { readonly log: Log },
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ accounts: Account[]; next: number | undefined }> {
  const accounts: Account[] = [];
  let from = after + 1;
  while (accounts.length < limit) {
    const record = await log.readNext<Account>("ps.account.*", from);
    if (record === undefined) return { accounts, next: undefined };
    from = record.sequence + 1;
    if (record.value !== undefined) accounts.push(record.value);
  }
  return { accounts, next: from - 1 };
}
