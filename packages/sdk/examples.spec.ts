/**
 * The examples, as programs of users: they run with the built package, and compile against its types.
 * @module-tag long
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import sharp from "sharp";
import { expect, test } from "vitest";
import { jointStack } from "../../testing/joint/joint-stack.ts";
import { buildSdk } from "../../testing/sdk/build-sdk.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const stack = jointStack();
const consumer = suiteFixture(buildSdk);
const execute = promisify(execFile);

async function drawMug(color: string): Promise<Buffer> {
  const mug = Buffer.from(
    `<svg width="120" height="120"><rect width="100%" height="100%" rx="20" fill="${color}"/></svg>`,
  );
  const ground = { create: { width: 320, height: 240, channels: 3 as const, background: "#f4f2ee" } };
  return await sharp(ground)
    .composite([{ input: mug }])
    .jpeg()
    .toBuffer();
}

function start(program: string, args: readonly string[], env: Record<string, string>) {
  const options = { cwd: consumer.dir, env: { PATH: process.env.PATH, ...env }, stdio: "pipe" as const };
  return spawn(process.execPath, [join(consumer.dir, program), ...args], options);
}

async function catalog(
  program = "catalog-folder.ts",
  folders: readonly string[] = ["photos", "cut-outs"],
): Promise<{ code: number; lines: string[] }> {
  const env = { PACKSHOT_URL: stack.file.apiUrl, PACKSHOT_KEY: stack.file.apiKey };
  const child = start(program, folders, env);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on("line", (line) => lines.push(line));
  const [code] = (await once(child, "close")) as [number];
  return { code, lines };
}

test("catalog-folder cuts out a folder, names what failed, and runs again without paying twice", async () => {
  const photos = join(consumer.dir, "photos");
  await mkdir(photos);
  const colors = ["#204060", "#602040", "#206040"];
  for (const [index, color] of colors.entries())
    await writeFile(join(photos, `mug ${index}.jpg`), await drawMug(color));
  await writeFile(join(photos, "broken.jpg"), "not a photo");
  const credits = async () => {
    const account = (await (await stack.call("GET", "/v1/account")).json()) as { credits: { remaining: number } };
    return account.credits.remaining;
  };
  const before = await credits();

  const first = await catalog();
  expect(first.lines).toContainEqual(expect.stringMatching(/^broken\.jpg unsupported_media_type /));
  expect(JSON.parse(first.lines.at(-1)!)).toEqual({ done: 3, skipped: 0, failed: 1 });
  expect(first.code).toBe(1);
  expect((await readdir(join(consumer.dir, "cut-outs"))).sort()).toEqual(["mug 0.png", "mug 1.png", "mug 2.png"]);
  const { format, hasAlpha } = await sharp(join(consumer.dir, "cut-outs/mug 0.png")).metadata();
  expect([format, hasAlpha]).toEqual(["png", true]);
  expect(await credits()).toBe(before - 3);

  // As after a run that died between the edit and the file.
  await rm(join(consumer.dir, "cut-outs/mug 1.png"));
  const second = await catalog();
  expect(JSON.parse(second.lines.at(-1)!)).toEqual({ done: 1, skipped: 2, failed: 1 });
  expect(await credits()).toBe(before - 3);
});

test("catalog-batch edits a folder as a batch, and a second run is free", async () => {
  const shelf = join(consumer.dir, "shelf");
  await mkdir(shelf);
  for (const [index, color] of ["#705020", "#205070"].entries())
    await writeFile(join(shelf, `pot ${index}.jpg`), await drawMug(color));
  await writeFile(join(shelf, "broken.jpg"), "not a photo");
  const first = await catalog("catalog-batch.ts", ["shelf", "pots"]);
  expect(first.lines).toContainEqual(expect.stringMatching(/^broken\.jpg failed unsupported_media_type /));
  expect(JSON.parse(first.lines.at(-1)!)).toMatchObject({ completed: 2, failed: 1 });
  expect(first.code).toBe(1);
  await rm(join(shelf, "broken.jpg"));
  await rm(join(consumer.dir, "pots"), { recursive: true });

  const second = await catalog("catalog-batch.ts", ["shelf", "pots"]);
  expect(JSON.parse(second.lines.at(-1)!)).toMatchObject({ completed: 0, skipped: 2, failed: 0 });
  expect(second.code).toBe(0);
  expect((await readdir(join(consumer.dir, "pots"))).sort()).toEqual(["pot 0.png", "pot 1.png"]);
  const { format, hasAlpha } = await sharp(join(consumer.dir, "pots/pot 0.png")).metadata();
  expect([format, hasAlpha]).toEqual(["png", true]);
});

test("express-receiver takes a job's event once, and refuses one that nobody signed", async () => {
  const register = async (path: string, json: object) =>
    (
      await stack.call("POST", path, { body: JSON.stringify(json), headers: { "Content-Type": "application/json" } })
    ).json() as Promise<Record<string, string>>;
  // The secret comes with the webhook, and the webhook needs an address: the receiver's port is known before it listens.
  const placeholder = await register("/v1/webhooks", {
    url: "http://127.0.0.1:8099/hooks/packshot",
    events: ["job.completed"],
  });
  const child = start("express-receiver.ts", [], { PACKSHOT_WEBHOOK_SECRET: placeholder.secret!, PORT: "0" });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on("line", (line) => lines.push(line));
  await expect.poll(() => lines).toContainEqual(expect.stringContaining("listening"));
  const { port } = JSON.parse(lines.find((line) => line.startsWith("listening"))!.slice("listening ".length)) as {
    port: number;
  };
  const url = `http://127.0.0.1:${port}/hooks/packshot`;
  const headers = { "Content-Type": "application/json" };
  await stack.call("PATCH", `/v1/webhooks/${placeholder.id}`, { body: JSON.stringify({ url }), headers });

  const forged = await fetch(url, { method: "POST", headers, body: JSON.stringify({ event: "job.completed" }) });
  expect(forged.status).toBe(400);
  const form = new FormData();
  form.set("metadata.sku", "MUG-7");
  form.set("image", new Blob([new Uint8Array(await drawMug("#204060"))]), "mug.jpg");
  await stack.edit("mask", form);
  await expect.poll(() => lines).toContainEqual(expect.stringMatching(/^job\.completed MUG-7 http/));
  expect(lines).toContain("refused signature_invalid");
  child.kill();
  await once(child, "close");
});

test("the package's types compile in a program that knows Node's types only, and its code needs no newer Node than 20", async () => {
  const options = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2022",
    lib: ["es2022"],
    types: ["node"],
    allowImportingTsExtensions: true,
  };
  await writeFile(join(consumer.dir, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
  await execute(join(import.meta.dirname, "../../node_modules/.bin/tsc"), ["-p", consumer.dir]);
  // The machine's own Node, which is older than the pinned one on many.
  const program = `import { Packshot } from "@packshot/sdk";
const packshot = new Packshot({ baseUrl: ${JSON.stringify(stack.file.apiUrl)}, apiKey: ${JSON.stringify(stack.file.apiKey)} });
const { job } = await packshot.edit("mask", new Blob([await (await import("node:fs/promises")).readFile("photo.jpg")]));
console.log(job.status);`;
  await writeFile(join(consumer.dir, "program.mjs"), program);
  await writeFile(join(consumer.dir, "photo.jpg"), await drawMug("#204060"));
  const folders = process.env.PATH!.split(":").filter((folder) => !folder.includes("node_modules"));
  const ofMachine = folders.map((folder) => join(folder, "node")).find((file) => existsSync(file));
  const output = await execute(ofMachine ?? process.execPath, ["program.mjs"], { cwd: consumer.dir });
  expect(output.stdout).toBe("completed\n");
});
