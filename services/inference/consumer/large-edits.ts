/**
 * Leaves a worker's last slot to edits of usual size. An edit of 8,192 × 8,192 pixels takes fifty times the processor time of one
 * of a megapixel: with one of them in each slot, nothing else of the worker began for minutes on a busy machine. Memory alone does
 * not say so, where there is much of it. A large edit that waits for its turn holds no slot, and is requeued after a while, since a
 * job has five minutes from its claim.
 */

/** More than cameras that shops use for all their photos have: those may fill a worker. */
export const largeEditPixels = 50_000_000;

/** The edit is not to blame: its job is requeued, and the attempt does not count. */
export class LargeEditTimeout extends Error {
  constructor(waitedMs: number) {
    super(`other large edits did not end in ${waitedMs} ms`);
    this.name = "LargeEditTimeout";
  }
}

export interface LargeEditTurn {
  /** Those of the photo, or of the largest file that is made of it. */
  readonly pixels: number;
  readonly signal: AbortSignal;
  /** Called when the turn does not come at once: the caller lets go of what it can read again. */
  readonly onWait: () => void;
}

export interface LargeEdits {
  /**
   * Resolves with an idempotent end of the turn, for an edit that is not large at once. A caller that waits must not hold memory
   * that others need, and no slot where `waitsOutside`. Throws the signal's reason, and `LargeEditTimeout`.
   */
  begin(turn: LargeEditTurn): Promise<() => void>;
  /**
   * Whether an edit of so many pixels leaves its slot to wait. Where many wait already, a further one keeps it: each that leaves its
   * slot has another one claimed, fetched and given back.
   */
  waitsOutside(pixels: number): boolean;
}

export interface LargeEditsSettings {
  /** Slots of the worker; with one, a large edit has it. */
  readonly slots: number;
  readonly waitTimeoutMs?: number;
}

const waitTimeoutMsDefault = 60_000;
/** A catalog of large photos fetches at most so many of them a minute in vain. */
const waitersMax = 16;

export function createLargeEdits({ slots, waitTimeoutMs = waitTimeoutMsDefault }: LargeEditsSettings): LargeEdits {
  const atOnce = Math.max(1, slots - 1);
  const waiters: (() => void)[] = [];
  let running = 0;

  function createEnd(): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = waiters.shift();
      if (next === undefined) running -= 1;
      else next();
    };
  }

  async function wait(signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const leave = (reason: unknown) => {
      const at = waiters.indexOf(turn.resolve);
      if (at < 0) return;
      waiters.splice(at, 1);
      turn.reject(reason);
    };
    const onAbort = () => leave(signal.reason);
    waiters.push(turn.resolve);
    signal.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => leave(new LargeEditTimeout(waitTimeoutMs)), waitTimeoutMs);
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  return {
    waitsOutside(pixels) {
      return pixels > largeEditPixels && running >= atOnce && waiters.length < waitersMax;
    },

    async begin({ pixels, signal, onWait }) {
      signal.throwIfAborted();
      if (pixels <= largeEditPixels) return () => {};
      if (running < atOnce) {
        running += 1;
        return createEnd();
      }
      onWait();
      await wait(signal);
      return createEnd();
    },
  };
}
