import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { claimJob, type Job, jobDeadlineMs, repairGraceMs } from "@packshot/domain/job.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { createRepair } from "./repair.ts";
import { acceptTestJobs, openTestAccount, testRetentionMs } from "../../../testing/log/accepted-jobs.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";

const logger = createLogger({ name: "repair.spec", level: "error" });
const unstopped = new AbortController().signal;
const log = suiteFixture(startLog);

async function claim(accountId: string, jobId: string, startedMs: number): Promise<void> {
  const subject = subjects.job(accountId, jobId);
  const { value, sequence } = await log.read<Job>(subject);
  const request = { attemptId: uuidv7(), readySequence: 1, nowMs: startedMs, retentionMs: testRetentionMs };
  const claimed = claimJob(value, request);
  if (claimed.kind !== "claimed") throw new Error(claimed.kind);
  await log.commit("claim", [{ subject, value: claimed.job, expected: sequence }]);
}

/** The job's message in the work queue, once it is sourced. */
async function readyMessage(accountId: string, jobId: string): Promise<number | undefined> {
  const manager = await jetstreamManager(log.connection);
  const found = await manager.streams.getMessage(streams.ready, { last_by_subj: subjects.ready(0, accountId, jobId) });
  return found?.seq;
}

async function loseMessage(accountId: string, jobId: string): Promise<void> {
  await expect.poll(() => readyMessage(accountId, jobId)).toBeDefined();
  const manager = await jetstreamManager(log.connection);
  await manager.streams.deleteMessage(streams.ready, (await readyMessage(accountId, jobId))!);
}

test("waiting, ready and running jobs within their deadline are left alone", async () => {
  const accountId = await openTestAccount(log, { concurrentJobs: 2 });
  const [running, ready] = await acceptTestJobs(log, accountId, 4);
  await claim(accountId, running!, Date.now());
  await expect.poll(() => readyMessage(accountId, ready!)).toBeDefined();
  const sweep = createRepair({ log, logger, retentionMs: testRetentionMs });
  expect([await sweep(unstopped), await sweep(unstopped), await sweep(unstopped)]).toEqual([0, 0, 0]);
});

test("a running job fails a minute after its deadline, with deadline_exceeded and an event", async () => {
  const accountId = await openTestAccount(log);
  const [jobId] = await acceptTestJobs(log, accountId, 1);
  await claim(accountId, jobId!, Date.now() - jobDeadlineMs - repairGraceMs - 1);
  expect(await createRepair({ log, logger, retentionMs: testRetentionMs })(unstopped)).toBe(1);
  const { value } = await log.read<Job>(subjects.job(accountId, jobId!));
  expect(value).toMatchObject({ status: "failed", error: { code: "deadline_exceeded" } });
  const event = await log.read(subjects.event(accountId, jobId!, "failed"));
  expect(event.value).toMatchObject({ kind: "failed", jobId, credits: 2 });
});

test.each(["queued", "processing"] as const)("a %s job whose message is lost gets a new one", async (status) => {
  const accountId = await openTestAccount(log);
  const [jobId] = await acceptTestJobs(log, accountId, 1);
  await loseMessage(accountId, jobId!);
  if (status === "processing") await claim(accountId, jobId!, Date.now());
  const sweep = createRepair({ log, logger, retentionMs: testRetentionMs });
  expect(await sweep(unstopped)).toBe(0); // seen once: the message may just be being sourced
  expect(await sweep(unstopped)).toBe(1);
  const { value } = await log.read<Job>(subjects.job(accountId, jobId!));
  expect(value).toMatchObject({ status: "queued", attempts: status === "processing" ? 1 : 0 });
  await expect.poll(() => readyMessage(accountId, jobId!)).toBeDefined();
  expect(await sweep(unstopped)).toBe(0);
});

test("a sandbox job that is to stay queued gets no new message", async () => {
  const accountId = await openTestAccount(log);
  const [jobId] = await acceptTestJobs(log, accountId, 1);
  const subject = subjects.job(accountId, jobId!);
  const { value, sequence } = await log.read<Job>(subject);
  const staying = { ...value!, live: false, metadata: { test: "queued" } };
  await log.commit("test", [{ subject, value: staying, expected: sequence }]);
  await loseMessage(accountId, jobId!);
  const sweep = createRepair({ log, logger, retentionMs: testRetentionMs });
  expect([await sweep(unstopped), await sweep(unstopped)]).toEqual([0, 0]);
});

test("the sweep dates the failure by its own clock", async () => {
  const accountId = await openTestAccount(log);
  const [jobId] = await acceptTestJobs(log, accountId, 1);
  await claim(accountId, jobId!, Date.now());
  const nowMs = Date.now() + jobDeadlineMs + repairGraceMs + 1_000;
  await createRepair({ log, logger, retentionMs: testRetentionMs, nowMs: () => nowMs })(unstopped);
  const { value } = await log.read<Job>(subjects.job(accountId, jobId!));
  expect(value).toMatchObject({ finishedAt: isoTime(nowMs), expiresAt: isoTime(nowMs + testRetentionMs) });
});
