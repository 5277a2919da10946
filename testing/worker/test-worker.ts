/** A worker in the test's process: the product's queue, claims, pause, runner and consumer, with edits as the test says. */
import type { Log } from "@packshot/log/log.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics, type Metrics } from "@packshot/platform/telemetry/metrics.ts";
import { createClaims } from "../../services/inference/consumer/claims.ts";
import { createJobRunner, type JobRunnerDeps } from "../../services/inference/consumer/job-runner.ts";
import { createMemoryBudget } from "../../services/inference/consumer/memory-budget.ts";
import { createReadyConsumer } from "../../services/inference/consumer/ready-consumer.ts";
import { createReadyQueue } from "../../services/inference/consumer/ready-queue.ts";
import { createWorkerMetrics } from "../../services/inference/consumer/worker-metrics.ts";
import { createProbes, createWorkerPause } from "../../services/inference/consumer/worker-pause.ts";
import { sandboxModelClient, sandboxModelName } from "../../services/inference/model-client/model-client.ts";
import { noBuckets } from "./no-buckets.ts";

export interface TestWorker {
  readonly isPaused: boolean;
  metric(name: string, labels: Readonly<Record<string, string>>): Promise<number>;
  stop(): Promise<void>;
}

export interface TestWorkerDeps extends Pick<JobRunnerDeps, "runEdit"> {
  readonly log: Log;
  readonly storage: Storage;
  readonly slots: number;
  readonly metrics?: Metrics;
}

export async function startTestWorker(deps: TestWorkerDeps): Promise<TestWorker> {
  const { log, storage, slots, runEdit, metrics = createMetrics("test") } = deps;
  const logger = createLogger({ name: "test-worker", level: "silent" });
  const probes = createProbes({ storage, log, tryDecoder: async () => {} });
  const pause = createWorkerPause({ probes, metrics, logger, firstPauseMs: 50, pauseMsMax: 200 });
  const onLogFault = (error: unknown) => void pause.report({ part: "log", isCertain: true }, error);
  const runner = createJobRunner({
    storage,
    models: sandboxModelClient,
    runEdit,
    inspectImage: async () => ({ format: "jpeg", contentType: "image/jpeg", width: 1, height: 1, pages: 1 }),
    allowSources: parseAllowList([]),
    sourceTimeoutMs: 1_000,
    ...noBuckets,
    imageModelTimeoutMs: 60_000,
    maxPixels: 1_000_000,
    defaultModel: sandboxModelName,
    memory: createMemoryBudget({ bytesMax: 2 ** 30 }),
  });
  const consumer = createReadyConsumer({
    connection: log.connection,
    queue: createReadyQueue(log.connection),
    claims: createClaims({ log, retentionMs: 60_000, onLogFault }),
    runner,
    storage,
    slots,
    drainTimeoutMs: 0,
    waitForModelServer: async () => {},
    pause,
    metrics: createWorkerMetrics(metrics),
    logger,
  });
  await pause.start();
  await consumer.start();
  return {
    get isPaused() {
      return pause.isPaused;
    },
    async metric(name, labels) {
      const { values } = await metrics.registry.getSingleMetric(name)!.get();
      const wanted = Object.entries(labels);
      return values.find((value) => wanted.every(([label, text]) => value.labels[label] === text))?.value ?? 0;
    },
    async stop() {
      await consumer.stop();
      await pause.stop();
    },
  };
}
