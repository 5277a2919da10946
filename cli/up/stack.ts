/** The whole service on this machine: every process of it, started, watched and stopped together. */

import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findNatsServer, type NatsServer, startNatsServer } from "./nats-server.ts";
import { CommandFault } from "../command-line.ts";
import { createOperatorClient } from "../operator-client.ts";
import { type DataFolder, openDataFolder } from "./data-folder.ts";
import { ensureDemoAccount } from "./demo-account.ts";
import { loadSecrets, type Secrets, writePrivately } from "./secrets.ts";
import { type ServiceProcess, startServiceProcess, turnLogOver } from "./service-process.ts";
import {
  addressesOf,
  nodeEnvironment,
  nodeFlags,
  type ServiceName,
  serviceMains,
  settingsForRestart,
} from "./services.ts";
import { type Running, type Supervised, supervise } from "./supervisor.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

type Environment = Readonly<Record<string, string | undefined>>;

export interface StackOptions {
  readonly dataDir: string;
  /** Of the API; 0 takes a free one. */
  readonly port: number;
  readonly workers: number;
  /** `host:port` on loopback or private networks from which `imageUrl` may be fetched. */
  readonly allowSources: readonly string[];
  /** What the operator set; a PACKSHOT_ name in it wins over what `up` would choose. */
  readonly environment: Environment;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Main module and arguments by service, for tests of the launcher itself. */
  readonly mains?: Readonly<Record<ServiceName, readonly string[]>>;
}

/** What `stack.json` holds once every part is ready. */
export interface StackFile {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly accountId: string;
  readonly adminUrl: string;
  readonly adminToken: string;
  readonly natsUrl: string;
  /** Bare `host:port`. */
  readonly modelServer: string;
  /** Addresses of Prometheus metrics by process; further workers are `worker-2` and so on. */
  readonly metrics: Readonly<Record<string, string>>;
  readonly logs: string;
}

export interface Stack {
  readonly file: StackFile;
  /** Workers first and together, the others in reverse order of their start, nats-server last. Idempotent. */
  stop(): Promise<void>;
}

