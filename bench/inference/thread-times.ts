/** Processor time of a process by the names of its threads, from /proc, and the time that they waited for a core. */
import { readdirSync, readFileSync } from "node:fs";

export interface ThreadTime {
  /** `MainThread`, `V8Worker` (garbage collection, compiling), `packshot-instan` (onnxruntime). */
  readonly thread: string;
  readonly cpuMs: number;
  /** Ready to run, but the cores were taken. */
  readonly waitMs: number;
}

/** Starts to measure; the result returns the time of the threads since then, the largest first. */
export function threadTimes(pid: number): () => ThreadTime[] {
  const before = read(pid);
  return () => {
    const byName = new Map<string, { cpuMs: number; waitMs: number }>();
    for (const [id, { name, cpuMs, waitMs }] of read(pid)) {
      const known = before.get(id);
      const sum = byName.get(name) ?? { cpuMs: 0, waitMs: 0 };
      sum.cpuMs += cpuMs - (known?.cpuMs ?? 0);
      sum.waitMs += waitMs - (known?.waitMs ?? 0);
      byName.set(name, sum);
    }
    return [...byName].map(([thread, times]) => ({ thread, ...times })).sort((a, b) => b.cpuMs - a.cpuMs);
  };
}

function read(pid: number): Map<string, { name: string; cpuMs: number; waitMs: number }> {
  const home = `/proc/${pid}/task`;
  return new Map(
    readdirSync(home).map((id) => {
      const [cpuNs = 0, waitNs = 0] = readFileSync(`${home}/${id}/schedstat`, "utf8").split(" ").map(Number);
      const name = readFileSync(`${home}/${id}/comm`, "utf8").trim();
      return [id, { name, cpuMs: cpuNs / 1e6, waitMs: waitNs / 1e6 }];
    }),
  );
}
