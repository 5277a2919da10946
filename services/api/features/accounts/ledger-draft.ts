/** A file of the archived ledger while its entries are collected. */
import type { ArchivedEntry } from "@packshot/platform/ledger/ledger-file.ts";
import type { StreamSource } from "@packshot/log/follow/stream-source.ts";

export interface LedgerDraft {
  readonly day: () => string;
  readonly lines: readonly string[];
  readonly bytes: () => number;
  /** In `PS_LEDGER`, of the last message that was added or skipped. */
  readonly lastSequence: () => number;
  /** The last entry of each state stream, the files before included. */
  readonly sources: Readonly<Record<string, number>>;
  /** It was archived before, or stands in this draft. */
  isKnown(archived: ArchivedEntry): boolean;
  /** The draft ends before it. */
  isOfLaterDay(archived: ArchivedEntry): boolean;
  /** Nothing more can come for its day. */
  isDayClosed(nowMs: number): boolean;
  add(archived: ArchivedEntry): void;
  /** `source`: of a message that is no entry. */
  skip(sequence: number, source?: StreamSource): void;
}

/** Clocks of nats-servers differ, so entries of a day may come a little after its end. */
const dayClosesAfterMs = 3_600_000;
const dayMs = 24 * 3_600_000;

export function createLedgerDraft(after: {
  readonly sequence: number;
  readonly sources: Readonly<Record<string, number>>;
}): LedgerDraft {
  const lines: string[] = [];
  const sources: Record<string, number> = { ...after.sources };
  let day: string | undefined;
  let bytes = 0;
  let lastSequence = after.sequence;
  return {
    lines,
    sources,
    day: () => day ?? "",
    bytes: () => bytes,
    lastSequence: () => lastSequence,
    isKnown: ({ source }) => source.sequence <= (sources[source.stream] ?? 0),
    // A clock that was set back opens no earlier day.
    isOfLaterDay: ({ storedAt }) => day !== undefined && storedAt.slice(0, 10) > day,
    isDayClosed: (nowMs) => day !== undefined && nowMs >= Date.parse(day) + dayMs + dayClosesAfterMs,
    add(archived) {
      const line = JSON.stringify(archived);
      day ??= archived.storedAt.slice(0, 10);
      lines.push(line);
      bytes += line.length + 1;
      lastSequence = archived.sequence;
      sources[archived.source.stream] = archived.source.sequence;
    },
    skip(sequence, source) {
      lastSequence = sequence;
      if (source !== undefined) sources[source.stream] = Math.max(source.sequence, sources[source.stream] ?? 0);
    },
  };
}
