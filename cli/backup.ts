import { readFileSync } from "node:fs";
import { join } from "node:path";
import { backUpLog, restoreLog } from "@packshot/log/operate/backup.ts";
import { readSettings } from "@packshot/platform/config/settings.ts";
import { anyWords, type Command, CommandError, readArguments, wholeNumber } from "./command-line/command.ts";
import { environment } from "./command-line/environment.ts";
import { printLine } from "./command-line/print.ts";
import type { StackFile } from "./operator/stack-file.ts";
import { restoreStack } from "./up/restore-stack.ts";
import { natsPlaceOf, withNats } from "./up/with-nats.ts";

const backupHelp = `packshot backup: copy the log into a folder, while everything runs.

  packshot backup FOLDER [--data-dir D] [--wait SECONDS]

  --data-dir D      of the stack that "packshot up" runs on this machine;
                    without it PACKSHOT_NATS_URL names the servers
  --wait SECONDS    how long to wait for nats-server (default 60)

FOLDER must be empty or not exist. It gets a snapshot of each stream, and
backup.json with their hashes at the end: a folder without it is no backup. It
holds API keys' hashes and sealed webhook secrets, so keep it as you keep the
log. Files in storage and keys are not part of it: docs/operations.md says what
to do about them.

Where nats-server has users, this is done by a user of its own, "backup"
(docs/operations.md).

  packshot backup backups/2026-11-23 --data-dir data`;

const restoreHelp = `packshot restore: make the log anew from a backup.

  packshot restore FOLDER [--data-dir D] [--replicas N] [--wait SECONDS]

  --data-dir D      the data folder of "packshot up", which is stopped and has
                    no log; without it PACKSHOT_NATS_URL names the servers
  --replicas N      of each stream, 1 to 5 (default: as many as before)
  --wait SECONDS    how long to wait for nats-server (default 60)

Stop all services first, and give them nats-servers without a log. Afterward
run "packshot migrate", which "packshot up" does by itself, and start the
services. What happened after the backup is not in it: jobs that were open then
are run again.

Where nats-server has users, this is done by a user of its own, "backup"
(docs/operations.md).

  packshot restore backups/2026-11-23 --data-dir data`;

const placeFlags = { wait: { type: "string", default: "60" }, "data-dir": { type: "string" } } as const;

interface FolderArguments {
  readonly values: { readonly wait: string };
  readonly positionals: readonly string[];
}

function readFolder(name: string, { values, positionals }: FolderArguments): { folder: string; waitMs: number } {
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0)
    throw new CommandError(`${name} takes one folder; packshot ${name} --help says more.`);
  return { folder, waitMs: wholeNumber("--wait", values.wait, 1, 3_600) * 1000 };
}

/** Its own nats-server lets everybody on this machine in. */
function natsUrlOf(dataDir: string): string {
  try {
    return (JSON.parse(readFileSync(join(dataDir, "stack.json"), "utf8")) as StackFile).natsUrl;
  } catch {
    throw new CommandError(`${join(dataDir, "stack.json")} cannot be read: "packshot up" does not run there.`);
  }
}

async function runBackup(args: readonly string[]): Promise<number> {
  const read = readArguments(args, placeFlags, anyWords);
  const { folder, waitMs } = readFolder("backup", read);
  const dataDir = read.values["data-dir"];
  const place =
    dataDir === undefined ? natsPlaceOf(readSettings(environment), waitMs) : { natsUrl: natsUrlOf(dataDir), waitMs };
  await withNats("backup", place, (connection) => backUpLog(connection, { folder, say: printLine }));
  printLine(`the backup is whole: ${folder}`);
  return 0;
}

async function runRestore(args: readonly string[]): Promise<number> {
  const read = readArguments(args, { ...placeFlags, replicas: { type: "string" } }, anyWords);
  const { folder, waitMs } = readFolder("restore", read);
  const settings = readSettings(environment);
  const { replicas, "data-dir": dataDir } = read.values;
  if (dataDir !== undefined) {
    if (replicas !== undefined) throw new CommandError("--replicas needs a cluster: --data-dir has one nats-server.");
    const { startedAt } = await restoreStack({ dataDir, folder, settings, waitMs, say: printLine });
    printLine(`the log is as it was at ${startedAt}: start "packshot up".`);
    return 0;
  }
  const options = {
    folder,
    say: printLine,
    replicas: replicas === undefined ? 0 : wholeNumber("--replicas", replicas, 1, 5),
  };
  const { startedAt, archivedThrough } = await withNats("restore", natsPlaceOf(settings, waitMs), (connection) =>
    restoreLog(connection, options),
  );
  printLine(`run "packshot ledger set-aside --after ${archivedThrough}", where the storage can be reached.`);
  printLine(`the log is as it was at ${startedAt}: run packshot migrate, then start the services.`);
  return 0;
}

export const backup: Command = { summary: "copy the log into a folder", help: backupHelp, run: runBackup };
export const restore: Command = { summary: "make the log anew from a backup", help: restoreHelp, run: runRestore };
