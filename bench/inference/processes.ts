/** The processes under measure: our server, and raw onnxruntime beside it. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { nodeFlags } from "../../cli/up/services.ts";
import { statOf } from "./hardware.ts";
import { startLoader, type Target } from "./load.ts";
import type { RawOrder, RawResult } from "./raw-runner.ts";

export interface ServerProcess {
  readonly address: string;
  residentMib(): number;
  /** Used so far, all threads. */
  cpuMs(): number;
  /** What /metrics says now. */
  metrics(): Promise<string>;
  readonly pid: number;
  stop(): Promise<void>;
}

/** As in production: its own process, settings by environment. */
export async function startServer(
  modelDir: string,
  threads: number,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const main = fileURLToPath(new URL("../../services/inference/model-server-main.ts", import.meta.url));
  const env = {
    ...process.env,
    PACKSHOT_MODEL_DIR: modelDir,
    PACKSHOT_MODEL_GRPC_PORT: "0",
    PACKSHOT_MODEL_HTTP_PORT: "0",
    PACKSHOT_MODEL_THREADS: String(threads),
    PACKSHOT_LOG_LEVEL: "warn",
    ...settings,
  };
  const child = spawn(process.execPath, [...nodeFlags.modelServer, main], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await Promise.race([
    firstLine(child),
    new Promise<never>((_, reject) =>
      child.once("exit", (code) => reject(new Error(`the model server ended with ${code}`))),
    ),
  ]);
  const ready = JSON.parse(line) as { grpcPort: number; httpPort: number };
  return {
    address: `127.0.0.1:${ready.grpcPort}`,
    residentMib: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) / 1024,
    cpuMs() {
      const fields = statOf(child.pid!)!;
      // utime and stime, in ticks of 10 ms.
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    metrics: async () => await (await fetch(`http://127.0.0.1:${ready.httpPort}/metrics`)).text(),
    pid: child.pid!,
    stop: () => stopped(child),
  };
}

async function firstLine(child: ChildProcess): Promise<[string]> {
  const lines = createInterface({ input: child.stdout! });
  return await new Promise((resolve) => lines.once("line", (line) => resolve([line])));
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  await ended;
}

/** As the worker's own client does it: one stream for everything. */
export function serverTarget(address: string, model: string, side: number): Target {
  return startLoader("packshot", ["grpc", address, model, String(side)]);
}

export interface RawProcess {
  run(order: RawOrder): Promise<RawResult>;
  stop(): Promise<void>;
}

export async function startRaw(
  file: string,
  side: number,
  batch: number,
  threads: number,
  provider = "cpu",
): Promise<RawProcess> {
  const child = fork(
    fileURLToPath(new URL("./raw-runner.ts", import.meta.url)),
    [file, side, batch, threads, provider].map(String),
  );
  const next = (): Promise<RawResult> =>
    new Promise((resolve) => child.once("message", (result) => resolve(result as RawResult)));
  await next();
  return {
    async run(order) {
      const result = next();
      child.send(order);
      return await result;
    },
    stop: () => stopped(child),
  };
}
