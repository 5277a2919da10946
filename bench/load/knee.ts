/** The knee of a ramp: with how many clients a deployment gets the most done, and how much that is. */
import { mean, quantile } from "../measuring/statistics.ts";
import { rampStep } from "./load-settings.ts";
import type { Point } from "./points.ts";

export interface RampStep {
  readonly clients: number;
  readonly jobs: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

export interface Knee {
  readonly clients: number;
  readonly perSecond: number;
}

/** A step begins with jobs of fewer clients. */
const settlingShare = 0.2;
/** Throughput within so much of the best is as good. */
const sufficient = 0.9;

/**
 * Throughput is that of the deployment while the step lasted, whose clients ever completed a job: those of the step before
 * still finish theirs. Latency is of the step's own jobs.
 */
export function rampSteps(
  points: readonly Point[],
  startedMs: number,
  ramp: { readonly seconds: number; readonly concurrencies: readonly number[] },
): RampStep[] {
  return ramp.concurrencies.map((clients, n) => {
    const { fromSeconds, forSeconds } = rampStep(ramp, n);
    const fromMs = startedMs + 1000 * (fromSeconds + settlingShare * forSeconds);
    const toMs = startedMs + 1000 * (fromSeconds + forSeconds);
    const completed = points.filter(({ metric }) => metric === "completed_ms");
    const inTime = completed.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    const own = completed.filter(({ tags }) => tags.step === String(n));
    const sorted = own.map(({ value }) => value).toSorted((a, b) => a - b);
    const perSecond = inTime.length / ((toMs - fromMs) / 1000);
    return { clients, jobs: own.length, perSecond, p50Ms: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95) };
  });
}

/** undefined where no step got a job done. */
export function findKnee(steps: readonly RampStep[]): Knee | undefined {
  const best = Math.max(...steps.map(({ perSecond }) => perSecond));
  const first = steps.findIndex(({ perSecond }) => perSecond >= sufficient * best);
  if (first === -1 || best <= 0) return undefined;
  // The mean of what follows: one lucky step does not set the rate of the scenarios that come.
  return { clients: steps[first]!.clients, perSecond: mean(steps.slice(first).map(({ perSecond }) => perSecond)) };
}
