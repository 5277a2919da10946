/** What a page of the console must not have: findings of axe, and anything beside the screen. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axeSource = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Each rule that axe finds broken, with where: of WCAG, and of good practice. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  // Evaluated by the browser's tool, which the page's policy does not bind.
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>("axe.run(document)");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** By how many pixels the page is wider than the screen. */
export async function sidewaysPixels(page: Page): Promise<number> {
  return await page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}