/** The port that clients will use: checked here, because a sentence is better than a service's stack trace. */
async function claimPort(host: string, port: number): Promise<number> {
  const probe = createServer();
  probe.listen(port, host);
  try {
    await once(probe, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const trouble = code === "EADDRINUSE" ? "is in use: stop what uses it, or" : `cannot be used (${code}):`;
    throw new CommandFault(`port ${port} on ${host} ${trouble} choose another with --port.`);
  }
  const { port: claimed } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return claimed;
}

function natsProgram(environment: Environment): string {
  try {
    return findNatsServer({
      explicit: environment.PACKSHOT_NATS_SERVER,
      searchPath: environment.PATH ?? "",
      toolsFolder: join(root, ".tools"),
    });
  } catch (error) {
    throw new CommandFault((error as Error).message);
  }
}

/** What every service is told: what the operator set, and for the rest a stack on loopback with its own folder. */
function settingsOf(
  options: StackOptions,
  folder: DataFolder,
  secrets: Secrets,
  host: string,
  port: number,
): Environment {
  const given = Object.entries(options.environment).filter(([, value]) => value !== undefined && value !== "");
  return {
    PACKSHOT_API_HOST: host,
    PACKSHOT_API_PORT: String(port),
    PACKSHOT_ADMIN_PORT: "0",
    PACKSHOT_ADMIN_TOKEN: secrets.adminToken,
    PACKSHOT_PUBLIC_URL: `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`,
    PACKSHOT_STORAGE_DIR: folder.file("storage"),
    PACKSHOT_LINK_KEY: secrets.linkKey,
    PACKSHOT_MASTER_KEY: secrets.masterKey,
    PACKSHOT_ALLOW_WEBHOOKS: "127.0.0.1:*",
    PACKSHOT_MODEL_GRPC_PORT: "0",
    PACKSHOT_MODEL_HTTP_PORT: "0",
    PACKSHOT_METRICS_PORT: "0",
    // Compiled modules are kept from start to start: it halves the time until a service is ready.
    NODE_COMPILE_CACHE: join(root, ".cache", "node-compile"),
    ...Object.fromEntries(given),
    PACKSHOT_ALLOW_SOURCES: [options.environment.PACKSHOT_ALLOW_SOURCES, ...options.allowSources]
      .filter(Boolean)
      .join(","),
  };
}

/** Waits for all, so that nothing starts behind the back of a failed start, then rejects with the first failure. */
async function all<const P extends readonly Promise<unknown>[]>(starts: P) {
  await Promise.allSettled(starts);
  return await Promise.all(starts);
}

interface Launcher {
  nats(): Promise<NatsServer>;
  service(label: string, name: ServiceName, links: Environment): Promise<ServiceProcess>;
}

function createLauncher(
  options: StackOptions,
  folder: DataFolder,
  settings: Environment,
  started: Supervised<Running>[],
): Launcher {
  async function keep<R extends Running>(name: string, start: (previous: R | undefined) => Promise<R>): Promise<R> {
    const startedAtMs = performance.now();
    const kept = await supervise(name, start, options.say);
    started.push(kept);
    options.say(`${name} is ready (${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`);
    return kept.first;
  }

  return {
    nats() {
      const program = natsProgram(options.environment);
      const logPath = folder.logPath("nats-server");
      turnLogOver(logPath);
      return keep("nats-server", (previous: NatsServer | undefined) =>
        startNatsServer({
          program,
          folder: folder.file("nats"),
          port: previous?.port ?? 0,
          name: "packshot",
          logPath,
        }).catch((error: Error) => Promise.reject(new CommandFault(error.message))),
      );
    },
    service: (label, name, links) =>
      keep(label, (previous: ServiceProcess | undefined) =>
        startServiceProcess({
          name: label,
          args: options.mains?.[name] ?? [...nodeFlags[name], join(root, serviceMains[name])],
          environment: {
            ...nodeEnvironment[name],
            ...settings,
            ...links,
            ...(previous && settingsForRestart(name, previous.ready)),
          },
          logPath: folder.logPath(label),
          signal: options.signal,
        }),
      ),
  };
}

async function startAll(options: StackOptions, folder: DataFolder, started: Supervised<Running>[]): Promise<StackFile> {
  const host = options.environment.PACKSHOT_API_HOST || "127.0.0.1";
  const port = await claimPort(host, options.port);
  const secrets = loadSecrets(folder.path);
  const settings = settingsOf(options, folder, secrets, host, port);
  const launcher = createLauncher(options, folder, settings, started);

  // Warming up the model takes longest, and needs no log.
  const modelServerStart = launcher.service("model-server", "modelServer", {});
  const natsStart = launcher.nats();
  const link = natsStart.then(({ url }) => ({ PACKSHOT_NATS_URL: url }));
  const apiStart = link.then((links) => launcher.service("api", "api", links));
  const webhooksStart = link.then((links) => launcher.service("webhooks", "webhooks", links));
  const workersStart = all([modelServerStart, link]).then(([modelServer, links]) => {
    const modelLink = { ...links, PACKSHOT_MODEL_SERVER: addressesOf("modelServer", modelServer.ready).grpc! };
    const labels = Array.from({ length: options.workers }, (_, place) =>
      place === 0 ? "worker" : `worker-${place + 1}`,
    );
    return all(labels.map(async (label) => ({ label, worker: await launcher.service(label, "worker", modelLink) })));
  });
  const [modelServer, nats, api, webhooks, workers] = await all([
    modelServerStart,
    natsStart,
    apiStart,
    webhooksStart,
    workersStart,
  ]);

  const { api: apiUrl, admin: adminUrl, metrics } = addressesOf("api", api.ready);
  const adminToken = settings.PACKSHOT_ADMIN_TOKEN!;
  const operator = createOperatorClient({ adminUrl: adminUrl!, adminToken });
  const demo = await ensureDemoAccount(operator, apiUrl!, folder.path, secrets);
  return {
    apiUrl: apiUrl!,
    apiKey: demo.apiKey,
    accountId: demo.accountId,
    adminUrl: adminUrl!,
    adminToken,
    natsUrl: nats.url,
    modelServer: addressesOf("modelServer", modelServer.ready).grpc!,
    metrics: {
      api: metrics!,
      ...Object.fromEntries(workers.map(({ label, worker }) => [label, addressesOf("worker", worker.ready).metrics!])),
      modelServer: addressesOf("modelServer", modelServer.ready).metrics!,
      webhooks: addressesOf("webhooks", webhooks.ready).metrics!,
    },
    logs: folder.file("logs"),
  };
}

/** Rejects with a CommandFault, everything stopped again, when some part does not start. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const folder = openDataFolder(options.dataDir);
  const started: Supervised<Running>[] = [];
  let stopping: Promise<void> | undefined;

  async function stopAll(): Promise<void> {
    // The log was not necessarily the first to be ready, but it is the last to go: the others write to it to the end.
    const isLog = ({ name }: Supervised<Running>) => name === "nats-server";
    const isWorker = ({ name }: Supervised<Running>) => name.startsWith("worker");
    const others = started.filter((part) => !isLog(part) && !isWorker(part)).reverse();
    // Each may have an edit to finish: one after another, a machine of many would take minutes.
    await Promise.all(started.filter(isWorker).map((worker) => worker.stop()));
    for (const part of [...others, ...started.filter(isLog)]) await part.stop();
    folder.release();
  }

  try {
    const file = await startAll(options, folder, started);
    writePrivately(folder.file("stack.json"), file);
    return {
      file,
      stop() {
        stopping ??= stopAll();
        return stopping;
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
