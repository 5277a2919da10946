/**
 * Every change of an account's record is committed here, whoever decides it: an accept, the keeper, a key, a webhook,
 * the operator. The record, its ledger entries, the day's usage and what belongs to them go into one atomic batch, and a
 * compare-and-set on the record's sequence keeps writers apart.
 */
import { type Account, type AccountChange, renewCredits } from "@packshot/domain/accounts/account.ts";
import { accountWrites } from "@packshot/domain/accounts/account-writes.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Versioned, Write } from "@packshot/domain/write.ts";
import type { Log, LogRecord, RetryPolicy } from "@packshot/log/log.ts";
import type { RunExclusive } from "@packshot/platform/flow/keyed-mutex.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";

/** Told of each account record that was read from the leader or committed here, so that a cache need not read it again. */
export type CacheAccount = (account: Account, sequence: number) => void;

/** One account's part of a batch. */
export interface AccountBatch extends AccountChange {
  /** The record that the change was decided on; sequence 0 for an account that does not exist yet. */
  readonly before: Versioned<Account>;
  /** Further records of the batch. They follow the account's own. */
  readonly writes: readonly Write[];
  /** Called when the batch is stored; `sequenceOf(index)` is the sequence of `writes[index]`. */
  readonly onCommit?: (sequenceOf: (index: number) => number) => void;
}

/** Everything that the batch holds for this account, in the order in which it is stored. */
export function batchWrites(batch: AccountBatch): Write[] {
  return [...accountWrites(batch.before, batch), ...batch.writes];
}

/** `done`: nothing is to be written, or an earlier attempt has written it already. */
export type AccountsDecision<T> =
  | { readonly done: T }
  | { readonly accounts: readonly AccountBatch[]; readonly result: T };

/** Commits changes of one or several accounts as one batch. `decide` is called again after a conflict, as `policy` says. */
export async function commitAccounts<T>(
  { log, cacheAccount }: { readonly log: Log; readonly cacheAccount: CacheAccount },
  transition: string,
  decide: (attempt: number) => Promise<AccountsDecision<T>>,
  policy?: Partial<RetryPolicy>,
): Promise<T> {
  return await log.transact<T>(
    transition,
    async (attempt) => {
      const decision = await decide(attempt);
      if ("done" in decision) return decision;
      const batches = decision.accounts.map((batch) => ({ batch, stored: batchWrites(batch) }));
      return {
        writes: batches.flatMap(({ stored }) => stored),
        result(firstSequence) {
          let sequence = firstSequence;
          for (const { batch, stored } of batches) {
            cacheAccount(batch.account, sequence);
            const firstWrite = sequence + stored.length - batch.writes.length;
            batch.onCommit?.((index) => firstWrite + index);
            sequence += stored.length;
          }
          return decision.result;
        },
      };
    },
    policy,
  );
}

export interface AccountDeps {
  readonly log: Log;
  /** One change of an account at a time in this process: two would only make each other's compare-and-set fail. */
  readonly runExclusive: RunExclusive;
  readonly cacheAccount: CacheAccount;
  readonly nowMs: () => number;
}

export interface AccountDecision<T> extends Partial<Pick<AccountBatch, "entries" | "writes" | "onCommit">> {
  readonly account: Account;
  readonly result: T;
}

/**
 * Changes one account. `decide` gets the account as the leader has it, credits renewed, and is called again after a
 * conflict; it returns `{done}` when nothing is to be written. Throws `not_found` for an unknown account.
 */
export async function commitAccount<T>(
  deps: AccountDeps,
  { transition, accountId }: { readonly transition: string; readonly accountId: string },
  decide: (account: Account, attempt: number) => Promise<AccountDecision<T> | { readonly done: T }>,
): Promise<T> {
  return await deps.runExclusive(accountId, () =>
    commitAccounts<T>(deps, transition, async (attempt) => {
      const { value, sequence } = await readRecord(deps.log, accountId);
      const renewal = renewCredits(value, deps.nowMs());
      const decision = await decide(renewal.account, attempt);
      if ("done" in decision) return decision;
      const { account, writes = [], onCommit, result } = decision;
      const entries = [...renewal.entries, ...(decision.entries ?? [])];
      return { accounts: [{ before: { value, sequence }, account, entries, writes, onCommit }], result };
    }),
  );
}

/** The account as the leader has it. A period that has ended is renewed by this read. Throws `not_found`. */
export async function readAccount(deps: AccountDeps, accountId: string): Promise<Account> {
  const { value, sequence } = await readRecord(deps.log, accountId);
  if (renewCredits(value, deps.nowMs()).account === value) {
    deps.cacheAccount(value, sequence);
    return value;
  }
  return await commitAccount(deps, { transition: "renew", accountId }, async (account) => ({
    account,
    result: account,
  }));
}

async function readRecord(log: Pick<Log, "read">, accountId: string): Promise<Versioned<Account>> {
  assertAccountId(accountId);
  const { value, sequence } = await log.read<Account>(subjects.account(accountId));
  if (value === undefined) throw accountNotFound();
  return { value, sequence };
}

/** The operator's requests name the account: in a subject, "*" would be any account. Throws `not_found`. */
export function assertAccountId(accountId: string): void {
  if (!isUuid(accountId)) throw accountNotFound();
}

/** Nothing new comes to an account that is being erased. Throws `not_found`. */
export function assertNotErased({ erasure }: Account): void {
  if (erasure !== undefined) throw accountNotFound();
}

/**
 * The same for records whose commit does not write the account's: the eraser removes the index that they write, too, before
 * it looks for them, so that whoever has read the account before that meets a conflict and reads it again. Throws `not_found`.
 */
export async function assertAccountStays(log: Pick<Log, "read">, accountId: string): Promise<void> {
  assertNotErased((await readRecord(log, accountId)).value);
}

function accountNotFound(): PackshotError {
  return new PackshotError("not_found", "Account not found.");
}

export type StoredRecord<T> = LogRecord<T> & { readonly value: T };

const readsMax = 16;

/** From the leader, each by its name; those that do not exist, or have ended, are left out. */
export async function readRecords<T>(log: Log, names: readonly string[]): Promise<StoredRecord<T>[]> {
  const limit = createLimiter(readsMax);
  const records = await Promise.all(names.map((name) => limit(() => log.read<T>(name))));
  return records.flatMap(({ value, ...record }) => (value === undefined ? [] : [{ ...record, value }]));
}
