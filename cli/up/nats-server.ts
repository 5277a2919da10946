/**
 * A nats-server as a child process: `packshot up` and the tests run it with one configuration. In a cluster the chart
 * runs its own servers from the same settings.
 */

import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isAtLeast, natsServerVersionMin } from "@packshot/log/operate/examine.ts";
import { type NatsServerTls, type NatsUser, renderServerConfig } from "@packshot/log/operate/server-config.ts";
import { CommandError } from "../command-line/command.ts";
import { environment } from "../command-line/environment.ts";
import { createWorkCheck, readWork } from "./process-work.ts";
import { guardedByStdin, startService, untilStalled } from "./start-service.ts";

/** Without progress: a server that was killed first reads its whole log, a minute for 10 million records. */
const stallTimeoutMsDefault = 60_000;
const readyPollMs = 15;
/** Without progress: it writes an index of its log. */
const stopTimeoutMs = 20_000;
const previousPollMs = 100;
const sayEveryMsDefault = 5_000;

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
  /** Its certificate for clients and for the other servers of the cluster. */
  readonly tls?: NatsServerTls;
  /** Who may connect; everybody when absent. */
  readonly users?: readonly NatsUser[];
  /** For a restore; the folder is to be synced once the server has stopped. */
  readonly syncsLate?: boolean;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
  /** Told from time to time how a start gets ahead that takes long. */
  readonly say?: (line: string) => void;
  /** For tests. */
  readonly stallTimeoutMs?: number;
  readonly sayEveryMs?: number;
}

export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** Also the id of its process group. */
  readonly pid: number;
  /** Resolves with how the process ended, whoever ended it, when its port and files are free again. */
  readonly ended: Promise<string>;
  /** Clean: flushes and closes the store. Idempotent. */
  stop(): Promise<void>;
  /** As `kill -9` would. */
  kill(): Promise<void>;
}

function natsServerConfig(options: NatsServerOptions): string {
  const { folder, port, name, cluster, tls, users, syncsLate } = options;
  return renderServerConfig({
    name,
    listen: `127.0.0.1:${port === 0 ? -1 : port}`,
    monitor: "127.0.0.1:-1",
    portsFileDir: join(folder, "run"),
    pidFile: pidPathIn(folder),
    storeDir: join(folder, "store"),
    ...(syncsLate !== undefined && { syncsLate }),
    ...(tls && { tls }),
    ...(users && { users }),
    ...(cluster && {
      cluster: {
        name: "packshot",
        listen: `127.0.0.1:${cluster.port}`,
        routes: cluster.routePorts.map((routePort) => `nats://127.0.0.1:${routePort}`),
        ...(tls && { tls }),
      },
    }),
  });
}

function pidPathIn(folder: string): string {
  return join(folder, "nats-server.pid");
}

function readPid(folder: string): number | undefined {
  try {
    return Number(readFileSync(pidPathIn(folder), "utf8")) || undefined;
  } catch {
    return undefined; // None before, or it ended cleanly.
  }
}

/**
 * A server whose launcher was killed needs some moments to close its store, and two servers on one store would destroy
 * it. Waits for the earlier one to end, and kills it when it gets no further.
 */
async function previousServerGone({ folder, signal }: NatsServerOptions, configPath: string): Promise<void> {
  const pid = readPid(folder);
  if (pid === undefined) return;
  const isRunning = () => {
    const { stdout } = spawnSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" });
    return stdout?.includes(configPath) ?? false;
  };
  const works = createWorkCheck();
  const hasProgressed = () => works(pid);
  const over = new AbortController();
  void untilStalled({ timeoutMs: stopTimeoutMs, hasProgressed, over: over.signal }).then(
    () => isRunning() && process.kill(pid, "SIGKILL"),
  );
  while (isRunning() && !signal?.aborted) await delay(previousPollMs);
  over.abort();
  if (signal?.aborted) throw new CommandError("stopped while starting.");
  rmSync(pidPathIn(folder), { force: true });
}

