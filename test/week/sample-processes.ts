/** What processes take at this moment. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { descendantsOfEach } from "../../bench/measuring/processor-time.ts";
import { rssBytes } from "../../bench/measuring/server-usage.ts";

export interface Sampled {
  readonly kind: string;
  readonly pid: number;
  /** With the processes that it has started: those that decode photos and look at pictures. */
  readonly megabytes: number;
  /** What the heaps of its threads held beside compiled code when they last collected all garbage; 0 for one that does not say. */
  readonly heldMegabytes: number;
  /** Its own. */
  readonly files: number;
}

const megabyte = 1e6;
/** Four collections. */
const toldMsMax = 60_000;

/** `heapsFolder`: where collect-garbage.ts writes. */
export function sampleProcesses(processes: readonly Pick<Sampled, "kind" | "pid">[], heapsFolder: string): Sampled[] {
  const started = descendantsOfEach(processes.map(({ pid }) => pid));
  const told = readdirSync(heapsFolder).filter((name) => !name.endsWith(".next"));
  return processes.flatMap(({ kind, pid }, at) => {
    const files = openFiles(pid);
    const own = residentBytes(pid);
    if (files === 0 || own === 0) return []; // It was replaced in this moment.
    const bytes = started[at]!.reduce((sum, child) => sum + residentBytes(child), own);
    const heaps = told.filter((name) => name.startsWith(`${pid}.`));
    const held = heaps.reduce((sum, name) => sum + heldBytes(join(heapsFolder, name)), 0);
    return [{ kind, pid, megabytes: bytes / megabyte, heldMegabytes: held / megabyte, files }];
  });
}

/** 0 for a thread that has ended, which says nothing any more. */
function heldBytes(file: string): number {
  return Date.now() - statSync(file).mtimeMs < toldMsMax ? Number(readFileSync(file, "utf8")) : 0;
}

/** 0 for a process that has ended. */
function residentBytes(pid: number): number {
  try {
    return rssBytes(pid) || 0;
  } catch {
    return 0;
  }
}

function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
