/**
 * What a run of each bucket costs, t = B + A·n: measured at warm-up, refreshed by every run. Pure arithmetic on
 * milliseconds; the clock is the caller's.
 */

export interface CostModel {
  /** A run of `bucket` rows took `ms`. */
  observe(bucket: number, ms: number): void;
  /**
   * A request was refused for this cost though nothing runs: what made the cost high may be over, and refusals alone
   * would never tell. It is forgotten a little, down to the quickest run ever seen.
   */
  doubt(bucket: number): void;
  isMeasured(bucket: number): boolean;
  /** The quickest run of `bucket` rows ever seen. */
  leastMs(bucket: number): number;
  /** What a run of `bucket` rows is expected to take. */
  expectedMs(bucket: number): number;
  /** What it takes at most, but for rare runs: the bound for promises about deadlines. */
  cautiousMs(bucket: number): number;
  /** The line through what was measured. */
  fit(): { readonly baseMs: number; readonly perRowMs: number };
}

interface Measured {
  meanMs: number;
  /** Mean absolute deviation. */
  deviationMs: number;
  runs: number;
  leastMs: number;
  /** Which of all runs the last of its own was. */
  seenAt: number;
}

/** Weight of the newest run: ten runs forget nine tenths of a changed clock rate or a noisy neighbor. */
const newestWeight = 0.2;
/** Of a bucket that has not run for so many runs of others, the newest counts for more: the rest is of other times. */
const staleAfterRuns = 8;
const newestWeightWhenStale = 0.5;
/** The first runs count by their plain mean, so that one slow start is not remembered as the mean. */
const plainMeanRuns = 5;
const cautiousDeviations = 2;
const doubtFactor = 0.8;

export function createCostModel(): CostModel {
  const measured = new Map<number, Measured>();
  let runs = 0;

  function observe(bucket: number, ms: number): void {
    const known = measured.get(bucket);
    runs += 1;
    if (!known) {
      measured.set(bucket, { meanMs: ms, deviationMs: ms * 0.05, runs: 1, leastMs: ms, seenAt: runs });
      return;
    }
    known.runs += 1;
    known.leastMs = Math.min(known.leastMs, ms);
    const newest = runs - known.seenAt > staleAfterRuns ? newestWeightWhenStale : newestWeight;
    known.seenAt = runs;
    const weight = Math.max(newest, 1 / Math.min(known.runs, plainMeanRuns));
    known.deviationMs += weight * (Math.abs(ms - known.meanMs) - known.deviationMs);
    known.meanMs += weight * (ms - known.meanMs);
  }

  function doubt(bucket: number): void {
    const known = measured.get(bucket);
    if (!known) return;
    known.meanMs = Math.max(known.leastMs, known.meanMs * doubtFactor);
    known.deviationMs *= doubtFactor;
  }

  /** Least squares over the buckets' means; a slope or base below zero is noise. */
  function fit(): { baseMs: number; perRowMs: number } {
    const points = [...measured];
    if (points.length === 0) return { baseMs: 0, perRowMs: 0 };
    if (points.length === 1) return { baseMs: 0, perRowMs: points[0]![1].meanMs / points[0]![0] };
    const count = points.length;
    const meanRows = points.reduce((sum, [rows]) => sum + rows, 0) / count;
    const meanMs = points.reduce((sum, [, each]) => sum + each.meanMs, 0) / count;
    let covariance = 0;
    let variance = 0;
    for (const [rows, each] of points) {
      covariance += (rows - meanRows) * (each.meanMs - meanMs);
      variance += (rows - meanRows) ** 2;
    }
    const perRowMs = Math.max(0, covariance / variance);
    return { baseMs: Math.max(0, meanMs - perRowMs * meanRows), perRowMs };
  }

  function expectedMs(bucket: number): number {
    const known = measured.get(bucket);
    if (known) return known.meanMs;
    const { baseMs, perRowMs } = fit();
    return baseMs + perRowMs * bucket;
  }

  return {
    observe,
    doubt,
    isMeasured: (bucket) => measured.has(bucket),
    leastMs: (bucket) => measured.get(bucket)?.leastMs ?? expectedMs(bucket),
    expectedMs,
    cautiousMs(bucket) {
      return expectedMs(bucket) + cautiousDeviations * (measured.get(bucket)?.deviationMs ?? 0);
    },
    fit,
  };
}
