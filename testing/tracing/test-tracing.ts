/** Tracing in the test's own process, to a collector of its own. */
import { readSettings } from "@packshot/platform/config/settings.ts";
import { createLogger, type Logger } from "@packshot/platform/telemetry/logger.ts";
import { startTracing } from "@packshot/platform/telemetry/start-tracing.ts";
import { Registry } from "prom-client";
import { type ReceivedSpan, startOtlpReceiver } from "./otlp-receiver.ts";

export interface TestTracing {
  readonly registry: Registry;
  /** Turns tracing off; resolves with all spans that have ended. */
  stop(): Promise<readonly ReceivedSpan[]>;
}

/** `environment`: settings of tracing; `OTEL_EXPORTER_OTLP_ENDPOINT` replaces the collector. */
export async function startTestTracing(
  environment: Readonly<Record<string, string>> = {},
  logger: Logger = createLogger({ name: "test", level: "silent" }),
): Promise<TestTracing> {
  const collector = await startOtlpReceiver();
  const settings = readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment });
  const registry = new Registry();
  const tracing = await startTracing({ name: "test", settings, registry, logger });
  return {
    registry,
    async stop() {
      await tracing.stop();
      await collector.stop();
      return collector.spans;
    },
  };
}
