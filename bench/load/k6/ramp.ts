/**
 * More and more clients, each with one job at a time, until more clients get no more done. No queue grows: a deployment
 * that is full slows its clients down.
 */
import type { Options, Scenario } from "k6/options";
import { rampStep } from "../load-settings.ts";
import { editPhoto } from "./edit.ts";
import { gracefulStop, settings, summaryTrendStats, systemTags } from "./settings.ts";

export { handleSummary } from "./summary.ts";

const steps = settings.concurrencies.map((clients, n): [string, Scenario] => {
  const { fromSeconds, forSeconds } = rampStep(settings, n);
  return [
    `clients_${clients}`,
    {
      executor: "constant-vus",
      exec: "step",
      vus: clients,
      startTime: `${fromSeconds}s`,
      duration: `${forSeconds}s`,
      gracefulStop,
      tags: { step: String(n) },
    },
  ];
});

export const options: Options = {
  summaryTrendStats,
  systemTags: [...systemTags],
  scenarios: Object.fromEntries(steps),
  thresholds: { jobs_unsuccessful: ["rate==0"] },
};

export function step(): void {
  editPhoto(settings.main);
}
