/**
 * A tour of the running stack, one journey of each kind: the three tools, a webhook, a batch, the SDK, the command line
 * and the console. The suites of test/journeys and test/console try each of them in depth.
 */

import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Packshot, verifyWebhook } from "../../packages/sdk/packshot.ts";
import { runCli } from "../../testing/cli/run-cli.ts";
import { buildConsoleHere } from "../../testing/console/console-stack.ts";
import { drawnMug } from "../../testing/images/drawn-mug.ts";
import { startLiveStack } from "../../testing/stack/live-stack.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";

const blue = "#204060";
const shop = createServer(async (request, response) => {
  if (request.url === "/mug.jpg") response.end(await drawnMug(blue));
  else response.writeHead(404).end();
});
const stack = suiteFixture(async () => {
  buildConsoleHere();
  return await startLiveStack({}, ["127.0.0.1:*"]);
});
let folder: string;
let photo: Blob;
let packshot: Packshot;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packshot-tour-"));
  photo = new Blob([new Uint8Array(await drawnMug(blue))], { type: "image/jpeg" });
  packshot = new Packshot({ baseUrl: stack.file.apiUrl, apiKey: stack.file.apiKey });
  await once(shop.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  shop.close();
  await rm(folder, { recursive: true, force: true });
});

const shopUrl = (path: string) => `http://127.0.0.1:${(shop.address() as AddressInfo).port}${path}`;

async function edit(tool: "mask" | "ai-shadows" | "ai-bg", parameters: object) {
  const edited = await packshot.edit(tool, photo, { parameters });
  const bytes = Buffer.from(await (await (await edited.download()).blob()).arrayBuffer());
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const middle = (Math.round(info.height / 2) * info.width + Math.round(info.width / 2)) * info.channels;
  return {
    job: edited.job,
    info,
    corner: [...data.subarray(0, info.channels)],
    middle: [...data.subarray(middle, middle + 3)],
  };
}

test("mask cuts the product out: its own colors in the middle, nothing in the corner", async () => {
  const { job, info, corner, middle } = await edit("mask", {});
  const source = await sharp(await photo.arrayBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = source.info;
  expect(info).toMatchObject({ width, height, channels: 4 });
  expect(corner[3]).toBe(0);
  const at = (Math.round(height / 2) * width + Math.round(width / 2)) * source.info.channels;
  expect(middle).toEqual([...source.data.subarray(at, at + 3)]);
  expect(job).toMatchObject({ status: "completed", error: null, creditsCharged: 1 });
});

test("ai-shadows and ai-bg give pictures of the photo's size, a scene without transparency", async () => {
  const shadow = await edit("ai-shadows", { seed: 5 });
  const scene = await edit("ai-bg", { theme: "oak table, morning light", seed: 5, output: { format: "png" } });
  expect(shadow.info.channels).toBe(4);
  expect([scene.info.width, scene.info.height]).toEqual([shadow.info.width, shadow.info.height]);
  expect(scene.info.channels).toBe(3);
  expect(scene.corner).not.toEqual([255, 255, 255]);
});

test("a webhook is delivered, signed, and says what its job says", async () => {
  const receiver = await startReceiver();
  const { id, secret } = await packshot.webhooks.create({ url: receiver.url });
  const { job } = await edit("mask", { output: { width: 64 } });
  await receiver.until((received) => received.some(({ body }) => body.includes(job.id)));
  const { body, headers } = receiver.received.find((one) => one.body.includes(job.id))!;
  const event = await verifyWebhook(body, headers as Record<string, string>, secret);
  expect(event).toMatchObject({ event: "job.completed", data: { id: job.id, status: "completed" } });
  await packshot.webhooks.delete(id);
  await receiver.close();
});

test("a batch edits its rows, and its report names the one that failed", async () => {
  const items = ["/mug.jpg", "/gone.jpg"].map((path) => ({ ref: path, imageUrl: shopUrl(path) }));
  const { id } = await packshot.batches.create({ tool: "mask", parameters: { output: { width: 32 } }, items });
  expect(await packshot.batches.wait(id)).toMatchObject({ status: "completed", counts: { completed: 1, failed: 1 } });
  const rows = await Array.fromAsync(packshot.batches.report(id));
  expect(rows.map(({ ref, status, code }) => [ref, status, code])).toEqual([
    ["/mug.jpg", "completed", null],
    ["/gone.jpg", "failed", "source_unreachable"],
  ]);
});

test("the command line edits a folder", async () => {
  await writeFile(join(folder, "mug.jpg"), Buffer.from(await photo.arrayBuffer()));
  const environment = { PACKSHOT_URL: stack.file.apiUrl, PACKSHOT_KEY: stack.file.apiKey };
  const ran = await runCli(["edit", folder, "--out", join(folder, "cut-outs"), "--set", "output.width=64"], {
    environment,
  });
  expect(ran).toMatchObject({ status: 0 });
  expect(await readdir(join(folder, "cut-outs"))).toContain("mug.png");
});

test("the console's page and the API's reference are served", async () => {
  for (const path of ["/", "/docs"]) {
    const response = await stack.call("GET", `${stack.file.apiUrl}${path}`);
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      200,
      "text/html; charset=utf-8",
    ]);
  }
  const [script] = /\/console\/[^"]+\.js/.exec(await (await stack.call("GET", `${stack.file.apiUrl}/`)).text())!;
  expect((await stack.call("GET", `${stack.file.apiUrl}${script}`)).status).toBe(200);
});
