import { Gauge, type Registry } from "prom-client";
import type { Component } from "./component.ts";

/** Why something is not ready, in a few words for the operator; undefined when it is ready. */
export type Reason = () => string | undefined;

/**
 * Whether a process should be given work. It is no sign of health: an orchestrator takes a process that is not ready out
 * of service, and restarts only one that does not live. As a component it is the last to start and the first to stop.
 */
export interface Readiness extends Component {
  /** The process is not ready while `reason` returns one. A second reason of the same name replaces the first. */
  require(name: string, reason: Reason): void;
  /** Everything that is required, whether the process has it or not. */
  names(): readonly string[];
  /** By name; empty when the process is ready. */
  reasons(): Readonly<Record<string, string>>;
  /** Every component of the process was up once. It stays true. */
  hasStarted(): boolean;
  isStopping(): boolean;
}

export function createReadiness(): Readiness {
  const requirements = new Map<string, Reason>();
  let hasStarted = false;
  let isStopping = false;
  requirements.set("process", () => (isStopping ? "stopping" : hasStarted ? undefined : "starting"));
  return {
    name: "readiness",
    require: (name, reason) => void requirements.set(name, reason),
    names: () => [...requirements.keys()],
    reasons() {
      const found = [...requirements].map(([name, reason]) => [name, reason()] as const);
      return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
    },
    hasStarted: () => hasStarted,
    isStopping: () => isStopping,
    async start() {
      hasStarted = true;
    },
    async stop() {
      isStopping = true;
    },
  };
}

export function registerReadiness(registry: Registry, readiness: Pick<Readiness, "names" | "reasons">): void {
  new Gauge({
    name: "packshot_ready",
    help: "1 while what the process requires is given, 0 while it is not, by requirement.",
    labelNames: ["requirement"],
    registers: [registry],
    collect() {
      const reasons = readiness.reasons();
      for (const requirement of readiness.names()) this.set({ requirement }, requirement in reasons ? 0 : 1);
    },
  });
}

/**
 * What an orchestrator asks a process. Live: the event loop runs; one that hangs answers nothing, and only a restart
 * mends it. Without nats-server, storage or model server a process is live, because a restart mends none of them.
 * Started: everything was up once; until then a slow start is no hang. Ready: it may be given work.
 */
type ProbePaths = Readonly<Record<"live" | "started" | "ready", readonly string[]>>;

export const probePaths = {
  live: ["/health/live"],
  started: ["/health/started"],
  ready: ["/health/ready"],
} as const satisfies ProbePaths;

export interface ProbeAnswer {
  readonly status: 200 | 503;
  readonly body: { readonly status: string; readonly reasons?: Readonly<Record<string, string>> };
}

/** undefined: the path is no probe's. */
export function answerProbe(
  path: string,
  readiness: Pick<Readiness, "reasons" | "hasStarted">,
  paths: ProbePaths = probePaths,
): ProbeAnswer | undefined {
  if (paths.live.includes(path)) return answer({});
  if (paths.started.includes(path)) return answer(readiness.hasStarted() ? {} : readiness.reasons());
  if (paths.ready.includes(path)) return answer(readiness.reasons());
  return undefined;
}

function answer(reasons: Readonly<Record<string, string>>): ProbeAnswer {
  if (Object.keys(reasons).length === 0) return { status: 200, body: { status: "ok" } };
  return { status: 503, body: { status: "unavailable", reasons } };
}
