/** A batch goes on by itself, and each row is edited and paid once, when nats-server is killed in the middle of it. */
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
const waiting = { timeout: 240_000, interval: 100 };
const kills = 3;
const rows = 400;
const failEvery = 50;
const failing = rows / failEvery;
let storageDir: string;
let worker: Awaited<ReturnType<typeof startNoOpWorker>> | undefined;
const apis: ApiProcess[] = [];

beforeAll(async () => {
  storageDir = await mkdtemp(join(tmpdir(), "packshot-outage-"));
  const environment = apiEnvironment({ natsUrl: log.nats.url, storageDir });
  const start = () => startApi({ ...environment, PACKSHOT_API_PORT: "0", PACKSHOT_PUBLIC_URL: "http://127.0.0.1" });
  apis.push(...(await Promise.all([start(), start()])));
  worker = await startNoOpWorker({ natsUrl: log.nats.url, storageDir, slots: 4 });
});
afterAll(async () => {
  await Promise.all([...apis, worker].map((process) => process?.stop()));
  await rm(storageDir, { recursive: true, force: true });
});

test(`nats-server killed ${kills} times in the middle of a batch`, { timeout: 600_000 }, async () => {
  const api = apis[0]!;
  const { accountId, key } = await openAccount(api, { plan: "dev", limits: { concurrentJobs: 16 } });
  const client = apiClient(api.url, key);
  const items = Array.from({ length: rows }, (_, row) => ({
    ref: `${row % failEvery === 0 ? "fail" : "complete"}-${row}`,
    imageUrl: `https://shop.example/${row}.jpg`,
  }));
  const { body } = await client.call("POST", "/v1/batches", { json: { tool: "mask", onExisting: "redo", items } });
  const batch = async () => (await client.call("GET", `/v1/batches/${body.id}`)).body;
  const done = async () => {
    const { counts } = await batch();
    return counts === undefined ? 0 : counts.completed + counts.failed;
  };
  for (let kill = 1; kill <= kills; kill++) {
    await expect.poll(done, waiting).toBeGreaterThan((rows * kill) / (kills + 2));
    await log.nats.kill();
    await log.nats.restart();
  }
  await expect.poll(async () => (await batch()).status, waiting).toBe("completed");
  const account = async () => (await log.read<Account>(subjects.account(accountId))).value;
  await expect.poll(account, waiting).toMatchObject({ running: 0, waiting: 0 });
  const completing = rows - failing;
  const balance = 1_000_000 - completing;
  const found = () => gatherBatchFindings({ log, storageDir, accountId, batchId: body.id, rows });
  await expect.poll(found, waiting).toEqual({
    outcomes: { completed: completing, failed: failing, skipped: 0, cancelled: 0 },
    results: completing,
    rowsWithOneJob: rows,
    rowsWithSeveralJobs: 0,
    debits: rows,
    refunds: failing,
    balances: [balance, balance],
    endsTold: 1,
  });
});
