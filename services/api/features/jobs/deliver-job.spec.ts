/** Deliveries that clients ask for again, against two API processes and a bucket that answers as the test says. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Account } from "@packshot/domain/accounts/account.ts";
import { handOutRows, openBatch, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { deliveriesMax } from "@packshot/domain/jobs/bucket-delivery.ts";
import {
  type BucketDelivery,
  type CompletedJob,
  claimJob,
  completeJob,
  type Job,
  type ResultFile,
} from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { eventWrite, jobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type OpenedAccount, openAccount } from "../../../../testing/api/accounts.ts";
import { type ApiProcesses, startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createRowSegments } from "../batches/rows/row-segments.ts";

interface Put {
  readonly path: string;
  readonly type: string | undefined;
  readonly body: string;
}

const takes = (response: ServerResponse) => response.end();
const refuses = (response: ServerResponse) => response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");

async function startBucket() {
  const puts: Put[] = [];
  let answer: (response: ServerResponse) => void = takes;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    puts.push({ path: request.url!.split("?")[0]!, type: request.headers["content-type"], body });
    answer(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    puts,
    answerWith: (next: typeof answer) => (answer = next),
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Fixture {
  readonly apis: ApiProcesses;
  readonly bucket: Awaited<ReturnType<typeof startBucket>>;
  stop(): Promise<void>;
}

const fixture = suiteFixture<Fixture>(async () => {
  const bucket = await startBucket();
  const apis = await startApis({ count: 2, environment: { PACKSHOT_ALLOW_CONNECTIONS: bucket.host } });
  return {
    bucket,
    apis,
    async stop() {
      await apis.stop();
      await bucket.stop();
    },
  };
});
let account: OpenedAccount;
let here: ContractClient;
let there: ContractClient;

beforeAll(async () => {
  account = await openAccount(fixture.apis.all[0]!);
  [here, there] = fixture.apis.all.map(({ url }) => apiClient(url, account.key)) as [ContractClient, ContractClient];
  const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLE" };
  const address = { endpoint: `http://${fixture.bucket.host}`, region: "auto", bucket: "photos", prefix: "catalog" };
  const made = await here.call("POST", "/v1/connections", { json: { name: "shop", ...address, ...credentials } });
  expect(made.status).toBe(201);
});
afterEach(() => {
  fixture.bucket.answerWith(takes);
  fixture.bucket.puts.length = 0;
});

const destination = { connection: "shop", key: "out/mug.{ext}" };
const refusal = (message: string) => ({ code: "destination_failed", message, retryable: true }) as const;
const refused: BucketDelivery = { status: "failed", attempts: 1, error: refusal("Refused.") };
const subjectOf = (id: string) => subjects.job(account.accountId, id);
const deliver = (id: string, by = here) => by.call("POST", `/v1/jobs/${id}/deliver`);
const creditsLeft = async () =>
  (await fixture.apis.log.read<Account>(subjects.account(account.accountId))).value!.credits.remaining;

async function acceptJob(json: object = { destination }): Promise<string> {
  const imageUrl = "https://shop.example/a.jpg";
  const { status, body } = await here.call("POST", "/v1/tools/mask/edit", { json: { imageUrl, ...json } });
  expect(status).toBe(202);
  return body.id;
}

/** Claims the job, and ends the claim as `change` says. */
async function work(id: string, change: (job: Job & { status: "processing" }) => Job): Promise<void> {
  const { log } = fixture.apis;
  const { value, sequence } = await log.read<Job>(subjectOf(id));
  const request = { attemptId: uuidv7(), readySequence: 1, nowMs: Date.now(), retentionMs: 60_000 };
  const claimed = claimJob(value, request);
  if (claimed.kind !== "claimed") throw new Error(claimed.kind);
  const after = change(claimed.job);
  const ended = after.status === "completed" ? [eventWrite(jobEndedEvent(after, uuidv7()))] : [];
  await log.commit("test", [{ subject: subjectOf(id), value: after, expected: sequence }, ...ended]);
}

