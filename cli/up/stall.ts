import { setTimeout as delay } from "node:timers/promises";

export interface StallOptions {
  readonly timeoutMs: number;
  /** Whether something has got ahead since the last call. Without it, `timeoutMs` is the whole time. */
  readonly hasProgressed: (() => boolean) | undefined;
  /** Nothing is awaited any more. */
  readonly over: AbortSignal;
}

const checkEveryMsMax = 1_000;

/** Resolves when nothing has got ahead for `timeoutMs`; never once `over` has aborted. */
export async function untilStalled({ timeoutMs, hasProgressed, over }: StallOptions): Promise<void> {
  const checkEveryMs = Math.min(checkEveryMsMax, timeoutMs / 10);
  let progressAtMs = performance.now();
  while (performance.now() - progressAtMs < timeoutMs) {
    await delay(checkEveryMs, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return await new Promise<never>(() => {});
    if (hasProgressed?.()) progressAtMs = performance.now();
  }
}
