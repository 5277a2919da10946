/**
 * A batch is opened, started, paused, resumed, cancelled and retried once, wherever the process that is asked dies: each
 * process dies at the next failpoint, and another one is asked for the same.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccount } from "../../testing/api/accounts.ts";
import { type ApiProcess, apiEnvironment, startApi } from "../../testing/api/api-processes.ts";
import { apiClient } from "../../testing/api/contract-client.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { startNoOpWorker } from "../../testing/worker/no-op-worker.ts";
import { batchViolations, gatherBatch } from "./check-batches.ts";
import { readAllOf, readWhole } from "./read-streams.ts";

const log = suiteFixture(startLog);
const waiting = { timeout: 120_000, interval: 50 };
const rowsOfLong = 600;
let folder: string;
let worker: Awaited<ReturnType<typeof startNoOpWorker>> | undefined;
let api: ApiProcess;
let key: string;
let accountId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packshot-requests-"));
  const storageDir = join(folder, "storage");
  worker = await startNoOpWorker({ natsUrl: log.nats.url, storageDir, slots: 4 });
  api = await start();
  ({ key, accountId } = await openAccount(api, { plan: "dev", limits: { concurrentJobs: 3 } }));
});
afterAll(async () => {
  await Promise.all([api?.stop(), worker?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

async function start(failpoint?: string): Promise<ApiProcess> {
  const environment = apiEnvironment({ natsUrl: log.nats.url, storageDir: join(folder, "storage") });
  return await startApi({
    ...environment,
    PACKSHOT_API_PORT: "0",
    PACKSHOT_PUBLIC_URL: "http://127.0.0.1",
    ...(failpoint === undefined ? {} : { PACKSHOT_FAILPOINT: failpoint }),
  });
}

/** The next process, after the one before has died or is ended. */
async function replaceBy(failpoint?: string): Promise<void> {
  await api.kill();
  const tombstones = ["batch-feeder", "batches", "keeper"].map((name) => ({
    subject: subjects.lease(0, name),
    value: null,
    ttlSeconds: 1,
  }));
  await log.commit("test", tombstones);
  api = await start(failpoint);
}

type Order = Parameters<ReturnType<typeof apiClient>["call"]>[2];

async function call(method: "GET" | "POST", path: string, order?: Order) {
  return await apiClient(api.url, key).call(method, path, order);
}

/** Fails where the process does not pass its failpoint. */
async function died(failpoint: string): Promise<void> {
  let how = "";
  void api.ended.then((ended) => (how = ended));
  await expect.poll(() => how, { ...waiting, message: failpoint }).toContain("SIGKILL");
}

/** Asks each process until one is left that has no failpoint. */
async function askThrough(failpoints: readonly string[], path: string, order?: Order) {
  for (const failpoint of failpoints) {
    await replaceBy(failpoint);
    await call("POST", path, order).catch(() => {});
    await died(failpoint);
  }
  await replaceBy();
  return await call("POST", path, order);
}

const read = async (id: string) => (await call("GET", `/v1/batches/${id}`)).body;

async function upload(csv: string): Promise<string> {
  const bytes = Buffer.from(csv);
  const json = { contentType: "text/csv", filename: "rows.csv", sizeBytes: bytes.length };
  const { body } = await call("POST", "/v1/uploads", { json });
  const { pathname, search } = new URL(body.uploadUrl);
  await fetch(`${api.url}${pathname}${search}`, { method: "PUT", headers: body.headers, body: bytes });
  return body.uploadSessionId;
}

async function expectExact(batchId: string): Promise<void> {
  const storage = createDiskStorage({ dir: join(folder, "storage") });
  await expect
    .poll(async () => {
      const { value } = await log.read<Batch>(subjects.batch(accountId, batchId));
      const ledger = await readWhole<LedgerEntry>(log.connection, streams.ledger);
      const events = await readAllOf<PackshotEvent>(log.connection, log.stateStreams, (stream) => stream.events);
      const entries = ledger.flatMap(({ value: entry }) => (entry === undefined ? [] : [entry]));
      return batchViolations(await gatherBatch(storage, value!), { events, ledger: entries });
    }, waiting)
    .toEqual([]);
}

