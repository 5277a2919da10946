import fc from "fast-check";
import { expect, test } from "vitest";
import type { EditParameters } from "../edits/tools.ts";
import { PackshotError } from "../errors.ts";
import { uuidv7 } from "../ids.ts";
import {
  type Account,
  acceptJob,
  creditPeriodMs,
  freeWindowSlots,
  grantCredits,
  openAccount,
  promoteJobs,
  refundJob,
  renewCredits,
  settleJob,
  windowCounts,
} from "./account.ts";
import { sandboxLane } from "./lane.ts";
import { type LedgerEntry, ledgerWrite } from "./ledger.ts";
import { builtInPlans } from "./plan.ts";
import { sandboxQueuedJobsMax, type WindowKind, windowKinds, windowOfLane } from "./window.ts";

const outcomes = ["completed", "failed", "cancelled"] as const;

type Step =
  | { readonly do: "accept"; readonly credits: number; readonly live: boolean; readonly fileBytes: number | undefined }
  | { readonly do: "settle"; readonly which: number; readonly outcome: (typeof outcomes)[number] }
  | { readonly do: "promote" }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "grant"; readonly amount: number }
  | { readonly do: "limit"; readonly concurrentJobs: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("accept" as const),
      credits: fc.integer({ min: 0, max: 4 }),
      live: fc.boolean(),
      fileBytes: fc.option(fc.integer({ min: 1, max: 150 }), { nil: undefined }),
    }),
  },
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
  readonly window: WindowKind;
  readonly sourceBytes: number;
}

/** The limit of the model's account; a reservation for an `imageUrl` counts as 100. */
const maxWaitingBytes = 300;

/** An independent model of one account: its jobs by id, and its ledger. */
interface AccountModel {
  account: Account;
  nowMs: number;
  ledger: LedgerEntry[];
  ready: ModelJob[];
  waiting: ModelJob[];
}

const of = (jobs: readonly ModelJob[], kind: WindowKind) => jobs.filter(({ window }) => window === kind);

const bytesOf = ({ ready, waiting }: AccountModel, kind: WindowKind) =>
  of([...ready, ...waiting], kind).reduce((sum, { sourceBytes }) => sum + sourceBytes, 0);

function newModel(): AccountModel {
  const plan = { ...builtInPlans[1]!, creditsPerPeriod: 40 };
  const limits = { ...plan.limits, concurrentJobs: 3, maxQueuedJobs: 5, maxWaitingBytes, maxFileSizeBytes: 100 };
  const who = { accountId: uuidv7(), workspaceId: uuidv7(), name: "test" };
  const nowMs = Date.UTC(2026, 10, 20);
  const { account, entries } = openAccount({ ...plan, limits }, who, nowMs);
  return { account, nowMs, ledger: [...entries], ready: [], waiting: [] };
}

function write(model: AccountModel, change: { account: Account; entries: readonly LedgerEntry[] }): void {
  model.account = change.account;
  model.ledger.push(...change.entries);
}

function accept(model: AccountModel, price: number, live = true, fileBytes?: number): void {
  const window = live ? "live" : "sandbox";
  const credits = live ? price : 0;
  write(model, renewCredits(model.account, model.nowMs));
  const jobId = uuidv7();
  const before = model.account;
  const held = bytesOf(model, window);
  try {
    const accepted = acceptJob(before, { jobId, tool: "mask", live, credits, fileBytes }, model.nowMs);
    const { sourceBytes } = accepted;
    if (fileBytes !== undefined) expect(sourceBytes).toBe(fileBytes);
    else if (sourceBytes > 0) expect([accepted.state, live, sourceBytes]).toEqual(["waiting", true, 100]);
    if (held > 0 && sourceBytes > 0) expect(held + sourceBytes).toBeLessThanOrEqual(maxWaitingBytes);
    write(model, accepted);
    expect(windowOfLane(accepted.lane)).toBe(window);
    const job = { jobId, credits, period: before.credits.period, window, sourceBytes } as const;
    (accepted.state === "ready" ? model.ready : model.waiting).push(job);
    if (accepted.state === "ready")
      expect(of(model.ready, window).length).toBeLessThanOrEqual(before.limits.concurrentJobs);
  } catch (error) {
    expect(error).toBeInstanceOf(PackshotError);
    const { code } = error as PackshotError;
    if (code === "insufficient_credits") expect(before.credits.remaining).toBeLessThan(credits);
    else if (of(model.waiting, window).length < before.limits.maxQueuedJobs)
      expect([code, held + (fileBytes ?? 0) > maxWaitingBytes]).toEqual(["queue_full", true]);
    else expect(code).toBe("queue_full");
  }
}

