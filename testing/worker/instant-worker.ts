/** A worker in this process whose edits take as long as the caller says, and whose results are three bytes. */
import type { JobResult, ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { createClaims } from "../../services/inference/consumer/claims.ts";
import { createReadyConsumer } from "../../services/inference/consumer/ready-consumer.ts";
import { createReadyQueue } from "../../services/inference/consumer/ready-queue.ts";
import { createWorkerMetrics } from "../../services/inference/consumer/worker-metrics.ts";
import { briefPause } from "./brief-pause.ts";

export interface InstantWorkerOptions {
  readonly log: Log;
  readonly storageDir: string;
  readonly slots: number;
  /** Resolves when the edit ends. */
  readonly edit: (job: ProcessingJob) => Promise<unknown>;
}

export async function startInstantWorker({
  log,
  storageDir,
  slots,
  edit,
}: InstantWorkerOptions): Promise<Pick<Component, "stop">> {
  const storage = createDiskStorage({ dir: storageDir });

  async function run(job: ProcessingJob): Promise<JobResult> {
    await edit(job);
    const key = `${storageKeys.attempt(job.accountId, job.id, job.attemptId)}result.png`;
    await storage.write(key, Buffer.from("png"), { bytesMax: 10 });
    const file = { key, contentType: "image/png", bytes: 3 };
    return { result: file, thumbnail: file, model: null, report: {}, timings: {}, inferenceMs: 0 };
  }

  const consumer = createReadyConsumer({
    connection: log.connection,
    queue: createReadyQueue(log.connection),
    claims: createClaims({ log, retentionMs: 3_600_000 }),
    runner: { run },
    storage,
    slots,
    drainTimeoutMs: 0,
    waitForModelServer: async () => {},
    pause: briefPause(),
    metrics: createWorkerMetrics(createMetrics("instant-worker")),
    logger: createLogger({ name: "instant-worker", level: "silent" }),
  });
  await consumer.start();
  return consumer;
}
