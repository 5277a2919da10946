/** A ramp of bench/load that was measured, and the same one simulated: how far the simulation can be trusted. */
import type { Deployment } from "./deployment.ts";
import { models, photoMix } from "./service-times.ts";
import { simulateService } from "./simulate-service.ts";

export const measuredRamp = {
  about:
    "`node bench/load/run.ts --scenarios ramp --seconds 80 --concurrency 1,2,4,8` on 2 × AMD EPYC, 2026-11-22, commit 709be4b; other programs took 0 % of the machine. All processes share its two cores. One input was fitted, to the first row: how many cores an edit uses. The other rows are predictions.",
  /** The machine's. */
  cores: 2,
  steps: [
    { clients: 1, perSecond: 3.88, p50Ms: 255 },
    { clients: 2, perSecond: 4.63, p50Ms: 433 },
    { clients: 4, perSecond: 5.06, p50Ms: 788 },
    { clients: 8, perSecond: 4.81, p50Ms: 1639 },
  ],
} as const;

/** `packshot up --workers 1`: every process on the cores of one machine. */
const laptop: Deployment = {
  api: { pods: 1, coresEach: 1 },
  workers: { pods: 1, coresEach: 2, slotsEach: 2 },
  modelServers: { pods: 1, on: "cpu", coresEach: 2 },
  webhooks: { pods: 1, coresEach: 1 },
  log: { kind: "one server", stateStreams: 1, cores: 1 },
  storage: "disk",
  sharedCores: measuredRamp.cores,
};

/** The collector of bench/load answers at once. */
const receiverMs = 1;

export function laptopSteps(seed: number) {
  return measuredRamp.steps.map(({ clients }) => {
    const { perSecond, job } = simulateService({
      deployment: laptop,
      load: { clients },
      model: models[0],
      photos: photoMix("bench/load"),
      jobs: 1_000,
      seed,
      receiverMs,
    });
    return { clients, perSecond, p50Ms: job.p50Ms };
  });
}
