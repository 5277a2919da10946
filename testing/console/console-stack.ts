/** The whole stack with the built console, and a real browser: one of each for all tests of a file. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { adminToken } from "../api/api-processes.ts";
import { type LiveStack, startLiveStack } from "../stack/live-stack.ts";
import { type Receiver, type Respond, startReceiver } from "../webhooks/receiver.ts";
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
  buildConsoleHere();
  const [stack, browser] = await Promise.all([
    startLiveStack({ PACKSHOT_ADMIN_TOKEN: adminToken }, allowSources),
    startChromium(),
  ]);
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

interface ConsoleStackWithShop extends ConsoleStack {
  readonly shop: Receiver;
}

/** Beside a shop's server, which photos may come from and webhooks may go to. */
export async function startConsoleStackWithShop(respond: Respond): Promise<ConsoleStackWithShop> {
  const shop = await startReceiver(respond);
  const stack = await startConsoleStack([new URL(shop.url).host]);
  return {
    ...stack,
    shop,
    async stop() {
      await stack.stop();
      await shop.close();
    },
  };
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
