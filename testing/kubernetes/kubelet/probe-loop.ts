/** Repeats a container's probes and tells what follows from them. */
import { setTimeout as pause } from "node:timers/promises";
import type { Probe } from "kubernetes-types/core/v1.d.ts";
import { type ProbeTarget, tryProbe } from "./probe.ts";

export type ProbeKind = "startup" | "readiness" | "liveness";

export interface ProbeListener {
  onStarted(): void;
  onReady(isReady: boolean): void;
  /** The container is to be killed. */
  onDead(reason: string): void;
  /** A try failed, whether or not anything follows from it. */
  onFailure(kind: ProbeKind, reason: string): void;
}

/** Until `signal` aborts. The startup probe comes first; the others begin when it has succeeded. */
export async function probeContainer(target: ProbeTarget, listener: ProbeListener, signal: AbortSignal): Promise<void> {
  const { startupProbe, readinessProbe, livenessProbe } = target.container;
  const begin = (kind: ProbeKind, probe: Probe) => {
    const onFailure = (reason: string) => listener.onFailure(kind, reason);
    return createDecisions({ probe, target, onFailure, signal });
  };
  if (startupProbe !== undefined) {
    const how = await begin("startup", startupProbe)();
    if (how === "failed") listener.onDead("startup probe");
    if (how !== "succeeded") return;
  }
  listener.onStarted();
  const watchReadiness = async () => {
    if (readinessProbe === undefined) return listener.onReady(true);
    const decide = begin("readiness", readinessProbe);
    for (let how = await decide(); how !== "stopped"; how = await decide()) listener.onReady(how === "succeeded");
  };
  const watchLiveness = async () => {
    if (livenessProbe === undefined) return;
    const decide = begin("liveness", livenessProbe);
    for (let how = await decide(); how !== "stopped"; how = await decide()) {
      if (how === "failed") return listener.onDead("liveness probe");
    }
  };
  await Promise.all([watchReadiness(), watchLiveness()]);
}

interface DecisionDeps {
  readonly probe: Probe;
  readonly target: ProbeTarget;
  readonly onFailure: (reason: string) => void;
  readonly signal: AbortSignal;
}

/** Each call tries until as many in a row as the thresholds say succeed or fail; a pause lies between all tries. */
function createDecisions({ probe, target, onFailure, signal }: DecisionDeps) {
  const { initialDelaySeconds = 0, periodSeconds = 10, successThreshold = 1, failureThreshold = 3 } = probe;
  let pauseMs = initialDelaySeconds * 1000;
  return async (): Promise<"succeeded" | "failed" | "stopped"> => {
    let successes = 0;
    let failures = 0;
    while (true) {
      await pause(pauseMs, undefined, { signal }).catch(() => {});
      pauseMs = periodSeconds * 1000;
      if (signal.aborted) return "stopped";
      const failure = await tryProbe(probe, target);
      if (signal.aborted) return "stopped";
      [successes, failures] = failure === undefined ? [successes + 1, 0] : [0, failures + 1];
      if (failure !== undefined) onFailure(failure);
      if (successes >= successThreshold) return "succeeded";
      if (failures >= failureThreshold) return "failed";
    }
  };
}
