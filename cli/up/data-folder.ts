import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isAlive } from "@packshot/platform/lifecycle/is-alive.ts";
import { whyUnwritable } from "@packshot/platform/storage/disk-folder.ts";
import { CommandError } from "../command-line/command.ts";

export interface DataFolder {
  readonly path: string;
  file(name: string): string;
  logPath(process: string): string;
  /** Unlocks it for the next `up`. */
  release(): void;
}

/** The command line of a process; undefined where the machine has no `ps`. */
function commandOf(pid: number): string | undefined {
  try {
    return execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return undefined;
  }
}

/** Allows one stack to a folder: a second nats-server on the same store would destroy it. */
function lockFolder(path: string): void {
  const pidPath = join(path, "up.pid");
  try {
    const { pid, command } = JSON.parse(readFileSync(pidPath, "utf8")) as { pid: number; command?: string };
    // The id alone is not enough: after a crash the machine may have given it to another process.
    if (pid !== process.pid && isAlive(pid) && commandOf(pid) === command) {
      throw new CommandError(
        `${path} is in use by the stack of process ${pid}: stop that one first, or choose another with --data-dir.`,
      );
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
  }
  writeFileSync(pidPath, JSON.stringify({ pid: process.pid, command: commandOf(process.pid) }));
}

/**
 * Node's own recursive mkdir loops forever where the system reports ENOENT for a folder whose parent exists (/proc).
 */
function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode });
}

/** Photos and logs in it are nobody else's. A folder that is there keeps its mode: its owner may share it. */
const ownersOnly = 0o700;

export function openDataFolder(dataDir: string): DataFolder {
  const path = resolve(dataDir);
  try {
    makeFolder(path, ownersOnly);
    makeFolder(join(path, "logs"));
    accessSync(path, constants.W_OK);
    lockFolder(path);
    rmSync(join(path, "stack.json"), { force: true });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `the data folder ${path} cannot be written: ${whyUnwritable(error)}. Choose another with --data-dir.`,
    );
  }
  return {
    path,
    file: (name) => join(path, name),
    logPath: (process) => join(path, "logs", `${process}.log`),
    release() {
      rmSync(join(path, "stack.json"), { force: true });
      rmSync(join(path, "up.pid"), { force: true });
    },
  };
}
