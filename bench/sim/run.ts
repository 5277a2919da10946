/**
 * Simulates the service at 1, 10, 100 and 1,000 photos a second, with the deployment that each needs, and writes
 * bench/results/<date>/scale.md: pods and GPUs, waits, and what 1,000 photos cost.
 *
 *   node bench/sim/run.ts [--seed 1] [--rates 1,10,100,1000]
 */
import { parseArgs } from "node:util";
import { formatTable, writeResults } from "../measuring/write-results.ts";
import { busyShareMax, deploymentFor, gpusOf, vcpusOf } from "./deployment.ts";
import { laptopSteps, measuredRamp } from "./measured-ramp.ts";
import { costOfThousand } from "./photo-cost.ts";
import { allInputs, models, photoMix } from "./service-times.ts";
import { simulateService } from "./simulate-service.ts";

const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, rates: { type: "string", default: "1,10,100,1000" } },
});
const seed = Number(values.seed);
const rates = values.rates.split(",").map(Number);
const photos = photoMix("shop");
const jobsMin = 5_000;
const secondsMin = 30;

const profiles = [
  ...models.filter(({ cpuMs }) => cpuMs !== undefined).map((model) => ({ model, on: "cpu" as const })),
  ...models.map((model) => ({ model, on: "gpu" as const })),
];

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const dollars = (value: number): string => value.toFixed(3);

function simulateAll() {
  return profiles.flatMap(({ model, on }) =>
    rates.map((perSecond) => {
      const deployment = deploymentFor(perSecond, { model, on, photos });
      const jobs = Math.max(jobsMin, secondsMin * perSecond);
      const result = simulateService({ deployment, load: { perSecond }, model, photos, jobs, seed });
      const cost = costOfThousand(deployment, perSecond, photos);
      return { name: `${model.name}, ${on.toUpperCase()}`, perSecond, deployment, result, cost };
    }),
  );
}

const rows = simulateAll();

const podsTable = formatTable(
  [
    "model",
    "photos/s",
    "API",
    "workers (4 cores)",
    "model servers",
    "of them GPUs",
    "webhooks",
    "cores of the log",
    "vCPUs",
  ],
  rows.map(({ name, perSecond, deployment }) => [
    ...[name, perSecond, deployment.api.pods, deployment.workers.pods, deployment.modelServers.pods],
    ...[gpusOf(deployment), deployment.webhooks.pods, deployment.log.cores, vcpusOf(deployment)],
  ]),
);

const waitsTable = formatTable(
  [
    ...["model", "photos/s", "done/s", "accept p50 ms", "p99", "wait p50 ms", "p99", "job p50 ms", "p99"],
    ...["busy: API", "workers", "model servers", "state streams", "mean batch"],
  ],
  rows.map(({ name, perSecond, result: { accept, wait, job, busyShares, ...result } }) => [
    ...[name, perSecond, result.perSecond.toFixed(1)],
    ...[accept, wait, job].flatMap(({ p50Ms, p99Ms }) => [ms(p50Ms), ms(p99Ms)]),
    ...[busyShares.api, busyShares.workers, busyShares.modelServers, busyShares.log].map(percent),
    result.meanBatch.toFixed(1),
  ]),
);

const costTable = formatTable(
  ["model", "photos/s", "processors", "GPUs", "S3 requests", "results to the internet", "together"],
  rows.map(({ name, perSecond, cost }) => [
    ...[name, perSecond],
    ...[cost.processors, cost.gpus, cost.storage, cost.egress, cost.total].map(dollars),
  ]),
);

const inputsTable = formatTable(
  ["input", "value", "unit", "from"],
  allInputs().map(({ name, value, unit, source }) => [
    name,
    value,
    unit,
    source === "assumed" ? "**assumed**" : source,
  ]),
);

const rampTable = formatTable(
  ["clients", "jobs/s measured", "simulated", "p50 ms measured", "simulated"],
  laptopSteps(seed).map(({ clients, perSecond, p50Ms }, at) => {
    const measured = measuredRamp.steps[at]!;
    return [clients, measured.perSecond.toFixed(2), perSecond.toFixed(2), ms(measured.p50Ms), ms(p50Ms)];
  }),
);

writeResults({
  name: "scale",
  title: "How much of everything a rate of photos needs: simulated",
  setting: `seed ${seed}; a shop's mix of photos: ${photos.map(({ megapixels, share }) => `${percent(share)} of ${megapixels} MP`).join(", ")}`,
  sections: [
    "**Simulated, not measured**: a discrete-event simulation (`bench/sim/`) with the inputs below. No GPU was at hand, so each time of a GPU is an assumption, and so are prices, S3 and the sizes of files. Photos come at random (Poisson); a real shop's come in bursts.",
    "## What is needed",
    `The smallest deployment in which nothing is expected to be busier than ${percent(busyShareMax)}, with two pods of each, so that one may be lost. Workers have four cores and six slots. State streams: one, four from 100 photos/s on, with three replicas.`,
    podsTable,
    "## How long photos wait",
    "Accept: the request until its 202, without the client's network. Wait: until a worker has claimed the job. Job: from the request to the customer's answer to the webhook.",
    waitsTable,
    "## What 1,000 photos cost, in dollars",
    "At that rate around the clock. Neither the network within the region nor people are in it.",
    costTable,
    "## Held to a measurement",
    measuredRamp.about,
    rampTable,
    "## Inputs",
    inputsTable,
  ],
});
