/**
 * Sandbox jobs, made with a test key, and live jobs of one account and of others on one log: whatever the sandbox jobs
 * do, live jobs run as if they were not there, and no job of either kind is unfinished forever.
 */

import { windowKinds } from "@packshot/domain/accounts/window.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import type { Job, JobResult } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { JobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKeeper } from "../../services/api/features/jobs/keeper.ts";
import { createRepair } from "../../services/api/features/jobs/repair.ts";
import { createClaims } from "../../services/inference/consumer/claims.ts";
import type { JobRunner } from "../../services/inference/consumer/job-runner.ts";
import { createReadyConsumer } from "../../services/inference/consumer/ready-consumer.ts";
import { createReadyQueue } from "../../services/inference/consumer/ready-queue.ts";
import { withSandboxJobs } from "../../services/inference/consumer/sandbox-runner.ts";
import { createWorkerMetrics } from "../../services/inference/consumer/worker-metrics.ts";
import { startJobView } from "../../testing/api/start-job-view.ts";
import { acceptTestJobs, openTestAccount, readAccount } from "../../testing/log/accepted-jobs.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { briefPause } from "../../testing/worker/brief-pause.ts";

const hourMs = 3_600_000;
const logger = createLogger({ name: "sandbox-jobs", level: "error" });
const metrics = createWorkerMetrics(createMetrics("sandbox-jobs"));
const log = suiteFixture(startLog);
const parts: Component[] = [];

const file = { key: "none", contentType: "image/png", bytes: 1 };
const result: JobResult = { result: file, thumbnail: file, model: null, report: {}, timings: {}, inferenceMs: 0 };
const atOnce: JobRunner = { run: async () => result };
const staysQueued = { live: false, metadata: { test: "queued" } };

/** While it is closed no sandbox job ends. */
let gate = Promise.resolve();
let onSandboxStart = () => {};
const sandbox: JobRunner = {
  async run() {
    onSandboxStart();
    await gate;
    return result;
  },
};

/** As the worker process composes them: a slot for live jobs, and one for sandbox jobs. */
async function startWorkers(): Promise<void> {
  for (const window of windowKinds) {
    const worker = createReadyConsumer({
      connection: log.connection,
      queue: createReadyQueue(log.connection, window),
      claims: createClaims({ log, retentionMs: 60_000 }),
      runner: withSandboxJobs({ live: atOnce, sandbox }),
      storage: { deletePrefix: async () => {} } as unknown as Storage,
      slots: 1,
      drainTimeoutMs: 0,
      waitForModelServer: async () => {},
      pause: briefPause(),
      metrics,
      logger,
    });
    parts.push(worker);
    await worker.start();
  }
}

beforeAll(async () => {
  const keeper = createKeeper({ log, logger });
  parts.push(keeper);
  await keeper.start();
  await startWorkers();
});

afterAll(async () => {
  for (const part of parts.reverse()) await part.stop();
});

async function statusOf(accountId: string, jobId: string): Promise<string | undefined> {
  return (await log.read<Job>(subjects.job(accountId, jobId))).value?.status;
}

test("sandbox jobs that stay queued fill a window of their own: a live edit of the account completes", async () => {
  const accountId = await openTestAccount(log, { concurrentJobs: 2 });
  await acceptTestJobs(log, accountId, 5, staysQueued);
  const [live] = await acceptTestJobs(log, accountId, 1);
  await expect.poll(() => statusOf(accountId, live!)).toBe("completed");
  await expect
    .poll(() => readAccount(log, accountId))
    .toMatchObject({ running: 0, waiting: 0, sandboxJobs: { running: 2, waiting: 3 } });
});

test("while sandbox jobs hold their slot and hundreds are ready, live jobs start at once", async () => {
  const { promise: closed, resolve: open } = Promise.withResolvers<void>();
  gate = closed;
  const isHeld = new Promise<void>((resolve) => (onSandboxStart = resolve));
  const testing = await openTestAccount(log, { concurrentJobs: 300 });
  const sandboxJobs = await acceptTestJobs(log, testing, 300, { live: false });
  await isHeld;
  const accountId = await openTestAccount(log, { concurrentJobs: 4 });
  for (const jobId of await acceptTestJobs(log, accountId, 20)) {
    await expect.poll(() => statusOf(accountId, jobId)).toBe("completed");
  }
  expect(await statusOf(testing, sandboxJobs.at(-1)!)).toBe("queued");
  open();
  await expect.poll(() => readAccount(log, testing)).toMatchObject({ sandboxJobs: { running: 0, waiting: 0 } });
});

async function sweepOnce(accountId: string): Promise<void> {
  const jobs = await startJobView(log);
  await jobs.catchUp(accountId);
  await createRepair({ log, logger, jobs, retentionMs: 60_000 }, log.stateStreams[0]!)(new AbortController().signal);
  await jobs.stop();
}

test("a sandbox job that stays queued fails with deadline_exceeded an hour after it was made", async () => {
  const accountId = await openTestAccount(log, { concurrentJobs: 1 });
  const createdAt = isoTime(Date.now() - hourMs - 1);
  const jobs = await acceptTestJobs(log, accountId, 2, { ...staysQueued, createdAt });
  await sweepOnce(accountId);
  for (const jobId of jobs) {
    const { value: event } = await log.read<JobEndedEvent>(subjects.event(accountId, jobId, "failed"));
    expect(event?.error).toMatchObject({ code: "deadline_exceeded", retryable: true });
  }
});

test("a live job that no worker takes for a day fails with deadline_exceeded and costs nothing", async () => {
  const accountId = await openTestAccount(log, { concurrentJobs: 0 }, 10);
  const createdAt = isoTime(Date.now() - 24 * hourMs - 1);
  const [jobId] = await acceptTestJobs(log, accountId, 1, { createdAt });
  await sweepOnce(accountId);
  const { value: event } = await log.read<JobEndedEvent>(subjects.event(accountId, jobId!, "failed"));
  expect(event?.error).toMatchObject({ code: "deadline_exceeded" });
  await expect
    .poll(() => readAccount(log, accountId))
    .toMatchObject({ running: 0, waiting: 0, credits: { remaining: 10 } });
});
