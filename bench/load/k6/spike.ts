/** A calm rate, a burst far beyond the knee, and the calm rate again: every job of the burst ends, and latency returns. */
import exec from "k6/execution";
import type { Options } from "k6/options";
import { perMinute, shares, spikeWindows } from "../load-settings.ts";
import { arrivals } from "./arrivals.ts";
import { editPhoto } from "./edit.ts";
import { settings, summaryTrendStats, systemTags } from "./settings.ts";

export { handleSummary } from "./summary.ts";

const { burst, recovered } = spikeWindows(settings.seconds);

export const options: Options = {
  summaryTrendStats,
  systemTags: [...systemTags],
  scenarios: {
    base: arrivals("arrive", perMinute(shares.spikeBase * settings.kneePerSecond)),
    burst: arrivals("arrive", perMinute((shares.spikeTop - shares.spikeBase) * settings.kneePerSecond), burst),
  },
  thresholds: {
    jobs_unsuccessful: ["rate==0"],
    dropped_iterations: ["count==0"],
    "completed_ms{phase:recovered}": [`p(95)<=${settings.latencyLimitMs}`],
  },
};

export function arrive(): void {
  const sinceStartMs = exec.instance.currentTestRunDuration;
  editPhoto(settings.main, { phase: phaseAt(sinceStartMs / 1000) });
}

function phaseAt(seconds: number): string {
  if (seconds < burst.fromSeconds) return "before";
  return seconds < recovered.fromSeconds ? "burst" : "recovered";
}
