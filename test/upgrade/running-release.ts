/** Processes of an earlier release on a log that it has made, and clients that edit photos meanwhile. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { defaultQueueDeadlines } from "@packshot/domain/jobs/job.ts";
import { createLog } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import sharp from "sharp";
import { expect } from "vitest";
import { openAccount } from "../../testing/api/accounts.ts";
import { adminToken } from "../../testing/api/api-processes.ts";
import { startNats } from "../../testing/servers/nats.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";
import { type ClientAccount, startClients } from "../cluster/clients.ts";
import { type ClusterProcesses, startClusterProcesses } from "../cluster/cluster-processes.ts";
import { createHistory, gatherEvidence, violationsOf } from "../failures/check-log.ts";
import { sweepOrphanFiles, waitUntilIdle } from "../failures/settle-down.ts";

const execute = promisify(execFile);
/** This source tree. */
export const thisFolder = fileURLToPath(new URL("../..", import.meta.url));
const counts = { api: 2, modelServer: 1, worker: 2, webhooks: 2 } as const;
const publicUrl = "http://packshot.test";
const retentionSeconds = 60;
const stateStreams = 4;
const accountCount = 3;
const concurrency = 4;
const editsBetween = 10;
const waitMs = 300_000;

type Environment = Readonly<Record<string, string>>;

/** `packshot migrate` of that source tree: resolves with what it says, and rejects when it refuses. */
export async function migrate(
  folder: string,
  environment: Environment,
  flags: readonly string[] = [],
): Promise<string> {
  const args = [join(folder, "cli/packshot.ts"), "migrate", ...flags];
  return (await execute(process.execPath, args, { env: { PATH: process.env.PATH, ...environment } })).stdout;
}

export interface RunningRelease {
  /** Settings for `migrate`. */
  readonly migration: Environment;
  readonly processes: ClusterProcesses;
  /** Resolves when some more edits were accepted. */
  acceptMore(): Promise<void>;
  /** Everything ended once, is paid once and was told once; no client saw more than a pause. */
  expectExact(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRelease(folder: string): Promise<RunningRelease> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    return { ...(await startParts()), stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function startParts(): Promise<Omit<RunningRelease, "stop">> {
    const nats = await startNats({ cluster: 3 });
    stops.push(() => nats.stop());
    const data = await mkdtemp(join(tmpdir(), "packshot-upgrade-"));
    stops.push(() => rm(data, { recursive: true }));
    const storageDir = join(data, "storage");
    const migration = { PACKSHOT_NATS_URL: nats.url };
    await migrate(folder, migration, ["--replicas", "3", "--state-streams", String(stateStreams)]);
    const connection = await connectNats({ url: nats.url, name: "test" });
    stops.push(() => connection.close());
    const log = createLog(connection, { stateStreamCount: stateStreams });
    // Before the first account, whose limits it must know.
    await createHistory(log);
    const processes = await startProcesses(folder, { data, storageDir, natsUrl: nats.url });
    stops.push(() => processes.stop());
    const receiver = await startReceiver();
    stops.push(() => receiver.close());
    const accounts = await openAccounts(processes, receiver.url);
    const clients = startClients({ ...processes, publicUrl, accounts, photos: [await photo()], concurrency });
    const storage = createDiskStorage({ dir: storageDir });
    const told = () => receiver.received.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);

    return {
      migration,
      processes,
      async acceptMore() {
        const enough = clients.accepted.size + editsBetween;
        await expect.poll(() => clients.accepted.size, { timeout: waitMs }).toBeGreaterThanOrEqual(enough);
      },
      async expectExact() {
        await clients.finish();
        expect(clients.wrong).toEqual([]);
        expect(processes.crashes).toEqual([]);
        const accountIds = accounts.map(({ accountId }) => accountId);
        await waitUntilIdle(log, accountIds, waitMs);
        const accepted = [...clients.accepted.keys()];
        const untold = () => {
          const ids = new Set(told());
          return accepted.filter((id) => !ids.has(id));
        };
        await expect.poll(untold, { timeout: waitMs }).toEqual([]);
        await sweepOrphanFiles(log, storage, waitMs);
        const evidence = await gatherEvidence({ log, storage, accepted, queueDeadlines: defaultQueueDeadlines });
        expect(violationsOf(evidence)).toEqual([]);
        expect(evidence.events.length).toBeGreaterThanOrEqual(accepted.length);
        console.info(JSON.stringify({ from: folder, accepted: accepted.length, ...clients.counts }));
      },
    };
  }
}

interface Places {
  readonly data: string;
  readonly storageDir: string;
  readonly natsUrl: string;
}

async function startProcesses(folder: string, { data, storageDir, natsUrl }: Places): Promise<ClusterProcesses> {
  const shared = {
    PACKSHOT_NATS_URL: natsUrl,
    PACKSHOT_STORAGE_DIR: storageDir,
    PACKSHOT_PUBLIC_URL: publicUrl,
    PACKSHOT_RETENTION_SECONDS: String(retentionSeconds),
    PACKSHOT_ALLOW_WEBHOOKS: "127.0.0.1:*",
  };
  return await startClusterProcesses({
    counts,
    folder: data,
    adminToken,
    modelServerHost: "127.0.0.1",
    environmentOf: () => shared,
    firstly: { folder },
  });
}

async function openAccounts({ admins, apis }: ClusterProcesses, url: string): Promise<ClientAccount[]> {
  const limits = { rateLimitPerHour: 1_000_000_000, concurrentJobs: 20, maxQueuedJobs: 1_000 };
  return await Promise.all(
    Array.from({ length: accountCount }, async () => {
      const account = await openAccount({ adminUrl: admins()[0]! }, { limits });
      const headers = { Authorization: `Bearer ${account.key}`, "Content-Type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify({ url }) };
      expect((await fetch(`${apis()[0]}/v1/webhooks`, init)).status).toBe(201);
      return account;
    }),
  );
}

async function photo(): Promise<Uint8Array<ArrayBuffer>> {
  const sample = await readFile(new URL("../../cli/demo/sample/mug.jpg", import.meta.url));
  return new Uint8Array(await sharp(sample).resize(320).toBuffer());
}
