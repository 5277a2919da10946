/**
 * The archiver takes the ledger out of the log. It reads `PS_LEDGER` in order and writes its entries to files in storage:
 * a file is written when it is full, or when its day has been over for an hour. Then the cursor is moved, with the hash
 * of the file, and only then the entries are removed from the stream. Whoever dies in between leaves what the next run
 * does again with the same result: the same cursor gives the same file.
 *
 *   components: [createLedgerArchiver({ log, storage, logger })]
 */
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { createLedgerTrail, type LedgerTrail } from "@packshot/domain/accounts/ledger.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { type OrderedMessage, readInOrder } from "@packshot/log/follow/ordered-reader.ts";
import { createPeriodicTask } from "@packshot/log/follow/periodic-task.ts";
import {
  purgeBefore,
  type StreamSource,
  streamRange,
  streamSource,
  streamSourceIn,
} from "@packshot/log/follow/stream-source.ts";
import type { Log, LogRecord } from "@packshot/log/log.ts";
import { readMessage } from "@packshot/log/nats/leader-read.ts";
import {
  type ArchivedEntry,
  firstHash,
  formatLedgerFile,
  ledgerFileBytes,
  ledgerFileBytesMax,
} from "@packshot/platform/ledger/ledger-archive.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

export interface LedgerArchiverDeps {
  readonly log: Log;
  readonly storage: Pick<Storage, "write">;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly nowMs?: () => number;
  /** A minute when absent. */
  readonly everyMs?: number;
  /** For tests. Two archivers that work at once must cut alike: one must not write a shorter file over the other's. */
  readonly fileBytes?: number;
}

/** How far the ledger is archived. */
export interface LedgerCursor {
  readonly v: 1;
  /** In `PS_LEDGER`, of the last archived message. It stays there: nats-server reads from it where its copy stands. */
  readonly sequence: number;
  /** The last file's hash. */
  readonly hash: string;
  /**
   * The last archived entry of each state stream. When the position of a copy is lost, the server copies entries again;
   * they come in order, so those up to here are known.
   */
  readonly sources: Readonly<Record<string, number>>;
}

/** What this process knows of the entries before and after the cursor. */
interface Followed {
  /** The cursor at which the balances stand. */
  readonly sequence: number;
  readonly trail: LedgerTrail;
  /** The last message whose faults were logged. An open day is read again each minute, and each fault is told once. */
  reportedTo: number;
}

const name = "ledger-archive";
const accountsTrackedMax = 100_000;
const nothingArchived: LedgerCursor = { v: 1, sequence: 0, hash: firstHash, sources: {} };

export function createLedgerArchiver(deps: LedgerArchiverDeps): Component {
  const { log, logger, everyMs = 60_000 } = deps;
  const archive = createArchive(deps);
  return createPeriodicTask({ name, log, logger, everyMs, work: async (signal) => void (await archive(signal)) });
}

