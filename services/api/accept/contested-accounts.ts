/**
 * Accounts whose record is written again and again by others than the accepts of their owner: mostly by the keeper of
 * another process. Their accepts get batches of their own, so that their conflicts hold up nobody else.
 */
const conflictsMin = 3;
const conflictWindowMs = 5_000;
const accountsMax = 10_000;

export interface ContestedAccounts {
  /** Another process wrote the account first. */
  recordConflict(accountId: string): void;
  isContested(accountId: string): boolean;
}

export function createContestedAccounts({ nowMs }: { nowMs: () => number }): ContestedAccounts {
  /** Times of each account's last conflicts; the account of the latest conflict stands last. */
  const conflictTimesMs = new Map<string, readonly number[]>();
  return {
    recordConflict(accountId) {
      const timesMs = [...(conflictTimesMs.get(accountId) ?? []), nowMs()].slice(-conflictsMin);
      conflictTimesMs.delete(accountId);
      conflictTimesMs.set(accountId, timesMs);
      if (conflictTimesMs.size > accountsMax) conflictTimesMs.delete(conflictTimesMs.keys().next().value!);
    },
    isContested(accountId) {
      const oldestMs = conflictTimesMs.get(accountId)?.at(-conflictsMin);
      return oldestMs !== undefined && oldestMs > nowMs() - conflictWindowMs;
    },
  };
}
