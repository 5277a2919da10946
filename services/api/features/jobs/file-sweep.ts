/** Removes orphaned files: a process died after it stored them and before it wrote the record that names them. */
import { fingerprintLifetimeMs } from "@packshot/domain/batches/batch.ts";
import { isUuid, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { createPeriodicTask } from "../../records/periodic-task.ts";

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

export function createFileSweep(deps: FileSweepDeps): Component {
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
