/**
 * The running stack and a customer's bucket: sources from there, results to there, and all that can go wrong with it.
 * @module-tag versitygw
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { createS3Client } from "@packshot/platform/storage/s3-client.ts";
import sharp from "sharp";
import { afterEach, beforeAll, expect, test } from "vitest";
import * as images from "../../testing/images/odd-images.ts";
import { type ProxiedS3, startProxiedS3 } from "../../testing/servers/proxied-s3.ts";
import { formWith, type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";
import { filesBelow } from "../../testing/storage/files-below.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const photo = await images.jpeg();
const wrongSecret = randomBytes(20).toString("hex");

/** A shop whose photo comes when the test says so. */
async function startSite() {
  let onRequest: (answer: () => void) => void = () => {};
  const server = createServer((_request, response) => onRequest(() => response.end(photo)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    imageUrl: `http://127.0.0.1:${port}/mug.jpg`,
    /** Resolves with what answers it. */
    nextRequest: () => new Promise<() => void>((resolve) => (onRequest = resolve)),
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Fixture extends ProxiedS3 {
  readonly stack: LiveStack;
  readonly site: Awaited<ReturnType<typeof startSite>>;
}

const fixture = suiteFixture<Fixture>(async () => {
  const bucket = await startProxiedS3();
  const site = await startSite();
  const { host } = new URL(bucket.proxy.url);
  const environment = { PACKSHOT_ALLOW_CONNECTIONS: host, PACKSHOT_LOG_LEVEL: "debug" };
  const stack = await startLiveStack(environment, [site.host]);
  return {
    ...bucket,
    site,
    stack,
    async stop() {
      await stack.stop();
      await site.stop();
      await bucket.stop();
    },
  };
});
let client: S3Client;

beforeAll(async () => {
  client = createS3Client(fixture.s3.settings);
  const Body = photo;
  await client.send(new PutObjectCommand({ Bucket: "photos", Key: "catalog/in/røde krus.jpg", Body }));
  for (const [name, change] of [
    ["shop", {}],
    ["wrong-keys", { secretAccessKey: wrongSecret }],
    ["vanished", { bucket: "vanished" }],
  ] as const)
    expect((await connect(name, change)).status).toBe(201);
});
afterEach(() => fixture.proxy.setFault(() => undefined));

const credentials = () => {
  const { accessKeyId, secretAccessKey } = fixture.s3.settings.credentials!;
  return { accessKeyId, secretAccessKey };
};

async function connect(name: string, change: object): Promise<Response> {
  const { bucket, region } = fixture.s3.settings;
  const address = { endpoint: fixture.proxy.url, region, bucket, prefix: "catalog", ...credentials() };
  const body = JSON.stringify({ name, ...address, ...change });
  return await fixture.stack.call("POST", "/v1/connections", {
    body,
    headers: { "Content-Type": "application/json" },
  });
}

async function remaining(): Promise<number> {
  const account = await (await fixture.stack.call("GET", "/v1/account")).json();
  return (account as { credits: { remaining: number } }).credits.remaining;
}

test("a photo of the bucket is edited, and the result lies there as well as here", async () => {
  const { body: job } = await fixture.stack.edit("mask", {
    imageUrl: "s3://shop/in/røde krus.jpg",
    parameters: { output: { format: "webp" } },
    metadata: { ref: "K-17" },
    destination: { connection: "shop", key: "out/{ref}/{name}-{tool}.{ext}" },
  });
  expect([job.status, job.error]).toEqual(["completed", null]);
  const stored = { status: "stored", error: null, attempts: 1 };
  expect(job.destination).toEqual({ connection: "shop", key: "out/K-17/røde krus-mask.webp", ...stored });
  expect(job.timings.storeDestination).toBeGreaterThanOrEqual(0);
  const Key = "catalog/out/K-17/røde krus-mask.webp";
  const put = await client.send(new GetObjectCommand({ Bucket: "photos", Key }));
  const bytes = Buffer.from(await put.Body!.transformToByteArray());
  expect([put.ContentType, (await sharp(bytes).metadata()).format]).toEqual(["image/webp", "webp"]);
  const ours = await fixture.stack.call("GET", job.resultUrl);
  expect(Buffer.from(await ours.arrayBuffer()).equals(bytes)).toBe(true);
  expect((await fixture.stack.call("GET", job.thumbnailUrl)).status).toBe(200);
});

test("a file of a form goes there under its own name", async () => {
  const form = formWith(photo, { "destination.connection": "shop", "destination.key": "{name}.{ext}" });
  const { body: job } = await fixture.stack.edit("mask", form);
  expect([job.error, job.destination]).toMatchObject([
    null,
    { connection: "shop", key: "photo.png", status: "stored" },
  ]);
});

test("a bucket that is slow down for a moment is tried again", async () => {
  let refused = 0;
  fixture.proxy.setFault((line) =>
    line.startsWith("PUT") && refused++ === 0 ? { status: 503, code: "SlowDown" } : undefined,
  );
  const form = formWith(photo, { "destination.connection": "shop", "destination.key": "again.{ext}" });
  const { body: job } = await fixture.stack.edit("mask", form);
  expect([job.error, job.status, refused]).toEqual([null, "completed", 2]);
});

test.each([
  ["wrong-keys", "answered 403 SignatureDoesNotMatch"],
  ["vanished", "answered 404 NoSuchBucket"],
])("a result that the connection %s does not take is charged and stays here", async (connection, problem) => {
  const before = await remaining();
  const form = formWith(photo, { "destination.connection": connection, "destination.key": "{jobId}.{ext}" });
  const { body: job } = await fixture.stack.edit("mask", form);
  expect([job.status, job.creditsCharged, job.error, await remaining()]).toEqual(["completed", 1, null, before - 1]);
  const message = `The bucket of the connection "${connection}" ${problem}.`;
  const error = { code: "destination_failed", message, retryable: true };
  expect(job.destination).toMatchObject({ connection, status: "failed", error, attempts: 1 });
  const ours = await fixture.stack.call("GET", job.resultUrl);
  expect((await sharp(Buffer.from(await ours.arrayBuffer())).metadata()).format).toBe("png");
});

test("a result is delivered again when its connection has been mended, and then lies in the bucket", async () => {
  const { id } = (await (await connect("mended", { secretAccessKey: wrongSecret })).json()) as { id: string };
  const form = formWith(photo, { "destination.connection": "mended", "destination.key": "mended.{ext}" });
  const { body: job } = await fixture.stack.edit("mask", form);
  expect(job.destination).toMatchObject({ status: "failed", attempts: 1 });
  const headers = { "Content-Type": "application/json" };
  const change = { body: JSON.stringify(credentials()), headers };
  expect((await fixture.stack.call("PATCH", `/v1/connections/${id}`, change)).status).toBe(200);
  const delivered = await (await fixture.stack.call("POST", `/v1/jobs/${job.id}/deliver`)).json();
  expect(delivered).toMatchObject({ destination: { status: "stored", error: null, attempts: 2 } });
  const put = await client.send(new GetObjectCommand({ Bucket: "photos", Key: "catalog/mended.png" }));
  expect(Buffer.from(await put.Body!.transformToByteArray())).toEqual(
    Buffer.from(await (await fixture.stack.call("GET", job.resultUrl)).arrayBuffer()),
  );
});

test.each([
  ["s3://shop/in/none.jpg", /status 404/],
  ["s3://wrong-keys/in/røde krus.jpg", /status 403/],
  ["s3://vanished/in/røde krus.jpg", /status 404/],
])("a source that cannot be got, %s, fails the job", async (imageUrl, message) => {
  const { body: job } = await fixture.stack.edit("mask", { imageUrl });
  expect(job.error).toMatchObject({ code: "source_unreachable", message: expect.stringMatching(message) });
});

test("a connection that is deleted while its job runs fails the delivery", async () => {
  const { id } = (await (await connect("brief", {})).json()) as { id: string };
  const asked = fixture.site.nextRequest();
  const editing = fixture.stack.edit("mask", {
    imageUrl: fixture.site.imageUrl,
    destination: { connection: "brief", key: "{jobId}.png" },
  });
  const answer = await asked;
  expect((await fixture.stack.call("DELETE", `/v1/connections/${id}`)).status).toBe(204);
  answer();
  const message = expect.stringMatching(/^Connection "brief" no longer exists: create it anew/);
  const { body: job } = await editing;
  expect([job.status, job.destination]).toMatchObject([
    "completed",
    { status: "failed", error: { code: "destination_failed", message } },
  ]);
});

/** The stack removes files meanwhile: only what it has removed needs no reading. */
async function readUnlessGone(path: string): Promise<Buffer> {
  return await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  });
}

test("neither credentials nor links get into the log files of any process, or into the log", async () => {
  const folders = ["logs", "nats", "storage"].map((name) => join(fixture.stack.dataDir, name));
  const secrets = [credentials().secretAccessKey, wrongSecret, "X-Amz-Signature"];
  for (const folder of folders) {
    const files = await filesBelow(folder);
    expect(files.length, folder).toBeGreaterThan(0);
    for (const path of files) {
      const text = (await readUnlessGone(path)).toString("latin1");
      for (const secret of secrets) expect([path, text.includes(secret)]).toEqual([path, false]);
    }
  }
});
