/**
 * Batches whose photos and results lie in a customer's bucket, through the whole stack and a real S3 server.
 * @module-tag versitygw
 */
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { createS3Client } from "@packshot/platform/storage/s3-client.ts";
import AdmZip from "adm-zip";
import sharp from "sharp";
import { afterEach, beforeAll, expect, test } from "vitest";
import * as images from "../../testing/images/odd-images.ts";
import { type ProxiedS3, startProxiedS3 } from "../../testing/servers/proxied-s3.ts";
import { type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

interface Fixture extends ProxiedS3 {
  readonly stack: LiveStack;
}

const fixture = suiteFixture<Fixture>(async () => {
  const bucket = await startProxiedS3();
  const stack = await startLiveStack({ PACKSHOT_ALLOW_CONNECTIONS: new URL(bucket.proxy.url).host });
  return {
    ...bucket,
    stack,
    async stop() {
      await stack.stop();
      await bucket.stop();
    },
  };
});
const waiting = { timeout: 60_000, interval: 100 };
let client: S3Client;

beforeAll(async () => {
  client = createS3Client(fixture.s3.settings);
  const kettle = await images.jpeg();
  const mug = await sharp(kettle).flop().jpeg().toBuffer();
  const blue = { width: 90, height: 90, channels: 3, background: "#0000ff" } as const;
  const wall = await sharp({ create: blue }).png().toBuffer();
  await store("in/kettle.jpg", kettle);
  await store("in/kettle copy.jpg", kettle);
  await store("in/mug.jpg", mug);
  await store("in/wall.png", wall);
  await connect("shop", {});
  await connect("vanished", { bucket: "vanished" });
});
afterEach(() => fixture.proxy.setFault(() => undefined));

async function store(key: string, Body: Buffer): Promise<void> {
  await client.send(new PutObjectCommand({ Bucket: "photos", Key: `catalog/${key}`, Body }));
}

async function connect(name: string, change: object): Promise<void> {
  const { bucket, region, credentials } = fixture.s3.settings;
  const { accessKeyId, secretAccessKey } = credentials!;
  const address = { endpoint: fixture.proxy.url, region, bucket, prefix: "catalog", accessKeyId, secretAccessKey };
  expect((await call("POST", "/v1/connections", { name, ...address, ...change })).status).toBe(201);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape; the tests say which
async function call(method: string, path: string, json?: object): Promise<{ status: number; body: any }> {
  const headers = { "Content-Type": "application/json" };
  const init = json === undefined ? {} : { body: JSON.stringify(json), headers };
  const response = await fixture.stack.call(method, path, init);
  return { status: response.status, body: await response.json() };
}

async function run(json: object) {
  const { status, body } = await call("POST", "/v1/batches", json);
  expect([status, body.message]).toEqual([202, undefined]);
  return await ended(body.id);
}

async function ended(id: string) {
  await expect.poll(async () => (await call("GET", `/v1/batches/${id}`)).body.finishedAt, waiting).not.toBeNull();
  const { body: batch } = await call("GET", `/v1/batches/${id}`);
  const text = await (await fixture.stack.call("GET", `/v1/batches/${id}/report`)).text();
  const report = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { id, batch, report };
}

/** Keys below `out/`. */
async function delivered(): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: "photos", Prefix: "catalog/out/" }));
  return Contents.map(({ Key }) => Key!.slice("catalog/".length));
}

async function fetchDelivered(key: string): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: "photos", Key: `catalog/${key}` }));
  return Buffer.from(await Body!.transformToByteArray());
}

test("photos of a bucket are edited into the bucket, and the same bytes cost once", async () => {
  const catalog = {
    destination: { connection: "shop", key: "out/{ref}/{tool}.{ext}" },
    tool: "mask",
    items: [
      { ref: "K-17", imageUrl: "s3://shop/in/kettle.jpg" },
      { ref: "M-4", imageUrl: "s3://shop/in/mug.jpg", parameters: { output: { format: "webp" } } },
      { ref: "K-18", imageUrl: "s3://shop/in/kettle copy.jpg" },
      { ref: "gone", imageUrl: "s3://shop/in/none.jpg" },
    ],
  };
  const first = await run(catalog);
  expect(first.batch.counts).toMatchObject({ completed: 2, skipped: 1, failed: 1 });
  expect([first.batch.creditsCharged, first.batch.destination]).toEqual([2, catalog.destination]);
  const places = first.report.map(({ ref, status, code, destination }) => [ref, status, code, destination]);
  expect(places).toEqual([
    ["K-17", "completed", null, "s3://shop/out/K-17/mask.png"],
    ["M-4", "completed", null, "s3://shop/out/M-4/mask.webp"],
    ["K-18", "skipped", null, "s3://shop/out/K-17/mask.png"],
    ["gone", "failed", "source_unreachable", null],
  ]);
  expect(first.report.map(({ resultUrl }) => resultUrl)).toEqual([null, null, null, null]);
  expect(await delivered()).toEqual(["out/K-17/mask.png", "out/M-4/mask.webp"]);
  expect((await sharp(await fetchDelivered("out/M-4/mask.webp")).metadata()).format).toBe("webp");

  const archive = await fixture.stack.call("GET", `/v1/batches/${first.id}/archive`);
  const entries = new AdmZip(Buffer.from(await archive.arrayBuffer())).getEntries();
  expect(entries.map((entry) => [entry.entryName, entry.getData().toString()])).toEqual([
    [
      "missing.csv",
      [
        "line,status,destination,file,ref",
        "1,completed,s3://shop/out/K-17/mask.png,,K-17",
        "2,completed,s3://shop/out/M-4/mask.webp,,M-4",
        "3,skipped,s3://shop/out/K-17/mask.png,,K-18",
        "4,failed,,,gone\r\n",
      ].join("\r\n"),
    ],
  ]);
  // No copy stays with the batch.
  expect((await fixture.stack.storedFiles()).filter((file) => file.includes(`${first.id}/results`))).toEqual([]);

  const again = await run(catalog);
  expect(again.batch.counts).toMatchObject({ completed: 0, skipped: 3, failed: 1 });
  expect(again.report[1].destination).toBe("s3://shop/out/M-4/mask.webp");
  const elsewhere = await run({ ...catalog, destination: { connection: "shop", key: "out/2/{name}.{ext}" } });
  expect(elsewhere.batch.counts).toMatchObject({ completed: 2, skipped: 1, failed: 1 });
  const redone = await run({ ...catalog, onExisting: "redo" });
  expect(redone.batch.counts).toMatchObject({ completed: 3, skipped: 0, failed: 1 });
  expect(await delivered()).toEqual(
    expect.arrayContaining(["out/2/kettle.png", "out/2/mug.webp", "out/K-18/mask.png"]),
  );
});

