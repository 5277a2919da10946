/**
 * `packshot sync` as a process of its own, between folders and between places of a bucket, against a running stack.
 * @module-tag long
 * @module-tag versitygw
 */
import { once } from "node:events";
import { appendFile, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { createS3Client } from "@packshot/platform/storage/s3-client.ts";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCli, startCli } from "../testing/cli/run-cli.ts";
import { createShelf, linesOf, type Shelf } from "../testing/cli/shelf.ts";
import { drawnMug } from "../testing/images/drawn-mug.ts";
import { jointStack } from "../testing/joint/joint-stack.ts";
import { startS3 } from "../testing/servers/versitygw.ts";
import { suiteFixture } from "../testing/suite-fixture.ts";

const stack = jointStack();
const s3 = suiteFixture(startS3);
let shelf: Shelf;

beforeEach(async () => {
  shelf = await createShelf(stack);
});
afterEach(async () => await shelf.remove());

const small = ["--set", "output.width=64"];
const environment = () => ({
  PACKSHOT_URL: stack.file.apiUrl,
  PACKSHOT_KEY: stack.file.apiKey,
  AWS_ACCESS_KEY_ID: s3.settings.credentials!.accessKeyId,
  AWS_SECRET_ACCESS_KEY: s3.settings.credentials!.secretAccessKey,
});
const sync = (...args: string[]) => runCli(["sync", ...args], { cwd: shelf.cwd, environment: environment() });

