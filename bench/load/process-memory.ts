/** Memory of the stack's processes over time, from `/proc`. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { descendants } from "../measuring/processor-time.ts";
import { rssBytes } from "../measuring/server-usage.ts";
import type { MemorySample } from "./memory-slope.ts";

export interface MemoryWatch {
  /** Samples by process. One that ended, or began, meanwhile has fewer. */
  stop(): ReadonlyMap<string, readonly MemorySample[]>;
}

/** Watches every process that this one has started, except k6. */
export function watchMemory(everyMs: number): MemoryWatch {
  const samples = new Map<string, MemorySample[]>();
  const sample = () => {
    const atMs = Date.now();
    for (const pid of descendants()) {
      const name = processName(pid);
      const bytes = name === undefined ? Number.NaN : readRss(pid);
      if (Number.isNaN(bytes)) continue;
      const key = `${name} (${pid})`;
      if (!samples.has(key)) samples.set(key, []);
      samples.get(key)!.push({ atMs, bytes });
    }
  };
  const timer = setInterval(sample, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return samples;
    },
  };
}

/** The program, or the main module of one that Node runs; undefined where it has ended or is not of the stack. */
function processName(pid: number): string | undefined {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const main = args.find((arg) => arg.endsWith("-main.ts"));
    const name = basename(main ?? args[0]!, ".ts").replace(/-main$/, "");
    return ["", "k6", "sh", "cat", "node"].includes(name) ? undefined : name;
  } catch {
    return undefined;
  }
}

function readRss(pid: number): number {
  try {
    return rssBytes(pid);
  } catch {
    return Number.NaN;
  }
}
