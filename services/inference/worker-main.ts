/** The worker process: takes jobs from the ready queue, edits them with the model server and stores their files. */
import { once } from "node:events";
import { totalmem } from "node:os";
import { pipelineVersion } from "@packshot/domain/edits/pipeline.ts";
import { streams } from "@packshot/domain/subjects.ts";
import { readQueueDeadlines } from "@packshot/platform/config/process-times.ts";
import { createImageInspector } from "@packshot/platform/images/image-inspector.ts";
import { createKeyv } from "@packshot/platform/keyv/keyv.ts";
import { type Component, stopTogether } from "@packshot/platform/lifecycle/component.ts";
import { requestStop } from "@packshot/platform/lifecycle/run.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { openStorage } from "@packshot/platform/storage/open-storage.ts";
import { withStorageTimeout } from "@packshot/platform/storage/storage-fault.ts";
import { withStorageSpans } from "@packshot/platform/storage/storage-spans.ts";
import { createProcessList } from "@packshot/service/process-list.ts";
import { startProcess } from "@packshot/service/start-process.ts";
import { createAskForLink } from "./consumer/bucket-links.ts";
import { createClaims } from "./consumer/claims.ts";
import { createImageModelWatch } from "./consumer/image-model-watch.ts";
import { createJobRunner, type JobRunner } from "./consumer/job-runner.ts";
import { createKeptMattes } from "./consumer/kept-mattes.ts";
import { createLookAnswers } from "./consumer/look-answers.ts";
import { createLookAtPhoto, type LookAtPhoto } from "./consumer/look-at-photo.ts";
import { createMemoryBudget, editMemoryMax } from "./consumer/memory-budget.ts";
import { createReadyConsumer } from "./consumer/ready-consumer.ts";
import { createReadyQueue } from "./consumer/ready-queue.ts";
import { withSandboxJobs } from "./consumer/sandbox-runner.ts";
import { createSourcePrefetch } from "./consumer/source-prefetch.ts";
import { createWorkerMetrics } from "./consumer/worker-metrics.ts";
import { createProbes, createWorkerPause } from "./consumer/worker-pause.ts";
import { openCage } from "./decoder/open-cage.ts";
import { createEditPool } from "./edits/threads/edit-pool.ts";
import type { ModelClient } from "./model-client/model-client.ts";
import { sandboxModelClient, sandboxModelName } from "./model-client/model-client.ts";
import { createOpenInferenceClient } from "./model-client/open-inference-client.ts";
import { type Painter, sandboxPainter } from "./model-client/painter.ts";
import { readModelServerAccess } from "./protocol/model-server-access.ts";

/** Beside the slots of live jobs, so that neither kind waits for a slot of the other. */
const sandboxSlots = 1;
/** An entry takes about half a kilobyte; the oldest make room. */
const keptMattesMax = 20_000;
/** Such a job may wait for a minute because its client asked for that; another worker waits as well. */
const sandboxDrainTimeoutMs = 1_000;

const { settings, logger, metrics, readiness, log, stopTimes, run } = await startProcess({
  name: "worker",
  streams: [streams.ready],
  pipeline: pipelineVersion,
});
const { connection } = log;
const stageTimeoutMs = settings.PACKSHOT_STAGE_TIMEOUT_MS;
const opened = await openStorage({ settings, logger, registry: metrics.registry, forWorker: true });
const storage = withStorageSpans(withStorageTimeout(opened.storage, stageTimeoutMs));
const access = readModelServerAccess(settings);
const models = createOpenInferenceClient({
  address: settings.PACKSHOT_MODEL_SERVER,
  access,
  logger,
  metricsRegistry: metrics.registry,
});
const imageModelServer = settings.PACKSHOT_IMAGE_MODEL_SERVER;
const imageServers =
  imageModelServer === undefined ? models : createOpenInferenceClient({ address: imageModelServer, access, logger });
const painter =
  settings.PACKSHOT_IMAGE_MODEL === undefined ? undefined : imageServers.painter(settings.PACKSHOT_IMAGE_MODEL);
const imageModel = painter && createImageModelWatch({ painter, logger });
const processes = createProcessList({ log, nowMs: () => performance.now() });
const threads = settings.PACKSHOT_WORKER_SLOTS + sandboxSlots;
const edits = createEditPool({
  openCage: () => openCage({ settings, logger }),
  isStopping: readiness.isStopping,
  threads,
  stageTimeoutMs,
  metrics,
  logger,
  // The other jobs are requeued, and whoever runs this process starts it anew.
  onStuckThread: () => requestStop("native code holds an edit thread"),
});
const pause = createWorkerPause({
  probes: createProbes({ storage, log, tryDecoder: edits.tryDecoder }),
  metrics,
  logger,
});
readiness.require("worker", () => (pause.isPaused ? "nothing is pulled after a fault of the machine" : undefined));
readiness.require("storage", opened.check.reason);
const workerMetrics = createWorkerMetrics(metrics);
readiness.require("model server", () =>
  models.ready()
    ? undefined
    : `no live job is pulled: the model server at ${settings.PACKSHOT_MODEL_SERVER} ${models.problem()}`,
);

