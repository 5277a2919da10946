/**
 * The API reference in a real browser, and what its server promises: nothing from outside, requests to the API itself.
 * @module-tag chromium
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenedAccount, openAccount } from "../../../testing/api/accounts.ts";
import { startApis } from "../../../testing/api/api-processes.ts";
import { browserTimeoutMs, startChromium } from "../../../testing/console/chromium.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
let url: string;
let account: OpenedAccount;
let browser: Browser;

beforeAll(async () => {
  url = apis.all[0]!.url;
  [account, browser] = await Promise.all([openAccount(apis.all[0]!), startChromium()]);
});
afterAll(() => browser?.close());

interface Opened {
  readonly page: Page;
  /** Origins that the page asked for anything. */
  readonly origins: ReadonlySet<string>;
  /** What its scripts threw or complained of, and what its policy refused. */
  readonly problems: readonly string[];
}

async function open(path: string): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 950 } });
  page.setDefaultTimeout(browserTimeoutMs);
  const origins = new Set<string>();
  const problems: string[] = [];
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url())) origins.add(new URL(request.url()).origin);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.exposeFunction("noteViolation", (what: string) => problems.push(what));
  await page.addInitScript(`addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    noteViolation(violatedDirective + " " + blockedURI))`);
  await page.goto(url + path);
  return { page, origins, problems };
}

test("the page shows every group of operations and a request in curl, and asks nothing of another origin", async () => {
  const { page, origins, problems } = await open("/docs#tag/edits");
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { tags: { name: string }[] };
  const groups = page.getByRole("complementary");
  for (const { name } of document.tags) await groups.getByRole("link", { name, exact: true }).waitFor();
  await page.getByText("/v1/tools/{tool_id}/edit").first().waitFor();
  await page.getByText("curl").first().waitFor();
  expect([...origins]).toEqual([url]);
  expect(problems).toEqual([]);
  await page.close();
});

test("a request that is tried out goes to this API with the key, and its response is shown", async () => {
  const { page, origins, problems } = await open("/docs#tag/account/GET/v1/account");
  await page.getByRole("button", { name: /^Test Request.*\(get \/v1\/account\)$/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Bearer Token" }).fill(account.key);
  const answered = page.waitForResponse(`${url}/v1/account`);
  await dialog.getByRole("button", { name: /^Send/ }).first().click();
  const response = await answered;
  expect(response.status()).toBe(200);
  expect(response.request().headers().authorization).toBe(`Bearer ${account.key}`);
  await dialog.getByText(account.accountId).first().waitFor();
  expect([...origins]).toEqual([url]);
  expect(problems).toEqual([]);
  await page.close();
});

test("the page's policy allows scripts and requests of this origin alone", async () => {
  const page = await fetch(`${url}/docs`);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const policy = page.headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toMatch(/https?:|script-src[^;]*unsafe|\*/);
  expect(await page.text()).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test("scripts are compressed for whoever takes it, kept by browsers under a name of their content, and only read", async () => {
  const html = await (await fetch(`${url}/docs`)).text();
  const bundle = url + /src="(\/docs\/assets\/scalar-[0-9a-f]{16}\.js)"/.exec(html)![1]!;
  const compressed = await fetch(bundle, { headers: { "Accept-Encoding": "gzip" } });
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
  expect(compressed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const plain = await fetch(bundle, { headers: { "Accept-Encoding": "identity" } });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await plain.text()).toBe(await compressed.text());
  const head = await fetch(bundle, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const statusOf = async (path: string, method = "GET") => (await fetch(url + path, { method })).status;
  expect(await statusOf("/docs/assets/scalar-0000000000000000.js")).toBe(404);
  expect(await statusOf("/docs/assets/")).toBe(404);
  expect(await statusOf("/docs/assets/reference.js", "POST")).toBe(405);
  expect(await statusOf("/docs/assets/reference.js")).toBe(200);
});