function settle(model: AccountModel, which: number, outcome: (typeof outcomes)[number]): void {
  const jobs = [...model.ready, ...model.waiting];
  const job = jobs[which % Math.max(1, jobs.length)];
  if (job === undefined) return;
  const wasWaiting = model.waiting.includes(job);
  write(model, renewCredits(model.account, model.nowMs));
  write(model, settleJob(model.account, { ...job, tool: "mask", outcome, wasWaiting }, model.nowMs));
  model.ready = model.ready.filter((other) => other !== job);
  model.waiting = model.waiting.filter((other) => other !== job);
}

function promote(model: AccountModel): void {
  for (const window of windowKinds) {
    const count = freeWindowSlots(model.account, window);
    model.account = promoteJobs(model.account, window, count);
    const promoted = of(model.waiting, window).slice(0, count);
    model.waiting = model.waiting.filter((job) => !promoted.includes(job));
    model.ready.push(...promoted);
    if (count > 0) expect(of(model.ready, window).length).toBeLessThanOrEqual(model.account.limits.concurrentJobs);
  }
}

function applyStep(model: AccountModel, action: Step): void {
  switch (action.do) {
    case "accept":
      accept(model, action.credits, action.live, action.fileBytes);
      break;
    case "settle":
      settle(model, action.which, action.outcome);
      break;
    case "promote":
      promote(model);
      break;
    case "wait":
      model.nowMs += action.ms;
      break;
    case "grant":
      write(model, grantCredits(model.account, action.amount, "test", model.nowMs));
      break;
    case "limit": {
      const limits = { ...model.account.limits, concurrentJobs: action.concurrentJobs };
      model.account = { ...model.account, limits };
    }
  }
}

test("after any changes the ledger adds up to the balance, and every job and its bytes are counted once, in its window", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const model = newModel();
      for (const action of steps) {
        applyStep(model, action);
        const { account, ledger } = model;
        expect(account.credits.remaining).toBe(ledger.reduce((sum, { amount }) => sum + amount, 0));
        expect(ledger.at(-1)!.balanceAfter).toBe(account.credits.remaining);
        expect(account.credits.remaining).toBeGreaterThanOrEqual(0);
        for (const window of windowKinds) {
          const counted = { running: of(model.ready, window).length, waiting: of(model.waiting, window).length };
          expect(windowCounts(account, window)).toEqual(counted);
          expect(account.sourceBytes[window]).toBe(bytesOf(model, window));
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("when every job is settled, running and waiting are 0 and only completed jobs cost credits", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...outcomes), { maxLength: 8 }), (ends) => {
      const model = newModel();
      for (const _ of ends) accept(model, 2);
      for (const outcome of ends) settle(model, 0, outcome);
      expect(model.account).toMatchObject({ running: 0, waiting: 0 });
      const completed = ends.filter((outcome) => outcome === "completed").length;
      expect(model.account.credits.remaining).toBe(40 - 2 * completed);
    }),
  );
});

test("where there are no credits to take, a grant changes nothing and leaves no entry", () => {
  const { account, nowMs } = newModel();
  const emptied = grantCredits(account, -100, "test", nowMs);
  expect(emptied.entries.map(({ amount }) => amount)).toEqual([-40]);
  expect(grantCredits(emptied.account, -1, "test", nowMs)).toEqual({ account: emptied.account, entries: [] });
});

