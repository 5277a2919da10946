/**
 * A worker's slots: as many edits run at once as there are slots. A job that only waits (for a slow imageUrl, or as a
 * sandbox job asks) releases its slot after a while and reacquires one afterwards, so that a few such jobs cannot keep
 * every other job from running.
 */

/** Resolves with what `wait` resolves with; the slot may belong to another job meanwhile. */
export type ReleaseWhile = <T>(wait: () => Promise<T>) => Promise<T>;

export interface WorkerSlot {
  readonly releaseWhile: ReleaseWhile;
  /** Idempotent. */
  release(): void;
}

export interface WorkerSlots {
  /** 0 when one more job than there are slots runs for a while. */
  readonly free: number;
  /** Never waits: the caller asks for `free` ones first. */
  acquire(): WorkerSlot;
}

/**
 * A fetch of the usual length keeps its slot: otherwise a bulk upload would fetch a lot and then run before a newcomer.
 */
const releaseAfterMs = 1_000;
/** Jobs that one worker holds without a slot. */
const releasedMax = 256;

/**
 * A slot that becomes free is announced by `onFree`, for the next pull, and is also given to a job that reacquires one.
 * So neither side waits for all of the other, and one job more than `count` may run for a while.
 */
export function createWorkerSlots(count: number, onFree: () => void): WorkerSlots {
  let acquired = 0;
  let released = 0;
  const reacquirers: (() => void)[] = [];

  function releaseOne(): void {
    acquired -= 1;
    if (acquired >= count) return;
    onFree();
    const resume = reacquirers.shift();
    if (resume === undefined) return;
    acquired += 1;
    resume();
  }

  async function reacquire(): Promise<void> {
    if (acquired >= count) return await new Promise((resolve) => reacquirers.push(resolve));
    acquired += 1;
  }

  return {
    get free() {
      return Math.max(0, count - acquired);
    },

    acquire() {
      acquired += 1;
      let isHeld = true;

      function release(): void {
        if (!isHeld) return;
        isHeld = false;
        releaseOne();
      }

      async function releaseWhile<T>(wait: () => Promise<T>): Promise<T> {
        let isReleased = false;
        const timer = setTimeout(() => {
          if (released >= releasedMax) return;
          isReleased = true;
          released += 1;
          release();
        }, releaseAfterMs);
        try {
          const result = await wait();
          clearTimeout(timer);
          if (isReleased) {
            await reacquire();
            isHeld = true;
          }
          return result;
        } finally {
          clearTimeout(timer);
          if (isReleased) released -= 1;
        }
      }

      return { releaseWhile, release };
    },
  };
}
