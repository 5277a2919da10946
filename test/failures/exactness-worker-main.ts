/**
 * A worker with a fake runner: the product's queue, claims and consumer, and a runner that stores two small files and
 * ends as the job's metadata, or the ref of its row in a batch, says. `behave`: `complete`, `fail`, `mend` (fails until the
 * row's second try), `refuse` and `full` (requeued once, because of the model server or of a full disk, then completes).
 */
import { setTimeout } from "node:timers/promises";
import { windowKinds } from "@packshot/domain/accounts/window.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { FileRef, ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { createLog } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { readSchema } from "@packshot/log/nats/schema.ts";
import { readQueueDeadlines } from "@packshot/platform/config/process-times.ts";
import { loadSettings } from "@packshot/platform/config/settings.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { armFailpoint, failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import { run } from "@packshot/platform/lifecycle/run.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { createClaims } from "../../services/inference/consumer/claims.ts";
import type { JobRunner } from "../../services/inference/consumer/job-runner.ts";
import { createReadyConsumer } from "../../services/inference/consumer/ready-consumer.ts";
import { createReadyQueue, type ReadyQueue } from "../../services/inference/consumer/ready-queue.ts";
import { withSandboxJobs } from "../../services/inference/consumer/sandbox-runner.ts";
import { createWorkerMetrics } from "../../services/inference/consumer/worker-metrics.ts";
import { createProbes, createWorkerPause } from "../../services/inference/consumer/worker-pause.ts";

const settings = loadSettings();
if (settings.PACKSHOT_FAILPOINT !== undefined) armFailpoint(settings.PACKSHOT_FAILPOINT);
const logger = createLogger({ name: "exactness-worker", level: settings.PACKSHOT_LOG_LEVEL });
const connection = await connectNats({ url: settings.PACKSHOT_NATS_URL, name: "exactness-worker" });
const storage = createDiskStorage({ dir: settings.PACKSHOT_STORAGE_DIR });
const requeuedOnce = new Set<string>();

async function store(job: ProcessingJob, name: string): Promise<FileRef> {
  const key = `${storageKeys.attempt(job.accountId, job.id, job.attemptId)}${name}.png`;
  const { bytes } = await storage.write(key, Buffer.from(job.id), { bytesMax: 100 });
  return { key, contentType: "image/png", bytes };
}

const runner: JobRunner = {
  async run(job, signal, onStage) {
    onStage("infer");
    // A batch's job has no metadata: its row's ref begins with what it is to do.
    const { behave = job.batch?.ref.split("-")[0] ?? "complete", ms = "0" } = job.metadata;
    await setTimeout(Number(ms), undefined, { signal });
    const [result, thumbnail] = await Promise.all([store(job, "result"), store(job, "thumbnail")]);
    if (behave === "fail" || (behave === "mend" && job.batch?.try === 1))
      throw new PackshotError("no_product_found", "As asked.");
    if ((behave === "refuse" || behave === "full") && !requeuedOnce.has(job.id)) {
      requeuedOnce.add(job.id);
      if (behave === "full") throw Object.assign(new Error("as asked"), { code: "ENOSPC" });
      throw new PackshotError("model_unavailable", "As asked.", { details: { refused: true } });
    }
    return { result, thumbnail, model: null, report: {}, timings: {}, inferenceMs: 0 };
  },
};

/** Adds failpoints before the ack and before the nak of a give-back, where the consumer has none. */
function withFailpoints(queue: ReadyQueue): ReadyQueue {
  return {
    ...queue,
    async take(max, signal) {
      return (await queue.take(max, signal)).map((message) => ({
        ...message,
        async ack() {
          failpoint("claim:before-ack");
          await message.ack();
        },
        nak(delayMs) {
          failpoint("give-back:before-ack");
          message.nak(delayMs);
        },
      }));
    },
  };
}

const { record } = await readSchema(connection);
const log = createLog(connection, { stateStreamCount: record?.stateStreams ?? 1 });
const metrics = createMetrics("exactness-worker");
const pause = createWorkerPause({
  probes: createProbes({ storage, log, tryDecoder: async () => {} }),
  metrics,
  logger,
  firstPauseMs: 20,
  pauseMsMax: 200,
});
const natsConnection: Component = { name: "nats connection", start: async () => {}, stop: () => connection.drain() };

const claims = createClaims({
  log,
  retentionMs: settings.PACKSHOT_RETENTION_SECONDS * 1000,
  queueDeadlines: readQueueDeadlines(settings),
});
const workerMetrics = createWorkerMetrics(metrics);

await run({
  name: "exactness-worker",
  components: [
    natsConnection,
    pause,
    ...windowKinds.map((window) =>
      createReadyConsumer({
        connection,
        queue: withFailpoints(createReadyQueue(connection, window)),
        claims,
        runner: withSandboxJobs({ live: runner, sandbox: runner }),
        storage,
        slots: settings.PACKSHOT_WORKER_SLOTS,
        drainTimeoutMs: 8_000,
        waitForModelServer: async () => {},
        pause,
        metrics: workerMetrics,
        logger,
      }),
    ),
  ],
  logger,
  ready: () => ({}),
  stopTimeoutMs: 40_000,
  stopWhenStdinCloses: settings.PACKSHOT_PARENT_PIPE,
});