describe("between folders", () => {
  test("a first run is asked for, then what is new or changed is edited and the rest skipped", async () => {
    await shelf.fill(3);
    const before = await shelf.credits();
    const planned = await sync("folder", "shelf", "done", ...small, "--dry-run");
    expect(planned).toMatchObject({ status: 0, stderr: "" });
    expect(planned.stdout).toMatch(
      /^3 photos to edit for 3 credits\n {2}edit {5}shelf\/mug-00\.jpg → .*\/done\/mug-00\n/,
    );
    const unasked = await sync("folder", "shelf", "done", ...small);
    expect(unasked.status).toBe(1);
    expect(unasked.stderr).toMatch(/3 photos to edit for 3 credits: this is the first run here/);
    expect([await shelf.credits(), await shelf.results("done")]).toEqual([before, []]);

    const first = await sync("folder", "shelf", "done", ...small, "--yes");
    expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining("3 edited") });
    const files = ["mug-00.png", "mug-01.png", "mug-02.png"];
    expect(await shelf.results("done")).toEqual(files);
    expect(await sharp(join(shelf.cwd, "done/mug-01.png")).metadata()).toMatchObject({ width: 64, hasAlpha: true });

    await writeFile(join(shelf.cwd, "shelf/mug-01.jpg"), await drawnMug("#111111", 260));
    await writeFile(join(shelf.cwd, "shelf/new.jpg"), await drawnMug("#aa3322"));
    const second = await sync("folder", "shelf", "done", ...small);
    expect(second).toMatchObject({ status: 0, stdout: expect.stringContaining("2 edited") });
    expect(await shelf.results("done")).toEqual([...files, "new.png"]);
    expect(await shelf.credits()).toBe(before - 5);

    const other = await sync("folder", "shelf", "done", "--set", "output.width=80");
    expect([other.status, other.stderr]).toEqual([1, expect.stringContaining("first run here with these settings")]);
    expect((await sync("folder", "shelf", "done", ...small, "--json")).stdout).toContain('"edited":0');
  });

  test("a photo that was only touched is not edited again, and a changed one is, whatever its version was before", async () => {
    await shelf.fill(2);
    const mug = join(shelf.cwd, "shelf/mug-00.jpg");
    const bytes = await readFile(mug);
    expect((await sync("folder", "shelf", "done", ...small, "--yes")).status).toBe(0);
    const before = await shelf.credits();
    const made = await readFile(join(shelf.cwd, "done/mug-00.png"));
    await utimes(mug, new Date(), new Date(Date.now() + 60_000));
    expect(await sync("folder", "shelf", "done", ...small)).toMatchObject({ status: 0 });
    expect(await shelf.credits()).toBe(before);
    expect(linesOf(await sync("folder", "shelf", "done", ...small, "--dry-run", "--json")).at(-1)).toMatchObject({
      edits: 0,
      done: 2,
    });
    await writeFile(mug, await drawnMug("#111111", 260));
    expect((await sync("folder", "shelf", "done", ...small)).status).toBe(0);
    await writeFile(mug, bytes);
    await utimes(mug, new Date(), new Date(Date.now() + 120_000));
    expect((await sync("folder", "shelf", "done", ...small)).status).toBe(0);
    expect(await readFile(join(shelf.cwd, "done/mug-00.png"))).toEqual(made);
    expect(await shelf.credits()).toBe(before - 2);
  });

  test("photos of one name have results that follow from their types", async () => {
    await shelf.fill(1);
    await writeFile(
      join(shelf.cwd, "shelf/mug-00.png"),
      await sharp(await drawnMug("#2020aa"))
        .png()
        .toBuffer(),
    );
    expect((await sync("folder", "shelf", "done", ...small, "--yes")).status).toBe(0);
    expect(await shelf.results("done")).toEqual(["mug-00-jpg.png", "mug-00-png.png"]);
  });

  test("two runs at once do not work with one folder, a dry run looks, and a killed run holds nothing", async () => {
    await shelf.fill(3);
    const place = ["folder", "shelf", "done", ...small, "--json", "--parallel", "1"];
    const first = startCli(["sync", ...place, "--yes"], { cwd: shelf.cwd, environment: environment() });
    await first.until(/"event":"edited"/);
    first.child.kill("SIGSTOP");
    const second = await sync(...place);
    expect(second.status).toBe(1);
    const who = new RegExp(
      `another run of sync works with .*/done, process ${first.child.pid} on .+ since 20\\d\\d-.*Z:`,
    );
    expect(second.stderr).toMatch(who);
    expect((await sync(...place, "--dry-run")).status).toBe(0);
    first.child.kill("SIGKILL");
    await first.ended;
    expect(await sync(...place)).toMatchObject({ status: 0, stderr: "" });
    expect(await shelf.results("done")).toEqual(["mug-00.png", "mug-01.png", "mug-02.png"]);
  });

  test("what an account's own preset has is a part of the settings: when it changes, photos are edited anew", async () => {
    await shelf.fill(1);
    const put = (width: number) =>
      stack.call("PUT", "/v1/presets/sync-spec", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ tool: "mask", parameters: { output: { width } } }),
      });
    const widthOf = async () => (await sharp(join(shelf.cwd, "done/mug-00.png")).metadata()).width;
    await put(40);
    const preset = ["folder", "shelf", "done", "--preset", "sync-spec"];
    expect((await sync(...preset, "--yes")).status).toBe(0);
    await put(60);
    expect((await sync(...preset)).stderr).toContain(
      "1 photo to edit for 1 credit: this is the first run here with these",
    );
    expect((await sync(...preset, "--yes")).status).toBe(0);
    expect(await widthOf()).toBe(60);
  });

  test.each([
    ["nothing", [], "sync needs what to sync: folder"],
    ["one folder", ["folder", "shelf"], "sync needs two places"],
    ["a folder into itself", ["folder", "shelf", "shelf"], "name two folders"],
    ["a bucket among its photos", ["s3", "s3://photos/in/deep", "s3://photos/in"], "would stand among the photos"],
    ["what is no bucket", ["s3", "photos", "s3://photos/out"], "is no place in S3"],
    ["several results", ["folder", "shelf", "done", "--set", "layers=true", "--tool", "ai-bg"], "makes one result"],
  ])("of %s is refused, and says why", async (_what, args, why) => {
    await shelf.fill(1);
    const { status, stderr } = await sync(...args);
    expect([status, stderr]).toEqual([1, expect.stringContaining(why)]);
  });
});