/** Resolves with how many files were written: all that can be. */
export function createArchive(deps: LedgerArchiverDeps) {
  const { log, storage, logger, nowMs = Date.now, fileBytes = ledgerFileBytes } = deps;
  const subject = subjects.cursor(0, name);
  let followed = followFrom(0);

  return async function archive(signal: AbortSignal): Promise<number> {
    let files = 0;
    while (!signal.aborted && (await archiveFile(signal))) files += 1;
    return files;
  };

  async function archiveFile(signal: AbortSignal): Promise<boolean> {
    const found = await log.read<LedgerCursor>(subject);
    const cursor = found.value ?? nothingArchived;
    if (await isOfOtherStream(cursor)) {
      logger.error({ cursor }, "the ledger's stream is not the one that was archived so far: nothing is archived");
      return false;
    }
    // A process may have died after it had moved the cursor and before it had purged.
    await purgeBefore(log.connection, streams.ledger, cursor.sequence);
    // Another process has archived since: this one knows balances from before, and would miss what that one archived.
    if (followed.sequence !== cursor.sequence) followed = followFrom(cursor.sequence);
    // A copy, because the entries of a file that is not written yet are read again by the next run.
    const trail = followed.trail.copy();
    const draft = await collect(found, cursor, trail, signal);
    if (draft === undefined) return false;
    const day = draft.day();
    const firstSequence = cursor.sequence + 1;
    const lastSequence = draft.lastSequence();
    const header = { v: 1, day, firstSequence, previousHash: cursor.hash } as const;
    const { text, hash } = formatLedgerFile(header, draft.lines, lastSequence);
    failpoint("archive:before-write");
    await storage.write(storageKeys.ledgerFile(day, firstSequence), Buffer.from(text), {
      bytesMax: ledgerFileBytesMax,
    });
    const value: LedgerCursor = { v: 1, sequence: lastSequence, hash, sources: draft.sources };
    await log.commit("archive", [{ subject, value, expected: found.sequence }]);
    followed = { sequence: lastSequence, trail, reportedTo: followed.reportedTo };
    await purgeBefore(log.connection, streams.ledger, lastSequence);
    failpoint("archive:after-purge");
    return true;
  }

  /**
   * The stream was made anew or restored, so that its numbers are others: what it has up to the cursor is not archived, and
   * must not be removed. The last archived message stays in the stream, and tells.
   */
  async function isOfOtherStream({ sequence, sources }: LedgerCursor): Promise<boolean> {
    if (sequence === 0) return false;
    if ((await streamRange(log.connection, streams.ledger)).last < sequence) return true;
    const message = await readMessage(log.connection, streams.ledger, sequence);
    const source = streamSourceIn(message?.headerText);
    return source !== undefined && source.sequence > (sources[source.stream] ?? 0);
  }

  /** The next file; undefined while it is to be continued. */
  async function collect(
    found: LogRecord<LedgerCursor>,
    cursor: LedgerCursor,
    trail: LedgerTrail,
    signal: AbortSignal,
  ): Promise<LedgerDraft | undefined> {
    const { first, last } = await streamRange(log.connection, streams.ledger);
    if (last <= cursor.sequence || first > last) return undefined;
    const draft = createLedgerDraft(cursor);
    const reading = { connection: log.connection, stream: streams.ledger, fromSequence: cursor.sequence + 1 };
    for await (const message of readInOrder({ ...reading, signal, logger })) {
      const report = message.seq > followed.reportedTo ? logger : undefined;
      if (message.seq !== draft.lastSequence() + 1 && !(await isGap(found, draft, message.seq, report)))
        return undefined;
      const archived = readEntry(message);
      if (archived === undefined) {
        report?.error({ sequence: message.seq, subject: message.subject }, "not a ledger entry: not archived");
        draft.skip(message.seq, streamSource(message.headers?.get("Nats-Stream-Source")));
      } else if (draft.isKnown(archived)) {
        const again = { sequence: message.seq, source: archived.source };
        report?.warn(again, "a ledger entry was copied again: not archived");
        draft.skip(message.seq);
      } else if (draft.isOfLaterDay(archived)) return draft;
      else {
        noteMissing(archived, trail, report);
        draft.add(archived);
      }
      followed.reportedTo = Math.max(followed.reportedTo, message.seq);
      if (draft.bytes() >= fileBytes) return draft;
      if (message.seq >= last) return draft.isDayClosed(nowMs()) ? draft : undefined;
    }
    return undefined;
  }

  /** False: another process archives and has removed these entries. */
  async function isGap(
    found: LogRecord<LedgerCursor>,
    draft: LedgerDraft,
    sequence: number,
    report: Logger | undefined,
  ): Promise<boolean> {
    if ((await log.read(subject)).sequence !== found.sequence) return false;
    const missing = { after: draft.lastSequence(), before: sequence };
    report?.error(missing, "ledger entries were removed from the log before they were archived");
    return true;
  }
}

function followFrom(sequence: number): Followed {
  return { sequence, trail: createLedgerTrail(accountsTrackedMax), reportedTo: sequence };
}

function noteMissing({ entry, sequence }: ArchivedEntry, trail: LedgerTrail, report: Logger | undefined): void {
  const credits = trail.missingBefore(entry);
  if (credits === 0) return;
  const { accountId, entryId } = entry;
  report?.error({ accountId, credits, before: { sequence, entryId } }, "ledger entries of an account are missing");
}

function readEntry(message: OrderedMessage): ArchivedEntry | undefined {
  const source = streamSource(message.headers?.get("Nats-Stream-Source"));
  if (source === undefined || message.data.length === 0) return undefined;
  try {
    const entry = message.json<LedgerEntry>();
    return { sequence: message.seq, storedAt: message.time.toISOString(), source, entry };
  } catch {
    return undefined;
  }
}

/** A file of the archived ledger while its entries are collected. */
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
