/** The measured processes: our server, and raw onnxruntime. */

import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ModelServerProcess, startModelServerProcess } from "../../testing/models/model-server-process.ts";
import { cpuMs } from "../measuring/processor-time.ts";
import { startLoader, type Target } from "./load.ts";
import type { BenchModel } from "./models.ts";
import type { RawCommand, RawResult } from "./raw-runner.ts";

export interface MeasuredServer extends Pick<ModelServerProcess, "address" | "pid" | "metrics" | "stop"> {
  residentMib(): number;
  /** Used so far, all threads. */
  cpuMs(): number;
}

export async function startServer(
  modelDir: string,
  threads: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<MeasuredServer> {
  const environment = { PACKSHOT_MODEL_THREADS: String(threads), ...settings };
  const server = await startModelServerProcess(modelDir, environment, (line) => process.stderr.write(`${line}\n`));
  return {
    ...server,
    residentMib: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))![1]) / 1024,
    cpuMs: () => cpuMs(server.pid),
  };
}

/** Sends all requests on one stream, as the worker's client does. */
export function serverTarget(address: string, { name, side, channels }: BenchModel): Target {
  return startLoader("packshot", ["grpc", address, name, String(side), String(channels)]);
}

export interface RawProcess {
  run(command: RawCommand): Promise<RawResult>;
  stop(): Promise<void>;
}

export async function startRaw(
  { file, side, channels }: BenchModel,
  batch: number,
  threads: number,
  provider = "cpu",
): Promise<RawProcess> {
  const child = fork(
    fileURLToPath(new URL("./raw-runner.ts", import.meta.url)),
    [file, side, channels, batch, threads, provider].map(String),
  );
  const next = (): Promise<RawResult> =>
    new Promise((resolve) => child.once("message", (result) => resolve(result as RawResult)));
  await next();
  return {
    async run(command) {
      const result = next();
      child.send(command);
      return await result;
    },
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
