import { openBatch, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { ReviewRecord } from "@packshot/domain/jobs/review.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createReportLines } from "../batches/report/report-line.ts";
import type { RowOutcome, ValidRow } from "../batches/rows/row.ts";
import { createListReview } from "./list-review.ts";

const nowMs = Date.UTC(2026, 10, 20);
const accountId = uuidv7(nowMs);

function newBatch(rows: number) {
  const given = { id: uuidv7(nowMs), accountId, live: true, tool: "mask", parameters: {}, onExisting: "skip" } as const;
  const opened = openBatch({ ...given, destination: null, input: { kind: "file", format: "csv" } }, nowMs);
  return startBatch(opened, rows, nowMs);
}

/** A batch in memory: `qualityOf` says what became of each row; undefined: nothing so far. */
function open(
  rows: number,
  qualityOf: (row: number) => "ok" | "review" | undefined,
  reviewedRows: ReadonlySet<number> = new Set(),
) {
  const jobIds = new Map<number, string>();
  const records = new Map<string, ReviewRecord>();
  const read: number[] = [];
  for (let row = 0; row < rows; row++) {
    if (qualityOf(row) !== undefined) jobIds.set(row, uuidv7(nowMs));
    if (!reviewedRows.has(row)) continue;
    const review = { verdict: "approved", at: isoTime(nowMs), creditsRefunded: 0 } as const;
    records.set(subjects.review(accountId, jobIds.get(row) ?? ""), { v: 1, review });
  }
  const numbersOf = (segment: number) =>
    Array.from({ length: Math.min(1_000, rows - segment * 1_000) }, (_, i) => segment * 1_000 + i);
  const outcomeOf = (row: number): RowOutcome => ({
    row,
    try: 1,
    sequence: row + 1,
    status: "completed",
    jobId: jobIds.get(row)!,
    code: null,
    message: null,
    result: { key: `batches/a/b/results/0000/${row}`, contentType: "image/png", bytes: 1 },
    destination: null,
    sameAs: null,
    quality: qualityOf(row)!,
    checks: null,
    credits: 1,
    milliseconds: 1,
    at: isoTime(nowMs),
  });
  const source = { kind: "url", imageUrl: "https://shop.example/1.jpg" } as const;
  const rowOf = (row: number): ValidRow => ({
    row,
    line: row + 2,
    ref: `K-${row}`,
    source,
    tool: "mask",
    parameters: {},
  });
  const storage = { signGet: async (key: string) => `https://packshot.example/${key}` };
  const listReview = createListReview({
    log: { read: async (subject: string) => ({ subject, value: records.get(subject), sequence: 1 }) } as unknown as Log,
    segments: { read: async (_, segment) => numbersOf(segment).map(rowOf) },
    outcomes: {
      async read(_, segment) {
        read.push(segment);
        const ended = numbersOf(segment).filter((row) => qualityOf(row) !== undefined);
        // The files of a segment are in no order.
        return new Map(ended.toReversed().map((row) => [row, outcomeOf(row)]));
      },
    },
    createLines: createReportLines(storage, () => nowMs),
  });
  return { listReview, batch: newBatch(rows), read };
}

test("pages have each doubtful row that nobody has reviewed once, in the order of the file", async () => {
  const qualities = fc.array(fc.constantFrom("ok" as const, "review" as const, undefined), {
    minLength: 1,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(
      qualities,
      fc.integer({ min: 1, max: 7 }),
      fc.array(fc.nat(59)),
      fc.boolean(),
      async (given, limit, seen, reviewed) => {
        const reviewedRows = new Set(seen.filter((row) => given[row] !== undefined));
        const { listReview, batch } = open(given.length, (row) => given[row], reviewedRows);
        const found: number[] = [];
        let firstRow: number | undefined = 0;
        while (firstRow !== undefined) {
          const page: Awaited<ReturnType<typeof listReview>> = await listReview(batch, { firstRow, limit, reviewed });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          found.push(...page.items.map((item) => item.batch.row));
          firstRow = page.nextRow;
        }
        const wanted = given.flatMap((quality, row) =>
          quality === "review" && reviewedRows.has(row) === reviewed ? [row] : [],
        );
        expect(found).toEqual(wanted);
      },
    ),
    { numRuns: 100 },
  );
});

test("a page looks at sixteen thousand rows, and goes on where it stopped", async () => {
  const { listReview, batch, read } = open(20_000, (row) => (row === 17_500 ? "review" : "ok"));
  const first = await listReview(batch, { firstRow: 0, limit: 20, reviewed: false });
  expect([first.items.length, first.nextRow, read.length]).toEqual([0, 16_000, 16]);
  const second = await listReview(batch, { firstRow: first.nextRow!, limit: 20, reviewed: false });
  expect([second.items[0]!.batch.row, second.nextRow]).toEqual([17_500, undefined]);
});
