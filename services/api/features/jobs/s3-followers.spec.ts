/**
 * Janitor, sweep and the ledger's archive with the files on S3.
 * @module-tag versitygw
 * @module-tag long
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { jobDeletedEvent } from "@packshot/domain/webhooks/event.ts";
import { streamRange } from "@packshot/log/follow/stream-source.ts";
import { createS3Access, type S3Access } from "@packshot/platform/storage/s3-client.ts";
import { createS3Storage } from "@packshot/platform/storage/s3-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { beforeAll, expect, test } from "vitest";
import { acceptTestJobs, commitEvent, endTestJob, openTestAccount } from "../../../../testing/log/accepted-jobs.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { startS3 } from "../../../../testing/servers/versitygw.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createArchive } from "../accounts/ledger-archive.ts";
import { createJanitor, sweepFiles } from "./janitor.ts";

const logger = createLogger({ name: "s3-followers.spec", level: "fatal" });
const signal = new AbortController().signal;
const hourMs = 3_600_000;
const cli = fileURLToPath(new URL("../../../../cli/packshot.ts", import.meta.url));
const log = suiteFixture(startLog);
const s3 = suiteFixture(startS3);
let access: S3Access;
let storage: Storage;

beforeAll(() => {
  access = createS3Access(s3.settings);
  storage = createS3Storage(s3.settings, access);
});

const store = async (key: string) => void (await storage.write(key, Buffer.from("bytes"), { bytesMax: 100 }));
const filesBelow = (prefix: string) => Array.fromAsync(storage.list(prefix), ({ key }) => key);

test("files of deleted and of expired jobs are removed, and those of others stay", async () => {
  const janitor = createJanitor({ log, storage, logger, retentionMs: 3_600_000 });
  await janitor.start();
  const accountId = await openTestAccount(log);
  const [deleted, expired, kept] = await acceptTestJobs(log, accountId, 3);
  for (const jobId of [deleted!, expired!, kept!]) {
    await store(storageKeys.source(accountId, jobId));
    await store(`${storageKeys.attempt(accountId, jobId, uuidv7())}result.png`);
  }
  const { value } = await log.read<Job>(subjects.job(accountId, deleted!));
  await commitEvent(log, jobDeletedEvent(value!, uuidv7(), Date.now()));
  await endTestJob(log, accountId, expired!, "completed", 1_000);
  for (const jobId of [deleted!, expired!]) {
    await expect.poll(() => filesBelow(storageKeys.job(accountId, jobId))).toEqual([]);
  }
  expect(await filesBelow(storageKeys.job(accountId, kept!))).toHaveLength(2);
  await janitor.stop();
});

test("the sweep removes files without a record, and parts of uploads that never ended", async () => {
  const accountId = await openTestAccount(log);
  const [live] = await acceptTestJobs(log, accountId, 1);
  const liveFile = storageKeys.source(accountId, live!);
  const orphans = [storageKeys.source(accountId, uuidv7()), storageKeys.upload(accountId, uuidv7())];
  for (const key of [liveFile, ...orphans]) await store(key);
  const Key = storageKeys.source(accountId, uuidv7());
  await access.client.send(new CreateMultipartUploadCommand({ Bucket: access.bucket, Key }));
  const unfinished = async () =>
    (await access.client.send(new ListMultipartUploadsCommand({ Bucket: access.bucket }))).Uploads?.length ?? 0;
  await sweepFiles({ log, storage, logger, olderThanMs: hourMs }, signal);
  expect(await filesBelow(`api/${accountId}/`)).toHaveLength(3);
  expect(await unfinished()).toBe(1);
  const nowMs = () => Date.now() + 2 * hourMs;
  await sweepFiles({ log, storage, logger, olderThanMs: hourMs, nowMs }, signal);
  expect(await filesBelow(`api/${accountId}/`)).toEqual([liveFile]);
  expect(await unfinished()).toBe(0);
});

test("the ledger is archived in the bucket, and `packshot ledger verify` reads it there", async () => {
  const archive = createArchive({ log, storage, logger, nowMs: () => Date.now() + 72 * hourMs });
  await expect.poll(async () => (await streamRange(log.connection, streams.ledger)).last).toBeGreaterThan(4);
  await archive(signal);
  const { first, last } = await streamRange(log.connection, streams.ledger);
  expect(first).toBe(last);
  const environment = { PATH: process.env.PATH ?? "", ...s3.environment };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, "ledger", "verify"], { env: environment });
  expect(stdout).toMatch(new RegExp(`^[1-9]\\d* files, ${last} entries, 0 problems; up to `));
});
