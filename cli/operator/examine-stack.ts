/** The checks of `packshot doctor` on the stack that runs in a data folder: what each of its processes says of itself. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "@packshot/models/doctor.ts";
import type { StackFile } from "./stack-file.ts";

const answerTimeoutMs = 5_000;

/** A finding for each process; none where no stack was started. Never throws. */
export async function examineStack(dataDir: string, timeoutMs = answerTimeoutMs): Promise<Finding[]> {
  const stack = readStack(dataDir);
  if (stack === undefined) return [];
  const found = await Promise.all(
    Object.entries(stack.metrics).map(async ([name, url]) => {
      const label = name === "modelServer" ? "model-server" : name;
      return { check: label, log: join(stack.logs, `${label}.log`), health: await healthOf(url, timeoutMs) };
    }),
  );
  if (found.every(({ health }) => health.state === "gone")) {
    const message = `it has ended, and left ${join(dataDir, "stack.json")}: start it again with "packshot up --data-dir ${dataDir}"`;
    return [{ check: "stack", state: "fault", message }];
  }
  const ofProcesses = found.map(({ check, log, health }): Finding => {
    if (health.state === "ready") return { check, state: "ok", message: `ready, on ${health.at}` };
    return { check, state: "fault", message: `${problemOf(health)}; its log is ${log}` };
  });
  return [...ofProcesses, ...findFailedWrites(join(stack.logs, "nats-server.log"))];
}

const tailBytes = 64 * 1024;

/**
 * nats-server 2.15 keeps the error of a write that failed, as on a full disk, and refuses every later write to that file until it is
 * started again, however much room there is by then. It still answers reads, so that no process is unready.
 */
function findFailedWrites(logPath: string): Finding[] {
  const tail = readTail(logPath);
  const [, problem] =
    /JetStream failed to store a msg [^\n]*: ([^:\n]+)/.exec(tail.slice(tail.lastIndexOf("Server is ready") + 1)) ?? [];
  if (problem === undefined) return [];
  const message = `writes to the log have failed (${problem}), and fail until nats-server is started again: make room on its disk, then end nats-server, which "packshot up" starts again; its log is ${logPath}`;
  return [{ check: "nats-server", state: "fault", message }];
}

function readTail(path: string): string {
  try {
    return readFileSync(path).subarray(-tailBytes).toString("utf8");
  } catch {
    return "";
  }
}

type Health = { readonly at: string } & (
  | { readonly state: "ready" | "gone" | "silent" }
  | { readonly state: "not-ready"; readonly reasons: Readonly<Record<string, string>> }
);

function problemOf(health: Health): string {
  switch (health.state) {
    case "not-ready":
      return `not ready: ${Object.entries(health.reasons)
        .map(([requirement, reason]) => `${requirement}: ${reason}`)
        .join("; ")}`;
    case "silent":
      return `answers nothing on ${health.at}: it hangs, or this machine is too busy. End it (kill -9) where it stays so, and "packshot up" starts it again`;
    default:
      return `nobody listens on ${health.at}: it has ended, or starts again`;
  }
}

function readStack(dataDir: string): StackFile | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, "stack.json"), "utf8")) as StackFile;
  } catch {
    return undefined;
  }
}

async function healthOf(metricsUrl: string, timeoutMs: number): Promise<Health> {
  const url = new URL("/health/ready", metricsUrl);
  const at = url.host;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const { reasons = {} } = (await response.json()) as { readonly reasons?: Readonly<Record<string, string>> };
    return response.ok ? { at, state: "ready" } : { at, state: "not-ready", reasons };
  } catch (error) {
    return { at, state: (error as Error).name === "TimeoutError" ? "silent" : "gone" };
  }
}
