/** A real browser for tests: the system's Chromium, or the one that `make test` has put into .tools. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const tools = fileURLToPath(new URL("../../.tools", import.meta.url));
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-dev-shm-usage",
];

/** On a machine that is busy with other tests. */
export const browserTimeoutMs = 90_000;

function findChromium(): string {
  const folders = [join(tools, "chromium"), ...(process.env.PATH ?? "").split(delimiter)];
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
  if (found === undefined) throw new Error("there is no Chromium: make test finds or installs one");
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export async function startChromium(): Promise<Browser> {
  return await chromium.launch({ executablePath: findChromium(), args: flags, timeout: browserTimeoutMs });
}
