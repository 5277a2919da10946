import { openAccount } from "@packshot/domain/accounts/account.ts";
import { builtInPlans } from "@packshot/domain/accounts/plan.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { openBatch, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { CompletedJob } from "@packshot/domain/jobs/job.ts";
import { cutOutOfJob } from "@packshot/domain/jobs/review.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import {
  eventWrite,
  jobDeletedEvent,
  jobEndedEvent,
  jobReviewedEvent,
  type PackshotEvent,
} from "@packshot/domain/webhooks/event.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test, vi } from "vitest";
import { completedJob } from "../../../../../testing/log/job-records.ts";
import { startLog } from "../../../../../testing/log/test-log.ts";
import { openTemporaryDisk } from "../../../../../testing/storage/temporary-disk.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";
import { createOutcomeFiles } from "../rows/outcome-files.ts";
import type { DoneRow } from "../rows/row.ts";
import { createCopyRemoval } from "./row-changes.ts";
import { createSettler, type SettlerDeps } from "./settle-rows.ts";

const log = suiteFixture(startLog);

/** A batch of one row that was handed out, and its job, which cost a credit. */
async function handedOut() {
  const disk = await openTemporaryDisk();
  const outcomes = createOutcomeFiles(disk);
  const accountId = uuidv7();
  const given = { id: uuidv7(), accountId, live: true, tool: "mask", parameters: {}, onExisting: "redo" } as const;
  const opened = openBatch({ ...given, destination: null, input: { kind: "inline" } }, Date.now());
  const batch = { ...startBatch(opened, 1, Date.now()), nextRow: 1 };
  const row = { id: batch.id, row: 0, try: 1, ref: "K-0", fingerprint: "same" };

  async function completed(change: Partial<CompletedJob>): Promise<CompletedJob> {
    const id = uuidv7();
    const key = `${storageKeys.job(accountId, id)}attempt/result.png`;
    const { bytes } = await disk.write(key, Buffer.from("pixels"), { bytesMax: 100 });
    return { ...completedJob(change as object), id, accountId, result: { key, contentType: "image/png", bytes } };
  }

  return {
    disk,
    batch,
    row,
    completed,
    job: await completed({ batch: row, creditsCharged: 1 }),
    line: async () => (await outcomes.read(batch, 0)).get(0),
    record: async () => (await log.read<Batch>(subjects.batch(accountId, batch.id))).value,
    openWith: async (...events: PackshotEvent[]) => {
      const subject = subjects.batch(accountId, batch.id);
      await log.commit("test", [{ subject, value: batch, expected: 0 }, ...events.map((event) => eventWrite(event))]);
    },
    createSettler: (deps: Partial<SettlerDeps> = {}) =>
      createSettler({
        log,
        logger: createLogger({ name: "row-changes.spec", level: "fatal" }),
        storage: disk,
        outcomes,
        nowMs: Date.now,
        ...deps,
      }),
  };
}

test("a copy that storage never removes holds no row up", async () => {
  const { disk, job, line, record, openWith, createSettler } = await handedOut();
  const refused: string[] = [];
  const deletePrefix = async (prefix: string) => {
    refused.push(prefix);
    throw new Error("read-only");
  };
  await openWith(jobEndedEvent(job, uuidv7()));
  const settler = createSettler({ storage: { ...disk, deletePrefix } });
  await settler.start();
  await expect.poll(async () => (await line())?.result).toBeTruthy();
  const deletion = eventWrite(jobDeletedEvent(job, uuidv7(), Date.now()));
  const { firstSequence } = await log.commit("test", [deletion]);
  await expect.poll(async () => (await record())?.settledThrough).toBe(firstSequence);
  await settler.stop();
  expect(await record()).toMatchObject({ counts: { completed: 1 }, credits: 1 });
  expect(await line()).toMatchObject({ isDeleted: true, result: null });
  expect(new Set(refused).size).toBe(1);
});

