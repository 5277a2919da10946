/** `packshot edit` as a process of its own, against a running stack. */
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CliRun, type EndedCli, runCli, startCli } from "../../testing/cli/run-cli.ts";
import { drawnMug } from "../../testing/images/drawn-mug.ts";
import { startLiveStack } from "../../testing/stack/live-stack.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const stack = suiteFixture(() => startLiveStack({}, ["127.0.0.1:*"]));
let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "packshot-cli-"));
});
afterEach(async () => await rm(cwd, { recursive: true, force: true }));

const environment = () => ({ PACKSHOT_URL: stack.file.apiUrl, PACKSHOT_KEY: stack.file.apiKey });
const edit = (...args: string[]): Promise<EndedCli> => runCli(["edit", ...args], { cwd, environment: environment() });
const startEdit = (...args: string[]): CliRun => startCli(["edit", ...args], { cwd, environment: environment() });
const small = ["--set", "output.width=64"];

async function credits(): Promise<number> {
  const { body } = { body: await (await stack.call("GET", "/v1/account")).json() };
  return (body as { credits: { remaining: number } }).credits.remaining;
}

/** Files below the folder that are no matter of the command's own. */
async function results(folder = "edited"): Promise<string[]> {
  const entries = await readdir(join(cwd, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files
    .map((file) => file.slice(join(cwd, folder).length + 1))
    .filter((file) => !file.startsWith(".packshot"))
    .sort();
}

/** Photos of as many products, so that no two have the same bytes. */
async function shelf(count: number, folder = "shelf", width = 200): Promise<void> {
  await mkdir(join(cwd, folder), { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const color = `#20${(40 + index).toString(16).padStart(2, "0")}70`;
    await writeFile(join(cwd, folder, `mug-${String(index).padStart(2, "0")}.jpg`), await drawnMug(color, width));
  }
}

const linesOf = ({ stdout }: EndedCli) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a folder, a file and an address are edited; what is done is skipped, what changed is not", async () => {
  await shelf(2);
  await mkdir(join(cwd, "shelf/deep"));
  await writeFile(
    join(cwd, "shelf/deep/mug-00.png"),
    await sharp(await drawnMug("#602040"))
      .png()
      .toBuffer(),
  );
  await writeFile(join(cwd, "shelf/.hidden.jpg"), "not a photo");
  await writeFile(join(cwd, "mug-00.jpg"), await drawnMug("#206040"));
  const server = createServer(async (_request, response) => void response.end(await drawnMug("#705020")));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pot%20red.jpg?size=2`;
  const before = await credits();

  const first = await edit("shelf", "mug-00.jpg", "mug-00.jpg", address, ...small);
  expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining("5 edited") });
  const files = ["deep/mug-00.png", "mug-00-2.png", "mug-00.png", "mug-01.png", "pot red.png"];
  expect(await results()).toEqual(files);
  expect(await sharp(join(cwd, "edited/deep/mug-00.png")).metadata()).toMatchObject({ width: 64, hasAlpha: true });
  expect(await credits()).toBe(before - 5);

  const second = await edit("shelf", "mug-00.jpg", address, ...small);
  expect(second).toMatchObject({ status: 0, stdout: expect.stringContaining("0 edited, 5 done before") });
  expect(await credits()).toBe(before - 5);

  await writeFile(join(cwd, "shelf/mug-01.jpg"), await drawnMug("#111111", 260));
  await rm(join(cwd, "edited/deep/mug-00.png"));
  const third = await edit("shelf", "mug-00.jpg", address, ...small);
  expect(third.stdout).toContain("2 edited, 3 done before");
  // Of the removed one the job was there still: only the changed photo was paid.
  expect(await credits()).toBe(before - 6);
  expect(await results()).toEqual(files);

  const other = await edit("shelf", "--set", "output.width=64", "--set", "output.format=webp");
  expect(other.stdout).toContain("3 edited");
  expect(await results()).toContain("mug-01.webp");
  const forced = await edit("mug-00.jpg", ...small, "--force");
  expect(forced.stdout).toContain("1 edited");
  expect(await credits()).toBe(before - 10);
  server.close();
});

test("a failed photo is named, the others are done, and the next run tries it again", async () => {
  await shelf(2);
  await writeFile(join(cwd, "shelf/broken.jpg"), "not a photo");
  await writeFile(
    join(cwd, "shelf/gray.png"),
    await sharp({ create: { width: 64, height: 64, channels: 3, background: "#808080" } })
      .png()
      .toBuffer(),
  );
  const first = await edit("shelf", "--json", ...small);
  expect(first.status).toBe(3);
  const events = linesOf(first);
  expect(events[0]).toEqual({ event: "begin", total: 4, parallel: 4 });
  expect(events.filter(({ event }) => event === "edited")).toHaveLength(2);
  expect(events.find(({ photo }) => photo === "shelf/broken.jpg")).toMatchObject({
    event: "failed",
    code: "unsupported_media_type",
  });
  expect(events.find(({ photo }) => photo === "shelf/gray.png")).toMatchObject({
    event: "failed",
    code: "no_product_found",
  });
  expect(events.find(({ photo }) => photo === "shelf/mug-00.jpg")).toMatchObject({
    ...{ event: "edited", file: "mug-00.png", credits: 1, jobId: expect.any(String), milliseconds: expect.any(Number) },
  });
  expect(events.at(-1)).toMatchObject({
    event: "summary",
    edited: 2,
    skipped: 0,
    failed: 2,
    credits: 2,
    stopped: false,
  });

  await writeFile(join(cwd, "shelf/broken.jpg"), await drawnMug("#602040"));
  const second = await edit("shelf", ...small);
  expect(second.status).toBe(3);
  expect(second.stdout).toMatch(/1 edited, 2 done before, 1 failed/);
  expect(second.stdout).toMatch(/Failed\n {2}shelf\/gray\.png: .*\(no_product_found\)/);
  expect(second.stderr).not.toContain("\u001b");
});

test("a killed run leaves no half result, and the next one pays for nothing again", async () => {
  await shelf(12);
  const before = await credits();
  const killed = startEdit("shelf", "--json", ...small);
  await killed.until(/"event":"edited"/);
  killed.child.kill("SIGKILL");
  await killed.ended;
  for (const file of await results()) await sharp(join(cwd, "edited", file)).stats();
  const second = await edit("shelf", "--json", ...small);
  expect(linesOf(second).at(-1)).toMatchObject({ event: "summary", failed: 0, stopped: false });
  expect(await results()).toHaveLength(12);
  expect(await credits()).toBe(before - 12);
  expect(await readdir(join(cwd, "edited/.packshot/parts"))).toEqual([]);
});

test("Ctrl-C stops it and says how to go on; the same command goes on", async () => {
  await shelf(12);
  const before = await credits();
  const stopped = startEdit("shelf", "--parallel", "2", ...small);
  await expect.poll(async () => (await results().catch(() => [])).length).toBeGreaterThan(0);
  stopped.child.kill("SIGINT");
  expect(await stopped.ended).toBe(130);
  expect(stopped.stdout()).toMatch(/To go on, run the same command again/);
  expect((await edit("shelf", ...small)).status).toBe(0);
  expect(await results()).toHaveLength(12);
  expect(await credits()).toBe(before - 12);
});

test("a file of another hand is neither replaced nor counted as done before it was asked for", async () => {
  await shelf(1);
  await mkdir(join(cwd, "edited"));
  await writeFile(join(cwd, "edited/mug-00.png"), "mine");
  const kept = await edit("shelf", ...small);
  expect(kept.stdout).toMatch(/Left as they were.*\n {2}shelf\/mug-00\.jpg: edited\/mug-00\.png/);
  expect(await readFile(join(cwd, "edited/mug-00.png"), "utf8")).toBe("mine");
  expect((await edit("shelf", "--force", ...small)).stdout).toContain("1 edited");
  expect((await stat(join(cwd, "edited/mug-00.png"))).size).toBeGreaterThan(100);
  const among = await edit("shelf", "--out", "shelf");
  expect(among).toMatchObject({ status: 1, stderr: expect.stringContaining("choose another folder for the results") });
});

test("--watch edits what is there and what comes, until it is stopped", async () => {
  await shelf(1);
  const watching = startEdit("--watch", "shelf", "--json", ...small);
  await watching.until(/"event":"edited","photo":"shelf\/mug-00.jpg"/);
  await writeFile(join(cwd, "shelf/late.jpg"), await drawnMug("#705020"));
  await watching.until(/"event":"edited","photo":"shelf\/late.jpg"/);
  // A photo that is taken anew is another one.
  await writeFile(join(cwd, "shelf/late.jpg"), await drawnMug("#207050"));
  await utimes(join(cwd, "shelf/late.jpg"), new Date(), new Date(Date.now() + 5_000));
  await watching.until(/shelf\/late.jpg".*\n.*"event":"edited","photo":"shelf\/late.jpg"/);
  watching.child.kill("SIGINT");
  expect(await watching.ended).toBe(0);
  expect(watching.stdout()).toMatch(/"event":"summary","edited":3,"skipped":0,"failed":0/);
});

test("what cannot be right is said in one sentence, before anything is sent", async () => {
  await shelf(1);
  const before = await credits();
  const refusals: [string[], RegExp][] = [
    [["gone.jpg"], /there is no photo or folder "gone\.jpg"/],
    [["shelf", "--tool", "erase"], /there is no tool "erase"; the account has mask, ai-shadows, ai-bg/],
    [["shelf", "--set", "output.witdh=3"], /mask has no parameter "output\.witdh"; it has .*output\.width/],
    [["shelf", "--set", "output.width=wide"], /output\.width must be a integer|output\.width must be a number/],
    [["shelf", "--tool", "mask", "--theme", "oak"], /mask has no parameter "theme"/],
    [["shelf", "--key", "ps_live_wrong"], /give a key that works with --key or PACKSHOT_KEY/],
    [["shelf", "--wide"], /Unknown option '--wide'/],
    [[], /name photos, folders or addresses/],
  ];
  const answers = await Promise.all(refusals.map(([args]) => edit(...args)));
  for (const [index, [args, message]] of refusals.entries()) {
    const { status, stderr } = answers[index]!;
    expect([status, stderr.trimEnd().split("\n").at(-1)], args.join(" ")).toEqual([1, expect.stringMatching(message)]);
    expect(stderr).not.toMatch(/ {4}at /);
  }
  expect(await credits()).toBe(before);
});

test("a theme makes a scene, a preset names its own tool, and --strict tells of what to look at", async () => {
  await shelf(1);
  const scene = await edit("shelf", "--theme", "oak table", "--json", "--out", "scenes", ...small);
  expect(linesOf(scene).find(({ event }) => event === "edited")).toMatchObject({ file: "mug-00.jpg" });
  const json = { tool: "ai-shadows", parameters: { output: { width: 48 } } };
  const headers = { "Content-Type": "application/json" };
  await stack.call("PUT", "/v1/presets/soft", { body: JSON.stringify(json), headers });
  expect((await edit("shelf", "--preset", "soft", "--out", "soft")).status).toBe(0);
  expect(await sharp(join(cwd, "soft/mug-00.png")).metadata()).toMatchObject({ width: 48 });
  // It reaches the photo's border.
  await mkdir(join(cwd, "cut"));
  const cut = await sharp(await drawnMug("#204060", 400, 300)).extract({
    left: 150,
    top: 100,
    width: 250,
    height: 200,
  });
  await writeFile(join(cwd, "cut/off.jpg"), await cut.jpeg().toBuffer());
  const strict = await edit("cut", "--strict", "--out", "looked", ...small);
  expect(strict).toMatchObject({ status: 4, stdout: expect.stringMatching(/Look at these\n {2}looked\/off\.png: /) });
  const again = await edit("cut", "--strict", "--out", "looked", ...small);
  expect(again).toMatchObject({ status: 4, stdout: expect.stringContaining("1 done before") });
});
