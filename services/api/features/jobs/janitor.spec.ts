import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { jobDeletedEvent } from "@packshot/domain/webhooks/event.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { acceptTestJobs, commitEvent, endTestJob, openTestAccount } from "../../../../testing/log/accepted-jobs.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { openTemporaryDisk } from "../../../../testing/storage/temporary-disk.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createJanitor, sweepFiles } from "./janitor.ts";

const logger = createLogger({ name: "janitor.spec", level: "fatal" });
const retentionMs = 2_000;
const unstopped = new AbortController().signal;
const log = suiteFixture(startLog);
let folder: string;
let disk: Storage;
let janitor: ReturnType<typeof createJanitor>;
/** Prefixes that storage refuses to delete. */
const refused = new Set<string>();
/** When a prefix was deleted. */
const deletedAtMs = new Map<string, number>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packshot-janitor-"));
  disk = createDiskStorage({ dir: folder });
  const storage: Storage = {
    ...disk,
    async deletePrefix(prefix) {
      if (refused.has(prefix)) throw new Error("storage refuses");
      deletedAtMs.set(prefix, Date.now());
      await disk.deletePrefix(prefix);
    },
  };
  janitor = createJanitor({ log, storage, logger, retentionMs });
  await janitor.start();
});

afterAll(async () => {
  await janitor.stop();
  await rm(folder, { recursive: true, force: true });
});

async function storeFile(key: string): Promise<string> {
  await disk.write(key, Buffer.from("bytes"), { bytesMax: 100 });
  return key;
}

async function exists(key: string): Promise<boolean> {
  return (await disk.stat(key)) !== undefined;
}

async function deleteJob(accountId: string, jobId: string): Promise<void> {
  const { value } = await log.read<Job>(subjects.job(accountId, jobId));
  await commitEvent(log, jobDeletedEvent(value!, uuidv7(), Date.now()));
}

test("a deleted job's files are removed at once; a prefix that storage refuses holds up no other", async () => {
  const accountId = await openTestAccount(log);
  const [first, second] = await acceptTestJobs(log, accountId, 2);
  const source = await storeFile(storageKeys.source(accountId, first!));
  const other = await storeFile(storageKeys.source(accountId, second!));
  refused.add(storageKeys.job(accountId, first!));
  await deleteJob(accountId, first!);
  await deleteJob(accountId, second!);
  await expect.poll(() => exists(other)).toBe(false);
  expect(await exists(source)).toBe(true);
  refused.clear();
  await expect.poll(() => exists(source)).toBe(false);
});

test("an ended job's files are removed when it expires, not before", async () => {
  const accountId = await openTestAccount(log);
  const [kept, expired] = await acceptTestJobs(log, accountId, 2);
  const keptFile = storageKeys.source(accountId, kept!);
  const expiredFile = storageKeys.source(accountId, expired!);
  await storeFile(keptFile);
  await storeFile(expiredFile);
  await endTestJob(log, accountId, expired!, "completed", retentionMs);
  await endTestJob(log, accountId, kept!, "cancelled", 3_600_000);
  await expect.poll(() => exists(expiredFile)).toBe(false);
  // The event lives longer than the record, which expires with the files.
  const { value } = await log.read<{ expiresAt: string }>(subjects.event(accountId, expired!, "completed"));
  const deletedAt = deletedAtMs.get(storageKeys.job(accountId, expired!));
  expect(deletedAt).toBeGreaterThanOrEqual(Date.parse(value!.expiresAt));
  expect(await exists(keptFile)).toBe(true);
});

test("once jobs are kept for a shorter time, their files are removed when they expire, whatever ended before", async () => {
  const accountId = await openTestAccount(log);
  const [long, longer, short] = await acceptTestJobs(log, accountId, 3);
  const files = [long!, longer!, short!].map((id) => storageKeys.source(accountId, id));
  for (const file of files) await storeFile(file);
  await endTestJob(log, accountId, long!, "completed", 3_600_000);
  await endTestJob(log, accountId, longer!, "failed", 7_200_000);
  await endTestJob(log, accountId, short!, "completed", retentionMs);
  await expect.poll(() => exists(files[2]!), { timeout: 10_000 }).toBe(false);
  expect(await Promise.all(files.map(exists))).toEqual([true, true, false]);
});

