/**
 * `packshot edit` as a process of its own, against a running stack: what becomes of the photos.
 * @module-tag long
 */
import { once } from "node:events";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createShelf, linesOf, type Shelf } from "../../testing/cli/shelf.ts";
import { drawnMug } from "../../testing/images/drawn-mug.ts";
import { drawnMugs, mugsSize } from "../../testing/images/drawn-mugs.ts";
import { jointStack } from "../../testing/joint/joint-stack.ts";

const stack = jointStack();
let shelf: Shelf;

beforeEach(async () => {
  shelf = await createShelf(stack);
});
afterEach(async () => await shelf.remove());

const small = ["--set", "output.width=64"];

test("a folder, a file and an address are edited; what is done is skipped, what changed is not", async () => {
  await shelf.fill(2);
  await mkdir(join(shelf.cwd, "shelf/deep"));
  await writeFile(
    join(shelf.cwd, "shelf/deep/mug-00.png"),
    await sharp(await drawnMug("#602040"))
      .png()
      .toBuffer(),
  );
  await writeFile(join(shelf.cwd, "shelf/.hidden.jpg"), "not a photo");
  await writeFile(join(shelf.cwd, "mug-00.jpg"), await drawnMug("#206040"));
  const server = createServer(async (_request, response) => void response.end(await drawnMug("#705020")));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pot%20red.jpg?size=2`;
  const before = await shelf.credits();

  const first = await shelf.edit("shelf", "mug-00.jpg", "mug-00.jpg", address, ...small);
  expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining("5 edited") });
  const files = ["deep/mug-00.png", "mug-00-2.png", "mug-00.png", "mug-01.png", "pot red.png"];
  expect(await shelf.results()).toEqual(files);
  expect(await sharp(join(shelf.cwd, "edited/deep/mug-00.png")).metadata()).toMatchObject({
    width: 64,
    hasAlpha: true,
  });
  expect(await shelf.credits()).toBe(before - 5);

  const second = await shelf.edit("shelf", "mug-00.jpg", address, ...small);
  expect(second).toMatchObject({ status: 0, stdout: expect.stringContaining("0 edited, 5 done before") });
  expect(await shelf.credits()).toBe(before - 5);

  await writeFile(join(shelf.cwd, "shelf/mug-01.jpg"), await drawnMug("#111111", 260));
  await rm(join(shelf.cwd, "edited/deep/mug-00.png"));
  const third = await shelf.edit("shelf", "mug-00.jpg", address, ...small);
  expect(third.stdout).toContain("2 edited, 3 done before");
  // The removed result's job was there still: only the changed photo was paid.
  expect(await shelf.credits()).toBe(before - 6);
  expect(await shelf.results()).toEqual(files);

  const other = await shelf.edit("shelf", "--set", "output.width=64", "--set", "output.format=webp");
  expect(other.stdout).toContain("3 edited");
  expect(await shelf.results()).toContain("mug-01.webp");
  const forced = await shelf.edit("mug-00.jpg", ...small, "--force");
  expect(forced.stdout).toContain("1 edited");
  expect(await shelf.credits()).toBe(before - 10);
  server.close();
});

test("a photo is edited with a matte from a file, which is part of what it was edited with", async () => {
  await shelf.fill(2);
  const photo = join(shelf.cwd, "shelf/mug-00.jpg");
  const { width, height } = await sharp(photo).metadata();
  const left = { create: { width: width / 2, height, channels: 3 as const, background: "#ffffff" } };
  const matte = (background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .composite([{ input: left, left: 0, top: 0 }])
      .png()
      .toFile(join(shelf.cwd, "half.png"));
  await matte("#000000");
  const run = () => shelf.edit("shelf/mug-00.jpg", "--mask", "half.png");
  expect(await run()).toMatchObject({ status: 0, stdout: expect.stringContaining("1 edited") });
  const alpha = await sharp(join(shelf.cwd, "edited/mug-00.png")).extractChannel("alpha").raw().toBuffer();
  expect([alpha[10], alpha[width - 10]]).toEqual([255, 0]);
  expect(await run()).toMatchObject({ stdout: expect.stringContaining("0 edited, 1 done before") });
  await matte("#ffffff");
  expect(await run()).toMatchObject({ stdout: expect.stringContaining("1 edited") });
  expect(await shelf.edit("shelf", "--mask", "half.png")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("--mask is the matte of one photo, and there are 2."),
  });
});

test("the photo's own shadow is kept beside the result, and two photos' files never have one name", async () => {
  const mug = await drawnMugs([{ x: 250, y: 480, height: 300, color: "#b03428" }]);
  await writeFile(join(shelf.cwd, "mug.shadow.jpg"), await drawnMug("#208040"));
  await writeFile(join(shelf.cwd, "mug.jpg"), mug);
  const photos = ["mug.shadow.jpg", "mug.jpg", "--parallel", "1"];
  const edited = linesOf(await shelf.edit(...photos, "--set", "keepShadow=true", "--json"));
  expect(edited.find(({ photo }) => photo === "mug.jpg")).toMatchObject({
    event: "edited",
    file: "mug.png",
    shadow: "mug.shadow-2.png",
  });
  expect(edited.find(({ photo }) => photo === "mug.shadow.jpg")).not.toHaveProperty("shadow");
  expect(await shelf.results()).toEqual(["mug.png", "mug.shadow-2.png", "mug.shadow.png"]);
  expect(await sharp(join(shelf.cwd, "edited/mug.shadow-2.png")).metadata()).toMatchObject(mugsSize);
});

test("all variations are kept beside the first, which are paid together and not made again", async () => {
  await writeFile(join(shelf.cwd, "mug.jpg"), await drawnMug("#208040"));
  const before = await shelf.credits();
  const variations = ["mug.jpg", "--theme", "oak table", "--set", "variations=3"];
  const [edited] = linesOf(await shelf.edit(...variations, "--json")).filter(({ event }) => event === "edited");
  const further = ["mug.variation-2.jpg", "mug.variation-3.jpg"];
  expect(edited).toMatchObject({ file: "mug.jpg", further, credits: 3 });
  expect((await shelf.edit(...variations)).stdout).toContain("1 done before");
  expect([await shelf.credits(), await shelf.results()]).toEqual([before - 3, ["mug.jpg", ...further]]);
});

test("each --output is a file beside the first, and one that cannot be made is named and sets the status", async () => {
  await writeFile(join(shelf.cwd, "mug.jpg"), await drawnMug("#208040"));
  const before = await shelf.credits();
  const outputs = ["main=amazon-main", "web=output.format=webp,output.width=64", "card=shadow.kind=drop"];
  const flags = outputs.flatMap((output) => ["--output", output]);
  const [edited] = linesOf(await shelf.edit("mug.jpg", ...flags, "--json")).filter(({ event }) => event === "edited");
  expect(edited).toMatchObject({ file: "mug.jpg", further: ["mug.web.webp", "mug.card.png"], credits: 3 });
  expect(await sharp(join(shelf.cwd, "edited/mug.web.webp")).metadata()).toMatchObject({ width: 64 });
  expect((await shelf.edit("mug.jpg", ...flags)).stdout).toContain("1 done before");
  expect([await shelf.credits(), await shelf.results()]).toEqual([
    before - 3,
    ["mug.card.png", "mug.jpg", "mug.web.webp"],
  ]);

  const tiny = ["--output", "tiny=output.width=900,output.maxBytes=1000", "--force"];
  const partly = await shelf.edit("mug.jpg", ...flags, ...tiny);
  expect(partly.status).toBe(3);
  expect(partly.stdout).toMatch(/1 edited, 1 file of them not made in .*, 3 credits/);
  const named = /mug\.jpg \(tiny\): .* \(max_bytes_unreachable\)/;
  expect(partly.stdout).toMatch(named);
  const again = await shelf.edit("mug.jpg", ...flags, ...tiny.slice(0, 2));
  expect([again.status, again.stdout]).toEqual([3, expect.stringMatching(named)]);
  expect(again.stdout).toMatch(/0 edited, 1 done before, 1 file of them not made in .*, 0 credits/);
  expect(again.stdout).toContain("--force");
});

test.each([
  ["--output main=amazon", /there is no preset "amazon"; there are .*amazon-main/],
  ["--output main", /--output takes NAME=PRESET or NAME=FIELD=VALUE/],
  ["--output web=output.size=4", /a file of mask has no parameter "output.size"; it has name, preset, output.format/],
  ["--output main=ebay --preset ebay", /--preset ebay makes one file: give it to a file, as in --output main=ebay/],
  ["--output main=ebay --set outputs=[]", /--output and --set outputs=… say the same/],
  ["--set outputs=[x", /outputs must be a list as JSON/],
])("%s is refused before anything is sent", async (flags, message) => {
  await writeFile(join(shelf.cwd, "mug.jpg"), await drawnMug("#208040"));
  const refused = await shelf.edit("mug.jpg", ...flags.split(" "));
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(message)]);
});

test("the layers of a result are kept beside it", async () => {
  await writeFile(join(shelf.cwd, "mug.jpg"), await drawnMug("#208040"));
  const before = await shelf.credits();
  const options = ["mug.jpg", "--theme", "oak table", "--set", "layers=true", "--json"];
  const [edited] = linesOf(await shelf.edit(...options)).filter(({ event }) => event === "edited");
  const further = ["mug.background.png", "mug.shadow.png", "mug.product.png"];
  expect(edited).toMatchObject({ file: "mug.jpg", further, credits: 1 });
  expect([await shelf.credits(), await shelf.results()]).toEqual([before - 1, [...further, "mug.jpg"].sort()]);
  const [result, product] = await Promise.all(
    ["mug.jpg", "mug.product.png"].map((file) => sharp(join(shelf.cwd, "edited", file)).metadata()),
  );
  expect(product).toMatchObject({ hasAlpha: true, width: result!.width, height: result!.height });
});

test("a file that the folder had is never replaced by a shadow, and an earlier shadow is", async () => {
  await writeFile(join(shelf.cwd, "mug.jpg"), await drawnMugs([{ x: 250, y: 480, height: 300, color: "#b03428" }]));
  await mkdir(join(shelf.cwd, "edited"));
  await writeFile(join(shelf.cwd, "edited/mug.shadow.png"), "mine");
  for (const options of [[], ["--force"]]) {
    expect(await shelf.edit("mug.jpg", "--set", "keepShadow=true", ...options)).toMatchObject({ status: 0 });
    expect(await shelf.results()).toEqual(["mug.png", "mug.shadow-2.png", "mug.shadow.png"]);
  }
  expect(await readFile(join(shelf.cwd, "edited/mug.shadow.png"), "utf8")).toBe("mine");
});

test("a failed photo is named, the others are done, and the next run tries it again", async () => {
  await shelf.fill(2);
  await writeFile(join(shelf.cwd, "shelf/broken.jpg"), "not a photo");
  await writeFile(
    join(shelf.cwd, "shelf/gray.png"),
    await sharp({ create: { width: 64, height: 64, channels: 3, background: "#808080" } })
      .png()
      .toBuffer(),
  );
  const first = await shelf.edit("shelf", "--json", ...small);
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
    event: "edited",
    file: "mug-00.png",
    credits: 1,
    jobId: expect.any(String),
    milliseconds: expect.any(Number),
  });
  expect(events.at(-1)).toMatchObject({
    event: "summary",
    edited: 2,
    skipped: 0,
    failed: 2,
    credits: 2,
    stopped: false,
  });

  await writeFile(join(shelf.cwd, "shelf/broken.jpg"), await drawnMug("#602040"));
  const second = await shelf.edit("shelf", ...small);
  expect(second.status).toBe(3);
  expect(second.stdout).toMatch(/1 edited, 2 done before, 1 failed/);
  expect(second.stdout).toMatch(/Failed\n {2}shelf\/gray\.png: No .* \(no_product_found\)\n/);
  expect(second.stderr).not.toContain("\u001b");
});

test("a file of another hand is neither replaced nor counted as done before it was asked for", async () => {
  await shelf.fill(1);
  await mkdir(join(shelf.cwd, "edited"));
  await writeFile(join(shelf.cwd, "edited/mug-00.png"), "mine");
  const kept = await shelf.edit("shelf", ...small);
  expect(kept.stdout).toMatch(/Left as they were.*\n {2}shelf\/mug-00\.jpg: edited\/mug-00\.png/);
  expect(await readFile(join(shelf.cwd, "edited/mug-00.png"), "utf8")).toBe("mine");
  expect((await shelf.edit("shelf", "--force", ...small)).stdout).toContain("1 edited");
  expect((await stat(join(shelf.cwd, "edited/mug-00.png"))).size).toBeGreaterThan(100);
  const among = await shelf.edit("shelf", "--out", "shelf");
  expect(among).toMatchObject({ status: 1, stderr: expect.stringContaining("choose another folder for the results") });
});

test("a theme makes a scene, a preset names its own tool, and --strict tells of what to look at", async () => {
  await shelf.fill(1);
  const scene = await shelf.edit("shelf", "--theme", "oak table", "--json", "--out", "scenes", ...small);
  expect(linesOf(scene).find(({ event }) => event === "edited")).toMatchObject({ file: "mug-00.jpg" });
  const json = { tool: "ai-shadows", parameters: { output: { width: 48 } } };
  const headers = { "Content-Type": "application/json" };
  await stack.call("PUT", "/v1/presets/soft", { body: JSON.stringify(json), headers });
  expect((await shelf.edit("shelf", "--preset", "soft", "--out", "soft")).status).toBe(0);
  expect(await sharp(join(shelf.cwd, "soft/mug-00.png")).metadata()).toMatchObject({ width: 48 });
  // It reaches the photo's border.
  await mkdir(join(shelf.cwd, "cut"));
  const cut = await sharp(await drawnMug("#204060", 400, 300)).extract({
    left: 150,
    top: 100,
    width: 250,
    height: 200,
  });
  await writeFile(join(shelf.cwd, "cut/off.jpg"), await cut.jpeg().toBuffer());
  const strict = await shelf.edit("cut", "--strict", "--out", "looked", ...small);
  expect(strict).toMatchObject({ status: 4, stdout: expect.stringMatching(/Look at these\n {2}looked\/off\.png: /) });
  const again = await shelf.edit("cut", "--strict", "--out", "looked", ...small);
  expect(again).toMatchObject({ status: 4, stdout: expect.stringContaining("1 done before") });
});
