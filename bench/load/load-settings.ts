/** What `run.ts` hands to a k6 script, as a file of JSON. k6 reads this module too, so it imports nothing. */

/** `k6-program.ts` knows the script of each. */
export type ScenarioName = "smoke" | "ramp" | "constant" | "spike" | "newcomer-alone" | "noisy-tenant" | "soak";

/** An account with a key of its own. */
export interface Tenant {
  readonly key: string;
}

export interface LoadSettings {
  readonly scenario: ScenarioName;
  readonly apiUrl: string;
  /** Where webhooks arrive; null follows jobs by their event streams, for a deployment whose webhooks do not reach us. */
  readonly collectorUrl: string | null;
  readonly main: Tenant;
  /** Absent where there is only one account. */
  readonly fairness?: FairnessTenants;
  readonly tool: string;
  /** Paths of JPEGs. */
  readonly photos: readonly string[];
  readonly seconds: number;
  /** Clients at once, step by step. */
  readonly concurrencies: readonly number[];
  /** Jobs a second that the deployment can take; 0 before the ramp has found it. */
  readonly kneePerSecond: number;
  /** A job's latency must stay below it where the queue must not grow. */
  readonly latencyLimitMs: number;
  /** Longer than any job may wait. A job that has not ended then is lost. */
  readonly followMs: number;
}

export interface FairnessTenants {
  readonly noisy: Tenant;
  readonly quiet: readonly Tenant[];
  readonly newcomer: Tenant;
}

/** Shares of the knee. */
export const shares = { constant: 0.7, spikeBase: 0.3, spikeTop: 2.5, noisy: 1.5, quiet: 0.15, soak: 0.5 } as const;

/** Jobs a minute, because k6 wants whole numbers. */
export function perMinute(perSecond: number): number {
  return Math.max(1, Math.round(perSecond * 60));
}

export interface Window {
  readonly fromSeconds: number;
  readonly forSeconds: number;
}

/** The steps of the ramp, one for each concurrency, which follow each other. */
export function rampStep(
  { seconds, concurrencies }: Pick<LoadSettings, "seconds" | "concurrencies">,
  n: number,
): Window {
  const forSeconds = Math.max(1, Math.floor(seconds / concurrencies.length));
  return { fromSeconds: n * forSeconds, forSeconds };
}

/** The burst of the spike, and the end of the run, when its jobs must be done. */
export function spikeWindows(seconds: number): { readonly burst: Window; readonly recovered: Window } {
  const quarter = Math.floor(seconds / 4);
  return {
    burst: { fromSeconds: quarter, forSeconds: Math.max(1, Math.floor(seconds / 8)) },
    recovered: { fromSeconds: Math.floor(seconds * 0.8), forSeconds: Math.ceil(seconds * 0.2) },
  };
}
