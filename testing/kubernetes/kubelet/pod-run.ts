/** A pod from its binding to a node to its removal: network, volumes, init containers one after the other, containers. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Container, Pod, Service } from "kubernetes-types/core/v1.d.ts";
import { type ApiClient, isApiError } from "../api/api-client.ts";
import { apiTime } from "../api/api-time.ts";
import type { WatchedObjects } from "../api/watched-objects.ts";
import { gatewayAddress, type PodLink, type PodNetwork } from "../network/pod-network.ts";
import type { ContainerRoot, Mount } from "./container-root.ts";
import { type ContainerRun, runContainer } from "./container-run.ts";
import { type ContainerRecord, newRecord } from "./container-state.ts";
import { containerEnvironment, PodConfigError } from "./environment.ts";
import { tagOf } from "./images.ts";
import { isSidecar, type PodState, podPhase, podStatus } from "./pod-status.ts";
import { prepareVolumes } from "./volumes.ts";

export interface PodRunDeps {
  readonly api: ApiClient;
  readonly network: PodNetwork;
  readonly services: WatchedObjects<Service>;
  /** The whole cluster's folder. */
  readonly folder: string;
  /** Programs that images have in /usr/local/bin. */
  readonly programs: string;
  readonly checkout: string;
  /** By tag of the image, where it is not that checkout. */
  readonly checkouts: Readonly<Record<string, string>>;
  readonly resolverSettings: (namespace: string) => string;
  readonly reportEvent: (pod: Pod, reason: string, message: string) => void;
}

export interface PodRun {
  /** The pod as the API server has it now. */
  update(pod: Pod): void;
  /** Stops its containers and takes it off the API server. Idempotent. */
  stop(): Promise<void>;
}

const configPauseMs = 1_000;
const statusPauseMs = 500;
const graceSecondsDefault = 30;

export const containerFolder = (folder: string, uid: string, container: string): string =>
  join(folder, "pods", uid, "containers", container);

export function runPod(deps: PodRunDeps, bound: Pod): PodRun {
  const { api, folder } = deps;
  const { namespace, name, uid } = bound.metadata!;
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  const podFolder = join(folder, "pods", uid!);
  const initial = (bound.spec!.initContainers ?? []).map(newRecord);
  const main = bound.spec!.containers.map(newRecord);
  const startedAt = apiTime();
  const runs = new Map<ContainerRecord, ContainerRun>();
  const stopping = new AbortController();
  const report = (error: Error) => void process.stdout.write(`pod ${namespace}/${name}: ${error.stack}\n`);
  let pod = bound;
  let link: PodLink | undefined;
  let stopped: Promise<void> | undefined;

  const state = (): PodState => ({ initial, main, address: link?.address, hostAddress: gatewayAddress, startedAt });
  const writeStatus: StatusWriter = createStatusWriter(api, path, (isFinal) => podStatus(state(), pod, isFinal));

  async function volumes(): Promise<ReadonlyMap<string, string>> {
    while (true) {
      try {
        return await prepareVolumes(api, pod, join(podFolder, "volumes"));
      } catch (error) {
        if (!(error instanceof PodConfigError) || stopping.signal.aborted) throw error;
        deps.reportEvent(pod, "FailedMount", error.message);
        for (const { state } of main) state.waiting = { reason: "ContainerCreating", message: error.message };
        writeStatus();
        await pause(configPauseMs, undefined, { signal: stopping.signal });
      }
    }
  }

  function start(record: ContainerRecord, folders: ReadonlyMap<string, string>, restartPolicy: string): ContainerRun {
    const { container } = record;
    const containerAt = containerFolder(folder, uid!, container.name);
    const run = runContainer({
      pod,
      record,
      address: link!.address,
      networkPath: link!.namespacePath,
      folder: containerAt,
      environment: () =>
        containerEnvironment(deps, { ...pod, status: { ...pod.status, podIP: link!.address } }, container),
      async root(more) {
        const at = join(podFolder, "roots", container.name);
        await Promise.all([at, containerAt].map((needed) => mkdir(needed, { recursive: true })));
        return containerRoot(deps, pod, container, { folder: at, mounts: [...mountsOf(container, folders), ...more] });
      },
      restartPolicy: restartPolicy as "Always" | "OnFailure" | "Never",
      onChange: writeStatus,
      onEvent: (reason, message) => deps.reportEvent(pod, reason, message),
    });
    runs.set(record, run);
    return run;
  }

  /** True when the containers may start. */
  async function initialize(folders: ReadonlyMap<string, string>): Promise<boolean> {
    for (const record of initial) {
      if (stopping.signal.aborted) return false;
      if (isSidecar(record)) {
        await start(record, folders, "Always").started;
        continue;
      }
      await start(record, folders, pod.spec!.restartPolicy === "Never" ? "Never" : "OnFailure").done;
      if (record.state.terminated?.exitCode !== 0) return false;
    }
    return !stopping.signal.aborted;
  }

  async function run(): Promise<void> {
    await Promise.all(
      main
        .concat(initial)
        .map((record) => mkdir(containerFolder(folder, uid!, record.container.name), { recursive: true })),
    );
    link = await deps.network.add();
    writeStatus();
    const folders = await volumes();
    if (!(await initialize(folders))) return void writeStatus();
    const running = main.map((record) => start(record, folders, pod.spec!.restartPolicy ?? "Always"));
    await Promise.all(running.map(({ done }) => done));
    // Containers of a job have ended; sidecars end with them.
    if (!stopping.signal.aborted) await stopContainers(initial.filter(isSidecar), graceSecondsDefault * 1000);
    writeStatus();
  }

  async function stopContainers(records: readonly ContainerRecord[], graceMs: number): Promise<void> {
    await Promise.all(records.map((record) => runs.get(record)?.stop(graceMs)));
  }

  async function stop(): Promise<void> {
    const hasEnded = ["Succeeded", "Failed"].includes(podPhase(state(), pod));
    const graceMs = (pod.metadata!.deletionGracePeriodSeconds ?? graceSecondsDefault) * 1000;
    stopping.abort();
    const stopAt = Date.now() + graceMs;
    await stopContainers(main, graceMs);
    await stopContainers(initial, Math.max(stopAt - Date.now(), 0));
    await running;
    if (!hasEnded) await writeStatus.last();
    await api.remove(path, { gracePeriodSeconds: 0, preconditions: { uid } }).catch((error: unknown) => {
      if (!isApiError(error, 409)) throw error;
    });
    await link?.remove();
    for (const part of ["volumes", "roots"]) await rm(join(podFolder, part), { recursive: true, force: true });
  }

  const running = run().catch((error: Error) => {
    if (!stopping.signal.aborted) report(error);
  });
  return {
    update(current) {
      pod = current;
    },
    async stop() {
      stopped ??= stop().catch(report);
      await stopped;
    },
  };
}

