/** The console's pages but the playground, and the operator's page, in a real browser against the whole stack. */
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { Webhook } from "standardwebhooks";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChromium } from "../../testing/console/chromium.ts";
import { buildConsoleHere } from "../../testing/console/console-stack.ts";
import { type ConsolePage, openConsole } from "../../testing/console/console-page.ts";
import { accessibilityFindings, sidewaysPixels } from "../../testing/console/page-checks.ts";
import { formWith, type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";
import { type Receiver, startReceiver } from "../../testing/webhooks/receiver.ts";

const waitMs = 60_000;
const poll = { timeout: waitMs, interval: 100 };
let stack: LiveStack;
let browser: Browser;
let shop: Receiver;
let photo: Buffer;
let tab: ConsolePage;
let operator: ConsolePage;
let page: Page;
/** What the shop's server does with events, and whether it has the second photo. */
const shopState = { eventStatus: 204, hasLamp: false };
const requested: string[] = [];

beforeAll(async () => {
  buildConsoleHere();
  photo = await sharp(await readFile("cli/demo/sample/mug.jpg"))
    .resize(320)
    .jpeg()
    .toBuffer();
  // The same photo again would be a row that was done before.
  const otherPhoto = await sharp(photo).flop().jpeg().toBuffer();
  shop = await startReceiver((request, response) => {
    if (request.method === "POST") return void response.writeHead(shopState.eventStatus).end("from the shop");
    const isThere = request.url!.endsWith("/mug.jpg") || shopState.hasLamp;
    const found = request.url!.endsWith("/mug.jpg") ? photo : otherPhoto;
    response.writeHead(isThere ? 200 : 404, { "Content-Type": "image/jpeg" }).end(isThere ? found : "");
  });
  [stack, browser] = await Promise.all([
    startLiveStack({ PACKSHOT_MASTER_KEY: "6".repeat(64) }, [new URL(shop.url).host]),
    startChromium(),
  ]);
  tab = await openConsole(browser, { url: stack.file.apiUrl, apiKey: stack.file.apiKey });
  page = tab.page;
  operator = await openConsole(browser, { url: stack.file.adminUrl });
  page.on("request", (request) => requested.push(request.url()));
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await Promise.all([stack?.stop(), shop?.close()]);
});

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function json(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const headers = { "Content-Type": "application/json" };
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers };
  const response = await stack.call(method, path, init);
  return { status: response.status, body: response.status === 204 ? undefined : await response.json() };
}

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
const dialog = () => page.getByRole("dialog");

test("a job is listed with its picture, shows its stages, runs again and is deleted", async () => {
  const { body: job } = await stack.edit("mask", formWith(photo, { "metadata.sku": "K-17", "output.width": "64" }));
  await tab.go("/jobs");
  const row = page.getByRole("row").filter({ hasText: job.id.slice(-12) });
  await row.waitFor();
  await expect
    .poll(
      () =>
        row
          .getByRole("presentation")
          .evaluate((image: unknown) => (image as { readonly naturalWidth: number }).naturalWidth),
      poll,
    )
    .toBe(64);
  expect(await row.textContent()).toContain("sku: K-17");
  await page.getByLabel("Status").selectOption("failed");
  await page.getByText("No job is like that").waitFor();
  await page.getByLabel("Status").selectOption("completed");
  await row.getByRole("link").click();

  const stages = page.getByRole("region", { name: "Stages" });
  await stages.getByText("Network").waitFor();
  expect(await stages.getByRole("listitem").count()).toBeGreaterThan(5);
  expect(await page.getByRole("region", { name: "Parameters", exact: true }).textContent()).toContain('"seed"');
  await button("Run again").click();
  await page.waitForURL((url) => url.hash.startsWith("#/jobs/") && !url.hash.endsWith(job.id));
  const againId = new URL(page.url()).hash.slice("#/jobs/".length);
  await page.getByRole("region", { name: "Result" }).getByRole("img").waitFor();
  const { body: again } = await json("GET", `/v1/jobs/${againId}`);
  expect(again).toMatchObject({ status: "completed", metadata: { sku: "K-17" }, parameters: job.parameters });

  await button("Delete").click();
  await dialog().getByRole("button", { name: "Delete the job" }).click();
  await page.waitForURL((url) => url.hash === "#/jobs");
  await row.waitFor();
  await expect.poll(() => page.getByText(againId.slice(-12)).count(), poll).toBe(0);
  expect((await json("GET", `/v1/jobs/${againId}`)).status).toBe(404);
}, 120_000);