test("a free repeat that completes after its rejected job was deleted is a result that is there, also after a kill", async () => {
  const { job, row, line, record, completed, openWith, createSettler } = await handedOut();
  const repeat = await completed({ mends: row, repeatOf: job.id, creditsCharged: 0 });
  const review = { verdict: "rejected", at: new Date().toISOString(), creditsRefunded: 1 } as const;
  await openWith(
    jobEndedEvent(job, uuidv7()),
    jobReviewedEvent(cutOutOfJob(job, undefined), review, { eventId: uuidv7() }),
    jobDeletedEvent(job, uuidv7(), Date.now()),
    jobEndedEvent(repeat, uuidv7()),
  );
  const noted: (readonly DoneRow[])[] = [];
  const settler = createSettler({
    async noteDone(_account, _name, rows) {
      noted.push(rows);
      // The first time, only some of the events may be there.
      if (noted.length <= 2) throw new Error("killed after its files");
    },
  });
  await settler.start();
  await expect.poll(async () => (await record())?.counts.completed).toBe(1);
  await settler.stop();
  expect(await line()).toMatchObject({ jobId: repeat.id, isMended: true, result: { bytes: 6 } });
  expect(await line()).not.toHaveProperty("isDeleted");
  // The refund counts, and the row that the repeat has made is done.
  expect((await record())!.credits).toBe(0);
  expect(noted.at(-1)!.filter(({ isRejected }) => isRejected)).toEqual([]);
});

test("a deleted job whose row a free repeat has mended leaves the row done, and its copy there", async () => {
  const { disk, job, row, line, record, completed, openWith, createSettler } = await handedOut();
  const repeat = await completed({ mends: row, repeatOf: job.id });
  await openWith(jobEndedEvent(job, uuidv7()), jobEndedEvent(repeat, uuidv7()));
  const undone: DoneRow[] = [];
  const settler = createSettler({
    noteDone: async (_account, _name, rows) => void undone.push(...rows.filter(({ isRejected }) => isRejected)),
  });
  await settler.start();
  await expect.poll(async () => (await line())?.isMended).toBe(true);
  const deletion = eventWrite(jobDeletedEvent(job, uuidv7(), Date.now()));
  const { firstSequence } = await log.commit("test", [deletion]);
  await expect.poll(async () => (await record())?.settledThrough).toBe(firstSequence);
  await settler.stop();
  expect(undone).toEqual([]);
  expect((await disk.read((await line())!.result!.key, { bytesMax: 100 }))?.toString()).toBe("pixels");
});

test("the row of a deleted job is edited anew, also where its batch is gone, unless its account is erased; and no copy is removed that was never made", async () => {
  const kept = await handedOut();
  const gone = await handedOut();
  const erased = await handedOut();
  await kept.disk.deletePrefix(storageKeys.job(kept.job.accountId, kept.job.id));
  const who = { accountId: gone.job.accountId, workspaceId: uuidv7(), name: "test" };
  const { account } = openAccount(builtInPlans[0]!, who, Date.now());
  await log.commit("test", [{ subject: subjects.account(account.accountId), value: account, expected: 0 }]);
  const deletionOf = ({ job }: typeof kept) => jobDeletedEvent(job, uuidv7(), Date.now());
  for (const without of [erased, gone]) await log.commit("test", [eventWrite(deletionOf(without))]);
  await kept.openWith(jobEndedEvent(kept.job, uuidv7()), deletionOf(kept));
  const deletePrefix = vi.fn(kept.disk.deletePrefix);
  const undone: DoneRow[] = [];
  const settler = kept.createSettler({
    storage: { ...kept.disk, deletePrefix },
    noteDone: async (_account, _name, rows) => void undone.push(...rows.filter(({ isRejected }) => isRejected)),
  });
  await settler.start();
  await expect
    .poll(() => new Set(undone.map(({ batch }) => batch.id)))
    .toEqual(new Set([kept, gone].map(({ row }) => row.id)));
  await expect.poll(async () => (await kept.line())?.isDeleted).toBe(true);
  await settler.stop();
  expect(undone.map(({ batch }) => batch.id)).not.toContain(erased.row.id);
  expect(deletePrefix).not.toHaveBeenCalled();
});

test("copies are removed beside each other, and those that stay are named for the operator", async () => {
  const both = Promise.withResolvers<void>();
  const asked: string[] = [];
  const deletePrefix = async (key: string) => {
    asked.push(key);
    if (asked.length === 2) both.resolve();
    await both.promise;
    if (key === "stays") throw new Error("read-only");
  };
  const warn = vi.fn();
  const remove = createCopyRemoval({ storage: { deletePrefix }, logger: { warn } });
  await remove(["goes", "stays"], new AbortController().signal);
  expect(asked.filter((key) => key === "goes")).toHaveLength(1);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ keys: ["stays"] }), expect.any(String));
});
