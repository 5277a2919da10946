/**
 * One run at a time for a folder of results: two at once would deliver, and perhaps pay, twice. The lock is the operating system's,
 * as SQLite takes it on a file. So a run that was killed holds none, and none has to be told from a stale one by its age or by
 * the number of a process, which another process may have got. What the holder says of itself is for people alone.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isoTime } from "@packshot/domain/ids.ts";
import { CommandError } from "../command-line/command.ts";
import { refuseLinks } from "../edit/result-folder.ts";

interface Holder {
  readonly process: number;
  readonly host: string;
  readonly since: string;
}

/** What SQLite says of a file that another process has locked. */
const busy = 5;

/** Released by `release`, or when the process ends. Throws a CommandError that names who holds it. */
export function lockSync(folder: string): { release(): void } {
  const holderPath = join(folder, ".packshot", "sync.holder.json");
  let database: DatabaseSync | undefined;
  try {
    refuseLinks(folder, [
      ".packshot",
      ".packshot/sync.lock",
      ".packshot/sync.lock-journal",
      ".packshot/sync.holder.json",
    ]);
    mkdirSync(join(folder, ".packshot"), { recursive: true });
    database = new DatabaseSync(join(folder, ".packshot", "sync.lock"));
    database.exec("BEGIN EXCLUSIVE");
    const holder: Holder = { process: process.pid, host: hostname(), since: isoTime(Date.now()) };
    writeFileSync(holderPath, JSON.stringify(holder));
  } catch (error) {
    database?.close();
    if (error instanceof CommandError) throw error;
    if ((error as { readonly errcode?: number }).errcode === busy) throw heldBy(folder, holderPath);
    throw new CommandError(`the folder ${folder} cannot be locked (${(error as Error).message}).`);
  }
  return { release: () => database.close() };
}

function heldBy(folder: string, holderPath: string): CommandError {
  const holder = readHolder(holderPath);
  const who = holder === undefined ? "" : `, process ${holder.process} on ${holder.host} since ${holder.since}`;
  return new CommandError(
    `another run of sync works with ${folder}${who}: wait until it has ended, or name another folder.`,
  );
}

/** undefined: it has only just begun. */
function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}
