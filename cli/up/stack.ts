/**
 * The whole service on this machine: every process of it, started, watched and stopped together.
 *
 * These are the processes that a cluster runs, each in a process group of its own, with their addresses in the environment.
 * Only the launcher receives the signal to stop; it stops the workers first and nats-server last. Each child reads a pipe from
 * the launcher and stops when it closes, so that no child outlives a launcher that was killed. A process that crashes is
 * started again at its old address, after growing waits.
 *
 * nats-server reads its whole log before it answers, half a minute for three million records on a busy machine. The launcher
 * waits as long as the server works (its processor time and the bytes that it reads show it), and gives it up when it has
 * done nothing for a minute, although a processor was free. A stop waits in the same way.
 */

import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findDefaultModelProblem } from "@packshot/models/model-repository.ts";
import { natsAccessSettings } from "@packshot/platform/config/backend-settings.ts";
import { readStopTimes } from "@packshot/platform/config/process-times.ts";
import { secretFileSettings, withSecretFiles } from "@packshot/platform/config/secret-settings.ts";
import { readSettings, settingsTable } from "@packshot/platform/config/settings.ts";
import { findCage } from "@packshot/platform/images/find-cage.ts";
import { prepareBucket } from "@packshot/platform/storage/bucket.ts";
import { findFolderProblem } from "@packshot/platform/storage/disk-folder.ts";
import { CommandError } from "../command-line/command.ts";
import { createOperatorClient, type OperatorClient } from "../operator/operator-client.ts";
import type { StackFile } from "../operator/stack-file.ts";
import { type DataFolder, openDataFolder } from "./data-folder.ts";
import { type Disk, diskOf, warnOfLittleRoom } from "./free-space.ts";
import { findNatsServer, type NatsServer, startNatsServer } from "./nats-server.ts";
import { createStarvationCheck } from "./process-work.ts";
import { loadSecrets, type Secrets, saveSecrets, writePrivately } from "./secrets.ts";
import { rotateLog } from "./service-log.ts";
import {
  addressesOf,
  nodeEnvironment,
  type ServiceName,
  serviceArguments,
  settingsForRestart,
  withSecretsOf,
} from "./services.ts";
import { type ReadyLine, readyLine, type Service, startService } from "./start-service.ts";
import { type Running, type Supervised, supervise } from "./supervisor.ts";
import { migrateAt } from "./with-nats.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** nats-server is up already. */
const migrateWaitMs = 30_000;

const withoutNatsAccess = Object.fromEntries(Object.keys(natsAccessSettings).map((name) => [name, undefined]));

type Environment = Readonly<Record<string, string | undefined>>;

export interface StackOptions {
  readonly dataDir: string;
  /** The API's port; 0 takes a free one. */
  readonly port: number;
  readonly workers: number;
  /** Keys may be made anew although there is a log that was sealed by others. */
  readonly newKeys?: boolean;
  /** `host:port` on loopback or private networks from which `imageUrl` may be fetched. */
  readonly allowSources: readonly string[];
  /** What the operator set; a PACKSHOT_ name in it wins over what `up` would choose. */
  readonly environment: Environment;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Main module and arguments by service, for tests of the launcher itself. */
  readonly mains?: Readonly<Record<ServiceName, readonly string[]>>;
}

export interface Stack {
  readonly file: StackFile;
  /** Workers first and together, the others in reverse order of their start, nats-server last. Idempotent. */
  stop(): Promise<void>;
}

/**
 * The port that clients will use. It is checked here because a sentence is easier to read than a service's stack trace.
 */
