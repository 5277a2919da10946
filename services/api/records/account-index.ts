/**
 * The records that an account has of one kind, found by their index and read by their names. The account counts them in
 * the batches that write them, so that an index that lacks one, which only a bug could leave, is noticed. Then the names
 * are listed, and the index is written anew.
 */
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { IndexedKind, RecordIndex } from "@packshot/domain/accounts/record-index.ts";
import { subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import type { Log, LogRecord } from "@packshot/log/log.ts";
import { isRetryableLogError } from "@packshot/log/nats/errors.ts";
import {
  type AccountDeps,
  assertAccountId,
  assertNotErased,
  readAccount,
  readRecords,
  type StoredRecord,
} from "./commit-account.ts";

const kinds: Record<
  IndexedKind,
  { readonly subjectOf: (accountId: string, id: string) => string; readonly countOf: (account: Account) => number }
> = {
  keys: { subjectOf: subjects.apiKey, countOf: ({ apiKeys }) => apiKeys },
  webhooks: { subjectOf: subjects.webhook, countOf: ({ webhooks }) => webhooks },
  connections: { subjectOf: subjects.connection, countOf: ({ connections = 0 }) => connections },
  presets: { subjectOf: subjects.preset, countOf: ({ presets = 0 }) => presets },
};

/** All records of a kind, in the order of their last writes, from the leader. Throws `not_found`. */
export async function listIndexed<T>(
  deps: AccountDeps,
  accountId: string,
  kind: IndexedKind,
): Promise<StoredRecord<T>[]> {
  assertAccountId(accountId);
  // At once: each is a block of 8 MB where nobody has read it for a while. A write between them is noticed by the count.
  const [account, index] = await Promise.all([readAccount(deps, accountId), readIndex(deps.log, accountId, kind)]);
  return await readListed(deps.log, account, kind, index);
}

/** The same for an account that has been read from the leader. */
export async function readIndexed<T>(log: Log, account: Account, kind: IndexedKind): Promise<StoredRecord<T>[]> {
  return await readListed(log, account, kind, await readIndex(log, account.accountId, kind));
}

async function readListed<T>(
  log: Log,
  account: Account,
  kind: IndexedKind,
  index: LogRecord<RecordIndex>,
): Promise<StoredRecord<T>[]> {
  const records = await findRecords<T>(log, account, kind, index.value?.ids);
  const ids = records.map(idOf);
  if (!areSame(ids, index.value?.ids ?? [])) await writeIndex(log, index, ids);
  return records.sort((a, b) => a.sequence - b.sequence);
}

/**
 * The index's part of a batch that creates and removes records of the account. Throws `not_found` for new ones of an account
 * that is being erased: the eraser might have listed what there is already.
 */
export async function indexWrite(
  log: Log,
  account: Account,
  kind: IndexedKind,
  { added = [], removed = [] }: { readonly added?: readonly string[]; readonly removed?: readonly string[] },
): Promise<Write> {
  if (added.length > 0) assertNotErased(account);
  const { subject, sequence, value } = await readIndex(log, account.accountId, kind);
  const known = value?.ids ?? (await findRecords(log, account, kind, undefined)).map(idOf);
  const ids = [...known.filter((id) => !removed.includes(id)), ...added];
  return { subject, value: { v: 1, ids } satisfies RecordIndex, expected: sequence };
}

async function readIndex(log: Log, accountId: string, kind: IndexedKind): Promise<LogRecord<RecordIndex>> {
  return await log.read<RecordIndex>(subjects.index(accountId, kind));
}

/** Those with `ids`, if they are all that the account counts; else those whose names the log has. */
async function findRecords<T>(
  log: Log,
  account: Account,
  kind: IndexedKind,
  ids: readonly string[] | undefined,
): Promise<StoredRecord<T>[]> {
  const { subjectOf, countOf } = kinds[kind];
  const { accountId } = account;
  if (ids !== undefined) {
    const names = ids.map((id) => subjectOf(accountId, id));
    const records = await readRecords<T>(log, names);
    if (records.length === countOf(account)) return records;
  }
  const names = await Array.fromAsync(listRecordSubjects(log, subjectOf(accountId, "*")));
  return await readRecords<T>(log, names);
}

/** Not retried: whoever wrote first knew the index better, or the next list repairs it. */
async function writeIndex(log: Log, { subject, sequence }: LogRecord<RecordIndex>, ids: string[]): Promise<void> {
  const write = { subject, value: { v: 1, ids } satisfies RecordIndex, expected: sequence };
  await log.commit("index", [write]).catch((error: unknown) => {
    if (!isRetryableLogError(error)) throw error;
  });
}

function areSame(ids: readonly string[], others: readonly string[]): boolean {
  return ids.length === others.length && ids.every((id) => others.includes(id));
}

function idOf({ subject }: StoredRecord<unknown>): string {
  return subjectTokens(subject).ids[0]!;
}
