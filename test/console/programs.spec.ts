/**
 * What the playground copies as a program makes the same edit when somebody runs it, in a real browser on a real stack.
 * @module-tag chromium
 */
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Job } from "@packshot/sdk";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { mugPhoto } from "../../testing/console/console-stack.ts";
import { jointConsole } from "../../testing/joint/joint-stack.ts";
import { buildSdk } from "../../testing/sdk/build-sdk.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const fixture = jointConsole();
/** A folder of somebody's own, with the SDK as npm installs it. */
const consumer = suiteFixture(buildSdk);
const run = promisify(execFile);
/** It is hard to quote, in each language. */
const photoName = `Anna's "best" mug; $HOME.jpg`;
let page: Page;
let edited: Job;
let result: Buffer;

beforeAll(async () => {
  ({ page } = await fixture.open({ permissions: ["clipboard-read", "clipboard-write"] }));
  await page.getByRole("radio", { name: /AI background/ }).check();
  await page.getByLabel("Theme", { exact: true }).fill(`oak "table"; it's morning, 100 % \\ $HOME`);
  await page.getByText("All parameters").click();
  await page.getByText("Output", { exact: true }).click();
  await page.getByLabel("Format", { exact: true }).selectOption("webp");
  await page.getByLabel("Width", { exact: true }).fill("200");
  await page.getByText("Outputs", { exact: true }).click();
  for (let file = 0; file < 2; file++) await page.getByRole("button", { name: "Add a file" }).click();
  const second = page.getByRole("group", { name: "File 2" });
  await second.getByText("Output", { exact: true }).click();
  await second.getByLabel("Lossless", { exact: true }).check();
  const photo = await mugPhoto(photoName);
  await writeFile(join(consumer.dir, photoName), photo.buffer);
  await page.getByLabel("Photos", { exact: true }).setInputFiles([photo]);
  await page.getByRole("slider").waitFor();
  edited = (await newestJob())!;
  result = await download(edited);
  await page.getByRole("button", { name: "Copy as …" }).click();
});

async function newestJob(): Promise<Job | undefined> {
  return ((await (await fixture.stack.call("GET", "/v1/jobs?limit=1")).json()) as { data: Job[] }).data[0];
}

async function download({ resultUrl }: Job): Promise<Buffer> {
  return Buffer.from(await (await fetch(resultUrl!)).arrayBuffer());
}

async function copied(language: string): Promise<string> {
  await page.getByRole("tab", { name: language, exact: true }).click();
  await page.getByRole("button", { name: "Copy the program" }).click();
  await page.getByRole("button", { name: "Copy the program" }).filter({ hasText: "Copied" }).waitFor();
  return await page.evaluate<string>("navigator.clipboard.readText()");
}

/** Runs a program in the folder of the photo; the job that it made must be the same edit, and its file the same image. */
async function expectSameEdit(command: string, args: readonly string[]): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: consumer.dir, PACKSHOT_KEY: fixture.stack.file.apiKey };
  await run(command, args, { cwd: consumer.dir, env });
  const job = (await newestJob())!;
  expect(job.id).not.toBe(edited.id);
  expect([job.tool, job.status, job.parameters]).toEqual([edited.tool, "completed", edited.parameters]);
  const file = join(consumer.dir, `Anna's "best" mug; $HOME-ai-bg.webp`);
  expect((await readFile(file)).equals(result)).toBe(true);
  await rm(file);
}

test("curl: sh runs what is copied", async () => {
  await expectSameEdit("sh", ["-c", await copied("curl")]);
});

test("TypeScript: node runs what is copied, with the SDK as its users have it", async () => {
  await writeFile(join(consumer.dir, "edit.ts"), await copied("TypeScript"));
  await expectSameEdit(process.execPath, ["edit.ts"]);
});

describe("in Python", { tags: ["python"] }, () => {
  test("python3 runs what is copied, with nothing installed", async () => {
    await writeFile(join(consumer.dir, "edit.py"), await copied("Python"));
    await expectSameEdit("python3", ["-I", "edit.py"]);
  });
});
