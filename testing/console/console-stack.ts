/** The whole stack with the built console, and a real browser. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { adminToken } from "../api/api-processes.ts";
import { type LiveStack, startLiveStack } from "../stack/live-stack.ts";
import { startChromium } from "./chromium.ts";
import { type ConsoleOptions, type ConsolePage, openConsole } from "./console-page.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface ConsoleStack {
  readonly stack: LiveStack;
  readonly browser: Browser;
  /** With the key of the demo account where no other one is given. */
  open(options?: Partial<ConsoleOptions>): Promise<ConsolePage>;
  stop(): Promise<void>;
}

/** `allowSources`: hosts that edits may fetch photos from, and webhooks may be sent to. */
export async function startConsoleStack(allowSources: readonly string[] = []): Promise<ConsoleStack> {
  const [stack, browser] = await Promise.all([startStackOfConsole(allowSources), startChromium()]);
  const { apiUrl: url, apiKey } = stack.file;
  return {
    stack,
    browser,
    open: (options = {}) => openConsole(browser, { url, apiKey, ...options }),
    async stop() {
      await browser.close();
      await stack.stop();
    },
  };
}

/** Without a browser. */
export async function startStackOfConsole(allowSources: readonly string[]): Promise<LiveStack> {
  buildConsoleHere();
  return await startLiveStack({ PACKSHOT_ADMIN_TOKEN: adminToken }, allowSources);
}

/** Nothing to do after `make setup`. */
export function buildConsoleHere(): void {
  execFileSync(process.execPath, ["scripts/build-console.mjs"], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
}

export interface PhotoFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** The demo's mug, small, so that a test of the page does not wait for the edit. */
export async function mugPhoto(name = "mug.jpg", width = 320): Promise<PhotoFile> {
  const buffer = await sharp(`${root}/cli/demo/sample/mug.jpg`).resize(width).jpeg().toBuffer();
  return { name, mimeType: "image/jpeg", buffer };
}