test("a batch of a file is opened and started once, and retried once", { timeout: 400_000 }, async () => {
  const refs = ["complete-1", "mend-2", "complete-3", "fail-4", "mend-5"];
  const uploadSessionId = await upload(
    `ref,imageUrl\n${refs.map((ref) => `${ref},https://shop.example/${ref}.jpg\n`).join("")}`,
  );
  const json = { tool: "mask" as const, onExisting: "redo" as const, uploadSessionId };
  // What is stored is replayed, and passes no further failpoint.
  const orders = [["before-ack"], ["before-record", "before-commit", "after-commit"]];
  const ids: string[] = [];
  for (const points of orders) {
    const failpoints = points.map((point) => `create-batch:${point}`);
    const headers = { "Idempotency-Key": failpoints.join() };
    ids.unshift((await askThrough(failpoints, "/v1/batches", { json, headers })).body.id);
  }
  const id = ids[0]!;
  expect((await call("GET", "/v1/batches")).body.data.map((batch: { id: string }) => batch.id)).toEqual(ids);
  await expect.poll(async () => (await read(id)).status, waiting).toBe("completed");
  expect((await read(id)).counts).toMatchObject({ completed: 2, failed: 3 });

  // A process that dies after its commit leaves a batch that runs already.
  expect((await askThrough(["retry-batch:before-commit"], `/v1/batches/${id}/retry`)).status).toBe(200);
  await expect.poll(async () => (await read(id)).finishedAt, waiting).not.toBeNull();
  expect((await read(id)).counts).toMatchObject({ completed: 4, failed: 1 });
  for (const point of ["after-commit", "before-ack"]) {
    await replaceBy(`retry-batch:${point}`);
    await call("POST", `/v1/batches/${id}/retry`).catch(() => {});
    await died(`retry-batch:${point}`);
    await replaceBy();
    await expect.poll(async () => (await read(id)).finishedAt, waiting).not.toBeNull();
    expect((await read(id)).counts).toMatchObject({ completed: 4, failed: 1 });
  }
  expect((await log.read<Batch>(subjects.batch(accountId, id))).value?.try).toBe(4);
  await expectExact(id);
});

test("a batch is started once, wherever the process dies that reads its file", { timeout: 400_000 }, async () => {
  const uploadSessionId = await upload("ref,imageUrl\ncomplete-1,https://shop.example/1.jpg\nwrong,ftp://shop\n");
  await replaceBy("start-batch:before-record");
  const json = { tool: "mask" as const, onExisting: "redo" as const, uploadSessionId };
  const headers = { "Idempotency-Key": "started-once" };
  const answer = await call("POST", "/v1/batches", { json, headers }).catch(() => undefined);
  for (const point of ["before-commit", "after-commit"]) {
    await died("start-batch");
    await replaceBy(`start-batch:${point}`);
  }
  await died("start-batch:after-commit");
  await replaceBy();
  const id = (answer ?? (await call("POST", "/v1/batches", { json, headers }))).body.id as string;
  await expect.poll(async () => (await read(id)).status, waiting).toBe("completed");
  expect((await read(id)).counts).toMatchObject({ completed: 1, failed: 1 });
  await expectExact(id);
});

test("a batch is paused, resumed and cancelled once", { timeout: 400_000 }, async () => {
  const items = Array.from({ length: rowsOfLong }, (_, row) => ({
    ref: `complete-${row}`,
    imageUrl: "https://shop.example/a.jpg",
  }));
  const { body } = await call("POST", "/v1/batches", { json: { tool: "mask", onExisting: "redo", items } });
  const points = ["before-commit", "after-commit", "before-ack"];
  for (const [change, status] of [
    ["pause", "paused"],
    ["resume", "running"],
    ["cancel", "cancelled"],
  ] as const) {
    const path = `/v1/batches/${body.id}/${change}`;
    const answer = await askThrough(
      points.map((point) => `${change}-batch:${point}`),
      path,
    );
    expect([answer.status, answer.body.status]).toEqual([200, status]);
  }
  await expect.poll(async () => (await read(body.id)).finishedAt, waiting).not.toBeNull();
  const { counts } = await read(body.id);
  expect(counts.completed + counts.cancelled).toBe(rowsOfLong);
  expect(counts.cancelled).toBeGreaterThan(0);
  await expectExact(body.id);
});
