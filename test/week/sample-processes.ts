/** What processes take at this moment. */
import { readdirSync } from "node:fs";
import { descendantsOfEach } from "../../bench/measuring/processor-time.ts";
import { rssBytes } from "../../bench/measuring/server-usage.ts";

export interface Sampled {
  readonly kind: string;
  readonly pid: number;
  /** With the processes that it has started: those that decode photos and look at pictures. */
  readonly megabytes: number;
  /** Its own. */
  readonly files: number;
}

const megabyte = 1e6;

export function sampleProcesses(processes: readonly Pick<Sampled, "kind" | "pid">[]): Sampled[] {
  const started = descendantsOfEach(processes.map(({ pid }) => pid));
  return processes.flatMap(({ kind, pid }, at) => {
    const files = openFiles(pid);
    const own = residentBytes(pid);
    if (files === 0 || own === 0) return []; // It was replaced in this moment.
    const bytes = started[at]!.reduce((sum, child) => sum + residentBytes(child), own);
    return [{ kind, pid, megabytes: bytes / megabyte, files }];
  });
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
