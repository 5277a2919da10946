/**
 * A folder in memory for what tests write to temporary folders. Each commit to the log is synced, on three servers where it is
 * replicated: specs of the log take half as long as on a virtual machine's disk. What is large or must be
 * on a disk is elsewhere (disk-folder.ts). `TMPDIR=/tmp` leaves all on the disk.
 */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { isAlive } from "@packshot/platform/lifecycle/is-alive.ts";

const mount = "/dev/shm";
/** A whole run has written less than a third of it at any time. */
const roomMin = 6 * 1024 ** 3;
/** What processes of three specs need beside it. */
const freeMemoryMin = roomMin + 4 * 1024 ** 3;

/** Whether programs may run there, and there is room: containers often have 64 MB, or a limit to all their memory. */
function isUsable(): boolean {
  try {
    // Where several are mounted, the last one is seen.
    const mounted = [...readFileSync("/proc/self/mounts", "utf8").matchAll(/^\S+ \/dev\/shm (\S+) (\S+)/gm)].at(-1);
    if (mounted?.[1] !== "tmpfs" || /\bnoexec\b|\bro\b/.test(mounted[2]!)) return false;
    const { bavail, bsize } = statfsSync(mount);
    return bavail * bsize >= roomMin && Math.min(freemem(), process.availableMemory()) >= freeMemoryMin;
  } catch {
    return false;
  }
}

/** How names of folders begin: with the namespace in which the process' number is one, since containers may share memory. */
function prefix(): string {
  const namespace = process.platform === "linux" ? readlinkSync("/proc/self/ns/pid") : "0";
  return `packshot-tests-${/\d+/.exec(namespace)![0]}-`;
}

function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Another user's, or still written to: it is left to a later run.
  }
}

/** A folder of this process below `parent`, which goes with it. Removes those of processes that were killed. */
export function folderOfProcess(parent: string): string {
  const start = prefix();
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(start))) {
    const pid = Number.parseInt(name.slice(start.length), 10);
    // This process' number may have been that of a killed one.
    if (pid === process.pid || !isAlive(pid)) removeFolder(join(parent, name));
  }
  const folder = mkdtempSync(join(parent, `${start}${process.pid}-`));
  process.once("exit", () => removeFolder(folder));
  return folder;
}

/** This run's folder in memory; undefined where there is no room for one. */
export const memoryFolder = (): string | undefined => (isUsable() ? folderOfProcess(mount) : undefined);
