import { request } from "node:http";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { openBatch, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createProcessHeartbeat } from "@packshot/service/process-heartbeat.ts";
import AdmZip from "adm-zip";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createOutcomeFiles } from "./rows/outcome-files.ts";
import { createRowSegments } from "./rows/row-segments.ts";

const apis = suiteFixture(startApis);
const photo = Buffer.alloc(3_000_000, "photo");
let client: ContractClient;
let batch: Batch;
const poll = { timeout: 30_000 };
let url: string;
let key: string;

beforeAll(async () => {
  const [api] = apis.all;
  const account = await openAccount(api!);
  ({ url } = api!);
  ({ key } = account);
  client = apiClient(url, key);
  batch = await storeBatch(account.accountId, { rows: 2 });
});

/** As feeder and settler leave it. */
async function storeBatch(accountId: string, { rows }: { rows: number }): Promise<Batch> {
  const storage = createDiskStorage({ dir: apis.storageDir });
  const given = { id: uuidv7(), accountId, live: true, tool: "mask", parameters: {}, onExisting: "redo" } as const;
  const opened = openBatch({ ...given, destination: null, input: { kind: "inline" } }, Date.now());
  const stored = { ...startBatch(opened, rows, Date.now()), nextRow: rows };
  const source = { kind: "url", imageUrl: "https://shop.example/1.jpg" };
  const line = (row: number) =>
    JSON.stringify({ row, line: row + 1, ref: `K ${row} 👟`, source, tool: "mask", parameters: {} });
  await createRowSegments(storage).write(stored, {
    segment: 0,
    part: 0,
    text: Buffer.from([0, 1].map(line).join("\n")),
  });
  const result = storageKeys.batchResult(accountId, stored.id, 0);
  await storage.write(result, photo, { bytesMax: photo.length });
  await createOutcomeFiles(storage).add(stored, 0, { first: 1, last: 1 }, [
    {
      row: 0,
      try: 1,
      sequence: 1,
      status: "completed",
      jobId: uuidv7(),
      code: null,
      message: null,
      result: { key: result, contentType: "image/png", bytes: photo.length },
      destination: null,
      sameAs: null,
      quality: null,
      checks: null,
      credits: 1,
      milliseconds: 5,
      at: stored.createdAt,
    },
  ]);
  await apis.log.commit("test", [{ subject: subjects.batch(accountId, stored.id), value: stored, expected: 0 }]);
  return stored;
}

test("a report is NDJSON or CSV, and its links work without a key", async () => {
  const path = `/v1/batches/${batch.id}/report`;
  const { body, headers } = await client.call("GET", path);
  expect(headers.get("content-type")).toBe("application/x-ndjson");
  const [first, second] = (body as string)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({ ref: "K 0 👟", line: 1, status: "completed", credits: 1 });
  expect(second).toMatchObject({ ref: "K 1 👟", line: 2, status: "open", resultUrl: null });
  const kept = await fetch(first.resultUrl);
  expect(kept.headers.get("content-disposition")).toContain("K_0___.png");
  expect(Buffer.from(await kept.arrayBuffer()).equals(photo)).toBe(true);

  const csv = await client.call("GET", path, { headers: { Accept: "text/csv" } });
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(csv.headers.get("content-disposition")).toBe(`attachment; filename="batch-${batch.id}.csv"`);
  expect(csv.body).toMatch(/^ref,line,status,.*\r\nK 0 👟,1,completed,/);
  expect((await client.call("GET", `${path}?format=csv`)).body).toBe(csv.body);
  expect((await client.call("GET", path, { headers: { Accept: "image/png" } })).status).toBe(406);
  expect((await client.call("GET", `${path}?format=xml`)).status).toBe(400);
});

test("an archive is a ZIP file, and a client that goes does not hold it", async () => {
  const path = `/v1/batches/${batch.id}/archive`;
  const headers = { Authorization: `Bearer ${key}` };
  const whole = await fetch(url + path, { headers });
  expect(whole.headers.get("x-content-type-options")).toBe("nosniff");
  expect(whole.headers.get("content-type")).toBe("application/zip");
  expect(whole.headers.get("link")).toBeNull();
  const entries = new AdmZip(Buffer.from(await whole.arrayBuffer())).getEntries();
  expect(entries.map(({ entryName }) => entryName)).toEqual(["K 0 👟.png", "missing.csv"]);
  // Bit 11: without it, unpackers read the name in a code page of their own.
  expect(entries.map(({ header }) => header.flags & 0x800)).toEqual([0x800, 0x800]);
  expect(entries[0]!.getData().equals(photo)).toBe(true);
  // More than an account may read at once: those of clients that have gone do not count.
  for (let broken = 0; broken < 6; broken++) {
    const leaving = new AbortController();
    const { status, body } = await fetch(url + path, { headers, signal: leaving.signal });
    if (status === 429) continue;
    await body!.getReader().read();
    leaving.abort();
  }
  const readWhole = async () => (await (await fetch(url + path, { headers })).arrayBuffer()).byteLength;
  await expect.poll(readWhole).toBeGreaterThan(photo.length);
  expect((await client.call("GET", `${path}?part=2`)).status).toBe(404);
});

