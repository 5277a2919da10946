/**
 * The janitor removes files: those of deleted jobs at once, those of ended jobs after `expiresAt`, and every hour those
 * that a process left behind when it died.
 *
 *   components: [createJanitor({ log, storage, logger })]
 */
import { isJobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { createFollower, type FollowedEvent, type FollowerDeps } from "@packshot/log/follow/follower.ts";
import type { FollowerLag } from "@packshot/log/follow/follower.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { createFileSweep, type SweepTimes } from "./file-sweep.ts";

export interface JanitorDeps {
  readonly log: Log;
  readonly storage: Storage;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly nowMs?: () => number;
  /** An hour each when absent. */
  readonly sweep?: Partial<SweepTimes>;
  readonly bypassFrom?: FollowerDeps["bypassFrom"];
  readonly lag?: FollowerLag;
}

/** Prefixes that each of the two followers removes at once. */
const deletionsMax = 8;
/** While storage refuses to remove one prefix, so many events after it are still handled. */
const capacity = 50_000;

export function createJanitor(deps: JanitorDeps): Component {
  const { log, storage, logger, nowMs = Date.now, sweep = {}, bypassFrom, lag } = deps;

  async function removeFiles([followed]: readonly FollowedEvent[]): Promise<void> {
    const { event } = followed!;
    if (!("jobId" in event)) return;
    failpoint("expire:before-commit");
    await storage.deletePrefix(storageKeys.job(event.accountId, event.jobId));
    failpoint("expire:after-commit");
  }

  const followerDeps = {
    ...{ log, logger, nowMs, lag, capacity },
    parallelMax: deletionsMax,
    handle: removeFiles,
    ...(bypassFrom && { bypassFrom }),
  };
  const components: readonly Component[] = [
    createFollower({ ...followerDeps, name: "janitor-deleted", wants: (event) => event.kind === "deleted" }),
    createFollower({
      ...followerDeps,
      name: "janitor-expired",
      wants: isJobEndedEvent,
      dueAtMs: (event) => ("expiresAt" in event ? Date.parse(event.expiresAt) : 0),
      failpoint: "expire:before-ack",
    }),
    createFileSweep({ log, storage, logger, nowMs, ...sweep }),
  ];

  return {
    name: "janitor",
    async start() {
      for (const component of components) await component.start();
    },
    async stop() {
      await Promise.all(components.map((component) => component.stop()));
    },
  };
}
