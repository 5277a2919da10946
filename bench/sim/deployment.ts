/** What runs where, and how much of it a rate of photos needs. */
import { type ModelTimes, type PhotoSize, processorTimes } from "./service-times.ts";

export interface Deployment {
  readonly api: { readonly pods: number; readonly coresEach: number };
  readonly workers: { readonly pods: number; readonly coresEach: number; readonly slotsEach: number };
  readonly modelServers: {
    readonly pods: number;
    readonly on: "cpu" | "gpu";
    /** With a GPU those of the main thread and what is beside it. */
    readonly coresEach: number;
  };
  readonly webhooks: { readonly pods: number; readonly coresEach: number };
  readonly log: {
    readonly kind: "one server" | "three replicas";
    readonly stateStreams: number;
    readonly cores: number;
  };
  readonly storage: "disk" | "s3";
  /** All processes on these cores, as `packshot up` runs them; undefined: each pod has its own. */
  readonly sharedCores?: number;
}

/** Above it waits grow quickly, and there is nothing left for a pod that is lost. */
export const busyShareMax = 0.7;
const workerCores = 4;
const slotsPerCore = 1.5;
const cpuModelServerCores = 4;
const gpuModelServerCores = 4;

/** The smallest deployment in which nothing is busier than `busyShareMax`. Two of each, so that one may be lost. */
export function deploymentFor(
  perSecond: number,
  {
    model,
    on,
    photos,
  }: { readonly model: ModelTimes; readonly on: "cpu" | "gpu"; readonly photos: readonly PhotoSize[] },
): Deployment {
  const pods = (cpuMs: number, coresEach: number): number =>
    Math.max(2, Math.ceil((perSecond * cpuMs) / (1000 * coresEach * busyShareMax)));
  const editMs = photos.reduce((sum, { share, editCpuMs }) => sum + share * editCpuMs, 0);
  const { apiMs, webhooksMs, logUnderLoadMs } = processorTimes;
  const logCores = Math.max(3, Math.ceil((perSecond * logUnderLoadMs.value) / (1000 * busyShareMax)));
  return {
    api: { pods: pods(apiMs.value, 1), coresEach: 1 },
    workers: { pods: pods(editMs, workerCores), coresEach: workerCores, slotsEach: slotsPerCore * workerCores },
    modelServers:
      on === "cpu"
        ? { pods: pods(model.passes * model.cpuMs!.value, cpuModelServerCores), on, coresEach: cpuModelServerCores }
        : { pods: gpuPods(perSecond, model), on, coresEach: gpuModelServerCores },
    webhooks: { pods: pods(webhooksMs.value, 1), coresEach: 1 },
    log: { kind: "three replicas", stateStreams: perSecond >= 100 ? 4 : 1, cores: logCores },
    storage: "s3",
  };
}

/** Batches of half the largest: a server that is 70 % busy does not often find more waiting. */
function gpuPods(perSecond: number, { passes, gpuBaseMs, gpuRowMs, mainThreadMs, batchMax }: ModelTimes): number {
  const images = perSecond * passes;
  const perImageMs = gpuRowMs.value + gpuBaseMs.value / Math.max(1, batchMax / 2);
  const gpus = (images * perImageMs) / 1000 / busyShareMax;
  const mainThreads = (images * mainThreadMs.value) / 1000 / busyShareMax;
  return Math.max(2, Math.ceil(Math.max(gpus, mainThreads)));
}

export function vcpusOf({ api, workers, modelServers, webhooks, log }: Deployment): number {
  const pods = [api, workers, modelServers, webhooks].reduce((sum, each) => sum + each.pods * each.coresEach, 0);
  return pods + log.cores;
}

export function gpusOf({ modelServers }: Deployment): number {
  return modelServers.on === "gpu" ? modelServers.pods : 0;
}
