import { openBatch, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { CompletedJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { eventWrite, jobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { completedJob } from "../../../../testing/log/job-records.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createOutcomeFiles } from "./outcome-files.ts";
import { createSettler } from "./settle-rows.ts";

const log = suiteFixture(startLog);

test("a settlement that dies between its files and its commit leaves the mended row its mended picture", async () => {
  const storage = createDiskStorage({ dir: await mkdtemp(join(tmpdir(), "settle-rows-")) });
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
