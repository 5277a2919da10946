import { isoTime } from "../ids.ts";

/** What models computed for an account's completed live jobs. */
export interface InferenceUsage {
  /** The UTC day of `dayMs`. */
  readonly day: string;
  readonly dayMs: number;
  readonly totalMs: number;
}

/** A clock that is behind adds to the newer day. */
export function addInference(usage: InferenceUsage | undefined, ms: number, nowMs: number): InferenceUsage | undefined {
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