/** A worker without a model server pulls no live jobs. Sandbox jobs need none. */
async function waitForModelServer(signal: AbortSignal): Promise<void> {
  if (models.ready()) return;
  const problem = models.problem();
  logger.warn(
    { modelServer: settings.PACKSHOT_MODEL_SERVER, problem },
    "the model server is not ready: no live job is pulled",
  );
  const ready = new EventTarget();
  const removeListener = models.onReadyChange((now) => now && ready.dispatchEvent(new Event("ready")));
  try {
    if (!models.ready()) await once(ready, "ready", { signal });
    logger.info({}, "the model server is ready");
  } finally {
    removeListener();
  }
}

const sources = {
  allowSources: parseAllowList(settings.PACKSHOT_ALLOW_SOURCES),
  sourceTimeoutMs: settings.PACKSHOT_SOURCE_TIMEOUT_MS,
  allowConnections: parseAllowList(settings.PACKSHOT_ALLOW_CONNECTIONS),
  askForLink: createAskForLink({ connection }),
};

const inspector = createImageInspector({ logger });

const memoryBytesMax =
  settings.PACKSHOT_WORKER_MEMORY_BYTES ||
  editMemoryMax({
    limitBytes: process.constrainedMemory(),
    totalBytes: totalmem(),
    decoders: settings.PACKSHOT_DECODER_CAGE === "on" ? threads : 0,
  });
const memory = createMemoryBudget({ bytesMax: memoryBytesMax });
logger.info({ memoryBytesMax, slots: settings.PACKSHOT_WORKER_SLOTS }, "edits share this memory");

/** Without Redis, to which workers have no key: an edit finds the mattes of its own worker. */
const matteIndex = await createKeyv({ redis: undefined, namespace: "mattes", entriesMax: keptMattesMax });
const keptForMs = 1000 * Math.min(settings.PACKSHOT_KEPT_MATTE_SECONDS, settings.PACKSHOT_RETENTION_SECONDS);
const keptMattes = keptForMs > 0 ? createKeptMattes({ index: matteIndex, storage, keptForMs }) : undefined;

interface RunnerModels {
  readonly client: ModelClient;
  readonly defaultModel: string;
  readonly painter: Painter | undefined;
}

function createRunner({ client, ...ownModels }: RunnerModels): JobRunner {
  return createJobRunner({
    storage,
    models: client,
    ...ownModels,
    isPaintedElsewhere: processes.mayHaveImageModel,
    runEdit: edits.runEdit,
    inspectImage: inspector.inspectImage,
    ...sources,
    destinationTimeoutMs: settings.PACKSHOT_DESTINATION_TIMEOUT_MS,
    imageModelTimeoutMs: settings.PACKSHOT_IMAGE_MODEL_TIMEOUT_MS,
    maxPixels: settings.PACKSHOT_MAX_PIXELS,
    memory,
    keptMattes,
    onFailedOutput({ id: jobId }, name, error) {
      logger.error({ err: error, jobId, output: name }, "a file of an edit failed");
    },
    ...(client === models && { onInference: workerMetrics.inferred }),
  });
}

function createLook(client: ModelClient, defaultModel: string): LookAtPhoto {
  return createLookAtPhoto({
    storage,
    models: client,
    runEdit: edits.runEdit,
    inspectImage: inspector.inspectImage,
    ...sources,
    maxPixels: settings.PACKSHOT_MAX_PIXELS,
    defaultModel,
    memory,
  });
}

const modelClient: Component = {
  name: "model client",
  async start() {},
  async stop() {
    for (const client of new Set([models, imageServers])) client.close();
    if (!edits.hasStuckThreads) return;
    await connection.drain();
    process.kill(process.pid, "SIGKILL");
  },
};

const consumers = {
  connection,
  claims: createClaims({
    log,
    retentionMs: settings.PACKSHOT_RETENTION_SECONDS * 1000,
    queueDeadlines: readQueueDeadlines(settings),
    onLogFault: (error) => void pause.report({ part: "log", isCertain: true }, error),
  }),
  runner: withSandboxJobs({
    live: createRunner({ client: models, defaultModel: settings.PACKSHOT_DEFAULT_MODEL, painter }),
    sandbox: createRunner({ client: sandboxModelClient, defaultModel: sandboxModelName, painter: sandboxPainter }),
  }),
  storage,
  pause,
  metrics: workerMetrics,
  logger,
};

await run({
  imageModel: imageModel?.model,
  slots: settings.PACKSHOT_WORKER_SLOTS,
  components: [
    modelClient,
    imageModel ?? processes,
    opened.check,
    edits,
    inspector,
    pause,
    createLookAnswers({
      connection,
      live: createLook(models, settings.PACKSHOT_DEFAULT_MODEL),
      sandbox: createLook(sandboxModelClient, sandboxModelName),
      isReady: () => !pause.isPaused && models.ready(),
      logger,
      nowMs: Date.now,
    }),
    createSourcePrefetch({ log, storage, ...sources, logger }),
    // Neither takes a job while the other one finishes its own.
    stopTogether("ready consumers", [
      createReadyConsumer({
        ...consumers,
        queue: createReadyQueue(connection, "sandbox"),
        slots: sandboxSlots,
        drainTimeoutMs: sandboxDrainTimeoutMs,
        waitForModelServer: async () => {},
      }),
      createReadyConsumer({
        ...consumers,
        queue: createReadyQueue(connection, "live"),
        slots: settings.PACKSHOT_WORKER_SLOTS,
        drainTimeoutMs: stopTimes.finishMs,
        waitForModelServer,
      }),
    ]),
    readiness,
  ],
});