test("other accounts and test keys know nothing of it, and one that is validated has none yet", async () => {
  const stranger = apiClient(url, (await openAccount(apis.all[0]!)).key);
  for (const part of ["report", "archive"]) {
    expect((await stranger.call("GET", `/v1/batches/${batch.id}/${part}`)).status).toBe(404);
    expect((await client.call("GET", `/v1/batches/${uuidv7()}/${part}`)).status).toBe(404);
  }
  // The feeder ends such a batch, which has no file of rows: perhaps before it is asked for, and then another one is made.
  const reportOfNew = async () => {
    const validating: Batch = { ...batch, id: uuidv7(), status: "validating" } as Batch;
    const subject = subjects.batch(batch.accountId, validating.id);
    await apis.log.commit("test", [{ subject, value: validating, expected: 0 }]);
    const { status, body } = await client.call("GET", `/v1/batches/${validating.id}/report`);
    return [status, body.code];
  };
  await expect.poll(reportOfNew, poll).toEqual([409, "batch_status_conflict"]);
  const statuses = async () => (await client.call("GET", "/v1/batches")).body.data.map((each: Batch) => each.status);
  await expect.poll(statuses, poll).not.toContain("validating");
});

test("a dry run counts rows, names faults with their lines, and makes nothing", async () => {
  const csv = Buffer.from(
    "ref,imageUrl,tool\nA,https://shop.example/a.jpg,\nB,nowhere,\nC,https://shop.example/c.jpg,ai-bg\n",
  );
  const { body: upload } = await client.call("POST", "/v1/uploads", {
    json: { contentType: "text/csv", filename: "rows.csv", sizeBytes: csv.length },
  });
  // Looking at photos has a spec of its own.
  const json = { dryRun: true, tool: "mask", uploadSessionId: upload.uploadSessionId, look: { photos: 0 } };
  const early = await client.call("POST", "/v1/batches", { json });
  expect([early.status, early.body.code]).toEqual([409, "upload_incomplete"]);
  await fetch(upload.uploadUrl, { method: "PUT", headers: upload.headers, body: csv });
  const { data: before } = (await client.call("GET", "/v1/batches")).body;
  const { status, body } = await client.call("POST", "/v1/batches", { json });
  expect([status, body]).toEqual([
    200,
    {
      dryRun: true,
      rows: 3,
      faulty: 1,
      faultsOmitted: 0,
      error: null,
      tools: { mask: 1, "ai-shadows": 0, "ai-bg": 1 },
      uploads: { named: 0, lookedUp: 0 },
      faults: [{ line: 3, ref: "B", code: "invalid_request", message: expect.stringContaining('"imageUrl" must be') }],
      credits: 2,
      creditsRemaining: expect.any(Number),
      estimatedSeconds: 1,
      photos: expect.objectContaining({ rows: [] }),
    },
  ]);
  const items = [{ ref: "A", imageUrl: "https://shop.example/a.jpg" }, { ref: "A" }];
  const inline = await client.call("POST", "/v1/batches", { json: { dryRun: true, tool: "mask", items } });
  expect(inline.body).toMatchObject({ rows: 2, faulty: 1, credits: 1, faults: [{ line: 2 }] });
  expect((await client.call("GET", "/v1/batches")).body.data).toEqual(before);
  const none = await client.call("POST", "/v1/batches", { json: { dryRun: true, tool: "mask" } });
  expect([none.status, none.body.code]).toEqual([400, "invalid_request"]);
});