const isHalfMade = (folder: string) => !existsSync(join(folder, "meta.inf")) || !existsSync(join(folder, "meta.sum"));

/** A whole stream may have lost a file by another fault: what holds messages is for people to look at. */
const holdsMessages = (stream: string) =>
  globSync("msgs/*.blk", { cwd: stream }).some((block) => statSync(join(stream, block)).size > 0);

/**
 * Removes what a power cut leaves of a stream or a durable consumer that nats-server was about to make: a folder without
 * `meta.sum`, which it writes last. Such a stream keeps it unhealthy, and such a consumer is lost at each start, also after
 * `migrate` has made it again, because nats-server 2.15 takes the folder for whole. Nobody was told that they are there. Only
 * while no server works in the folder; returns what it removed.
 */
export function removeHalfMade(storeFolder: string): string[] {
  const found = (pattern: string) => globSync(pattern, { cwd: storeFolder }).map((path) => join(storeFolder, path));
  const halfMade = [
    ...found("jetstream/*/streams/*").filter((stream) => isHalfMade(stream) && !holdsMessages(stream)),
    ...found("jetstream/*/streams/*/obs/*").filter(isHalfMade),
  ];
  for (const folder of halfMade) rmSync(folder, { recursive: true, force: true });
  return halfMade;
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

/** nats-server itself prints a line when it begins to read a stream, and the next when it has read all of it. */
async function sayHowItGetsAhead(
  { folder, say = () => {}, sayEveryMs = sayEveryMsDefault }: NatsServerOptions,
  signal: AbortSignal,
): Promise<void> {
  const startedAtMs = performance.now();
  const works = createWorkCheck();
  for (works(readPid(folder)); ; ) {
    await delay(sayEveryMs, undefined, { signal });
    const seconds = Math.round((performance.now() - startedAtMs) / 1000);
    const megabytes = Math.round((readWork(readPid(folder) ?? 0)?.bytes ?? 0) / 1e6);
    const now = works(readPid(folder)) ? `still working, ${megabytes} MB read` : "but it does nothing";
    say(`nats-server recovers its log: ${seconds} s, ${now}`);
  }
}

/**
 * Resolves when the server takes writes. It is waited for as long as it gets ahead with reading its log; rejects with the
 * end of its own log when it has done nothing for a minute.
 */
export async function startNatsServer(options: NatsServerOptions): Promise<NatsServer> {
  const { folder, program, logPath, stallTimeoutMs = stallTimeoutMsDefault } = options;
  const configPath = join(folder, "nats-server.conf");
  await previousServerGone(options, configPath);
  for (const path of removeHalfMade(join(folder, "store")))
    options.say?.(`removed ${path}: a power cut left it half made`);
  const works = createWorkCheck();
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
    readyTimeoutMs: stallTimeoutMs,
    stopTimeoutMs,
    hasProgressed: () => works(readPid(folder)),
    waitForReady({ signal }) {
      sayHowItGetsAhead(options, signal).catch(() => {}); // Until the start is over.
      return waitForHealth(runFolder, signal);
    },
  });
  return { ...service, url, port: Number(new URL(url).port) };
}

const toolsFolder = fileURLToPath(new URL("../../.tools", import.meta.url));

/**
 * The first nats-server that is new enough: the one that PACKSHOT_NATS_SERVER names, else on PATH, else where
 * `make setup` puts it. Throws a CommandError that says what to do.
 */
export function findNatsServer(environment: Readonly<Record<string, string | undefined>>): string {
  const { PACKSHOT_NATS_SERVER: named, PATH = "" } = environment;
  const folders = [...PATH.split(delimiter), toolsFolder].filter(Boolean);
  const candidates = named ? [named] : folders.map((folder) => join(folder, "nats-server"));
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
  throw new CommandError(
    `nats-server ${natsServerVersionMin} or newer was not found${seen}: run "make setup", or put one on PATH.`,
  );
}