test("a webhook is registered, tested, and a failed delivery is sent again", async () => {
  shopState.eventStatus = 410;
  await tab.go("/webhooks");
  await button("Register a webhook").click();
  await page.getByLabel("Address").fill(`${shop.url}/hooks`);
  await dialog().getByRole("button", { name: "Register" }).click();
  const secret = (await dialog().locator("pre").textContent())!;
  expect(secret).toMatch(/^whsec_/);
  await button("I have stored it").click();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole("link", { name: `${shop.url}/hooks` }).click();
  await button("Send a test event").click();
  await page.getByRole("link", { name: "webhook.test" }).click();
  const status = page.getByRole("region", { name: "Facts" }).locator(".badge");
  await expect.poll(() => status.textContent(), poll).toBe("failed");
  const request = await page.getByRole("region", { name: "request as it is sent" }).textContent();
  expect(request).toContain('"event": "webhook.test"');
  expect(await page.getByRole("article", { name: "Attempt 1" }).textContent()).toContain("from the shop");

  // The endpoint that answered 410 was disabled, and is well again.
  shopState.eventStatus = 204;
  await page.getByRole("link", { name: "The webhook's deliveries" }).click();
  await button("Enable").click();
  await button("Disable").waitFor();
  await page.getByRole("link", { name: "webhook.test" }).click();
  await button("Resend").click();
  await expect.poll(() => status.textContent(), poll).toBe("succeeded");
  const [first, second] = shop.received.filter(({ headers }) => headers["webhook-id"] !== undefined);
  expect([second!.id, second!.body]).toEqual([first!.id, first!.body]);
  const signed = second!.headers as Record<string, string>;
  expect(new Webhook(secret).verify(second!.body, signed)).toMatchObject({ event: "webhook.test" });
}, 120_000);

test("a key is made, shown once, works, and is refused when it is revoked", async () => {
  await tab.go("/keys");
  await button("Make a key").click();
  await page.getByLabel("What it is for").fill("shop backend");
  await page.getByLabel("webhooks", { exact: true }).check();
  await dialog().getByRole("button", { name: "Make it" }).click();
  const key = (await dialog().locator("pre").textContent())!;
  await button("I have stored it").click();
  expect(await page.content()).not.toContain(key);
  const tryKey = async () =>
    (await fetch(`${stack.file.apiUrl}/v1/account`, { headers: { Authorization: `Bearer ${key}` } })).status;
  expect(await tryKey()).toBe(200);

  const row = page.getByRole("row").filter({ hasText: "shop backend" });
  expect(await row.textContent()).toContain("edits, read, webhooks");
  await row.getByRole("button", { name: "Revoke" }).click();
  await dialog().getByRole("button", { name: "Revoke the key" }).click();
  await expect.poll(() => row.count(), poll).toBe(0);
  expect(await tryKey()).toBe(401);
}, 120_000);

test("a batch shows its progress and its failed row, which is retried; its report is a file", async () => {
  const items = ["mug", "lamp"].map((name) => ({ ref: name, imageUrl: `${shop.url}/${name}.jpg` }));
  const { body: batch } = await json("POST", "/v1/batches", { tool: "mask", items });
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
}, 120_000);

test("usage has the edits, credits and latency of today, as charts and as tables", async () => {
  const today = new Date().toISOString().slice(0, 10);
  const { body } = await json("GET", "/v1/account/usage");
  const { edits, latency } = body.data.at(-1);
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
}, 60_000);