test.each([
  ["a CSV without a header", "text/csv", "\n", "one below its header"],
  ["a CSV with a header alone", "text/csv", "ref,imageUrl\n", "one below its header"],
  ["a CSV with blank lines below its header", "text/csv", "ref,imageUrl\n\n\n", "one below its header"],
  ["an NDJSON of blank lines", "application/x-ndjson", "\n\n", "no rows"],
])("%s is no batch: a dry run refuses it, and the batch fails with the same words", async (_, type, text, words) => {
  const file = Buffer.from(text);
  const { body: upload } = await client.call("POST", "/v1/uploads", {
    json: { contentType: type, filename: "rows", sizeBytes: file.length },
  });
  await fetch(upload.uploadUrl, { method: "PUT", headers: upload.headers, body: file });
  const json = { tool: "mask", uploadSessionId: upload.uploadSessionId };
  const { status, body } = await client.call("POST", "/v1/batches", { json: { ...json, dryRun: true } });
  expect([status, body.code, body.details]).toEqual([400, "invalid_request", { field: "uploadSessionId" }]);
  expect(body.message).toContain(words);
  const { body: made } = await client.call("POST", "/v1/batches", { json });
  const errorOfBatch = async () => (await client.call("GET", `/v1/batches/${made.id}`)).body.error?.message;
  await expect.poll(errorOfBatch, poll).toBe(body.message);
});

test("a dry run counts on as many edits at once as the running workers take, where the account may have more", async () => {
  const items = Array.from({ length: 60 }, (_, n) => ({ ref: `K-${n}`, imageUrl: "https://shop.example/a.jpg" }));
  const json = { dryRun: true, tool: "mask", items, look: { photos: 0 } };
  const seconds = async (by = client) => (await by.call("POST", "/v1/batches", { json })).body.estimatedSeconds;
  const sandbox = (await client.call("POST", "/v1/account/keys", { json: { name: "test", live: false } })).body;
  const { concurrentJobs } = (await client.call("GET", "/v1/account")).body.limits;
  expect(concurrentJobs).toBeGreaterThan(3);
  const alone = await seconds();
  const { connection } = apis.log;
  const readiness = { reasons: () => ({}) };
  const worker = createProcessHeartbeat({ connection, service: "worker", readiness, slots: 3 });
  onTestFinished(() => worker.stop());
  await worker.start();
  // No edit was measured here: two seconds each.
  await expect.poll(() => seconds(), { timeout: 10_000 }).toBe(40);
  expect(await seconds(apiClient(url, sandbox.key as string))).toBe(120);
  expect(alone).toBe(Math.ceil(120 / concurrentJobs));
});

test("a dry run of no items is refused by their name", async () => {
  const { status, body } = await client.call("POST", "/v1/batches", {
    json: { tool: "mask", dryRun: true, items: [] },
  });
  expect([status, body.code, body.details.field]).toEqual([400, "invalid_request", "items"]);
});

test("a thousand honest rows fit a request, 2 MiB are its limit, and four such requests are an account's", async () => {
  const address = (row: number) => `https://shop.example/${row}.jpg?${"signature".repeat(150)}`;
  const items = Array.from({ length: 1_000 }, (_, row) => ({ ref: `K-${row}`, imageUrl: address(row) }));
  const json = { dryRun: true, tool: "mask", items };
  expect((await client.call("POST", "/v1/batches", { json })).body).toMatchObject({ rows: 1_000, faulty: 0 });
  const larger = { ...json, items: items.map((item) => ({ ...item, imageUrl: `${item.imageUrl}${"x".repeat(900)}` })) };
  const { status, body } = await client.call("POST", "/v1/batches", { json: larger });
  expect([status, body.code, body.message]).toEqual([413, "file_too_large", expect.stringContaining("2097152 bytes")]);
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "Content-Length": 1_000_000 };
  const held = Array.from({ length: 8 }, () => request(`${url}/v1/batches`, { method: "POST", headers }));
  let refusedOnes = 0;
  for (const each of held) {
    each
      .on("error", () => {})
      .on("response", (response) => {
        refusedOnes += 1;
        response.resume();
      });
    each.flushHeaders();
  }
  // Four are held. A request of this test that came among them would take one of their places.
  await expect.poll(() => refusedOnes, poll).toBe(4);
  const refusal = async () => {
    const refused = await client.call("POST", "/v1/batches", { json });
    return [refused.status, refused.body.code];
  };
  expect(await refusal()).toEqual([429, "rate_limit_exceeded"]);
  // Other requests of the account, and those of others, go on.
  const small = { json: { ...json, items: items.slice(0, 1) } };
  expect((await client.call("POST", "/v1/batches", small)).status).toBe(200);
  const stranger = apiClient(url, (await openAccount(apis.all[0]!)).key);
  expect((await stranger.call("POST", "/v1/batches", { json })).status).toBe(200);
  for (const each of held) each.destroy();
  await expect.poll(refusal, poll).toEqual([200, undefined]);
});
