import { type Account, acceptJob, inferenceMsOfDay, openAccount } from "@packshot/domain/accounts/account.ts";
import { daysToStore } from "@packshot/domain/accounts/day-usage.ts";
import { builtInPlans } from "@packshot/domain/accounts/plan.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { JobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import type { FollowedEvent } from "@packshot/log/follow/read-events.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { batchWrites } from "../../records/commit-account.ts";
import { promotionsMax, settleBatch, settleEvents, settleEventsMax, settleMessagesMax } from "./settlement.ts";

const nowMs = Date.UTC(2026, 10, 20);

function accountWith(jobs: number, concurrentJobs: number): { account: Account; jobIds: string[] } {
  const plan = { ...builtInPlans[0]!, creditsPerPeriod: 10_000 };
  const who = { accountId: uuidv7(), workspaceId: uuidv7(), name: "test" };
  const limits = { ...plan.limits, concurrentJobs };
  let { account } = openAccount({ ...plan, limits }, who, nowMs);
  const jobIds = Array.from({ length: jobs }, () => uuidv7());
  for (const jobId of jobIds) {
    account = acceptJob(account, { jobId, tool: "mask", live: true, credits: 2 }, nowMs).account;
  }
  return { account, jobIds };
}

function ended(accountId: string, jobId: string, kind: JobEndedEvent["kind"], sequence: number): FollowedEvent {
  const at = isoTime(nowMs);
  const event: JobEndedEvent = {
    v: 1,
    kind,
    eventId: uuidv7(),
    createdAt: at,
    accountId,
    jobId,
    tool: "mask",
    live: true,
    lane: 0,
    metadata: {},
    credits: 2,
    sourceBytes: 0,
    period: 1,
    jobCreatedAt: at,
    startedAt: at,
    finishedAt: at,
    expiresAt: at,
    result: null,
    thumbnail: null,
    error: null,
  };
  return { event, sequence };
}

const kinds = fc.array(fc.constantFrom("completed" as const, "failed", "cancelled"), { minLength: 1, maxLength: 40 });

test("events in any batches, also repeated, settle to the same account", () => {
  fc.assert(
    fc.property(kinds, fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 40, maxLength: 40 }), (ends, sizes) => {
      const { account, jobIds } = accountWith(ends.length, 1_000);
      const events = ends.map((kind, i) => ended(account.accountId, jobIds[i]!, kind, 10 + 2 * i));
      const atOnce = settleEvents(account, events, new Map(), nowMs)!.account;
      let piecewise = account;
      for (let from = 0, i = 0; from < events.length; i++) {
        const batch = events.slice(Math.max(0, from - 3), from + sizes[i]!); // the last three come once more
        piecewise = settleEvents(piecewise, batch, new Map(), nowMs)?.account ?? piecewise;
        from += sizes[i]!;
      }
      expect(piecewise).toEqual(atOnce);
      expect(atOnce.running).toBe(0);
      expect(settleEvents(atOnce, events, new Map(), nowMs)).toBeUndefined();
    }),
  );
});

test("the largest batch stays within its messages; an event makes the keeper promote the rest", () => {
  const { account, jobIds } = accountWith(2_000, 1);
  const waits = new Map(jobIds.slice(1, 1 + settleEventsMax).map((jobId, i) => [jobId, 100 + i]));
  const events = [...waits.keys()].map((jobId, i) => ended(account.accountId, jobId, "failed", 10_000 + i));
  const raised = { ...account, limits: { ...account.limits, concurrentJobs: 5_000 } };
  const settlement = settleEvents(raised, events, waits, nowMs)!;
  const { live: count, sandbox } = promotionsMax(settlement);
  expect(sandbox).toBe(0);
  const next = jobIds.slice(500, 500 + count).map((jobId, i) => ({
    value: { v: 1, accountId: account.accountId, jobId, lane: 3 } as const,
    sequence: 5_000 + i,
  }));
  const promotions = {
    live: { next, stale: [], sawAllWaiting: false },
    sandbox: { next: [], stale: [], sawAllWaiting: false },
  };
  const batch = settleBatch({ value: raised, sequence: 1 }, settlement, promotions, { eventId: uuidv7(), nowMs });
  const writes = batchWrites(batch);
  expect(writes.length).toBeLessThanOrEqual(settleMessagesMax);
  expect(batch.account).toMatchObject({ running: 1 + count, waiting: 1_999 - settleEventsMax - count });
  expect(writes.at(-1)!.subject).toMatch(/\.event\..*\.limits$/);
  expect(new Set(writes.map(({ subject }) => subject)).size).toBe(writes.length);
});

test("a job that ended while it waited frees no slot in the window", () => {
  const { account, jobIds } = accountWith(3, 1);
  const waits = new Map([[jobIds[1]!, 42]]);
  const events = [ended(account.accountId, jobIds[1]!, "cancelled", 100)];
  const settlement = settleEvents(account, events, waits, nowMs)!;
  expect(settlement.account).toMatchObject({ running: 1, waiting: 1, settledThrough: 100 });
  expect(settlement.tombstones).toMatchObject([{ value: null, expected: 42 }]);
  expect(promotionsMax(settlement)).toEqual({ live: 0, sandbox: 0 });
});

test("a sandbox job settles in its own window, and a live one in the live window", () => {
  const { account, jobIds } = accountWith(2, 2);
  const before: Account = { ...account, sandboxJobs: { running: 2, waiting: 3 } };
  const sandbox = { ...ended(account.accountId, uuidv7(), "completed", 100).event, live: false, lane: 4 } as const;
  const { event: live } = ended(account.accountId, jobIds[0]!, "completed", 101);
  const events = [
    { event: sandbox, sequence: 100 },
    { event: live, sequence: 101 },
  ];
  const settlement = settleEvents(before, events, new Map(), nowMs)!;
  expect(settlement.account).toMatchObject({ running: 1, waiting: 0, sandboxJobs: { running: 1, waiting: 3 } });
  expect(promotionsMax(settlement)).toEqual({ live: 0, sandbox: 1 });
});

test("completed live jobs add up what models computed for them, by day and in all", () => {
  const { account, jobIds } = accountWith(3, 3);
  const events = jobIds.map((jobId, index) => {
    const { event, sequence } = ended(account.accountId, jobId, "completed", 100 + index);
    return { event: { ...event, inferenceMs: 40, live: index > 0 }, sequence };
  });
  const settled = settleEvents(account, events, new Map(), nowMs)!.account;
  const day = new Date(nowMs).toISOString().slice(0, 10);
  expect(settled.inference).toEqual({ day, dayMs: 80, totalMs: 80 });
  expect(settled.usage.latency?.jobs).toBe(2);
  // A settlement without a refund stays one message.
  expect(daysToStore(account.usage, settled.usage)).toEqual([]);
  const dayMs = 24 * 3600 * 1000;
  const later = [{ ...events[1]!, sequence: 200 }];
  const next = settleEvents(settled, later, new Map(), nowMs + dayMs)!.account;
  expect(next.inference).toMatchObject({ dayMs: 40, totalMs: 120 });
  expect([0, dayMs].map((laterMs) => inferenceMsOfDay(next.inference, nowMs + laterMs))).toEqual([0, 40]);
});
