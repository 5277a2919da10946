/**
 * The operator's page, in a real browser against the whole stack.
 * @module-tag chromium
 */
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { openAccount } from "../../testing/api/accounts.ts";
import { adminToken } from "../../testing/api/api-processes.ts";
import { type ConsolePage, openConsole } from "../../testing/console/console-page.ts";
import { pressWithKeyboard, tabTo, typeInto } from "../../testing/console/keyboard.ts";
import { faultsOfPages } from "../../testing/console/page-checks.ts";
import { jointConsole } from "../../testing/joint/joint-stack.ts";

const fixture = jointConsole();
const poll = { timeout: 60_000, interval: 100 };
let tab: ConsolePage;
let page: Page;

beforeAll(async () => {
  tab = await openConsole(fixture.browser, { url: fixture.stack.file.adminUrl });
  page = tab.page;
});

/** Turns the list of accounts to the page with `link`: the oldest come first, and those of the worker's other specs are older. */
async function turnTo(link: Locator, press: (target: Locator) => Promise<void>): Promise<void> {
  const nextPage = page.getByRole("link", { name: "Next page" });
  const firstRow = page.getByRole("table", { name: "Accounts" }).getByRole("link").first();
  for (;;) {
    await link.or(nextPage).first().waitFor();
    if ((await link.count()) > 0) return;
    const before = await firstRow.getAttribute("href");
    await press(nextPage);
    await expect.poll(() => firstRow.getAttribute("href"), poll).not.toBe(before);
  }
}

test("only the operator's token opens it, and its policy lets nothing in from outside", async () => {
  const response = await fetch(fixture.stack.file.adminUrl);
  const policy = response.headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain("unsafe");
  await page.getByLabel("Operator's token").fill(fixture.stack.file.apiKey);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("Authentication failed").waitFor();
  await page.getByLabel("Operator's token").fill(adminToken);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Service", level: 1 }).waitFor();
});

test("it shows the parts' health, the queue by lane, every process, and models with scores and licenses", async () => {
  for (const [part, state] of Object.entries({ NATS: "Healthy", "Storage (disk)": "Healthy", Redis: "Not configured" }))
    expect(await page.getByRole("region", { name: part, exact: true }).textContent()).toContain(state);
  const processes = page.getByRole("table", { name: "Processes" });
  for (const service of ["api", "worker", "webhooks"])
    await processes
      .getByRole("row")
      .filter({ hasText: new RegExp(`^${service}`) })
      .getByText("ready")
      .waitFor();
  await page.getByRole("table", { name: "Queue by lane" }).getByText("4: test jobs").waitFor();
  const model = page.getByRole("table", { name: "Models" }).getByRole("row").filter({ hasText: "default" });
  expect(await model.textContent()).toMatch(/Apache-2\.0|MIT/);
  expect(await model.textContent()).toMatch(/\d\.\d+/);
});

test("an account gets credits, and the ledger's note; it is suspended and let in again", async () => {
  await tab.go("/accounts");
  await page.getByLabel("Order").selectOption("Most waiting jobs");
  await page.getByLabel("Order").selectOption("Oldest first");
  const ownAccount = page.locator(`a[href="#/accounts/${fixture.stack.file.accountId}"]`);
  await turnTo(ownAccount, (target) => target.click());
  await ownAccount.click();
  const creditsLeft = async () =>
    ((await (await fixture.stack.call("GET", "/v1/account")).json()) as { credits: { remaining: number } }).credits
      .remaining;
  const before = await creditsLeft();
  await page.getByRole("spinbutton", { name: "Credits" }).fill("250");
  await page.getByLabel("Why, for the ledger").fill("for the outage");
  await page.getByRole("button", { name: "Grant" }).click();
  await page
    .getByRole("status")
    .getByText(/credits now/)
    .waitFor();
  expect(await creditsLeft()).toBe(before + 250);
  await page.getByRole("table", { name: "Changes, newest first" }).getByText("grantCredits").waitFor();

  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Suspend the account" }).click();
  await expect.poll(async () => (await fixture.stack.call("GET", "/v1/account")).status, poll).toBe(403);
  await page.getByRole("button", { name: "Let it use the API again" }).click();
  await expect.poll(async () => (await fixture.stack.call("GET", "/v1/account")).status, poll).toBe(200);
});

test("the keyboard alone opens an account, grants credits, and suspends it after a question", async () => {
  const { accountId } = await openAccount(fixture.stack.file, { name: "By keyboard" });
  await tab.go("/");
  await pressWithKeyboard(page.getByRole("link", { name: "Accounts", exact: true }));
  const account = page.getByRole("link", { name: "By keyboard" });
  await turnTo(account, pressWithKeyboard);
  await pressWithKeyboard(account);
  await page.waitForURL((url) => url.hash === `#/accounts/${accountId}`);
  await typeInto(page.getByRole("spinbutton", { name: "Credits" }), "5");
  await typeInto(page.getByLabel("Why, for the ledger"), "a gift");
  await page.keyboard.press("Enter");
  await page
    .getByRole("status")
    .getByText(/By keyboard has [\d,]+ credits now/)
    .waitFor();
  await pressWithKeyboard(page.getByRole("button", { name: "Suspend" }));
  await tabTo(page.getByRole("dialog").getByRole("button", { name: "Suspend the account" }));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Let it use the API again" }).waitFor();
});

test("its views pass axe in light, in dark and on a phone, and nothing is wider than that", async () => {
  const account = `/accounts/${fixture.stack.file.accountId}`;
  expect(await faultsOfPages(tab, ["/", "/accounts", account])).toEqual([]);
  expect(tab.problems).toEqual([]);
});
