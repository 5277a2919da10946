import { isUtf8 } from "node:buffer";
import { expect, test } from "vitest";
import type { BatchRow } from "./row.ts";
import { createRowSegments, createSegmentCut, type RowSegment } from "./row-segments.ts";

function row(number: number, characters: number): BatchRow {
  const fault = { code: "invalid_request", message: "花".repeat(characters) } as const;
  return { row: number, line: number + 1, ref: `K-${number}`, fault };
}

function cutOf(rows: readonly BatchRow[]): readonly RowSegment[] {
  const cut = createSegmentCut();
  const full = rows.flatMap((each) => {
    cut.add(each);
    return cut.take(false);
  });
  return [...full, ...cut.take(true)];
}

test("segments of long rows are cut by bytes, and read as one", async () => {
  const rows = Array.from({ length: 2_300 }, (_, number) => row(number, number < 1_000 || number > 2_000 ? 10 : 7_000));
  const parts = cutOf(rows);
  expect(parts.map(({ segment, part }) => `${segment}-${part}`)).toEqual([
    "0-0",
    "1-0",
    "1-1",
    "1-2",
    "1-3",
    "1-4",
    "1-5",
    "2-0",
  ]);
  for (const { text } of parts) {
    expect(text.length).toBeLessThan(4.1 * 1024 * 1024);
    expect(isUtf8(text)).toBe(true);
  }
  const files = new Map<string, Buffer>();
  const segments = createRowSegments({
    read: async (key) => files.get(key),
    async write(key, body) {
      files.set(key, Buffer.from(body as Uint8Array));
      return { bytes: 0 };
    },
  });
  const batch = { accountId: "a", id: "1" };
  for (const part of parts) await segments.write(batch, part);
  const read = await Promise.all([0, 1, 2, 3].map((segment) => segments.read(batch, segment)));
  expect(read[3]).toBeUndefined();
  expect(read.flatMap((each) => each ?? [])).toEqual(rows);
});
