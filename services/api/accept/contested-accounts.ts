/**
 * Accounts whose record others than their owner's accepts write again and again: the keeper of another process, mostly.
 * Their accepts go alone, so that their conflicts are nobody else's.
 */
const conflictsMin = 3;
const conflictWindowMs = 5_000;
const accountsMax = 10_000;

export interface ContestedAccounts {
  /** Another process wrote the account first. */
  conflict(accountId: string): void;
  isContested(accountId: string): boolean;
}

export function createContestedAccounts({ nowMs }: { nowMs: () => number }): ContestedAccounts {
  /** Times of the last conflicts of each, the account of the latest one last. */
  const conflicts = new Map<string, readonly number[]>();
  return {
    conflict(accountId) {
      const times = [...(conflicts.get(accountId) ?? []), nowMs()].slice(-conflictsMin);
      conflicts.delete(accountId);
      conflicts.set(accountId, times);
      if (conflicts.size > accountsMax) conflicts.delete(conflicts.keys().next().value!);
    },
    isContested(accountId) {
      const oldestAtMs = conflicts.get(accountId)?.at(-conflictsMin);
      return oldestAtMs !== undefined && oldestAtMs > nowMs() - conflictWindowMs;
    },
  };
}
