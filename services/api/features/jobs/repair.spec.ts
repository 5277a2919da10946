import { jetstreamManager } from "@nats-io/jetstream";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { claimJob, defaultQueueDeadlines, type Job, jobDeadlineMs, repairGraceMs } from "@packshot/domain/jobs/job.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { listStateStreams } from "@packshot/log/nats/state-streams.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { describe, expect, test } from "vitest";
import { startJobView } from "../../../../testing/api/start-job-view.ts";
import { acceptTestJobs, endTestJob, openTestAccount, testRetentionMs } from "../../../../testing/log/accepted-jobs.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createRepair, type RepairDeps } from "./repair.ts";

const logger = createLogger({ name: "repair.spec", level: "error" });
const unstopped = new AbortController().signal;
const log = suiteFixture(startLog);
const view = suiteFixture(() => startJobView(log));
const stream = listStateStreams(1)[0]!;

/** A process's sweep, which knows of whatever was committed before. */
function createSweep(change: Partial<RepairDeps> = {}) {
  const sweep = createRepair({ log, logger, jobs: view, retentionMs: testRetentionMs, ...change }, stream);
  return async () => {
    await view.catchUp(uuidv7());
    return await sweep(unstopped);
  };
}

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
  const sweep = createSweep();
  expect([await sweep(), await sweep(), await sweep()]).toEqual([0, 0, 0]);
});

test("a running job fails a minute after its deadline, with deadline_exceeded and an event", async () => {
  const accountId = await openTestAccount(log);
  const [jobId] = await acceptTestJobs(log, accountId, 1);
  await claim(accountId, jobId!, Date.now() - jobDeadlineMs - repairGraceMs - 1);
  expect(await createSweep()()).toBe(1);
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
  const sweep = createSweep();
  expect(await sweep()).toBe(0); // seen once: the message may just be being sourced
  expect(await sweep()).toBe(1);
  const { value } = await log.read<Job>(subjects.job(accountId, jobId!));
  expect(value).toMatchObject({ status: "queued", attempts: status === "processing" ? 1 : 0 });
  await expect.poll(() => readyMessage(accountId, jobId!)).toBeDefined();
  expect(await sweep()).toBe(0);
});

test("a sandbox job that is to stay queued gets no new message", async () => {
  const accountId = await openTestAccount(log);
  const [jobId] = await acceptTestJobs(log, accountId, 1);
  const subject = subjects.job(accountId, jobId!);
  const { value, sequence } = await log.read<Job>(subject);
  const staying = { ...value!, live: false, metadata: { test: "queued" } };
  await log.commit("test", [{ subject, value: staying, expected: sequence }]);
  await loseMessage(accountId, jobId!);
  const sweep = createSweep();
  expect([await sweep(), await sweep()]).toEqual([0, 0]);
});

describe("a job that is queued past its queue deadline", () => {
  const sweep = createSweep();
  const kinds = [
    { kind: "live", live: true, deadlineMs: defaultQueueDeadlines.liveMs },
    { kind: "sandbox", live: false, deadlineMs: defaultQueueDeadlines.sandboxMs },
  ] as const;

  async function expectFailed(accountId: string, jobId: string): Promise<void> {
    const { value } = await log.read<Job>(subjects.job(accountId, jobId));
    expect(value).toMatchObject({ status: "failed", error: { code: "deadline_exceeded", retryable: true } });
    expect((await log.read(subjects.event(accountId, jobId, "failed"))).value).toBeDefined();
  }

  test.each(kinds)("$kind: fails in the ready queue, waiting, and when its wait record is lost", async (which) => {
    const accountId = await openTestAccount(log, { concurrentJobs: 1 });
    const made = (agoMs: number) => ({ live: which.live, createdAt: isoTime(Date.now() - agoMs) });
    const late = await acceptTestJobs(log, accountId, 3, made(which.deadlineMs + 1));
    const inTime = await acceptTestJobs(log, accountId, 2, made(which.deadlineMs - 60_000));
    const lost = subjects.wait[which.kind](accountId, late[2]!);
    await log.commit("lose", [{ subject: lost, value: null, ttlSeconds: 1 }]);
    expect(await sweep()).toBe(3);
    for (const jobId of late) await expectFailed(accountId, jobId);
    for (const jobId of inTime) {
      expect((await log.read<Job>(subjects.job(accountId, jobId))).value?.status).toBe("queued");
    }
  });

  test("a sandbox job that stays queued keeps its word until its deadline", async () => {
    const accountId = await openTestAccount(log);
    const change = { live: false, metadata: { test: "queued" } };
    const createdAt = isoTime(Date.now() - defaultQueueDeadlines.sandboxMs - 1);
    const [young] = await acceptTestJobs(log, accountId, 1, change);
    const [old] = await acceptTestJobs(log, accountId, 1, { ...change, createdAt });
    expect(await sweep()).toBe(1);
    await expectFailed(accountId, old!);
    expect((await log.read<Job>(subjects.job(accountId, young!))).value?.status).toBe("queued");
  });
});

