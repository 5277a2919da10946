/**
 * The pages of jobs, in a real browser against the whole stack.
 * @module-tag chromium
 */
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { ConsolePage } from "../../testing/console/console-page.ts";
import { mugPhoto } from "../../testing/console/console-stack.ts";
import { hasFocus, pressWithKeyboard, tabTo } from "../../testing/console/keyboard.ts";
import { faultsOfPages } from "../../testing/console/page-checks.ts";
import { drawnMugs, halfDark, type Mug } from "../../testing/images/drawn-mugs.ts";
import { jointConsole } from "../../testing/joint/joint-stack.ts";
import { formWith } from "../../testing/stack/live-stack.ts";

const fixture = jointConsole();
const poll = { timeout: 60_000, interval: 100 };
let tab: ConsolePage;
let page: Page;
let photo: Buffer;

beforeAll(async () => {
  photo = (await mugPhoto()).buffer;
  tab = await fixture.open();
  page = tab.page;
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");

// biome-ignore lint/suspicious/noExplicitAny: a job, or an error
async function readJob(id: string): Promise<{ status: number; body: any }> {
  const response = await fixture.stack.call("GET", `/v1/jobs/${id}`);
  return { status: response.status, body: await response.json() };
}

test("a job is listed with its picture, shows its stages, runs again and is deleted", async () => {
  const { body: job } = await fixture.stack.edit(
    "mask",
    formWith(photo, { "metadata.sku": "K-17", "output.width": "64" }),
  );
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
  await stages.getByText("Finding the product").waitFor();
  expect(await stages.getByRole("listitem").count()).toBeGreaterThan(5);
  expect(await page.getByRole("region", { name: "Parameters", exact: true }).textContent()).toContain('"seed"');
  await button("Run again").click();
  await page.waitForURL((url) => url.hash.startsWith("#/jobs/") && !url.hash.endsWith(job.id));
  const againId = new URL(page.url()).hash.slice("#/jobs/".length);
  await page.getByRole("region", { name: "Result" }).getByRole("img").waitFor();
  const { body: again } = await readJob(againId);
  expect(again).toMatchObject({ status: "completed", metadata: { sku: "K-17" }, parameters: job.parameters });

  await button("Delete").click();
  await dialog().getByRole("button", { name: "Delete the job" }).click();
  await page.waitForURL((url) => url.hash === "#/jobs");
  await row.waitFor();
  await expect.poll(() => page.getByText(againId.slice(-12)).count(), poll).toBe(0);
  expect((await readJob(againId)).status).toBe(404);
});

test("the keyboard alone filters the list, opens a job, and deletes it after a question", async () => {
  const { body: job } = await fixture.stack.edit("mask", formWith(photo));
  await tab.go("/jobs");
  const link = page.getByRole("link", { name: job.id.slice(-12) });
  await tabTo(page.getByLabel("Status"));
  await page.keyboard.type("completed");
  await page.waitForURL((url) => url.hash === "#/jobs?status=completed");
  await pressWithKeyboard(link);
  await pressWithKeyboard(button("Delete"));
  await tabTo(dialog().getByRole("button", { name: "Delete the job" }));
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
  expect(await hasFocus(button("Delete"))).toBe(true);
  await page.keyboard.press("Enter");
  await pressWithKeyboard(dialog().getByRole("button", { name: "Delete the job" }));
  await page.waitForURL((url) => url.hash === "#/jobs");
  await expect.poll(async () => (await readJob(job.id)).status, poll).toBe(404);
});

test("a job of several files shows each with its checks, and why one was not made", async () => {
  const outputs = [
    { name: "amazon", preset: "amazon-main" },
    { name: "tiny", output: { format: "png", width: 900, maxBytes: 1_000 } },
    { name: "web-64", output: { format: "webp", width: 64 } },
  ];
  const { body: job } = await fixture.stack.edit("mask", formWith(photo, { outputs: JSON.stringify(outputs) }));
  await tab.go(`/jobs/${job.id}`);
  const files = page.getByRole("region", { name: "Files" });
  const row = (name: string) => files.getByRole("row").filter({ hasText: name });
  await row("web-64").waitFor();
  expect(await row("amazon").textContent()).toMatch(/image\/jpeg.*(passed|Failed: )/);
  expect(await row("tiny").textContent()).toContain("Not made, not charged: ");
  expect(await row("tiny").getByRole("link").count()).toBe(0);
  const link = row("web-64").getByRole("link", { name: "web-64" });
  const [opened] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  expect(new URL(opened.url()).pathname).toBe(new URL(job.results[2].url).pathname);
  await opened.close();
  expect(await faultsOfPages(tab, [`/jobs/${job.id}`])).toEqual([]);
});

test("a job is found by its metadata and by its id, and doubtful ones by a filter", async () => {
  const { body: job } = await fixture.stack.edit("mask", formWith(photo, { "metadata.sku": "Kanne blau/2" }));
  await fixture.stack.edit("mask", formWith(photo, { "metadata.sku": "Kanne" }));
  const rows = () => page.getByRole("row").count();
  const find = async (text: string) => {
    await page.getByLabel("Metadata or id").fill(text);
    await page.keyboard.press("Enter");
  };
  await tab.go("/jobs");
  await find("Kanne");
  await page.getByText("Neither a job's id nor a name with a value").waitFor();
  await find("sku: Kanne blau/2");
  // The row of titles, and the job.
  await expect.poll(rows, poll).toBe(2);
  await page.getByRole("link", { name: job.id.slice(-12) }).waitFor();
  await page.reload();
  await page.getByRole("link", { name: job.id.slice(-12) }).waitFor();
  expect(await page.getByLabel("Metadata or id").inputValue()).toBe("sku: Kanne blau/2");
  await find(job.id);
  await page.getByRole("heading", { level: 1, name: job.id.slice(-12) }).waitFor();
  await tab.go("/jobs?metadata=sku%3DKanne");
  await page.getByLabel("Status").selectOption("needs review");
  await page.getByText("No job is like that").waitFor();
});

test("a doubtful job says so, and is approved and rejected on its page", async () => {
  const mug: Mug = { x: 430, y: 480, height: 340, color: "#b03428" };
  const doubtful = formWith(await halfDark(await drawnMugs([mug], "room")), {}, "image/png");
  const { body: job } = await fixture.stack.edit("mask", doubtful);
  await tab.go("/jobs?status=review");
  await page.getByRole("link", { name: job.id.slice(-12) }).click();
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Needs review").waitFor();
  expect(await faultsOfPages(tab, [`/jobs/${job.id}`])).toEqual([]);
  await button("Approve").click();
  await result.getByText("Reviewed: approved").waitFor();
  expect((await readJob(job.id)).body.review.verdict).toBe("approved");
  await button("Reject").click();
  await dialog().getByRole("button", { name: "Reject it" }).click();
  await result.getByText("It was rejected, and removed.").waitFor();
  expect((await readJob(job.id)).body).toMatchObject({ resultUrl: null, review: { verdict: "rejected" } });
});

test("its pages pass axe in light, in dark and on a phone, and nothing is wider than that", async () => {
  const { body: job } = await fixture.stack.edit("ai-shadows", formWith(photo));
  expect(await faultsOfPages(tab, ["/jobs", "/jobs?status=failed", `/jobs/${job.id}`])).toEqual([]);
  expect(tab.problems).toEqual([]);
});
