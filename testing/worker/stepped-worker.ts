/** A worker in the test's process whose edits end one by one, when the test says so. It knows the order in which they began. */
import { once, EventEmitter } from "node:events";
import type { JobResult, ProcessingJob } from "@packshot/domain/job.ts";
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { createClaims } from "../../services/inference/consumer/claims.ts";
import { createReadyConsumer } from "../../services/inference/consumer/ready-consumer.ts";
import { createReadyQueue } from "../../services/inference/consumer/ready-queue.ts";
import { createWorkerMetrics } from "../../services/inference/consumer/worker-metrics.ts";
import { briefPause } from "./brief-pause.ts";

export interface SteppedWorker {
  /** Jobs in the order in which their edits began. */
  readonly begun: readonly ProcessingJob[];
  /** Resolves when so many edits have begun since the start. */
  hasBegun(count: number): Promise<void>;
  /** Ends the edit that has run longest. */
  step(): void;
  stop(): Promise<void>;
}

export async function startSteppedWorker(options: {
  readonly log: Log;
  readonly storageDir: string;
  readonly slots: number;
}): Promise<SteppedWorker> {
  const { log, slots } = options;
  const storage = createDiskStorage({ dir: options.storageDir });
  const begun: ProcessingJob[] = [];
  const running: (() => void)[] = [];
  const changes = new EventEmitter();

  async function run(job: ProcessingJob): Promise<JobResult> {
    const ended = new Promise<void>((resolve) => running.push(resolve));
    begun.push(job);
    changes.emit("begun");
    await ended;
    const key = `${storageKeys.attempt(job.accountId, job.id, job.attemptId)}result.png`;
    await storage.write(key, Buffer.from("png"), { bytesMax: 10 });
    const file = { key, contentType: "image/png", bytes: 3 };
    return { result: file, thumbnail: file, model: null, report: {}, timings: {} };
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
    metrics: createWorkerMetrics(createMetrics("stepped-worker")),
    logger: createLogger({ name: "stepped-worker", level: "silent" }),
  });
  await consumer.start();
  return {
    begun,
    async hasBegun(count) {
      while (begun.length < count) await once(changes, "begun");
    },
    step() {
      running.shift()!();
    },
    async stop() {
      for (const end of running.splice(0)) end();
      await consumer.stop();
    },
  };
}
