/**
 * The pages of batches, in a real browser against the whole stack and a shop that has the photos.
 * @module-tag chromium
 */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import type { ConsolePage } from "../../testing/console/console-page.ts";
import { mugPhoto } from "../../testing/console/console-stack.ts";
import { pressWithKeyboard } from "../../testing/console/keyboard.ts";
import { faultsOfPages } from "../../testing/console/page-checks.ts";
import { jointConsole } from "../../testing/joint/joint-stack.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";

const waitMs = 60_000;
const poll = { timeout: waitMs, interval: 100 };
/** Whether the shop has the photos whose names begin so. */
const shopState = { hasLamp: false, hasVase: false };
const fixture = jointConsole();
const shop = suiteFixture(async () => {
  const photo = (await mugPhoto()).buffer;
  // The same photo again would be a row that was done before.
  const photos = {
    mug: photo,
    lamp: await sharp(photo).flop().jpeg().toBuffer(),
    vase: await sharp(photo).flip().jpeg().toBuffer(),
  };
  const receiver = await startReceiver((request, response) => {
    const name = /(mug|lamp|vase)\.jpg$/.exec(request.url!)![1] as keyof typeof photos;
    const isThere = name === "mug" || (name === "lamp" ? shopState.hasLamp : shopState.hasVase);
    response.writeHead(isThere ? 200 : 404, { "Content-Type": "image/jpeg" }).end(isThere ? photos[name] : "");
  });
  return { url: receiver.url, stop: () => receiver.close() };
});
let tab: ConsolePage;
let page: Page;

beforeAll(async () => {
  tab = await fixture.open();
  page = tab.page;
});

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });

async function makeBatch(names: readonly string[]): Promise<{ readonly id: string }> {
  const items = names.map((name) => ({ ref: name, imageUrl: `${shop.url}/${name}.jpg` }));
  const init = { body: JSON.stringify({ tool: "mask", items }), headers: { "Content-Type": "application/json" } };
  return (await (await fixture.stack.call("POST", "/v1/batches", init)).json()) as { id: string };
}

test("without batches there is an example, apart from the box that says so", async () => {
  await page.route("**/v1/batches?*", (route) => route.fulfill({ json: { data: [] } }));
  await tab.go("/batches");
  const box = (await page.locator(".empty").boundingBox())!;
  const heading = (await page.getByRole("heading", { name: "For example" }).boundingBox())!;
  expect(heading.y - (box.y + box.height)).toBeGreaterThanOrEqual(8);
  await page.unroute("**/v1/batches?*");
});

test("a batch shows its progress and its failed row, which is retried; its report is a file", async () => {
  const batch = await makeBatch(["mug", "lamp"]);
  await tab.go("/batches");
  await page.getByRole("link", { name: batch.id.slice(-12) }).click();
  const failed = page.getByRole("region", { name: "Failed rows" });
  await failed
    .getByRole("row")
    .filter({ hasText: "lamp" })
    .getByText("source_unreachable")
    .waitFor({ timeout: waitMs });
  await page.getByText("2 of 2 rows").waitFor();

  shopState.hasLamp = true;
  await button(/^Retry 1 failed/).click({ timeout: waitMs });
  const facts = page.getByRole("region", { name: "Facts" });
  await expect.poll(() => facts.textContent(), poll).toMatch(/Statuscompleted.*Try2/);
  await expect.poll(() => page.getByRole("region", { name: "Progress" }).textContent(), poll).toMatch(/completed2/);
  expect(await failed.count()).toBe(0);
  const coming = page.waitForEvent("download");
  await button("Report as CSV").click();
  const report = await readFile(await (await coming).path(), "utf8");
  expect(report.trim().split("\n")).toHaveLength(3);
  expect((await coming).suggestedFilename()).toBe(`batch-${batch.id}.csv`);
});

test("the keyboard alone opens a batch, and retries what failed", async () => {
  const { id } = await makeBatch(["vase"]);
  await tab.go("/batches");
  await pressWithKeyboard(page.getByRole("link", { name: id.slice(-12) }));
  await page.getByRole("region", { name: "Failed rows" }).getByRole("row").filter({ hasText: "vase" }).waitFor();
  shopState.hasVase = true;
  await pressWithKeyboard(button(/^Retry 1 failed/));
  await expect.poll(() => page.getByRole("region", { name: "Progress" }).textContent(), poll).toMatch(/completed1/);
});

test("its pages pass axe in light, in dark and on a phone, and nothing is wider than that", async () => {
  const { data } = (await (await fixture.stack.call("GET", "/v1/batches")).json()) as { data: { id: string }[] };
  expect(await faultsOfPages(tab, ["/batches", `/batches/${data[0]!.id}`])).toEqual([]);
  expect(tab.problems).toEqual([]);
});
