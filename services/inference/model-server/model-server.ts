/** The model server's composition root: listeners first, so that probes are answered while models warm up. */
import { rmSync } from "node:fs";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Registry } from "prom-client";
import { createGrpcEndpoint, loadServices } from "./grpc-endpoint.ts";
import { healthService } from "./health-service.ts";
import { createHttpEndpoint } from "./http-endpoint.ts";
import { inferenceService } from "./inference-service.ts";
import type { SessionSettings } from "./load-version.ts";
import { createInferenceMetrics } from "./metrics.ts";
import { createModelRegistry, type ModelRegistry } from "./model-registry.ts";

export interface ModelServerOptions {
  readonly host: string;
  /** 0: a free one. */
  readonly grpcPort: number;
  readonly httpPort: number;
  /** A unix socket to listen on as well. */
  readonly socketPath?: string;
  /** Model repositories; a later one's models win over an earlier one's of the same name. */
  readonly modelDirs: readonly string[];
  readonly executionProviders?: readonly ("cpu" | "cuda")[];
  readonly requireGpu?: boolean;
  /** Threads of one session; 0: the cores shared among the instances. */
  readonly threads?: number;
  /** Sessions per model; 0: as config.pbtxt says. */
  readonly instances?: number;
  readonly logger: Logger;
  /** Metrics go here as well as process metrics of the caller's. */
  readonly metricsRegistry?: Registry;
  /** The device or the allocator is in doubt: the process should end. */
  readonly onFatal?: (error: Error) => void;
}

export interface ModelServer {
  readonly grpcPort: number;
  readonly httpPort: number;
  readonly registry: ModelRegistry;
  /** Answers what was accepted, then ends; idempotent. */
  stop(): Promise<void>;
}

const version = "0.1.0";
/** For answers on their way out: the work itself is done by then. */
const stopGraceMs = 2_000;

/** Resolves when every model is warm. Rejects with what is wrong, and leaves nothing running then. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { logger } = options;
  const metrics = createInferenceMetrics(options.metricsRegistry);
  const settings: SessionSettings = {
    executionProviders: options.executionProviders ?? ["cpu"],
    requireGpu: options.requireGpu ?? false,
    threads: options.threads ?? 0,
    instances: options.instances ?? 0,
  };
  const onFatal = (error: Error): void => {
    logger.fatal({ err: error }, "an instance failed beyond repair");
    options.onFatal?.(error);
  };
  const registry = createModelRegistry({ modelDirs: options.modelDirs, settings, metrics, logger, onFatal });
  const services = loadServices();
  const inference = inferenceService({ registry, version });
  const health = healthService(registry);
  const grpc = createGrpcEndpoint([
    { service: services.Inference.service, handlers: inference.handlers },
    { service: services.Health.service, handlers: health.handlers },
  ]);
  const http = createHttpEndpoint({ registry: metrics.registry, isReady: () => registry.isReady() });

  let stopping: Promise<void> | null = null;
  function stop(): Promise<void> {
    stopping ??= (async () => {
      // Accepted work is answered first; from here on new work is refused, and clients look elsewhere.
      await registry.stop();
      inference.endStreams();
      health.endStreams();
      await grpc.stop(stopGraceMs);
      await http.stop();
    })();
    return stopping;
  }

  try {
    const httpPort = await http.listen(options.host, options.httpPort);
    const grpcPort = await grpc.listen(options.host, options.grpcPort);
    if (options.socketPath !== undefined) {
      // Left behind by a process that was killed; a living server's port would have been taken.
      rmSync(options.socketPath, { force: true });
      await grpc.listenUnix(options.socketPath);
    }
    await registry.loadAll();
    return { grpcPort, httpPort, registry, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
