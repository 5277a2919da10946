/**
 * Changes of one account's record by this process come one after another: two at once would only make each other's
 * compare-and-set fail. Between processes the compare-and-set decides.
 */
export type RunExclusive = <T>(accountId: string, act: () => Promise<T>) => Promise<T>;

export interface KeyedMutex {
  readonly runExclusive: RunExclusive;
  /** Nobody has the account's turn or waits for it: a turn taken now, before anything is awaited, begins at once. */
  isFree(accountId: string): boolean;
}

export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>();
  return {
    isFree: (accountId) => !tails.has(accountId),
    async runExclusive<T>(accountId: string, act: () => Promise<T>): Promise<T> {
      const before = tails.get(accountId) ?? Promise.resolve();
      const turn = before.then(act);
      const tail = turn.catch(() => {});
      tails.set(accountId, tail);
      try {
        return await turn;
      } finally {
        if (tails.get(accountId) === tail) tails.delete(accountId);
      }
    },
  };
}
