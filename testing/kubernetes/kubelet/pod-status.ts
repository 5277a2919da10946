/** A pod's status, from the states of its containers. */
import type { Pod, PodCondition, PodStatus } from "kubernetes-types/core/v1.d.ts";
import { apiTime } from "../api/api-time.ts";
import { type ContainerRecord, containerStatus } from "./container-state.ts";

export interface PodState {
  readonly initial: readonly ContainerRecord[];
  readonly main: readonly ContainerRecord[];
  /** Undefined until the pod has an address. */
  readonly address: string | undefined;
  readonly hostAddress: string;
  readonly startedAt: string;
}

/** An init container that runs on beside the others. */
export const isSidecar = ({ container }: ContainerRecord): boolean =>
  (container as { restartPolicy?: string }).restartPolicy === "Always";

const hasEnded = ({ state }: ContainerRecord) => state.terminated !== undefined;
const hasSucceeded = ({ state }: ContainerRecord) => state.terminated?.exitCode === 0;
const condition = (type: string, holds: boolean, reason?: string): Omit<PodCondition, "lastTransitionTime"> => ({
  type,
  status: holds ? "True" : "False",
  ...(!holds && reason !== undefined && { reason }),
});

export function podPhase({ initial, main }: PodState, { spec }: Pod): NonNullable<PodStatus["phase"]> {
  const isInitialized = initial.every((record) => (isSidecar(record) ? record.isStarted : hasSucceeded(record)));
  if (spec!.restartPolicy !== "Always") {
    const failedInit = initial.some((record) => hasEnded(record) && !hasSucceeded(record) && !isSidecar(record));
    if (failedInit && spec!.restartPolicy === "Never") return "Failed";
    if (main.every(hasEnded)) {
      if (main.every(hasSucceeded)) return "Succeeded";
      if (spec!.restartPolicy === "Never") return "Failed";
    }
  }
  return isInitialized && main.some(({ state }) => state.waiting?.reason !== "PodInitializing") ? "Running" : "Pending";
}

/** To be merged by name of condition. `isFinal`: the pod has been stopped. */
export function podStatus(state: PodState, pod: Pod, isFinal = false): PodStatus {
  const { initial, main, address, hostAddress, startedAt } = state;
  const phase = isFinal ? (main.every(hasSucceeded) ? "Succeeded" : "Failed") : podPhase(state, pod);
  const isInitialized = initial.every((record) => (isSidecar(record) ? record.isStarted : hasSucceeded(record)));
  const isReady = phase === "Running" && [...main, ...initial.filter(isSidecar)].every((record) => record.isReady);
  const before = new Map(pod.status?.conditions?.map((known) => [known.type, known]));
  const now = apiTime();
  const reason = phase === "Succeeded" ? "PodCompleted" : "ContainersNotReady";
  const conditions = [
    condition("PodReadyToStartContainers", address !== undefined),
    condition("Initialized", isInitialized, "ContainersNotInitialized"),
    condition("ContainersReady", isReady, reason),
    condition("Ready", isReady, reason),
  ].map((fresh): PodCondition => {
    const known = before.get(fresh.type);
    const lastTransitionTime = known?.status === fresh.status ? known.lastTransitionTime! : now;
    return { ...fresh, lastTransitionTime };
  });
  return {
    phase,
    conditions,
    hostIP: hostAddress,
    startTime: startedAt,
    ...(address !== undefined && { podIP: address, podIPs: [{ ip: address }] }),
    initContainerStatuses: initial.map(containerStatus),
    containerStatuses: main.map(containerStatus),
  };
}
