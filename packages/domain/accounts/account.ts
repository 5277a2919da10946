import { toolsOf } from "../edits/rendition.ts";
import type { EditParameters, ToolId } from "../edits/tools.ts";
import { PackshotError } from "../errors.ts";
import { isoTime } from "../ids.ts";
import { countCompleted, countEdit, type DayUsage, emptyUsage, type JobLatency, usageOfDay } from "./day-usage.ts";
import { type Lane, laneForDepth, sandboxLane } from "./lane.ts";
import { createLedgerEntry, type LedgerEntry } from "./ledger.ts";
import type { Plan, PlanLimits } from "./plan.ts";
import {
  addSourceBytes,
  fitsWaitingBytes,
  type PromotedThrough,
  prefetchBytes,
  queuedJobsMax,
  type SourceBytes,
  type WindowCounts,
  type WindowKind,
} from "./window.ts";

export interface Account {
  readonly v: 1;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly plan: string;
  readonly limits: PlanLimits;
  readonly apiEnabled: boolean;
  readonly tools: readonly ToolId[];
  readonly createdAt: string;
  readonly credits: {
    readonly remaining: number;
    readonly perPeriod: number;
    readonly period: number;
    readonly periodEndsAt: string;
  };
  /** Live jobs inside the window (queued or processing). */
  readonly running: number;
  /** Live jobs that have a wait record. */
  readonly waiting: number;
  /** Counts of sandbox jobs, like `running` and `waiting` of live ones. */
  readonly sandboxJobs: WindowCounts;
  /** Bytes of jobs inside the windows and waiting. */
  readonly sourceBytes: SourceBytes;
  readonly apiKeys: number;
  readonly webhooks: number;
  /** To buckets; absent while there was none, and so are presets of its own. */
  readonly connections?: number;
  readonly presets?: number;
  /** Sequence in the account's state stream of the last event that the keeper settled into this record. */
  readonly settledThrough: number;
  readonly promotedThrough?: PromotedThrough;
  readonly usage: DayUsage;
  /** It is being erased: nothing is accepted and nothing is changed any more. */
  readonly erasure?: Erasure;
  /** Absent while there was none. It has no record of its own: a settlement of completed jobs writes the account only. */
  readonly inference?: InferenceUsage;
}

/** A changed account, with the ledger entries that explain the change of its credits. */
export interface AccountChange {
  readonly account: Account;
  readonly entries: readonly LedgerEntry[];
}

export const creditPeriodMs = 30 * 24 * 3600 * 1000;

export function openAccount(
  plan: Plan,
  who: { accountId: string; workspaceId: string; name: string },
  nowMs: number,
): AccountChange {
  const account: Account = {
    v: 1,
    ...who,
    plan: plan.name,
    limits: plan.limits,
    apiEnabled: true,
    tools: plan.tools,
    createdAt: isoTime(nowMs),
    credits: {
      remaining: plan.creditsPerPeriod,
      perPeriod: plan.creditsPerPeriod,
      period: 1,
      periodEndsAt: isoTime(nowMs + creditPeriodMs),
    },
    running: 0,
    waiting: 0,
    sandboxJobs: { running: 0, waiting: 0 },
    sourceBytes: { live: 0, sandbox: 0 },
    apiKeys: 0,
    webhooks: 0,
    settledThrough: 0,
    usage: emptyUsage(nowMs),
  };
  return {
    account,
    entries: [createLedgerEntry(account, "grant", plan.creditsPerPeriod, nowMs, { note: `plan ${plan.name}` })],
  };
}

/** At or after `periodEndsAt` the remaining credits expire and the plan's are granted anew; missed periods are skipped. */
export function renewCredits(account: Account, nowMs: number): AccountChange {
  const endsAtMs = Date.parse(account.credits.periodEndsAt);
  if (nowMs < endsAtMs) return { account, entries: [] };
  const periodsPassed = Math.floor((nowMs - endsAtMs) / creditPeriodMs) + 1;
  const emptied: Account = { ...account, credits: { ...account.credits, remaining: 0 } };
  const renewed: Account = {
    ...account,
    credits: {
      ...account.credits,
      remaining: account.credits.perPeriod,
      period: account.credits.period + periodsPassed,
      periodEndsAt: isoTime(endsAtMs + periodsPassed * creditPeriodMs),
    },
  };
  const entries: LedgerEntry[] = [];
  if (account.credits.remaining !== 0)
    entries.push(createLedgerEntry(emptied, "expire", -account.credits.remaining, nowMs, {}));
  entries.push(createLedgerEntry(renewed, "grant", renewed.credits.perPeriod, nowMs, { note: "period renewed" }));
  return { account: renewed, entries };
}

