import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { PackshotError } from "@packshot/domain/errors.ts";
import { cancelJob, type Job, type JobResult, type ProcessingJob, type QueuedJob } from "@packshot/domain/job.ts";
import { jetstream } from "@nats-io/jetstream";
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { briefPause } from "../../../testing/worker/brief-pause.ts";
import { queuedJob } from "../../../testing/log/job-records.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { type Claims, createClaims } from "./claims.ts";
import { createReadyConsumer, type ReadyConsumerDeps } from "./ready-consumer.ts";
import { createReadyQueue, type ReadyQueue } from "./ready-queue.ts";
import type { JobRunner } from "./job-runner.ts";
import { createWorkerMetrics } from "./worker-metrics.ts";

const log = suiteFixture(startLog);
let storage: Storage;
let dir: string;
const logger = createLogger({ name: "test", level: "silent" });
const started: Component[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "packshot-worker-"));
  storage = createDiskStorage({ dir });
});

afterEach(async () => {
  for (const component of started.splice(0)) await component.stop();
});

afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

async function queueJob(change: Partial<QueuedJob> = {}): Promise<QueuedJob> {
  const job = queuedJob(change);
  const ready = { v: 1, accountId: job.accountId, jobId: job.id, lane: job.lane };
  await log.commit("accept", [
    { subject: subjects.job(job.accountId, job.id), value: job, expected: 0 },
    { subject: subjects.ready(job.lane, job.accountId, job.id), value: ready, ttlSeconds: 60 },
  ]);
  return job;
}

async function resultOf(job: ProcessingJob): Promise<JobResult> {
  const key = `${storageKeys.attempt(job.accountId, job.id, job.attemptId)}result.png`;
  await storage.write(key, Buffer.from("png"), { bytesMax: 10 });
  const file = { key, contentType: "image/png", bytes: 3 };
  return { result: file, thumbnail: file, model: "m@1", report: {}, timings: {} };
}

async function startWorker(
  run: JobRunner["run"],
  given: Partial<Pick<ReadyConsumerDeps, "slots" | "claims" | "queue" | "metrics">> = {},
): Promise<Component> {
  const consumer = createReadyConsumer({
    connection: log.connection,
    queue: createReadyQueue(log.connection),
    claims: createClaims({ log, retentionMs: 3_600_000 }),
    runner: { run },
    storage,
    slots: 1,
    drainTimeoutMs: 0,
    waitForModelServer: async () => {},
    pause: briefPause(),
    metrics: createWorkerMetrics(createMetrics("test")),
    logger,
    ...given,
  });
  started.push(consumer);
  await consumer.start();
  return consumer;
}

/** Follows the record's changes until one matches. */
async function jobWhen(job: QueuedJob, matches: (job: Job) => boolean): Promise<Job> {
  const subject = subjects.job(job.accountId, job.id);
  const consumer = await jetstream(log.connection).consumers.get(streams.state, { filter_subjects: [subject] });
  const changes = await consumer.consume();
  try {
    for await (const change of changes) {
      const value = change.json<Job>();
      if (matches(value)) return value;
    }
    throw new Error("the log ended");
  } finally {
    changes.stop();
  }
}

async function filesOf(job: QueuedJob): Promise<string[]> {
  return await Array.fromAsync(storage.list(storageKeys.job(job.accountId, job.id)), ({ key }) => key);
}

it("completes a queued job and writes its event, once", async () => {
  const job = await queueJob();
  await startWorker(resultOf);
  const done = await jobWhen(job, ({ status }) => status === "completed");
  expect(done).toMatchObject({ attempts: 1, parameters: { model: "m@1" } });
  const event = await log.read(subjects.event(job.accountId, job.id, "completed"));
  expect(event.value).toMatchObject({ kind: "completed", jobId: job.id, credits: 1, expiresAt: expect.any(String) });
});

it("fails a job with the error's code and leaves no file of the attempt", async () => {
  const job = await queueJob();
  await startWorker(async (claimed) => {
    await resultOf(claimed);
    throw new PackshotError("no_product_found", "Nothing stands out.");
  });
  expect(await jobWhen(job, ({ status }) => status === "failed")).toMatchObject({
    error: { code: "no_product_found", message: "Nothing stands out.", retryable: false },
  });
  expect(await filesOf(job)).toEqual([]);
});

