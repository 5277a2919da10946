/** One act per key at a time, in the order of the calls; acts of different keys do not wait for each other. */
export type RunExclusive = <T>(key: string, act: () => Promise<T>) => Promise<T>;

export interface KeyedMutex {
  readonly runExclusive: RunExclusive;
  /** false: an act that is given before the next await starts at once. */
  isLocked(key: string): boolean;
}

export function createKeyedMutex(): KeyedMutex {
  /** The last act of each key, running or pending; it never rejects. */
  const tails = new Map<string, Promise<unknown>>();
  return {
    isLocked: (key) => tails.has(key),
    async runExclusive<T>(key: string, act: () => Promise<T>): Promise<T> {
      const result = (tails.get(key) ?? Promise.resolve()).then(act);
      const tail = result.catch(() => {});
      tails.set(key, tail);
      try {
        return await result;
      } finally {
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}
