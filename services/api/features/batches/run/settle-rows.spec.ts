import { openBatch, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { type CompletedJob, createJobError } from "@packshot/domain/jobs/job.ts";
import { cutOutOfJob } from "@packshot/domain/jobs/review.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { eventWrite, jobDeletedEvent, jobEndedEvent, jobReviewedEvent } from "@packshot/domain/webhooks/event.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test } from "vitest";
import { completedJob } from "../../../../../testing/log/job-records.ts";
import { startLog } from "../../../../../testing/log/test-log.ts";
import { openTemporaryDisk } from "../../../../../testing/storage/temporary-disk.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";
import { createOutcomeFiles } from "../rows/outcome-files.ts";
import type { DoneRow, RowOutcome } from "../rows/row.ts";
import { keptKeys } from "../rows/row-outputs.ts";
import { doneByChanges, type RowChange } from "./row-changes.ts";
import { createSettler } from "./settle-rows.ts";

const log = suiteFixture(startLog);

test("a settlement that dies between its files and its commit leaves the mended row its mended picture", async () => {
  const storage = await openTemporaryDisk();
  const outcomes = createOutcomeFiles(storage);
  const accountId = uuidv7();
  const given = { id: uuidv7(), accountId, live: true, tool: "mask", parameters: {}, onExisting: "redo" } as const;
  const opened = openBatch({ ...given, destination: null, input: { kind: "inline" } }, Date.now());
  const batch = { ...startBatch(opened, 1, Date.now()), nextRow: 1 };
  const row = { id: batch.id, row: 0, try: 1, ref: "K-0" };

  async function completed(text: string, change: Partial<CompletedJob>): Promise<CompletedJob> {
    const id = uuidv7();
    const key = `${storageKeys.job(accountId, id)}attempt/result.png`;
    const { bytes } = await storage.write(key, Buffer.from(text), { bytesMax: 100 });
    return { ...completedJob(change as object), id, accountId, result: { key, contentType: "image/png", bytes } };
  }
  const own = await completed("the row's own", { batch: row });
  const mended = await completed("mended", { mends: row, repeatOf: own.id });
  await log.commit("test", [
    { subject: subjects.batch(accountId, batch.id), value: batch, expected: 0 },
    eventWrite(jobEndedEvent(own, uuidv7())),
    eventWrite(jobEndedEvent(mended, uuidv7())),
  ]);
  const settled = Promise.withResolvers<void>();
  let tries = 0;
  const settler = createSettler({
    log,
    logger: createLogger({ name: "settle-rows.spec", level: "fatal" }),
    storage,
    outcomes,
    nowMs: Date.now,
    async noteDone() {
      tries += 1;
      // The first time, only one of both events may be there.
      if (tries <= 2) throw new Error("killed after its files");
      settled.resolve();
    },
  });
  await settler.start();
  await settled.promise;
  await settler.stop();
  expect(tries).toBe(3);
  const line = (await outcomes.read(batch, 0)).get(0)!;
  expect(line).toMatchObject({ jobId: mended.id, isMended: true });
  expect((await storage.read(line.result!.key, { bytesMax: 100 }))?.toString()).toBe("mended");
  // The picture that it took the place of is kept nowhere.
  const kept = await Array.fromAsync(storage.list(`${storageKeys.batch(accountId, batch.id)}results/`));
  expect(kept.map(({ key }) => key)).toEqual([line.result!.key]);
});