it("reveals no internals when an edit fails unexpectedly", async () => {
  const job = await queueJob();
  await startWorker(async () => {
    throw new TypeError("secret path /var/lib");
  });
  const failed = await jobWhen(job, ({ status }) => status === "failed");
  expect(JSON.stringify(failed)).not.toContain("secret path");
  expect(failed).toMatchObject({ error: { code: "internal_error", retryable: true } });
});

it("aborts a running job that was cancelled, deletes its files and runs the next job", async () => {
  const job = await queueJob();
  let running: (() => void) | undefined;
  const isRunning = new Promise<void>((resolve) => (running = resolve));
  await startWorker(async (claimed, signal) => {
    const result = await resultOf(claimed);
    if (claimed.id !== job.id) return result;
    running!();
    await setTimeout(60_000, undefined, { signal });
    return result;
  });
  await isRunning;
  const subject = subjects.job(job.accountId, job.id);
  const { value, sequence } = await log.read<Job>(subject);
  const cancelled = cancelJob(value!, { nowMs: Date.now(), retentionMs: 3_600_000 });
  await log.commit("cancel", [{ subject, value: cancelled, expected: sequence }]);
  log.connection.publish(subjects.abort(job.id));
  const next = await queueJob();
  await jobWhen(next, ({ status }) => status === "completed");
  expect((await log.read<Job>(subject)).value).toEqual(cancelled);
  expect(await filesOf(job)).toEqual([]);
});

it("keeps an earlier cancellation although the edit finished", async () => {
  const job = await queueJob();
  const subject = subjects.job(job.accountId, job.id);
  await startWorker(async (claimed) => {
    if (claimed.id === job.id) {
      const { value, sequence } = await log.read<Job>(subject);
      const cancelled = cancelJob(value!, { nowMs: Date.now(), retentionMs: 3_600_000 });
      await log.commit("cancel", [{ subject, value: cancelled, expected: sequence }]);
    }
    return await resultOf(claimed);
  });
  await jobWhen(await queueJob(), ({ status }) => status === "completed");
  expect((await log.read<Job>(subject)).value).toMatchObject({ status: "cancelled" });
  expect(await filesOf(job)).toEqual([]);
});

it("keeps the files of a job whose end was recorded although the log did not confirm it", async () => {
  const job = await queueJob();
  const claims = createClaims({ log, retentionMs: 3_600_000 });
  const complete: Claims["complete"] = async (claim, result) => {
    await claims.complete(claim, result);
    throw new PackshotError("unavailable", "The log is out of reach.");
  };
  const worker = await startWorker(resultOf, { claims: { ...claims, complete } });
  await jobWhen(job, ({ status }) => status === "completed");
  await worker.stop();
  expect(await filesOf(job)).toHaveLength(1);
});

it("keeps the files of a completed job whose message could not be acked", async () => {
  const job = await queueJob();
  const queue = createReadyQueue(log.connection);
  const refused = Promise.withResolvers<void>();
  const ack = async () => {
    refused.resolve();
    throw new Error("timeout");
  };
  const take: ReadyQueue["take"] = async (max, signal) =>
    (await queue.take(max, signal)).map((message) => ({ ...message, ack }));
  const worker = await startWorker(resultOf, { queue: { ...queue, take } });
  await refused.promise;
  await worker.stop();
  expect((await log.read<Job>(subjects.job(job.accountId, job.id))).value).toMatchObject({ status: "completed" });
  expect(await filesOf(job)).toHaveLength(1);
});

it("does not fail a job because the log is out of reach when its edit is done, and frees its slot", async () => {
  const job = await queueJob();
  const tried = Promise.withResolvers<void>();
  const complete: Claims["complete"] = async () => {
    tried.resolve();
    throw new PackshotError("unavailable", "The log is out of reach.");
  };
  const metrics = createMetrics("test");
  const worker = await startWorker(resultOf, {
    claims: { ...createClaims({ log, retentionMs: 3_600_000 }), complete },
    metrics: createWorkerMetrics(metrics),
  });
  await tried.promise;
  await worker.stop();
  // Its message comes back after the ack wait, and the edit is done again.
  expect((await log.read<Job>(subjects.job(job.accountId, job.id))).value).toMatchObject({ status: "processing" });
  const inFlight = await metrics.registry.getSingleMetric("packshot_worker_jobs_in_flight")!.get();
  expect(inFlight.values.map(({ value }) => value)).toEqual([0]);
});

