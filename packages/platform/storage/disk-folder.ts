/** The folder of the disk storage: how folders are made in it, and whether it can be written. */

import { mkdir, mkdtemp, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createPeriodicCheck, type PeriodicCheck } from "../lifecycle/periodic-check.ts";
import type { Logger } from "../telemetry/logger.ts";
import { StorageFault } from "./storage-fault.ts";

/** The janitor may remove the folder above as often, just after it was made. */
const attemptsMax = 3;

/**
 * Makes a folder and those above it; resolves with the topmost that it made, undefined where all were there. Throws a
 * `StorageFault` where the path is of no use (ENOENT, ENOTDIR), and what the system says otherwise, as EROFS.
 *
 * Node's own recursive mkdir says ENOENT on a read-only file system, and tries forever where the system says ENOENT for a
 * folder whose parent exists (/proc).
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  let above: string | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(path);
      return above ?? path;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return above;
      if (code === "ENOENT" && attempt < attemptsMax) above = (await makeFolder(dirname(path))) ?? above;
      else if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
      else throw new StorageFault(`the folder ${path} cannot be made (${code})`, { isCertain: false, code });
    }
  }
}

/** Writes a small file in the folder, which it makes, and removes it. Throws what `makeFolder` and the system throw. */
async function tryWriting(dir: string): Promise<void> {
  await makeFolder(dir);
  // One for all processes: what a killed one leaves is overwritten. No storage key begins with a dot.
  const path = join(dir, ".write-check");
  await writeFile(path, "packshot");
  await rm(path, { force: true });
}

const reasons: Readonly<Record<string, string>> = {
  EROFS: "it is on a read-only file system",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk is full",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ENOTDIR: "a part of its path is a file",
  ENOENT: "no folder can be made there",
};

/** What the code of a failed write means for a folder, in words that follow "cannot be written:". */
export function whyUnwritable(error: unknown): string {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  return reasons[code] ?? code;
}

const fullCodes = new Set(["ENOSPC", "EDQUOT"]);

/** Whether a write failed because its disk, or the share of it that this user may have, is full. */
export function isFull(error: unknown): boolean {
  return fullCodes.has((error as NodeJS.ErrnoException).code ?? "");
}

interface Expected {
  /** For a process that is of use on a full disk, because its clients make room there. */
  readonly mayBeFull: boolean;
}

/** Why files cannot be written to the folder, which it leaves as it is; undefined when they can. */
export async function findFolderProblem(dir: string, { mayBeFull }: Expected): Promise<string | undefined> {
  try {
    if ((await stat(dir).catch(() => undefined)) !== undefined) await tryWriting(dir);
    else await rmdir(await mkdtemp(join(await nearestFolder(dir), ".packshot-")));
    return undefined;
  } catch (error) {
    return mayBeFull && isFull(error) ? undefined : whyUnwritable(error);
  }
}

/** The one above that is there. */
async function nearestFolder(path: string): Promise<string> {
  const above = dirname(path);
  const isThere = above === dirname(above) || (await stat(above).catch(() => undefined)) !== undefined;
  return isThere ? above : await nearestFolder(above);
}

const everyMs = 3_000;
const timeoutMs = 3_000;

export interface DiskCheckDeps extends Expected {
  readonly dir: string;
  readonly logger: Logger;
}

/** Whether the folder of the disk storage can be written: a small file is written there and removed. */
export function createDiskCheck({ dir, mayBeFull, logger }: DiskCheckDeps): PeriodicCheck {
  return createPeriodicCheck({
    name: "storage",
    everyMs,
    timeoutMs,
    logger,
    async attempt() {
      try {
        await tryWriting(dir);
      } catch (error) {
        if (mayBeFull && isFull(error)) return;
        const { code = "" } = error as NodeJS.ErrnoException;
        throw new Error(`storage cannot be written (${code})`, { cause: error });
      }
    },
  });
}