test("the copy of a deleted job's result goes with its settlement, as soon as storage removes it", async () => {
  const disk = await openTemporaryDisk();
  const outcomes = createOutcomeFiles(disk);
  const accountId = uuidv7();
  const given = { id: uuidv7(), accountId, live: true, tool: "mask", parameters: {}, onExisting: "redo" } as const;
  const opened = openBatch({ ...given, destination: null, input: { kind: "inline" } }, Date.now());
  const batch = { ...startBatch(opened, 1, Date.now()), nextRow: 1 };
  const id = uuidv7();
  const key = `${storageKeys.job(accountId, id)}attempt/result.png`;
  const { bytes } = await disk.write(key, Buffer.from("pixels"), { bytesMax: 100 });
  const made = { batch: { id: batch.id, row: 0, try: 1, ref: "K-0", fingerprint: "same" } };
  const job = { ...completedJob(made as object), id, accountId, result: { key, contentType: "image/png", bytes } };
  let refusals = 0;
  const deletePrefix = async (prefix: string) => {
    refusals += 1;
    if (refusals <= 2) throw new Error("storage is away");
    await disk.deletePrefix(prefix);
  };
  const undone: DoneRow[] = [];
  const settler = createSettler({
    log,
    logger: createLogger({ name: "settle-rows.spec", level: "fatal" }),
    storage: { ...disk, deletePrefix },
    outcomes,
    nowMs: Date.now,
    noteDone: async (_account, _name, rows) => void undone.push(...rows.filter(({ isRejected }) => isRejected)),
  });
  await log.commit("test", [
    { subject: subjects.batch(accountId, batch.id), value: batch, expected: 0 },
    eventWrite(jobEndedEvent(job, uuidv7())),
  ]);
  await settler.start();
  const line = async () => (await outcomes.read(batch, 0)).get(0);
  await expect.poll(async () => (await line())?.result?.key).toBe(storageKeys.batchResult(accountId, batch.id, 0));
  await log.commit("test", [eventWrite(jobDeletedEvent(job, uuidv7(), Date.now()))]);
  await expect.poll(line, { timeout: 10_000 }).toMatchObject({ status: "completed", isDeleted: true, result: null });
  await expect.poll(() => undone).toHaveLength(1);
  await settler.stop();
  expect(await Array.fromAsync(disk.list(`${storageKeys.batch(accountId, batch.id)}results/`))).toEqual([]);
  expect(undone).toEqual([expect.objectContaining({ fingerprint: "same", batch: made.batch })]);
});

test("the files of a row with outputs are kept with it, and go with a rejection", async () => {
  const storage = await openTemporaryDisk();
  const outcomes = createOutcomeFiles(storage);
  const accountId = uuidv7();
  const given = { id: uuidv7(), accountId, live: true, tool: "mask", parameters: {}, onExisting: "redo" } as const;
  const opened = openBatch({ ...given, destination: null, input: { kind: "inline" } }, Date.now());
  const batch = { ...startBatch(opened, 2, Date.now()), nextRow: 2 };
  const error = createJobError("max_bytes_unreachable", "test");

  async function completed(row: number, change: Partial<CompletedJob> = {}): Promise<CompletedJob> {
    const id = uuidv7();
    const file = async (name: string, text: string) => {
      const key = `${storageKeys.job(accountId, id)}attempt/${name}`;
      const { bytes } = await storage.write(key, Buffer.from(text), { bytesMax: 100 });
      return { key, contentType: "image/jpeg", bytes, width: 1, height: 1, name };
    };
    const results = [await file("amazon", `amazon ${row}`), await file("zalando", `zalando ${row}`)];
    const { name: _, ...result } = results[0]!;
    const failedResults = [{ name: "tiny", position: 1, error }];
    const made = { result, results, failedResults, batch: { id: batch.id, row, try: 1, ref: `K-${row}` } };
    return { ...completedJob({ creditsCharged: 2, ...made, ...change } as object), id, accountId };
  }
  const kept = await completed(0);
  const destination = { connection: "shop", key: "{output}.{ext}" };
  const parameters = { seed: 1, outputs: [{ name: "amazon" }, { name: "tiny" }, { name: "zalando" }] };
  const delivered = await completed(1, { destination, parameters, delivery: { status: "stored", attempts: 1 } });
  await log.commit("test", [
    { subject: subjects.batch(accountId, batch.id), value: batch, expected: 0 },
    eventWrite(jobEndedEvent(kept, uuidv7())),
    eventWrite(jobEndedEvent(delivered, uuidv7())),
  ]);
  const logger = createLogger({ name: "settle-rows.spec", level: "fatal" });
  const settler = createSettler({ log, logger, storage, outcomes, nowMs: Date.now });
  const settledCounts = async () => {
    const { value } = await log.read<typeof batch>(subjects.batch(accountId, batch.id));
    return [value!.counts.completed, value!.credits];
  };
  const copies = async () =>
    await Array.fromAsync(storage.list(`${storageKeys.batch(accountId, batch.id)}results/`), ({ key }) => key);
  await settler.start();
  await expect.poll(settledCounts).toEqual([2, 4]);
  const result = storageKeys.batchResult(accountId, batch.id, 0);
  const lines = await outcomes.read(batch, 0);
  expect(lines.get(0)!.outputs).toMatchObject([
    { name: "amazon", key: result, destination: null },
    { name: "tiny", error },
    { name: "zalando", key: `${result}.3`, bytes: 9, destination: null },
  ]);
  expect((await storage.read(`${result}.3`, { bytesMax: 100 }))?.toString()).toBe("zalando 0");
  expect(lines.get(1)!.outputs).toMatchObject([
    { name: "amazon", key: null, destination: "s3://shop/amazon.jpg" },
    { name: "tiny", error },
    { name: "zalando", key: null, destination: "s3://shop/zalando.jpg" },
  ]);
  expect((await copies()).toSorted()).toEqual([result, `${result}.3`]);

  const review = { verdict: "rejected", at: new Date().toISOString(), creditsRefunded: 2 } as const;
  const rejection = jobReviewedEvent(cutOutOfJob(kept, undefined), review, { eventId: uuidv7() });
  await log.commit("test", [eventWrite(rejection)]);
  await expect.poll(settledCounts).toEqual([2, 2]);
  await settler.stop();
  expect(await copies()).toEqual([]);
  const { result: gone, outputs } = (await outcomes.read(batch, 0)).get(0)!;
  expect([gone, outputs!.map((output) => ("key" in output ? output.key : output.error.code))]).toEqual([
    null,
    [null, "max_bytes_unreachable", null],
  ]);
});