/** A job whose result its bucket did not take, unless `change` says otherwise. */
async function undelivered(change: Partial<CompletedJob> = {}): Promise<string> {
  const id = await acceptJob();
  const key = `${storageKeys.job(account.accountId, id)}result.png`;
  const storage = createDiskStorage({ dir: fixture.apis.storageDir });
  const { bytes } = await storage.write(key, Buffer.from("a result"), { bytesMax: 100 });
  const file = { key, contentType: "image/png", bytes };
  const result = {
    result: file,
    thumbnail: file,
    model: "m@1",
    report: {},
    timings: { total: 1 },
    inferenceMs: 0,
    delivery: refused,
  };
  const times = { nowMs: Date.now(), retentionMs: 60_000 };
  await work(id, (job) => ({ ...completeJob(job, result, "m@1", times), ...change }));
  return id;
}

test("a result that its bucket refused is delivered again, once, and costs nothing more", async () => {
  const id = await undelivered();
  const before = await here.call("GET", `/v1/jobs/${id}`);
  const file = { connection: "shop", key: "out/mug.png" };
  expect(before.body).toMatchObject({ status: "completed", creditsCharged: 1, error: null });
  expect(before.body.destination).toEqual({ ...file, status: "failed", error: refused.error, attempts: 1 });
  expect(await (await fetch(before.body.resultUrl)).text()).toBe("a result");
  const credits = await creditsLeft();
  const delivered = await deliver(id);
  expect(delivered).toMatchObject({ status: 200, body: { id, expiresAt: before.body.expiresAt } });
  expect(delivered.body.destination).toEqual({ ...file, status: "stored", error: null, attempts: 2 });
  expect(fixture.bucket.puts).toEqual([{ path: "/photos/catalog/out/mug.png", type: "image/png", body: "a result" }]);
  for (const by of [here, there]) expect((await deliver(id, by)).body.destination).toEqual(delivered.body.destination);
  expect([fixture.bucket.puts.length, await creditsLeft()]).toEqual([1, credits]);
});

test("all results of an edit are delivered again, those beside the first with their names", async () => {
  const id = await undelivered();
  const { value, sequence } = await fixture.apis.log.read<CompletedJob>(subjectOf(id));
  const key = `${storageKeys.job(account.accountId, id)}variation-2.png`;
  const storage = createDiskStorage({ dir: fixture.apis.storageDir });
  const { bytes } = await storage.write(key, Buffer.from("another"), { bytesMax: 100 });
  const size = { width: 1, height: 1 };
  const results = [
    { ...value!.result, ...size, name: "variation-1" },
    { key, contentType: "image/png", bytes, ...size, name: "variation-2" },
  ];
  await fixture.apis.log.commit("test", [
    { subject: subjectOf(id), value: { ...value!, results }, expected: sequence },
  ]);
  expect((await deliver(id)).body.destination).toMatchObject({ key: "out/mug.png", status: "stored" });
  expect(fixture.bucket.puts.map(({ path, body }) => [path, body])).toEqual([
    ["/photos/catalog/out/mug.png", "a result"],
    ["/photos/catalog/out/mug-variation-2.png", "another"],
  ]);
});

test("layers are delivered again as PNGs of their names, whatever the result is", async () => {
  const id = await undelivered();
  const { value, sequence } = await fixture.apis.log.read<CompletedJob>(subjectOf(id));
  const storage = createDiskStorage({ dir: fixture.apis.storageDir });
  const layers: ResultFile[] = [];
  for (const name of ["shadow", "product"]) {
    const key = `${storageKeys.job(account.accountId, id)}layer-${name}.png`;
    const { bytes } = await storage.write(key, Buffer.from(`the ${name}`), { bytesMax: 100 });
    layers.push({ key, contentType: "image/png", bytes, width: 1, height: 1, name });
  }
  const destination = { ...value!.destination!, key: "out/mug.jpg" };
  await fixture.apis.log.commit("test", [
    { subject: subjectOf(id), value: { ...value!, destination, layers }, expected: sequence },
  ]);
  expect((await deliver(id)).body.destination).toMatchObject({ key: "out/mug.jpg", status: "stored" });
  expect(fixture.bucket.puts.map(({ path, type, body }) => [path, type, body])).toEqual([
    ["/photos/catalog/out/mug.jpg", "image/png", "a result"],
    ["/photos/catalog/out/mug-shadow.png", "image/png", "the shadow"],
    ["/photos/catalog/out/mug-product.png", "image/png", "the product"],
  ]);
});

