/**
 * The cost model: how long a run of each bucket takes, t = B + A·n. Warm-up measures it and every run refreshes it. The
 * model is pure arithmetic on milliseconds that its caller measures.
 */

export interface CostModel {
  /** A run of `bucket` rows took `ms`. */
  observe(bucket: number, ms: number): void;
  /**
   * Lowers the cost a little, but never below the fastest run ever seen. Called when this cost made the batcher reject
   * a request although no batch runs: the cause of a high cost may be over, and rejections alone would never show that.
   */
  decay(bucket: number): void;
  isMeasured(bucket: number): boolean;
  /** The fastest run of `bucket` rows ever seen. */
  minMs(bucket: number): number;
  /** The expected duration of a run of `bucket` rows. */
  expectedMs(bucket: number): number;
  /** A bound that few runs exceed, for decisions about deadlines. */
  conservativeMs(bucket: number): number;
  /** The line fitted through the measured buckets. */
  fit(): { readonly baseMs: number; readonly perRowMs: number };
}

interface Measured {
  meanMs: number;
  /** Mean absolute deviation. */
  deviationMs: number;
  runs: number;
  minMs: number;
  /** Number of the bucket's last run, counted over the runs of all buckets. */
  lastRun: number;
}

/** Weight of the newest run: after ten runs, nine tenths of an old clock rate or of a noisy neighbor are forgotten. */
const newestWeight = 0.2;
/** After this many runs of other buckets, a bucket's mean is stale and its newest run counts for more. */
const staleAfterRuns = 8;
const newestWeightWhenStale = 0.5;
/** The first runs count by their plain mean, so that one slow start does not dominate the moving mean. */
const plainMeanRuns = 5;
const conservativeDeviations = 2;
const decayFactor = 0.8;

export function createCostModel(): CostModel {
  const measured = new Map<number, Measured>();
  let runs = 0;

  function observe(bucket: number, ms: number): void {
    const known = measured.get(bucket);
    runs += 1;
    if (!known) {
      measured.set(bucket, { meanMs: ms, deviationMs: ms * 0.05, runs: 1, minMs: ms, lastRun: runs });
      return;
    }
    known.runs += 1;
    known.minMs = Math.min(known.minMs, ms);
    const newest = runs - known.lastRun > staleAfterRuns ? newestWeightWhenStale : newestWeight;
    known.lastRun = runs;
    const weight = Math.max(newest, 1 / Math.min(known.runs, plainMeanRuns));
    known.deviationMs += weight * (Math.abs(ms - known.meanMs) - known.deviationMs);
    known.meanMs += weight * (ms - known.meanMs);
  }

  function decay(bucket: number): void {
    const known = measured.get(bucket);
    if (!known) return;
    known.meanMs = Math.max(known.minMs, known.meanMs * decayFactor);
    known.deviationMs *= decayFactor;
  }

  /** Least squares over the buckets' means. A slope or base below zero is noise and becomes zero. */
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
    decay,
    isMeasured: (bucket) => measured.has(bucket),
    minMs: (bucket) => measured.get(bucket)?.minMs ?? expectedMs(bucket),
    expectedMs,
    conservativeMs(bucket) {
      return expectedMs(bucket) + conservativeDeviations * (measured.get(bucket)?.deviationMs ?? 0);
    },
    fit,
  };
}
