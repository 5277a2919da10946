/** One machine with all of Packshot, as `packshot up` runs it. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { StackFile } from "../../cli/operator/stack-file.ts";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import { type FileSystem, makeCutDisk } from "../../testing/power-cuts/cut-disk.ts";
import { createMachine } from "../../testing/power-cuts/machine.ts";
import { onFreePorts } from "../../testing/servers/free-ports.ts";
import { type Deployment, diskBytes, readyTimeoutMs, serviceSettings } from "./deployment.ts";

const cli = fileURLToPath(new URL("../../cli/packshot.ts", import.meta.url));

/** @param folder of its disk, and of its log, which no cut takes */
export async function deployOnOne(folder: string, fileSystem: FileSystem): Promise<Deployment> {
  const machine = createMachine(folder, makeCutDisk(join(folder, "one"), fileSystem, diskBytes));
  const dataDir = join(machine.disk.folder, "data");
  const port = await onFreePorts(1, async ([free]) => free!);
  let file: StackFile | undefined;

  return {
    apis: () => (file === undefined ? [] : [{ url: file.apiUrl, adminUrl: file.adminUrl }]),
    // The data folder keeps it from start to start.
    get adminToken() {
      return file!.adminToken;
    },
    natsUrl: () => file!.natsUrl,
    storage: createDiskStorage({ dir: join(dataDir, "storage") }),
    async start() {
      if (file !== undefined) return;
      await machine.start({
        name: "packshot up",
        args: [cli, "up", "--data-dir", dataDir, "--port", String(port)],
        environment: {
          ...serviceSettings,
          PATH: process.env.PATH,
          PACKSHOT_NATS_SERVER: findNatsServer(process.env),
          // On the disk that is cut, as where a machine has one disk.
          NODE_COMPILE_CACHE: join(machine.disk.folder, "node-compile"),
        },
        onLine: (line) => appendFileSync(join(folder, "one.log"), `${line}\n`),
        readyTimeoutMs,
        waitForReady: ({ untilLine }) => untilLine((line) => line.includes("Packshot is up") || undefined),
      });
      file = JSON.parse(readFileSync(join(dataDir, "stack.json"), "utf8")) as StackFile;
    },
    machines: 1,
    async cut() {
      file = undefined;
      await machine.cut();
    },
    async keepLogs(kept) {
      await cp(join(folder, "one.log"), join(kept, "one.log"));
      // Logs are not synced: a cut may have taken them.
      if (existsSync(join(dataDir, "logs"))) await cp(join(dataDir, "logs"), join(kept, "logs"), { recursive: true });
    },
    check: () => machine.check(),
    remove: () => machine.remove(),
  };
}
