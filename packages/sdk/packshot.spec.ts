/**
 * The SDK drives a running stack: uploads, waits, downloads, lists, webhooks and errors, as its README shows them.
 * @module-tag long
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { drawnMugs, mugsSize } from "../../testing/images/drawn-mugs.ts";
import { jointStack } from "../../testing/joint/joint-stack.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";
import { type Job, type JobProgress, Packshot, verifyWebhook, type WebhookEvent } from "./packshot.ts";

const stack = jointStack();
let packshot: Packshot;
let testing: Packshot;
let mug: Buffer;

/** A dark mug on a light ground. */
async function drawMug(width: number, height: number): Promise<Buffer> {
  const side = Math.round(Math.min(width, height) / 2);
  const product = Buffer.from(
    `<svg width="${side}" height="${side}"><rect width="100%" height="100%" rx="40" fill="#204060"/></svg>`,
  );
  const ground = { create: { width, height, channels: 3 as const, background: "#f4f2ee" } };
  return await sharp(ground)
    .composite([{ input: product }])
    .jpeg({ quality: 92 })
    .toBuffer();
}

beforeAll(async () => {
  const { apiUrl, apiKey } = stack.file;
  packshot = new Packshot({ baseUrl: `${apiUrl}/`, apiKey });
  const { key } = await packshot.account.keys.create({ name: "tests", live: false });
  testing = new Packshot({ baseUrl: apiUrl, apiKey: key });
  mug = await drawMug(640, 480);
});

const file = (bytes: Uint8Array = mug) => new Blob([new Uint8Array(bytes)], { type: "image/jpeg" });

test("a file is edited, its progress is told, and the result is read as a stream", async () => {
  const progress: JobProgress[] = [];
  const edited = await packshot.edit("mask", file(), {
    parameters: { seed: 7, output: { format: "webp", width: 320 } },
    metadata: { sku: "MUG-1" },
    onProgress: (step) => void progress.push(step),
  });
  expect(edited.job).toMatchObject({ status: "completed", metadata: { sku: "MUG-1" }, parameters: { seed: 7 } });
  expect(edited.job.report?.coverage).toBeGreaterThan(0.1);
  const download = await edited.download();
  expect(download.contentType).toBe("image/webp");
  const chunks = [];
  for await (const chunk of download.stream) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  expect(bytes.length).toBe(download.bytes);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 320, height: 240 });
  expect((await (await edited.thumbnail()).blob()).type).toBe("image/webp");
  expect(progress.at(-1)).toMatchObject({ kind: "job", job: { id: edited.job.id, status: "completed" } });
});

test("a shadow that the edit kept is an image of its own, and an edit without one says so", async () => {
  const { job: plain } = await packshot.edit("mask", file());
  await expect(packshot.jobs.download(plain, "shadow")).rejects.toMatchObject({ code: "no_shadow" });
  const shadowed = await drawnMugs([{ x: 250, y: 480, height: 300, color: "#b03428" }]);
  const { job } = await packshot.edit("mask", file(shadowed), { parameters: { keepShadow: true } });
  expect(job.report?.naturalShadow).toBe("separated");
  const shadow = await (await packshot.jobs.download(job, "shadow")).blob();
  expect(await sharp(await shadow.arrayBuffer()).metadata()).toMatchObject({ format: "png", ...mugsSize });
});

