/** Rows of test batches and single edits with test keys share one quota, and events of hand-outs fit the log. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Batch, FedOutcome } from "@packshot/domain/batches/batch.ts";
import { openBatch, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { rendererOnly } from "@packshot/domain/edits/engine.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { eventWrite } from "@packshot/domain/webhooks/event.ts";
import { createKeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import { createWindowCounts } from "@packshot/platform/redis/window-counts.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestAccount, readAccount } from "../../../../../testing/log/accepted-jobs.ts";
import { startLog } from "../../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";
import { createRateLimit, quotas } from "../../../http/rate-limit.ts";
import { createPrepareRows } from "../done/skip-done-rows.ts";
import { createOutcomeFiles } from "../rows/outcome-files.ts";
import { createRowSegments } from "../rows/row-segments.ts";
import { createHandOut, createTakeRows, outcomesEvents } from "./hand-out.ts";

const log = suiteFixture(startLog);
const logger = createLogger({ name: "hand-out.spec", level: "fatal" });
const { signal } = new AbortController();
const hourMs = 3_600_000;
/** In an hour of the clock that no other test counts in. */
let hour = Math.floor(Date.now() / hourMs);
const nowMs = () => hour * hourMs;
const testEditRate = createRateLimit({ counts: createWindowCounts(undefined), nowMs }, quotas.testEdits);
let folder: string;
let storage: ReturnType<typeof createDiskStorage>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packshot-hand-out-"));
  storage = createDiskStorage({ dir: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function openBatchOf(accountId: string, { live, rows }: { live: boolean; rows: number }) {
  const given = { id: uuidv7(), accountId, live, tool: "mask", parameters: {}, onExisting: "redo" } as const;
  const opened = openBatch({ ...given, destination: null, input: { kind: "inline" } }, nowMs());
  const batch = startBatch(opened, rows, nowMs());
  const line = (row: number) => ({
    row,
    line: row + 1,
    ref: `K-${row}`,
    tool: "mask",
    parameters: {},
    source: { kind: "url", imageUrl: "https://shop.example/1.jpg" },
  });
  const text = Array.from({ length: rows }, (_, row) => JSON.stringify(line(row))).join("\n");
  await createRowSegments(storage).write(batch, { segment: 0, part: 0, text: Buffer.from(text) });
  const subject = subjects.batch(accountId, batch.id);
  await log.commit("test", [{ subject, value: batch, expected: 0 }]);
  const handOut = createHandOut({
    log,
    storage,
    logger,
    nowMs,
    testEditRate,
    assertAccepting() {},
    cacheAccount() {},
    engines: () => rendererOnly,
    runExclusive: createKeyedMutex().runExclusive,
    takeRows: createTakeRows({ segments: createRowSegments(storage), outcomes: createOutcomeFiles(storage) }),
    completeJobs: createPrepareRows({ log, storage, nowMs }),
  });
  const counts = async () => (await log.read<Batch>(subject)).value!;
  return { handOut: () => handOut({ accountId, batchId: batch.id }, signal), counts };
}

test("rows of a test batch wait for the next hour when the quota of test keys is used up, and none fails", async () => {
  hour += 10;
  const accountId = await openTestAccount(log, { concurrentJobs: 100, maxQueuedJobs: 1_000 });
  const by = { account: await readAccount(log, accountId), live: false };
  const { window } = await testEditRate(by, 0);
  await testEditRate(by, window.max - 7);
  const { handOut, counts } = await openBatchOf(accountId, { live: false, rows: 50 });
  expect(await handOut()).toBe("more");
  expect(await counts()).toMatchObject({ status: "running", nextRow: 7, counts: { open: 7, pending: 43, failed: 0 } });
  expect((await testEditRate(by, 0)).window.remaining).toBe(0);
  expect(await handOut()).toBe("waits");
  expect(await counts()).toMatchObject({ nextRow: 7, counts: { open: 7, pending: 43, failed: 0 } });
  hour += 1;
  expect(await handOut()).toBe("more");
  expect(await counts()).toMatchObject({ nextRow: 50, counts: { open: 50, pending: 0, failed: 0 } });
  expect((await testEditRate(by, 0)).window.remaining).toBe(window.max - 43);
});

test("two batches that hand out at once stay within the quota together", async () => {
  hour += 10;
  const accountId = await openTestAccount(log, { concurrentJobs: 100, maxQueuedJobs: 1_000 });
  const by = { account: await readAccount(log, accountId), live: false };
  const { window } = await testEditRate(by, 0);
  await testEditRate(by, window.max - 30);
  const batches = await Promise.all([1, 2, 3].map(() => openBatchOf(accountId, { live: false, rows: 20 })));
  await Promise.all(batches.map(({ handOut }) => handOut()));
  const open = await Promise.all(batches.map(async ({ counts }) => (await counts()).counts.open));
  expect(open.reduce((sum, rows) => sum + rows)).toBe(30);
});

test("rows of live keys count in no quota of test keys", async () => {
  hour += 10;
  const accountId = await openTestAccount(log, { concurrentJobs: 100, maxQueuedJobs: 1_000 });
  const by = { account: await readAccount(log, accountId), live: false };
  const { window } = await testEditRate(by, 0);
  await testEditRate(by, window.max);
  const { handOut, counts } = await openBatchOf(accountId, { live: true, rows: 20 });
  expect(await handOut()).toBe("more");
  expect((await counts()).counts.open).toBe(20);
});

const payloadBytesMax = 1_000_000;
const inline = {
  id: uuidv7(),
  accountId: uuidv7(),
  live: true,
  tool: "mask",
  parameters: {},
  onExisting: "skip",
} as const;
const batchOfEvents = openBatch({ ...inline, destination: null, input: { kind: "inline" } }, Date.now());

function outcomes(rows: number, characters: number): FedOutcome[] {
  return Array.from({ length: rows }, (_, row) => {
    return { row, status: "failed", code: "invalid_request", message: "\u0001".repeat(characters / 6) };
  });
}

test("the outcomes of 128 rows of 60 KB become events that the log takes", () => {
  const all = outcomes(128, 60_000);
  const events = outcomesEvents(batchOfEvents, all, Date.now());
  const sizes = events.map((event) => Buffer.byteLength(JSON.stringify(eventWrite(event).value)));
  expect(Math.max(...sizes)).toBeLessThan(payloadBytesMax);
  expect(events.flatMap((event) => event.outcomes)).toEqual(all);
  expect(new Set(events.map((event) => eventWrite(event).subject)).size).toBe(events.length);
});

test("those of ordinary rows are one event, and those of none are none", () => {
  expect(outcomesEvents(batchOfEvents, outcomes(200, 300), Date.now())).toHaveLength(1);
  expect(outcomesEvents(batchOfEvents, [], Date.now())).toEqual([]);
});
