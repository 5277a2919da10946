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

/** One slope for all series, each around its own mean. */
export function commonSlope(points: readonly Point[]): Slope {
  const series = [...Map.groupBy(points, (point) => point.series).values()].filter((group) => group.length > 1);
  const centered = series.flatMap((group) => {
    const day = mean(group.map((point) => point.day));
    const value = mean(group.map((point) => point.value));
    return group.map((point) => ({ x: point.day - day, y: point.value - value }));
  });
  const spread = centered.reduce((sum, { x }) => sum + x * x, 0);
  const perDay = centered.reduce((sum, { x, y }) => sum + x * y, 0) / spread;
  const residual = centered.reduce((sum, { x, y }) => sum + (y - perDay * x) ** 2, 0);
  const freedom = centered.length - series.length - 1;
  const uncertainty = freedom < 1 ? Number.NaN : studentT(freedom) * Math.sqrt(residual / freedom / spread);
  return { perDay, uncertainty, mean: mean(points.map(({ value }) => value)), points: centered.length };
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