test("a bucket that refuses again is told in the job, and asked 20 times in all", async () => {
  fixture.bucket.answerWith(refuses);
  const id = await undelivered({ delivery: { ...refused, attempts: deliveriesMax - 1 } });
  const message = 'The bucket of the connection "shop" answered 403 AccessDenied.';
  const again = await deliver(id);
  expect([again.status, again.body.destination]).toMatchObject([
    200,
    { status: "failed", error: refusal(message), attempts: deliveriesMax },
  ]);
  fixture.bucket.answerWith(takes);
  expect(await deliver(id)).toMatchObject({ status: 409, body: { code: "not_deliverable" } });
  expect(fixture.bucket.puts).toHaveLength(1);
});

test("of two requests at once, to two processes, one delivers", async () => {
  const id = await undelivered();
  const asked = Promise.withResolvers<ServerResponse>();
  fixture.bucket.answerWith((response) => asked.resolve(response));
  const first = deliver(id);
  const response = await asked.promise;
  for (const by of [here, there])
    expect(await deliver(id, by)).toMatchObject({ status: 409, body: { code: "delivery_in_progress" } });
  response.end();
  expect((await first).body.destination).toMatchObject({ status: "stored", attempts: 2 });
  expect(fixture.bucket.puts).toHaveLength(1);
});

test("an account whose bucket is silent has four deliveries at once in a process, and another account its own", async () => {
  const held: ServerResponse[] = [];
  const four = Promise.withResolvers<void>();
  fixture.bucket.answerWith((response) => {
    if (held.push(response) === 4) four.resolve();
  });
  const ids = [await undelivered(), await undelivered(), await undelivered(), await undelivered()];
  const last = await undelivered();
  const delivering = ids.map((id) => deliver(id));
  await four.promise;
  expect(await deliver(last)).toMatchObject({ status: 429, body: { code: "rate_limit_exceeded" } });
  const other = apiClient(fixture.apis.all[0]!.url, (await openAccount(fixture.apis.all[0]!)).key);
  expect((await deliver(last, other)).status).toBe(404);
  fixture.bucket.answerWith(takes);
  for (const response of held) response.end();
  for (const { body } of await Promise.all(delivering)) expect(body.destination.status).toBe("stored");
  expect((await deliver(last)).status).toBe(200);
});

test("a delivery whose process has died may be followed by another", async () => {
  const running = { id: uuidv7(), until: isoTime(Date.now() - 1) };
  const id = await undelivered({ delivery: { ...refused, running } });
  expect((await deliver(id)).body.destination).toMatchObject({ status: "stored", attempts: 2 });
});

test("there is nothing to deliver of a job without a destination or a result, and none of another account's", async () => {
  const plain = await acceptJob({});
  const open = await acceptJob();
  const other = apiClient(fixture.apis.all[0]!.url, (await openAccount(fixture.apis.all[0]!)).key);
  for (const id of [plain, open])
    expect(await deliver(id)).toMatchObject({ status: 409, body: { code: "not_deliverable" } });
  expect((await here.call("GET", `/v1/jobs/${open}`)).body.destination).toEqual({
    ...destination,
    status: null,
    error: null,
    attempts: 0,
  });
  for (const [id, by] of [[await undelivered(), other] as const, [uuidv7(), here] as const])
    expect(await deliver(id, by)).toMatchObject({ status: 404, body: { code: "not_found" } });
  const reader = await here.call("POST", "/v1/account/keys", {
    json: { name: "reader", live: true, scopes: ["read"] },
  });
  const read = apiClient(fixture.apis.all[0]!.url, reader.body.key);
  expect(await deliver(open, read)).toMatchObject({ status: 403, body: { code: "scope_missing" } });
});

