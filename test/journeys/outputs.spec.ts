/** Several files of one edit through the whole stack: charged, delivered, told of, repeated and removed as one job. */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Packshot } from "@packshot/sdk/packshot.ts";
import AdmZip from "adm-zip";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { jpeg } from "../../testing/images/odd-images.ts";
import { formWith, type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

interface Listener {
  readonly server: Server;
  readonly origin: string;
}

async function listen(answer: (method: string, path: string, body: Buffer) => number): Promise<Listener> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    response.writeHead(answer(request.method!, request.url!.split("?")[0]!, body)).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** What the bucket has, by key, and the keys that it refuses. */
const bucket = new Map<string, Buffer>();
let refusedKey: string | undefined;
// biome-ignore lint/suspicious/noExplicitAny: events of every kind
const events: any[] = [];

const fixture = suiteFixture<{ readonly stack: LiveStack; stop(): Promise<void> }>(async () => {
  const store = await listen((method, path, body) => {
    const key = path.replace("/photos/catalog/", "");
    if (key === refusedKey) return 403;
    if (method === "PUT") bucket.set(key, body);
    return 200;
  });
  const receiver = await listen((_method, _path, body) => {
    events.push(JSON.parse(body.toString()));
    return 204;
  });
  const stack = await startLiveStack({ PACKSHOT_ALLOW_CONNECTIONS: new URL(store.origin).host });
  const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLE" };
  const address = { endpoint: store.origin, region: "auto", bucket: "photos", prefix: "catalog" };
  const post = async (path: string, json: object) => {
    const headers = { "Content-Type": "application/json" };
    const { status } = await stack.call("POST", path, { headers, body: JSON.stringify(json) });
    expect(status).toBe(201);
  };
  await post("/v1/connections", { name: "shop", ...address, ...credentials });
  await post("/v1/webhooks", { url: `${receiver.origin}/hook` });
  return {
    stack,
    async stop() {
      await stack.stop();
      for (const { server } of [store, receiver]) server.close();
    },
  };
});
const waiting = { timeout: 60_000, interval: 100 };
let photo: Buffer;

beforeAll(async () => {
  photo = await jpeg();
});

const files = [
  { name: "amazon", preset: "amazon-main" },
  { name: "zalando", preset: "zalando" },
  { name: "web-400", output: { format: "webp", width: 400 } },
  { name: "cutout", shadow: { kind: "drop" } },
];
const tooSmall = { name: "tiny", output: { format: "png", width: 1_500, maxBytes: 1_000 } };

const client = () => new Packshot({ baseUrl: fixture.stack.file.apiUrl, apiKey: fixture.stack.file.apiKey });
const creditsLeft = async () => (await client().account.get()).credits.remaining;
const edit = (outputs: readonly object[], fields: Readonly<Record<string, string>> = {}) =>
  fixture.stack.edit("mask", formWith(photo, { outputs: JSON.stringify(outputs), ...fields }));

async function bytesAt(url: string): Promise<Buffer> {
  const response = await fixture.stack.call("GET", url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

test("a job makes all files, of which one failed and costs nothing", async () => {
  const before = await creditsLeft();
  const { status, body: job } = await edit([files[0]!, tooSmall, ...files.slice(1)]);
  expect([status, job.status, job.error]).toEqual([200, "completed", null]);
  expect(job.creditsCharged).toBe(4);
  await expect.poll(creditsLeft, waiting).toBe(before - 4);

  const named = job.results.map(({ name, contentType, error }: typeof job) => [name, contentType, error?.code]);
  expect(named).toEqual([
    ["amazon", "image/jpeg", undefined],
    ["tiny", null, "max_bytes_unreachable"],
    ["zalando", "image/jpeg", undefined],
    ["web-400", "image/webp", undefined],
    ["cutout", "image/png", undefined],
  ]);
  expect(job.results[0].url).toBe(job.resultUrl);
  expect(job.results[0].checks).toEqual(job.report.checks);
  expect(job.results[2].checks.map(({ passed }: { passed: boolean }) => passed)).not.toContain(false);
  for (const { url, bytes, width, height, error } of job.results) {
    if (error !== undefined) continue;
    const file = await bytesAt(url);
    expect(file.length).toBe(bytes);
    expect(await sharp(file).metadata()).toMatchObject({ width, height });
  }
  expect(job.results[3].width).toBe(400);
  expect(job.results[4].report.shadow).toMatchObject({ kind: "drop" });

  await expect.poll(() => events.some(({ data }) => data.id === job.id), waiting).toBe(true);
  const { data } = events.find((event) => event.data.id === job.id);
  expect(data.creditsCharged).toBe(4);
  expect(data.results).toEqual(job.results.map(({ report: _, ...result }: typeof job) => result));

  expect((await fixture.stack.call("DELETE", `/v1/jobs/${job.id}`)).status).toBe(204);
  await expect
    .poll(async () => (await fixture.stack.storedFiles()).filter((file) => file.includes(job.id)), waiting)
    .toEqual([]);
});

test("a job whose first file fails has failed, and costs nothing", async () => {
  const before = await creditsLeft();
  const { body: job } = await edit([tooSmall, files[0]!]);
  expect([job.status, job.error.code, job.creditsCharged]).toEqual(["failed", "max_bytes_unreachable", 0]);
  await expect.poll(creditsLeft, waiting).toBe(before);
});

test("each file goes to its own key, and what a bucket refused is delivered again", async () => {
  refusedKey = "K-1/zalando.jpg";
  const destination = { "destination.connection": "shop", "destination.key": "{ref}/{output}.{ext}" };
  const { body: job } = await edit(files.slice(0, 3), { "metadata.ref": "K-1", ...destination });
  expect(job.destination).toMatchObject({ key: "K-1/amazon.jpg", status: "failed" });
  refusedKey = undefined;
  const delivered = await client().jobs.deliver(job.id);
  expect(delivered.destination).toMatchObject({ key: "K-1/amazon.jpg", status: "stored", attempts: 2 });
  const keyOf = ({ destinationKey }: NonNullable<typeof delivered.results>[number]) => destinationKey;
  expect(delivered.results!.map(keyOf)).toEqual(["K-1/amazon.jpg", "K-1/zalando.jpg", "K-1/web-400.webp"]);
  const keys = [...bucket.keys()].filter((key) => key.startsWith("K-1/"));
  expect(keys.sort()).toEqual(["K-1/amazon.jpg", "K-1/web-400.webp", "K-1/zalando.jpg"]);
  expect(bucket.get("K-1/web-400.webp")!.equals(await bytesAt(job.results[2].url))).toBe(true);

  const { body: beside } = await edit(files.slice(0, 3), { ...destination, "destination.key": "plain/mug.jpg" });
  expect(beside.destination).toMatchObject({ key: "plain/mug.jpg", status: "stored" });
  const besides = [...bucket.keys()].filter((key) => key.startsWith("plain/"));
  expect(besides.sort()).toEqual(["plain/mug-web-400.webp", "plain/mug-zalando.jpg", "plain/mug.jpg"]);
});

test("the SDK names a file, a repeat makes all of them again, and a rejection removes all", async () => {
  const packshot = client();
  const outputs = [files[0], { name: "thumbnail", output: { format: "webp", width: 64 } }, tooSmall] as never;
  const { job } = await packshot.edit("mask", new Blob([Uint8Array.from(photo)]), { parameters: { outputs } });
  const named = await new Response((await packshot.jobs.download(job, "thumbnail")).stream).bytes();
  expect(await sharp(named).metadata()).toMatchObject({ format: "webp", width: 64 });
  await expect(packshot.jobs.download(job, "tiny")).rejects.toMatchObject({ code: "max_bytes_unreachable" });

  const repeated = await packshot.jobs.wait((await packshot.jobs.repeat(job.id)).id);
  expect(repeated.results!.map(({ name, bytes }) => [name, bytes])).toEqual(
    job.results!.map(({ name, bytes }) => [name, bytes]),
  );
  const { width, height } = await sharp(photo).metadata();
  const mask = await sharp({ create: { width, height, channels: 3, background: "#fff" } })
    .png()
    .toBuffer();
  const { id } = await packshot.jobs.repeat(job.id, { mask: new Blob([Uint8Array.from(mask)]) });
  const free = await packshot.jobs.wait(id);
  expect([free.status, free.creditsCharged, free.repeatOf]).toEqual(["completed", 0, job.id]);
  expect(free.results).toHaveLength(3);

  await packshot.jobs.reject(job.id);
  const rejected = await packshot.jobs.get(job.id);
  expect([rejected.resultUrl, rejected.results]).toEqual([null, undefined]);
  for (const { url } of job.results!) if (url !== null) expect((await fixture.stack.call("GET", url)).status).toBe(404);
});

test("a retried request makes no second job, and one with another file is refused", async () => {
  const send = async (outputs: readonly object[]) => {
    const body = formWith(photo, { outputs: JSON.stringify(outputs) });
    const init = { body, headers: { "Idempotency-Key": "outputs-1" } };
    const response = await fixture.stack.call("POST", "/v1/tools/mask/edit", init);
    return (await response.json()) as { id: string; creditsCharged: number };
  };
  const first = await send(files.slice(0, 2));
  expect(first.creditsCharged).toBe(2);
  expect((await send(files.slice(0, 2))).id).toBe(first.id);
  expect(await send(files.slice(0, 3))).toMatchObject({ code: "idempotency_key_reused" });
});

test.each([
  ["two of one name", [files[0]!, files[0]!], "parameters.outputs.1.name"],
  ["a name with a slash", [{ name: "a/b" }], "parameters.outputs.0.name"],
  ["eleven files", Array.from({ length: 11 }, (_, i) => ({ name: `f${i}` })), "parameters.outputs"],
  ["no file", [], "parameters.outputs"],
  ["an unknown field", [{ name: "a", theme: "oak" }], "parameters.outputs.0.theme"],
  ["a picture of its own", [{ name: "a", background: { kind: "image" } }], "parameters.outputs.0.background.kind"],
])("refuses %s, and names the field", async (_what, outputs, field) => {
  const { status, body } = await edit(outputs);
  expect([status, body.code, body.details?.field]).toEqual([400, "invalid_request", field]);
});

async function batchOf(json: object) {
  const packshot = client();
  const { id } = await packshot.batches.create(json as never);
  const batch = await packshot.batches.wait(id);
  const rows = await Array.fromAsync(packshot.batches.report(id));
  const archive = await (await packshot.batches.archive(id)).blob();
  const names = new AdmZip(Buffer.from(await archive.arrayBuffer())).getEntries().map(({ entryName }) => entryName);
  return { id, batch, rows, names };
}

async function uploaded(bytes: Buffer): Promise<string> {
  const { uploadSessionId } = await client().uploads.send(new Blob([Uint8Array.from(bytes)], { type: "image/jpeg" }));
  return uploadSessionId;
}

test("the rows of a batch make all files, each charged, reported, archived and skipped as one", async () => {
  const before = await creditsLeft();
  const outputs = [files[0]!, tooSmall, files[2]!];
  const given = { tool: "mask", parameters: { outputs } };
  const items = [
    { ref: "K-1", uploadSessionId: await uploaded(photo) },
    { ref: "K-2", uploadSessionId: await uploaded(await sharp(photo).flop().jpeg().toBuffer()) },
    {
      ref: "one",
      uploadSessionId: await uploaded(await sharp(photo).flip().jpeg().toBuffer()),
      parameters: { outputs: [files[2]] },
    },
  ];
  const dryRun = await client().batches.dryRun({ ...given, items } as never);
  expect([dryRun.credits, dryRun.faulty]).toEqual([3 + 3 + 1, 0]);
  const { id, batch, rows, names } = await batchOf({ ...given, items });
  expect([batch.counts.completed, batch.creditsCharged]).toEqual([3, 2 + 2 + 1]);
  await expect.poll(creditsLeft, waiting).toBe(before - 5);
  expect(rows.map(({ credits, results }) => [credits, results!.map(({ name, error }) => error?.code ?? name)])).toEqual(
    [
      [2, ["amazon", "max_bytes_unreachable", "web-400"]],
      [2, ["amazon", "max_bytes_unreachable", "web-400"]],
      [1, ["web-400"]],
    ],
  );
  const [first] = rows;
  expect(first!.results![0]!.url).toBe(first!.resultUrl);
  expect((await bytesAt(first!.results![2]!.url!)).length).toBe(first!.results![2]!.bytes);
  expect(names).toEqual(["K-1.jpg", "K-1-web-400.webp", "K-2.jpg", "K-2-web-400.webp", "one.webp", "missing.csv"]);
  const csv = await (await (await client().batches.reportFile(id, "csv")).blob()).text();
  expect(csv.split("\r\n")[0]).toMatch(/,results,results\.amazon,results\.tiny,results\.web-400$/);

  const { parameters } = items[2]!;
  const flipped = await uploaded(await sharp(photo).flip().jpeg().toBuffer());
  const again = await batchOf({
    ...given,
    items: [
      { ref: "again", uploadSessionId: flipped, parameters },
      { ref: "lacking", uploadSessionId: await uploaded(photo) },
    ],
  });
  // A row without one of its files is not done.
  expect(again.rows.map(({ status, results }) => [status, results!.length])).toEqual([
    ["skipped", 1],
    ["completed", 3],
  ]);
});

test("a CSV file's cells have outputs as JSON, and their files go to the buckets of their rows", async () => {
  const cell = (value: object) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  const sessions = [await uploaded(await sharp(photo).rotate(90).jpeg().toBuffer()), await uploaded(photo)];
  const lines = [
    "ref,uploadSessionId,outputs",
    `C-1,${sessions[0]},${cell([files[0]!, files[2]!])}`,
    `C-2,${sessions[1]},${cell([files[0]!, files[0]!])}`,
    `C-3,${sessions[1]},nothing`,
    `C-4,${sessions[1]},`,
  ];
  const file = new File([lines.join("\n")], "rows.csv");
  const destination = { connection: "shop", key: "csv/{ref}-{output}.{ext}" };
  const { rows } = await batchOf({ tool: "mask", file, destination });
  expect(rows.map(({ ref, status, message }) => [ref, status, message])).toEqual([
    ["C-1", "completed", null],
    ["C-2", "failed", 'Two files of "outputs" have the name "amazon": give each its own.'],
    ["C-3", "failed", '"parameters.outputs" must be of type array or null: write it as a list in JSON, [{ … }].'],
    ["C-4", "failed", expect.stringContaining("has {output}, and this edit has none")],
  ]);
  const places = rows[0]!.results!.map((result) => result.destination);
  expect(places).toEqual(["s3://shop/csv/C-1-amazon.jpg", "s3://shop/csv/C-1-web-400.webp"]);
  expect([...bucket.keys()].filter((key) => key.startsWith("csv/")).sort()).toEqual([
    "csv/C-1-amazon.jpg",
    "csv/C-1-web-400.webp",
  ]);
});

test("a worker that is killed among the files makes all of them once, for one price", async () => {
  const before = await creditsLeft();
  const large = Array.from({ length: 8 }, (_, i) => ({
    name: `avif-${i}`,
    output: { format: "avif", width: 1_600 + i },
  }));
  const body = formWith(photo, { outputs: JSON.stringify(large) });
  const { id } = (await (await fixture.stack.call("POST", "/v1/tools/mask/edit", { body })).json()) as { id: string };
  const killed = workerPid();
  for await (const stage of stagesOf(id)) if (stage === "encode") break;
  process.kill(killed, "SIGKILL");
  const job = await client().jobs.wait(id);
  expect([job.status, job.results!.map(({ width }) => width)]).toEqual([
    "completed",
    large.map(({ output }) => output.width),
  ]);
  expect(workerPid()).not.toBe(killed);
  expect(job.creditsCharged).toBe(8);
  await expect.poll(creditsLeft, waiting).toBe(before - 8);
}, 120_000);

async function* stagesOf(id: string): AsyncGenerator<string> {
  const response = await fixture.stack.call("GET", `/v1/jobs/${id}/events`);
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    for (const [, stage] of chunk.matchAll(/"stage":\s*"(\w+)"/g)) yield stage!;
  }
}

/** The one whose data is below this stack's folder. */
function workerPid(): number {
  const isOurs = (pid: string) => {
    try {
      const program = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      return (
        program.includes("worker-main.ts") &&
        readFileSync(`/proc/${pid}/environ`, "utf8").includes(fixture.stack.dataDir)
      );
    } catch {
      return false;
    }
  };
  return Number(readdirSync("/proc").find((name) => /^\d+$/.test(name) && isOurs(name)));
}
