/**
 * Changes of one account's record by this process come one after another: two at once would only make each other's
 * compare-and-set fail. Between processes the compare-and-set decides.
 */
export type TakeTurn = <T>(accountId: string, act: () => Promise<T>) => Promise<T>;

export function createTurns(): TakeTurn {
  const tails = new Map<string, Promise<unknown>>();
  return async <T>(accountId: string, act: () => Promise<T>): Promise<T> => {
    const before = tails.get(accountId) ?? Promise.resolve();
    const turn = before.then(act);
    const tail = turn.catch(() => {});
    tails.set(accountId, tail);
    try {
      return await turn;
    } finally {
      if (tails.get(accountId) === tail) tails.delete(accountId);
    }
  };
}