it("requeues a job that the model server refuses, and runs it again without counting the attempt", async () => {
  const job = await queueJob();
  let tries = 0;
  await startWorker(async (claimed) => {
    tries += 1;
    if (tries === 1) throw new PackshotError("model_unavailable", "full", { details: { refused: true } });
    return await resultOf(claimed);
  });
  expect(await jobWhen(job, ({ status }) => status === "completed")).toMatchObject({ attempts: 1 });
  expect(tries).toBe(2);
});

it("requeues running jobs when it stops, and another worker completes them", async () => {
  const job = await queueJob();
  let running: (() => void) | undefined;
  const isRunning = new Promise<void>((resolve) => (running = resolve));
  const first = await startWorker(async (claimed, signal) => {
    running!();
    await setTimeout(60_000, undefined, { signal });
    return await resultOf(claimed);
  });
  await isRunning;
  await first.stop();
  expect((await log.read<Job>(subjects.job(job.accountId, job.id))).value).toMatchObject({
    status: "queued",
    attempts: 0,
  });
  await startWorker(resultOf);
  await jobWhen(job, ({ status }) => status === "completed");
});

it("fails a job whose worker was lost four times instead of trying a fifth time", async () => {
  const job = await queueJob({ attempts: 4 });
  await startWorker(async () => {
    throw new Error("must not run");
  });
  expect(await jobWhen(job, ({ status }) => status === "failed")).toMatchObject({ error: { code: "internal_error" } });
});

it("acks the message of a job that was deleted or has ended without running it", async () => {
  const job = await queueJob();
  const gone = await queueJob();
  const subject = subjects.job(job.accountId, job.id);
  const { value } = await log.read<Job>(subject);
  await log.commit("cancel", [{ subject, value: cancelJob(value!, { nowMs: Date.now(), retentionMs: 1 }) }]);
  await log.commit("delete", [{ subject: subjects.job(gone.accountId, gone.id), value: null, ttlSeconds: 10 }]);
  const ran: string[] = [];
  const next = await queueJob();
  await startWorker(async (claimed) => {
    ran.push(claimed.id);
    return await resultOf(claimed);
  });
  await jobWhen(next, ({ status }) => status === "completed");
  expect(ran).toEqual([next.id]);
});

it("runs the next job while the one before only waits, and then completes the waiting one", async () => {
  const waiting = await queueJob();
  const nextIsDone = Promise.withResolvers<void>();
  await startWorker(async (claimed, _signal, _onStage, releaseWhile) => {
    if (claimed.id === waiting.id) await releaseWhile!(() => nextIsDone.promise);
    return await resultOf(claimed);
  });
  await jobWhen(waiting, ({ status }) => status === "processing");
  await jobWhen(await queueJob(), ({ status }) => status === "completed");
  expect((await log.read<Job>(subjects.job(waiting.accountId, waiting.id))).value?.status).toBe("processing");
  nextIsDone.resolve();
  await jobWhen(waiting, ({ status }) => status === "completed");
});

it("runs as many jobs at once as it has slots, from every lane", async () => {
  const jobs = await Promise.all(([0, 1, 2, 3, 3, 2] as const).map((lane) => queueJob({ lane })));
  let now = 0;
  let most = 0;
  const twoAtOnce = Promise.withResolvers<void>();
  await startWorker(
    async (claimed) => {
      now += 1;
      most = Math.max(most, now);
      if (now === 2) twoAtOnce.resolve();
      await twoAtOnce.promise;
      now -= 1;
      return await resultOf(claimed);
    },
    { slots: 2 },
  );
  await Promise.all(jobs.map((job) => jobWhen(job, ({ status }) => status === "completed")));
  expect(most).toBe(2);
});
