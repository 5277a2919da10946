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
