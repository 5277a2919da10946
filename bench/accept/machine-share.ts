/**
 * How much of the machine other work took while something was measured: the CPU time of all processes less that of this
 * one and its descendants. A figure beside a share of 0 % is the program's; beside 60 % it is a lower bound.
 */
import { readdirSync, readFileSync } from "node:fs";

interface Ticks {
  /** Of all processors, idle ones included. */
  readonly all: number;
  /** User, nice and system time of processes, and what the hypervisor gave to other machines. */
  readonly used: number;
  readonly ours: number;
}

/** Call it to begin; what it returns tells the share since then, 0 to 1; undefined where there is no `/proc`. */
export function watchMachine(): () => number | undefined {
  const before = ticksNow();
  return () => {
    const after = ticksNow();
    if (before === undefined || after === undefined) return undefined;
    const others = after.used - before.used - (after.ours - before.ours);
    return Math.max(0, others) / (after.all - before.all);
  };
}

function ticksNow(): Ticks | undefined {
  try {
    const columns = readFileSync("/proc/stat", "utf8").split("\n")[0]!.trim().split(/\s+/).slice(1, 9).map(Number);
    const [user = 0, nice = 0, system = 0, , , , , steal = 0] = columns;
    const all = columns.reduce((sum, ticks) => sum + ticks, 0);
    return { all, used: user + nice + system + steal, ours: ticksOfTree(process.pid) };
  } catch {
    return undefined;
  }
}

function ticksOfTree(root: number): number {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // After the name in brackets: state, parent, …; user and system time are the 12th and 13th from there.
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      processes.set(Number(name), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
    } catch {
      // It has ended meanwhile.
    }
  }
  let ticks = 0;
  for (const [pid, { ticks: own }] of processes) {
    let at: number | undefined = pid;
    while (at !== undefined && at !== root) at = processes.get(at)?.parent;
    if (at === root) ticks += own;
  }
  return ticks;
}