test("rows whose bucket takes no result are edited, stay here and are delivered later for nothing", async () => {
  const items = [
    { ref: "A", imageUrl: "s3://shop/in/mug.jpg" },
    { ref: "B", imageUrl: "s3://shop/in/mug.jpg", destination: { connection: "vanished" } },
  ];
  let isClosed = true;
  fixture.proxy.setFault((line) =>
    isClosed && line.startsWith("PUT /photos/") ? { status: 403, code: "AccessDenied" } : undefined,
  );
  const destination = { connection: "shop", key: "out/closed/{ref}.{ext}" };
  const catalog = { tool: "mask", onExisting: "skip", parameters: { seed: 9 }, destination, items };
  const refused = await run(catalog);
  expect(refused.batch).toMatchObject({ counts: { completed: 2, failed: 0 }, creditsCharged: 2, deliveriesFailed: 2 });
  expect(
    refused.report.map(({ delivery, message, credits, destination: at }) => [delivery, message, credits, at]),
  ).toEqual([
    ["failed", 'The bucket of the connection "shop" answered 403 AccessDenied.', 1, null],
    ["failed", 'The bucket of the connection "vanished" answered 404 NoSuchBucket.', 1, null],
  ]);
  for (const { resultUrl } of refused.report) expect((await fixture.stack.call("GET", resultUrl)).status).toBe(200);
  expect((await call("POST", `/v1/batches/${refused.id}/retry`)).status).toBe(409);
  isClosed = false;
  for (const { jobId } of refused.report) await call("POST", `/v1/jobs/${jobId}/deliver`);
  const left = async () => (await call("GET", `/v1/batches/${refused.id}`)).body.deliveriesFailed;
  await expect.poll(left, waiting).toBe(1);
  const after = await ended(refused.id);
  expect(after.batch).toMatchObject({ try: 1, counts: { completed: 2 }, creditsCharged: 2 });
  expect(after.report.map(({ delivery, destination: at }) => [delivery, at])).toEqual([
    ["stored", "s3://shop/out/closed/A.png"],
    ["failed", null],
  ]);
  expect(await delivered()).toContain("out/closed/A.png");
  // What its bucket has is done; what it does not have is not.
  expect((await run(catalog)).batch.counts).toMatchObject({ completed: 1, skipped: 1 });
});

test("rows have presets and background pictures, and the job says what a preset overrode", async () => {
  const preset = { tool: "mask", parameters: { output: { format: "webp", width: 200, crop: "none" } } };
  expect((await call("PUT", "/v1/presets/card", preset)).status).toBe(201);
  const backgroundImage = { imageUrl: "s3://shop/in/wall.png" };
  const { batch, report, id } = await run({
    preset: "card",
    onExisting: "redo",
    destination: { connection: "shop", key: "out/presets/{ref}.{ext}" },
    items: [
      { ref: "plain", imageUrl: "s3://shop/in/mug.jpg" },
      { ref: "wall", imageUrl: "s3://shop/in/mug.jpg", parameters: { output: { format: "png" }, backgroundImage } },
      { ref: "square", imageUrl: "s3://shop/in/mug.jpg", preset: "square-white" },
    ],
  });
  expect([batch.counts.completed, report.map(({ message }) => message)]).toEqual([3, [null, null, null]]);
  const images = await Promise.all(
    ["plain.webp", "wall.png", "square.jpg"].map(async (name) => sharp(await fetchDelivered(`out/presets/${name}`))),
  );
  const headers = await Promise.all(images.map((image) => image.metadata()));
  expect(headers.map(({ format, width }) => [format, width])).toEqual([
    ["webp", 200],
    ["png", 200],
    ["jpeg", 200],
  ]);
  // The wall, and not the photo, which came from the same bucket.
  const { data } = await images[1]!.removeAlpha().extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer({
    resolveWithObject: true,
  });
  expect([...data]).toEqual([0, 0, 255]);
  const { body } = await call("GET", `/v1/jobs?batch=${id}`);
  const square = body.data.find(({ batch: of }: { batch: { ref: string } }) => of.ref === "square");
  expect(square.parameters).toMatchObject({ preset: "square-white", output: { format: "webp", width: 200 } });
  const { body: job } = await call("GET", `/v1/jobs/${square.id}`);
  expect(job.report.overridden).toEqual(expect.arrayContaining(["output.format"]));
  expect(report[2].checks).toEqual(expect.arrayContaining([expect.objectContaining({ passed: expect.any(Boolean) })]));
});
