import type { Account } from "@packshot/domain/account.ts";
import { subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import { listRecordSubjects } from "@packshot/platform/nats/list-subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { readRecords } from "../../records/read-records.ts";

/** A page of accounts, the oldest first. `next` is the `after` of the next page, undefined on the last one. */
export async function listAccounts(
  { log }: { readonly log: Log },
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<{ accounts: Account[]; next: string | undefined }> {
  const ids = await Array.fromAsync(
    listRecordSubjects(log, subjects.account("*")),
    (subject) => subjectTokens(subject).accountId,
  );
  // They are UUIDv7, whose order is that of their creation.
  const rest = ids.sort().filter((id) => after === undefined || id > after);
  const page = rest.slice(0, limit);
  const accounts = await readRecords<Account>(log, page.map(subjects.account));
  const next = rest.length > limit ? page.at(-1) : undefined;
  return { accounts: accounts.map(({ value }) => value), next };
}
