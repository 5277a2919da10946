/** What the operator's page shows of the whole service at one look. Nothing is asked for it but the storage's free space. */

import { lanes, sandboxLane } from "@packshot/domain/accounts/lane.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import type { LogWatch } from "@packshot/log/operate/watch.ts";
import type { Readiness } from "@packshot/platform/lifecycle/readiness.ts";
import type { Redis } from "@packshot/platform/redis/redis.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { ProcessList } from "@packshot/service/process-list.ts";
import type { ListToolModels } from "../../catalog/tool-models.ts";
import type { QueueWatch } from "./queue-watch.ts";

export interface ServiceStatusDeps {
  readonly queue: Pick<QueueWatch, "readings">;
  readonly watch: Pick<LogWatch, "readings">;
  readonly processes: Pick<ProcessList, "list">;
  readonly readiness: Pick<Readiness, "reasons">;
  readonly storage: Pick<Storage, "assertRoom">;
  /** undefined: S3, which serves its own links. */
  readonly links: object | undefined;
  /** undefined: none is configured. */
  readonly redis: Pick<Redis, "problem"> | undefined;
  readonly models: ListToolModels;
  readonly nowMs: () => number;
}

export async function readServiceStatus(deps: ServiceStatusDeps) {
  const { log: logProblem = null, storage: storageProblem = null } = deps.readiness.reasons();
  return {
    at: isoTime(deps.nowMs()),
    queue: laneStatuses(deps),
    log: { problem: logProblem, ...logStatus(deps) },
    storage: {
      kind: deps.links === undefined ? "s3" : "disk",
      problem: storageProblem,
      isFull: storageProblem === null && !(await hasRoom(deps)),
    },
    redis: { isConfigured: deps.redis !== undefined, problem: deps.redis?.problem() ?? null },
    processes: deps.processes.list().map(({ v: _, isLeaving: _leaving, seenAtMs, problems, ...process }) => ({
      ...process,
      seenAt: isoTime(seenAtMs),
      problems: Object.entries(problems).map(([name, reason]) => ({ name, reason })),
    })),
    models: deps.models(),
  };
}

function laneStatuses({ queue, nowMs }: ServiceStatusDeps) {
  const readings = queue.readings();
  // The lanes are read beside each other, and stand there in the order in which they were first read.
  return lanes.flatMap((lane) => {
    const reading = readings.get(lane);
    if (reading === undefined) return [];
    const { pending, taken, oldestSinceMs } = reading;
    const oldestSeconds = oldestSinceMs === undefined ? null : Math.max(0, (nowMs() - oldestSinceMs) / 1000);
    return [{ lane, live: lane !== sandboxLane, ready: pending, taken, oldestSeconds }];
  });
}

function logStatus({ watch }: ServiceStatusDeps) {
  const { bytes, lagMs, refusal } = watch.readings();
  return {
    refusesEdits: refusal ?? null,
    streams: [...bytes]
      .map(([name, { used, max }]) => ({
        name,
        bytes: used,
        bytesMax: max || null,
        lagSeconds: secondsOf(lagMs.get(name)),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** null: it is no copy, or one without sources, of which `refusesEdits` tells. */
function secondsOf(ms: number | undefined): number | null {
  return ms === undefined || !Number.isFinite(ms) ? null : ms / 1000;
}

async function hasRoom({ storage }: ServiceStatusDeps): Promise<boolean> {
  return await storage.assertRoom(0).then(
    () => true,
    () => false,
  );
}