/** The operator adds credits, or takes them when `amount` is negative; the balance never goes below zero. */
export function grantCredits(account: Account, amount: number, note: string, nowMs: number): AccountChange {
  const given = Math.max(amount, -account.credits.remaining);
  if (given === 0) return { account, entries: [] };
  const changed = addCredits(account, given);
  return { account: changed, entries: [createLedgerEntry(changed, "grant", given, nowMs, { note })] };
}

export interface JobToAccept {
  readonly jobId: string;
  readonly tool: ToolId;
  /** Files of `outputs` may be drawn by tools that the plan must have, too. */
  readonly parameters?: EditParameters;
  /** false: made with a test key; it is not counted as usage. */
  readonly live: boolean;
  /** 0 for a sandbox job. */
  readonly credits: number;
  /** undefined: its source is an `imageUrl`. */
  readonly fileBytes?: number | undefined;
  /** How many other rows of its batch have not ended; undefined: the job is not a row of a batch. */
  readonly rowsLeft?: number | undefined;
}

export type Acceptance = AccountChange & {
  readonly state: "ready" | "waiting";
  readonly lane: Lane;
  /** What the account counts until the job is settled. */
  readonly sourceBytes: number;
};

/** Debits one job and counts it as ready or waiting. Throws `api_disabled`, `tool_not_available`, `insufficient_credits`, `queue_full`. */
export function acceptJob(account: Account, job: JobToAccept, nowMs: number): Acceptance {
  if (!account.apiEnabled)
    throw new PackshotError("api_disabled", "API access is suspended for this account; ask the operator.");
  for (const { tool, file } of toolsOf(job.tool, job.parameters ?? {})) {
    if (account.tools.includes(tool)) continue;
    const what = file === undefined ? tool : `${tool}, which draws the file "${file}"`;
    throw new PackshotError(
      "tool_not_available",
      `The plan "${account.plan}" does not include ${what}: ask the operator for one that does.`,
    );
  }
  if (account.credits.remaining < job.credits) {
    throw new PackshotError(
      "insufficient_credits",
      `This edit costs ${job.credits} and ${account.credits.remaining} credits are left until ${account.credits.periodEndsAt}: wait until then, or ask the operator for more.`,
    );
  }
  const window: WindowKind = job.live ? "live" : "sandbox";
  const { running, waiting } = windowCounts(account, window);
  const ready = waiting === 0 && running < account.limits.concurrentJobs;
  const waitingMax = queuedJobsMax(account.limits, window);
  if (!ready && waiting >= waitingMax) {
    const kind = job.live ? "jobs" : "test jobs";
    throw new PackshotError(
      "queue_full",
      `${waiting} ${kind} are waiting already; the limit is ${waitingMax}: try again when some have ended.`,
    );
  }
  assertSourceFits(account, job.live, job.fileBytes ?? 0);
  const lane = job.live ? laneForDepth(Math.max(running + waiting, job.rowsLeft ?? 0)) : sandboxLane;
  const prefetched = !ready && job.live ? prefetchBytes(account.sourceBytes[window], account.limits) : 0;
  const sourceBytes = job.fileBytes ?? prefetched;
  const counted: Account = {
    ...addToWindow(account, window, ready ? { running: 1 } : { waiting: 1 }),
    sourceBytes: addSourceBytes(account.sourceBytes, window, sourceBytes),
  };
  const changed: Account = {
    ...addCredits(counted, -job.credits),
    usage: job.live ? countEdit(usageOfDay(account.usage, nowMs), job) : account.usage,
  };
  const entries =
    job.credits === 0
      ? []
      : [createLedgerEntry(changed, "debit", -job.credits, nowMs, { entryId: job.jobId, tool: job.tool })];
  return { account: changed, entries, state: ready ? "ready" : "waiting", lane, sourceBytes };
}

/** Throws `queue_full` when the sources of the account's jobs leave no room for this one. */
export function assertSourceFits(account: Account, live: boolean, fileBytes: number): void {
  const held = account.sourceBytes[live ? "live" : "sandbox"];
  if (fileBytes === 0 || fitsWaitingBytes(held, fileBytes, account.limits)) return;
  throw new PackshotError(
    "queue_full",
    `The photos of unfinished jobs have ${held} bytes and this one ${fileBytes}; the limit is ${account.limits.maxWaitingBytes}: try again when some have ended.`,
  );
}

export interface JobToSettle {
  readonly jobId: string;
  readonly tool: ToolId;
  readonly credits: number;
  /** The credit period in which it was debited. */
  readonly period: number;
  readonly outcome: "completed" | "failed" | "cancelled";
  /** What a completed job gives back, beside its credits. */
  readonly creditsOfFailed?: number | undefined;
  /** The window in which it was counted. */
  readonly window: WindowKind;
  readonly wasWaiting: boolean;
  /** As accepting it returned. */
  readonly sourceBytes: number;
  /** Only for a live job that completed. */
  readonly inferenceMs?: number | undefined;
  /** Only for a live job that completed. */
  readonly latency?: JobLatency | undefined;
}

