/** Queues ended spans for the exporter. A collector that is slow or gone costs dropped spans, and nothing else. */
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from "@opentelemetry/sdk-trace";

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
export function createBoundedProcessor(deps: BoundedProcessorDeps): SpanProcessor {
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
