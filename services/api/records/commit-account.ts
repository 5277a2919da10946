/** Changes of an account's record that are not an accept: renewal, counts of keys and webhooks, the operator's hand. */
import { type Account, renewCredits } from "@packshot/domain/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { ledgerWrite } from "@packshot/domain/ledger.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { LedgerEntry } from "@packshot/domain/ledger.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { RecordCache } from "./record-cache.ts";
import type { RunExclusive } from "@packshot/platform/flow/keyed-mutex.ts";

export interface AccountDeps {
  readonly log: Log;
  readonly records: RecordCache;
  readonly runExclusive: RunExclusive;
  readonly nowMs: () => number;
}

export interface AccountDecision<T> {
  readonly account: Account;
  readonly entries?: readonly LedgerEntry[];
  /** Further records of the same batch. */
  readonly writes: readonly Write[];
  readonly answer: T;
}

/**
 * `decide` is asked with the account as the leader has it, credits renewed; asked again after a conflict. It returns
 * `{done}` when its own earlier success is there already. Throws `not_found` for an unknown account.
 */
export async function commitAccount<T>(
  { log, records, runExclusive, nowMs }: AccountDeps,
  transition: string,
  accountId: string,
  decide: (account: Account, attempt: number) => Promise<AccountDecision<T> | { readonly done: T }>,
): Promise<T> {
  const subject = subjects.account(accountId);
  return await runExclusive(accountId, () =>
    log.transact<T>(transition, async (attempt) => {
      const { value: before, sequence } = await log.read<Account>(subject);
      if (before === undefined) throw new PackshotError("not_found", "There is no such account.");
      const renewal = renewCredits(before, nowMs());
      const decision = await decide(renewal.account, attempt);
      if ("done" in decision) return decision;
      return {
        writes: [
          { subject, value: decision.account, expected: sequence },
          ...[...renewal.entries, ...(decision.entries ?? [])].map(ledgerWrite),
          ...decision.writes,
        ],
        answer: (firstSequence) => {
          records.put(subject, decision.account, firstSequence);
          return decision.answer;
        },
      };
    }),
  );
}

/** The account as the leader has it; a period that has ended is renewed by this read. */
export async function readAccount(parts: AccountDeps, accountId: string): Promise<Account> {
  const { value, sequence } = await parts.log.read<Account>(subjects.account(accountId));
  if (value === undefined) throw new PackshotError("not_found", "There is no such account.");
  if (renewCredits(value, parts.nowMs()).account === value) {
    parts.records.put(subjects.account(accountId), value, sequence);
    return value;
  }
  return await commitAccount(parts, "renew", accountId, async (account) => ({ account, writes: [], answer: account }));
}
