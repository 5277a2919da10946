/** Tracing by OpenTelemetry's SDK. `start-tracing.ts` loads this file, and the SDK with it, only when tracing is on. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { type Context, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from "@opentelemetry/api";
import { type ExportResult, ExportResultCode, parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { jobIdAttribute, type SpanBackend, type SpanOptions, type TraceSpan } from "./tracing.ts";

export interface OtelBackendDeps extends Omit<BoundedProcessorDeps, "exporter"> {
  /** Where spans are posted. */
  readonly url: string;
  /** `service.name` unless the environment names it. */
  readonly defaultServiceName: string;
  readonly serviceName: string | undefined;
  /** Share of the requests without a `traceparent` that are traced. */
  readonly share: number;
}

const exportTimeoutMs = 10_000;
const spanLimits = {
  attributeCountLimit: 32,
  attributeValueLengthLimit: 256,
  linkCountLimit: 256,
  eventCountLimit: 8,
};

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

export interface OtelBackend extends SpanBackend {
  /** Exports what is queued. */
  shutdown(): Promise<void>;
}

export function createOtelBackend({ url, share, ...deps }: OtelBackendDeps): OtelBackend {
  // One request at a time: a collector that answers slowly must not get the spans of a whole queue at once.
  const exporter = new OTLPTraceExporter({ url, concurrencyLimit: 1, timeoutMillis: exportTimeoutMs });
  const provider = new TracerProvider({
    resource: resourceOf(deps),
    sampler: new ParentBasedSampler({ root: rootSampler(share) }),
    spanLimits,
    spanProcessors: [createBoundedProcessor({ exporter, ...deps })],
  });
  const tracer = provider.getTracer("packshot");
  // The API's context managers carry more than a span. A span is all that the house needs.
  const storage = new AsyncLocalStorage<TraceSpan | undefined>();

  function begin(name: string, { kind = "internal", attributes, startMs }: SpanOptions, parent: Context) {
    const jobId = inheritedJobId(trace.getSpan(parent));
    const span = tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        startTime: startMs,
        attributes: { ...(jobId === undefined ? {} : { [jobIdAttribute]: jobId }), ...attributes },
      },
      parent,
    );
    return span.isRecording() ? span : undefined;
  }

  return {
    start(name, options) {
      const parent = options.parent ?? storage.getStore();
      const context = parent === undefined ? undefined : contextOf(parent);
      return context === undefined ? undefined : begin(name, options, context);
    },
    startRoot: (name, options) => begin(name, options, (options.parent && contextOf(options.parent)) || ROOT_CONTEXT),
    active: () => storage.getStore(),
    run: (span, act) => storage.run(span, act),
    jobIdOf: inheritedJobId,
    shutdown: () => provider.shutdown(),
  };
}

function resourceOf({ defaultServiceName, serviceName }: Pick<OtelBackendDeps, "defaultServiceName" | "serviceName">) {
  return resourceFromAttributes({ "service.name": defaultServiceName, "service.instance.id": randomUUID() })
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(serviceName === undefined ? {} : { "service.name": serviceName }));
}

function rootSampler(share: number): Sampler {
  if (share >= 1) return new AlwaysOnSampler();
  return share <= 0 ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(share);
}

/** undefined: not a `traceparent`. */
function contextOf(parent: TraceSpan | string): Context | undefined {
  if (typeof parent !== "string") return trace.setSpan(ROOT_CONTEXT, parent);
  const spanContext = parseTraceParent(parent);
  if (spanContext === null) return undefined;
  // A flag of a later version of the standard means nothing here.
  const traceFlags = spanContext.traceFlags & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { ...spanContext, traceFlags, isRemote: true });
}

function inheritedJobId(span: TraceSpan | undefined): string | undefined {
  const { attributes } = (span ?? {}) as Partial<ReadableSpan>;
  return attributes?.[jobIdAttribute] as string | undefined;
}

/** Queues ended spans for the exporter. A collector that is slow or gone costs dropped spans, and nothing else. */
export type DropReason = "queue_full" | "export_failed";

export interface BoundedProcessorDeps {
  readonly exporter: SpanExporter;
  readonly queueMax: number;
  readonly onDropped: (spans: number, reason: DropReason, error?: unknown) => void;
  readonly onExported: (spans: number) => void;
}

const exportBatchMax = 512;
const exportEveryMs = 1_000;

/** The SDK's own queue, in front of which dropped spans are counted: it tells nobody what it drops. */
function createBoundedProcessor(deps: BoundedProcessorDeps): SpanProcessor {
  const { exporter, queueMax, onDropped, onExported } = deps;
  let queued = 0;

  const counting: SpanExporter = {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      queued -= spans.length;
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.SUCCESS) onExported(spans.length);
        else onDropped(spans.length, "export_failed", result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counting,
    maxQueueSize: queueMax,
    maxExportBatchSize: Math.min(exportBatchMax, queueMax),
    scheduledDelayMillis: exportEveryMs,
  });

  return {
    onStart() {},
    onEnd(span) {
      if (queued >= queueMax) return onDropped(1, "queue_full");
      queued += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
