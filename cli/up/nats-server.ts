/**
 * A nats-server as a child process: what `packshot up` runs and what the tests start, with one configuration for both.
 * In a cluster the chart runs its own servers from the same settings.
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  accessSync,
  appendFileSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Older servers lack the limit on open batches, or lose scheduled messages in a work queue. */
export const natsServerVersionMin = "2.15.2";

const readyTimeoutMs = 30_000;
const readyPollMs = 15;
const stopTimeoutMs = 20_000;
const logTailLines = 5;

/**
 * Runs nats-server and stops it when stdin closes: the server itself does not notice that its launcher was killed. The
 * wait is the shell's last command, so the shell ends with the server's status.
 */
const guard = `exec 4<&0; "$1" -c "$2" </dev/null & server=$!; { cat <&4 >/dev/null; kill -TERM $server; } 2>/dev/null & exec 4<&-; wait $server`;

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
}

export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** `http://host:port` of its monitoring endpoints. */
  readonly monitorUrl: string;
  /** Resolves when the process has ended, whoever ended it, and its port and files are free again. */
  readonly ended: Promise<void>;
  /** Clean: flushes and closes the store. Idempotent. */
  stop(): Promise<void>;
  /** As `kill -9` would. */
  kill(): Promise<void>;
}

export function natsServerConfig({
  folder,
  port,
  name,
  cluster,
}: Omit<NatsServerOptions, "program" | "logPath">): string {
  const lines = [
    `server_name: ${JSON.stringify(name)}`,
    `listen: "127.0.0.1:${port === 0 ? -1 : port}"`,
    `http: "127.0.0.1:-1"`,
    `ports_file_dir: ${JSON.stringify(join(folder, "run"))}`,
    `pid_file: ${JSON.stringify(pidPathIn(folder))}`,
    // A ready message carries a whole account record at most; the default of 1 MiB stands for all but this is explicit.
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
 * A launcher that was killed leaves its server the moments that it needs to close its store; two servers on one store
 * would destroy it. Waits for the other, then ends it.
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

function isAtLeast(version: string, floor: string): boolean {
  const found = version.split(".").map(Number);
  const wanted = floor.split(".").map(Number);
  const place = found.findIndex((part, index) => part !== wanted[index]);
  return place === -1 || found[place]! > wanted[place]!;
}

/**
 * The first nats-server that is new enough: the one named, else of the search path, else of the tools folder.
 * Throws an Error whose message says what to do.
 */
export function findNatsServer(places: {
  explicit?: string | undefined;
  searchPath: string;
  toolsFolder: string;
}): string {
  const folders = [...places.searchPath.split(delimiter), places.toolsFolder];
  const candidates = places.explicit
    ? [places.explicit]
    : folders.filter(Boolean).map((folder) => join(folder, "nats-server"));
  const tooOld: string[] = [];
  for (const candidate of candidates) {
    try {
      accessSync(candidate, constants.X_OK);
    } catch {
      continue;
    }
    const version = /v(\d+\.\d+\.\d+)/.exec(
      spawnSync(candidate, ["--version"], { encoding: "utf8" }).stdout ?? "",
    )?.[1];
    if (version !== undefined && isAtLeast(version, natsServerVersionMin)) return candidate;
    tooOld.push(`${candidate} is ${version ?? "no nats-server"}`);
  }
  const seen = tooOld.length > 0 ? ` (${tooOld.join("; ")})` : "";
  throw new Error(
    `nats-server ${natsServerVersionMin} or newer was not found${seen}: run "make setup", or put one on PATH.`,
  );
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

function lastLines(logPath: string): string {
  const lines = readFileSync(logPath, "utf8").trimEnd().split("\n");
  const telling = lines.filter((line) => line.includes("[FTL]") || line.includes("[ERR]") || !line.startsWith("["));
  return (telling.length > 0 ? telling : lines).slice(-logTailLines).join(" | ");
}

/** On a full disk the log goes on without these lines: a pipe that nobody reads would stop the server in the end. */
function keepLog(logPath: string, said: Buffer): void {
  try {
    appendFileSync(logPath, said);
  } catch {
    // It has room again later, or its folder is gone with the test that made it.
  }
}

/** Tells the whole group: guard and server. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}

/**
 * Resolves when the server listens, and separately tells its health: a member of a cluster is healthy only once it
 * has found the others. Rejects with the end of its log when it does not come up within 30 s.
 */
export async function launchNatsServer(options: NatsServerOptions): Promise<NatsServer & { healthy(): Promise<void> }> {
  const configPath = join(options.folder, "nats-server.conf");
  await previousServerGone(options.folder, configPath);
  const runFolder = join(options.folder, "run");
  rmSync(runFolder, { recursive: true, force: true });
  mkdirSync(runFolder, { recursive: true });
  writeFileSync(configPath, natsServerConfig(options));

  const child = spawn("sh", ["-c", guard, "nats-server", options.program, configPath], {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  for (const output of [child.stdout, child.stderr])
    output.on("data", (said: Buffer) => keepLog(options.logPath, said));
  child.stdin.on("error", () => {});
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    // "close", not "exit": every process that held the pipes is gone, the server among them.
    child.once("close", () => resolve());
  }).then(() => {
    hasEnded = true;
  });

  const deadlineAtMs = Date.now() + readyTimeoutMs;
  async function until<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (hasEnded) throw new Error(`nats-server ended at its start: ${lastLines(options.logPath)}`);
      if (Date.now() > deadlineAtMs) {
        signalGroup(child, "SIGKILL");
        throw new Error(`nats-server: ${what} took longer than ${readyTimeoutMs} ms: ${lastLines(options.logPath)}`);
      }
      await delay(readyPollMs);
    }
  }

  const ports = await until("listening", () => readPorts(runFolder));
  const url = ports.nats[0]!;
  const monitorUrl = ports.monitoring[0]!.replace(/\/$/, "");

  async function stop(): Promise<void> {
    child.stdin.end();
    // The guard itself may have been killed; who hears of it twice stops once.
    signalGroup(child, "SIGTERM");
    const timer = setTimeout(() => signalGroup(child, "SIGKILL"), stopTimeoutMs);
    await ended;
    clearTimeout(timer);
  }

  async function kill(): Promise<void> {
    signalGroup(child, "SIGKILL");
    await ended;
  }

  return {
    url,
    port: Number(new URL(url).port),
    monitorUrl,
    ended,
    healthy: () =>
      until("JetStream", async () => ((await isHealthy(monitorUrl)) ? true : undefined)).then(() => undefined),
    stop,
    kill,
  };
}

/** One server, ready to take writes. */
export async function startNatsServer(options: NatsServerOptions): Promise<NatsServer> {
  const server = await launchNatsServer(options);
  await server.healthy();
  return server;
}
