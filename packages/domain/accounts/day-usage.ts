import { isoTime } from "../ids.ts";
import { countLatency, type LatencyCounts } from "./latency-counts.ts";
import type { ToolId } from "../edits/tools.ts";

/** What an account used on one UTC day. The account's record has that of its last day. */
export interface DayUsage {
  /** `2026-11-20` */
  readonly day: string;
  readonly edits: Readonly<Partial<Record<ToolId, number>>>;
  readonly creditsDebited: number;
  readonly creditsRefunded: number;
  /** Live jobs that completed on this day; absent while there were none. */
  readonly latency?: LatencyCounts;
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

/** `latencyMs`: undefined for a job that did not complete, and for a test job. */
export function countCompleted(usage: DayUsage, latencyMs: number | undefined, nowMs: number): DayUsage {
  if (latencyMs === undefined) return usage;
  const ofDay = usageOfDay(usage, nowMs);
  return { ...ofDay, latency: countLatency(ofDay.latency, latencyMs) };
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
