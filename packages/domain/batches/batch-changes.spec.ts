import fc from "fast-check";
import { expect, test } from "vitest";
import { type Batch, endedRows, isBatchEnded, segmentRows } from "./batch.ts";
import {
  batchRate,
  cancelBatch,
  handOutRows,
  openBatch,
  pauseBatch,
  rejectBatch,
  resumeBatch,
  retryBatch,
  settleRows,
  startBatch,
} from "./batch-changes.ts";

const nowMs = Date.parse("2026-11-22T12:00:00Z");
const times = { nowMs, lifetimeMs: 72 * 3600 * 1000 };

function batchOf(rows: number): Batch {
  const who = { id: "b", accountId: "a", live: true, tool: "mask", parameters: {} } as const;
  const opened = openBatch({ ...who, onExisting: "skip", destination: null, input: { kind: "inline" } }, nowMs);
  return startBatch(opened, rows, nowMs);
}

function outcomes(status: "completed" | "failed" | "skipped" | "cancelled", rows: readonly number[]) {
  return rows.map((row) => ({ row, status, credits: status === "completed" ? 1 : 0 }));
}

function allRows({ counts }: Batch): number {
  return counts.pending + counts.open + endedRows(counts);
}

test("whatever happens to a batch, each row is counted once, and its ends are told once", () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("hand out" as const), rows: fc.nat(40) }),
    fc.record({
      kind: fc.constant("settle" as const),
      rows: fc.nat(40),
      status: fc.constantFrom("completed" as const, "failed" as const, "skipped" as const, "cancelled" as const),
    }),
    fc.record({ kind: fc.constantFrom("pause" as const, "resume" as const, "cancel" as const, "retry" as const) }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.array(step, { maxLength: 40 }), (rows, steps) => {
      let batch = batchOf(rows);
      let sequence = 0;
      for (const each of steps) {
        const before = batch;
        if (each.kind === "hand out") {
          const taken = batch.status === "running" ? Math.min(each.rows, batch.counts.pending) : 0;
          batch = handOutRows(batch, taken, Math.min(rows, batch.nextRow + taken));
        } else if (each.kind === "settle") {
          const taken = Math.min(each.rows, batch.counts.open);
          if (taken === 0) continue;
          const ended = outcomes(
            each.status,
            Array.from({ length: taken }, (_, row) => row),
          );
          const settled = settleRows(batch, ended, ++sequence, times);
          batch = settled.batch;
          expect(settled.news === "completed").toBe(isBatchEnded(batch) && !isBatchEnded(before));
          if (settled.news === "progress") expect(batch.tenths).toBeGreaterThan(before.tenths);
        } else {
          try {
            if (each.kind === "pause") batch = pauseBatch(batch, "requested");
            if (each.kind === "resume") batch = resumeBatch(batch, nowMs);
            if (each.kind === "cancel") batch = cancelBatch(batch, times);
            if (each.kind === "retry") batch = retryBatch(batch, nowMs);
          } catch (error) {
            expect(error).toMatchObject({ code: "batch_status_conflict" });
            expect(batch).toBe(before);
          }
        }
        expect(allRows(batch)).toBe(rows);
        expect(Math.min(...Object.values(batch.counts))).toBeGreaterThanOrEqual(0);
        if (batch.status === "completed") expect(batch.counts.pending + batch.counts.open).toBe(0);
      }
    }),
  );
});

test("a batch tells of the last tenth that it reached, and of its end", () => {
  let batch = handOutRows(batchOf(20), 20, 20);
  const news = [1, 1, 5, 12, 1].map((count, i) => {
    const settled = settleRows(batch, outcomes("completed", Array(count).fill(0)), i + 1, times);
    batch = settled.batch;
    return [settled.news, batch.tenths];
  });
  expect(news).toEqual([
    [undefined, 0],
    ["progress", 1],
    ["progress", 3],
    ["progress", 9],
    ["completed", 10],
  ]);
  expect(batch).toMatchObject({ status: "completed", credits: 20, expiresAt: "2026-11-25T12:00:00.000Z" });
});

