import type { Batch } from "@packshot/domain/batches/batch.ts";
import { openBatch, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { createJobError } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import AdmZip from "adm-zip";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { describeOnStorages, startStorages } from "../../../../../testing/storage/test-storages.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";
import { openArchive } from "../batch-files.ts";
import { createOutcomeFiles } from "../rows/outcome-files.ts";
import type { BatchRow, RowOutcome } from "../rows/row.ts";
import { createRowSegments } from "../rows/row-segments.ts";
import { createReportLines, type ReportLine, reportText } from "./report-line.ts";
import { createResolveRows } from "./resolve-rows.ts";

const storages = suiteFixture(startStorages);
const nowMs = Date.now();
const at = isoTime(nowMs);
const accountId = uuidv7();

function outcome(row: number, fields: Partial<RowOutcome>): RowOutcome {
  return {
    row,
    try: 1,
    sequence: 1,
    status: "completed",
    jobId: null,
    code: null,
    message: null,
    result: null,
    destination: null,
    sameAs: null,
    quality: null,
    checks: null,
    credits: 0,
    milliseconds: null,
    at,
    ...fields,
  };
}

function row(number: number, ref: string): BatchRow {
  const source = { kind: "url", imageUrl: "https://shop.example/1.jpg" } as const;
  return { row: number, line: number + 2, ref, source, tool: "mask", parameters: {} };
}

function newBatch(rows: number): Batch {
  const given = { id: uuidv7(), accountId, live: true, tool: "mask", parameters: {}, onExisting: "skip" } as const;
  const opened = openBatch({ ...given, destination: null, input: { kind: "file", format: "csv" } }, nowMs);
  return { ...startBatch(opened, rows, nowMs), nextRow: rows };
}

describeOnStorages("with files on %s", (adapter) => {
  const records = new Map<string, Batch>();

  function open() {
    const storage = storages[adapter];
    const segments = createRowSegments(storage);
    const outcomes = createOutcomeFiles(storage);
    const log = { read: async <T>(subject: string) => ({ subject, value: records.get(subject) as T, sequence: 1 }) };
    const resolveRows = createResolveRows({ log, segments, outcomes, nowMs: () => nowMs });
    const createLines = createReportLines(storage, () => nowMs);
    return {
      storage,
      outcomes,
      resolveRows,
      async store(batch: Batch, rows: readonly BatchRow[]) {
        records.set(subjects.batch(accountId, batch.id), batch);
        for (let segment = 0; segment * 1000 < rows.length; segment++) {
          const lines = rows.slice(segment * 1000, segment * 1000 + 1000).map((one) => JSON.stringify(one));
          await segments.write(batch, { segment, part: 0, text: Buffer.from(lines.join("\n")) });
        }
      },
      async result(batch: Batch, number: number, bytes: Buffer, contentType = "image/png") {
        const key = storageKeys.batchResult(accountId, batch.id, number);
        await storage.write(key, bytes, { bytesMax: bytes.length });
        return { key, contentType, bytes: bytes.length, width: 1, height: 1 };
      },
      async lines(batch: Batch): Promise<ReportLine[]> {
        const texts = await Array.fromAsync(reportText({ resolveRows, createLines }, batch, "ndjson"));
        return texts
          .join("")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line));
      },
      async csv(batch: Batch): Promise<Record<string, string>[]> {
        const texts = await Array.fromAsync(reportText({ resolveRows, createLines }, batch, "csv"));
        return parse(texts.join(""), { columns: true });
      },
      async zip(batch: Batch, firstRow = 0, rowsMax = 10_000) {
        const stream = openArchive({ resolveRows, storage }, batch, { firstRow, rowsMax });
        const entries = new AdmZip(Buffer.concat(await stream.toArray())).getEntries();
        return Object.fromEntries(entries.map((entry) => [entry.entryName, entry.getData().toString()]));
      },
    };
  }

  test("a report has each row once, and a link to what is kept", async () => {
    const { store, outcomes, result, lines, csv, zip } = open();
    const earlier = newBatch(1);
    const expired = { ...newBatch(1), expiresAt: isoTime(nowMs - 1) } as Batch;
    for (const [batch, text] of [
      [earlier, "earlier"],
      [expired, "expired"],
    ] as const) {
      await store(batch, [row(0, "old")]);
      const kept = outcome(0, { result: await result(batch, 0, Buffer.from(text)), quality: 0.9 as never, credits: 1 });
      await outcomes.add(batch, 0, { first: 1, last: 1 }, [kept]);
    }
    const batch = { ...newBatch(1_200), nextRow: 1_100 };
    const rows = Array.from({ length: 1_200 }, (_, i) => row(i, `SKU ${i}`));
    rows[3] = { row: 3, line: 5, ref: "", fault: { code: "invalid_request", message: '"ref" is missing.' } };
    await store(batch, rows);
    const first = await result(batch, 0, Buffer.from("first"));
    await outcomes.add(batch, 0, { first: 1, last: 9 }, [
      outcome(0, { result: first, jobId: uuidv7(), checks: { square: true }, credits: 1, milliseconds: 812 }),
      outcome(1, { status: "failed", code: "no_product_found", message: "=cmd|' /C calc'!A0" }),
      outcome(4, { status: "skipped", sameAs: { batchId: earlier.id, row: 0 } }),
      outcome(5, { status: "skipped", sameAs: { batchId: expired.id, row: 0 } }),
      outcome(6, { status: "skipped", sameAs: { batchId: batch.id, row: 1_001 } }),
      outcome(7, { status: "skipped", sameAs: { batchId: batch.id, row: 1 } }),
      outcome(8, { destination: "s3://shop/SKU-8.png", delivery: "stored", credits: 1 }),
      outcome(9, { status: "skipped", sameAs: { batchId: uuidv7(), row: 5 } }),
      outcome(10, {
        code: "destination_failed",
        message: "It said 403.",
        result: first,
        delivery: "failed",
        credits: 1,
      }),
      outcome(11, { status: "skipped", sameAs: { batchId: batch.id, row: 10 } }),
      outcome(12, { destination: "s3://shop/SKU-12.png", delivery: "stored", credits: 1 }),
    ]);
    const later = await result(batch, 1_001, Buffer.from("later"), "image/jpeg");
    await outcomes.add(batch, 1, { first: 10, last: 20 }, [outcome(1_001, { result: later })]);

    const report = await lines(batch);
    const deliveries = [7, 8, 10, 11, 12].map((number) => {
      const { status, code, delivery, destination, credits, resultUrl } = report[number]!;
      return [status, code, delivery, destination, credits, resultUrl !== null];
    });
    expect(deliveries).toEqual([
      ["skipped", "no_product_found", null, null, 0, false],
      ["completed", null, "stored", "s3://shop/SKU-8.png", 1, false],
      ["completed", "destination_failed", "failed", null, 1, true],
      ["skipped", "destination_failed", "failed", null, 0, true],
      ["completed", null, "stored", "s3://shop/SKU-12.png", 1, false],
    ]);
    expect((await csv(batch))[10]).toMatchObject({ status: "completed", delivery: "failed", message: "It said 403." });
    expect(report.map(({ line }) => line)).toEqual(rows.map(({ line }) => line));
    const brief = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1_001, 1_099, 1_100].map((number) => {
      const { status, code, resultUrl, destination, message } = report[number]!;
      return [number, status, code, resultUrl !== null, destination, message];
    });
    const sameRow = "The row is the same as the one that sameAs names";
    expect(brief).toEqual([
      [0, "completed", null, true, null, null],
      [1, "failed", "no_product_found", false, null, "=cmd|' /C calc'!A0"],
      [2, "open", null, false, null, null],
      [3, "failed", "invalid_request", false, null, '"ref" is missing.'],
      [4, "skipped", null, true, null, null],
      [5, "skipped", null, false, null, `${sameRow}. Its result is no longer kept.`],
      [6, "skipped", null, true, null, null],
      [7, "skipped", "no_product_found", false, null, `${sameRow}, which is failed.`],
      [8, "completed", null, false, "s3://shop/SKU-8.png", null],
      [9, "skipped", null, false, null, `${sameRow}, of which no result is kept any more.`],
      [1_001, "completed", null, true, null, null],
      [1_099, "open", null, false, null, null],
      [1_100, "pending", null, false, null, null],
    ]);
    expect(report[0]).toMatchObject({
      ref: "SKU 0",
      tool: "mask",
      checks: { square: true },
      credits: 1,
      milliseconds: 812,
    });
    expect(report[4]).toMatchObject({ quality: 0.9, credits: 0, sameAs: { batchId: earlier.id, row: 0 } });
    if (adapter === "s3") expect(await (await fetch(report[6]!.resultUrl!)).text()).toBe("later");
    expect(Date.parse(report[0]!.expiresAt!)).toBeGreaterThan(nowMs + 5 * 86_400_000);

    const cells = await csv(batch);
    expect(cells.map(({ line }) => Number(line))).toEqual(rows.map(({ line }) => line));
    expect(cells[0]).toMatchObject({
      ref: "SKU 0",
      status: "completed",
      checks: '{"square":true}',
      milliseconds: "812",
    });
    expect(cells[0]!.resultUrl).toBe(report[0]!.resultUrl);
    expect(cells[1]!.message).toBe("'=cmd|' /C calc'!A0");
    expect(cells[4]).toMatchObject({ sameAsBatch: earlier.id, sameAsRow: "0" });

    const { "missing.csv": missing, ...files } = await zip(batch);
    expect(files).toEqual({
      "SKU 0.png": "first",
      "SKU 4.png": "earlier",
      "SKU 6.jpg": "later",
      "SKU 10.png": "first",
      "SKU 11.png": "first",
      "SKU 1001.jpg": "later",
    });
    expect(missing!.split("\r\n").slice(0, 3)).toEqual([
      "line,status,destination,file,ref",
      "3,failed,,,SKU 1",
      "4,open,,,SKU 2",
    ]);
    expect(missing!.split("\r\n")).toContain("10,completed,s3://shop/SKU-8.png,,SKU 8");
    expect(missing!.trimEnd().split("\r\n")).toHaveLength(1 + 1_200 - 6);
    expect(Object.keys(await zip(batch, 1_000, 1_000))).toEqual(["SKU 1001.jpg", "missing.csv"]);
  });

  test("of a retried row the newest try holds, and a row that is tried again is open or pending", async () => {
    const { store, outcomes, lines } = open();
    const retried: Batch = { ...newBatch(4), try: 2, nextRow: 2 };
    await store(retried, [row(0, "a"), row(1, "b"), row(2, "c"), row(3, "d")]);
    const failed = { status: "failed", code: "source_unreachable", message: "404" } as const;
    await outcomes.add(
      retried,
      0,
      { first: 1, last: 1 },
      [0, 1, 2].map((number) => outcome(number, failed)),
    );
    await outcomes.add(retried, 0, { first: 2, last: 2 }, [
      outcome(0, { ...failed, try: 2, sequence: 9 }),
      outcome(3, {}),
    ]);
    const statuses = async (batch: Batch) => (await lines(batch)).map(({ status, code }) => [status, code]);
    expect(await statuses(retried)).toEqual([
      ["failed", "source_unreachable"],
      ["open", null],
      ["pending", null],
      ["completed", null],
    ]);
    const ended = {
      ...retried,
      status: "cancelled",
      error: null,
      finishedAt: at,
      expiresAt: isoTime(nowMs + 1_000),
    } as Batch;
    expect((await statuses(ended)).map(([status]) => status)).toEqual(["failed", "failed", "failed", "completed"]);
    const first = { ...ended, try: 1 } as Batch;
    await store(first, [row(0, "a"), row(1, "b"), row(2, "c"), row(3, "d"), row(4, "e")]);
    expect((await statuses({ ...first, rows: 5 })).at(-1)).toEqual(["cancelled", null]);
  });
});

