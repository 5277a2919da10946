/**
 * What every page says while the server is unreachable or refuses for now, and that it goes on afterwards, in a real browser.
 * @module-tag chromium
 */

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { openAccount, operator } from "../../testing/api/accounts.ts";
import { adminToken } from "../../testing/api/api-processes.ts";
import { openConsole } from "../../testing/console/console-page.ts";
import { mugPhoto } from "../../testing/console/console-stack.ts";
import { jointConsole } from "../../testing/joint/joint-stack.ts";
import { startTcpProxy, type TcpProxy } from "../../testing/servers/tcp-proxy.ts";
import { formWith } from "../../testing/stack/live-stack.ts";

const fixture = jointConsole();
const pages = [
  { path: "/jobs", name: "Jobs", shows: "table" },
  { path: "/review", name: "Review", shows: "nothing to review" },
  { path: "/batches", name: "Batches", shows: "no batches" },
  { path: "/webhooks", name: "Webhooks", shows: "no webhooks" },
  { path: "/keys", name: "Keys", shows: "table" },
  { path: "/usage", name: "Usage", shows: "Credits now" },
] as const;

interface Door extends TcpProxy {
  readonly url: string;
  /** "open", "files": browsers have the console's files, and nothing else answers; "closed": nothing answers. */
  state: "open" | "files" | "closed";
}

/** A server that goes away and comes back as the test wants it, at one address. */
async function startDoor(serverUrl: string): Promise<Door> {
  const proxy = await startTcpProxy({
    port: Number(new URL(serverUrl).port),
    onData: (data, from) => {
      const isFile = from === "server" || data.toString("latin1").startsWith("GET /console/");
      return door.state === "open" || (door.state === "files" && isFile);
    },
  });
  const door: Door = { ...proxy, url: `http://127.0.0.1:${proxy.port}`, state: "open" };
  return door;
}

function unreachableAlert(page: Page): Locator {
  return page.getByRole("alert").filter({ hasText: "Server unreachable" });
}

const follow = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click();

test("each page says that the server is unreachable, tries again when asked, and shows its data when it is back", async () => {
  const door = await startDoor(fixture.stack.file.apiUrl);
  await fixture.stack.edit("mask", formWith((await mugPhoto()).buffer));
  const { page, problems, close } = await fixture.open({ url: door.url });
  await page.getByRole("radio", { name: /Mask/ }).waitFor();
  for (const { path, name, shows } of pages) {
    // The first page's code was never read, and cannot be read now either.
    door.state = path === "/jobs" ? "closed" : "files";
    await follow(page, name);
    const retry = unreachableAlert(page).getByRole("button", { name: "Try again" });
    await retry.click();
    await retry.waitFor();
    await page.getByText("The server is unreachable. Retrying automatically.").waitFor();
    door.state = "open";
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await (shows === "table" ? page.getByRole("table") : page.getByText(shows)).first().waitFor();
    await unreachableAlert(page).waitFor({ state: "detached" });
    expect(await page.getByText("unreachable").count(), path).toBe(0);
  }
  expect(problems).toEqual([]);
  await close();
  door.stop();
});

test("what was read stays while the server is unreachable, and what was filled in is sent when it is back", async () => {
  const door = await startDoor(fixture.stack.file.apiUrl);
  const { page, problems, close, go } = await fixture.open({ url: door.url });
  await go("/keys");
  await page.getByRole("table").waitFor();
  door.state = "closed";
  await page.getByRole("button", { name: "Make a key" }).click();
  await page.getByLabel("What it is for").fill("after the outage");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make it" }).click();
  await dialog.getByRole("alert").getByText("Server unreachable").waitFor();
  expect(await page.locator("main table").count()).toBe(1);
  door.state = "open";
  await page.getByText("The server is unreachable.").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Make it" }).click();
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("row").filter({ hasText: "after the outage" }).waitFor();
  expect(problems).toEqual([]);
  await close();
  door.stop();
});

test("the operator's page says that its server is unreachable, keeps what it read, and goes on when it is back", async () => {
  const door = await startDoor(fixture.stack.file.adminUrl);
  const { page, problems, close } = await openConsole(fixture.browser, { url: door.url });
  await page.getByLabel("Operator's token").fill(adminToken);
  await page.getByRole("button", { name: "Sign in" }).click();
  const processes = page.getByRole("table", { name: "Processes" });
  await processes.waitFor();
  door.state = "closed";
  await page.getByText("The server is unreachable. Retrying automatically.").waitFor();
  expect(await processes.count()).toBe(1);
  await follow(page, "Accounts");
  const retry = unreachableAlert(page).getByRole("button", { name: "Try again" });
  await retry.click();
  await retry.waitFor();
  door.state = "open";
  await page.getByRole("table", { name: "Accounts" }).waitFor();
  await page.getByText("unreachable").first().waitFor({ state: "detached" });
  expect(problems).toEqual([]);
  await close();
  door.stop();
});

test("without credits a job is not run again, and the page says why", async () => {
  const { accountId, key } = await openAccount(fixture.stack.file);
  const made = await fetch(`${fixture.stack.file.apiUrl}/v1/tools/mask/edit`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, Prefer: "wait=60" },
    body: formWith((await mugPhoto()).buffer),
  });
  const { id } = (await made.json()) as { id: string };
  await operator(fixture.stack.file, "POST", `/accounts/${accountId}/grants`, { amount: -1_000_000_000 });
  const { page, go, problems, close } = await fixture.open({ apiKey: key });
  await page.getByText("0 credits", { exact: true }).waitFor();
  await go(`/jobs/${id}`);
  await page.getByRole("button", { name: "Run again" }).click();
  await page.getByRole("alert").getByText("Out of credits").waitFor();
  expect(problems).toEqual([]);
  await close();
});

test("beyond the rate a page says so, and how long to wait", async () => {
  const { accountId, key } = await openAccount(fixture.stack.file);
  const { page, go, problems, close } = await fixture.open({ apiKey: key });
  await page.getByRole("radio", { name: /Mask/ }).waitFor();
  await operator(fixture.stack.file, "PATCH", `/accounts/${accountId}`, { limits: { rateLimitPerHour: 1 } });
  // Lists by which an owner finds a leaked key, and what it does, are served beyond the account's rate.
  for (const { path } of pages.filter(({ path: at }) => at === "/usage")) {
    await go(path);
    const note = page.getByRole("alert").filter({ hasText: "Too many requests" });
    await note.getByText(/Try again in \d+ (second|minute)s?/).waitFor();
    expect(await note.getByRole("button", { name: "Try again" }).isDisabled(), path).toBe(true);
  }
  expect(problems).toEqual([]);
  await close();
});
