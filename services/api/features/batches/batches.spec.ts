/** @module-tag long */

import { jetstreamManager } from "@nats-io/jetstream";
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { isBatchNewsEvent, type PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import { readInOrder } from "@packshot/log/follow/ordered-reader.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccount, operator } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { startNoOpWorker } from "../../../../testing/worker/no-op-worker.ts";
import { createOutcomeFiles } from "./rows/outcome-files.ts";

const apis = suiteFixture(() => startApis({ count: 2 }));
let worker: Awaited<ReturnType<typeof startNoOpWorker>> | undefined;
const logger = createLogger({ name: "batches.spec", level: "warn" });
const waiting = { timeout: 30_000, interval: 50 };

beforeAll(async () => {
  worker = await startNoOpWorker({ natsUrl: apis.nats.url, storageDir: apis.storageDir });
});
afterAll(async () => void (await worker?.stop()));

interface TestAccount {
  readonly accountId: string;
  readonly client: ContractClient;
}

/** `limits`: of its plan; an account whose window is 0 starts no job. */
async function newAccount(limits: object = {}, grant = 0): Promise<TestAccount> {
  const { accountId, key } = await openAccount(apis.all[0]!, { plan: "starter", limits });
  if (grant !== 0)
    await operator(apis.all[0]!, "POST", `/accounts/${accountId}/grants`, { amount: grant, note: "test" });
  return { accountId, client: apiClient(apis.all[0]!.url, key) };
}

function items(refs: readonly string[]) {
  return refs.map((ref) => ({ ref, imageUrl: `https://shop.example/${ref}.jpg` }));
}

async function create({ client }: TestAccount, refs: readonly string[], others: object = {}): Promise<string> {
  const json = { tool: "mask", onExisting: "redo", items: items(refs), ...others };
  const { status, body } = await client.call("POST", "/v1/batches", { json });
  expect([status, body]).toEqual([202, expect.objectContaining({ rows: refs.length })]);
  return body.id;
}

const read = async ({ client }: TestAccount, id: string) => (await client.call("GET", `/v1/batches/${id}`)).body;
const change = ({ client }: TestAccount, id: string, verb: string) => client.call("POST", `/v1/batches/${id}/${verb}`);

async function ended(account: TestAccount, id: string) {
  await expect.poll(async () => (await read(account, id)).finishedAt, waiting).not.toBeNull();
  return await read(account, id);
}

async function newsOf(batchId: string): Promise<string[]> {
  const news: string[] = [];
  const { connection, stateStreams } = apis.log;
  const { events: stream } = stateStreams[0]!;
  const { last_seq } = (await (await jetstreamManager(connection)).streams.info(stream)).state;
  const { signal } = new AbortController();
  for await (const message of readInOrder({ connection, stream, fromSequence: 1, signal, logger })) {
    const event = message.json<PackshotEvent>();
    if (isBatchNewsEvent(event) && event.batch.id === batchId) news.push(event.kind);
    if (message.seq >= last_seq) break;
  }
  return news;
}

async function outcomesOf({ accountId }: TestAccount, id: string) {
  const storage = createDiskStorage({ dir: apis.storageDir });
  return { storage, outcomes: await createOutcomeFiles(storage).read({ accountId, id }, 0) };
}

const refs = (count: number, what = "complete") => Array.from({ length: count }, (_, i) => `${what}-${i}`);

test("each row of a batch becomes a job and is counted once, and its result is kept", async () => {
  const account = await newAccount({ concurrentJobs: 3 });
  const id = await create(account, [...refs(40), ...refs(5, "fail")]);
  const batch = await ended(account, id);
  expect(batch).toMatchObject({ status: "completed", rows: 45, creditsCharged: 40, try: 1, secondsLeft: 0 });
  expect(batch.counts).toEqual({ pending: 0, open: 0, completed: 40, failed: 5, skipped: 0, cancelled: 0 });
  const { storage, outcomes } = await outcomesOf(account, id);
  expect([...outcomes.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, row) => row));
  expect(outcomes.get(44)).toMatchObject({ status: "failed", code: "no_product_found", result: null });
  const { result, jobId } = outcomes.get(7)!;
  expect((await storage.read(result!.key, { bytesMax: 100 }))?.toString()).toBe(jobId);
  const { body } = await account.client.call("GET", `/v1/jobs?batch=${id}&limit=100`);
  expect(body.data).toHaveLength(45);
  const ofRows = body.data.map(({ batch: of }: { batch: { row: number } }) => of.row);
  expect(ofRows.sort((a: number, b: number) => a - b)).toEqual([...outcomes.keys()].sort((a, b) => a - b));
  expect(body.data[0].batch).toEqual({ id, ref: expect.stringMatching(/^(complete|fail)-/), row: expect.any(Number) });
  const { value } = await apis.log.read<Account>(subjects.account(account.accountId));
  expect(value).toMatchObject({ running: 0, waiting: 0, credits: { remaining: 960 } });
});

