/** `packshot restore --data-dir`: the log of a stopped `packshot up`, restored by a nats-server of this command's own. */
import { restoreLog } from "@packshot/log/operate/backup.ts";
import type { Settings } from "@packshot/platform/config/settings.ts";
import { setLedgerAside } from "@packshot/platform/ledger/ledger-archive.ts";
import { syncFolder } from "@packshot/platform/storage/durable-file.ts";
import { openBareStorage } from "@packshot/platform/storage/open-storage.ts";
import { environment } from "../command-line/environment.ts";
import { openDataFolder } from "./data-folder.ts";
import { findNatsServer, startNatsServer } from "./nats-server.ts";
import { withNats } from "./with-nats.ts";

export interface RestoreStackOptions {
  readonly dataDir: string;
  /** The backup. */
  readonly folder: string;
  readonly settings: Settings;
  readonly waitMs: number;
  readonly say: (line: string) => void;
}

/** Rejects with a CommandError when the stack runs, or has a log. */
export async function restoreStack(options: RestoreStackOptions): Promise<{ readonly startedAt: string }> {
  const { dataDir, folder, settings, waitMs, say } = options;
  const data = openDataFolder(dataDir);
  try {
    const server = await startNatsServer({
      program: findNatsServer(environment),
      folder: data.file("nats"),
      port: 0,
      name: "packshot",
      logPath: data.logPath("nats-server"),
      // Otherwise it writes each record to its disk by itself, and gives up on a large log (docs/adr/0041-backup-tail.md).
      syncsLate: true,
      say,
    });
    const restoring = withNats("restore", { natsUrl: server.url, waitMs }, (connection) =>
      restoreLog(connection, { folder, replicas: 1, say }),
    );
    const backup = await restoring.finally(() => server.stop());
    syncFolder(data.file("nats"));
    const own = settings.PACKSHOT_STORAGE === "disk" && !environment.PACKSHOT_STORAGE_DIR;
    const storage = await openBareStorage(own ? { ...settings, PACKSHOT_STORAGE_DIR: data.file("storage") } : settings);
    const into = asideFolder();
    for (const key of await setLedgerAside(storage, { after: backup.archivedThrough, into }))
      say(`${key}: moved to ledger-set-aside/${into}, because it came after the backup`);
    return backup;
  } finally {
    data.release();
  }
}

/** For files that are set aside now. */
export function asideFolder(): string {
  return new Date().toISOString().replaceAll(":", "-");
}
