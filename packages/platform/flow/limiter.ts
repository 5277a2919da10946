import PQueue from "p-queue";

/** Runs `act` once fewer than `concurrencyMax` acts are running; urgent ones start before the others, each in order. */
export type Limiter = <T>(act: () => Promise<T>, isUrgent?: boolean) => Promise<T>;

export function createLimiter(concurrencyMax: number): Limiter {
  const queue = new PQueue({ concurrency: concurrencyMax });
  return (act, isUrgent = false) => queue.add(act, { priority: isUrgent ? 1 : 0 });
}