test("events tell of tenths that were reached, and once of the end", async () => {
  const account = await newAccount({ concurrentJobs: 1 });
  const id = await create(account, refs(30));
  await ended(account, id);
  await expect.poll(() => newsOf(id), waiting).toContain("batchcompleted");
  const news = await newsOf(id);
  expect(news.at(-1)).toBe("batchcompleted");
  expect(news.filter((kind) => kind === "batchcompleted")).toHaveLength(1);
  expect(news.length).toBeGreaterThan(4);
  expect(news.length).toBeLessThan(11);
});

test("a retry edits the failed rows again, and no others", async () => {
  const account = await newAccount();
  const id = await create(account, [...refs(4), ...refs(3, "mend"), ...refs(2, "fail")]);
  expect((await ended(account, id)).counts).toMatchObject({ completed: 4, failed: 5 });
  expect((await change(account, id, "retry")).body).toMatchObject({ status: "running", try: 2 });
  const again = await ended(account, id);
  expect(again).toMatchObject({ status: "completed", try: 2, creditsCharged: 7 });
  expect(again.counts).toEqual({ pending: 0, open: 0, completed: 7, failed: 2, skipped: 0, cancelled: 0 });
  const { outcomes } = await outcomesOf(account, id);
  expect([0, 5, 8].map((row) => [outcomes.get(row)!.try, outcomes.get(row)!.status])).toEqual([
    [1, "completed"],
    [2, "completed"],
    [2, "failed"],
  ]);
  const { body } = await account.client.call("GET", `/v1/jobs?batch=${id}&limit=100`);
  expect(body.data).toHaveLength(14);
});

test("a row with a fault fails alone, and takes no job and no credit", async () => {
  const account = await newAccount();
  const json = {
    tool: "mask",
    onExisting: "redo",
    items: [...items(["complete-1"]), { ref: "wrong", imageUrl: "ftp://shop.example/a.jpg" }, ...items(["complete-2"])],
  };
  const { body } = await account.client.call("POST", "/v1/batches", { json });
  expect((await ended(account, body.id)).counts).toMatchObject({ completed: 2, failed: 1 });
  const { outcomes } = await outcomesOf(account, body.id);
  expect(outcomes.get(1)).toMatchObject({ status: "failed", code: "invalid_request", jobId: null, credits: 0 });
});

test("a batch without credits pauses itself, loses no row, and goes on when it is resumed", async () => {
  const account = await newAccount({}, -990);
  const id = await create(account, refs(25));
  const paused = async () => {
    const { status, pausedBy, counts } = await read(account, id);
    return [status, pausedBy, counts.open, counts.completed];
  };
  await expect.poll(paused, waiting).toEqual(["paused", "insufficient_credits", 0, 10]);
  await operator(apis.all[0]!, "POST", `/accounts/${account.accountId}/grants`, { amount: 15, note: "more" });
  expect((await change(account, id, "resume")).body.status).toBe("running");
  expect((await ended(account, id)).counts).toMatchObject({ completed: 25, failed: 0 });
});

test("a full window makes no row fail, and a paused batch hands out nothing until it is resumed", async () => {
  const account = await newAccount({ concurrentJobs: 2, maxQueuedJobs: 1 });
  const stuck = { json: { imageUrl: "https://shop.example/a.jpg", metadata: { ms: "100000" } } };
  const blocking = await Promise.all([1, 2, 3].map(() => account.client.call("POST", "/v1/tools/mask/edit", stuck)));
  const id = await create(account, refs(10));
  await change(account, id, "pause");
  expect((await read(account, id)).counts).toMatchObject({ pending: 10, open: 0 });
  expect((await change(account, id, "resume")).body).toMatchObject({ status: "running", pausedBy: null });
  for (const { body } of blocking) await account.client.call("POST", `/v1/jobs/${body.id}/cancel`);
  expect((await ended(account, id)).counts).toMatchObject({ completed: 10, failed: 0 });
});

