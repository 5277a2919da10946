/**
 * One machine with all processes, as `packshot up --workers 1` starts them, on 1, 2, 4, 8 and 16 cores: photos a second and
 * latency by clients at once, simulated from the processor times that bench/peers measured on two. Writes
 * bench/results/<date>/cores.md:
 *
 *     node bench/sim/one-machine.ts [--seed 1] [--cores 1,2,4,8,16] [--clients 1,4,16,64]
 */
import { parseArgs } from "node:util";
import { formatTable, writeResults } from "../measuring/write-results.ts";
import type { Deployment } from "./deployment.ts";
import { measuredPhotos } from "./measured-peers.ts";
import { models, type PhotoSize } from "./service-times.ts";
import { type SimulationResult, simulateService } from "./simulate-service.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    cores: { type: "string", default: "1,2,4,8,16" },
    clients: { type: "string", default: "1,4,16,64" },
  },
});
const seed = Number(values.seed);
const numbers = (list: string) => list.split(",").map(Number);
const jobs = 2_000;
/** The worker's edit slots: its default, and one for each core where there are more. */
const slotsMin = 2;
/** A client of bench/peers takes the result as soon as the job has ended: nobody waits for the webhook. */
const receiverMs = 0;
/** A busy photo's edit took 310 ms of processor time in 286 ms, alone on two cores. */
const editCores = 1.1;

const machine = (cores: number): Deployment => ({
  api: { pods: 1, coresEach: 1 },
  workers: { pods: 1, coresEach: cores, slotsEach: Math.max(slotsMin, cores) },
  modelServers: { pods: 1, on: "cpu", coresEach: cores },
  webhooks: { pods: 1, coresEach: 1 },
  log: { kind: "one server", stateStreams: 1, cores: 1 },
  storage: "disk",
  sharedCores: cores,
});

type Measured = (typeof measuredPhotos)[number];

function simulate({ workerMs, modelServerMs, passes, megapixels }: Measured, cores: number, clients: number) {
  const [packshotMask] = models;
  // The processor time of the whole model server is the image's: its main thread takes part in it.
  const image = { ...packshotMask.cpuMs!, value: modelServerMs / passes };
  const model = { ...packshotMask, passes, cpuMs: image };
  const photo: PhotoSize = {
    megapixels,
    share: 1,
    editCpuMs: workerMs,
    sourceBytes: 350_000 * megapixels,
    resultBytes: 500_000 * megapixels,
  };
  return simulateService({
    deployment: machine(cores),
    load: { clients },
    model,
    photos: [photo],
    jobs,
    seed,
    receiverMs,
    editCores,
  });
}

const rateAndP50 = ({ perSecond, job }: SimulationResult) => `${perSecond.toFixed(1)} / ${job.p50Ms.toFixed(0)}`;

const clientCounts = numbers(values.clients);
const simulated = formatTable(
  ["photos, cores", ...clientCounts.map((clients) => `${clients} clients`)],
  measuredPhotos.flatMap((photos) =>
    numbers(values.cores).map((cores) => [
      `${photos.title}, ${cores}`,
      ...clientCounts.map((clients) => rateAndP50(simulate(photos, cores, clients))),
    ]),
  ),
);
const held = formatTable(
  ["photos, cores", "clients", "photos/s measured", "simulated", "p50 ms measured", "simulated"],
  measuredPhotos.flatMap((photos) =>
    photos.steps.map(({ cores, clients, perSecond, p50Ms }) => {
      const { perSecond: rate, job } = simulate(photos, cores, clients);
      return [`${photos.title}, ${cores}`, clients, perSecond.toFixed(2), rate.toFixed(2), p50Ms, job.p50Ms.toFixed(0)];
    }),
  ),
);

writeResults({
  name: "cores",
  title: "One machine of 1 to 16 cores: simulated",
  setting: `seed ${seed}`,
  sections: [
    `**Simulated, not measured**, but for the last table: the cores are shared evenly by all that have work, a photo's steps follow each other, and an edit uses ${editCores} cores at most. What does not scale in a real machine is not in it: memory, caches, the clock of many busy cores.`,
    "## Photos a second / p50 in ms, by cores and clients at once",
    simulated,
    "## Held to a measurement",
    measuredPhotos.map(({ about }) => `- ${about}`).join("\n"),
    held,
  ],
});
