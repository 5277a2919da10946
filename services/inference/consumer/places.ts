/**
 * Places for edits at work. A job that only waits (for a slow imageUrl, or as a test job asks) lends its place after a
 * while, so that a few of them cannot keep everybody else from theirs.
 */

/** Resolves with what `wait` does; the place may be another's meanwhile. */
export type Lend = <T>(wait: () => Promise<T>) => Promise<T>;

export interface Place {
  readonly lend: Lend;
  leave(): void;
}

export interface Places {
  readonly isFree: boolean;
  take(): Place;
}

/** A fetch of the usual length keeps its place: else a bulk upload would fetch much and then stand before a newcomer. */
const lendAfterMs = 1_000;
/** Jobs that one worker holds without a place. */
const lentMax = 256;

/**
 * A place that becomes free is told by `onFree`, for the next pull, and given to one that goes on: neither waits for all
 * of the other, and one more than `count` may be at work for a while.
 */
export function createPlaces(count: number, onFree: () => void): Places {
  let taken = 0;
  let lent = 0;
  const goingOn: (() => void)[] = [];

  function free(): void {
    taken -= 1;
    if (taken >= count) return;
    onFree();
    const goOn = goingOn.shift();
    if (goOn === undefined) return;
    taken += 1;
    goOn();
  }

  async function takeAgain(): Promise<void> {
    if (taken >= count) return await new Promise((resolve) => goingOn.push(resolve));
    taken += 1;
  }

  return {
    get isFree() {
      return taken < count;
    },

    take() {
      taken += 1;
      let isHeld = true;

      function leave(): void {
        if (!isHeld) return;
        isHeld = false;
        free();
      }

      async function lend<T>(wait: () => Promise<T>): Promise<T> {
        let isLent = false;
        const timer = setTimeout(() => {
          if (lent >= lentMax) return;
          isLent = true;
          lent += 1;
          leave();
        }, lendAfterMs);
        try {
          const waited = await wait();
          clearTimeout(timer);
          if (isLent) {
            await takeAgain();
            isHeld = true;
          }
          return waited;
        } finally {
          clearTimeout(timer);
          if (isLent) lent -= 1;
        }
      }

      return { lend, leave };
    },
  };
}
