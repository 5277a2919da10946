/** Processor time of the processes that a delivery passes through, from `/proc`. */
import { readdirSync, readFileSync } from "node:fs";

const msPerTick = 10;

/** Milliseconds of processor time that a process has used. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

/** Of the nats-server that this process started: a grandchild, with its guard in between. */
export function natsServerPid(): number {
  const parents = new Map<number, number>();
  const servers: number[] = [];
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [start, rest] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ") as [string, string];
      parents.set(Number(name), Number(rest.split(" ")[1]));
      if (start.endsWith("(nats-server")) servers.push(Number(name));
    } catch {
      // Ended while the list was read.
    }
  }
  return servers.find((pid) => parents.get(parents.get(pid) ?? 0) === process.pid || parents.get(pid) === process.pid)!;
}
