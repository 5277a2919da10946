/** Files that nobody will remove otherwise: a process died between storing them and writing the record that names them. */
import { isUuid, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { createPeriodicTask } from "./periodic.ts";

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

export function createFileSweep(parts: FileSweepDeps): Component {
  const { log, logger, everyMs = hourMs } = parts;
  return createPeriodicTask({ name: "file-sweep", log, logger, everyMs, work: (signal) => sweepFiles(parts, signal) });
}

/** One prefix of files and the record without which they are litter. */
interface OwnedPrefix {
  readonly prefix: string;
  readonly subject: string;
  /** When the id was made: a hard link keeps the age of its bytes, so a fresh job's source may look old. */
  readonly madeAtMs: number;
}

/** Removes prefixes of jobs and uploads that are older than `olderThanMs` and whose record the leader does not have. */
export async function sweepFiles(parts: FileSweepDeps, signal: AbortSignal): Promise<void> {
  const { log, storage, logger, nowMs = Date.now, olderThanMs = hourMs } = parts;
  let removed = 0;
  let current: (OwnedPrefix & { newestMs: number }) | undefined;

  async function removeIfOrphaned(): Promise<void> {
    if (current === undefined || nowMs() - Math.max(current.newestMs, current.madeAtMs) < olderThanMs) return;
    const { value } = await log.read(current.subject);
    if (value !== undefined) return;
    await storage.deletePrefix(current.prefix);
    removed += 1;
  }

  for await (const { key, modifiedAtMs } of storage.list("api/")) {
    if (signal.aborted) return;
    const owned = findOwner(key);
    if (owned === undefined) continue;
    if (owned.prefix === current?.prefix) {
      current.newestMs = Math.max(current.newestMs, modifiedAtMs);
      continue;
    }
    await removeIfOrphaned();
    current = { ...owned, newestMs: modifiedAtMs };
  }
  await removeIfOrphaned();
  if (removed > 0) logger.info({ removed }, "removed files without a record");
}

/** `api/<acct>/<job>/…` or `api/<acct>/uploads/<upload>/…`; anything else is not ours to judge. */
export function findOwner(key: string): OwnedPrefix | undefined {
  const [, accountId, jobId, uploadId] = key.split("/");
  if (!isUuid(accountId)) return undefined;
  if (isUuid(jobId)) {
    const prefix = storageKeys.job(accountId, jobId);
    return { prefix, subject: subjects.job(accountId, jobId), madeAtMs: uuidv7TimeMs(jobId) };
  }
  if (jobId !== "uploads" || !isUuid(uploadId)) return undefined;
  const prefix = `${storageKeys.uploads(accountId)}${uploadId}/`;
  return { prefix, subject: subjects.upload(accountId, uploadId), madeAtMs: uuidv7TimeMs(uploadId) };
}
