/** Whether something grows from day to day: a line through its points, with an interval that their noise explains. */
import { mean } from "../../bench/measuring/statistics.ts";

export interface Point {
  /** Points are compared within a series, such as the life of one process: another begins at a level of its own. */
  readonly series: string;
  readonly day: number;
  readonly value: number;
}

export interface Slope {
  readonly perDay: number;
  /** Half of the 95 % interval; NaN with too few points. */
  readonly uncertainty: number;
  readonly mean: number;
  readonly points: number;
}

/**
 * One slope for all series, each around its own mean. Memory that an allocator has taken stays taken for a while, so that what differs
 * from the line in one quarter does so in the next, too: points then say less than as many independent ones, and the interval is wider, by
 * the correlation of each residual with the one before it (as of a first-order autoregression).
 */
export function commonSlope(given: readonly Point[]): Slope {
  const series = [...Map.groupBy(given, (point) => point.series).values()].filter((group) => group.length > 1);
  const centered = series.map((group) => {
    const day = mean(group.map((point) => point.day));
    const value = mean(group.map((point) => point.value));
    return group.map((point) => ({ x: point.day - day, y: point.value - value }));
  });
  const spread = centered.flat().reduce((sum, { x }) => sum + x * x, 0);
  const perDay = centered.flat().reduce((sum, { x, y }) => sum + x * y, 0) / spread;
  const residuals = centered.map((group) => group.map(({ x, y }) => y - perDay * x));
  const squares = residuals.flat().reduce((sum, residual) => sum + residual ** 2, 0);
  const points = centered.flat().length;
  const freedom = points - series.length - 1;
  const { factor, share } = dependence(residuals, squares, freedom);
  const independent = Math.max(freedomMin, points * share - series.length - 1);
  const uncertainty =
    freedom < 1
      ? Number.NaN
      : studentT(Math.min(freedom, independent)) * Math.sqrt((factor * squares) / freedom / spread);
  return { perDay, uncertainty, mean: mean(given.map(({ value }) => value)), points };
}

/** Points that hang together wholly would say nothing of a slope. */
const correlationMax = 0.9;
/** The expansion of Student's t holds from there on. */
const freedomMin = 2;

/** By how much the variance of a slope is larger than of independent residuals, and what share of the points counts. */
function dependence(residuals: readonly number[][], squares: number, freedom: number) {
  const pairs = residuals.flatMap((group) => group.slice(1).map((value, at) => value * group[at]!));
  if (pairs.length === 0 || squares === 0) return { factor: 1, share: 1 };
  const found = pairs.reduce((sum, pair) => sum + pair, 0) / squares;
  // A line that was fitted has taken some of it away.
  const corrected = found + (1 + 3 * found) / Math.max(1, freedom);
  const correlation = Math.min(correlationMax, Math.max(0, corrected));
  const factor = (1 + correlation) / (1 - correlation);
  return { factor, share: 1 / factor };
}

const normal = 1.959964;

/** Student's t for 95 %, by the expansion around the normal distribution: from two degrees of freedom on within 3 %. */
function studentT(freedom: number): number {
  const terms = [
    normal,
    (normal ** 3 + normal) / 4,
    (5 * normal ** 5 + 16 * normal ** 3 + 3 * normal) / 96,
    (3 * normal ** 7 + 19 * normal ** 5 + 17 * normal ** 3 - 15 * normal) / 384,
  ];
  return terms.reduce((sum, term, power) => sum + term / freedom ** power, 0);
}

/** Less growth in a week is below what allocators do. */
const growthShareMin = 0.02;
const weekDays = 7;

export type Verdict = "flat" | "falls" | "below 2 %" | "grows" | "grows to its limit" | "too few points";

/**
 * Flat: 0 lies within the interval. Growth of less than a fiftieth in a week is named and passes, and so does growth that would be below
 * `limit`, where there is one, after another week: one and a half weeks from the middle of the first one, where its mean is.
 */
export function judgeSlope({ perDay, uncertainty, mean: level }: Slope, limit = 0): Verdict {
  if (Number.isNaN(uncertainty) || Number.isNaN(perDay)) return "too few points";
  if (Math.abs(perDay) <= uncertainty) return "flat";
  if (perDay < 0) return "falls";
  if (perDay * weekDays <= growthShareMin * level) return "below 2 %";
  return level + 1.5 * perDay * weekDays <= limit ? "grows to its limit" : "grows";
}
