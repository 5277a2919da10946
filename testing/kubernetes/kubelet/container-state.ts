/** What the API server is told of a container. */
import type { Container, ContainerState, ContainerStatus } from "kubernetes-types/core/v1.d.ts";

export interface ContainerRecord {
  readonly container: Container;
  state: ContainerState;
  lastState: ContainerState;
  isReady: boolean;
  isStarted: boolean;
  restarts: number;
}

export function newRecord(container: Container): ContainerRecord {
  return {
    container,
    state: { waiting: { reason: "PodInitializing" } },
    lastState: {},
    isReady: false,
    isStarted: false,
    restarts: 0,
  };
}

export function containerStatus({ container, ...record }: ContainerRecord): ContainerStatus {
  const { name, image = "" } = container;
  return {
    name,
    image,
    imageID: image,
    state: record.state,
    lastState: record.lastState,
    ready: record.isReady,
    started: record.isStarted,
    restartCount: record.restarts,
  };
}
