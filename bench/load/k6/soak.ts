/** Half of the knee for a long time, while `run.ts` watches the memory of every process. */
import type { Options } from "k6/options";
import { perMinute, shares } from "../load-settings.ts";
import { arrivals } from "./arrivals.ts";
import { editPhoto } from "./edit.ts";
import { settings, summaryTrendStats, systemTags } from "./settings.ts";

export { handleSummary } from "./summary.ts";

export const options: Options = {
  summaryTrendStats,
  systemTags: [...systemTags],
  scenarios: { soak: arrivals("arrive", perMinute(shares.soak * settings.kneePerSecond)) },
  thresholds: {
    jobs_unsuccessful: ["rate==0"],
    dropped_iterations: ["count==0"],
    completed_ms: [`p(95)<=${settings.latencyLimitMs}`],
  },
};

export function arrive(): void {
  editPhoto(settings.main);
}
