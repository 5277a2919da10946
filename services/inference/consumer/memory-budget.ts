/**
 * Shares the memory of a worker among its edits. Slots alone do not: a photo of 100 megapixels takes a hundred times the
 * memory of one of a megapixel. Edits wait in the order in which they came. One that fits now may overtake those that do
 * not, but each is overtaken a few times only, so that small photos do not keep a large one from running.
 */

/** The edit is not to blame: its job is requeued, and the attempt does not count. */
export class MemoryWaitTimeout extends Error {
  constructor(waitedMs: number) {
    super(`no memory became free for the edit in ${waitedMs} ms`);
    this.name = "MemoryWaitTimeout";
  }
}

export interface MemoryRequest {
  readonly bytes: number;
  readonly signal: AbortSignal;
  /** Called when the memory is not free at once: the caller lets go of what it can read again. */
  readonly onWait: () => void;
}

/** Gives back what is reserved beyond so many bytes: without them, all of it. Less than was given back is not taken again. */
export type ReleaseMemory = (keptBytes?: number) => void;

export interface MemoryBudget {
  /** Throws the signal's reason, and `MemoryWaitTimeout`. */
  reserve(request: MemoryRequest): Promise<ReleaseMemory>;
  readonly reservedBytes: number;
}

export interface MemoryBudgetSettings {
  /** An edit that needs more runs alone. */
  readonly bytesMax: number;
  readonly overtakesMax?: number;
  readonly waitTimeoutMs?: number;
}

interface Waiter {
  readonly bytes: number;
  readonly grant: () => void;
  overtaken: number;
}

const overtakesMaxDefault = 8;
/** A job has five minutes from its claim to its end. */
const waitTimeoutMsDefault = 60_000;

export function createMemoryBudget(settings: MemoryBudgetSettings): MemoryBudget {
  const { bytesMax, overtakesMax = overtakesMaxDefault, waitTimeoutMs = waitTimeoutMsDefault } = settings;
  const waiters: Waiter[] = [];
  let reserved = 0;

  function grantWaiting(): void {
    let passed = 0;
    while (passed < waiters.length) {
      const next = waiters[passed]!;
      if (reserved === 0 || reserved + next.bytes <= bytesMax) {
        for (const earlier of waiters.slice(0, passed)) earlier.overtaken += 1;
        waiters.splice(passed, 1);
        reserved += next.bytes;
        next.grant();
        passed = 0;
      } else if (next.overtaken >= overtakesMax) return;
      else passed += 1;
    }
  }

  function createRelease(bytes: number): ReleaseMemory {
    let held = bytes;
    return (keptBytes = 0) => {
      if (keptBytes >= held) return;
      reserved -= held - keptBytes;
      held = keptBytes;
      grantWaiting();
    };
  }

  return {
    get reservedBytes() {
      return reserved;
    },

    async reserve({ bytes, signal, onWait }) {
      signal.throwIfAborted();
      const granted = Promise.withResolvers<void>();
      const waiter: Waiter = { bytes, grant: granted.resolve, overtaken: 0 };
      waiters.push(waiter);
      grantWaiting();
      if (!waiters.includes(waiter)) return createRelease(bytes);
      onWait();
      const leave = (reason: unknown) => {
        const at = waiters.indexOf(waiter);
        if (at < 0) return;
        waiters.splice(at, 1);
        granted.reject(reason);
        // Those behind it may fit.
        grantWaiting();
      };
      const onAbort = () => leave(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      const timer = setTimeout(() => leave(new MemoryWaitTimeout(waitTimeoutMs)), waitTimeoutMs);
      try {
        await granted.promise;
        return createRelease(bytes);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}

/** What the edits of a worker may take when no setting says it. */

export interface MachineMemory {
  /** The limit of the container or service; 0, or more than the machine has, where there is none. */
  readonly limitBytes: number;
  readonly totalBytes: number;
  /** Processes that decode, one for each edit at once. */
  readonly decoders?: number;
}

/** The worker itself, and what its allocator keeps of earlier edits beside those that run. */
const shareOfLimit = 0.75;
const idleBytes = 256 * 1024 * 1024;
/** Measured: 34 MiB at rest, and what it keeps of earlier photos, with the file in memory through which pixels come. */
const decoderBytes = 128 * 1024 * 1024;
/** Other processes have no limit either. */
const shareOfMachine = 0.5;

export function editMemoryMax({ limitBytes, totalBytes, decoders = 0 }: MachineMemory): number {
  const isLimited = limitBytes > 0 && limitBytes < totalBytes;
  const bytes = isLimited ? shareOfLimit * limitBytes : shareOfMachine * totalBytes;
  return Math.max(idleBytes, Math.floor(bytes - idleBytes - decoders * decoderBytes));
}
