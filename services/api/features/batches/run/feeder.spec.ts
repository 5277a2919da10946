/** A batch whose change comes at any moment is looked at again. */
import { uuidv7 } from "@packshot/domain/ids.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test } from "vitest";
import { startLog } from "../../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";
import type { BatchView, SeenBatch } from "./batch-view.ts";
import { createFeeder, type FeedBatch } from "./feeder.ts";

const log = suiteFixture(startLog);
const logger = createLogger({ name: "feeder.spec", level: "error" });
const waiting = { timeout: 20_000, interval: 5 };
const hourMs = 3_600_000;

/** A view that a test changes itself. */
function createOwnView() {
  const batches = new Map<string, SeenBatch>();
  const listeners = new Set<(batch: SeenBatch, streamIndex: number) => void>();
  const view: Pick<BatchView, "list" | "find" | "onChange"> = {
    list: () => batches.values(),
    find: (_streamIndex, batchId) => batches.get(batchId),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  function change(batch: SeenBatch): void {
    batches.set(batch.batchId, batch);
    for (const listener of listeners) listener(batch, 0);
  }
  return { view, change };
}

function newBatch(): SeenBatch {
  const ids = { accountId: uuidv7(), batchId: uuidv7() };
  return { ...ids, status: "running", isFed: true, createdAtMs: Date.now(), expiresAtMs: undefined };
}

async function startFeeder(
  view: ReturnType<typeof createOwnView>["view"],
  handOut: FeedBatch,
  lookAgainAfterMs: number,
) {
  const feeder = createFeeder({
    log,
    logger,
    view,
    handOut,
    lookAgainAfterMs,
    againAfterMs: hourMs,
    readInput: async () => "nothing",
    cancelJobs: async () => "nothing",
  });
  await feeder.start();
  return feeder;
}

test("a change that comes while a look ends is looked at, however few turns after it", async () => {
  const turnsMax = 60;
  const { view, change } = createOwnView();
  const looks = new Map<string, number>();
  let turns = 0;
  const feeder = await startFeeder(
    view,
    async ({ batchId }) => {
      const look = (looks.get(batchId) ?? 0) + 1;
      looks.set(batchId, look);
      if (look === 1) void changeAfter(batchId, turns);
      return "nothing";
    },
    hourMs,
  );
  async function changeAfter(batchId: string, count: number): Promise<void> {
    for (let turn = 0; turn < count; turn++) await undefined;
    change(view.find(0, batchId)!);
  }
  for (turns = 0; turns < turnsMax; turns++) {
    const batch = newBatch();
    change(batch);
    await expect.poll(() => looks.get(batch.batchId), waiting).toBe(2);
  }
  await feeder.stop();
});

test("batches of one account whose rows are slow leave room for those of another", async () => {
  const { view, change } = createOwnView();
  const stuck = Promise.withResolvers<void>();
  const slow = Array.from({ length: 40 }, () => ({ ...newBatch(), accountId: "slow" }));
  const other = newBatch();
  const looked = new Set<string>();
  const feeder = await startFeeder(
    view,
    async ({ accountId, batchId }) => {
      looked.add(batchId);
      if (accountId === "slow") await stuck.promise;
      return "nothing";
    },
    hourMs,
  );
  for (const batch of slow) change(batch);
  change(other);
  await expect.poll(() => looked.has(other.batchId), waiting).toBe(true);
  stuck.resolve();
  await expect.poll(() => slow.every(({ batchId }) => looked.has(batchId)), waiting).toBe(true);
  await feeder.stop();
});

test("a batch whose change nobody has seen is looked at after a while", async () => {
  const { view, change } = createOwnView();
  let looks = 0;
  const handOut: FeedBatch = async () => {
    looks += 1;
    return "nothing";
  };
  const feeder = await startFeeder(view, handOut, 20);
  change(newBatch());
  await expect.poll(() => looks, waiting).toBeGreaterThan(2);
  await feeder.stop();
});
