import type { Usage } from "@packshot/sdk";

export type DayOfUsage = Usage["data"][number];

const dayMs = 24 * 3600 * 1000;

/** UTC, as the API counts: `2026-11-20`. */
function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The period has so many days and ends today. */
export function firstDayOf(dayCount: number, nowMs: number): string {
  return dayAt(nowMs - (dayCount - 1) * dayMs);
}

/** Every day of the period, oldest first: the API leaves out days without edits. */
export function daysUntil(used: readonly DayOfUsage[], dayCount: number, nowMs: number): readonly DayOfUsage[] {
  const byDay = new Map(used.map((day) => [day.day, day]));
  return Array.from({ length: dayCount }, (_, index) => {
    const day = dayAt(nowMs - (dayCount - 1 - index) * dayMs);
    return byDay.get(day) ?? { day, edits: {}, creditsDebited: 0, creditsRefunded: 0 };
  });
}

/** The top of a chart's axis and its lines: round numbers that hold the largest value. */
export function axisTicks(max: number): readonly number[] {
  if (max <= 0) return [0, 1];
  const rough = max / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough)!;
  const whole = max >= 4 ? Math.ceil(step) : Math.max(1, Math.ceil(step));
  return Array.from({ length: Math.ceil(max / whole) + 1 }, (_, index) => index * whole);
}
