/** Runs an edit's stages one after another: told, timed, and stopped between two of them when the job is cancelled. */

import type { EditInput } from "./edit.ts";

export interface TimedStages {
  /** Milliseconds by stage, filled as stages end. */
  readonly timings: Record<string, number>;
  /** @throws the signal's reason when the edit was cancelled, else what `work` throws */
  readonly stage: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

export function timedStages({ signal, onStage }: Pick<EditInput, "signal" | "onStage">): TimedStages {
  const timings: Record<string, number> = {};
  const stage = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    // The stages compute without pause: let a cancellation that has arrived get a word in.
    await new Promise(setImmediate);
    signal.throwIfAborted();
    onStage(name);
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      timings[name] = Math.round((timings[name] ?? 0) + performance.now() - startedAt);
    }
  };
  return { timings, stage };
}