test("our own fault is an error of the request and no delivery", async () => {
  const key = `${storageKeys.job(account.accountId, uuidv7())}none.png`;
  const id = await undelivered();
  const { value, sequence } = await fixture.apis.log.read<CompletedJob>(subjectOf(id));
  const gone = { ...value!, result: { ...value!.result, key } };
  await fixture.apis.log.commit("test", [{ subject: subjectOf(id), value: gone, expected: sequence }]);
  expect((await deliver(id)).status).toBe(503);
  expect((await here.call("GET", `/v1/jobs/${id}`)).body.destination).toMatchObject({ status: "failed", attempts: 1 });
});

test("a row of a batch whose bucket refused it is edited and charged, and its batch learns when the result has come", async () => {
  const { log, storageDir } = fixture.apis;
  const storage = createDiskStorage({ dir: storageDir });
  const given = { id: uuidv7(), accountId: account.accountId, live: true, tool: "mask", parameters: {} } as const;
  const nowMs = Date.now();
  const opened = openBatch({ ...given, onExisting: "skip", destination, input: { kind: "inline" } }, nowMs);
  const started = handOutRows(startBatch(opened, 1, nowMs), 1, 1);
  const source = { kind: "url", imageUrl: "https://shop.example/1.jpg" } as const;
  const row = { row: 0, line: 1, ref: "M-4", source, tool: "mask", parameters: {}, destination };
  await createRowSegments(storage).write(started, { segment: 0, part: 0, text: Buffer.from(JSON.stringify(row)) });
  await log.commit("test", [{ subject: subjects.batch(account.accountId, given.id), value: started, expected: 0 }]);
  const fingerprint = "f".repeat(64);
  const id = await undelivered({ batch: { id: given.id, row: 0, try: 1, ref: "M-4", fingerprint } });

  const batch = async () => (await here.call("GET", `/v1/batches/${given.id}`)).body;
  const report = async () => JSON.parse((await here.call("GET", `/v1/batches/${given.id}/report?format=ndjson`)).body);
  const done = () => Array.fromAsync(storage.list(storageKeys.fingerprints(account.accountId)), ({ key }) => key);
  await expect.poll(async () => (await batch()).status).toBe("completed");
  const counts = { completed: 1, failed: 0 };
  expect(await batch()).toMatchObject({ counts, creditsCharged: 1, deliveriesFailed: 1 });
  const line = { status: "completed", code: "destination_failed", delivery: "failed", destination: null, credits: 1 };
  const refusedRow = await report();
  expect(refusedRow).toMatchObject(line);
  expect(await (await fetch(refusedRow.resultUrl)).text()).toBe("a result");
  // Who sends the row again wants its file in the bucket.
  expect(await done()).toEqual([]);

  await deliver(id);
  await expect.poll(async () => (await batch()).deliveriesFailed).toBe(0);
  expect(await batch()).toMatchObject({ status: "completed", counts, creditsCharged: 1 });
  const place = "s3://shop/out/mug.png";
  expect(await report()).toMatchObject({ status: "completed", code: null, delivery: "stored", destination: place });
  expect(await done()).toHaveLength(1);
});

test("a job whose result is on its way to a bucket is neither cancelled nor deleted, so nobody gets it for nothing", async () => {
  const id = await acceptJob();
  const credits = await creditsLeft();
  await work(id, (job) => ({ ...job, deliveringSince: isoTime(Date.now()) }));
  for (const [method, path] of [
    ["POST", `/v1/jobs/${id}/cancel`],
    ["DELETE", `/v1/jobs/${id}`],
  ] as const)
    expect(await here.call(method, path)).toMatchObject({ status: 409, body: { code: "job_already_finished" } });
  expect([(await here.call("GET", `/v1/jobs/${id}`)).body.status, await creditsLeft()]).toEqual([
    "processing",
    credits,
  ]);
});
