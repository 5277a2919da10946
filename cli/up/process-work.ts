/** How much a process has done so far, and what it waited for: the one sign of progress that a program gives which says nothing. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface ProcessWork {
  readonly processorMs: number;
  /** Time in which its main thread could have run, and no processor was free; 0 where the system does not tell. */
  readonly queuedMs: number;
  /** By system calls, from the disk or its cache, and as much as was written; 0 where the system does not tell. */
  readonly bytes: number;
}

/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock. */
const tickMs = 10;
const nanosPerMs = 1e6;
/** A server that only waits uses a thousandth of a core. */
const busyShareMin = 0.05;
const bytesPerSecondMin = 256 * 1024;
/** Share of the time. A process beside one equal neighbor is queued for half of the time. */
const queuedShareMin = 0.5;

/** undefined: there is no such process. */
export function readWork(pid: number): ProcessWork | undefined {
  try {
    return readProc(pid);
  } catch {
    return readPs(pid);
  }
}

function readProc(pid: number): ProcessWork {
  // The name of the program, in parentheses, may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  const processorMs = (Number(fields[11]) + Number(fields[12])) * tickMs;
  return { processorMs, queuedMs: readQueuedMs(pid), bytes: readBytes(pid) };
}

function readQueuedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / nanosPerMs;
  } catch {
    return 0;
  }
}

function readBytes(pid: number): number {
  try {
    const counts = readFileSync(`/proc/${pid}/io`, "utf8").matchAll(/^[rw]char: (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  } catch {
    return 0;
  }
}

/** Where there is no /proc. */
function readPs(pid: number): ProcessWork | undefined {
  try {
    const text = execFileSync("ps", ["-p", String(pid), "-o", "time="], { encoding: "utf8", stdio: "pipe" });
    return { processorMs: parseProcessorTime(text.trim()), queuedMs: 0, bytes: 0 };
  } catch {
    return undefined;
  }
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` */
export function parseProcessorTime(text: string): number {
  const [, days = 0, rest = ""] = /^(?:(\d+)-)?(.*)$/.exec(text)!;
  const seconds = rest.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1000);
}

/** Says something of the process with this number since the last call; true at the first call for it, false where there is none. */
export type WorkCheck = (pid: number | undefined) => boolean;

/** Tells whether the process has worked, and more than waiting costs, or was kept from it by a busy machine. */
export const createWorkCheck = (): WorkCheck =>
  createCheck((since, passedMs) => hasWorked(since, passedMs) || hasStarved(since, passedMs));

/**
 * Tells whether the process was kept from work by a busy machine: it has had no chance to become ready. With 2.5 % of a core
 * the API needs six minutes for a start that takes two seconds of processor time.
 */
export const createStarvationCheck = (): WorkCheck => createCheck(hasStarved);

const hasWorked = ({ processorMs, bytes }: ProcessWork, passedMs: number) =>
  processorMs >= busyShareMin * passedMs || bytes >= (bytesPerSecondMin * passedMs) / 1000;

const hasStarved = ({ queuedMs }: ProcessWork, passedMs: number) => queuedMs >= queuedShareMin * passedMs;

function createCheck(holds: (since: ProcessWork, passedMs: number) => boolean): WorkCheck {
  let before: { readonly pid: number; readonly work: ProcessWork; readonly atMs: number } | undefined;
  return (pid) => {
    const work = pid === undefined ? undefined : readWork(pid);
    if (pid === undefined || work === undefined) return false;
    const now = { pid, work, atMs: performance.now() };
    const last = before?.pid === pid ? before : undefined;
    before = now;
    if (last === undefined) return true;
    const since = {
      processorMs: work.processorMs - last.work.processorMs,
      queuedMs: work.queuedMs - last.work.queuedMs,
      bytes: work.bytes - last.work.bytes,
    };
    return holds(since, now.atMs - last.atMs);
  };
}
