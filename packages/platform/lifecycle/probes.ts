/**
 * What an orchestrator asks a process. Live: the event loop runs; one that hangs answers nothing, and only a restart
 * mends it. Without nats-server, storage or model server a process is live, because a restart mends none of them.
 * Started: everything was up once; until then a slow start is no hang. Ready: it may be given work.
 */
import type { Readiness } from "./readiness.ts";

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
