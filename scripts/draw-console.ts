/**
 * Draws the pictures of the console in docs/: `node scripts/draw-console.ts`. A real Chromium looks at a stack of its own, which
 * has edited the sample photos, so the pictures show what anybody gets. With `--png FOLDER` they are drawn there, as PNG, and a
 * phone's beside them: to look at.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { adminToken } from "../testing/api/api-processes.ts";
import { type ConsolePage, openConsole } from "../testing/console/console-page.ts";
import { type ConsoleStack, startConsoleStack } from "../testing/console/console-stack.ts";
import { formWith } from "../testing/stack/live-stack.ts";
import { startReceiver } from "../testing/webhooks/receiver.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { png: { type: "string" } } });
const folder = values.png ?? join(root, "docs/pictures");
const products = ["mug", "bottle", "bag", "stool", "box"] as const;
const desktop = { width: 1280, height: 960 };
const phone = { width: 390, height: 844 };
const schemes = ["light", "dark"] as const;
const seed = 7;

const samplePath = (product: string): string => join(root, `cli/demo/sample/${product}.jpg`);

/** Edits of every tool, so that lists have something to show. */
async function editSamples({ stack }: ConsoleStack): Promise<void> {
  const edit = (tool: string, product: string, fields: Record<string, string> = {}) =>
    stack.edit(tool, formWith(readFileSync(samplePath(product)), { "metadata.sku": product, ...fields }));
  await edit("mask", "mug");
  await edit("ai-shadows", "bag", { "output.background": "#ffffff", seed: String(seed) });
  await edit("ai-bg", "bottle", { theme: "marble bathroom, soft light", seed: String(seed) });
  await edit("ai-bg", "box", { theme: "kitchen counter, sunny", seed: String(seed) });
  await edit("mask", "stool", { preset: "amazon-main" });
}

/** Ended batches, one of them with a row that failed: the shop has no photo of it. */
async function runBatches({ stack }: ConsoleStack, shopUrl: string): Promise<string> {
  const names = [...products, "lamp"];
  const rows = (some: readonly string[]) => some.map((name) => ({ ref: name, imageUrl: `${shopUrl}/${name}.jpg` }));
  const headers = { "Content-Type": "application/json" };
  let id = "";
  for (const [tool, some] of [
    ["mask", products],
    ["ai-shadows", names],
  ] as const) {
    const body = JSON.stringify({ tool, items: rows(some) });
    const made = (await (await stack.call("POST", "/v1/batches", { body, headers })).json()) as { id: string };
    for (let status = ""; status !== "completed"; ) {
      const response = await stack.call("GET", `/v1/batches/${made.id}`, { headers: { Prefer: "wait=20" } });
      ({ status } = (await response.json()) as { status: string });
    }
    id = made.id;
  }
  return id;
}

async function fillPlayground({ page }: ConsolePage): Promise<void> {
  await page.getByRole("radio", { name: /AI background/ }).check();
  await page.getByLabel("Theme", { exact: true }).fill("oak table, morning light");
  await page.getByLabel("Seed", { exact: true }).fill(String(seed));
  await page.getByLabel("Photos", { exact: true }).setInputFiles(products.map(samplePath));
  await page.getByText(/^5 of 5 edits ended/).waitFor({ timeout: 300_000 });
  await page.getByRole("slider").waitFor();
  // The form has the focus, and its ring would be in the picture.
  await page.getByRole("heading", { level: 1 }).click();
}

/** One picture for each scheme, of what is seen without scrolling; `top` is scrolled to its beginning. */
async function draw(page: Page, name: string, top?: string): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    if (top !== undefined) await page.locator(top).evaluate(scrollThere);
    await page.evaluate(seenImagesLoad);
    const shot = await page.screenshot({ animations: "disabled" });
    const file = join(folder, `console-${name}-${colorScheme}.${values.png === undefined ? "webp" : "png"}`);
    const { size } = await (values.png === undefined
      ? sharp(shot).webp({ quality: 72, effort: 6 })
      : sharp(shot)
    ).toFile(file);
    process.stdout.write(`${file}: ${Math.round(size / 1000)} kB\n`);
  }
}

/** A list is there before its thumbnails; those below the edge of the screen are never loaded. */
const seenImagesLoad = `Promise.all(
  [...document.images]
    .filter((image) => !image.complete && image.checkVisibility() && image.getBoundingClientRect().top < innerHeight)
    .map((image) => new Promise((resolve) => Object.assign(image, { onload: resolve, onerror: resolve }))),
)`;

function scrollThere(element: unknown): void {
  (element as { scrollIntoView(): void }).scrollIntoView();
}

async function drawAll(fixture: ConsoleStack, batchId: string, name: (page: string) => string): Promise<void> {
  const isPhone = name("") !== "";
  const viewport = isPhone ? phone : desktop;
  const tab = await fixture.open({ viewport });
  const { page } = tab;
  await fillPlayground(tab);
  await draw(page, name("playground"));
  if (isPhone) await draw(page, name("playground-result"), ".viewer");
  for (const path of ["jobs", "batches", `batches/${batchId}`, "webhooks", "keys", "usage"]) {
    await tab.go(`/${path}`);
    await page.locator("main:not(:has(.spinner))").waitFor();
    const isDrawn = values.png !== undefined || path === "jobs" || path.startsWith("batches/");
    if (isDrawn) await draw(page, name(path.replace(batchId, "one").replace("/", "-")));
  }
  await tab.close();
  const operator = await openConsole(fixture.browser, { url: fixture.stack.file.adminUrl, viewport });
  await operator.page.getByLabel("Operator's token").fill(adminToken);
  await operator.page.getByRole("button", { name: "Sign in" }).click();
  await operator.page.getByRole("table", { name: "Processes" }).waitFor();
  await draw(operator.page, name("operator"));
  await operator.close();
}

const shop = await startReceiver((request, response) => {
  const product = products.find((one) => request.url!.endsWith(`/${one}.jpg`));
  response.writeHead(product === undefined ? 404 : 200, { "Content-Type": "image/jpeg" });
  response.end(product === undefined ? "" : readFileSync(samplePath(product)));
});
const fixture = await startConsoleStack([new URL(shop.url).host]);
try {
  mkdirSync(folder, { recursive: true });
  await editSamples(fixture);
  const batchId = await runBatches(fixture, shop.url);
  await drawAll(fixture, batchId, (page) => page);
  if (values.png !== undefined) await drawAll(fixture, batchId, (page) => `${page}-phone`);
} finally {
  await fixture.stop();
  await shop.close();
}