interface StatusWriter {
  /** Soon: the state may change again before. */
  (): void;
  /** Writes the status of a pod that has been stopped. */
  last(): Promise<void>;
}

/** Writes the newest status, one request at a time. */
function createStatusWriter(api: ApiClient, path: string, status: (isFinal: boolean) => unknown): StatusWriter {
  let pending = false;
  let last: Promise<void> = Promise.resolve();
  async function write(isFinal: boolean): Promise<void> {
    while (true) {
      try {
        return void (await api.patch(`${path}/status`, { status: status(isFinal) }, "strategic"));
      } catch (error) {
        if (isApiError(error, 404)) return;
        process.stdout.write(`status of ${path}: ${(error as Error).message}\n`);
        await pause(statusPauseMs);
      }
    }
  }
  return Object.assign(
    () => {
      if (pending) return;
      pending = true;
      last = last.then(() => {
        pending = false;
        return write(false);
      });
    },
    { last: () => last.then(() => write(true)) },
  );
}

function mountsOf(container: Container, folders: ReadonlyMap<string, string>): readonly Mount[] {
  return (container.volumeMounts ?? []).map(({ name, mountPath, readOnly = false }) => ({
    source: folders.get(name)!,
    at: mountPath,
    readOnly,
  }));
}

function containerRoot(
  { programs, checkout, checkouts, resolverSettings }: PodRunDeps,
  { metadata, spec }: Pod,
  { image, securityContext }: Container,
  given: { readonly folder: string; readonly mounts: readonly Mount[] },
): Omit<ContainerRoot, "workingDir"> {
  return {
    ...given,
    programs,
    checkout: checkouts[tagOf(image!) ?? ""] ?? checkout,
    hostname: spec!.hostname ?? metadata!.name!,
    resolverSettings: resolverSettings(metadata!.namespace!),
    isReadOnly: securityContext?.readOnlyRootFilesystem === true,
    withoutCapabilities: securityContext?.capabilities?.drop?.includes("ALL") === true,
  };
}
