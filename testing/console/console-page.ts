/** The console as a person has it in a browser: a page of its own, signed in, that notes whatever goes wrong in it. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { browserTimeoutMs } from "./chromium.ts";

export interface ConsolePage {
  readonly page: Page;
  /** What the page said that it should not: errors of scripts, and what its Content-Security-Policy refused. */
  readonly problems: readonly string[];
  /** Opens a page of the console by the part of its address after `#`. */
  go(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface ConsoleOptions extends Pick<BrowserContextOptions, "viewport" | "colorScheme" | "permissions"> {
  readonly url: string;
  /** Absent: nobody is signed in. */
  readonly apiKey?: string;
  /** A script that runs before any of the page's. */
  readonly beforeLoad?: string;
}

/** A server that is away, or that refuses, is no fault of the page: browsers say so for each such request. */
const saidByBrowser = /Failed to load resource/;

export async function openConsole(browser: Browser, options: ConsoleOptions): Promise<ConsolePage> {
  const { url, apiKey, beforeLoad, ...context } = options;
  const tab = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context });
  const page = await tab.newPage();
  page.setDefaultTimeout(browserTimeoutMs);
  if (beforeLoad !== undefined) await page.addInitScript(beforeLoad);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !saidByBrowser.test(message.text())) {
      problems.push(message.text());
    }
  });
  await page.goto(url);
  if (apiKey !== undefined) {
    await page.getByLabel("API key").fill(apiKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
  }
  return {
    page,
    problems,
    async go(path) {
      await page.goto(`${url}/#${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
    },
    close: () => tab.close(),
  };
}
