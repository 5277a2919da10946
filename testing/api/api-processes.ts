/** API processes on a log of their own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog, type Log } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import type { StateStreamCount } from "@packshot/log/nats/state-streams.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { serviceArguments } from "../../cli/up/services.ts";
import { readyLine, startService } from "../../cli/up/start-service.ts";
import { processEnvironment } from "../process-environment.ts";
import { onFreePorts } from "../servers/free-ports.ts";
import { startNats, type TestNats } from "../servers/nats.ts";

const logLinesMax = 200;
export const adminToken = "operator-token-of-the-tests-of-packshot";
export const linkKeyHex = "5".repeat(64);
export const masterKeyHex = "6".repeat(64);

export interface ApiProcess {
  readonly pid: number;
  readonly url: string;
  readonly adminUrl: string;
  /** `host:port` */
  readonly metrics: string;
  readonly logLines: readonly string[];
  /** As by `kill -9`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  readonly ended: Promise<string>;
}

export interface ApiProcesses {
  readonly nats: TestNats;
  /** By a connection of the test's own. */
  readonly log: Log;
  readonly all: readonly ApiProcess[];
  readonly storageDir: string;
  /** A further one on the same log and storage. */
  start(environment?: Readonly<Record<string, string>>): Promise<ApiProcess>;
  stop(): Promise<void>;
}

export interface ApiOptions {
  readonly count?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** nats-servers. */
  readonly cluster?: 1 | 3;
  readonly stateStreams?: StateStreamCount;
}

/**
 * On a log of their own. All share the folder of their storage and, as behind one balancer, the first one's address in
 * links.
 */
export async function startApis({
  count = 1,
  environment = {},
  cluster = 1,
  stateStreams = 1,
}: ApiOptions = {}): Promise<ApiProcesses> {
  const nats = await startNats({ cluster });
  const connection = await connectNats({ url: nats.url, name: "test" });
  await migrateLog(connection, { replicas: cluster, stateStreams });
  const log = createLog(connection, { stateStreamCount: stateStreams });
  const storageDir = await mkdtemp(join(tmpdir(), "packshot-api-"));
  const shared = { ...apiEnvironment({ natsUrl: nats.url, storageDir }), ...environment };
  const first = await onFreePorts(1, ([port]) =>
    startApi({ PACKSHOT_API_PORT: String(port), PACKSHOT_PUBLIC_URL: `http://127.0.0.1:${port}`, ...shared }),
  );
  const all = [first];
  const start = async (extra: Readonly<Record<string, string>> = {}) => {
    const started = await startApi({ PACKSHOT_API_PORT: "0", PACKSHOT_PUBLIC_URL: first.url, ...shared, ...extra });
    all.push(started);
    return started;
  };
  await Promise.all(Array.from({ length: count - 1 }, () => start()));
  return {
    nats,
    log,
    all,
    storageDir,
    start,
    async stop() {
      await Promise.all(all.map((api) => api.stop()));
      await log.connection.close();
      await nats.stop();
      await rm(storageDir, { recursive: true, force: true });
    },
  };
}

interface ApiPlaces {
  readonly natsUrl: string;
  readonly storageDir: string;
}

export function apiEnvironment({ natsUrl, storageDir }: ApiPlaces): Readonly<Record<string, string>> {
  return {
    ...processEnvironment,
    PACKSHOT_NATS_URL: natsUrl,
    PACKSHOT_LINK_KEY: linkKeyHex,
    PACKSHOT_MASTER_KEY: masterKeyHex,
    PACKSHOT_STORAGE_DIR: storageDir,
    PACKSHOT_ADMIN_TOKEN: adminToken,
    PACKSHOT_ALLOW_WEBHOOKS: "127.0.0.1:*",
    PACKSHOT_LOG_LEVEL: "warn",
  };
}

/** On a log that is there. `PACKSHOT_API_PORT` and `PACKSHOT_PUBLIC_URL` are the caller's. */
export async function startApi(environment: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const logLines: string[] = [];
  const { pid, ready, ended, kill, stop } = await startService({
    name: "api",
    args: serviceArguments("api"),
    environment,
    waitForReady: readyLine,
    onLine(line) {
      logLines.push(line);
      if (logLines.length > logLinesMax) logLines.shift();
    },
  });
  const { api: url, admin: adminUrl, metrics } = ready as { api: string; admin: string; metrics: string };
  return { pid, url, adminUrl, metrics, logLines, ended, kill, stop };
}