test("a cancelled batch cancels its open jobs, refunds them and ends", async () => {
  const account = await newAccount({ concurrentJobs: 2 });
  const stuck = { json: { imageUrl: "https://shop.example/a.jpg", metadata: { ms: "100000" } } };
  const blocking = await Promise.all([1, 2].map(() => account.client.call("POST", "/v1/tools/mask/edit", stuck)));
  const id = await create(account, refs(30));
  await expect.poll(async () => (await read(account, id)).counts.open, waiting).toBe(4);
  expect((await change(account, id, "cancel")).body.status).toBe("cancelled");
  const batch = await ended(account, id);
  expect(batch.counts).toEqual({ pending: 0, open: 0, completed: 0, failed: 0, skipped: 0, cancelled: 30 });
  expect(await newsOf(id)).toContain("batchcompleted");
  expect((await change(account, id, "retry")).status).toBe(409);
  for (const { body } of blocking) await account.client.call("POST", `/v1/jobs/${body.id}/cancel`);
  const { accountId } = account;
  const left = async () => (await apis.log.read<Account>(subjects.account(accountId))).value?.credits.remaining;
  await expect.poll(left, waiting).toBe(1_000);
});

test("the rows of a batch may be a file of an upload session", async () => {
  const account = await newAccount();
  // Two segments, most of which needs no job.
  const lines = refs(1_010).map(
    (ref, i) => `${ref},${i < 5 || i > 1_004 ? "https" : "ftp"}://shop.example/${ref}.jpg\n`,
  );
  const csv = Buffer.from(`ref,imageUrl\n${lines.join("")}`);
  const upload = async (bytes: Buffer) => {
    const json = { contentType: "text/csv", filename: "rows.csv", sizeBytes: bytes.length };
    const { body } = await account.client.call("POST", "/v1/uploads", { json });
    await fetch(body.uploadUrl, { method: "PUT", headers: body.headers, body: new Uint8Array(bytes) });
    return { tool: "mask", onExisting: "redo", uploadSessionId: body.uploadSessionId };
  };
  const wrong = await account.client.call("POST", "/v1/batches", { json: await upload(Buffer.from("sku\nA\n")) });
  expect(wrong.body).toMatchObject({ status: "validating", rows: 0 });
  expect(await ended(account, wrong.body.id)).toMatchObject({
    status: "cancelled",
    error: { code: "invalid_request" },
  });
  const { body } = await account.client.call("POST", "/v1/batches", { json: await upload(csv) });
  expect((await ended(account, body.id)).counts).toMatchObject({ completed: 10, failed: 1_000 });
});

test("a request with an Idempotency-Key makes one batch, and lists show it to its own kind of key", async () => {
  const account = await newAccount();
  const json = { tool: "mask", onExisting: "redo", items: items(["complete-1"]) };
  const headers = { "Idempotency-Key": "once" };
  const answers = await Promise.all([1, 2].map(() => account.client.call("POST", "/v1/batches", { json, headers })));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect((await account.client.call("GET", "/v1/batches")).body.data).toHaveLength(1);
  const { body } = await account.client.call("POST", "/v1/account/keys", { json: { name: "test", live: false } });
  const other = apiClient(apis.all[1]!.url, body.key);
  expect((await other.call("GET", "/v1/batches")).body.data).toEqual([]);
  expect((await other.call("GET", `/v1/batches/${answers[0]!.body.id}`)).status).toBe(404);
});

test("a batch names its fault, and an account has no more unfinished ones than its plan allows", async () => {
  const account = await newAccount({ maxBatches: 1, concurrentJobs: 1 });
  const { client } = account;
  const wrong = { tool: "mask", parameters: { shadow: {} }, items: items(["a"]) };
  expect((await client.call("POST", "/v1/batches", { json: wrong })).body).toMatchObject({ code: "invalid_request" });
  expect((await client.call("POST", "/v1/batches", { json: { tool: "mask" } })).status).toBe(400);
  const id = await create(account, refs(2));
  await change(account, id, "pause");
  const more = { tool: "mask", onExisting: "redo", items: items(["complete-9"]) };
  const second = await client.call("POST", "/v1/batches", { json: more });
  // Its rows may have ended meanwhile.
  const { status } = (await read(account, id)) as Pick<Batch, "status">;
  if (status === "paused") expect([second.status, second.body.code]).toEqual([409, "limit_reached"]);
  await change(account, id, "cancel");
  await ended(account, id);
  expect((await client.call("POST", "/v1/batches", { json: more })).status).toBe(202);
});
