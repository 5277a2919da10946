import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Account,
  acceptJob,
  creditPeriodMs,
  freeWindowSlots,
  grantCredits,
  openAccount,
  promoteJobs,
  renewCredits,
  settleJob,
} from "./account.ts";
import { PackshotError } from "./errors.ts";
import { uuidv7 } from "./ids.ts";
import type { LedgerEntry } from "./ledger.ts";
import { builtInPlans } from "./plan.ts";

const outcomes = ["completed", "failed", "cancelled"] as const;

type Step =
  | { readonly do: "accept"; readonly credits: number }
  | { readonly do: "settle"; readonly which: number; readonly outcome: (typeof outcomes)[number] }
  | { readonly do: "promote" }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "grant"; readonly amount: number }
  | { readonly do: "limit"; readonly concurrentJobs: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("accept" as const), credits: fc.integer({ min: 0, max: 4 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("settle" as const),
      which: fc.nat(1_000),
      outcome: fc.constantFrom(...outcomes),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("promote" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.integer({ min: 0, max: 3 * creditPeriodMs }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("grant" as const), amount: fc.integer({ min: -30, max: 30 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("limit" as const), concurrentJobs: fc.integer({ min: 1, max: 6 }) }),
  },
);

interface ModelJob {
  readonly jobId: string;
  readonly credits: number;
  readonly period: number;
}

/** The account as a bookkeeper would know it: each job by name, each entry on paper. */
interface World {
  account: Account;
  nowMs: number;
  ledger: LedgerEntry[];
  ready: ModelJob[];
  waiting: ModelJob[];
  mostRunning: number;
}

function newWorld(): World {
  const plan = { ...builtInPlans[1]!, creditsPerPeriod: 40 };
  const limits = { ...plan.limits, concurrentJobs: 3, maxQueuedJobs: 5 };
  const who = { accountId: uuidv7(), workspaceId: uuidv7(), name: "model" };
  const nowMs = Date.UTC(2026, 10, 20);
  const { account, entries } = openAccount({ ...plan, limits }, who, nowMs);
  return { account, nowMs, ledger: [...entries], ready: [], waiting: [], mostRunning: 0 };
}

function write(world: World, change: { account: Account; entries: readonly LedgerEntry[] }): void {
  world.account = change.account;
  world.ledger.push(...change.entries);
}

function accept(world: World, credits: number): void {
  write(world, renewCredits(world.account, world.nowMs));
  const jobId = uuidv7();
  const before = world.account;
  try {
    const accepted = acceptJob(before, { jobId, tool: "mask", live: true, credits }, world.nowMs);
    write(world, accepted);
    const job = { jobId, credits, period: before.credits.period };
    (accepted.state === "ready" ? world.ready : world.waiting).push(job);
    if (accepted.state === "ready") expect(world.ready.length).toBeLessThanOrEqual(before.limits.concurrentJobs);
  } catch (error) {
    expect(error).toBeInstanceOf(PackshotError);
    const { code } = error as PackshotError;
    if (code === "insufficient_credits") expect(before.credits.remaining).toBeLessThan(credits);
    else expect([code, world.waiting.length]).toEqual(["queue_full", before.limits.maxQueuedJobs]);
  }
}

function settle(world: World, which: number, outcome: (typeof outcomes)[number]): void {
  const jobs = [...world.ready, ...world.waiting];
  const job = jobs[which % Math.max(1, jobs.length)];
  if (job === undefined) return;
  const wasWaiting = world.waiting.includes(job);
  write(world, renewCredits(world.account, world.nowMs));
  write(world, settleJob(world.account, { ...job, tool: "mask", outcome, wasWaiting }, world.nowMs));
  world.ready = world.ready.filter((other) => other !== job);
  world.waiting = world.waiting.filter((other) => other !== job);
}

function promote(world: World): void {
  const count = freeWindowSlots(world.account);
  world.account = promoteJobs(world.account, count);
  world.ready.push(...world.waiting.splice(0, count));
  if (count > 0) expect(world.ready.length).toBeLessThanOrEqual(world.account.limits.concurrentJobs);
}

function take(world: World, action: Step): void {
  switch (action.do) {
    case "accept":
      accept(world, action.credits);
      break;
    case "settle":
      settle(world, action.which, action.outcome);
      break;
    case "promote":
      promote(world);
      break;
    case "wait":
      world.nowMs += action.ms;
      break;
    case "grant":
      write(world, grantCredits(world.account, action.amount, "test", world.nowMs));
      break;
    case "limit": {
      const limits = { ...world.account.limits, concurrentJobs: action.concurrentJobs };
      world.account = { ...world.account, limits };
    }
  }
}

test("whatever happens, the ledger sums to the balance and every job is counted once, where it is", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const world = newWorld();
      for (const action of steps) {
        take(world, action);
        const { account, ledger } = world;
        expect(account.credits.remaining).toBe(ledger.reduce((sum, { amount }) => sum + amount, 0));
        expect(ledger.at(-1)!.balanceAfter).toBe(account.credits.remaining);
        expect(account.credits.remaining).toBeGreaterThanOrEqual(0);
        expect([account.running, account.waiting]).toEqual([world.ready.length, world.waiting.length]);
      }
    }),
    { numRuns: 300 },
  );
});