test("a row without one of its files, or whose image model was late, is not done, also by a free repeat", async () => {
  const accountId = uuidv7();
  const given = { id: uuidv7(), accountId, live: true, tool: "mask", parameters: {}, onExisting: "redo" } as const;
  const opened = openBatch({ ...given, destination: null, input: { kind: "inline" } }, Date.now());
  const batch = { ...startBatch(opened, 3, Date.now()), nextRow: 3 };
  const late = { quality: "ok", reasons: [], scene: { engine: "renderer", rejections: ["timed_out"] } };
  const error = createJobError("max_bytes_unreachable", "test");
  const failedResults = [{ name: "tiny", position: 1, error }];
  const refs = [0, 1, 2].map((row) => ({ id: batch.id, row, try: 1, ref: `K-${row}`, fingerprint: `f${row}` }));
  const completed = (change: object) => ({ ...completedJob(change), id: uuidv7(), accountId }) as CompletedJob;
  const jobs = [
    completed({ batch: refs[0]! }),
    completed({ batch: refs[1]!, failedResults }),
    completed({ batch: refs[2]!, report: late }),
  ];
  await log.commit("test", [
    { subject: subjects.batch(accountId, batch.id), value: batch, expected: 0 },
    ...jobs.map((job) => eventWrite(jobEndedEvent(job, uuidv7()))),
  ]);
  const storage = await openTemporaryDisk();
  const outcomes = createOutcomeFiles(storage);
  const done: DoneRow[] = [];
  const settler = createSettler({
    log,
    logger: createLogger({ name: "settle-rows.spec", level: "fatal" }),
    storage,
    outcomes,
    async noteDone(_, __, rows) {
      done.push(...rows);
    },
    nowMs: Date.now,
  });
  await settler.start();
  await expect.poll(async () => (await outcomes.read(batch, 0)).size).toBe(3);
  await settler.stop();
  expect(done.map(({ fingerprint }) => fingerprint)).toEqual(["f0"]);

  const line = { fingerprint: "f0", delivery: null } as RowOutcome;
  for (const lacking of [{ failedResults }, { report: late }]) {
    const event = jobEndedEvent(completed({ mends: refs[0]!, ...lacking }), uuidv7());
    const change = { event, line, credits: 0 } as RowChange;
    expect(doneByChanges([change])).toMatchObject([{ fingerprint: "f0", isRejected: true }]);
  }
});

test("a rejection removes the copies of before a redelivery, also where the job is gone", () => {
  const batch = { accountId: uuidv7(), id: uuidv7() };
  const outputs = ["a", "b"].map((name) => ({
    name,
    key: null,
    contentType: "image/png",
    bytes: 1,
    destination: null,
  }));
  const line = { row: 0, jobId: uuidv7(), result: null, outputs: outputs as unknown as RowOutcome["outputs"] };
  const result = storageKeys.batchResult(batch.accountId, batch.id, 0);
  expect(keptKeys(batch, line)).toEqual([result, `${result}.2`]);
  const mended = storageKeys.batchResult(batch.accountId, batch.id, 0, line.jobId);
  expect(keptKeys(batch, { ...line, isMended: true })).toEqual([mended, `${mended}.2`]);
});
