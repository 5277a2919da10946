/** A folder with photos and a running stack, for `packshot edit` as a process of its own. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawnMug } from "../images/drawn-mug.ts";
import type { StackClient } from "../stack/live-stack.ts";
import { type CliRun, type EndedCli, runCli, startCli } from "./run-cli.ts";

export interface Shelf {
  readonly cwd: string;
  edit(...args: string[]): Promise<EndedCli>;
  startEdit(...args: string[]): CliRun;
  /** The account's. */
  credits(): Promise<number>;
  /** Files below the folder that are no matter of the command's own. */
  results(folder?: string): Promise<string[]>;
  /** Adds photos of as many products, so that no two have the same bytes. */
  fill(count: number, folder?: string, width?: number): Promise<void>;
  remove(): Promise<void>;
}

export async function createShelf(stack: StackClient): Promise<Shelf> {
  const cwd = await mkdtemp(join(tmpdir(), "packshot-cli-"));
  const environment = { PACKSHOT_URL: stack.file.apiUrl, PACKSHOT_KEY: stack.file.apiKey };
  return {
    cwd,
    edit: (...args) => runCli(["edit", ...args], { cwd, environment }),
    startEdit: (...args) => startCli(["edit", ...args], { cwd, environment }),
    async credits() {
      const body = await (await stack.call("GET", "/v1/account")).json();
      return (body as { credits: { remaining: number } }).credits.remaining;
    },
    async results(folder = "edited") {
      const entries = await readdir(join(cwd, folder), { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return files
        .map((file) => file.slice(join(cwd, folder).length + 1))
        .filter((file) => !file.startsWith(".packshot"))
        .sort();
    },
    async fill(count, folder = "shelf", width = 200) {
      await mkdir(join(cwd, folder), { recursive: true });
      for (let index = 0; index < count; index += 1) {
        const color = `#20${(40 + index).toString(16).padStart(2, "0")}70`;
        const photo = join(cwd, folder, `mug-${String(index).padStart(2, "0")}.jpg`);
        await writeFile(photo, await drawnMug(color, width));
      }
    },
    remove: () => rm(cwd, { recursive: true, force: true }),
  };
}

/** What `--json` printed. */
// biome-ignore lint/suspicious/noExplicitAny: events of every shape; the tests say which
export function linesOf({ stdout }: EndedCli): any[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
