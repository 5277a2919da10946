/**
 * A folder in memory for what tests write to temporary folders. Each commit to the log is synced, on three servers where it is
 * replicated: specs of the log take half as long as on a virtual machine's disk. What must be on a disk, as in power cuts, mounts its own.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const mount = "/dev/shm";
const prefix = "packshot-tests-";
/** A whole run has written less than a third of it at any time. */
const roomMin = 6 * 1024 ** 3;
/** What processes of three specs need beside it. */
const freeMemoryMin = roomMin + 4 * 1024 ** 3;

/** Whether programs may run there, and there is room: containers often have 64 MB. */
function isUsable(): boolean {
  try {
    const mounted = readFileSync("/proc/self/mounts", "utf8").match(/^\S+ \/dev\/shm tmpfs (\S+)/m);
    if (mounted === null || /\bnoexec\b|\bro\b/.test(mounted[1]!)) return false;
    const { bavail, bsize } = statfsSync(mount);
    return bavail * bsize >= roomMin && freemem() >= freeMemoryMin;
  } catch {
    return false;
  }
}

/** True for this process, too: its number may have been that of a killed one. */
function isGone(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Another user's process is there, too.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** This process' folder below `parent`, which goes with it. Removes those of processes that were killed. */
export function folderOfProcess(parent: string): string {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix)))
    if (isGone(Number(name.slice(prefix.length))))
      try {
        rmSync(join(parent, name), { recursive: true, force: true });
      } catch {
        // Another user's.
      }
  const folder = join(parent, `${prefix}${process.pid}`);
  mkdirSync(folder, { mode: 0o700 });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** This run's folder in memory; undefined where there is no room for one. */
export const memoryFolder = (): string | undefined => (isUsable() ? folderOfProcess(mount) : undefined);
