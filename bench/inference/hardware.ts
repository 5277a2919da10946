/** What a table was measured on, and how much of it others used meanwhile. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

export function hardware(): string {
  const gib = (totalmem() / 2 ** 30).toFixed(0);
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${gib} GiB, Node ${process.versions.node}${gpus()}`;
}

function gpus(): string {
  try {
    const query = ["--query-gpu=name,driver_version", "--format=csv,noheader"];
    return `, ${execFileSync("nvidia-smi", query, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()}`;
  } catch {
    return "";
  }
}

/** Processor ticks (10 ms) since the start: of the whole machine, and of this process with all its descendants. */
function ticks(): { readonly machine: number; readonly own: number; readonly atMs: number } {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = readFileSync("/proc/stat", "utf8")
    .split("\n", 1)[0]!
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const parents = new Map<number, { parent: number; used: number }>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(Number(name));
    // Own time, and that of children that ended and were waited for.
    if (fields) parents.set(Number(name), { parent: Number(fields[1]), used: sum(fields.slice(11, 15).map(Number)) });
  }
  const isOwn = (pid: number): boolean => pid === process.pid || (parents.has(pid) && isOwn(parents.get(pid)!.parent));
  const own = sum([...parents].map(([pid, { used }]) => (isOwn(pid) ? used : 0)));
  return { machine: user + nice + system + irq + softirq + steal, own, atMs: performance.now() };
}

/** What follows the command's name in /proc/PID/stat; the name itself may hold spaces. */
export function statOf(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  } catch {
    return null;
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The share of all cores that others' processes use from now on; null where /proc does not tell. */
export function watchOthers(): () => number | null {
  try {
    const before = ticks();
    return () => {
      const after = ticks();
      const used = after.machine - before.machine - (after.own - before.own);
      return Math.max(0, used) / (((after.atMs - before.atMs) / 10) * cpus().length);
    };
  } catch {
    return () => null;
  }
}
