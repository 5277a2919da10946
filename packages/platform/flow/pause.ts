/** Resolves after `ms`, or at once when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || ms <= 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, Math.min(ms, timerMsMax));
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}

/** The longest delay of a Node timer: a longer pause ends early, and its caller pauses again. */
export const timerMsMax = 2 ** 31 - 1;

/**
 * How long to wait before the try after `attempt`, counted from 1: twice as long each time, with jitter, so that those who
 * failed together do not come back together.
 */
export function jitteredBackoffMs(attempt: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  return Math.min(maxMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random());
}
