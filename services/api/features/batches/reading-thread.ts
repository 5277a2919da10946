/** The thread that reads one file's rows, so that a million of them hold up no other request of the process. */
import { parentPort, workerData } from "node:worker_threads";
import { createRowsReader, type RowReading, type RowsSummary } from "./read-rows.ts";
import type { RowSegment } from "./row-segments.ts";

/** `bytes`: a piece of the file; null: there are no more. */
export interface ReadQuestion {
  readonly bytes: Uint8Array | null;
}

export interface ReadingThreadData {
  readonly reading: RowReading;
  /**
   * One byte, shared: 1 when the thread has its code and takes questions. A message would not do: of a thread that dies over
   * its first question the end may be told before its messages.
   */
  readonly started: Uint8Array;
}

export interface ReadAnswer {
  readonly segments: readonly RowSegment[];
  readonly rows: number;
  /** The file's end was read, or it cannot be read any further. */
  readonly summary: RowsSummary | null;
}

const port = parentPort!;
const { reading, started } = workerData as ReadingThreadData;
const reader = createRowsReader(reading);

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
Atomics.store(started, 0, 1);
