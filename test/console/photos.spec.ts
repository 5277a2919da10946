/**
 * How photos come into the playground, many at once too, and how all results come out of it, in a real browser.
 * @module-tag chromium
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job } from "@packshot/sdk";
import AdmZip from "adm-zip";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openAccount } from "../../testing/api/accounts.ts";
import { mugPhoto } from "../../testing/console/console-stack.ts";
import { dropFiles } from "../../testing/console/drop-files.ts";
import { jointConsole } from "../../testing/joint/joint-stack.ts";

const fixture = jointConsole();
const sentAtOnceMax = 4;
/** The page asks for the account now and then: here it does not, so that what it shows comes of an edit's end. */
const withoutSlowTimers = `
  const { setInterval } = globalThis;
  globalThis.setInterval = (call, ms, ...given) => setInterval(call, ms >= 10_000 ? 2 ** 31 - 1 : ms, ...given);
`;

/** The line of a list whose edits have all ended without a failure; some of them may be worth a look. */
const allEnded = (count: number): RegExp => new RegExp(`^${count} of ${count} edits ended(, \\d+ to be reviewed)?$`);

async function jobsOf(key: string): Promise<Job[]> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${fixture.stack.file.apiUrl}/v1/jobs?limit=100`, { headers });
  return ((await response.json()) as { data: Job[] }).data;
}

/** The most jobs that there were at one time, by the server's own clock. */
function jobsAtOnce(jobs: readonly Job[]): number {
  const began = (job: Job) => Date.parse(job.createdAt);
  return Math.max(
    ...jobs.map(
      (one) => jobs.filter((job) => began(job) <= began(one) && Date.parse(job.finishedAt!) > began(one)).length,
    ),
  );
}

async function savedZip(page: Page, button: string): Promise<Map<string, Buffer>> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button, exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("packshot.zip");
  const zip = new AdmZip(Buffer.concat(await (await file.createReadStream()).toArray()));
  return new Map(zip.getEntries().map((entry) => [entry.entryName, entry.getData()]));
}

test("forty photos dropped at once all end, four at a time, and come out in one ZIP", async () => {
  const { key } = await openAccount(fixture.stack.file);
  const { page, problems, close } = await fixture.open({ apiKey: key, beforeLoad: withoutSlowTimers });
  const folder = await mkdtemp(join(tmpdir(), "packshot-photos-"));
  const { buffer } = await mugPhoto("mug.jpg", 160);
  const names = Array.from({ length: 40 }, (_, index) => `mug-${index}.jpg`);
  await Promise.all([...names, "notes.txt"].map((name) => writeFile(join(folder, name), buffer)));
  await page.getByRole("radio", { name: /Mask/ }).waitFor();
  const credits = page.getByText(/credits$/);
  const before = Number((await credits.textContent())!.replace(/\D/g, ""));
  const paths = [...names, "notes.txt"].map((name) => join(folder, name));
  await dropFiles(page, paths, () => page.locator(".drop-over").waitFor());
  await page.getByText("One file is no photo").waitFor();
  await page.getByRole("heading", { name: "40 photos" }).waitFor();
  await page.getByText(allEnded(40)).waitFor();
  expect(await page.locator(".drop-over").count()).toBe(0);

  const jobs = await jobsOf(key);
  expect(jobs.map(({ status }) => status)).toEqual(Array(40).fill("completed"));
  expect(jobsAtOnce(jobs)).toBeLessThanOrEqual(sentAtOnceMax);
  await page.getByText(`${(before - 40).toLocaleString("en")} credits`).waitFor();

  // Another one of the same name: no result may take the other's place.
  await page
    .getByLabel("Photos", { exact: true })
    .setInputFiles([{ name: "mug-0.jpg", mimeType: "image/jpeg", buffer }]);
  await page.getByText(allEnded(41)).waitFor();
  const all = await jobsOf(key);
  const entries = await savedZip(page, "Download all (41)");
  const expected = [...names.map((name) => name.replace(".jpg", "-mask.png")), "mug-0-mask-2.png"];
  expect([...entries.keys()].sort()).toEqual(expected.sort());
  const results = await Promise.all(
    all.map(async ({ resultUrl }) => Buffer.from(await (await fetch(resultUrl!)).arrayBuffer()).toString("base64")),
  );
  expect([...entries.values()].map((bytes) => bytes.toString("base64")).sort()).toEqual(results.sort());
  expect(problems).toEqual([]);
  await rm(folder, { recursive: true });
  await close();
});

test("a picture that was copied elsewhere is pasted", async () => {
  const { page, problems, close } = await fixture.open({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("radio", { name: /Mask/ }).waitFor();
  const png = await sharp((await mugPhoto()).buffer)
    .png()
    .toBuffer();
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob("${png.toString("base64")}"), (letter) => letter.charCodeAt(0));
    await navigator.clipboard.write([new ClipboardItem({ "image/png": new Blob([bytes], { type: "image/png" }) })]);
  })()`);
  await page.keyboard.press("Control+V");
  await page.getByText(allEnded(1)).waitFor();
  await page.getByRole("slider").waitFor();
  expect(problems).toEqual([]);
  await close();
});
