/**
 * A limit that several share, such as accounts, when the acts of one may be slow: each may take half of what the others leave,
 * so that some of it is left for whoever comes next. Alone, one runs half as many acts as there may be.
 *
 *   const share = createSharedLimiter(32);
 *   await share(accountId, () => fetchPhoto(imageUrl));
 */

/** Runs `act` when the key has a share left: acts of the key with the fewest running come first, those of one key in order. */
export type SharedLimiter = <T>(key: string, act: () => Promise<T>) => Promise<T>;

interface Share {
  running: number;
  readonly waiting: (() => void)[];
}

export function createSharedLimiter(concurrencyMax: number): SharedLimiter {
  /** The one whose turn was longest ago stands first. */
  const shares = new Map<string, Share>();
  let free = concurrencyMax;

  function nextKey(): string | undefined {
    let next: string | undefined;
    let fewest = free;
    for (const [key, { running, waiting }] of shares) {
      if (waiting.length === 0 || running >= fewest) continue;
      next = key;
      fewest = running;
    }
    return next;
  }

  function startNext(): void {
    for (let key = nextKey(); key !== undefined; key = nextKey()) {
      const share = shares.get(key)!;
      shares.delete(key);
      shares.set(key, share);
      share.running += 1;
      free -= 1;
      share.waiting.shift()!();
    }
  }

  function end(key: string, share: Share): void {
    share.running -= 1;
    free += 1;
    if (share.running === 0 && share.waiting.length === 0) shares.delete(key);
    startNext();
  }

  return async (key, act) => {
    const share = shares.get(key) ?? { running: 0, waiting: [] };
    shares.set(key, share);
    const turn = Promise.withResolvers<void>();
    share.waiting.push(turn.resolve);
    startNext();
    await turn.promise;
    try {
      return await act();
    } finally {
      end(key, share);
    }
  };
}
