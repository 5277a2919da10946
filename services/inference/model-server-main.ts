/** The model server process. It prints one JSON line when every model is warm. */
import { fileURLToPath } from "node:url";
import { readStopTimes } from "@packshot/platform/config/process-times.ts";
import { loadSettings } from "@packshot/platform/config/settings.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { run } from "@packshot/platform/lifecycle/run.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { startTracing } from "@packshot/platform/telemetry/start-tracing.ts";
import { type ModelServer, startModelServer } from "./model-server/model-server.ts";
import { endHungProcess, PipelineHung } from "./model-server/pipeline-instance.ts";
import { readModelServerAccess } from "./protocol/model-server-access.ts";

const settings = loadSettings();
const stopTimes = readStopTimes(settings);
const logger = createLogger({ name: "model-server", level: settings.PACKSHOT_LOG_LEVEL });
const bundledModels = fileURLToPath(new URL("../../models", import.meta.url));
const providers = settings.PACKSHOT_EXECUTION_PROVIDERS;
const requireGpu = settings.PACKSHOT_REQUIRE_GPU || process.argv.includes("--require-gpu");
const { registry } = createMetrics("model-server");
const tracing = await startTracing({ name: "model-server", settings, registry, logger });
let server: ModelServer | undefined;

function endProcess(error: Error): void {
  if (error instanceof PipelineHung) endHungProcess();
  else process.exit(70);
}

const component: Component = {
  name: "model-server",
  async start() {
    const unknown = providers.filter((name) => name !== "cpu" && name !== "cuda");
    if (unknown.length > 0)
      throw new Error(`PACKSHOT_EXECUTION_PROVIDERS names ${unknown.join(", ")}; known are cuda and cpu`);
    const socketPath = settings.PACKSHOT_MODEL_SOCKET;
    server = await startModelServer({
      host: settings.PACKSHOT_MODEL_HOST,
      grpcPort: settings.PACKSHOT_MODEL_GRPC_PORT,
      httpPort: settings.PACKSHOT_MODEL_HTTP_PORT,
      socketPath,
      modelDirs:
        settings.PACKSHOT_MODEL_DIR === undefined ? [bundledModels] : [bundledModels, settings.PACKSHOT_MODEL_DIR],
      // With CUDA the CPU still computes shapes; `--require-gpu` forbids anything more.
      executionProviders: providers.includes("cuda") ? ["cuda", "cpu"] : ["cpu"],
      requireGpu,
      threads: settings.PACKSHOT_MODEL_THREADS,
      instances: settings.PACKSHOT_MODEL_INSTANCES,
      int8: settings.PACKSHOT_MODEL_INT8,
      graphServer: settings.PACKSHOT_GRAPH_SERVER,
      imageModelTimeoutMs: settings.PACKSHOT_IMAGE_MODEL_TIMEOUT_MS,
      access: readModelServerAccess(settings),
      connectionAgeMs: settings.PACKSHOT_MODEL_SERVER_CONNECTION_AGE_SECONDS * 1000,
      allowsControl: settings.PACKSHOT_MODEL_CONTROL === "on",
      logger,
      metricsRegistry: registry,
      // Other servers take over the running jobs; this process must answer no further request.
      onFatal: endProcess,
    });
  },
  async stop() {
    await server?.stop();
  },
};

await run({
  name: "model-server",
  components: [tracing, component],
  logger,
  ready: () => ({
    grpcPort: server!.grpcPort,
    httpPort: server!.httpPort,
    models: server!.registry.all().map(({ name, version }) => `${name}@${version}`),
  }),
  stopTimeoutMs: stopTimes.stopMs,
  drain: { begin: () => server?.drain(), durationMs: stopTimes.drainMs },
  stopWhenStdinCloses: settings.PACKSHOT_PARENT_PIPE,
});
