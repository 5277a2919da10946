/** Whether what a log takes grows from day to day, judged from the first day on which what it keeps is complete. */

/** At the end of each day, the first day first. */
export interface DailySize {
  readonly name: string;
  /** The first day at whose end the oldest of what is kept expires. */
  readonly fullFromDay: number;
  readonly values: readonly number[];
  /** Changes of no more than this are noise, such as the few messages of a queue that is being emptied. */
  readonly noise: number;
  /** Instead of a comparison, for what is emptied in steps: a file of the ledger's archive is the same in each day. */
  readonly max?: number;
}

export type Flatness = "flat" | "grows" | "too few days";

const growthMax = 0.1;

/** Flat: no later day is more than 10 % above the first full one. */
export function judgeFlatness({ fullFromDay, values, noise, max }: DailySize): Flatness {
  if (max !== undefined) return values.every((value) => value <= max) ? "flat" : "grows";
  const [first, ...later] = values.slice(fullFromDay - 1);
  if (first === undefined || later.length === 0) return "too few days";
  return later.every((value) => value - first <= Math.max(noise, first * growthMax)) ? "flat" : "grows";
}
