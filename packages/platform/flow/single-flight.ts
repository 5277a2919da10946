/** Calls of one key that come while an earlier one runs share its result. */
export interface SingleFlight<T> {
  run(key: string, act: () => Promise<T>): Promise<T>;
  isRunning(key: string): boolean;
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Promise<T>>();
  return {
    isRunning: (key) => running.has(key),
    run(key, act) {
      const earlier = running.get(key);
      if (earlier !== undefined) return earlier;
      const call = act().finally(() => running.delete(key));
      running.set(key, call);
      return call;
    },
  };
}
