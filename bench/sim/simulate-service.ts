/** The whole service on a virtual clock: photos come, are accepted, edited and delivered, as docs/ARCHITECTURE.md says. */
import { quantile } from "../measuring/statistics.ts";
import type { Deployment } from "./deployment.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";
import {
  editParallelism,
  editParts,
  editSpread,
  type ModelTimes,
  type PhotoSize,
  processorTimes,
  receiverMs,
  storageTimes,
} from "./service-times.ts";
import { createInference } from "./simulated-inference.ts";
import { type Commit, createLog } from "./simulated-log.ts";
import { createSharedCores, type SharedCores } from "./stations.ts";
import {
  type Activity,
  activityOf,
  all,
  begin,
  createVirtualClock,
  type Process,
  start,
  type VirtualClock,
} from "./virtual-clock.ts";

/** Photos that come at a rate, whatever becomes of them, or clients with one job at a time each. */
export type Load = { readonly perSecond: number } | { readonly clients: number };

export interface Simulation {
  readonly deployment: Deployment;
  readonly load: Load;
  readonly model: ModelTimes;
  readonly photos: readonly PhotoSize[];
  readonly jobs: number;
  readonly seed: number;
  /** The customer's server. */
  readonly receiverMs?: number;
  /** Cores that one edit uses at most. */
  readonly editCores?: number;
}

