import { existsSync } from "node:fs";
import { readSettings } from "@packshot/platform/config/settings.ts";
import { readLedgerArchive, setLedgerAside } from "@packshot/platform/ledger/ledger-archive.ts";
import { openBareStorage } from "@packshot/platform/storage/open-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { type Command, CommandError, readArguments, wholeNumber } from "./command-line/command.ts";
import { environment } from "./command-line/environment.ts";
import { printLine } from "./command-line/print.ts";
import { asideFolder } from "./up/restore-stack.ts";

const help = `packshot ledger: check the archive of the ledger.

  packshot ledger verify [--storage-dir D]
  packshot ledger set-aside --after N [--storage-dir D]

  --storage-dir D   a folder with the files (default: the storage of the
                    settings, PACKSHOT_STORAGE_DIR or S3)

Reads the files below D/ledger, or ledger/ of the bucket, in their order: each
must have its hash, carry the hash of the file before, and follow it without a
gap, and the balance of each account must follow from entry to entry. Exits
with status 1 and names what is wrong.

The oldest files may be removed by whole days. Keep the printed hash elsewhere
to notice that the newest were. After "packshot restore", which says after which
entry, set-aside moves the files that the restored log does not know to
ledger-set-aside/.

  packshot ledger verify --storage-dir data/storage`;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    { "storage-dir": { type: "string" }, after: { type: "string" } },
    { verify: 0, "set-aside": 0 },
  );
  const subcommand = positionals.join(" ");
  if (subcommand !== "verify" && subcommand !== "set-aside")
    throw new CommandError(`unknown subcommand of ledger: "${subcommand}"; use verify or set-aside.`);
  if (subcommand === "set-aside" && values.after === undefined)
    throw new CommandError('ledger set-aside needs --after; "packshot restore" prints it.');
  const settings = readSettings(environment);
  const dir = values["storage-dir"] ?? settings.PACKSHOT_STORAGE_DIR;
  const isOnDisk = values["storage-dir"] !== undefined || settings.PACKSHOT_STORAGE === "disk";
  if (isOnDisk && !existsSync(dir)) throw new CommandError(`there is no folder ${dir}.`);
  const storage = await openBareStorage(
    isOnDisk ? { ...settings, PACKSHOT_STORAGE: "disk", PACKSHOT_STORAGE_DIR: dir } : settings,
  );
  if (subcommand === "verify") return await verify(storage);
  const after = wholeNumber("--after", values.after!, 0, Number.MAX_SAFE_INTEGER);
  const moved = await setLedgerAside(storage, { after, into: asideFolder() });
  for (const key of moved) printLine(`${key}: moved`);
  printLine(`${moved.length} files set aside`);
  return 0;
}

async function verify(storage: Storage): Promise<number> {
  let files = 0;
  let entries = 0;
  let problems = 0;
  let last = "nothing is archived";
  for await (const { file, problems: found } of readLedgerArchive(storage)) {
    for (const problem of found) printLine(problem);
    problems += found.length;
    files += 1;
    if (file === undefined) continue;
    entries += file.entries.length;
    last = `up to ${file.header.day}, entry ${file.end.lastSequence}, hash ${file.end.hash}`;
  }
  printLine(`${files} files, ${entries} entries, ${problems} problems; ${last}`);
  return problems === 0 ? 0 : 1;
}

export const ledger: Command = { summary: "check the archive of the ledger", help, run };
