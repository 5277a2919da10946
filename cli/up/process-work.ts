/** How much a process has done so far: the one sign of progress that a program gives which says nothing. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface ProcessWork {
  readonly processorMs: number;
  /** By system calls, from the disk or its cache, and as much as was written; 0 where the system does not tell. */
  readonly bytes: number;
}

/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock. */
const tickMs = 10;
/** A server that only waits uses a thousandth of a core. */
const busyShareMin = 0.05;
const bytesPerSecondMin = 256 * 1024;

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
  try {
    const counts = readFileSync(`/proc/${pid}/io`, "utf8").matchAll(/^[rw]char: (\d+)$/gm);
    return { processorMs, bytes: [...counts].reduce((sum, [, count]) => sum + Number(count), 0) };
  } catch {
    return { processorMs, bytes: 0 };
  }
}

/** Where there is no /proc. */
function readPs(pid: number): ProcessWork | undefined {
  try {
    const text = execFileSync("ps", ["-p", String(pid), "-o", "time="], { encoding: "utf8", stdio: "pipe" });
    return { processorMs: parseProcessorTime(text.trim()), bytes: 0 };
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

/** Tells, at each call, whether the process has worked since the last one, and more than waiting costs. */
export function createWorkCheck(pidOf: () => number | undefined): () => boolean {
  let before: { readonly pid: number; readonly work: ProcessWork; readonly atMs: number } | undefined;
  return () => {
    const pid = pidOf();
    const work = pid === undefined ? undefined : readWork(pid);
    if (pid === undefined || work === undefined) return false;
    const now = { pid, work, atMs: performance.now() };
    const last = before?.pid === pid ? before : undefined;
    before = now;
    if (last === undefined) return true;
    const passedMs = now.atMs - last.atMs;
    return (
      work.processorMs - last.work.processorMs >= busyShareMin * passedMs ||
      work.bytes - last.work.bytes >= (bytesPerSecondMin * passedMs) / 1000
    );
  };
}
