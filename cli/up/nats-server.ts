/**
 * A nats-server as a child process: `packshot up` and the tests run it with one configuration. In a cluster the chart
 * runs its own servers from the same settings.
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { environment } from "../command-line/environment.ts";
import { startService } from "./start-service.ts";
import { guardedByStdin } from "./stdin-guard.ts";

const readyTimeoutMs = 30_000;
const readyPollMs = 15;
const stopTimeoutMs = 20_000;

export interface NatsServerOptions {
  /** Path of the binary, from `findNatsServer`. */
  readonly program: string;
  /** Folder of its own: store, configuration and ports file. Made when missing. */
  readonly folder: string;
  /** 0 takes a free one; a restart is given the port of the run before, so that clients find it again. */
  readonly port: number;
  readonly name: string;
  readonly logPath: string;
  readonly cluster?: { readonly port: number; readonly routePorts: readonly number[] };
  /** Gives the start up. */
  readonly signal?: AbortSignal;
}

export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** Of its process group. */
  readonly pid: number;
  /** Resolves with how the process ended, whoever ended it, when its port and files are free again. */
  readonly ended: Promise<string>;
  /** Clean: flushes and closes the store. Idempotent. */
  stop(): Promise<void>;
  /** As `kill -9` would. */
  kill(): Promise<void>;
}

function natsServerConfig({ folder, port, name, cluster }: NatsServerOptions): string {
  const lines = [
    `server_name: ${JSON.stringify(name)}`,
    `listen: "127.0.0.1:${port === 0 ? -1 : port}"`,
    `http: "127.0.0.1:-1"`,
    `ports_file_dir: ${JSON.stringify(join(folder, "run"))}`,
    `pid_file: ${JSON.stringify(pidPathIn(folder))}`,
    // The largest message is an account record. nats-server refuses more than this by default too; here it is written
    // out.
    "max_payload: 1MB",
    "jetstream {",
    `  store_dir: ${JSON.stringify(join(folder, "store"))}`,
    // An accepted edit survives a power cut: every write is on disk before it is confirmed.
    "  sync_interval: always",
    "  limits { batch { max_inflight_per_stream: 400 } }",
    "}",
  ];
  if (cluster) {
    const routes = cluster.routePorts.map((routePort) => `"nats://127.0.0.1:${routePort}"`).join(", ");
    lines.push("cluster {", "  name: packshot", `  listen: "127.0.0.1:${cluster.port}"`, `  routes: [${routes}]`, "}");
  }
  return `${lines.join("\n")}\n`;
}

function pidPathIn(folder: string): string {
  return join(folder, "nats-server.pid");
}

/**
 * A server whose launcher was killed needs some moments to close its store, and two servers on one store would destroy
 * it. Waits for the earlier one to end, and kills it when it does not.
 */
async function previousServerGone(folder: string, configPath: string): Promise<void> {
  let pid: number;
  try {
    pid = Number(readFileSync(pidPathIn(folder), "utf8"));
  } catch {
    return; // None before, or it ended cleanly.
  }
  const isRunning = () => {
    const { stdout } = spawnSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" });
    return stdout?.includes(configPath) ?? false;
  };
  const deadlineAtMs = Date.now() + stopTimeoutMs;
  while (isRunning() && Date.now() < deadlineAtMs) await delay(readyPollMs);
  if (isRunning()) process.kill(pid, "SIGKILL");
  rmSync(pidPathIn(folder), { force: true });
}

interface Ports {
  readonly nats: readonly string[];
  readonly monitoring: readonly string[];
}

function readPorts(runFolder: string): Ports | undefined {
  const file = readdirSync(runFolder).find((name) => name.endsWith(".ports"));
  if (file === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(join(runFolder, file), "utf8")) as Ports;
  } catch {
    return undefined; // Half written.
  }
}

async function isHealthy(monitorUrl: string): Promise<boolean> {
  try {
    const answer = await fetch(`${monitorUrl}/healthz`, { signal: AbortSignal.timeout(1_000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/**
 * The client's address, once the server listens and JetStream takes writes: in a cluster, once it has found the others.
 */
async function waitForHealth(runFolder: string, signal: AbortSignal): Promise<string> {
  for (; ; await delay(readyPollMs, undefined, { signal })) {
    const ports = readPorts(runFolder);
    if (ports !== undefined && (await isHealthy(ports.monitoring[0]!.replace(/\/$/, "")))) return ports.nats[0]!;
  }
}

/** Resolves when the server takes writes; rejects with the end of its log when it does not within 30 s. */
export async function startNatsServer(options: NatsServerOptions): Promise<NatsServer> {
  const { folder, program, logPath } = options;
  const configPath = join(folder, "nats-server.conf");
  await previousServerGone(folder, configPath);
  const runFolder = join(folder, "run");
  rmSync(runFolder, { recursive: true, force: true });
  mkdirSync(runFolder, { recursive: true });
  writeFileSync(configPath, natsServerConfig(options));
  const { ready: url, ...service } = await startService({
    name: "nats-server",
    ...guardedByStdin(program, ["-c", configPath]),
    environment,
    logPath,
    ...(options.signal && { signal: options.signal }),
    readyTimeoutMs,
    stopTimeoutMs,
    waitForReady: ({ signal }) => waitForHealth(runFolder, signal),
  });
  return { ...service, url, port: Number(new URL(url).port) };
}