test("when all jobs have ended and all are settled, running and waiting are 0 and only completed jobs cost", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...outcomes), { maxLength: 8 }), (ends) => {
      const world = newWorld();
      for (const _ of ends) accept(world, 2);
      for (const outcome of ends) settle(world, 0, outcome);
      expect(world.account).toMatchObject({ running: 0, waiting: 0 });
      const completed = ends.filter((outcome) => outcome === "completed").length;
      expect(world.account.credits.remaining).toBe(40 - 2 * completed);
    }),
  );
});

test("credits renew at periodEndsAt and not a millisecond before; missed periods are skipped", () => {
  const { account, nowMs } = newWorld();
  const endsAtMs = Date.parse(account.credits.periodEndsAt);
  expect(endsAtMs).toBe(nowMs + creditPeriodMs);
  expect(renewCredits(account, endsAtMs - 1).account).toBe(account);
  const renewed = renewCredits(account, endsAtMs + 2 * creditPeriodMs);
  expect(renewed.account.credits).toMatchObject({ remaining: 40, period: 4 });
  expect(Date.parse(renewed.account.credits.periodEndsAt)).toBe(endsAtMs + 3 * creditPeriodMs);
  expect(renewed.entries.map(({ kind, amount }) => [kind, amount])).toEqual([
    ["expire", -40],
    ["grant", 40],
  ]);
});

test("a refund whose period has ended is entered and expires at once", () => {
  const world = newWorld();
  accept(world, 4);
  world.nowMs += creditPeriodMs;
  settle(world, 0, "failed");
  expect(world.account.credits).toMatchObject({ remaining: 40, period: 2 });
  expect(world.ledger.slice(-2).map(({ kind, amount, period }) => [kind, amount, period])).toEqual([
    ["refund", 4, 1],
    ["expire", -4, 1],
  ]);
});

test("usage counts live edits by day: a test edit does not count, and a clock that is behind overwrites no finished day", () => {
  const { account, nowMs } = newWorld();
  const editAt = (before: Account, live: boolean, atMs: number) =>
    acceptJob(before, { jobId: uuidv7(), tool: "mask", live, credits: live ? 2 : 0 }, atMs).account;
  const nextDayMs = nowMs + 24 * 3600 * 1000;
  const tried = editAt(account, false, nextDayMs);
  expect(tried.usage).toBe(account.usage);
  const used = editAt(editAt(editAt(tried, true, nextDayMs), false, nextDayMs), true, nextDayMs - 1);
  expect(used.usage).toEqual({ day: "2026-11-21", edits: { mask: 2 }, creditsDebited: 4, creditsRefunded: 0 });
});

test("a suspended account, and one whose plan lacks the tool, accept nothing", () => {
  const { account, nowMs } = newWorld();
  const job = { jobId: uuidv7(), tool: "mask", live: true, credits: 1 } as const;
  expect(() => acceptJob({ ...account, apiEnabled: false }, job, nowMs)).toThrow(
    expect.objectContaining({ code: "api_disabled" }),
  );
  expect(() => acceptJob({ ...account, tools: ["ai-bg"] }, job, nowMs)).toThrow(
    expect.objectContaining({ code: "tool_not_available" }),
  );
});
