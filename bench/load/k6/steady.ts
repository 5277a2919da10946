/**
 * Jobs arrive at a share of the knee, whatever the deployment does: its queue must not grow. `soak` does it for a long time,
 * while `run.ts` watches the memory of every process.
 */
import type { Options } from "k6/options";
import { perMinute, shares } from "../load-settings.ts";
import { arrivals } from "./arrivals.ts";
import { editPhoto } from "./edit.ts";
import { settings, summaryTrendStats, systemTags } from "./settings.ts";

export { handleSummary } from "./summary.ts";

const share = settings.scenario === "soak" ? shares.soak : shares.constant;

export const options: Options = {
  summaryTrendStats,
  systemTags: [...systemTags],
  scenarios: { steady: arrivals("arrive", perMinute(share * settings.kneePerSecond)) },
  thresholds: {
    jobs_unsuccessful: ["rate==0"],
    dropped_iterations: ["count==0"],
    completed_ms: [`p(95)<=${settings.latencyLimitMs}`],
  },
};

export function arrive(): void {
  editPhoto(settings.main);
}
