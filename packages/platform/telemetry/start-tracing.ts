/** Turns tracing on if the settings name a collector. The SDK is loaded only then: it takes a process 0.1 s to load. */
import { Counter, type Registry } from "prom-client";
import type { Settings } from "../config/settings.ts";
import type { Logger } from "./logger.ts";
import { setSpanBackend } from "./tracing.ts";

type TracingSettings = Pick<
  Settings,
  | "OTEL_EXPORTER_OTLP_ENDPOINT"
  | "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
  | "OTEL_TRACES_EXPORTER"
  | "OTEL_SDK_DISABLED"
  | "OTEL_TRACES_SAMPLER"
  | "OTEL_TRACES_SAMPLER_ARG"
  | "OTEL_SERVICE_NAME"
  | "OTEL_BSP_MAX_QUEUE_SIZE"
>;

export interface StartTracingDeps {
  /** The process: `api`. */
  readonly name: string;
  readonly settings: TracingSettings;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** The process's first component, so that it stops last: it exports the spans of the others. */
export interface Tracing {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** An orphaned process has three seconds to stop. */
const flushTimeoutMs = 2_000;

export async function startTracing({ name, settings, registry, logger }: StartTracingDeps): Promise<Tracing> {
  const url = endpointOf(settings);
  if (url === undefined) return { name: "tracing", start: async () => {}, stop: async () => {} };
  const { createOtelBackend } = await import("./otel-backend.ts");
  const backend = createOtelBackend({
    url,
    defaultServiceName: `packshot-${name}`,
    serviceName: settings.OTEL_SERVICE_NAME,
    share: shareOf(settings),
    queueMax: settings.OTEL_BSP_MAX_QUEUE_SIZE,
    ...observeExports({ registry, logger }),
  });
  setSpanBackend(backend);
  return {
    name: "tracing",
    start: async () => {},
    async stop() {
      setSpanBackend(undefined);
      let timer: NodeJS.Timeout | undefined;
      const timedOut = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, flushTimeoutMs);
      });
      await Promise.race([backend.shutdown().catch(() => {}), timedOut]);
      clearTimeout(timer);
    },
  };
}

/** undefined: off. */
function endpointOf(settings: TracingSettings): string | undefined {
  if (settings.OTEL_SDK_DISABLED || settings.OTEL_TRACES_EXPORTER === "none") return undefined;
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces, OTEL_EXPORTER_OTLP_ENDPOINT: all } = settings;
  return traces ?? (all === undefined ? undefined : `${all.replace(/\/+$/, "")}/v1/traces`);
}

function shareOf({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share }: TracingSettings): number {
  if (sampler === "parentbased_traceidratio") return share;
  return sampler === "parentbased_always_on" ? 1 : 0;
}

/** The log says once that spans are dropped, and once that the collector takes them again. */
function observeExports({ registry, logger }: Pick<StartTracingDeps, "registry" | "logger">) {
  const registers = [registry];
  const exported = new Counter({
    name: "packshot_trace_spans_exported_total",
    help: "Spans that the collector has taken.",
    registers,
  });
  const dropped = new Counter({
    name: "packshot_trace_spans_dropped_total",
    help: "Spans that were dropped, by reason: queue_full, export_failed.",
    labelNames: ["reason"],
    registers,
  });
  let isDropping = false;
  return {
    onExported(spans: number) {
      exported.inc(spans);
      if (isDropping) logger.info({}, "the collector takes spans again");
      isDropping = false;
    },
    onDropped(spans: number, reason: "queue_full" | "export_failed", error?: unknown) {
      dropped.inc({ reason }, spans);
      if (!isDropping)
        logger.warn({ err: error, reason }, "spans are dropped; packshot_trace_spans_dropped_total counts them");
      isDropping = true;
    },
  };
}
