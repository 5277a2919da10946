/** What the nats-servers that this process started use, from `/proc` and their folders. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import type { TestNats } from "../../testing/servers/nats.ts";
import { cpuMs, descendantPids } from "./processor-time.ts";

/** The sum over all servers. */
export interface ServerUsage {
  readonly cpuMs: number;
  readonly rssBytes: number;
}

export function serverUsage(): ServerUsage {
  const pids = descendantPids("nats-server");
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { cpuMs: sum(pids.map(cpuMs)), rssBytes: sum(pids.map(rssBytes)) };
}

/** Bytes of the servers' stores and logs. Files that go while they are counted are left out. */
export function serverDiskBytes({ folder }: TestNats): number {
  const { stdout } = spawnSync("du", ["-sk", folder], { encoding: "utf8" });
  return Number(stdout.split("\t", 1)[0]) * 1024;
}

/** Memory of a process that is in RAM now. */
export function rssBytes(pid: number): number {
  return statusBytes(pid, "VmRSS");
}

/** The most that it has been. */
export function peakRssBytes(pid: number): number {
  return statusBytes(pid, "VmHWM");
}

/** From now on `peakRssBytes` is the most since now. */
export function resetPeakRss(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

function statusBytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
}
