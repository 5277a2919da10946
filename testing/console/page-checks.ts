/** What a page of the console must not have: findings of axe, and anything beside the screen. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import type { ConsolePage } from "./console-page.ts";

const axeSource = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const phone = { width: 360, height: 740 };

/** Each rule that axe finds broken, with where: of WCAG, and of good practice. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  // Evaluated by the browser's tool, which the page's policy does not bind.
  await page.evaluate(axeSource);
  // What passed is not told, and takes most of the time.
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** By how many pixels the page is wider than the screen. */
export async function sidewaysPixels(page: Page): Promise<number> {
  return await page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

/** What is wrong with pages of these paths in light, in dark, and on a phone. */
export async function faultsOfPages({ page, go }: ConsolePage, paths: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  const screen = page.viewportSize()!;
  for (const path of paths) {
    await go(path);
    await page.locator("main:not(:has(.spinner))").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      faults.push(...(await accessibilityFindings(page)).map((finding) => `${path}, ${colorScheme}: ${finding}`));
    }
    await page.setViewportSize(phone);
    const sideways = await sidewaysPixels(page);
    if (sideways > 0) faults.push(`${path}: ${sideways} pixels wider than a phone`);
    faults.push(...(await accessibilityFindings(page)).map((finding) => `${path}, phone: ${finding}`));
    await page.setViewportSize(screen);
  }
  await page.emulateMedia({ colorScheme: null });
  return faults;
}
