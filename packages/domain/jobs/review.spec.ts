import fc from "fast-check";
import { expect, test } from "vitest";
import { completedJob } from "../../../testing/log/job-records.ts";
import { type Account, acceptJob, openAccount } from "../accounts/account.ts";
import type { LedgerEntry } from "../accounts/ledger.ts";
import { builtInPlans } from "../accounts/plan.ts";
import { PackshotError } from "../errors.ts";
import { isoTime, uuidv7 } from "../ids.ts";
import { type CompletedJob, failJob, type Job } from "./job.ts";
import { cutOutOfJob, decideReview, reviewRefundsLeft, takeFreeRepeat } from "./review.ts";

const startMs = Date.UTC(2026, 10, 20);
const dayMs = 24 * 3_600_000;
const jobsMax = 4;

type Step =
  | { readonly do: "approved" | "rejected"; readonly job: number }
  | { readonly do: "repeat"; readonly job: number; readonly fails: boolean }
  | { readonly do: "wait"; readonly ms: number };

const job = fc.nat(jobsMax - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom("approved" as const, "rejected" as const), job }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("repeat" as const), job, fails: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.nat(2 * dayMs) }) },
);

interface Model {
  account: Account;
  nowMs: number;
  jobs: CompletedJob[];
  readonly ledger: LedgerEntry[];
  /** Days of refunds. */
  readonly refundedOn: string[];
  /** Jobs that took a free repeat and did not fail. */
  readonly repeats: number[];
  readonly earlier: Map<string, Job>;
}

/** An account that has paid for each of its jobs. */
function openModel(reviewRefundsPerDay: number, creditsOfJobs: readonly number[]): Model {
  const plan = { ...builtInPlans[0]!, creditsPerPeriod: 100 };
  const who = { accountId: uuidv7(), workspaceId: uuidv7(), name: "test" };
  const opened = openAccount({ ...plan, limits: { ...plan.limits, reviewRefundsPerDay } }, who, startMs);
  const model: Model = {
    account: opened.account,
    nowMs: startMs,
    jobs: [],
    ledger: [...opened.entries],
    refundedOn: [],
    repeats: creditsOfJobs.map(() => 0),
    earlier: new Map(),
  };
  for (const credits of creditsOfJobs) {
    const ended = completedJob({ accountId: who.accountId, creditsCharged: credits, createdAt: isoTime(startMs) });
    const accepted = acceptJob(model.account, { jobId: ended.id, tool: "mask", live: true, credits }, startMs);
    model.account = accepted.account;
    model.ledger.push(...accepted.entries);
    model.jobs.push(ended);
  }
  return model;
}

function take(model: Model, action: Step): void {
  if (action.do === "wait") {
    model.nowMs += action.ms;
    return;
  }
  const before = model.jobs[action.job]!;
  if (action.do === "repeat") {
    const id = uuidv7();
    const taken = takeFreeRepeat(before, id, model.earlier.get(before.freeRepeat ?? ""));
    if (taken === undefined) return;
    expect(taken.expiresAt).toBe(before.expiresAt);
    const made = completedJob({ id, repeatOf: before.id, creditsCharged: 0 });
    expect(takeFreeRepeat(made, uuidv7(), undefined)).toBeUndefined();
    const problem = { code: "mask_unusable", message: "test", retryable: false } as const;
    if (action.fails) model.earlier.set(id, failJob(made, problem, { nowMs: model.nowMs, retentionMs: 1 }));
    else model.repeats[action.job]! += 1;
    model.jobs[action.job] = taken;
    return;
  }
  const repeat = model.earlier.get(before.freeRepeat ?? "");
  const cutOutOf = (each: CompletedJob) => cutOutOfJob(each, repeat);
  const left = reviewRefundsLeft(model.account, model.nowMs);
  const request = { verdict: action.do, nowMs: model.nowMs };
  if (before.review?.verdict === "rejected" && action.do === "approved") {
    expect(() => decideReview(model.account, cutOutOf(before), request)).toThrow(PackshotError);
    return;
  }
  const decision = decideReview(model.account, cutOutOf(before), request);
  expect(decision === undefined).toBe(before.review?.verdict === action.do);
  if (decision === undefined) return;
  const { creditsRefunded } = decision.review;
  const isRepeated = model.repeats[action.job]! > 0;
  const isFree = before.creditsCharged === 0 || isRepeated || before.delivery?.status === "stored";
  expect(creditsRefunded).toBe(action.do === "rejected" && !isFree && left > 0 ? before.creditsCharged : 0);
  if (creditsRefunded > 0) model.refundedOn.push(isoTime(model.nowMs).slice(0, 10));
  model.account = decision.account;
  model.ledger.push(...decision.entries);
  model.jobs[action.job] = { ...before, review: decision.review };
}

test("in any order of reviews and repeats the ledger is the balance, a job is given back once, or repeated for free once", () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.nat(3),
      fc.array(fc.nat(3), { minLength: jobsMax, maxLength: jobsMax }),
      (steps, perDay, credits) => {
        const model = openModel(perDay, credits);
        for (const action of steps) take(model, action);
        const balance = model.ledger.reduce((sum, { amount }) => sum + amount, 0);
        expect(balance).toBe(model.account.credits.remaining);
        const byDay = Object.values(Object.groupBy(model.refundedOn, (day) => day));
        for (const days of byDay) expect(days!.length).toBeLessThanOrEqual(perDay);
        for (const [index, { id, creditsCharged, review }] of model.jobs.entries()) {
          const refunds = model.ledger.filter(({ kind, entryId }) => kind === "refund" && entryId === id);
          expect(refunds.length).toBeLessThanOrEqual(1);
          const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
          expect(refunded).toBe(review?.creditsRefunded ?? 0);
          expect(refunded).toBeLessThanOrEqual(creditsCharged);
          expect(model.repeats[index]).toBeLessThanOrEqual(1);
          // Nobody has both the mended result and the credits.
          expect(refunds.length + model.repeats[index]!).toBeLessThanOrEqual(1);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("credits of a period that is over are refunded and expire at once", () => {
  const { account, jobs } = openModel(1, [2]);
  const later: Account = { ...account, credits: { ...account.credits, period: 2, remaining: 7 } };
  const decision = decideReview(later, cutOutOfJob(jobs[0]!), { verdict: "rejected", nowMs: startMs + 1 })!;
  expect(decision.account.credits.remaining).toBe(7);
  expect(decision.entries.map(({ kind, amount }) => [kind, amount])).toEqual([
    ["refund", 2],
    ["expire", -2],
  ]);
});

test("what a customer's bucket has is rejected without a refund", () => {
  const { account, jobs } = openModel(1, [2]);
  const delivered = { ...jobs[0]!, delivery: { status: "stored", attempts: 1 } } as const;
  const decision = decideReview(account, cutOutOfJob(delivered), { verdict: "rejected", nowMs: startMs })!;
  expect(decision.review.creditsRefunded).toBe(0);
  expect(decision.account).toBe(account);
});

test("an account that was opened before there were refunds has none", () => {
  const { account, jobs } = openModel(1, [2]);
  const { reviewRefundsPerDay: _, ...limits } = account.limits;
  const decision = decideReview({ ...account, limits }, cutOutOfJob(jobs[0]!), { verdict: "rejected", nowMs: startMs });
  expect(decision!.review.creditsRefunded).toBe(0);
});
