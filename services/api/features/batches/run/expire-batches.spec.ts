import type { BatchIndex } from "@packshot/domain/accounts/record-index.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { cancelBatch, handOutRows, openBatch, settleRows, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test } from "vitest";
import { startLog } from "../../../../../testing/log/test-log.ts";
import { startStorages } from "../../../../../testing/storage/test-storages.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";
import { createBatchView } from "./batch-view.ts";
import { expireBatches } from "./expire-batches.ts";

const log = suiteFixture(startLog);
const storages = suiteFixture(startStorages);
const logger = createLogger({ name: "expire-batches.spec", level: "error" });
const lifetimeMs = 3_600_000;
const monthMs = 31 * 24 * 3_600_000;
const running = new AbortController().signal;

function newBatch(accountId: string): Batch {
  const nowMs = Date.now();
  const of = { id: uuidv7(), accountId, live: true, tool: "mask", parameters: {} } as const;
  const batch = openBatch({ ...of, onExisting: "redo", destination: null, input: { kind: "inline" } }, nowMs);
  return startBatch(batch, 1, nowMs);
}

test("an ended batch goes with its files when its time is over, and one that never ends is cancelled", async () => {
  const storage = storages.disk;
  const accountId = uuidv7();
  const times = { nowMs: Date.now(), lifetimeMs };
  const ended = settleRows(
    handOutRows(newBatch(accountId), 1, 1),
    [{ row: 0, status: "completed", credits: 1 }],
    1,
    times,
  ).batch;
  const forgotten = newBatch(accountId);
  const batches = [ended, forgotten];
  const index: BatchIndex = { v: 1, ids: batches.map(({ id }) => id), openIds: [forgotten.id] };
  await log.commit("test", [
    { subject: subjects.index(accountId, "batches"), value: index, expected: 0 },
    ...batches.map((batch) => ({ subject: subjects.batch(accountId, batch.id), value: batch, expected: 0 })),
  ]);
  const file = storageKeys.batchResult(accountId, ended.id, 0);
  await storage.write(file, Buffer.from("x"), { bytesMax: 1 });
  const view = createBatchView({ log, logger });
  await view.start();
  await expect.poll(() => [...view.list(0)].length).toBe(2);
  const read = async ({ id }: Batch) => (await log.read<Batch>(subjects.batch(accountId, id))).value;
  const expireAt = (nowMs: number) => expireBatches({ log, logger, storage, view, nowMs: () => nowMs }, 0, running);

  await expireAt(times.nowMs + lifetimeMs - 1_000);
  expect(await storage.stat(file)).toBeDefined();
  await expireAt(times.nowMs + lifetimeMs);
  expect([await storage.stat(file), await read(ended)]).toEqual([undefined, undefined]);
  const left = await log.read<BatchIndex>(subjects.index(accountId, "batches"));
  expect(left.value).toEqual({ v: 1, ids: [forgotten.id], openIds: [forgotten.id] });
  await expireAt(times.nowMs + monthMs);
  const cancelled = await read(forgotten);
  expect(cancelled).toMatchObject({ status: "cancelled", counts: cancelBatch(forgotten, times).counts });
  await view.stop();
});
