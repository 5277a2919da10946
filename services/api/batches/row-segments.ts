/** The rows of a batch in storage: files of a thousand, never changed. */
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { RowSegment } from "./read-rows.ts";
import type { BatchRow } from "./row.ts";

/** Whose files these are. */
export interface BatchFolder {
  readonly accountId: string;
  readonly id: string;
}

export interface RowSegments {
  write(batch: BatchFolder, segment: RowSegment): Promise<void>;
  /** undefined: there is no such segment, or no more. */
  read(batch: BatchFolder, segment: number): Promise<readonly BatchRow[] | undefined>;
}

/** A row has 6 KB at most, and mostly 300 bytes. */
const segmentBytesMax = 16 * 1024 * 1024;

export function createRowSegments(storage: Pick<Storage, "read" | "write">): RowSegments {
  const bytesMax = segmentBytesMax;
  return {
    async write({ accountId, id }, { segment, text }) {
      await storage.write(storageKeys.batchRows(accountId, id, segment), text, { bytesMax });
    },
    async read({ accountId, id }, segment) {
      const text = await storage.read(storageKeys.batchRows(accountId, id, segment), { bytesMax });
      return text === undefined ? undefined : parseLines<BatchRow>(text);
    },
  };
}

export function parseLines<T>(text: Buffer): T[] {
  return text
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