async function reservePort(host: string, port: number): Promise<number> {
  const probe = createServer();
  probe.listen(port, host);
  try {
    await once(probe, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const trouble = code === "EADDRINUSE" ? "is in use: stop what uses it, or" : `cannot be used (${code}):`;
    throw new CommandError(`port ${port} on ${host} ${trouble} choose another with --port.`);
  }
  const { port: claimed } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return claimed;
}

/** Names of this machine that receivers of webhooks may have. */
const hereNames = ["127.0.0.1", "localhost"];

/** The settings of every service: those the operator set, and for the rest a stack on loopback with its own folder. */
function settingsOf(
  options: StackOptions,
  folder: DataFolder,
  secrets: Secrets,
  host: string,
  port: number,
): Environment {
  // Secrets from files take the place of the folder's own, and no service is told a file that it has no need of.
  const environment = withSecretFiles(options.environment, secretFileSettings(settingsTable), (problem) => {
    throw new CommandError(`${problem}.`);
  });
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "");
  return {
    PACKSHOT_API_HOST: host,
    PACKSHOT_API_PORT: String(port),
    PACKSHOT_ADMIN_PORT: "0",
    PACKSHOT_ADMIN_TOKEN: secrets.adminToken,
    PACKSHOT_PUBLIC_URL: `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`,
    PACKSHOT_STORAGE_DIR: folder.file("storage"),
    PACKSHOT_LINK_KEY: secrets.linkKey,
    PACKSHOT_MASTER_KEY: secrets.masterKey,
    // Who reaches the API reaches the receivers of this machine too, as long as it is somebody of this machine.
    PACKSHOT_ALLOW_WEBHOOKS: isLoopback(host) ? hereNames.map((name) => `${name}:1024-65535`).join(",") : "",
    PACKSHOT_MODEL_GRPC_PORT: "0",
    PACKSHOT_MODEL_HTTP_PORT: "0",
    PACKSHOT_METRICS_PORT: "0",
    ...settingOfCage(options),
    // Compiled modules are kept from start to start: it halves the time until a service is ready.
    NODE_COMPILE_CACHE: join(root, ".cache", "node-compile"),
    // Where `models pull` puts them.
    ...(existsSync(folder.file("models")) && { PACKSHOT_MODEL_DIR: folder.file("models") }),
    ...Object.fromEntries(given),
    PACKSHOT_ALLOW_SOURCES: [options.environment.PACKSHOT_ALLOW_SOURCES, ...options.allowSources]
      .filter(Boolean)
      .join(","),
  };
}

/** A machine on which nothing confines decoders runs the stack all the same, unless whoever starts it wants the cage. */
function settingOfCage({ environment, say }: Pick<StackOptions, "environment" | "say">): Environment {
  if (environment.PACKSHOT_DECODER_CAGE) return {};
  const found = findCage();
  if (found.kind === "holds") return {};
  say(`Photos are decoded by the worker itself, without a cage: ${found.problem}.`);
  return { PACKSHOT_DECODER_CAGE: "off" };
}

/** Whoever starts a stack that could keep no photo learns it here, before the log is made or changed. */
async function checkStorage({ PACKSHOT_STORAGE, PACKSHOT_STORAGE_DIR: dir }: Environment): Promise<void> {
  if (PACKSHOT_STORAGE === "s3") return;
  const problem = await findFolderProblem(dir!, { mayBeFull: true });
  if (problem === undefined) return;
  throw new CommandError(
    `the folder of the storage, ${dir}, cannot be written: ${problem}. Set PACKSHOT_STORAGE_DIR to another.`,
  );
}

/** That of the log, and that of the storage, where it has one. */
function disksOf({ path }: DataFolder, { PACKSHOT_STORAGE, PACKSHOT_STORAGE_DIR: dir }: Environment): Disk[] {
  return [path, ...(PACKSHOT_STORAGE === "s3" ? [] : [dir!])].flatMap((folder) => diskOf(folder) ?? []);
}

