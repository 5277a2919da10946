/** Checks ended batches: each row once, counts and credits as the events tell them, and every result where it should be. */

import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { type Batch, isBatchEnded, segmentOf } from "@packshot/domain/batches/batch.ts";
import {
  type BatchRowsEvent,
  isBatchNewsEvent,
  isJobEndedEvent,
  type JobEndedEvent,
  type PackshotEvent,
} from "@packshot/domain/webhooks/event.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createOutcomeFiles } from "../../services/api/features/batches/rows/outcome-files.ts";
import type { RowOutcome } from "../../services/api/features/batches/rows/row.ts";
import { createRowSegments } from "../../services/api/features/batches/rows/row-segments.ts";

/** A batch with its files. */
export interface BatchEvidence {
  readonly batch: Batch;
  /** Lines of its row files. */
  readonly rows: number;
  readonly outcomes: readonly RowOutcome[];
  /** Keys of results that outcomes name and that are not there. */
  readonly lostResults: readonly string[];
}

export async function gatherBatch(storage: Storage, batch: Batch): Promise<BatchEvidence> {
  const segments = createRowSegments(storage);
  const files = createOutcomeFiles(storage);
  const outcomes: RowOutcome[] = [];
  const lostResults: string[] = [];
  let rows = 0;
  for (let segment = 0; segment <= segmentOf(Math.max(0, batch.rows - 1)); segment++) {
    rows += (await segments.read(batch, segment))?.length ?? 0;
    outcomes.push(...(await files.read(batch, segment)).values());
  }
  for (const { result } of outcomes) {
    if (result !== null && (await storage.stat(result.key)) === undefined) lostResults.push(result.key);
  }
  return { batch, rows, outcomes, lostResults };
}

interface Account {
  readonly events: readonly { readonly value: PackshotEvent | undefined }[];
  readonly ledger: readonly LedgerEntry[];
}

export function batchViolations(evidence: BatchEvidence, { events, ledger }: Account): string[] {
  const { batch, rows, lostResults } = evidence;
  const name = `batch ${batch.id}`;
  if (!isBatchEnded(batch)) return [`${name} is ${batch.status}`];
  const ofBatch = events.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const ends = ofBatch.filter(
    (event) => isBatchNewsEvent(event) && event.kind === "batchcompleted" && event.batch.id === batch.id,
  );
  return [
    ...(rows === batch.rows ? [] : [`${name} has ${rows} of ${batch.rows} rows in its files`]),
    ...(ends.length === batch.try ? [] : [`${name} told ${ends.length} ends of ${batch.try}`]),
    ...ofRows(evidence, ofBatch),
    ...ofCounts(evidence),
    ...ofCredits(batch, ofBatch, ledger),
    ...lostResults.map((key) => `${name} has lost the result ${key}`),
  ];
}

interface RowEnd {
  readonly row: number;
  readonly try: number;
  readonly status: string;
  readonly jobId: string | null;
}

/** A row ends once in each try, and its outcome is that of its last one. */
function ofRows({ batch, outcomes }: BatchEvidence, events: readonly PackshotEvent[]): string[] {
  const name = `batch ${batch.id}`;
  const found: string[] = [];
  const last = new Map<number, RowEnd>();
  const seen = new Set<string>();
  for (const end of events.flatMap((event) => rowEnds(batch, event))) {
    const place = `${end.row} in try ${end.try}`;
    if (seen.has(place)) found.push(`row ${place} of ${name} ended twice`);
    seen.add(place);
    if (end.try >= (last.get(end.row)?.try ?? 0)) last.set(end.row, end);
  }
  const known = new Map(outcomes.map((outcome) => [outcome.row, outcome]));
  for (const row of new Set([...last.keys(), ...known.keys()])) {
    const end = last.get(row);
    const outcome = known.get(row);
    const told = `${end?.status} ${end?.jobId} in try ${end?.try}`;
    const written = `${outcome?.status} ${outcome?.jobId} in try ${outcome?.try}`;
    if (told !== written) found.push(`row ${row} of ${name} ended as ${told}, and its outcome is ${written}`);
  }
  return found;
}

function rowEnds(batch: Batch, event: PackshotEvent): RowEnd[] {
  if (isRowsEvent(event)) {
    if (event.batchId !== batch.id) return [];
    return event.outcomes.map(({ row, status }) => ({ row, try: event.try, status, jobId: null }));
  }
  if (!isJobOf(batch, event)) return [];
  const { kind: status, jobId } = event;
  return [{ row: event.batch!.row, try: event.batch!.try, status, jobId }];
}

/** A row without an outcome was never handed out, and so was cancelled with its batch. */
function ofCounts({ batch, outcomes }: BatchEvidence): string[] {
  const { counts, rows, status } = batch;
  const wanted = { pending: 0, open: 0, completed: 0, failed: 0, skipped: 0, cancelled: 0 };
  for (const outcome of outcomes) wanted[outcome.status] += 1;
  const without = rows - outcomes.length;
  if (status === "cancelled") wanted.cancelled += without;
  const [written, expected] = [counts, wanted].map((each) => JSON.stringify(each, Object.keys(wanted)));
  return [
    ...(written === expected ? [] : [`batch ${batch.id} counts ${written}, and its outcomes are ${expected}`]),
    ...(status === "cancelled" || without === 0 ? [] : [`${without} rows of batch ${batch.id} have no outcome`]),
  ];
}

/** The credits of a batch are those that its jobs took and did not give back. */
function ofCredits(batch: Batch, events: readonly PackshotEvent[], ledger: readonly LedgerEntry[]): string[] {
  const jobs = new Set(events.flatMap((event) => (isJobOf(batch, event) ? [event.jobId] : [])));
  const taken = -ledger.reduce((sum, { entryId, amount }) => sum + (jobs.has(entryId) ? amount : 0), 0);
  return taken === batch.credits ? [] : [`batch ${batch.id} cost ${batch.credits} credits, its jobs ${taken}`];
}

function isRowsEvent(event: PackshotEvent): event is BatchRowsEvent {
  return event.kind === "batchrows";
}

function isJobOf(batch: Batch, event: PackshotEvent): event is JobEndedEvent {
  return isJobEndedEvent(event) && event.batch?.id === batch.id;
}
