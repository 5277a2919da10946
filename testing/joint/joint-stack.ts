/**
 * One whole stack for all specs of a worker that want nothing of it but an account, and one browser for those of the console: a start of
 * both takes ten seconds of processor time. Each file has an account of its own, so that it finds nothing of the others.
 */
import type { Browser } from "playwright-core";
import { test } from "vitest";
import { openAccount } from "../api/accounts.ts";
import { startChromium } from "../console/chromium.ts";
import { type ConsolePage, openConsole } from "../console/console-page.ts";
import { type ConsoleStack, startStackOfConsole } from "../console/console-stack.ts";
import { type LiveStack, stackClient } from "../stack/live-stack.ts";

const sharing = test.extend<{ readonly stack: LiveStack; readonly browser: Browser }>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of other fixtures here
    async ({}, use) => {
      const stack = await startStackOfConsole(["127.0.0.1:*"]);
      await use(stack);
      await stack.stop();
    },
    { scope: "worker" },
  ],
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: the same
    async ({}, use) => {
      const browser = await startChromium();
      await use(browser);
      await browser.close();
    },
    { scope: "worker" },
  ],
});

export type JointStack = Omit<LiveStack, "stop">;

/** For the tests of the file that calls this; its fields are there once the hooks and tests run. Photos may come from this machine. */
export function jointStack(): JointStack {
  const fixture = {} as JointStack;
  sharing.beforeAll(async ({ stack }) => void Object.assign(fixture, await withOwnAccount(stack)));
  return fixture;
}

export interface JointConsole extends Pick<ConsoleStack, "browser" | "open"> {
  readonly stack: JointStack;
}

/** The same with a browser. */
export function jointConsole(): JointConsole {
  const fixture = {} as JointConsole;
  sharing.beforeAll(async ({ stack: whole, browser }) => {
    const stack = await withOwnAccount(whole);
    const { apiUrl: url, apiKey } = stack.file;
    const open = (options = {}): Promise<ConsolePage> => openConsole(browser, { url, apiKey, ...options });
    Object.assign(fixture, { stack, browser, open });
  });
  // Pages that stay open go on asking the API under the specs that follow.
  sharing.afterAll(async ({ browser }) => {
    for (const tab of browser.contexts()) await tab.close();
  });
  return fixture;
}

async function withOwnAccount({ stop: _, ...stack }: LiveStack): Promise<JointStack> {
  const { accountId, key } = await openAccount(stack.file);
  return { ...stack, ...stackClient({ ...stack.file, accountId, apiKey: key }) };
}
