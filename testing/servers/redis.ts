/** A real redis-server for tests: a child process on a free port, in memory only. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onFreePorts } from "./free-ports.ts";

export interface TestRedis {
  readonly url: string;
  /** As `kill -9` would. */
  kill(): Promise<void>;
  /** On the same port, empty. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const readyTimeoutMs = 60_000;

async function launch(port: number, folder: string) {
  const child = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(child, "exit").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new Error("redis-server is not on PATH: install Redis 7 to run this test") : error;
  });
  let said = "";
  const ready = new Promise<void>((resolve) => {
    createInterface(child.stdout).on("line", (line) => {
      if (line.includes("Ready to accept connections")) resolve();
      said += `${line}\n`;
    });
  });
  const timeout = AbortSignal.timeout(readyTimeoutMs);
  await Promise.race([
    ready,
    ended.then(() => Promise.reject(new Error(`redis-server ended at its start: ${said}`))),
    once(timeout, "abort").then(() => Promise.reject(new Error(`redis-server took longer than ${readyTimeoutMs} ms`))),
  ]);
  return { child, ended };
}

export async function startRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), "packshot-redis-"));
  const started = await onFreePorts(1, async ([port]) => ({ port: port!, server: await launch(port!, folder) }));
  const { port } = started;
  let { server } = started;

  async function end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    server.child.kill(signal);
    await server.ended;
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => end("SIGKILL"),
    async restart() {
      await end("SIGTERM");
      server = await launch(port, folder);
    },
    async stop() {
      await end("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