/** Its model server would start without the model, and every edit that names none would fail. */
function checkDefaultModel({ PACKSHOT_DEFAULT_MODEL: model, PACKSHOT_MODEL_DIR: modelDir }: Environment): void {
  const folders = { bundledDir: join(root, "models"), ...(modelDir && { modelDir }) };
  const problem = findDefaultModelProblem(model || settingsTable.PACKSHOT_DEFAULT_MODEL.default!, folders);
  if (problem !== undefined) throw new CommandError(`${problem}.`);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * Waits for every start to end, so that nothing is still starting after a failure, then rejects with the first failure.
 */
async function all<const P extends readonly Promise<unknown>[]>(starts: P) {
  await Promise.allSettled(starts);
  return await Promise.all(starts);
}

/** All of a few changes; of many, as at the first start, the first one. */
function summary(changes: readonly string[]): string {
  return changes.length <= 3 ? changes.join("; ") : `${changes[0]}, and ${changes.length - 1} changes more`;
}

interface Launcher {
  nats(): Promise<NatsServer>;
  service(label: string, name: ServiceName, links: Environment): Promise<Service<ReadyLine>>;
}

function createLauncher(
  options: StackOptions,
  folder: DataFolder,
  settings: Environment,
  started: Supervised<Running>[],
): Launcher {
  let isLogStarting = false;
  const { drainMs, stopMs } = readStopTimes(readSettings(options.environment));
  /** Longer than a service allows itself, so that only one that hangs is killed. */
  const stopTimeoutMs = drainMs + stopMs + 5_000;

  async function startNats(starting: Promise<NatsServer>): Promise<NatsServer> {
    isLogStarting = true;
    return await starting.finally(() => {
      isLogStarting = false;
    });
  }

  async function startSupervised<R extends Running>(
    name: string,
    start: (previous: R | undefined) => Promise<R>,
  ): Promise<R> {
    const startedAtMs = performance.now();
    const supervised = await supervise(name, start, options.say);
    started.push(supervised);
    options.say(`${name} is ready (${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`);
    return supervised.first;
  }

  return {
    nats() {
      const program = findNatsServer(options.environment);
      const logPath = folder.logPath("nats-server");
      rotateLog(logPath);
      return startSupervised("nats-server", (previous: NatsServer | undefined) =>
        startNats(
          startNatsServer({
            program,
            folder: folder.file("nats"),
            port: previous?.port ?? 0,
            name: "packshot",
            logPath,
            signal: options.signal,
            say: options.say,
          }),
        ),
      );
    },
    service: (label, name, links) =>
      startSupervised(label, (previous: Service<ReadyLine> | undefined) => {
        const logPath = folder.logPath(label);
        rotateLog(logPath);
        const starves = createStarvationCheck();
        return startService({
          name: label,
          args: options.mains?.[name] ?? serviceArguments(name),
          environment: {
            ...nodeEnvironment[name],
            ...withSecretsOf(name, settings),
            ...links,
            ...(previous && settingsForRestart(name, previous.ready)),
          },
          logPath,
          signal: options.signal,
          stopTimeoutMs,
          // A service that is started again waits for a log that recovers, and each for a processor: that is not its fault.
          hasProgressed: (pid) => starves(pid) || isLogStarting,
          waitForReady: readyLine,
        });
      }),
  };
}

async function startAll(options: StackOptions, folder: DataFolder, started: Supervised<Running>[]): Promise<StackFile> {
  const host = options.environment.PACKSHOT_API_HOST || "127.0.0.1";
  const port = await reservePort(host, options.port);
  const secrets = loadSecrets(folder.path, { newKeys: options.newKeys === true });
  const settings = settingsOf(options, folder, secrets, host, port);
  await checkStorage(settings);
  for (const line of warnOfLittleRoom(disksOf(folder, settings))) options.say(line);
  checkDefaultModel(settings);
  const launcher = createLauncher(options, folder, settings, started);

  // Warming up the model takes longest, and needs no log.
  const modelServerStart = launcher.service("model-server", "modelServer", {});
  const natsStart = launcher.nats();
  const link = natsStart.then(async ({ url }) => {
    const read = readSettings(options.environment);
    const done = await migrateAt({ natsUrl: url, settings: read, waitMs: migrateWaitMs });
    if (done.length > 0) options.say(`the log is migrated: ${summary(done)}`);
    // Its own nats-server lets everybody on this machine in, and knows none of the operator's secrets.
    return {
      PACKSHOT_NATS_URL: url,
      ...withoutNatsAccess,
      // Therefore nobody gets there by a webhook.
      PACKSHOT_ALLOW_WEBHOOKS: [
        settings.PACKSHOT_ALLOW_WEBHOOKS,
        ...hereNames.map((name) => `!${name}:${new URL(url).port}`),
      ]
        .filter(Boolean)
        .join(","),
    };
  });
  const bucketStart = prepareBucketHere(options);
  const apiStart = link.then((links) => launcher.service("api", "api", links));
  const webhooksStart = link.then((links) => launcher.service("webhooks", "webhooks", links));
  const workersStart = all([modelServerStart, link]).then(([modelServer, links]) => {
    const modelLink = { ...links, PACKSHOT_MODEL_SERVER: addressesOf("modelServer", modelServer.ready).grpc! };
    const labels = Array.from({ length: options.workers }, (_, index) =>
      index === 0 ? "worker" : `worker-${index + 1}`,
    );
    return all(labels.map(async (label) => ({ label, worker: await launcher.service(label, "worker", modelLink) })));
  });
  const [modelServer, nats, api, webhooks, workers] = await all([
    modelServerStart,
    natsStart,
    apiStart,
    webhooksStart,
    workersStart,
    bucketStart,
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

/** Rejects with a CommandError, everything stopped again, when some process does not start. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const folder = openDataFolder(options.dataDir);
  const started: Supervised<Running>[] = [];
  let stopping: Promise<void> | undefined;

  async function stopAll(): Promise<void> {
    // nats-server stops last: the others write to it until they end.
    const isLog = ({ name }: Supervised<Running>) => name === "nats-server";
    const isWorker = ({ name }: Supervised<Running>) => name.startsWith("worker");
    const others = started.filter((process) => !isLog(process) && !isWorker(process)).reverse();
    // Workers stop together: each may have an edit to finish, and one after the other they would take minutes.
    await Promise.all(started.filter(isWorker).map((worker) => worker.stop()));
    for (const process of [...others, ...started.filter(isLog)]) await process.stop();
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

export interface DemoAccount {
  readonly accountId: string;
  readonly apiKey: string;
}

async function stillWorks(apiUrl: string, apiKey: string): Promise<boolean> {
  const answer = await fetch(`${apiUrl}/v1/account`, { headers: { Authorization: `Bearer ${apiKey}` } });
  await answer.body?.cancel();
  return answer.status !== 401;
}

/**
 * The account and key of this data folder: those of the previous start, or new ones when the log does not have them.
 */
async function ensureDemoAccount(
  operator: OperatorClient,
  apiUrl: string,
  dataDir: string,
  secrets: Secrets,
): Promise<DemoAccount> {
  if (secrets.demo && (await stillWorks(apiUrl, secrets.demo.apiKey))) return secrets.demo;
  const { accountId } = await operator.request<{ accountId: string }>("POST", "/admin/v1/accounts", {
    plan: "dev",
    name: "demo",
  });
  const { key } = await operator.request<{ key: string }>("POST", `/admin/v1/accounts/${accountId}/keys`, {
    name: "demo",
  });
  const demo = { accountId, apiKey: key };
  saveSecrets(dataDir, { ...secrets, demo });
  return demo;
}

interface Launch {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
}

/** The bucket's rules are a second net: a bucket that is out of reach holds up no process. */
async function prepareBucketHere({ environment, say }: Launch): Promise<void> {
  const done = await prepareBucket(readSettings(environment)).catch((error: Error) => [
    `the bucket could not be prepared: ${error.message}`,
  ]);
  for (const line of done) say(line);
}
