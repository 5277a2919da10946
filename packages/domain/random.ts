/**
 * Seeded random numbers. The same seed gives the same numbers on every machine (integer arithmetic only), so that an
 * image can be made again. Not for secrets.
 */

export interface Random {
  /** Uniform in [0, 1), 32 bits. */
  next(): number;
  /** Uniform in [low, high). */
  between(low: number, high: number): number;
  /** An integer in [low, high]. */
  integer(low: number, high: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
}

/** xoshiro128** (Blackman and Vigna, 2018), its state spread from the seed by SplitMix32. */
export function createRandom(seed: number): Random {
  let spread = seed >>> 0;
  const word = (): number => {
    spread = (spread + 0x9e3779b9) >>> 0;
    return mix32(spread);
  };
  let a = word();
  let b = word();
  let c = word();
  let d = word();

  const next = (): number => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result / 4_294_967_296;
  };
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    integer,
    pick: (choices) => choices[integer(0, choices.length - 1)]!,
    chance: (probability) => next() < probability,
  };
}

/** Hashes a u32 to a u32 (the finalizer of MurmurHash3). */
export function mix32(value: number): number {
  let v = value | 0;
  v = Math.imul(v ^ (v >>> 16), 0x85ebca6b);
  v = Math.imul(v ^ (v >>> 13), 0xc2b2ae35);
  return (v ^ (v >>> 16)) >>> 0;
}

/** Hashes a text to a u32 (FNV-1a over UTF-16 code units, then mixed). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix32(hash);
}
