/** Random numbers that are the same for the same seed on every machine (mulberry32). */
export interface SeededRandom {
  /** 0 to below 1. */
  uniform(): number;
  /** A time with this mean, as between arrivals that know nothing of each other. */
  exponential(mean: number): number;
  /** One of them, each as often as its share says. The shares add up to 1. */
  pick<T extends { readonly share: number }>(choices: readonly T[]): T;
}

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  function uniform(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    uniform,
    exponential: (mean) => -mean * Math.log(1 - uniform()),
    pick(choices) {
      let left = uniform();
      for (const choice of choices) {
        left -= choice.share;
        if (left < 0) return choice;
      }
      return choices.at(-1)!;
    },
  };
}
