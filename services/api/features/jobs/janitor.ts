/**
 * The janitor removes files: those of deleted jobs at once, those of ended jobs after `expiresAt`, and every hour those
 * that a process left behind when it died. Events live for 72 hours: files of a job that is kept for longer are left behind, too,
 * once no follower has its event in hand.
 *
 *   components: [createJanitor({ log, storage, logger, retentionMs })]
 */

import { fingerprintLifetimeMs } from "@packshot/domain/batches/batch.ts";
import { isUuid, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { isJobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import { createFollower, type FollowerDeps } from "@packshot/log/follow/follower.ts";
import type { FollowerLag } from "@packshot/log/follow/follower-lag.ts";
import { createPeriodicTask } from "@packshot/log/follow/periodic-task.ts";
import type { FollowedEvent } from "@packshot/log/follow/read-events.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

export interface JanitorDeps {
  readonly log: Log;
  readonly storage: Storage;
  readonly logger: Logger;
  /** How long jobs that end now, and their files, are kept. Those that ended before keep the time that they were given. */
  readonly retentionMs: number;
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
  const { log, storage, logger, retentionMs, nowMs = Date.now, sweep = {}, bypassFrom, lag } = deps;

  async function removeFiles([followed]: readonly FollowedEvent[]): Promise<void> {
    const { event } = followed!;
    if (!("jobId" in event)) return;
    failpoint("expire:before-commit");
    await storage.deletePrefix(storageKeys.job(event.accountId, event.jobId));
    failpoint("expire:after-commit");
  }

  const followerDeps = {
    log,
    logger,
    nowMs,
    lag,
    capacity,
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
      dueAtMs: (event) => (isJobEndedEvent(event) ? Date.parse(event.expiresAt) : 0),
      waitMs: retentionMs,
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

/** Removes orphaned files: a process died after it stored them and before it wrote the record that names them. */
export interface SweepTimes {
  readonly everyMs: number;
  /** Younger files may belong to a record that is about to be written. */
  readonly olderThanMs: number;
}

export interface FileSweepDeps extends Partial<SweepTimes> {
  readonly log: Log;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly nowMs?: () => number;
}

const hourMs = 3600 * 1000;

function createFileSweep(deps: FileSweepDeps): Component {
  const { log, logger, everyMs = hourMs } = deps;
  return createPeriodicTask({ name: "file-sweep", log, logger, everyMs, work: (signal) => sweepFiles(deps, signal) });
}

/** A prefix of files and the record that owns them: without it they are orphans. */
interface OwnedPrefix {
  readonly prefix: string;
  readonly subject: string;
  /** When the id was created. A hard link keeps the age of its bytes, so a new job's source may look old. */
  readonly createdAtMs: number;
  /** How long its files live; absent: as long as the record. */
  readonly fileLifetimeMs?: number;
}

/**
 * Removes prefixes of jobs, uploads, batches and fingerprints that are older than `olderThanMs` and whose record the leader
 * does not have, and files of fingerprints of which each has been forgotten.
 */
export async function sweepFiles(deps: FileSweepDeps, signal: AbortSignal): Promise<void> {
  const { log, storage, logger, nowMs = Date.now, olderThanMs = hourMs } = deps;
  let removed = 0;
  let current: (OwnedPrefix & { newestMs: number }) | undefined;

  async function removeIfOrphaned(): Promise<void> {
    if (current === undefined || nowMs() - Math.max(current.newestMs, current.createdAtMs) < olderThanMs) return;
    const { value } = await log.read(current.subject);
    if (value !== undefined) return;
    await storage.deletePrefix(current.prefix);
    removed += 1;
  }

  for (const prefix of ["api/", "batches/"]) {
    for await (const { key, modifiedAtMs } of storage.list(prefix)) {
      if (signal.aborted) return;
      const owned = findOwner(key);
      if (owned === undefined) continue;
      if (owned.fileLifetimeMs !== undefined && modifiedAtMs < nowMs() - owned.fileLifetimeMs) {
        await storage.deletePrefix(key);
        removed += 1;
      }
      if (owned.prefix === current?.prefix) {
        current.newestMs = Math.max(current.newestMs, modifiedAtMs);
        continue;
      }
      await removeIfOrphaned();
      current = { ...owned, newestMs: modifiedAtMs };
    }
  }
  await removeIfOrphaned();
  const unfinished = await storage.discardUnfinished(nowMs() - olderThanMs);
  if (unfinished > 0) logger.info({ unfinished }, "removed what was left of writes that never ended");
  if (removed > 0) logger.info({ removed }, "removed files without a record");
}

/**
 * `api/<acct>/<job>/…`, `api/<acct>/uploads/<upload>/…`, `batches/<acct>/<batch>/…` or `batches/<acct>/fingerprints/…`;
 * anything else is left alone.
 */
function findOwner(key: string): OwnedPrefix | undefined {
  const [part, accountId, jobId, uploadId] = key.split("/");
  if (!isUuid(accountId)) return undefined;
  if (part === "batches") {
    const fingerprints = storageKeys.fingerprints(accountId);
    if (key.startsWith(fingerprints)) {
      return {
        prefix: fingerprints,
        subject: subjects.account(accountId),
        createdAtMs: 0,
        fileLifetimeMs: fingerprintLifetimeMs,
      };
    }
    if (!isUuid(jobId)) return undefined;
    const prefix = storageKeys.batch(accountId, jobId);
    return { prefix, subject: subjects.batch(accountId, jobId), createdAtMs: uuidv7TimeMs(jobId) };
  }
  if (isUuid(jobId)) {
    const prefix = storageKeys.job(accountId, jobId);
    return { prefix, subject: subjects.job(accountId, jobId), createdAtMs: uuidv7TimeMs(jobId) };
  }
  if (jobId !== "uploads" || !isUuid(uploadId)) return undefined;
  const prefix = `${storageKeys.uploads(accountId)}${uploadId}/`;
  return { prefix, subject: subjects.upload(accountId, uploadId), createdAtMs: uuidv7TimeMs(uploadId) };
}
