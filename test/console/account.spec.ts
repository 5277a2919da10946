/**
 * The pages of an account, its keys and its usage, in a real browser against the whole stack.
 * @module-tag chromium
 */
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { ConsolePage } from "../../testing/console/console-page.ts";
import { mugPhoto } from "../../testing/console/console-stack.ts";
import { pressWithKeyboard, tabTo, typeInto } from "../../testing/console/keyboard.ts";
import { faultsOfPages, sidewaysPixels } from "../../testing/console/page-checks.ts";
import { jointConsole } from "../../testing/joint/joint-stack.ts";
import { formWith } from "../../testing/stack/live-stack.ts";

const fixture = jointConsole();
const poll = { timeout: 60_000, interval: 100 };
let tab: ConsolePage;
let page: Page;
const requested: string[] = [];

beforeAll(async () => {
  tab = await fixture.open();
  page = tab.page;
  page.on("request", (request) => requested.push(request.url()));
  await fixture.stack.edit("mask", formWith((await mugPhoto()).buffer));
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");

async function statusWith(key: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` };
  return (await fetch(`${fixture.stack.file.apiUrl}/v1/account`, { headers })).status;
}

test("a key is made, shown once, works, and is refused when it is revoked", async () => {
  await tab.go("/keys");
  await button("Make a key").click();
  await page.getByLabel("What it is for").fill("shop backend");
  await page.getByLabel("webhooks", { exact: true }).check();
  await dialog().getByRole("button", { name: "Make it" }).click();
  const key = (await dialog().locator("pre").textContent())!;
  await button("I have stored it").click();
  expect(await page.content()).not.toContain(key);
  expect(await statusWith(key)).toBe(200);

  const row = page.getByRole("row").filter({ hasText: "shop backend" });
  expect(await row.textContent()).toContain("edits, read, webhooks");
  await row.getByRole("button", { name: "Revoke" }).click();
  await dialog().getByRole("button", { name: "Revoke the key" }).click();
  await expect.poll(() => row.count(), poll).toBe(0);
  expect(await statusWith(key)).toBe(401);
});

test("a long name breaks, and the short words beside it do not", async () => {
  const body = JSON.stringify({ name: "Warenwirtschaftssystemschnittstellenschlüssel".repeat(2), scopes: ["read"] });
  const headers = { "Content-Type": "application/json" };
  await fixture.stack.call("POST", "/v1/account/keys", { body, headers });
  await tab.go("/keys");
  const row = page.getByRole("row").filter({ hasText: "Warenwirtschaft" });
  const oneLine = (await button("Make a key").boundingBox())!.height;
  for (const width of [1440, 900, 768]) {
    await page.setViewportSize({ width, height: 900 });
    expect((await row.getByRole("button", { name: "Revoke" }).boundingBox())!.height, `at ${width}`).toBe(oneLine);
    expect(await sidewaysPixels(page), `at ${width}`).toBe(0);
  }
});

test("the keyboard alone makes a key, and revokes it after a question", async () => {
  await tab.go("/keys");
  await pressWithKeyboard(button("Make a key"));
  await typeInto(page.getByLabel("What it is for"), "by keyboard");
  await tabTo(page.getByLabel("webhooks", { exact: true }));
  await page.keyboard.press("Space");
  await pressWithKeyboard(dialog().getByRole("button", { name: "Make it" }));
  const key = (await dialog().locator("pre").textContent())!;
  await pressWithKeyboard(button("I have stored it"));
  expect(await statusWith(key)).toBe(200);
  const row = page.getByRole("row").filter({ hasText: "by keyboard" });
  expect(await row.textContent()).toContain("webhooks");
  await pressWithKeyboard(row.getByRole("button", { name: "Revoke" }));
  await pressWithKeyboard(dialog().getByRole("button", { name: "Revoke the key" }));
  await expect.poll(() => row.count(), poll).toBe(0);
  expect(await statusWith(key)).toBe(401);
});

test("usage has the edits, credits and latency of today, as charts and as tables", async () => {
  const today = new Date().toISOString().slice(0, 10);
  const body = (await (await fixture.stack.call("GET", "/v1/account/usage")).json()) as UsageBody;
  const { edits, latency } = body.data.at(-1)!;
  await tab.go("/usage");
  const chart = page.getByRole("region", { name: "Edits by day", exact: true });
  await chart.getByRole("button", { name: "Show as a table" }).click();
  const cells = chart.getByRole("row").filter({ hasText: today }).getByRole("cell");
  expect(await cells.nth(1).textContent()).toBe(String(edits.mask));
  expect(await chart.locator("rect").count()).toBe(1);
  expect(latency.jobs).toBeGreaterThan(0);
  const median = page
    .getByRole("region", { name: /Latency by day/ })
    .locator("circle")
    .first();
  expect(await median.textContent()).toContain(`${today}, median`);
});

test("the keyboard alone chooses the period, and shows a chart as a table", async () => {
  await tab.go("/usage");
  await tabTo(page.getByLabel("Period"));
  await page.keyboard.type("7");
  await page.waitForURL((url) => url.hash === "#/usage?days=7");
  const chart = page.getByRole("region", { name: "Credits by day", exact: true });
  await pressWithKeyboard(chart.getByRole("button", { name: "Show as a table" }));
  await chart.getByRole("table").waitFor();
});

test("its pages pass axe in light, in dark and on a phone, and name the key in no address", async () => {
  expect(await faultsOfPages(tab, ["/keys", "/usage"])).toEqual([]);
  expect(tab.problems).toEqual([]);
  expect(requested.filter((url) => url.includes(fixture.stack.file.apiKey))).toEqual([]);
});

interface UsageBody {
  readonly data: readonly {
    readonly edits: Readonly<Record<string, number>>;
    readonly latency: { readonly jobs: number };
  }[];
}
