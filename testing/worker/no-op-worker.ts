/** A worker process that edits nothing: each job ends at once, as its metadata or the ref of its row says. */
import { fileURLToPath } from "node:url";
import { type ReadyLine, readyLine, type Service, startService } from "../../cli/up/start-service.ts";
import { processEnvironment } from "../process-environment.ts";

const main = fileURLToPath(new URL("../../test/failures/exactness-worker-main.ts", import.meta.url));

export interface NoOpWorkerOptions {
  readonly natsUrl: string;
  readonly storageDir: string;
  readonly slots?: number;
}

export async function startNoOpWorker({
  natsUrl,
  storageDir,
  slots = 8,
}: NoOpWorkerOptions): Promise<Service<ReadyLine>> {
  return await startService({
    name: "worker",
    args: [main],
    environment: {
      ...processEnvironment,
      PACKSHOT_NATS_URL: natsUrl,
      PACKSHOT_STORAGE_DIR: storageDir,
      PACKSHOT_WORKER_SLOTS: String(slots),
      PACKSHOT_LOG_LEVEL: "warn",
    },
    waitForReady: readyLine,
    onLine: () => {},
  });
}
