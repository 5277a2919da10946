/** A real browser for tests: the system's Chromium, or the one that setup has put into .tools. */
import { type Browser, chromium } from "playwright-core";
import { findChromium, programs } from "../programs.ts";

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-dev-shm-usage",
];

/** On a machine that is busy with other tests. */
export const browserTimeoutMs = 90_000;

export async function startChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(`Chromium is missing: ${programs.chromium.install}`);
  return await chromium.launch({ executablePath, args: flags, timeout: browserTimeoutMs });
}
