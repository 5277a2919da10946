import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { createWorkerPause, type WorkerPause } from "../../services/inference/consumer/worker-pause.ts";

/** A pause that ends at once: whatever failed works again. */
export function briefPause(): WorkerPause {
  const works = async () => {};
  return createWorkerPause({
    probes: { storage: works, log: works, memory: works, decoder: works },
    metrics: createMetrics("test"),
    logger: createLogger({ name: "test", level: "silent" }),
    firstPauseMs: 1,
  });
}
