/**
 * The processes of a batch's soak, and how each kind of them is killed and started again: either workers that edit nothing,
 * or everything that edits real photos and tells of them.
 */
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { startClusterProcesses } from "../../test/cluster/cluster-processes.ts";
import { adminToken, apiEnvironment, startApi } from "../../testing/api/api-processes.ts";
import { startLog, type TestLog } from "../../testing/log/test-log.ts";
import { startNoOpWorker } from "../../testing/worker/no-op-worker.ts";

export interface SoakFleet {
  /** What the table says of it. */
  readonly setting: string;
  readonly log: TestLog;
  readonly storageDir: string;
  /** Addresses of the API processes that are up. */
  apis(): readonly string[];
  adminUrl(): string;
  /** Kills one process of a kind, the next one each time, and starts another in its place. */
  readonly killers: Readonly<Record<string, () => Promise<void>>>;
  /** What processes said last. */
  lines(): readonly string[];
  stop(): Promise<void>;
}

const retention = { PACKSHOT_RETENTION_SECONDS: "3600" };
const linesShown = 60;
const photo = fileURLToPath(new URL("../../cli/demo/sample/mug.jpg", import.meta.url));
const photoWidth = 256;

async function killNats({ nats }: TestLog): Promise<void> {
  await nats.kill();
  await nats.restart();
}

/** Two API processes and two workers whose edits do nothing. */
export async function startNoOpFleet(): Promise<SoakFleet> {
  const log = await startLog();
  const storageDir = await mkdtemp(join(tmpdir(), "packshot-soak-"));
  const environment = { ...apiEnvironment({ natsUrl: log.nats.url, storageDir }), ...retention };
  const newApi = () => startApi({ ...environment, PACKSHOT_API_PORT: "0", PACKSHOT_PUBLIC_URL: "http://127.0.0.1" });
  const newWorker = () => startNoOpWorker({ natsUrl: log.nats.url, storageDir, slots: 32 });
  const apis = await Promise.all([newApi(), newApi()]);
  const workers = await Promise.all([newWorker(), newWorker()]);
  const next = { api: 0, worker: 0 };
  return {
    setting: "two API processes, two workers that edit nothing, one nats-server",
    log,
    storageDir,
    apis: () => apis.map(({ url }) => url),
    adminUrl: () => apis[0]!.adminUrl,
    killers: {
      async api() {
        const at = next.api++ % apis.length;
        await apis[at]!.kill();
        apis[at] = await newApi();
      },
      async worker() {
        const at = next.worker++ % workers.length;
        await workers[at]!.kill();
        workers[at] = await newWorker();
      },
      "nats-server": () => killNats(log),
    },
    lines: () => apis.flatMap(({ logLines }) => logLines.slice(-linesShown)),
    async stop() {
      await Promise.all([...apis, ...workers].map((process) => process.stop()));
      await log.stop();
      await rm(storageDir, { recursive: true, force: true });
    },
  };
}

/** Two API processes, two workers, a model server with the mask model and a webhook service. */
export async function startRealFleet(): Promise<SoakFleet> {
  const log = await startLog();
  const folder = await mkdtemp(join(tmpdir(), "packshot-soak-"));
  const storageDir = join(folder, "storage");
  const counts = { api: 2, modelServer: 1, worker: 2, webhooks: 1 };
  const shared = { PACKSHOT_NATS_URL: log.nats.url, PACKSHOT_STORAGE_DIR: storageDir };
  const loopback = { PACKSHOT_ALLOW_SOURCES: "127.0.0.1:*", PACKSHOT_ALLOW_WEBHOOKS: "127.0.0.1:*" };
  const processes = await startClusterProcesses({
    counts,
    folder,
    adminToken,
    modelServerHost: "127.0.0.1",
    environmentOf: () => ({ ...shared, ...retention, ...loopback, PACKSHOT_PUBLIC_URL: "http://127.0.0.1" }),
  });
  const next = { api: 0, modelServer: 0, worker: 0, webhooks: 0 };
  const kill = (role: keyof typeof next) => () => processes.kill(role, next[role]++ % counts[role]);
  return {
    setting: "two API processes, two workers, a model server with packshot-mask, a webhook service and one nats-server",
    log,
    storageDir,
    apis: () => processes.apis(),
    adminUrl: () => processes.admins()[0]!,
    killers: {
      api: kill("api"),
      worker: kill("worker"),
      "model server": kill("modelServer"),
      "webhook service": kill("webhooks"),
      "nats-server": () => killNats(log),
    },
    lines: () => processes.lines.slice(-linesShown),
    async stop() {
      await processes.stop();
      await log.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Shop {
  /** Address of the photo with this number: equal numbers have equal bytes, others differ in a comment. */
  urlOf(photo: number): string;
  close(): void;
}

export async function openShop(): Promise<Shop> {
  const jpeg = await sharp(await readFile(photo))
    .resize(photoWidth)
    .jpeg()
    .toBuffer();
  const shop = createServer((request, response) => {
    const comment = Buffer.from(request.url!);
    const header = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
    response.setHeader("Content-Type", "image/jpeg");
    response.end(Buffer.concat([jpeg.subarray(0, 2), header, comment, jpeg.subarray(2)]));
  });
  await once(shop.listen(0, "127.0.0.1"), "listening");
  const { port } = shop.address() as AddressInfo;
  return {
    urlOf: (number) => `http://127.0.0.1:${port}/${number}.jpg`,
    close() {
      shop.closeAllConnections();
      shop.close();
    },
  };
}
