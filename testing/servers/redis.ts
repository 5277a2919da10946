/** A real redis-server for tests: a child process on a free port, in memory only. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guardedByStdin, type Service, startService } from "../../cli/up/start-service.ts";
import { onFreePorts } from "./free-ports.ts";
import { resume, suspend } from "./suspend.ts";

export interface TestRedis {
  readonly url: string;
  /** As `kill -9` would. */
  kill(): Promise<void>;
  /** The server keeps its connections and answers nothing. */
  pause(): Promise<void>;
  resume(): void;
  /** On the same port, empty. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const readyTimeoutMs = 60_000;

async function launch(port: number, folder: string, more: readonly string[]): Promise<Service<true>> {
  const listening = more.includes("--tls-port") ? [] : ["--port", String(port)];
  const args = [
    ...listening,
    ...more.map((arg) => (arg === freePort ? String(port) : arg)),
    "--bind",
    "127.0.0.1",
    "--save",
    "",
    "--appendonly",
    "no",
    "--dir",
    folder,
  ];
  return await startService({
    name: "redis-server",
    ...guardedByStdin("redis-server", args),
    environment: process.env,
    readyTimeoutMs,
    waitForReady: ({ untilLine }) => untilLine((line) => line.includes("Ready to accept connections") || undefined),
  }).catch((error: Error) => {
    if (!/not found/.test(error.message)) throw error;
    throw new Error("redis-server is not on PATH: install Redis 7 to run this test");
  });
}

/** In `more`: the port that the server gets. */
export const freePort = "<port>";

/** `more`: further arguments of redis-server. */
export async function startRedis(more: readonly string[] = []): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), "packshot-redis-"));
  const started = await onFreePorts(1, async ([port]) => ({ port: port!, server: await launch(port!, folder, more) }));
  const { port } = started;
  let { server } = started;

  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => server.kill(),
    pause: () => suspend(server.pid),
    resume: () => resume(server.pid),
    async restart() {
      await server.stop();
      server = await launch(port, folder, more);
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
