/** How far a run is, and how fast: numbers and one line of text. */

export interface ProgressCounts {
  readonly ended: number;
  readonly failed: number;
  /** undefined: it has no end, as with --watch. */
  readonly total: number | undefined;
}

export interface Pace {
  /** A photo has been edited, not skipped. */
  mark(nowMs: number): void;
  /** The rate over the last half minute; undefined until there is one. */
  perSecond(nowMs: number): number | undefined;
}

const paceMs = 30_000;

export function createPace(startedAtMs: number): Pace {
  let times: number[] = [];
  return {
    mark(nowMs) {
      times.push(nowMs);
      times = times.filter((time) => nowMs - time <= paceMs);
    },
    perSecond(nowMs) {
      const recent = times.filter((time) => nowMs - time <= paceMs);
      const sinceMs = Math.max(startedAtMs, nowMs - paceMs);
      return recent.length === 0 || nowMs <= sinceMs ? undefined : (recent.length * 1000) / (nowMs - sinceMs);
    },
  };
}

const barWidth = 20;

/** `[██████░░░░░░░░░░░░░░] 31 of 100 · 2 failed · 3.4 a second · 20 s left`, no longer than the terminal is wide. */
export function progressLine(
  { ended, failed, total }: ProgressCounts,
  pace: number | undefined,
  columns: number,
): string {
  const filled = total === undefined || total === 0 ? 0 : Math.floor((ended / total) * barWidth);
  const bar = total === undefined ? "" : `[${"█".repeat(filled)}${"░".repeat(barWidth - filled)}] `;
  const facts = [
    total === undefined ? `${ended} ${ended === 1 ? "photo" : "photos"}` : `${ended} of ${total}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(pace === undefined ? [] : [rateText(pace)]),
    ...(pace === undefined || total === undefined ? [] : [`${durationText((total - ended) / pace)} left`]),
  ].join(" · ");
  const line = `${bar}${facts}`;
  return (line.length < columns ? line : facts).slice(0, Math.max(0, columns - 1));
}

export function rateText(perSecond: number): string {
  return perSecond >= 1 ? `${perSecond.toFixed(1)} a second` : `${(perSecond * 60).toFixed(1)} a minute`;
}

export function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