test("without credits and beyond the rate, the page says so, and how long to wait", async () => {
  const admin = async (method: string, path: string, body: object): Promise<Record<string, string>> => {
    const headers = { Authorization: `Bearer ${stack.file.adminToken}`, "Content-Type": "application/json" };
    const init = { method, headers, body: JSON.stringify(body) };
    return (await (await fetch(`${stack.file.adminUrl}/admin/v1${path}`, init)).json()) as Record<string, string>;
  };
  const { accountId } = await admin("POST", "/accounts", { name: "poor", plan: "dev" });
  const { key = "" } = await admin("POST", `/accounts/${accountId}/keys`, { name: "poor" });
  const edit = { imageUrl: `${shop.url}/mug.jpg` };
  const made = await fetch(`${stack.file.apiUrl}/v1/tools/mask/edit`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", Prefer: "wait=30" },
    body: JSON.stringify(edit),
  });
  const { id } = (await made.json()) as { id: string };
  await admin("POST", `/accounts/${accountId}/grants`, { amount: -1_000_000_000 });
  const poor = await openConsole(browser, { url: stack.file.apiUrl, apiKey: key });
  await poor.go(`/jobs/${id}`);
  await poor.page.getByRole("button", { name: "Run again" }).click();
  await poor.page.getByRole("alert").getByText("Credits are used up").waitFor();
  await admin("PATCH", `/accounts/${accountId}`, { limits: { rateLimitPerHour: 1 } });
  await poor.go("/keys");
  const note = poor.page.getByRole("alert").filter({ hasText: "Too many requests" });
  await note.getByText(/Try again in \d+ (seconds|minutes)/).waitFor();
  expect(poor.problems).toEqual([]);
  await poor.close();
}, 120_000);

test("every page passes axe in light and dark, fits a phone, and names no key in an address", async () => {
  const { body: jobs } = await json("GET", "/v1/jobs");
  const { body: webhooks } = await json("GET", "/v1/webhooks");
  const { body: batches } = await json("GET", "/v1/batches");
  const hook = `/webhooks/${webhooks.data[0].id}`;
  const { body: deliveries } = await json("GET", `/v1${hook}/deliveries`);
  const paths = [
    ...["/jobs", `/jobs/${jobs.data[0].id}`, "/batches", `/batches/${batches.data[0].id}`],
    ...["/webhooks", hook, `${hook}/deliveries/${deliveries.data[0].id}`, "/keys", "/usage"],
  ];
  for (const path of paths) {
    await tab.go(path);
    await expect.poll(() => page.getByText(/^Loading/).count(), poll).toBe(0);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([path, colorScheme, await accessibilityFindings(page)]).toEqual([path, colorScheme, []]);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    expect([path, await sidewaysPixels(page)]).toEqual([path, 0]);
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  expect(tab.problems).toEqual([]);
  expect(requested.filter((url) => url.includes(stack.file.apiKey))).toEqual([]);
}, 180_000);

test("only the operator's token opens it, and its policy lets nothing in from outside", async () => {
  const { page } = operator;
  const response = await fetch(stack.file.adminUrl);
  const policy = response.headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain("unsafe");
  await page.getByLabel("Operator's token").fill(stack.file.apiKey);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("This key does not work").waitFor();
  await page.getByLabel("Operator's token").fill(stack.file.adminToken);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Service", level: 1 }).waitFor();
}, 60_000);

test("it shows the parts' health, the queue by lane, every process, and models with scores and licenses", async () => {
  const { page } = operator;
  for (const part of ["NATS", "Storage (disk)", "Redis"])
    expect(await page.getByRole("region", { name: part, exact: true }).textContent()).toContain("well");
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
}, 120_000);

test("an account gets credits, and the ledger's note; it is suspended and let in again", async () => {
  const { page } = operator;
  await operator.go("/accounts");
  await page.getByLabel("Order").selectOption("Most waiting jobs");
  await page.getByLabel("Order").selectOption("Oldest first");
  await page.getByRole("table", { name: "Accounts" }).getByRole("link").first().click();
  const creditsLeft = async () =>
    ((await (await stack.call("GET", "/v1/account")).json()) as { credits: { remaining: number } }).credits.remaining;
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
  await expect.poll(async () => (await stack.call("GET", "/v1/account")).status, poll).toBe(403);
  await page.getByRole("button", { name: "Let it use the API again" }).click();
  await expect.poll(async () => (await stack.call("GET", "/v1/account")).status, poll).toBe(200);
}, 120_000);

test("every view passes axe in light and dark, and fits a phone", async () => {
  const { page } = operator;
  const account = `/accounts/${stack.file.accountId}`;
  for (const path of ["/", "/accounts", account]) {
    await operator.go(path);
    await expect.poll(() => page.getByText(/^Loading/).count(), poll).toBe(0);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([path, colorScheme, await accessibilityFindings(page)]).toEqual([path, colorScheme, []]);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    expect([path, await sidewaysPixels(page)]).toEqual([path, 0]);
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  expect(operator.problems).toEqual([]);
}, 120_000);
