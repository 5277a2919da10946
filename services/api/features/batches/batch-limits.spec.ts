/** What is refused leaves nothing behind, and whatever makes a batch unfinished keeps to the account's limit. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { ApiKey } from "@packshot/domain/accounts/api-key.ts";
import type { BatchIndex } from "@packshot/domain/accounts/record-index.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { rendererOnly } from "@packshot/domain/edits/engine.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestAccount, readAccount } from "../../../../testing/log/accepted-jobs.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import type { Caller } from "../../access/caller.ts";
import { idempotencyKeyOf } from "../../http/idempotency.ts";
import { changeBatch } from "./batch-actions.ts";
import { type CreateBatchDeps, createBatch } from "./create-batch.ts";
import { createRowSegments } from "./rows/row-segments.ts";

const log = suiteFixture(startLog);
let folder: string;
let deps: CreateBatchDeps & { storage: ReturnType<typeof createDiskStorage> };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packshot-batch-limits-"));
  const storage = createDiskStorage({ dir: folder });
  deps = {
    log,
    storage,
    segments: createRowSegments(storage),
    nowMs: Date.now,
    assertAccepting() {},
    logger: createLogger({ name: "batch-limits.spec", level: "fatal" }),
    runExclusive: (_: string, work: () => Promise<unknown>) => work(),
    cacheAccount() {},
    models: () => [],
    pipelines: () => [],
    engines: () => rendererOnly,
  } as unknown as typeof deps;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function newCaller(maxBatches: number): Promise<Caller> {
  const accountId = await openTestAccount(log, { maxBatches });
  return { account: await readAccount(log, accountId), key: { id: uuidv7(), live: true } as ApiKey } as Caller;
}

const items = [{ ref: "mug", imageUrl: "https://shop.example/mug.jpg" }];

async function create(caller: Caller, idempotencyKey?: string): Promise<Batch | "replayed"> {
  const realm = { accountId: caller.account.accountId, live: true };
  const outcome = await createBatch(deps, {
    caller,
    newBatch: { tool: "mask", items },
    idempotencyKey: idempotencyKeyOf(realm, idempotencyKey, { items }),
    responseBody: ({ id }) => ({ id }),
  });
  return outcome.kind === "created" ? outcome.batch : "replayed";
}

const filesOf = ({ account }: Caller) =>
  Array.fromAsync(deps.storage.list(storageKeys.batches(account.accountId)), ({ key }) => key);

/** As the settler leaves it: with a failed row. */
async function complete(id: string, accountId: string): Promise<void> {
  const subject = subjects.batch(accountId, id);
  const { value, sequence } = await log.read<Batch>(subject);
  const ended = {
    ...value!,
    counts: { ...value!.counts, pending: 0, failed: 1 },
    status: "completed",
    failedSegments: [0],
    finishedAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  };
  await log.commit("test", [{ subject, value: ended, expected: sequence }]);
}

test("a batch over the limit is refused before its rows are stored", async () => {
  const caller = await newCaller(1);
  const kept = (await create(caller)) as Batch;
  const writes: string[] = [];
  const segments: CreateBatchDeps["segments"] = { write: async ({ id }) => void writes.push(id) };
  const creating = createBatch(
    { ...deps, segments },
    {
      caller,
      newBatch: { tool: "mask", items },
      idempotencyKey: undefined,
      responseBody: () => ({}),
    },
  );
  await expect(creating).rejects.toMatchObject({ code: "limit_reached" });
  expect(writes).toEqual([]);
  expect(await filesOf(caller)).toEqual([storageKeys.batchRows(caller.account.accountId, kept.id, 0)]);
});

test("of batches that are made at once, those over the limit leave no file, and neither does a repeated request", async () => {
  const caller = await newCaller(2);
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => create(caller)));
  const made = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value as Batch] : []));
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  expect(made).toHaveLength(2);
  for (const reason of refused) expect(reason).toMatchObject({ code: "limit_reached" });
  const rowsOf = ({ id }: Batch) => storageKeys.batchRows(caller.account.accountId, id, 0);
  expect((await filesOf(caller)).sort()).toEqual(made.map(rowsOf).sort());

  const other = await newCaller(5);
  const first = (await create(other, "again")) as Batch;
  expect(await create(other, "again")).toBe("replayed");
  expect(await filesOf(other)).toEqual([storageKeys.batchRows(other.account.accountId, first.id, 0)]);
});

test("a retry keeps to the limit of unfinished batches, and counts against it", async () => {
  const caller = await newCaller(2);
  const { accountId } = caller.account;
  const ended: string[] = [];
  for (let n = 0; n < 4; n++) {
    const { id } = (await create(caller)) as Batch;
    await complete(id, accountId);
    ended.push(id);
  }
  const retry = (batchId: string) => changeBatch(deps, "retry", { caller, batchId });
  const retried = await Promise.allSettled(ended.map(retry));
  expect(retried.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  for (const outcome of retried) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "limit_reached" });
  }
  await expect(create(caller)).rejects.toMatchObject({ code: "limit_reached" });
  const { value } = await log.read<BatchIndex>(subjects.index(accountId, "batches"));
  expect([...value!.ids].sort()).toEqual([...ended].sort());
  const running = ended.find((_, place) => retried[place]!.status === "fulfilled")!;
  await complete(running, accountId);
  const waiting = ended.find((_, place) => retried[place]!.status === "rejected")!;
  expect(await retry(waiting)).toMatchObject({ status: "running", try: 2 });
});

test("a batch of an account that is being erased is refused, and leaves no file", async () => {
  const caller = await newCaller(5);
  const subject = subjects.account(caller.account.accountId);
  const { value, sequence } = await log.read<Account>(subject);
  const erasure = { v: 1, accountId: caller.account.accountId, requestedAt: new Date().toISOString() };
  await log.commit("test", [{ subject, value: { ...value!, erasure }, expected: sequence }]);
  await expect(create(caller)).rejects.toMatchObject({ code: "not_found" });
  expect(await filesOf(caller)).toEqual([]);
});
