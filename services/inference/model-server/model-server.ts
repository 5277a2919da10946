/** The model server's composition root. Listeners start first, so that probes are answered while models warm up. */
import { readFileSync, rmSync } from "node:fs";
import { answerProbe, probePaths, registerReadiness } from "@packshot/platform/lifecycle/readiness.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Registry } from "prom-client";
import { loadGrpcServices } from "../protocol/grpc-services.ts";
import { type ModelServerAccess, openAccess } from "../protocol/model-server-access.ts";
import { createGrpcEndpoint, createHealthService, requireToken } from "./grpc-endpoint.ts";
import { createHttpEndpoint } from "./http-endpoint.ts";
import { createInferenceMetrics } from "./inference-metrics.ts";
import { createInferenceService } from "./inference-service.ts";
import type { SessionSettings } from "./load-version.ts";
import type { Int8Use } from "./model-precision.ts";
import { createModelRegistry, type ModelRegistry } from "./model-registry.ts";

export interface ModelServerDeps {
  readonly host: string;
  /** 0: any free port. */
  readonly grpcPort: number;
  readonly httpPort: number;
  /** A Unix socket to listen on as well. */
  readonly socketPath?: string;
  /** Model repositories. A later one's model replaces an earlier one's of the same name. */
  readonly modelDirs: readonly string[];
  readonly executionProviders?: readonly ("cpu" | "cuda")[];
  readonly requireGpu?: boolean;
  /** Threads of one session; 0: the cores shared among the instances. */
  readonly threads?: number;
  /** Sessions per model; 0: as config.pbtxt says. */
  readonly instances?: number;
  /** Whether int8 weights run where a model has them; `auto` when absent: on CPUs that multiply them faster than floats. */
  readonly int8?: Int8Use;
  /** host:port of a server that runs the graphs of image models, such as Triton; absent: they run here. */
  readonly graphServer?: string | undefined;
  /** A graph of an image model that still runs so long after its picture was given up has stopped, and is fatal. */
  readonly imageModelTimeoutMs?: number;
  /** How often a graph server that was away at the start is tried. */
  readonly graphServerRetryMs?: number;
  /** Who may call; everybody when absent. */
  readonly access?: ModelServerAccess;
  /** Callers may load and unload models. */
  readonly allowsControl?: boolean;
  /** How old a connection gets; 0: any age. Clients then resolve the service's name again and find new servers. */
  readonly connectionAgeMs?: number;
  readonly logger: Logger;
  /** The registry for the metrics; the caller may keep its process metrics there too. */
  readonly metricsRegistry?: Registry;
  /** Called when the device or the allocator may be broken: the process should end. */
  readonly onFatal?: (error: Error) => void;
}

export interface ModelServer {
  readonly grpcPort: number;
  readonly httpPort: number;
  readonly registry: ModelRegistry;
  /** Says that it is not ready, and goes on serving. */
  drain(): void;
  /** Answers every accepted request, then stops. Idempotent. */
  stop(): Promise<void>;
}

/** Those of every other process, and KServe's. */
const paths = {
  live: ["/v2/health/live", ...probePaths.live],
  started: probePaths.started,
  ready: ["/v2/health/ready", ...probePaths.ready],
};

/** The release's, in the answer about the server. */
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const imageModelTimeoutMsDefault = 120_000;
/** Time for responses that are being sent; no work is left by then. */
const stopGraceMs = 2_000;

/** Resolves when every model is warm, but for those whose graph server is away. Rejects with the fault, and then leaves nothing running. */
export async function startModelServer(deps: ModelServerDeps): Promise<ModelServer> {
  const { logger } = deps;
  const metrics = createInferenceMetrics(deps.metricsRegistry);
  const settings: SessionSettings = {
    executionProviders: deps.executionProviders ?? ["cpu"],
    requireGpu: deps.requireGpu ?? false,
    threads: deps.threads ?? 0,
    instances: deps.instances ?? 0,
    int8: deps.int8 ?? "auto",
    graphServer: deps.graphServer,
    imageModelTimeoutMs: deps.imageModelTimeoutMs ?? imageModelTimeoutMsDefault,
  };
  const onFatal = (error: Error): void => {
    logger.fatal({ err: error }, "an instance failed and cannot be restarted");
    deps.onFatal?.(error);
  };
  const { modelDirs, graphServerRetryMs } = deps;
  const registry = createModelRegistry({ modelDirs, settings, metrics, logger, onFatal, graphServerRetryMs });
  const services = loadGrpcServices();
  const inference = createInferenceService({ registry, allowsControl: deps.allowsControl ?? false, version });
  const health = createHealthService(registry);
  const { tokens, certificates } = deps.access ?? openAccess;
  const grpc = createGrpcEndpoint({
    services: [
      { service: services.Inference.service, handlers: inference.handlers },
      { service: services.Health.service, handlers: health.handlers },
    ],
    interceptors: [requireToken(tokens)],
    certificates,
    connectionAgeMs: deps.connectionAgeMs ?? 0,
    logger,
  });
  const readiness = {
    names: () => ["models"],
    hasStarted: () => registry.hasStarted(),
    reasons: (): Record<string, string> =>
      registry.isReady() ? {} : { models: "a model is being loaded, or the server stops" },
  };
  registerReadiness(metrics.registry, readiness);
  const answerProbeAt = (path: string) => answerProbe(path, readiness, paths);
  const http = createHttpEndpoint({ registry: metrics.registry, answerProbe: answerProbeAt });

  let stopping: Promise<void> | null = null;
  function stop(): Promise<void> {
    stopping ??= (async () => {
      // Accepted requests are answered first. New ones are rejected from here on, so that clients try another server.
      await registry.stop();
      inference.endStreams();
      health.endStreams();
      await grpc.stop(stopGraceMs);
      await http.stop();
    })();
    return stopping;
  }

  try {
    const httpPort = await http.listen(deps.host, deps.httpPort);
    const grpcPort = await grpc.listen(deps.host, deps.grpcPort);
    if (deps.socketPath !== undefined) {
      // The socket may remain of a killed process. If its server still ran, the port above would have been taken.
      rmSync(deps.socketPath, { force: true });
      await grpc.listenUnix(deps.socketPath);
    }
    await registry.loadAll();
    return { grpcPort, httpPort, registry, drain: () => registry.drain(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
