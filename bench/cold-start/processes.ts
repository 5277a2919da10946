/** The services as containers start them: one process each, with the flags and the environment of a checkout. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readyLine, type ReadyLine, type Service, startService } from "../../cli/up/start-service.ts";
import { cpuMs, descendants } from "../measuring/processor-time.ts";

export const roles = ["api", "webhooks", "modelServer", "worker"] as const;
export type Role = (typeof roles)[number];

/** What a checkout says of its services. */
type ServicesModule = typeof import("../../cli/up/services.ts");

export interface StartedRole extends Service<ReadyLine> {
  /** From `exec` to the ready line. */
  readonly readyMs: number;
  /** Processor time of all threads until then. */
  readonly readyCpuMs: number;
}

export async function startRole(
  role: Role,
  root: string,
  environment: Readonly<Record<string, string>>,
): Promise<StartedRole> {
  const services = (await import(pathToFileURL(join(root, "cli/up/services.ts")).href)) as ServicesModule;
  const startedMs = performance.now();
  const service = await startService({
    name: role,
    args: services.serviceArguments(role),
    environment: { PATH: process.env.PATH ?? "", ...services.nodeEnvironment[role], ...environment },
    waitForReady: readyLine,
  });
  return { ...service, readyMs: performance.now() - startedMs, readyCpuMs: cpuMsOf(service.pid) };
}

/** MiB in RAM: all, and with what is shared divided among those who share it. */
export interface Memory {
  readonly rssMb: number;
  readonly pssMb: number;
}

/** Of a role: the API has image inspectors, which are processes of their own. */
export function memoryOf(pid: number): Memory {
  const each = withChildren(pid).map(memoryOfProcess);
  return {
    rssMb: each.reduce((sum, { rssMb }) => sum + rssMb, 0),
    pssMb: each.reduce((sum, { pssMb }) => sum + pssMb, 0),
  };
}

export function cpuMsOf(pid: number): number {
  return withChildren(pid).reduce((sum, each) => sum + cpuMs(each), 0);
}

function withChildren(pid: number): readonly number[] {
  return [pid, ...descendants(pid)];
}

function memoryOfProcess(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1024;
  return { rssMb: field("Rss"), pssMb: field("Pss") };
}
