/**
 * The console around its pages: the key's life, an outage, refusals, and what everybody must be able to do with it.
 * @module-tag chromium
 */
import { execFileSync } from "node:child_process";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { openAccount, operator } from "../../testing/api/accounts.ts";
import { browserTimeoutMs } from "../../testing/console/chromium.ts";
import { mugPhoto } from "../../testing/console/console-stack.ts";
import { accessibilityFindings, sidewaysPixels } from "../../testing/console/page-checks.ts";
import { jointConsole } from "../../testing/joint/joint-stack.ts";

const fixture = jointConsole();

/** The API's process, which the stack starts anew when it dies. */
function apiPid(): number {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  const own = lines.map((line) => line.trim().split(/\s+/)).filter(([, parent]) => Number(parent) === process.pid);
  return Number(own.find((words) => words.some((word) => word.endsWith("api-main.ts")))![0]);
}

const isUp = () =>
  fetch(`${fixture.stack.file.apiUrl}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** The line of a list whose edits have all ended without a failure; some of them may be worth a look. */
const allEnded = (count: number): RegExp => new RegExp(`^${count} of ${count} edits ended(, \\d+ to be reviewed)?$`);

async function choosePhotos(page: Page, names: readonly string[]): Promise<void> {
  await page
    .getByLabel("Photos", { exact: true })
    .setInputFiles(await Promise.all(names.map((name) => mugPhoto(name))));
}

test("a key is tried, kept by this tab alone, in no address, and forgotten at the end", async () => {
  const { stack, browser } = fixture;
  const { apiUrl, apiKey } = stack.file;
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(browserTimeoutMs);
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.goto(apiUrl);
  await page.getByLabel("API key").fill("ps_live_nobody");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("Authentication failed").waitFor();
  await page.getByLabel("API key").fill(apiKey);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText(/credits$/).waitFor();
  await page.reload();
  await page.getByText(/credits$/).waitFor();
  expect(addresses.filter((address) => address.includes(apiKey))).toEqual([]);
  expect(await page.evaluate<string>("JSON.stringify({ ...localStorage }) + document.cookie")).not.toContain(apiKey);
  const other = await context.newPage();
  await other.goto(apiUrl);
  await other.getByLabel("API key").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("API key").waitFor();
  expect(await page.evaluate<number>("sessionStorage.length")).toBe(0);
  await context.close();
});

test("a key that is refused all at once leads to a sign-in that says so", async () => {
  const { key } = await openAccount(fixture.stack.file);
  const { page, problems, close } = await fixture.open({ apiKey: key });
  const headers = { Authorization: `Bearer ${key}` };
  const keys = `${fixture.stack.file.apiUrl}/v1/account/keys`;
  const { data } = (await (await fetch(keys, { headers })).json()) as { data: { id: string }[] };
  await fetch(`${keys}/${data[0]!.id}`, { method: "DELETE", headers });
  await page.reload();
  await page.getByRole("alert").getByText("Authentication failed").waitFor();
  expect(await page.getByLabel("API key").inputValue()).toBe("");
  expect(problems).toEqual([]);
  await close();
});

test("an outage in the middle loses nothing: the page says it, and goes on when the server is back", async () => {
  const { page, problems, close } = await fixture.open();
  // However fast edits are, half of them are still to be sent when the server dies.
  const killed = Promise.withResolvers<void>();
  let sent = 0;
  await page.route("**/v1/tools/*/edit", async (route) => {
    sent += 1;
    if (sent > 3) await killed.promise;
    await route.continue();
  });
  await choosePhotos(page, ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg", "f.jpg"]);
  await page.getByText(/^[1-3] of 6 edits ended/).waitFor();
  // However this test ends, those that follow on this stack, of other specs, too, need the server.
  onTestFinished(() => expect.poll(isUp).toBe(true));
  process.kill(apiPid(), "SIGKILL");
  killed.resolve();
  await page.getByText("The server is unreachable. Retrying automatically.").waitFor();
  await page.getByText(allEnded(6)).waitFor();
  // The page asks every other second whether the server is back.
  await page.getByText("The server is unreachable.").waitFor({ state: "hidden" });
  const { data } = (await (await fixture.stack.call("GET", "/v1/jobs?limit=100")).json()) as { data: object[] };
  expect(data).toHaveLength(6);
  expect(problems).toEqual([]);
  await close();
});

test("without credits photos wait, and go on when there are some", async () => {
  const { accountId, key } = await openAccount(fixture.stack.file);
  await operator(fixture.stack.file, "POST", `/accounts/${accountId}/grants`, { amount: -1_000_000_000 });
  const { page, problems, close } = await fixture.open({ apiKey: key });
  await choosePhotos(page, ["a.jpg", "b.jpg"]);
  await page.getByRole("alert").getByText("Out of credits").waitFor();
  await operator(fixture.stack.file, "POST", `/accounts/${accountId}/grants`, { amount: 10 });
  await page.getByRole("button", { name: "Go on sending" }).click();
  await page.getByText(allEnded(2)).waitFor();
  expect(problems).toEqual([]);
  await close();
});

test("beyond the rate photos wait, and the page says how long", async () => {
  const { accountId, key } = await openAccount(fixture.stack.file);
  const { page, problems, close } = await fixture.open({ apiKey: key });
  await page.getByRole("radio", { name: /Mask/ }).waitFor();
  await operator(fixture.stack.file, "PATCH", `/accounts/${accountId}`, { limits: { rateLimitPerHour: 1 } });
  await choosePhotos(page, ["a.jpg"]);
  const note = page.getByRole("alert").filter({ hasText: "Too many requests" });
  await note.getByText(/Try again in \d+ (second|minute)s?/).waitFor();
  expect(await page.getByText("Waiting to be sent").count()).toBeGreaterThan(0);
  expect(problems).toEqual([]);
  await close();
});

test("axe finds nothing in sign-in and playground, light and dark, and a phone shows them whole", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, close, problems } = await fixture.open({ colorScheme, viewport: { width: 360, height: 740 } });
    await page.getByRole("radio", { name: /AI background/ }).check();
    await page.getByText("All parameters").click();
    await choosePhotos(page, ["a.jpg", "b.jpg"]);
    await page.getByText(allEnded(2)).waitFor();
    await page.getByRole("slider").waitFor();
    expect(await accessibilityFindings(page), `playground, ${colorScheme}`).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    await page.getByRole("button", { name: "Copy as …" }).click();
    expect(await accessibilityFindings(page), `programs, ${colorScheme}`).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    expect(await accessibilityFindings(page), `sign-in, ${colorScheme}`).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  }
});

test("the keyboard alone signs in, edits and saves", async () => {
  const { stack, browser } = fixture;
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(browserTimeoutMs);
  await page.goto(stack.file.apiUrl);
  const focused = () => page.evaluate<string>("document.activeElement.textContent || document.activeElement.name");
  /** Presses Tab until the element of that text has the focus. */
  async function tabTo(text: RegExp): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab");
      if (text.test(await focused())) return;
    }
    throw new Error(`the keyboard does not reach ${text}`);
  }
  await tabTo(/^key$/);
  await page.keyboard.type(stack.file.apiKey);
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: /Mask/ }).waitFor();
  await tabTo(/^tool$/);
  await page.keyboard.press("ArrowDown");
  expect(await page.getByRole("radio", { name: /AI shadows/ }).isChecked()).toBe(true);
  // The browser learns that it should ask here before the key is pressed.
  const chooser = page.waitForEvent("filechooser");
  await tabTo(/^Choose photos$/);
  await page.keyboard.press("Enter");
  await (await chooser).setFiles([await mugPhoto()]);
  await page.getByRole("slider").waitFor();
  await tabTo(/^Download$/);
  const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  expect(file.suggestedFilename()).toBe("mug-ai-shadows.png");
  await context.close();
});

test("the page runs no script of another's", async () => {
  const { page, problems, close } = await fixture.open();
  await page.evaluate("document.body.append(Object.assign(document.createElement('script'), { text: 'hacked = 1' }))");
  expect(await page.evaluate<string>("typeof hacked")).toBe("undefined");
  expect(problems.join()).toMatch(/Content Security Policy/);
  await close();
});
