/** Each row of a batch is edited and paid once, whichever step of the feeder or the settler a process dies in. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "@packshot/domain/accounts/account.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccount } from "../../testing/api/accounts.ts";
import { type ApiProcess, apiEnvironment, startApi } from "../../testing/api/api-processes.ts";
import { apiClient } from "../../testing/api/contract-client.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { startNoOpWorker } from "../../testing/worker/no-op-worker.ts";
import { gatherBatchFindings } from "./batch-findings.ts";

const log = suiteFixture(startLog);
const waiting = { timeout: 60_000, interval: 100 };
const completing = 14;
const failing = 3;
const faulty = 2;
const rows = completing + failing + faulty;
let storageDir: string;
let worker: Awaited<ReturnType<typeof startNoOpWorker>> | undefined;

beforeAll(async () => {
  storageDir = await mkdtemp(join(tmpdir(), "packshot-batches-"));
  worker = await startNoOpWorker({ natsUrl: log.nats.url, storageDir, slots: 4 });
});
afterAll(async () => {
  await worker?.stop();
  await rm(storageDir, { recursive: true, force: true });
});

async function start(environment: Readonly<Record<string, string>> = {}): Promise<ApiProcess> {
  const shared = apiEnvironment({ natsUrl: log.nats.url, storageDir });
  const address = { PACKSHOT_API_PORT: "0", PACKSHOT_PUBLIC_URL: "http://127.0.0.1" };
  return await startApi({ ...shared, ...address, ...environment });
}

/** Released at once: to wait for each lease of a dead process would take minutes. */
async function endLeases(): Promise<void> {
  const names = ["batch-feeder", "batches", "keeper"];
  const tombstones = names.map((name) => ({ subject: subjects.lease(0, name), value: null, ttlSeconds: 1 }));
  await log.commit("test", tombstones);
}

function items() {
  const refs = [...Array<string>(completing).fill("complete"), ...Array<string>(failing).fill("fail")];
  const valid = refs.map((what, i) => ({ ref: `${what}-${i}`, imageUrl: `https://shop.example/${i}.jpg` }));
  const wrong = Array.from({ length: faulty }, (_, i) => ({ ref: `wrong-${i}`, imageUrl: "ftp://shop.example/a" }));
  return [...valid.slice(0, 5), ...wrong, ...valid.slice(5)];
}

test.each([
  "hand-out:before-commit@2",
  "hand-out:after-commit@2",
  "settle-rows:before-files@2",
  "settle-rows:before-commit@2",
  "settle-rows:after-commit@2",
  "settle-rows:before-ack@1",
])("a process that dies at %s leaves each row once", { timeout: 150_000 }, async (failpoint) => {
  const mortal = await start({ PACKSHOT_FAILPOINT: failpoint });
  const { accountId, key } = await openAccount(mortal, { plan: "starter", limits: { concurrentJobs: 3 } });
  const json = { tool: "mask", onExisting: "redo", items: items() };
  const headers = { "Idempotency-Key": accountId };
  // It may die before it answers.
  await apiClient(mortal.url, key)
    .call("POST", "/v1/batches", { json, headers })
    .catch(() => {});
  await mortal.ended;
  await endLeases();
  const living = await start();
  try {
    const client = apiClient(living.url, key);
    const { body } = await client.call("POST", "/v1/batches", { json, headers });
    const finishedAt = async () => (await client.call("GET", `/v1/batches/${body.id}`)).body.finishedAt;
    await expect.poll(finishedAt, waiting).not.toBeNull();
    const { body: batch } = await client.call("GET", `/v1/batches/${body.id}`);
    expect(batch).toMatchObject({ status: "completed", creditsCharged: completing });
    expect(batch.counts).toMatchObject({ completed: completing, failed: failing + faulty, open: 0, pending: 0 });
    const account = async () => (await log.read<Account>(subjects.account(accountId))).value;
    const settled = { running: 0, waiting: 0, credits: { remaining: 1_000 - completing } };
    await expect.poll(account, waiting).toMatchObject(settled);
    const found = () => gatherBatchFindings({ log, storageDir, accountId, batchId: body.id, rows });
    await expect.poll(found, waiting).toEqual({
      outcomes: { completed: completing, failed: failing + faulty, skipped: 0, cancelled: 0 },
      results: completing,
      rowsWithOneJob: completing + failing,
      rowsWithSeveralJobs: 0,
      debits: completing + failing,
      refunds: failing,
      balances: [1_000 - completing, 1_000 - completing],
      endsTold: 1,
    });
    const jobs = (await client.call("GET", `/v1/jobs?batch=${body.id}&limit=100`)).body.data;
    expect(jobs).toHaveLength(completing + failing);
  } finally {
    await living.stop();
  }
});