describeOnStorages("rows of several files on %s", (adapter) => {
  test("have a link to each in the report, a column for each of the batch's own, and all in the archive", async () => {
    const storage = storages[adapter];
    const outputs = [{ name: "amazon" }, { name: "tiny" }, { name: "web-400" }];
    const batch: Batch = { ...newBatch(3), parameters: { outputs } };
    const segments = createRowSegments(storage);
    const outcomes = createOutcomeFiles(storage);
    const rows = [row(0, "K-1"), row(1, "K-2"), row(2, "K-3")];
    const text = Buffer.from(rows.map((one) => JSON.stringify(one)).join("\n"));
    await segments.write(batch, { segment: 0, part: 0, text });
    const result = storageKeys.batchResult(accountId, batch.id, 0);
    const files = [Buffer.from("main image"), Buffer.from("tiny"), Buffer.from("small")];
    const keys = files.map((_, position) => storageKeys.batchFile(result, position));
    for (const [i, key] of keys.entries()) await storage.write(key, files[i]!, { bytesMax: 100 });
    const size = { width: 2, height: 1, destination: null };
    const jpeg = { contentType: "image/jpeg", bytes: 10, ...size };
    const error = createJobError("max_bytes_unreachable", "Too small.");
    const checks = [{ name: "a", value: 1, passed: true }];
    const made = [
      { name: "amazon", ...jpeg, key: keys[0]!, checks },
      { name: "tiny", error },
      { name: "web-400", ...jpeg, contentType: "image/webp", bytes: 5, key: keys[2]! },
    ];
    const inBucket = made.map((file) =>
      "key" in file ? { ...file, key: null, destination: `s3://shop/${file.name}` } : file,
    );
    await outcomes.add(batch, 0, { first: 1, last: 2 }, [
      outcome(0, { result: { key: keys[0]!, contentType: "image/jpeg", bytes: 10 }, outputs: made }),
      outcome(1, { destination: "s3://shop/amazon", delivery: "stored", outputs: inBucket }),
      outcome(2, { status: "skipped", sameAs: { batchId: batch.id, row: 0 } }),
    ]);
    const log = { read: async <T>(subject: string) => ({ subject, value: batch as T, sequence: 1 }) };
    const resolveRows = createResolveRows({ log, segments, outcomes, nowMs: () => nowMs });
    const createLines = createReportLines(storage, () => nowMs);
    const ndjson = await Array.fromAsync(reportText({ resolveRows, createLines }, batch, "ndjson"));
    const lines: ReportLine[] = ndjson
      .join("")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const none = { url: null, contentType: null, bytes: null, width: null, height: null, destination: null };
    expect(lines[0]!.results).toEqual([
      { name: "amazon", ...jpeg, checks, url: lines[0]!.resultUrl },
      { name: "tiny", ...none, error },
      { name: "web-400", ...jpeg, contentType: "image/webp", bytes: 5, url: expect.any(String) },
    ]);
    const { url } = lines[0]!.results![2]!;
    expect(url).toContain(keys[2]);
    expect(lines[1]!.results!.map((file) => [file.url, file.destination])).toEqual([
      [null, "s3://shop/amazon"],
      [null, null],
      [null, "s3://shop/web-400"],
    ]);
    expect(lines[2]!.results![2]!.url).toContain(keys[2]);

    const csv = await Array.fromAsync(reportText({ resolveRows, createLines }, batch, "csv"));
    const cells: Record<string, string>[] = parse(csv.join(""), { columns: true });
    const named = ["results.amazon", "results.tiny", "results.web-400"];
    expect(Object.keys(cells[0]!).slice(-4)).toEqual(["results", ...named]);
    expect(named.map((column) => cells[0]![column])).toEqual([lines[0]!.resultUrl, "", url]);
    expect(named.map((column) => cells[1]![column])).toEqual(["s3://shop/amazon", "", "s3://shop/web-400"]);
    expect(JSON.parse(cells[0]!.results!)).toEqual(lines[0]!.results);

    const zip = openArchive({ resolveRows, storage }, batch, { firstRow: 0, rowsMax: 10_000 });
    const entries = new AdmZip(Buffer.concat(await zip.toArray())).getEntries();
    expect(entries.map(({ entryName }) => entryName)).toEqual([
      ...["K-1.jpg", "K-1-web-400.webp", "K-3.jpg", "K-3-web-400.webp", "missing.csv"],
    ]);
    expect(entries.at(-1)!.getData().toString().trimEnd().split("\r\n")).toEqual([
      "line,status,destination,file,ref",
      "2,failed,,tiny,K-1",
      "3,completed,s3://shop/amazon,amazon,K-2",
      "3,failed,,tiny,K-2",
      "3,completed,s3://shop/web-400,web-400,K-2",
      "4,failed,,tiny,K-3",
    ]);
    expect(entries[1]!.getData().toString()).toBe("small");
  });
});

test("an archive that is not read to its end closes the file that it is in", async () => {
  const storage = storages.disk;
  const batch = newBatch(2);
  const big = Buffer.alloc(8 * 1024 * 1024, "x");
  const key = storageKeys.batchResult(accountId, batch.id, 0);
  await storage.write(key, big, { bytesMax: big.length });
  const file = { key, contentType: "image/png", bytes: big.length, expiresAt: null };
  const closed = Promise.withResolvers<void>();
  const opened: string[] = [];
  const stream = openArchive(
    {
      async *resolveRows() {
        const resolved = { status: "completed", outcome: outcome(0, {}), same: undefined, file } as const;
        yield [
          { ...resolved, row: row(0, "a") },
          { ...resolved, row: row(1, "b") },
        ];
      },
      storage: {
        async open(wanted) {
          opened.push(wanted);
          const found = await storage.open(wanted);
          found!.stream.once("close", () => closed.resolve());
          return found;
        },
      },
    },
    batch,
    { firstRow: 0, rowsMax: 10_000 },
  );
  const { value } = (await stream[Symbol.asyncIterator]().next()) as { value: Buffer };
  expect(value.length).toBeLessThan(big.length);
  stream.destroy();
  await closed.promise;
  expect(opened).toEqual([key]);
});
