import type { Account } from "@packshot/domain/account.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { listSubjects } from "@packshot/platform/nats/list-subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { readRecords } from "../../records/read-records.ts";

/** A page of accounts, the oldest first. `next` is the `after` of the next page, undefined on the last one. */
export async function listAccounts(
  { log }: { readonly log: Log },
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<{ accounts: Account[]; next: string | undefined }> {
  const names = await Array.fromAsync(listSubjects(log.connection, streams.state, subjects.account("*")));
  // Ids are UUIDv7, whose order is that of their creation.
  const rest = names.sort().filter((name) => after === undefined || name > subjects.account(after));
  const page = rest.slice(0, limit);
  const accounts = await readRecords<Account>(log, page);
  const next = rest.length > limit ? page.at(-1)?.slice(subjects.account("").length) : undefined;
  return { accounts: accounts.map(({ value }) => value), next };
}
