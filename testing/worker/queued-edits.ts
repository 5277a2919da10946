/** A log with queued jobs, a storage, and workers that take these jobs; the edit is what the test says. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstream } from "@nats-io/jetstream";
import { cancelJob, type Job, type JobResult, type ProcessingJob, type QueuedJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { createClaims } from "../../services/inference/consumer/claims.ts";
import type { JobRunner } from "../../services/inference/consumer/job-runner.ts";
import { createReadyConsumer, type ReadyConsumerDeps } from "../../services/inference/consumer/ready-consumer.ts";
import { createReadyQueue } from "../../services/inference/consumer/ready-queue.ts";
import { createWorkerMetrics } from "../../services/inference/consumer/worker-metrics.ts";
import { queuedJob } from "../log/job-records.ts";
import { startLog, type TestLog } from "../log/test-log.ts";
import { briefPause } from "./brief-pause.ts";

export interface QueuedEdits {
  readonly log: TestLog;
  /** A job as accepting writes it, with its ready message. */
  queueJob(change?: Partial<QueuedJob>): Promise<QueuedJob>;
  startWorker(
    run: JobRunner["run"],
    given?: Partial<Pick<ReadyConsumerDeps, "slots" | "claims" | "queue" | "metrics">>,
  ): Promise<Component>;
  /** The record, as a client's cancellation writes it. */
  cancel(job: QueuedJob): Promise<Job>;
  readJob(job: QueuedJob): Promise<Job | undefined>;
  /** Follows the record's changes until one matches. */
  jobWhen(job: QueuedJob, matches: (job: Job) => boolean): Promise<Job>;
  /** Writes the result's file, as an edit does. */
  resultOf(job: ProcessingJob): Promise<JobResult>;
  filesOf(job: QueuedJob): Promise<string[]>;
  stopWorkers(): Promise<void>;
  stop(): Promise<void>;
}

export async function startQueuedEdits(): Promise<QueuedEdits> {
  const log = await startLog();
  const dir = await mkdtemp(join(tmpdir(), "packshot-worker-"));
  const storage = createDiskStorage({ dir });
  const started: Component[] = [];
  const stopWorkers = async () => {
    for (const component of started.splice(0)) await component.stop();
  };
  const subjectOf = ({ accountId, id }: QueuedJob) => subjects.job(accountId, id);

  return {
    log,

    async queueJob(change = {}) {
      const job = queuedJob(change);
      const ready = { v: 1, accountId: job.accountId, jobId: job.id, lane: job.lane };
      await log.commit("accept", [
        { subject: subjectOf(job), value: job, expected: 0 },
        { subject: subjects.ready(job.lane, job.accountId, job.id), value: ready, ttlSeconds: 60 },
      ]);
      return job;
    },

    async startWorker(run, given = {}) {
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
        logger: createLogger({ name: "test", level: "silent" }),
        ...given,
      });
      started.push(consumer);
      await consumer.start();
      return consumer;
    },

    async cancel(job) {
      const { value, sequence } = await log.read<Job>(subjectOf(job));
      const cancelled = cancelJob(value!, { nowMs: Date.now(), retentionMs: 3_600_000 });
      await log.commit("cancel", [{ subject: subjectOf(job), value: cancelled, expected: sequence }]);
      return cancelled;
    },

    readJob: async (job) => (await log.read<Job>(subjectOf(job))).value,

    async jobWhen(job, matches) {
      const filters = { filter_subjects: [subjectOf(job)] };
      const consumer = await jetstream(log.connection).consumers.get(streams.state, filters);
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
    },

    async resultOf(job) {
      const key = `${storageKeys.attempt(job.accountId, job.id, job.attemptId)}result.png`;
      await storage.write(key, Buffer.from("png"), { bytesMax: 10 });
      const file = { key, contentType: "image/png", bytes: 3 };
      return { result: file, thumbnail: file, model: "m@1", report: {}, timings: {}, inferenceMs: 0 };
    },

    filesOf: ({ accountId, id }) => Array.fromAsync(storage.list(storageKeys.job(accountId, id)), ({ key }) => key),
    stopWorkers,

    async stop() {
      await stopWorkers();
      await log.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