/** A sweep, and the subjects of `jobIds` that its last call read. */
function watchedSweep(jobIds: readonly string[], checksPerSweepMax: number) {
  let reads: string[] = [];
  const read: typeof log.read = (subject) => {
    reads.push(subject);
    return log.read(subject);
  };
  const sweep = createSweep({ log: { ...log, read }, checksPerSweepMax });
  return async () => {
    reads = [];
    await sweep();
    return reads.filter((subject) => jobIds.some((jobId) => subject.includes(jobId)));
  };
}

test("a job that still may wait costs a sweep one read", async () => {
  const accountId = await openTestAccount(log, { concurrentJobs: 1 });
  const waiting = (await acceptTestJobs(log, accountId, 50)).slice(1);
  const sweep = watchedSweep(waiting, 1_000);
  expect((await sweep()).toSorted()).toEqual(waiting.map((id) => subjects.wait.live(accountId, id)).toSorted());
});

test("a sweep looks at a bounded number of jobs, and the next ones at the others", async () => {
  const accountId = await openTestAccount(log, { concurrentJobs: 1 });
  const waiting = (await acceptTestJobs(log, accountId, 50)).slice(1);
  const sweep = watchedSweep(waiting, 20);
  const seen = new Set<string>();
  for (let sweeps = 0; sweeps < 50 && seen.size < waiting.length; sweeps++) {
    const reads = await sweep();
    expect(reads.length).toBeLessThanOrEqual(20);
    for (const subject of reads) seen.add(subject);
  }
  expect(seen.size).toBe(waiting.length);
});

test("the sweep dates the failure by its own clock", async () => {
  const accountId = await openTestAccount(log);
  const [jobId] = await acceptTestJobs(log, accountId, 1);
  await claim(accountId, jobId!, Date.now());
  const nowMs = Date.now() + jobDeadlineMs + repairGraceMs + 1_000;
  await createSweep({ nowMs: () => nowMs })();
  const { value } = await log.read<Job>(subjects.job(accountId, jobId!));
  expect(value).toMatchObject({ finishedAt: isoTime(nowMs), expiresAt: isoTime(nowMs + testRetentionMs) });
});

test("a sweep reads the unfinished jobs by their names and makes no consumer, which would count all jobs first", async () => {
  const made: string[] = [];
  const onRequest = { callback: (_error: unknown, { subject }: { subject: string }) => void made.push(subject) };
  log.connection.subscribe(`$JS.API.CONSUMER.CREATE.${streams.state}`, onRequest);
  const accountId = await openTestAccount(log);
  const jobIds = await acceptTestJobs(log, accountId, 2);
  const [first, second] = jobIds as [string, string];
  const sweep = watchedSweep(jobIds, 1_000);
  await endTestJob(log, accountId, second, "completed");
  expect((await sweep()).filter((subject) => subject.includes(second))).toEqual([]);
  await loseMessage(accountId, first);
  await sweep();
  expect(await sweep()).toContain(subjects.job(accountId, first));
  await log.connection.flush();
  expect(made).toEqual([]);
});