export interface Spread {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface SimulationResult {
  readonly perSecond: number;
  /** From the request to its 202. */
  readonly accept: Spread;
  /** From the 202 to a worker's claim. */
  readonly wait: Spread;
  /** From the request to the arrival of the webhook. */
  readonly job: Spread;
  readonly busyShares: Readonly<Record<"api" | "workers" | "modelServers" | "webhooks" | "log", number>>;
  readonly meanBatch: number;
}

/** The first jobs meet an empty service. */
const settlingShare = 0.2;

export function simulateService(simulation: Simulation): SimulationResult {
  const clock = createVirtualClock();
  const random = createSeededRandom(simulation.seed);
  const service = buildService(clock, random, simulation);
  const times = { accept: [] as number[], wait: [] as number[], job: [] as number[], endedAt: [] as number[] };
  const { jobs, load, photos } = simulation;

  function* runJob(): Process {
    const cameMs = clock.nowMs;
    const photo = varied(random.pick(photos), random);
    yield service.accept(photo);
    const acceptedMs = clock.nowMs;
    let claimedMs = acceptedMs;
    yield service.edit(photo, () => {
      claimedMs = clock.nowMs;
    });
    yield service.deliver();
    times.accept.push(acceptedMs - cameMs);
    times.wait.push(claimedMs - acceptedMs);
    times.job.push(clock.nowMs - cameMs);
    times.endedAt.push(clock.nowMs);
  }

  let begun = 0;
  function* arrivals(perSecond: number): Process {
    for (; begun < jobs; begun += 1) {
      yield clock.wait(random.exponential(1000 / perSecond));
      start(runJob());
    }
  }
  function* client(): Process {
    while (begun < jobs) {
      begun += 1;
      yield activityOf(runJob());
    }
  }
  if ("perSecond" in load) start(arrivals(load.perSecond));
  else for (let n = 0; n < load.clients; n += 1) start(client());
  clock.run();

  const from = Math.floor(jobs * settlingShare);
  // The last ones of a load that ends have the service for themselves.
  const to = "clients" in load ? jobs - load.clients : jobs;
  const endedAt = times.endedAt.slice(from, to);
  return {
    perSecond: (1000 * (endedAt.length - 1)) / (endedAt.at(-1)! - endedAt[0]!),
    accept: spread(times.accept.slice(from, to)),
    wait: spread(times.wait.slice(from, to)),
    job: spread(times.job.slice(from, to)),
    ...service.use(),
  };
}

/** One photo is not like another of its size. */
function varied(photo: PhotoSize, random: SeededRandom): PhotoSize {
  const factor = 1 + editSpread.value * (2 * random.uniform() - 1);
  return { ...photo, editCpuMs: photo.editCpuMs * factor };
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
}

interface Pod {
  readonly cores: SharedCores;
  readonly commit: Commit;
}

function buildService(
  clock: VirtualClock,
  random: SeededRandom,
  { deployment, model, receiverMs: receiver, editCores = editParallelism.value }: Simulation,
) {
  const { api, workers, webhooks, log, sharedCores } = deployment;
  const shared = sharedCores === undefined ? undefined : createSharedCores(clock, sharedCores);
  const cores = (count: number): SharedCores => shared ?? createSharedCores(clock, count);
  const { openLog, use: logUse } = createLog(clock, random, deployment);
  const pods = (count: number, coresEach: number): readonly Pod[] =>
    Array.from({ length: count }, () => ({ cores: cores(coresEach), commit: openLog() }));
  const apiPods = rotate(pods(api.pods, api.coresEach));
  const workerPods = pods(workers.pods, workers.coresEach);
  const webhookPods = rotate(pods(webhooks.pods, webhooks.coresEach));
  const logCores = cores(log.cores);
  const slots = createSlots(workerPods.flatMap((pod) => Array.from({ length: workers.slotsEach }, () => pod)));
  const inference = createInference(clock, deployment, model, cores);
  const storage = storageTimes[deployment.storage];
  const transfer = (bytes: number): Activity =>
    clock.wait(storage.latencyMs.value + bytes / (1000 * storage.megabytesPerSecond.value));
  const logMs = (shared === undefined ? processorTimes.logUnderLoadMs : processorTimes.logMs).value;
  const { apiMs, webhooksMs } = processorTimes;

  function* accept({ sourceBytes }: PhotoSize): Process {
    const { cores: own, commit } = apiPods.next();
    yield own.work(apiMs.value);
    yield transfer(sourceBytes);
    yield commit("batch");
  }

  function* edit({ sourceBytes, resultBytes, editCpuMs }: PhotoSize, claimed: () => void): Process {
    let pod!: Pod;
    yield slots.acquire((free) => {
      pod = free;
    });
    yield pod.commit("plain");
    claimed();
    begin(logCores.work(logMs));
    yield transfer(sourceBytes);
    yield pod.cores.work(editParts.before * editCpuMs, editCores);
    yield all(inference.infer(), pod.cores.work(editParts.during * editCpuMs, editCores));
    for (let pass = 1; pass < model.passes; pass += 1) yield inference.infer();
    yield pod.cores.work(editParts.after * editCpuMs, editCores);
    yield transfer(resultBytes);
    yield pod.commit("batch");
    slots.release(pod);
  }

  function* deliver(): Process {
    // The keeper settles the account meanwhile; nobody waits for it.
    begin(apiPods.next().commit("batch"));
    yield webhookPods.next().cores.work(webhooksMs.value);
    yield clock.wait(receiver ?? receiverMs.value);
  }

  return {
    accept: (photo: PhotoSize) => activityOf(accept(photo)),
    edit: (photo: PhotoSize, claimed: () => void) => activityOf(edit(photo, claimed)),
    deliver: () => activityOf(deliver()),
    use() {
      const passedMs = clock.nowMs;
      const shareOf = (all: readonly Pod[], coresEach: number) =>
        all.reduce((sum, pod) => sum + pod.cores.use.busyMs, 0) / (all.length * coresEach * passedMs);
      const all = { api: shareOf(apiPods.all, api.coresEach), webhooks: shareOf(webhookPods.all, webhooks.coresEach) };
      const busyShares = {
        ...all,
        workers: shareOf(workerPods, workers.coresEach),
        modelServers: inference.busyShare(passedMs),
        log: logUse(passedMs),
      };
      return { busyShares, meanBatch: inference.meanBatch() };
    },
  };
}

/** The slots of all workers; a free one takes the job that has waited longest. */
function createSlots(free: Pod[]) {
  const waiting: ((pod: Pod) => void)[] = [];
  return {
    acquire:
      (take: (pod: Pod) => void): Activity =>
      (done) => {
        const begin = (pod: Pod): void => {
          take(pod);
          done();
        };
        const pod = free.shift();
        if (pod === undefined) waiting.push(begin);
        else begin(pod);
      },
    release(pod: Pod): void {
      const next = waiting.shift();
      if (next === undefined) free.push(pod);
      else next(pod);
    },
  };
}

function rotate<T>(all: readonly T[]) {
  let at = 0;
  return { all, next: () => all[at++ % all.length]! };
}