test("credits renew at periodEndsAt and not a millisecond before; missed periods are skipped", () => {
  const { account, nowMs } = newModel();
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

test("a refund for an earlier period is entered and expires at once", () => {
  const model = newModel();
  accept(model, 4);
  model.nowMs += creditPeriodMs;
  settle(model, 0, "failed");
  expect(model.account.credits).toMatchObject({ remaining: 40, period: 2 });
  expect(model.ledger.slice(-2).map(({ kind, amount, period }) => [kind, amount, period])).toEqual([
    ["refund", 4, 1],
    ["expire", -4, 1],
  ]);
});

test("a completed job that gives a part back is refunded that part, in its own period", () => {
  const model = newModel();
  accept(model, 4);
  const { accountId } = model.account;
  const job = { jobId: uuidv7(), tool: "mask", credits: 1, creditsOfFailed: 3, sourceBytes: 0 } as const;
  const where = { window: "live", wasWaiting: false, outcome: "completed" } as const;
  const settled = settleJob(model.account, { ...job, ...where, period: 1 }, model.nowMs);
  expect(settled.account.credits.remaining).toBe(model.account.credits.remaining + 3);
  expect(settled.account.usage.creditsRefunded).toBe(3);
  expect(settled.entries).toMatchObject([{ accountId, kind: "refund", amount: 3, period: 1, part: "outputs" }]);
  const rejected = refundJob(settled.account, { ...job, period: 1 }, model.nowMs);
  const written = [...settled.entries, ...rejected.entries].map((entry) => ledgerWrite(entry).subject);
  expect(new Set(written).size, "a later rejection takes no other entry's place").toBe(2);
  expect(settleJob(model.account, { ...job, ...where, creditsOfFailed: 0, period: 1 }, model.nowMs).entries).toEqual(
    [],
  );
});

test("usage counts live edits by day: a test edit does not count, and a clock that is behind overwrites no finished day", () => {
  const { account, nowMs } = newModel();
  const editAt = (before: Account, live: boolean, atMs: number) =>
    acceptJob(before, { jobId: uuidv7(), tool: "mask", live, credits: live ? 2 : 0 }, atMs).account;
  const nextDayMs = nowMs + 24 * 3600 * 1000;
  const tried = editAt(account, false, nextDayMs);
  expect(tried.usage).toBe(account.usage);
  const used = editAt(editAt(editAt(tried, true, nextDayMs), false, nextDayMs), true, nextDayMs - 1);
  expect(used.usage).toEqual({ day: "2026-11-21", edits: { mask: 2 }, creditsDebited: 4, creditsRefunded: 0 });
});

test("sandbox jobs change neither the live counts nor the lane of a live job, and few may wait however large the plan", () => {
  const { account, nowMs } = newModel();
  const limits = { ...account.limits, concurrentJobs: 20, maxQueuedJobs: 100_000 };
  let filled: Account = { ...account, limits };
  const job = { jobId: uuidv7(), tool: "mask", live: false, credits: 0 } as const;
  for (let i = 0; i < 20 + sandboxQueuedJobsMax; i++) filled = acceptJob(filled, job, nowMs).account;
  expect(filled).toMatchObject({ running: 0, waiting: 0, sandboxJobs: { running: 20, waiting: sandboxQueuedJobsMax } });
  expect(() => acceptJob(filled, job, nowMs)).toThrow(expect.objectContaining({ code: "queue_full" }));
  const live = { jobId: uuidv7(), tool: "mask", live: true, credits: 1 } as const;
  expect(acceptJob(filled, live, nowMs)).toMatchObject({ state: "ready", lane: 0, account: { running: 1 } });
});

test("a row's lane is that of its batch, however few of its rows are jobs at the time", () => {
  const { account, nowMs } = newModel();
  const job = { jobId: uuidv7(), tool: "mask", live: true, credits: 1 } as const;
  const lanes = [undefined, 0, 1, 2, 200].map((rowsLeft) => acceptJob(account, { ...job, rowsLeft }, nowMs).lane);
  expect(lanes).toEqual([0, 0, 0, 1, 3]);
  expect(acceptJob({ ...account, running: 20 }, { ...job, rowsLeft: 2 }, nowMs).lane).toBe(2);
  expect(acceptJob(account, { ...job, live: false, rowsLeft: 200 }, nowMs).lane).toBe(sandboxLane);
});

test("a file larger than the limit waits alone", () => {
  const { account, nowMs } = newModel();
  const job = { jobId: uuidv7(), tool: "mask", live: true, credits: 1, fileBytes: 2 * maxWaitingBytes } as const;
  const filled = acceptJob(account, job, nowMs).account;
  expect(filled.sourceBytes).toEqual({ live: 2 * maxWaitingBytes, sandbox: 0 });
  expect(() => acceptJob(filled, { ...job, fileBytes: 1 }, nowMs)).toThrow(
    expect.objectContaining({
      code: "queue_full",
      message: expect.stringContaining(`the limit is ${maxWaitingBytes}`),
    }),
  );
  expect(acceptJob(filled, { ...job, live: false, fileBytes: 1 }, nowMs).account.sourceBytes).toMatchObject({
    sandbox: 1,
  });
});

test("a suspended account and one whose plan lacks the tool accept no job", () => {
  const { account, nowMs } = newModel();
  const job = { jobId: uuidv7(), tool: "mask", live: true, credits: 1 } as const;
  expect(() => acceptJob({ ...account, apiEnabled: false }, job, nowMs)).toThrow(
    expect.objectContaining({ code: "api_disabled" }),
  );
  expect(() => acceptJob({ ...account, tools: ["ai-bg"] }, job, nowMs)).toThrow(
    expect.objectContaining({ code: "tool_not_available" }),
  );
});

test("an account whose plan lacks the tool that draws a file accepts no job with it", () => {
  const { account, nowMs } = newModel();
  const parameters: EditParameters = { outputs: [{ name: "plain" }, { name: "soft", shadow: {} }] };
  const job = { jobId: uuidv7(), tool: "mask", parameters, live: true, credits: 1 } as const;
  expect(() => acceptJob({ ...account, tools: ["mask"] }, job, nowMs)).toThrow(
    expect.objectContaining({ code: "tool_not_available", message: expect.stringContaining('the file "soft"') }),
  );
  expect(acceptJob({ ...account, tools: ["mask", "ai-shadows"] }, job, nowMs).state).toBe("ready");
});
