import { openBatch, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createKeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import { expect, test } from "vitest";
import { openTestAccount } from "../../../../testing/log/accepted-jobs.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import type { RowOutcome, ValidRow } from "../batches/rows/row.ts";
import { reviewJob } from "./review-actions.ts";

const log = suiteFixture(startLog);

test.each(["approved", "rejected"] as const)(
  "what is %s of a row whose job is gone is read before its account is held",
  async (verdict) => {
    const accountId = await openTestAccount(log);
    const given = { id: uuidv7(), accountId, live: true, tool: "mask", parameters: {}, onExisting: "skip" } as const;
    const opened = openBatch({ ...given, destination: null, input: { kind: "inline" } }, Date.now());
    const batch = { ...startBatch(opened, 1, Date.now()), nextRow: 1 };
    await log.commit("test", [{ subject: subjects.batch(accountId, batch.id), value: batch, expected: 0 }]);
    const jobId = uuidv7();
    const outcome: RowOutcome = {
      row: 0,
      try: 1,
      sequence: 1,
      status: "completed",
      jobId,
      code: null,
      message: null,
      result: null,
      destination: null,
      sameAs: null,
      quality: "review",
      checks: null,
      credits: 1,
      period: 1,
      milliseconds: 1,
      at: isoTime(Date.now()),
    };
    const source = { kind: "url", imageUrl: "https://shop.example/1.jpg" } as const;
    const row: ValidRow = { row: 0, line: 1, ref: "K-0", source, tool: "mask", parameters: {} };
    const mutex = createKeyedMutex();
    const heldAtReads: boolean[] = [];
    const read = async <T>(value: T): Promise<T> => {
      heldAtReads.push(mutex.isLocked(accountId));
      return value;
    };
    const deps = {
      log,
      nowMs: Date.now,
      runExclusive: mutex.runExclusive,
      cacheAccount: () => {},
      onCommit: () => {},
      storage: { deletePrefix: async () => {} },
      segments: { read: () => read([row]) },
      outcomes: { read: () => read(new Map([[0, outcome]])) },
    };
    const ref = { realm: { accountId, live: true }, jobId };
    const { review } = await reviewJob(deps, { ref, verdict, place: { id: batch.id, row: 0 } });
    expect(review.verdict).toBe(verdict);
    expect(heldAtReads).toEqual([false, false]);
  },
);