describe("between places of a bucket", () => {
  const client = () => createS3Client(s3.settings);
  const put = async (Key: string, Body: Buffer) =>
    void (await client().send(new PutObjectCommand({ Bucket: "photos", Key, Body })));
  async function keys(Prefix: string): Promise<string[]> {
    const { Contents = [] } = await client().send(new ListObjectsV2Command({ Bucket: "photos", Prefix }));
    return Contents.map(({ Key }) => Key!).sort();
  }
  async function bytesOf(Key: string): Promise<Buffer> {
    const { Body } = await client().send(new GetObjectCommand({ Bucket: "photos", Key }));
    return Buffer.from(await Body!.transformToByteArray());
  }
  const syncIn = (name: string, ...args: string[]) =>
    sync("s3", `s3://photos/${name}`, `s3://photos/${name}/cut`, "--endpoint", s3.url, ...small, ...args);

  test("results stand below their prefix, and what stood there before is left alone", async () => {
    await put("a/red.jpg", await drawnMug("#aa2020"));
    await put("a/deep/blue.jpg", await drawnMug("#2020aa"));
    await put("a/taken.jpg", await drawnMug("#20aa20"));
    await put("a/notes.txt", Buffer.from("no photo"));
    await put("a/cut/taken.png", Buffer.from("the shop's own"));
    const before = await shelf.credits();
    expect(linesOf(await syncIn("a", "--dry-run", "--json")).at(-1)).toMatchObject({ edits: 2, left: 1, credits: 2 });
    const first = await syncIn("a", "--yes", "--json");
    expect([first.status, first.stderr]).toEqual([0, ""]);
    expect(linesOf(first).filter(({ event }) => event === "occupied")).toMatchObject([
      { photo: "s3://photos/a/taken.jpg", file: "s3://photos/a/cut/taken.png" },
    ]);
    expect(await keys("a/cut/")).toEqual(["a/cut/deep/blue.png", "a/cut/red.png", "a/cut/taken.png"]);
    expect((await bytesOf("a/cut/taken.png")).toString()).toBe("the shop's own");
    expect(await sharp(await bytesOf("a/cut/red.png")).metadata()).toMatchObject({ format: "png", width: 64 });
    // What would be left out is not paid for.
    expect(await shelf.credits()).toBe(before - 2);

    await put("a/red.jpg", await drawnMug("#bb3030"));
    const red = await bytesOf("a/cut/red.png");
    const second = await syncIn("a", "--json");
    expect(linesOf(second).find(({ event }) => event === "summary")).toMatchObject({ edited: 1, credits: 1 });
    expect((await bytesOf("a/cut/red.png")).equals(red), "ours is replaced").toBe(false);
    expect(first.stdout + second.stdout).not.toContain(s3.settings.credentials!.secretAccessKey);
  });

  test("photos of one name have results of their own, and a retouched result is nobody's to replace", async () => {
    const red = await drawnMug("#aa2020");
    await put("e/mug.jpg", red);
    await put(
      "e/mug.webp",
      await sharp(await drawnMug("#2020aa"))
        .webp()
        .toBuffer(),
    );
    expect((await syncIn("e", "--yes")).status).toBe(0);
    expect(await keys("e/cut/")).toEqual(["e/cut/mug-jpg.png", "e/cut/mug-webp.png"]);
    // A further one changes the names of no others, also where there is no journal any more.
    await put("e/mug.gif", await sharp(red).gif().toBuffer());
    await rm(join(shelf.cwd, "packshot-sync"), { recursive: true });
    expect(linesOf(await syncIn("e", "--dry-run", "--json")).at(-1)).toMatchObject({ edits: 1, done: 2, left: 0 });
    expect((await syncIn("e", "--yes")).status).toBe(0);
    expect(await keys("e/cut/")).toEqual(["e/cut/mug-gif.png", "e/cut/mug-jpg.png", "e/cut/mug-webp.png"]);

    // This server leaves an object that is overwritten its metadata.
    await client().send(new DeleteObjectCommand({ Bucket: "photos", Key: "e/cut/mug-jpg.png" }));
    await put("e/cut/mug-jpg.png", Buffer.from("retouched by hand"));
    await put("e/mug.jpg", await drawnMug("#bb3030"));
    const second = await syncIn("e", "--json");
    expect(
      linesOf(second).filter(({ event }) => event === "occupied"),
      second.stdout + second.stderr,
    ).toHaveLength(1);
    expect((await bytesOf("e/cut/mug-jpg.png")).toString()).toBe("retouched by hand");
  });

  test("a run that was killed goes on, pays for nothing twice, and delivers what was edited", async () => {
    for (const [index, color] of ["#a02020", "#20a020", "#2020a0", "#a0a020"].entries()) {
      await put(`b/mug-${index}.jpg`, await drawnMug(color));
    }
    const before = await shelf.credits();
    const place = ["s3", "s3://photos/b", "s3://photos/b/cut", "--endpoint", s3.url, ...small, "--json"];
    const cwd = shelf.cwd;
    const started = startCli(["sync", ...place, "--yes", "--parallel", "1"], { cwd, environment: environment() });
    await started.until(/"event":"edited"/);
    started.child.kill("SIGKILL");
    await started.ended;
    const journal = join(cwd, "packshot-sync/.packshot/sync.ndjson");
    const [consent, ...delivered] = (await readFile(journal, "utf8")).trimEnd().split("\n");
    // As if it had been killed before the first delivery was written down, in the middle of a line.
    await writeFile(journal, `${consent}\n`);
    await appendFile(journal, delivered[0]!.slice(0, 20));
    const planned = await sync(...place, "--dry-run");
    expect(linesOf(planned).at(-1)).toMatchObject({ event: "plan", deliveries: expect.any(Number) });
    expect(linesOf(planned).at(-1).deliveries).toBeGreaterThanOrEqual(1);
    // The mark beside a result says that it is ours.
    const second = await sync(...place);
    expect([second.status, second.stderr]).toEqual([0, ""]);
    expect(await keys("b/cut/")).toEqual([0, 1, 2, 3].map((index) => `b/cut/mug-${index}.png`));
    expect(await shelf.credits()).toBe(before - 4);
    const nothing = { edits: 0, deliveries: 0, done: 4, credits: 0 };
    expect(linesOf(await sync(...place, "--dry-run")).at(-1)).toMatchObject(nothing);
  });

  test("Ctrl-C ends a run whose bucket does not answer", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const place = ["s3", "s3://photos/d", "s3://photos/d/cut", "--endpoint", `http://127.0.0.1:${port}`, "--dry-run"];
    const run = startCli(["sync", ...place], { cwd: shelf.cwd, environment: environment() });
    await once(silent, "request");
    run.child.kill("SIGINT");
    expect([await run.ended, run.stderr()]).toEqual([130, ""]);
    silent.closeAllConnections();
    silent.close();
  });

  test("what a bucket does not take fails its photo, and the next run delivers it", async () => {
    await put("c/mug.jpg", await drawnMug("#404060"));
    const reader = await s3.addUser(["s3:GetObject", "s3:ListBucket"]);
    const place = ["s3", "s3://photos/c", "s3://photos/c/cut", "--endpoint", s3.url, ...small];
    const readOnly = {
      ...environment(),
      AWS_ACCESS_KEY_ID: reader.accessKeyId,
      AWS_SECRET_ACCESS_KEY: reader.secretAccessKey,
    };
    const first = await runCli(["sync", ...place, "--yes"], { cwd: shelf.cwd, environment: readOnly });
    expect(first).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("The bucket did not take the result: AccessDenied (place_failed)"),
    });
    const before = await shelf.credits();
    expect((await sync(...place)).status).toBe(0);
    expect(await keys("c/cut/")).toEqual(["c/cut/mug.png"]);
    expect(await shelf.credits()).toBe(before);
  });
});
