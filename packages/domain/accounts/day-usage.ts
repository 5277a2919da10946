import { type ToolId, toolIds } from "../edits/tools.ts";
import { isoTime } from "../ids.ts";

/** What an account used on one UTC day. The account's record has that of its last day. */
export interface DayUsage {
  /** `2026-11-20` */
  readonly day: string;
  readonly edits: Readonly<Partial<Record<ToolId, number>>>;
  readonly creditsDebited: number;
  readonly creditsRefunded: number;
  /** Rejected jobs that were refunded; absent while there were none. */
  readonly reviewRefunds?: number;
  /** Live jobs that completed on this day; absent while there were none. */
  readonly latency?: LatencyCounts;
  /** The same jobs, by tool and by what they did meanwhile; absent while there were none, and of days before v0.2.0. */
  readonly latencyByTool?: Readonly<Partial<Record<ToolId, ToolLatencyCounts>>>;
}

export interface ToolLatencyCounts {
  /** From the request to the result. */
  readonly whole: LatencyCounts;
  /** Until a worker began. */
  readonly queue: LatencyCounts;
  /** From there on. */
  readonly work: LatencyCounts;
}

/** How long a completed live job took. */
export interface JobLatency {
  readonly tool: ToolId;
  readonly queueMs: number;
  readonly workMs: number;
}

export function emptyUsage(nowMs: number): DayUsage {
  return { day: dayOf(nowMs), edits: {}, creditsDebited: 0, creditsRefunded: 0 };
}

/** The counts of the day; a clock that is behind adds to the newer day, so it never overwrites a finished one. */
export function usageOfDay(usage: DayUsage, nowMs: number): DayUsage {
  return usage.day >= dayOf(nowMs) ? usage : emptyUsage(nowMs);
}

export function countEdit(usage: DayUsage, { tool, credits }: { tool: ToolId; credits: number }): DayUsage {
  return {
    ...usage,
    edits: { ...usage.edits, [tool]: (usage.edits[tool] ?? 0) + 1 },
    creditsDebited: usage.creditsDebited + credits,
  };
}

/** `job`: undefined for a job that did not complete, and for a test job. */
export function countCompleted(usage: DayUsage, job: JobLatency | undefined, nowMs: number): DayUsage {
  if (job === undefined) return usage;
  const ofDay = usageOfDay(usage, nowMs);
  const { tool, queueMs, workMs } = job;
  const wholeMs = queueMs + workMs;
  const before = ofDay.latencyByTool?.[tool];
  const counts: ToolLatencyCounts = {
    whole: countLatency(before?.whole, wholeMs),
    queue: countLatency(before?.queue, queueMs),
    work: countLatency(before?.work, workMs),
  };
  return {
    ...ofDay,
    latency: countLatency(ofDay.latency, wholeMs),
    latencyByTool: { ...ofDay.latencyByTool, [tool]: counts },
  };
}

/**
 * Which days are stored with a changed account, each as one record. A day of which only the latency changed waits for the
 * next edit, or for the day after: a settled job then costs the log one message, not an atomic batch of two.
 */
export function daysToStore(before: DayUsage, after: DayUsage): readonly DayUsage[] {
  if (before.day !== after.day) return before.latency === undefined ? [after] : [before, after];
  const isSame =
    before.edits === after.edits &&
    before.creditsDebited === after.creditsDebited &&
    before.creditsRefunded === after.creditsRefunded;
  return isSame ? [] : [after];
}

function dayOf(nowMs: number): string {
  return isoTime(nowMs).slice(0, 10);
}

/**
 * How long completed live jobs took, from the request to the result, for `GET /v1/account/usage`. Latencies are counted by
 * ranges that widen by √2: percentiles of several days cannot be added up and jobs are deleted after an hour, but counts can
 * be added. A day has at most 41 of them, usually five, and medians read from them are right to a fifth. Each tool has three such
 * counts, some hundred bytes of the account's record, so that a slow queue is told from slow work.
 *
 * The counts cost no commit. Settling a completed job writes the account's record alone, which is one plain message, so the
 * record carries the counts of the day. The day's usage record takes them over with the next edit, or with the first change
 * of the next day. A metric is no alternative, because no metric names an account; a mean alone hides a few slow photos.
 */

