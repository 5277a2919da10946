import { type Account, assertSourceFits } from "@packshot/domain/account.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Caller } from "../../access/caller.ts";

/**
 * Before a file is received or stored for a job that its account has no room for; the accept decides again. Throws
 * `queue_full`.
 */
export async function assertSourceRoom(
  { log }: { readonly log: Log },
  { account, key }: Caller,
  fileBytes: number,
): Promise<void> {
  try {
    assertSourceFits(account, key.live, fileBytes);
  } catch {
    // The caller's account comes from a cache, which may not know yet that jobs have ended.
    const { value } = await log.read<Account>(subjects.account(account.accountId));
    if (value !== undefined) assertSourceFits(value, key.live, fileBytes);
  }
}
