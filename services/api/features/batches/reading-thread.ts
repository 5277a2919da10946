/** The thread that reads one file's rows, so that a million of them hold up no other request of the process. */
import { parentPort, workerData } from "node:worker_threads";
import { createRowsReader, type RowReading, type RowsSummary } from "./read-rows.ts";
import type { RowSegment } from "./row-segments.ts";

/** `bytes`: a piece of the file; null: there are no more. */
export interface ReadQuestion {
  readonly bytes: Uint8Array | null;
}

export interface ReadAnswer {
  readonly segments: readonly RowSegment[];
  readonly rows: number;
  /** The file's end was read, or it cannot be read any further. */
  readonly summary: RowsSummary | null;
}

const port = parentPort!;
const reader = createRowsReader(workerData as RowReading);

port.on("message", async ({ bytes }: ReadQuestion) => {
  const segments = bytes === null ? await reader.end() : reader.write(bytes);
  // Freed at once: left to the collector, up to 64 MB of read pieces would stay, which it counts for little.
  (bytes?.buffer as ArrayBuffer | undefined)?.transfer(0);
  const summary = reader.summary();
  const isDone = bytes === null || summary.broken !== null;
  const answer: ReadAnswer = { segments, rows: summary.rows, summary: isDone ? summary : null };
  port.postMessage(
    answer,
    segments.map(({ text }) => text.buffer as ArrayBuffer),
  );
});