test("bytes, a stream, an address and an upload session are sources too", async () => {
  const server = createServer((_request, response) => void response.end(mug));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mug.jpg`;
  const session = await packshot.uploads.send(mug);
  expect(session.status).toBe("complete");
  const parameters = { seed: 1, output: { width: 100 } };
  const sources = [new Uint8Array(mug), Readable.from([mug]), file().stream(), address, new URL(address), session];
  const sizes = await Promise.all(
    sources.map(async (source) => (await packshot.edit("mask", source, { parameters })).job.report?.coverage),
  );
  expect(new Set(sizes).size).toBe(1);
  expect((await packshot.uploads.get(session.uploadSessionId)).status).toBe("complete");
  await packshot.uploads.delete(session.uploadSessionId);
  server.close();
});

test("a mask of one's own is a file, too, and its upload session is gone afterwards", async () => {
  const { width, height } = await sharp(mug).metadata();
  const left = { create: { width: width / 2, height, channels: 3 as const, background: "#ffffff" } };
  const half = await sharp({ create: { width, height, channels: 3, background: "#000000" } })
    .composite([{ input: left, left: 0, top: 0 }])
    .png()
    .toBuffer();
  const session = await packshot.uploads.send(mug);
  for (const source of [file(), session]) {
    const edited = await packshot.edit("mask", source, { mask: half, parameters: { refine: false } });
    const bytes = await (await edited.download()).blob();
    const pixels = await sharp(await bytes.arrayBuffer())
      .extractChannel("alpha")
      .raw()
      .toBuffer();
    const row = pixels.subarray(0, width);
    expect([row[10], row[width - 10]]).toEqual([255, 0]);
    const used = edited.job.parameters.maskImage?.uploadSessionId ?? "";
    await expect(packshot.uploads.get(used)).rejects.toMatchObject({ code: "not_found" });
    // Once more with another matte, and without one.
    const again = await packshot.jobs.wait(
      (await packshot.jobs.repeat(edited.job.id, { mask: half, refine: true })).id,
    );
    expect(again).toMatchObject({ repeatOf: edited.job.id, creditsCharged: 0, parameters: { refine: true } });
    expect(await packshot.jobs.repeat(edited.job.id)).toMatchObject({ tool: "mask", creditsCharged: 1 });
    expect((await packshot.jobs.approve(again.id)).review.verdict).toBe("approved");
    expect((await packshot.jobs.reject(again.id)).review).toMatchObject({ verdict: "rejected", creditsRefunded: 0 });
  }
  await packshot.uploads.delete(session.uploadSessionId);
});

test("a large file goes through an upload session, which is gone afterwards", async () => {
  const noise = { width: 1_900, height: 1_600, channels: 3 as const };
  const large = await sharp({
    create: { ...noise, background: "#808080", noise: { type: "gaussian", mean: 128, sigma: 60 } },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  expect(large.length).toBeGreaterThan(8 * 1024 * 1024);
  const paths: string[] = [];
  const watching = new Packshot({
    baseUrl: stack.file.apiUrl,
    apiKey: stack.file.apiKey,
    fetch(address, init) {
      paths.push(`${init?.method} ${new URL(String(address)).pathname.replace(/[^/]{30,}.*/, "…")}`);
      return fetch(address, init);
    },
  });
  const { id } = await watching.submit("mask", new File([new Uint8Array(large)], "wall.png", { type: "image/png" }));
  expect(paths).toEqual(["POST /v1/uploads", "PUT /storage/api/…", "POST /v1/tools/mask/edit", "DELETE /v1/uploads/…"]);
  await packshot.jobs.delete(id);

  // A program that was started again repeats its edit, whose session is gone by now.
  const again = { idempotencyKey: "wall-of-monday", parameters: { output: { width: 64 } } };
  const wall = new Blob([new Uint8Array(large)], { type: "image/png" });
  const first = await packshot.submit("mask", wall, again);
  expect((await packshot.submit("mask", wall, again)).id).toBe(first.id);
  await packshot.jobs.delete(first.id);
});

test("a job that fails, is cancelled or deleted rejects with its code", async () => {
  const from = (words: string) => `https://test.packshot.invalid/${words}`;
  await expect(testing.edit("mask", from("failed/no_product_found"))).rejects.toMatchObject({
    name: "PackshotError",
    code: "no_product_found",
    retryable: false,
    jobId: expect.any(String),
  });
  const { id } = await testing.submit("ai-bg", from("queued"));
  const cancelled = testing.jobs.wait(id);
  expect((await testing.jobs.cancel(id)).status).toBe("cancelled");
  await expect(testing.jobs.download(await cancelled)).rejects.toMatchObject({ code: "job_cancelled", jobId: id });
  const other = await testing.submit("ai-bg", from("queued"));
  const events: JobProgress[] = [];
  const deleted = testing.jobs.wait(other.id, { onProgress: (step) => void events.push(step) });
  const rejected = expect(deleted).rejects.toMatchObject({ code: expect.stringMatching(/^(job_deleted|not_found)$/) });
  await expect.poll(() => events.length).toBeGreaterThan(0);
  await testing.jobs.delete(other.id);
  await rejected;
});

