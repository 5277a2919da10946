/**
 * `packshot edit` that is interrupted, waits for photos, or cannot begin, as a process of its own.
 * @module-tag long
 */
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createShelf, linesOf, type Shelf } from "../../testing/cli/shelf.ts";
import { drawnMug } from "../../testing/images/drawn-mug.ts";
import { jointStack } from "../../testing/joint/joint-stack.ts";

const stack = jointStack();
let shelf: Shelf;

beforeEach(async () => {
  shelf = await createShelf(stack);
});
afterEach(async () => await shelf.remove());

const small = ["--set", "output.width=64"];

test("a killed run leaves no half result, and the next one pays for nothing again", async () => {
  await shelf.fill(12);
  const before = await shelf.credits();
  const killed = shelf.startEdit("shelf", "--json", ...small);
  await killed.until(/"event":"edited"/);
  killed.child.kill("SIGKILL");
  await killed.ended;
  for (const file of await shelf.results()) await sharp(join(shelf.cwd, "edited", file)).stats();
  const second = await shelf.edit("shelf", "--json", ...small);
  expect(linesOf(second).at(-1)).toMatchObject({ event: "summary", failed: 0, stopped: false });
  expect(await shelf.results()).toHaveLength(12);
  expect(await shelf.credits()).toBe(before - 12);
  expect(await readdir(join(shelf.cwd, "edited/.packshot/parts"))).toEqual([]);
});

test("Ctrl-C stops it and says how to go on; the same command goes on", async () => {
  await shelf.fill(12);
  const before = await shelf.credits();
  const stopped = shelf.startEdit("shelf", "--parallel", "2", ...small);
  await expect.poll(async () => (await shelf.results().catch(() => [])).length).toBeGreaterThan(0);
  stopped.child.kill("SIGINT");
  expect(await stopped.ended).toBe(130);
  expect(stopped.stdout()).toMatch(/To go on, run the same command again/);
  expect((await shelf.edit("shelf", ...small)).status).toBe(0);
  expect(await shelf.results()).toHaveLength(12);
  expect(await shelf.credits()).toBe(before - 12);
});

test("--watch edits what is there and what comes, until it is stopped", async () => {
  await shelf.fill(1);
  const watching = shelf.startEdit("--watch", "shelf", "--json", ...small);
  await watching.until(/"event":"edited","photo":"shelf\/mug-00.jpg"/);
  await writeFile(join(shelf.cwd, "shelf/late.jpg"), await drawnMug("#705020"));
  await watching.until(/"event":"edited","photo":"shelf\/late.jpg"/);
  // A photo that is taken anew is another one.
  await writeFile(join(shelf.cwd, "shelf/late.jpg"), await drawnMug("#207050"));
  await utimes(join(shelf.cwd, "shelf/late.jpg"), new Date(), new Date(Date.now() + 5_000));
  await watching.until(/shelf\/late.jpg".*\n.*"event":"edited","photo":"shelf\/late.jpg"/);
  watching.child.kill("SIGINT");
  expect(await watching.ended).toBe(0);
  expect(watching.stdout()).toMatch(/"event":"summary","edited":3,"skipped":0,"failed":0/);
});

test("what cannot be right is said in one sentence, before anything is sent", async () => {
  await shelf.fill(1);
  const before = await shelf.credits();
  const refusals: [string[], RegExp][] = [
    [["gone.jpg"], /there is no photo or folder "gone\.jpg"/],
    [["shelf", "--tool", "erase"], /there is no tool "erase"; the account has mask, ai-shadows, ai-bg/],
    [["shelf", "--set", "output.witdh=3"], /mask has no parameter "output\.witdh"; it has .*output\.width/],
    [["shelf", "--set", "output.width=wide"], /output\.width must be a integer|output\.width must be a number/],
    [["shelf", "--set", "output.width=0"], /output\.width must be from 1 to 8192, not 0\./],
    [["shelf", "--set", "output.format=gif"], /output\.format must be one of png, webp, jpeg, avif, not "gif"\./],
    [["shelf", "--preset", "amazn"], /there is no preset "amazn"; there are amazon-main, .*, square-white\.$/],
    [["shelf", "--preset", "ebay", "--theme", "oak"], /the preset "ebay" is one of mask, not of ai-bg\./],
    [["--watch", "away"], /the folder "away" cannot be read \(ENOENT\)/],
    [["shelf", "--tool", "mask", "--theme", "oak"], /mask has no parameter "theme"/],
    [["shelf", "--key", "ps_live_wrong"], /give a key that works with --key or PACKSHOT_KEY/],
    [["shelf", "--wide"], /Unknown option '--wide'/],
    [[], /name photos, folders or addresses/],
  ];
  const answers = await Promise.all(refusals.map(([args]) => shelf.edit(...args)));
  for (const [index, [args, message]] of refusals.entries()) {
    const { status, stderr } = answers[index]!;
    expect([status, stderr.trimEnd().split("\n").at(-1)], args.join(" ")).toEqual([1, expect.stringMatching(message)]);
    expect(stderr).not.toMatch(/ {4}at /);
  }
  expect(await shelf.credits()).toBe(before);
});