test("the sweep removes files without a record, those of uploads and batches included, unless they are younger than the limit", async () => {
  const accountId = await openTestAccount(log);
  const [live] = await acceptTestJobs(log, accountId, 1);
  const uploadId = uuidv7();
  await log.commit("upload", [{ subject: subjects.upload(accountId, uploadId), value: { v: 1 }, expected: 0 }]);
  const batchId = uuidv7();
  await log.commit("batch", [{ subject: subjects.batch(accountId, batchId), value: { v: 1 }, expected: 0 }]);
  const liveFiles = [
    storageKeys.source(accountId, live!),
    storageKeys.upload(accountId, uploadId),
    storageKeys.batchResult(accountId, batchId, 7),
  ];
  const orphans = [
    storageKeys.source(accountId, uuidv7()),
    `${storageKeys.attempt(accountId, uuidv7(), uuidv7())}result.png`,
    storageKeys.upload(accountId, uuidv7()),
    storageKeys.batchInput(accountId, uuidv7()),
  ];
  for (const key of [...liveFiles, ...orphans]) await storeFile(key);
  await sweepFiles({ log, storage: disk, logger, olderThanMs: 3_600_000 }, unstopped);
  expect(await Promise.all(orphans.map(exists))).toEqual(orphans.map(() => true));
  const inTwoHours = () => Date.now() + 7_200_000;
  await sweepFiles({ log, storage: disk, logger, olderThanMs: 3_600_000, nowMs: inTwoHours }, unstopped);
  expect(await Promise.all(orphans.map(exists))).toEqual(orphans.map(() => false));
  expect(await Promise.all(liveFiles.map(exists))).toEqual(liveFiles.map(() => true));
});

test("the sweep removes the fingerprints of accounts that are gone, and those that are forgotten", async () => {
  const accountId = await openTestAccount(log);
  const kept = await storeFile(`${storageKeys.fingerprints(accountId)}new.1`);
  const orphan = await storeFile(`${storageKeys.fingerprints(uuidv7())}old.1`);
  const sweepIn = (ms: number) =>
    sweepFiles({ log, storage: disk, logger, olderThanMs: 3_600_000, nowMs: () => Date.now() + ms }, unstopped);
  await sweepIn(1_800_000);
  expect([await exists(kept), await exists(orphan)]).toEqual([true, true]);
  await sweepIn(7_200_000);
  expect([await exists(kept), await exists(orphan)]).toEqual([true, false]);
  await sweepIn(91 * 86_400_000);
  expect(await exists(kept)).toBe(false);
});

test("files of a job that is kept for longer than its event go with the sweep, once it has expired", async () => {
  const own = await startLog();
  onTestFinished(() => own.stop());
  const storage = await openTemporaryDisk();
  const accountId = await openTestAccount(own);
  const [kept, expired] = await acceptTestJobs(own, accountId, 2);
  const files = [kept!, expired!].map((id) => storageKeys.source(accountId, id));
  for (const file of files) await storage.write(file, Buffer.from("bytes"), { bytesMax: 100 });
  const { streams: manager } = await jetstreamManager(own.connection);
  const shortNanos = 100_000_000;
  await manager.update(streams.events, { max_age: shortNanos, duplicate_window: shortNanos });
  await endTestJob(own, accountId, expired!, "completed", retentionMs);
  await endTestJob(own, accountId, kept!, "completed", 3_600_000);
  const stateOfEvents = async () => (await manager.info(streams.events)).state;
  await expect.poll(stateOfEvents, { timeout: 10_000 }).toMatchObject({ last_seq: 2, messages: 0 });
  const sweep = { everyMs: 100, olderThanMs: 0 };
  const late = createJanitor({ log: own, storage, logger, retentionMs, sweep });
  onTestFinished(() => late.stop());
  await late.start();
  const areThere = () => Promise.all(files.map(async (file) => (await storage.stat(file)) !== undefined));
  await expect.poll(areThere, { timeout: 10_000 }).toEqual([true, false]);
  expect((await own.read(subjects.job(accountId, expired!))).value).toBeUndefined();
});

test("a new job's source that is a hard link to old bytes does not count as old", async () => {
  const accountId = await openTestAccount(log);
  const source = await storeFile(storageKeys.source(accountId, uuidv7(Date.now() + 7_000_000)));
  const inTwoHours = () => Date.now() + 7_200_000;
  await sweepFiles({ log, storage: disk, logger, olderThanMs: 3_600_000, nowMs: inTwoHours }, unstopped);
  expect(await exists(source)).toBe(true);
});