/**
 * Frees a finished job's slot, and refunds its credits unless it completed: a failed or cancelled job costs nothing, nor does a
 * file that failed, and a scene that the renderer painted costs no more than the renderer's.
 */
export function settleJob(account: Account, job: JobToSettle, nowMs: number): AccountChange {
  const counted = addToWindow(account, job.window, job.wasWaiting ? { waiting: -1 } : { running: -1 });
  const sourceBytes = addSourceBytes(account.sourceBytes, job.window, -job.sourceBytes);
  const inference = addInference(account.inference, job.inferenceMs ?? 0, nowMs);
  const usageWithLatency = countCompleted(account.usage, job.latency, nowMs);
  const freed = {
    ...counted,
    sourceBytes,
    ...(inference && { inference }),
    usage: usageWithLatency,
  };
  const isCompleted = job.outcome === "completed";
  const credits = isCompleted ? (job.creditsOfFailed ?? 0) : job.credits;
  if (credits === 0) return { account: freed, entries: [] };
  return refundJob(freed, { ...job, credits, ...(isCompleted && { part: "outputs" as const }) }, nowMs);
}

/** Gives a job's credits back. Those of a period that is over expire at once. */
export function refundJob(
  account: Account,
  job: Pick<JobToSettle, "jobId" | "tool" | "credits" | "period"> & Pick<LedgerEntry, "part">,
  nowMs: number,
): AccountChange {
  const usage = usageOfDay(account.usage, nowMs);
  const changed: Account = { ...account, usage: { ...usage, creditsRefunded: usage.creditsRefunded + job.credits } };
  const ofJob = { entryId: job.jobId, tool: job.tool, period: job.period, part: job.part };
  const refunded = addCredits(changed, job.credits);
  if (job.period !== account.credits.period) {
    // Its period is over: the refunded credits expire in the same batch.
    return {
      account: changed,
      entries: [
        createLedgerEntry(refunded, "refund", job.credits, nowMs, ofJob),
        createLedgerEntry(changed, "expire", -job.credits, nowMs, ofJob),
      ],
    };
  }
  return { account: refunded, entries: [createLedgerEntry(refunded, "refund", job.credits, nowMs, ofJob)] };
}

export function windowCounts(account: Account, window: WindowKind): WindowCounts {
  if (window === "live") return { running: account.running, waiting: account.waiting };
  return account.sandboxJobs;
}

/** How many waiting jobs may enter the account's window now. */
export function freeWindowSlots(account: Account, window: WindowKind): number {
  const { running, waiting } = windowCounts(account, window);
  return Math.max(0, Math.min(waiting, account.limits.concurrentJobs - running));
}

export function promoteJobs(account: Account, window: WindowKind, count: number): Account {
  return addToWindow(account, window, { running: count, waiting: -count });
}

/** Counts never go below zero. */
export function addToWindow(account: Account, window: WindowKind, change: Partial<WindowCounts>): Account {
  const before = windowCounts(account, window);
  const counts: WindowCounts = {
    running: Math.max(0, before.running + (change.running ?? 0)),
    waiting: Math.max(0, before.waiting + (change.waiting ?? 0)),
  };
  return window === "live" ? { ...account, ...counts } : { ...account, sandboxJobs: counts };
}

function addCredits(account: Account, amount: number): Account {
  return { ...account, credits: { ...account.credits, remaining: account.credits.remaining + amount } };
}

/** A record beside the account's: it names what is to be erased until all of it is gone. */
export interface Erasure {
  readonly v: 1;
  readonly accountId: string;
  readonly requestedAt: string;
}

/** What models computed for an account's completed live jobs. */
export interface InferenceUsage {
  /** The UTC day of `dayMs`. */
  readonly day: string;
  readonly dayMs: number;
  readonly totalMs: number;
}

/** A clock that is behind adds to the newer day. */
function addInference(usage: InferenceUsage | undefined, ms: number, nowMs: number): InferenceUsage | undefined {
  if (ms === 0) return usage;
  const { day, dayMs, totalMs } = usage ?? { day: "", dayMs: 0, totalMs: 0 };
  const today = dayOf(nowMs);
  const ofDay = day >= today ? { day, dayMs: dayMs + ms } : { day: today, dayMs: ms };
  return { ...ofDay, totalMs: totalMs + ms };
}

/** What models computed on this UTC day. */
export function inferenceMsOfDay(usage: InferenceUsage | undefined, nowMs: number): number {
  return usage?.day === dayOf(nowMs) ? usage.dayMs : 0;
}

function dayOf(nowMs: number): string {
  return isoTime(nowMs).slice(0, 10);
}