test("an abort and a timeout end the wait and leave the job as it is", async () => {
  const { id } = await testing.submit("mask", "https://test.packshot.invalid/queued");
  const abort = new AbortController();
  const reason = new Error("left");
  const waiting = testing.jobs.wait(id, { signal: abort.signal, onProgress: () => abort.abort(reason) });
  await expect(waiting).rejects.toBe(reason);
  await expect(testing.jobs.wait(id, { waitTimeoutMs: 20 })).rejects.toMatchObject({ code: "timed_out", jobId: id });
  expect((await testing.jobs.get(id)).status).toBe("queued");
  await testing.jobs.delete(id);
});

/** Streams fail as behind some proxies; everything else passes. */
function withoutStreams(fate: "refused" | "cut"): Packshot {
  return new Packshot({
    baseUrl: stack.file.apiUrl,
    apiKey: stack.file.apiKey,
    retriesMax: 0,
    async fetch(address, init) {
      if (!String(address).endsWith("/events")) return await fetch(address, init);
      if (fate === "refused") return new Response("<html>no streams here</html>", { status: 502 });
      return new Response('id: 1\nevent: job\ndata: {"status":"queued"}\n\nid: 2\nevent: jo');
    },
  });
}

test.each(["refused", "cut"] as const)("where streams are %s it waits by polling", async (fate) => {
  const { job } = await withoutStreams(fate).edit("mask", file(), { parameters: { output: { width: 64 } } });
  expect(job.status).toBe("completed");
});

test("an edit whose response is lost is made and paid once", async () => {
  let lost = 0;
  const unlucky = new Packshot({
    baseUrl: stack.file.apiUrl,
    apiKey: stack.file.apiKey,
    async fetch(address, init) {
      const response = await fetch(address, init);
      if (init?.method !== "POST" || lost > 0) return response;
      lost += 1;
      throw new TypeError("connection reset");
    },
  });
  const before = (await packshot.account.get()).credits.remaining;
  const { job } = await unlucky.edit("mask", file(), { metadata: { sku: "ONCE" } });
  expect([lost, job.status]).toEqual([1, "completed"]);
  const jobs = await Array.fromAsync(packshot.jobs.list({ metadata: { sku: "ONCE" } }));
  expect(jobs.map(({ id }) => id)).toEqual([job.id]);
  expect((await packshot.account.get()).credits.remaining).toBe(before - 1);
});

