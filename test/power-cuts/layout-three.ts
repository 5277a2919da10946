/** Three machines with a nats-server each, which keep three replicas of each stream; the first has the services and the files. */
import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSettings } from "@packshot/platform/config/settings.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import { migrateAt } from "../../cli/up/with-nats.ts";
import { type FileSystem, makeCutDisk } from "../../testing/power-cuts/cut-disk.ts";
import { createMachine } from "../../testing/power-cuts/machine.ts";
import type { NodePlan } from "../../testing/power-cuts/node-main.ts";
import { onFreePorts } from "../../testing/servers/free-ports.ts";
import { type Deployment, diskBytes, readyTimeoutMs, serviceSettings } from "./deployment.ts";

const nodeMain = fileURLToPath(new URL("../../testing/power-cuts/node-main.ts", import.meta.url));
const names = ["node-1", "node-2", "node-3"] as const;
const migrateWaitMs = 60_000;

/** @param folder of the disks, and of the nodes' logs, which no cut takes */
export async function deployOnThree(folder: string, fileSystem: FileSystem): Promise<Deployment> {
  const ports = await onFreePorts(10, async (free) => free);
  const natsPorts = ports.slice(0, 3);
  const routePorts = ports.slice(3, 6);
  const [api, admin, grpc, http] = ports.slice(6).map(String) as [string, string, string, string];
  const natsUrl = natsPorts.map((port) => `nats://127.0.0.1:${port}`).join(",");
  const adminToken = randomBytes(16).toString("hex");
  const machines = names.map((name) =>
    createMachine(join(folder, name), makeCutDisk(join(folder, name), fileSystem, diskBytes)),
  );
  const isUp = names.map(() => false);
  let isMigrated = false;

  const storageDir = join(machines[0]!.disk.folder, "storage");
  const services = {
    ...serviceSettings,
    PACKSHOT_NATS_URL: natsUrl,
    PACKSHOT_STORAGE_DIR: storageDir,
    PACKSHOT_API_PORT: api,
    PACKSHOT_ADMIN_PORT: admin,
    PACKSHOT_METRICS_PORT: "0",
    PACKSHOT_MODEL_GRPC_PORT: grpc,
    PACKSHOT_MODEL_HTTP_PORT: http,
    PACKSHOT_MODEL_SERVER: `127.0.0.1:${grpc}`,
    PACKSHOT_PUBLIC_URL: `http://127.0.0.1:${api}`,
    PACKSHOT_ADMIN_TOKEN: adminToken,
    PACKSHOT_LINK_KEY: randomBytes(32).toString("hex"),
    PACKSHOT_MASTER_KEY: randomBytes(32).toString("hex"),
    NODE_COMPILE_CACHE: join(machines[0]!.disk.folder, "node-compile"),
  };

  async function startMachine(index: number): Promise<void> {
    if (isUp[index]) return;
    const machine = machines[index]!;
    const plan: NodePlan = {
      folder: machine.disk.folder,
      name: names[index]!,
      port: natsPorts[index]!,
      cluster: { port: routePorts[index]!, routePorts },
      ...(index === 0 && { services }),
    };
    await machine.start({
      name: names[index]!,
      args: [nodeMain],
      environment: {
        PATH: process.env.PATH,
        PACKSHOT_NATS_SERVER: findNatsServer(process.env),
        NODE_PLAN: JSON.stringify(plan),
      },
      onLine: (line) => appendFileSync(join(folder, `${names[index]}.log`), `${line}\n`),
      readyTimeoutMs,
      waitForReady: ({ untilLine }) => untilLine((line) => line === "node is up" || undefined),
    });
    isUp[index] = true;
  }

  /** Once, as a chart's hook does it: no machine that has power again is migrated. */
  async function migrateOnce(): Promise<void> {
    if (isMigrated) return;
    await migrateAt({ natsUrl, settings: readSettings({}), waitMs: migrateWaitMs, replicas: 3 });
    isMigrated = true;
  }

  return {
    apis: () => (isUp[0] ? [{ url: `http://127.0.0.1:${api}`, adminUrl: `http://127.0.0.1:${admin}` }] : []),
    adminToken,
    natsUrl: () => natsUrl,
    storage: createDiskStorage({ dir: storageDir }),
    async start() {
      await Promise.all([migrateOnce(), ...names.map((_, index) => startMachine(index))]);
    },
    machines: machines.length,
    async cut(indexes) {
      for (const index of indexes) isUp[index] = false;
      await Promise.all(indexes.map((index) => machines[index]!.cut()));
    },
    async keepLogs(kept) {
      for (const [index, name] of names.entries()) {
        await cp(join(folder, `${name}.log`), join(kept, `${name}.log`));
        await cp(machines[index]!.disk.folder, join(kept, name), {
          recursive: true,
          filter: (path) => !/\/(nats|storage|node-compile|lost\+found)$/.test(path),
        });
      }
    },
    async check() {
      for (const machine of machines) await machine.check();
    },
    async remove() {
      for (const machine of machines) await machine.remove();
    },
  };
}
