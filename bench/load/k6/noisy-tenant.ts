/**
 * A newcomer sends one photo after the other: alone first, which tells its own p99; then beside 20 quiet accounts, and
 * one account that sends ten times as much as all of them together, and more than the deployment can take.
 */
import { sleep } from "k6";
import exec from "k6/execution";
import type { Options } from "k6/options";
import { perMinute, shares } from "../load-settings.ts";
import { arrivals } from "./arrivals.ts";
import { editPhoto, submitEdit } from "./edit.ts";
import { gracefulStop, settings, summaryTrendStats, systemTags } from "./settings.ts";

export { handleSummary } from "./summary.ts";

/** Always held: it has k6 report the latencies of these jobs. */
const anyLatency = "max>=0";
const pauseSeconds = 0.2;
const { noisy, quiet, newcomer } = settings.fairness!;
const isAlone = settings.scenario === "newcomer-alone";

export const options: Options = {
  summaryTrendStats,
  systemTags: [...systemTags],
  scenarios: {
    newcomer: { executor: "constant-vus", exec: "comeNew", vus: 1, duration: `${settings.seconds}s`, gracefulStop },
    ...(!isAlone && {
      noisy: arrivals("flood", perMinute(shares.noisy * settings.kneePerSecond)),
      quiet: arrivals("sendQuietly", perMinute(shares.quiet * settings.kneePerSecond)),
    }),
  },
  thresholds: {
    jobs_unsuccessful: ["rate==0"],
    "completed_ms{tenant:newcomer}": isAlone ? [anyLatency] : [`p(99)<=${settings.latencyLimitMs}`],
    ...(!isAlone && { "completed_ms{tenant:quiet}": [anyLatency], dropped_iterations: ["count==0"] }),
  },
};

export function comeNew(): void {
  editPhoto(newcomer, { tenant: "newcomer" });
  sleep(pauseSeconds);
}

/** Its jobs are not followed one by one: `run.ts` waits afterward until all have ended. */
export function flood(): void {
  submitEdit(noisy, { tenant: "noisy" });
}

export function sendQuietly(): void {
  editPhoto(quiet[exec.scenario.iterationInTest % quiet.length]!, { tenant: "quiet" });
}
