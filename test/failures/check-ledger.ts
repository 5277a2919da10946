/** Reads the whole ledger: what is archived, then what is still in the log. */

import type { NatsConnection } from "@nats-io/transport-node";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { readInOrder } from "@packshot/log/follow/ordered-reader.ts";
import { streamRange, streamSource } from "@packshot/log/follow/stream-source.ts";
import type { Log } from "@packshot/log/log.ts";
import { firstHash, readLedgerArchive } from "@packshot/platform/ledger/ledger-archive.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import type { LedgerCursor } from "../../services/api/features/accounts/ledger-archive.ts";

export interface WholeLedger {
  readonly entries: readonly LedgerEntry[];
  /** How many of them are archived. */
  readonly archived: number;
  /** Faults of the archive: its chain, its files. */
  readonly problems: readonly string[];
}

export async function readLedger(log: Log, storage: Storage): Promise<WholeLedger> {
  const { value } = await log.read<LedgerCursor>(subjects.cursor(0, "ledger-archive"));
  const cursor = value ?? { sequence: 0, hash: firstHash };
  const entries: LedgerEntry[] = [];
  const problems: string[] = [];
  const sources: Record<string, number> = {};
  let end = { lastSequence: 0, hash: firstHash };
  for await (const { file, problems: found } of readLedgerArchive(storage)) {
    // A file after the cursor was written by a process that died before it moved the cursor: it will be written again.
    if (file !== undefined && file.header.firstSequence > cursor.sequence) continue;
    problems.push(...found);
    if (file === undefined) continue;
    end = file.end;
    for (const { entry, source } of file.entries) {
      entries.push(entry);
      sources[source.stream] = source.sequence;
    }
  }
  const archiveEnd = `${end.lastSequence} ${end.hash}`;
  const cursorEnd = `${cursor.sequence} ${cursor.hash}`;
  if (archiveEnd !== cursorEnd) problems.push(`the archive ends at ${archiveEnd}, its cursor at ${cursorEnd}`);
  const archived = entries.length;
  entries.push(...(await readStream(log.connection, cursor.sequence, sources)));
  return { entries, archived, problems };
}

/** What nats-server has copied a second time is no entry. */
async function readStream(
  connection: NatsConnection,
  after: number,
  sources: Record<string, number>,
): Promise<LedgerEntry[]> {
  const { first, last } = await streamRange(connection, streams.ledger);
  const entries: LedgerEntry[] = [];
  if (last <= after || first > last) return entries;
  const logger = createLogger({ name: "check-ledger", level: "warn" });
  const reading = { connection, stream: streams.ledger, fromSequence: after + 1 };
  for await (const message of readInOrder({ ...reading, signal: new AbortController().signal, logger })) {
    const { stream, sequence } = streamSource(message.headers?.get("Nats-Stream-Source"))!;
    if (sequence > (sources[stream] ?? 0)) entries.push(message.json<LedgerEntry>());
    sources[stream] = Math.max(sequence, sources[stream] ?? 0);
    if (message.seq >= last) break;
  }
  return entries;
}
