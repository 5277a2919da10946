import { Readable } from "node:stream";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { expect, test } from "vitest";
import { describeOnStorages, startStorages } from "../../../../../testing/storage/test-storages.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";
import { createRowSegments } from "../rows/row-segments.ts";
import { createCheckFile } from "./check-file.ts";
import type { RowRules } from "./check-row.ts";

const storages = suiteFixture(startStorages);
const rules: RowRules = { tool: "mask", parameters: {}, tools: ["mask"], models: [] };
const signal = new AbortController().signal;
const accountId = "a";
const rowsCount = 5_500;
const bytesMax = 10_000_000;

function catalog(): Buffer {
  const rows = Array.from({ length: rowsCount }, (_, i) => `SKU-${i},https://shop.example/${i}.jpg,${i}\n`);
  return Buffer.from(`ref,imageUrl,seed\n${rows.join("")}`);
}

describeOnStorages("rows of a file on %s", (adapter) => {
  const batch = { accountId: "a", id: "1" };
  const key = storageKeys.batchInput("a", "1");

  test("are read on a thread and stored in segments, again and again with the same result", async () => {
    const storage = storages[adapter];
    await storage.write(key, catalog(), { bytesMax });
    const segments = createRowSegments(storage);
    const checkFile = createCheckFile({ storage });
    const writeSegment = (segment: Parameters<typeof segments.write>[1]) => segments.write(batch, segment);
    for (let run = 0; run < 2; run++) {
      const summary = await checkFile({ key, accountId, format: "csv", rules, signal, writeSegment });
      expect(summary).toMatchObject({ rows: rowsCount, faulty: 0, broken: null, rowsOfTool: { mask: rowsCount } });
      const stored = await Promise.all([0, 1, 2, 3, 4, 5, 6].map((segment) => segments.read(batch, segment)));
      expect(stored.map((rows) => rows?.length)).toEqual([1000, 1000, 1000, 1000, 1000, 500, undefined]);
      expect(stored.flatMap((rows) => rows ?? []).map(({ row }) => row)).toEqual(
        Array.from({ length: rowsCount }, (_, i) => i),
      );
      expect(stored[5]![499]).toMatchObject({ row: 5499, line: 5501, ref: "SKU-5499", parameters: { seed: 5499 } });
    }
  });

  test("are only counted for a dry run, up to where the file is broken", async () => {
    const storage = storages[adapter];
    await storage.write(key, Buffer.concat([catalog(), Buffer.from('X,"')]), { bytesMax });
    const summary = await createCheckFile({ storage })({ key, accountId, format: "csv", rules, signal });
    expect(summary).toMatchObject({ rows: rowsCount, broken: { line: rowsCount + 2 } });
  });
});

test("a file that is gone, one that stalls, one that breaks off, and a storage that takes no segment", async () => {
  const storage = storages.disk;
  const checkFile = createCheckFile({ storage });
  const input = { key: "batches/a/2/input", accountId, format: "csv", rules, signal } as const;
  await expect(checkFile(input)).rejects.toMatchObject({ code: "not_found" });
  const openAs = (stream: Readable) =>
    createCheckFile({ storage: { open: async () => ({ stream, bytes: 9 }) }, stallTimeoutMs: 300 });
  await expect(openAs(new Readable({ read() {} }))(input)).rejects.toThrow("did not arrive");
  const broken = Readable.from([Buffer.from("ref,imageUrl\n")]);
  broken.once("resume", () => {}).destroy(new Error("connection reset"));
  await expect(openAs(broken)(input)).rejects.toThrow("connection reset");
  await storage.write(input.key, catalog(), { bytesMax });
  const full = new Error("no space left on device");
  const writeSegment = () => Promise.reject(full);
  await expect(checkFile({ ...input, writeSegment })).rejects.toBe(full);
});

test("a reading that is aborted ends, and the next one goes on", async () => {
  const storage = storages.disk;
  const checkFile = createCheckFile({ storage });
  const key = "batches/a/3/input";
  await storage.write(key, catalog(), { bytesMax });
  const aborting = new AbortController();
  const writeSegment = async () => aborting.abort(new Error("the process stops"));
  const aborted = checkFile({ key, accountId, format: "csv", rules, signal: aborting.signal, writeSegment });
  const next = checkFile({ key, accountId, format: "csv", rules, signal });
  // The abort may come after the last segment has been read.
  await aborted.catch((error: Error) => expect(error.message).toBe("the process stops"));
  expect(await next).toMatchObject({ rows: rowsCount });
  await expect(checkFile({ key, accountId, format: "csv", rules, signal: aborting.signal })).rejects.toThrow(
    "the process stops",
  );
});
