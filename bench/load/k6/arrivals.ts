/** Jobs that arrive at a rate, however long each takes. */
import type { Scenario } from "k6/options";
import type { Window } from "../load-settings.ts";
import { gracefulStop, settings } from "./settings.ts";

/** k6 needs a client for each job in flight; beyond this many it drops jobs, and a threshold says so. */
const clientsMax = 2_000;

export function arrivals(
  exec: string,
  perMinute: number,
  { fromSeconds, forSeconds }: Window = { fromSeconds: 0, forSeconds: settings.seconds },
): Scenario {
  const total = Math.ceil((perMinute / 60) * forSeconds);
  return {
    executor: "constant-arrival-rate",
    exec,
    rate: perMinute,
    timeUnit: "1m",
    startTime: `${fromSeconds}s`,
    duration: `${forSeconds}s`,
    gracefulStop,
    // Clients that are made in the middle of a run cost the time of those at work.
    preAllocatedVUs: Math.min(clientsMax, total, 64),
    maxVUs: Math.min(clientsMax, Math.max(total, 1)),
  };
}
