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

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** This run's folder, which goes with the process; undefined where memory has no room for one. Removes those of runs that were killed. */
export function memoryFolder(): string | undefined {
  if (!isUsable()) return undefined;
  try {
    for (const name of readdirSync(mount))
      if (name.startsWith(prefix) && isGone(Number(name.slice(prefix.length))))
        rmSync(join(mount, name), { recursive: true, force: true });
    const folder = join(mount, `${prefix}${process.pid}`);
    mkdirSync(folder, { mode: 0o700 });
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return undefined; // Another user's, or none that we may make.
  }
}
