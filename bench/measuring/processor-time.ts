/** Processor time of this machine's processes, from `/proc`. */
import { readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";

const msPerTick = 10;

interface ProcessTime {
  readonly parent: number;
  readonly command: string;
  /** User and system time of all its threads. */
  readonly ownMs: number;
  /** Time of children that have ended. */
  readonly endedChildrenMs: number;
}

/** undefined where the process has ended. */
function readProcess(pid: number): ProcessTime | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command stands in brackets and may hold spaces. State, parent, … follow it.
    const end = stat.lastIndexOf(")");
    const fields = stat.slice(end + 2).split(" ");
    const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) * msPerTick);
    return {
      parent: Number(fields[1]),
      command: stat.slice(stat.indexOf("(") + 1, end),
      ownMs: user! + system!,
      endedChildrenMs: childrenUser! + childrenSystem!,
    };
  } catch {
    return undefined;
  }
}

function readProcesses(): ReadonlyMap<number, ProcessTime> {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return new Map(
    pids.flatMap((name) => {
      const process = readProcess(Number(name));
      return process === undefined ? [] : [[Number(name), process] as const];
    }),
  );
}

/** Milliseconds of processor time that a process has used. */
export function cpuMs(pid: number): number {
  return readProcess(pid)?.ownMs ?? Number.NaN;
}

function isDescendant(pid: number, processes: ReadonlyMap<number, ProcessTime>, of: number = process.pid): boolean {
  if (pid === of) return true;
  const parent = processes.get(pid)?.parent;
  return parent !== undefined && isDescendant(parent, processes, of);
}

/** The processes with this command among those that this one started. */
export function descendantPids(command: string): number[] {
  const processes = readProcesses();
  const isWanted = (pid: number, found: ProcessTime) => found.command === command && isDescendant(pid, processes);
  return [...processes].flatMap(([pid, found]) => (isWanted(pid, found) ? [pid] : []));
}

/** Empty for a process that has ended. */
export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** Everything that a process started and that still runs, with what that started. */
export function descendants(of: number = process.pid): number[] {
  return descendantsOfEach([of])[0]!;
}

/** The same for several, at one moment. */
export function descendantsOfEach(pids: readonly number[]): number[][] {
  const processes = readProcesses();
  return pids.map((of) => [...processes.keys()].filter((pid) => pid !== of && isDescendant(pid, processes, of)));
}

export function descendantPid(command: string): number {
  const [pid] = descendantPids(command);
  if (pid === undefined) throw new Error(`no process ${command} was started`);
  return pid;
}

/**
 * Milliseconds of work of the whole machine, other guests of the hypervisor included, and of this process with its
 * descendants.
 */
function workedMs(): { readonly machine: number; readonly own: number; readonly atMs: number } {
  const columns = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]!.trim().split(/\s+/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = columns;
  const processes = readProcesses();
  let own = 0;
  for (const [pid, { ownMs, endedChildrenMs }] of processes)
    if (isDescendant(pid, processes)) own += ownMs + endedChildrenMs;
  return { machine: (user + nice + system + irq + softirq + steal) * msPerTick, own, atMs: performance.now() };
}

/**
 * Starts to watch how much of the machine other processes use; the result tells their share of all cores since then, 0
 * to 1, or undefined where there is no `/proc`. A throughput that was measured at a share of 60 % is a lower bound.
 */
export function watchOtherLoad(): () => number | undefined {
  try {
    const before = workedMs();
    return () => {
      const after = workedMs();
      const others = after.machine - before.machine - (after.own - before.own);
      return Math.max(0, others) / ((after.atMs - before.atMs) * cpus().length);
    };
  } catch {
    return () => undefined;
  }
}

/** By words of their command lines. */
const stackProcesses: Readonly<Record<string, string>> = {
  "worker-main": "worker",
  "model-server-main": "model server",
  "api-main": "API",
  "webhooks-main": "webhooks",
  "nats-server": "nats-server",
};
export const stackProcessNames: readonly string[] = [...Object.values(stackProcesses), "the rest"];

/** Which process of a stack it is; "the rest" for others. */
export function stackProcessOf(pid: number): string {
  const command = commandLineOf(pid);
  return Object.entries(stackProcesses).find(([word]) => command.includes(word))?.[1] ?? "the rest";
}
