/** The spans of inference requests within the model server: in the queue, in a batch, in the session's run. */
import type { ServerUnaryCall } from "@grpc/grpc-js";
import { failSpan, isTracing, linkBatch, startSpan, type TraceSpan } from "@packshot/platform/telemetry/tracing.ts";
import type { Batch } from "./batcher.ts";
import type { ExecutedBatch } from "./execute-batch.ts";
import type { QueuedRequest } from "./fair-queue.ts";
import { InferError } from "./infer-error.ts";
import { type InferRequestMessage, requestTraceparent } from "./infer-request.ts";

/** A unary call or a stream. */
export type InferCall = Pick<ServerUnaryCall<unknown, unknown>, "metadata" | "getPath" | "getDeadline">;

/** The RPC's span, from the request to its response: it continues the trace of the request, or else of the call's metadata. */
export function traceRequest<T extends { readonly response: Promise<unknown> }>(
  message: InferRequestMessage,
  call: InferCall,
  start: (span: TraceSpan | undefined) => T,
): T {
  const span = isTracing() ? startRequestSpan(message, call) : undefined;
  if (span === undefined) return start(undefined);
  const fail = (error: unknown) => {
    span.setAttribute("rpc.status_code", error instanceof InferError ? error.status : "INTERNAL");
    failSpan(span, error);
    span.end();
  };
  try {
    const started = start(span);
    started.response.then(() => span.setAttribute("rpc.status_code", "OK").end(), fail);
    return started;
  } catch (error) {
    fail(error);
    throw error;
  }
}

function startRequestSpan(message: InferRequestMessage, call: InferCall): TraceSpan | undefined {
  const inMetadata = call.metadata.get("traceparent")[0];
  const parent = requestTraceparent(message) ?? (typeof inMetadata === "string" ? inMetadata : undefined);
  const method = call.getPath().slice(1);
  const attributes = { "rpc.system.name": "grpc", "rpc.method": method, "packshot.model": message.model_name };
  return startSpan(method, { kind: "server", parent, attributes });
}

export interface RequestSpans {
  /** The RPC. */
  readonly request: TraceSpan;
  readonly queue: TraceSpan;
}

/** `request`: the RPC's span; undefined when it is not traced. */
export function startQueueSpan(request: TraceSpan | undefined): RequestSpans | undefined {
  const queue = request && startSpan("queue", { parent: request });
  return request === undefined || queue === undefined ? undefined : { request, queue };
}

/** Idempotent: it ends with the batch's start, or when the request is rejected or cancelled before. */
export function endQueueSpan(spans: RequestSpans | undefined): void {
  if (spans?.queue.isRecording()) spans.queue.end();
}

type Execute = () => Promise<ExecutedBatch>;

/**
 * Ends the time in the queue. Each request's batch span links to those of the others in the batch. What is returned runs
 * the batch within the spans.
 */
export function startBatchSpans(
  batch: Batch,
  spansOf: (request: QueuedRequest) => RequestSpans | undefined,
): (execute: Execute) => Promise<ExecutedBatch> {
  const traced = isTracing() ? batch.requests.flatMap((request) => spansOf(request) ?? []) : [];
  if (traced.length === 0) return (execute) => execute();
  const startMs = preciseNowMs();
  const attributes = {
    "packshot.batch.requests": batch.requests.length,
    "packshot.batch.rows": batch.rows,
    "packshot.batch.bucket": batch.bucket,
  };
  for (const spans of traced) endQueueSpan(spans);
  const spans = traced.flatMap(({ request }) => startSpan("batch", { parent: request, startMs, attributes }) ?? []);
  linkBatch(spans);
  return async (execute) => {
    try {
      const executed = await execute();
      // The thread tells how long its session ran, after the rows had been copied.
      const ranFromMs = startMs + executed.inputMs;
      for (const parent of spans) startSpan("run", { parent, startMs: ranFromMs })?.end(ranFromMs + executed.inferMs);
      return executed;
    } catch (error) {
      for (const span of spans) failSpan(span, error);
      throw error;
    } finally {
      for (const span of spans) span.end(preciseNowMs());
    }
  };
}

function preciseNowMs(): number {
  return performance.timeOrigin + performance.now();
}
