/** The thread that reads one file's rows, so that a million of them hold up no other request of the process. */
import { parentPort, workerData } from "node:worker_threads";
import { createRowsReader, type RowReading, readPiece } from "./read-rows.ts";

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

const port = parentPort!;
const { reading, started } = workerData as ReadingThreadData;
const reader = createRowsReader(reading);

port.on("message", async ({ bytes }: ReadQuestion) => {
  const answer = await readPiece(reader, bytes);
  // Freed at once: left to the collector, up to 64 MB of read pieces would stay, which it counts for little.
  (bytes?.buffer as ArrayBuffer | undefined)?.transfer(0);
  port.postMessage(
    answer,
    answer.segments.map(({ text }) => text.buffer as ArrayBuffer),
  );
});
Atomics.store(started, 0, 1);