/** By the number of a range; ranges without a job are absent. */
export interface LatencyCounts {
  readonly jobs: number;
  readonly totalMs: number;
  readonly byRange: Readonly<Record<number, number>>;
}

export interface LatencySummary {
  readonly jobs: number;
  readonly meanMs: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

export interface PhasedLatency extends LatencySummary {
  readonly queue: LatencySummary;
  readonly work: LatencySummary;
}

/** A day's, and each tool's; phases are absent of days before v0.2.0. */
export type DayLatency = LatencySummary &
  Partial<PhasedLatency> & { readonly byTool?: Readonly<Partial<Record<ToolId, PhasedLatency>>> };

/** Range 0 ends here, and each further range at √2 times the end of the one before. */
const firstRangeEndMs = 100;
/** Begins at about a day: nothing waits longer for its deadline. */
const lastRange = 40;

export function countLatency(counts: LatencyCounts | undefined, latencyMs: number): LatencyCounts {
  const { jobs, totalMs, byRange } = counts ?? { jobs: 0, totalMs: 0, byRange: {} };
  const ms = Math.max(0, latencyMs);
  const range = rangeOf(ms);
  return { jobs: jobs + 1, totalMs: totalMs + ms, byRange: { ...byRange, [range]: (byRange[range] ?? 0) + 1 } };
}

export function summarizeLatency(counts: LatencyCounts): LatencySummary {
  const { jobs, totalMs } = counts;
  return {
    jobs,
    meanMs: Math.round(totalMs / jobs),
    medianMs: Math.round(quantileOf(counts, 0.5)),
    p95Ms: Math.round(quantileOf(counts, 0.95)),
    p99Ms: Math.round(quantileOf(counts, 0.99)),
  };
}

/** undefined: no live job completed on this day. */
export function summarizeDay({ latency, latencyByTool = {} }: DayUsage): DayLatency | undefined {
  if (latency === undefined) return undefined;
  const known = toolIds.flatMap((tool) => latencyByTool[tool] ?? []);
  const summary = summarizeLatency(latency);
  // The day on which v0.2.0 was installed may have jobs that nobody counted by tool.
  const counted = known.reduce((sum, { whole }) => sum + whole.jobs, 0);
  if (counted < latency.jobs) return summary;
  const byTool = Object.fromEntries(
    toolIds.flatMap((tool) => {
      const counts = latencyByTool[tool];
      return counts === undefined ? [] : [[tool, summarizePhases(counts)] as const];
    }),
  );
  const queue = summarizeLatency(known.map((counts) => counts.queue).reduce(addCounts));
  const work = summarizeLatency(known.map((counts) => counts.work).reduce(addCounts));
  return { ...summary, queue, work, byTool };
}

function summarizePhases({ whole, queue, work }: ToolLatencyCounts): PhasedLatency {
  return { ...summarizeLatency(whole), queue: summarizeLatency(queue), work: summarizeLatency(work) };
}

function addCounts(a: LatencyCounts, b: LatencyCounts): LatencyCounts {
  const byRange: Record<number, number> = { ...a.byRange };
  for (const [range, count] of Object.entries(b.byRange))
    byRange[Number(range)] = (byRange[Number(range)] ?? 0) + count;
  return { jobs: a.jobs + b.jobs, totalMs: a.totalMs + b.totalMs, byRange };
}

function rangeOf(ms: number): number {
  if (ms <= firstRangeEndMs) return 0;
  return Math.min(lastRange, Math.ceil(2 * Math.log2(ms / firstRangeEndMs)));
}

function rangeEndMs(range: number): number {
  return range < 0 ? 0 : firstRangeEndMs * 2 ** (range / 2);
}

/** Jobs are taken to lie evenly within their range. */
function quantileOf({ jobs, byRange }: LatencyCounts, share: number): number {
  const wanted = share * jobs;
  let below = 0;
  for (let range = 0; range <= lastRange; range++) {
    const count = byRange[range] ?? 0;
    if (count > 0 && below + count >= wanted) {
      const begin = rangeEndMs(range - 1);
      return begin + ((wanted - below) / count) * (rangeEndMs(range) - begin);
    }
    below += count;
  }
  return rangeEndMs(lastRange);
}