test("lists are iterated over all their pages, and only as far as they are read", async () => {
  const made = await Promise.all(
    Array.from({ length: 5 }, () =>
      testing.submit("ai-bg", "https://test.packshot.invalid/queued", { metadata: { shelf: "7" } }),
    ),
  );
  const jobs: Job[] = [];
  for await (const job of testing.jobs.list({ limit: 2, tool: "ai-bg", metadata: { shelf: "7" } })) jobs.push(job);
  expect(jobs.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
  for await (const job of testing.jobs.list({ limit: 2 })) {
    expect(job.live).toBe(false);
    break;
  }
  const tools = await Array.fromAsync(packshot.tools.list());
  expect(tools.map(({ id }) => id)).toEqual(["mask", "ai-shadows", "ai-bg"]);
  expect((await packshot.tools.get("mask")).creditsPerEdit).toBe(1);
  expect((await packshot.account.usage()).credits.remaining).toBeGreaterThan(0);
  await Promise.all(made.map(({ id }) => testing.jobs.delete(id)));
});

test("a webhook is registered, tested, verified and redelivered; a changed one is refused", async () => {
  const receiver = await startReceiver();
  const { id, secret } = await packshot.webhooks.create({ url: receiver.url, events: ["job.completed"] });
  const { eventId } = await packshot.webhooks.test(id);
  await receiver.until((received) => received.length > 0);
  const { job } = await packshot.edit("mask", file(), { metadata: { sku: "HOOK" } });
  await receiver.until((received) => received.length > 1);
  const events: WebhookEvent[] = [];
  for (const { body, headers } of receiver.received) events.push(await verifyWebhook(body, headers, secret));
  expect(events[0]).toMatchObject({ event: "webhook.test", eventId });
  expect(events[1]).toMatchObject({ event: "job.completed", data: { id: job.id, metadata: { sku: "HOOK" } } });
  const [{ body, headers }] = receiver.received as [(typeof receiver.received)[0]];
  const changed = packshot.webhooks.verify(body.replace("test", "tost"), headers, secret);
  await expect(changed).rejects.toMatchObject({ code: "signature_invalid" });
  await expect(packshot.webhooks.verify(body, {}, secret)).rejects.toMatchObject({ code: "signature_invalid" });
  const ended = () => Array.fromAsync(packshot.webhooks.deliveries(id, { status: "succeeded", limit: 1 }));
  await expect
    .poll(async () => (await ended()).map((delivery) => delivery.event).sort())
    .toEqual(["job.completed", "webhook.test"]);
  const { id: delivered, request } = await packshot.webhooks.delivery(id, eventId);
  expect([delivered, request?.body]).toEqual([eventId, body]);
  await packshot.webhooks.redeliver(id, eventId);
  await receiver.until((received) => received.filter((one) => one.id === eventId).length === 2);
  const rotated = await packshot.webhooks.rotateSecret(id);
  expect(rotated.secret).not.toBe(secret);
  expect((await packshot.webhooks.update(id, { enabled: false })).status).toBe("disabled");
  expect((await Array.fromAsync(packshot.webhooks.list())).map((webhook) => webhook.id)).toEqual([id]);
  await packshot.webhooks.delete(id);
  await expect(packshot.webhooks.get(id)).rejects.toMatchObject({ code: "not_found", status: 404 });
  await receiver.close();
});

test("a webhook is told of each review, with the result unless it was rejected", async () => {
  const receiver = await startReceiver();
  const { id, secret } = await packshot.webhooks.create({ url: receiver.url, events: ["job.reviewed"] });
  const { job } = await packshot.edit("mask", file(), { metadata: { sku: "REVIEWED" } });
  const reviews = [await packshot.jobs.approve(job.id), await packshot.jobs.reject(job.id)];
  await receiver.until((received) => received.length > 1);
  const events = await Promise.all(receiver.received.map(({ body, headers }) => verifyWebhook(body, headers, secret)));
  const told = events.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  expect(told.map(({ event, data }) => [event, data.id, data.status, data.review])).toEqual(
    reviews.map(({ review }) => ["job.reviewed", job.id, "completed", review]),
  );
  expect(told[0]!.data).toMatchObject({ metadata: { sku: "REVIEWED" }, expiresAt: job.expiresAt, creditsCharged: 1 });
  expect([told[0]!.data.resultUrl, told[1]!.data.resultUrl]).toEqual([job.resultUrl, undefined]);
  await packshot.webhooks.delete(id);
  await receiver.close();
});

test("a preset and a bucket that are the account's own are kept and used", async () => {
  const parameters = { output: { format: "webp" as const, width: 90 } };
  expect(await packshot.presets.put("small", { tool: "mask", parameters })).toMatchObject({
    name: "small",
    tool: "mask",
  });
  expect((await Array.fromAsync(packshot.presets.list())).map(({ name }) => name)).toEqual(["small"]);
  const { job } = await packshot.edit("mask", file(), { preset: "small", parameters: { output: { width: 64 } } });
  expect(job.parameters.output).toEqual({ format: "webp", width: 64 });
  await packshot.presets.delete("small");
  await expect(packshot.presets.get("small")).rejects.toMatchObject({ code: "not_found" });

  const bucket = { name: "shop", endpoint: "https://s3.shop.example", region: "eu-central-1", bucket: "photos" };
  const key = { accessKeyId: "AKIAEXAMPLE", secretAccessKey: "secret" };
  const { id } = await packshot.connections.create({ ...bucket, ...key });
  expect(await packshot.connections.get(id)).toMatchObject(bucket);
  expect((await packshot.connections.update(id, { bucket: "pictures", ...key })).bucket).toBe("pictures");
  expect((await packshot.connections.test(id)).ok).toBe(false);
  expect(await Array.fromAsync(packshot.connections.list())).toHaveLength(1);
  await packshot.connections.delete(id);
  const destination = { connection: "shop", key: "{ref}.{ext}" };
  const refused = packshot.submit("mask", file(), { destination, metadata: { ref: "MUG-1" } });
  await expect(refused).rejects.toMatchObject({ code: "invalid_request" });
});