test("a retry reads the segments in which rows failed, and a cancelled one leaves its rows failed", () => {
  const rows = 5 * segmentRows;
  const handedOut = handOutRows(batchOf(rows), rows, rows);
  const failed = [segmentRows, 3 * segmentRows + 7, 3 * segmentRows + 8];
  const others = Array.from({ length: rows }, (_, row) => row).filter((row) => !failed.includes(row));
  const first = settleRows(handedOut, outcomes("failed", failed.toReversed()), 1, times).batch;
  const { batch } = settleRows(first, outcomes("completed", others), 2, times);
  expect(batch).toMatchObject({ status: "completed", failedSegments: [1, 3] });
  const retried = retryBatch(batch, nowMs);
  expect(retried).toMatchObject({
    status: "running",
    try: 2,
    segments: [1, 3],
    nextRow: segmentRows,
    failedSegments: [],
  });
  expect(retried.counts).toMatchObject({ pending: 3, failed: 0 });
  expect(cancelBatch(retried, times)).toMatchObject({ status: "cancelled", counts: { failed: 3, cancelled: 0 } });
});

test("a cancelled batch ends when its last job has, and one that was never started ends at once", () => {
  const running = handOutRows(batchOf(10), 4, 4);
  const cancelled = cancelBatch(running, times);
  expect(cancelled).toMatchObject({ finishedAt: null, counts: { pending: 0, open: 4, cancelled: 6 } });
  const { batch, news } = settleRows(cancelled, outcomes("cancelled", [0, 1, 2, 3]), 1, times);
  expect([batch.status, news, isBatchEnded(batch)]).toEqual(["cancelled", "completed", true]);
  expect(isBatchEnded(cancelBatch(batchOf(3), times))).toBe(true);
});

test("a file whose rows cannot be read ends its batch with the reason", () => {
  const who = { id: "b", accountId: "a", live: true, tool: null, parameters: {}, onExisting: "redo" } as const;
  const opened = openBatch({ ...who, destination: null, input: { kind: "file", format: "csv" } }, nowMs);
  const error = { code: "invalid_request", message: "no column ref" } as const;
  expect(rejectBatch(opened, error, times)).toMatchObject({
    status: "cancelled",
    error,
    finishedAt: expect.any(String),
  });
  expect(() => pauseBatch(opened, "requested")).toThrow(expect.objectContaining({ code: "batch_status_conflict" }));
});

test("rate and time left are those of the last minutes, and a pause does not slow them down", () => {
  const batch = handOutRows(batchOf(1_000), 100, 100);
  const later = { ...times, nowMs: nowMs + 30_000 };
  const settled = settleRows(batch, outcomes("completed", Array(100).fill(0)), 1, later).batch;
  expect(batchRate(settled, later.nowMs)).toEqual({ rowsPerHour: 12_000, secondsLeft: 270 });
  const resumedMs = nowMs + 3_600_000;
  const resumed = handOutRows(resumeBatch(pauseBatch(settled, "requested"), resumedMs), 100, 200);
  const after = { ...times, nowMs: resumedMs + 10_000 };
  const again = settleRows(resumed, outcomes("completed", Array(100).fill(0)), 2, after).batch;
  expect(batchRate(again, after.nowMs)).toEqual({ rowsPerHour: 36_000, secondsLeft: 80 });
});

test("a completed row whose bucket refused it counts as such until its result has come, also after the end", () => {
  const refused = [0, 1].map((row) => ({ row, status: "completed", credits: 1, delivery: "failed" }) as const);
  const stored = { row: 2, status: "completed", credits: 1, delivery: "stored" } as const;
  const { batch, news } = settleRows(handOutRows(batchOf(3), 3, 3), [...refused, stored], 1, times);
  expect([batch.deliveriesFailed, batch.credits, batch.status, news]).toEqual([2, 3, "completed", "completed"]);
  expect(batch.counts).toMatchObject({ completed: 3, failed: 0 });
  expect(() => retryBatch(batch, nowMs)).toThrow("No row of the batch has failed.");
  const redelivered = { ...stored, row: 0, isRedelivery: true };
  const later = settleRows(batch, [redelivered], 2, { ...times, nowMs: nowMs + 1_000 });
  expect(later).toEqual({ batch: { ...batch, deliveriesFailed: 1, settledThrough: 2 }, news: undefined });
});
