/** Faults of the machine, met by real workers on a real disk and a real log: no job fails for them, and no credit is lost. */

import { jetstreamManager } from "@nats-io/jetstream";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createKeeper } from "../../services/api/features/jobs/keeper.ts";
import type { EditOutput } from "../../services/inference/edits/edit.ts";
import { acceptTestJobs, openTestAccount, readAccount } from "../../testing/log/accepted-jobs.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { type SmallDisk, startSmallDisk } from "../../testing/storage/small-disk.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { startTestWorker, type TestWorker } from "../../testing/worker/test-worker.ts";

const log = suiteFixture(startLog);
const logger = createLogger({ name: "full-disk", level: "silent" });
const jobsCount = 6;
const creditsPerJob = 2;
const image = { bytes: Buffer.alloc(200_000), contentType: "image/png", width: 1, height: 1 } as const;
const output: EditOutput = { result: image, thumbnail: image, model: "m@1", report: {}, timings: {} };

let disk: SmallDisk;
let keeper: Component;
let worker: TestWorker | undefined;

beforeEach(async () => {
  disk = await startSmallDisk({ megabytes: 8 });
  keeper = createKeeper({ log, logger });
  await keeper.start();
});
afterEach(async () => {
  await worker?.stop();
  await keeper.stop();
  await disk.stop();
});

async function startWorker(storage: Storage, runEdit: () => Promise<EditOutput> = async () => output): Promise<void> {
  worker = await startTestWorker({ log, storage, slots: 2, runEdit });
}

/** Jobs whose sources are in storage already. */
async function acceptJobs(accountId: string): Promise<string[]> {
  const jobIds = await acceptTestJobs(log, accountId, jobsCount);
  for (const jobId of jobIds) {
    await disk.storage.write(storageKeys.source(accountId, jobId), Buffer.from("photo"), { bytesMax: 10 });
  }
  return jobIds;
}

async function recordsOf(accountId: string, jobIds: readonly string[]): Promise<Job[]> {
  return await Promise.all(jobIds.map(async (id) => (await log.read<Job>(subjects.job(accountId, id))).value!));
}

async function statusesOf(accountId: string, jobIds: readonly string[]): Promise<string[]> {
  return (await recordsOf(accountId, jobIds)).map(({ status }) => status);
}

const faultsOf = (part: string) => worker!.metric("packshot_worker_infrastructure_faults_total", { part });

/** How each job of the account was announced. */
async function announced(accountId: string): Promise<string[]> {
  const manager = await jetstreamManager(log.connection);
  const info = await manager.streams.info(streams.state, { subjects_filter: subjects.event(accountId, "*", "*") });
  return Object.keys(info.state.subjects ?? {}).map((subject) => subject.split(".").at(-1)!);
}

async function expectAllCompleted(accountId: string, jobIds: readonly string[]): Promise<void> {
  await expect.poll(() => statusesOf(accountId, jobIds)).toEqual(jobIds.map(() => "completed"));
  await expect.poll(() => announced(accountId)).toEqual(jobIds.map(() => "completed"));
  const credits = { remaining: 1_000 - jobIds.length * creditsPerJob };
  await expect.poll(() => readAccount(log, accountId)).toMatchObject({ running: 0, waiting: 0, credits });
}

test("a full disk fails no job: the queue waits, and when there is space every job completes", async () => {
  const accountId = await openTestAccount(log);
  const jobIds = await acceptJobs(accountId);
  await disk.fill();
  await startWorker(disk.storage);
  // Several pauses end in between, each by a probe that fails, until the disk has space.
  await expect.poll(() => faultsOf("storage")).toBeGreaterThanOrEqual(1);
  // One that was pulled before the pause is claimed in it, and comes back: status and attempts are of one moment.
  const queued = async () => (await recordsOf(accountId, jobIds)).map(({ status, attempts }) => [status, attempts]);
  await expect.poll(queued).toEqual(jobIds.map(() => ["queued", 0]));
  expect(worker!.isPaused).toBe(true);
  expect(await worker!.metric("packshot_worker_paused", { part: "storage" })).toBe(1);
  expect(await announced(accountId)).toEqual([]);
  await disk.empty();
  await expectAllCompleted(accountId, jobIds);
  // An attempt that fails just before there is space counts, since the disk is asked only afterwards: one for each slot at most.
  const attempts = (await recordsOf(accountId, jobIds)).map((job) => job.attempts);
  expect(Math.max(...attempts)).toBeLessThanOrEqual(2);
  expect(attempts.filter((count) => count > 1).length).toBeLessThanOrEqual(2);
  expect(worker!.isPaused).toBe(false);
});

test("one file that cannot be read fails its own job after four attempts, and no other", async () => {
  const accountId = await openTestAccount(log);
  const [bad, ...others] = await acceptJobs(accountId);
  await startWorker({
    ...disk.storage,
    async read(key, limits) {
      if (key.includes(bad!)) throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
      return await disk.storage.read(key, limits);
    },
  });
  await expect.poll(() => statusesOf(accountId, [bad!])).toEqual(["failed"]);
  expect(await recordsOf(accountId, [bad!])).toMatchObject([{ error: { code: "internal_error" }, attempts: 4 }]);
  await expect.poll(() => statusesOf(accountId, others)).toEqual(others.map(() => "completed"));
});

test("an edit that is done while the log is away is recorded when the log is back", async () => {
  const accountId = await openTestAccount(log);
  const jobIds = await acceptJobs(accountId);
  let edits = 0;
  await startWorker(disk.storage, async () => {
    edits += 1;
    if (edits === 1) await log.nats.kill();
    return output;
  });
  await expect.poll(() => faultsOf("log")).toBeGreaterThanOrEqual(1);
  await expect.poll(() => worker!.isPaused).toBe(true);
  await log.nats.restart();
  await expectAllCompleted(accountId, jobIds);
  expect(edits).toBe(jobsCount);
});
