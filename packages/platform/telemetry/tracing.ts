/**
 * Spans of a trace, for all code of the house. Tracing is off unless `start-tracing.ts` has turned it on: then nothing of
 * OpenTelemetry's SDK is loaded, and every function here does nothing but one check.
 *
 * Only a request of the API begins a trace. Everything else continues one: without a cause that is traced, `startSpan`
 * starts nothing. So a request that is not sampled leaves no mark in records, messages and other processes.
 *
 * Like failpoints, spans belong to the process and not to a factory's deps: nearly every function would have to pass them.
 */
import type { Attributes, Span } from "@opentelemetry/api";

export type TraceSpan = Span;

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export interface SpanOptions {
  /** `internal` when absent. */
  readonly kind?: SpanKind;
  /** Never a link, a key or a part of a photo; ids stand here and not in the name. */
  readonly attributes?: Attributes;
  /** The cause: a span, or the `traceparent` (W3C) of one in another process. Absent: the active span. */
  readonly parent?: TraceSpan | string | undefined;
  /** Milliseconds since the epoch; now when absent. */
  readonly startMs?: number;
}

/** What does the work when tracing is on. */
export interface SpanBackend {
  /** undefined: the cause is not traced, or there is none. */
  start(name: string, options: SpanOptions): TraceSpan | undefined;
  /** Without a parent the sampler decides; undefined: not sampled. */
  startRoot(name: string, options: SpanOptions): TraceSpan | undefined;
  active(): TraceSpan | undefined;
  run<T>(span: TraceSpan | undefined, act: () => T): T;
  jobIdOf(span: TraceSpan): string | undefined;
}

/** The attribute with a job's id. Spans below one that has it get it too. */
export const jobIdAttribute = "packshot.job.id";

let backend: SpanBackend | undefined;

/** undefined turns tracing off. */
export function setSpanBackend(next: SpanBackend | undefined): void {
  backend = next;
}

export function isTracing(): boolean {
  return backend !== undefined;
}

export function startSpan(name: string, options: SpanOptions = {}): TraceSpan | undefined {
  return backend?.start(name, options);
}

/** For requests that come from outside. `parent`: the client's `traceparent`, which decides whether it is traced. */
export function startTrace(name: string, options: SpanOptions): TraceSpan | undefined {
  return backend?.startRoot(name, options);
}

export function activeSpan(): TraceSpan | undefined {
  return backend?.active();
}

/** Makes `span` the active one in `act` and in all that it begins; undefined: none is active there. */
export function runInSpan<T>(span: TraceSpan | undefined, act: () => T): T {
  return backend === undefined ? act() : backend.run(span, act);
}

/** A span around `act`, which is active in it, and ends with it. */
export function traced<T>(
  name: string,
  options: SpanOptions,
  act: (span: TraceSpan | undefined) => Promise<T>,
): Promise<T> {
  const span = backend?.start(name, options);
  return span === undefined ? act(undefined) : endWith(span, () => act(span));
}

/** Runs `act` in the span and ends it. */
export async function endWith<T>(span: TraceSpan, act: () => Promise<T>): Promise<T> {
  try {
    return await runInSpan(span, act);
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}

const statusError = 2;

/** Only the error's code or name: its text and stack may hold links and storage keys. */
export function failSpan(span: TraceSpan, error: unknown): void {
  const { code, status, name } = (error ?? {}) as { code?: unknown; status?: unknown; name?: unknown };
  const type = [code, status, name].find((value) => typeof value === "string") ?? "Error";
  span.setAttribute("error.type", type as string).setStatus({ code: statusError });
}

/** Describes a call to `url` without its path and query, which may be a secret. */
export function targetAttributes(url: string): Attributes {
  const { hostname, port, protocol } = new URL(url);
  const scheme = protocol.slice(0, -1);
  const serverPort = port === "" ? (scheme === "https" ? 443 : 80) : Number(port);
  return { "server.address": hostname, "server.port": serverPort, "url.scheme": scheme };
}

/** For another process: the W3C header. */
export function traceparentOf(span: TraceSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** `{ traceparent }` of the active span, for a value that another process will read; empty without one. */
export function traceField(): { readonly traceparent?: string } {
  const span = activeSpan();
  return span === undefined ? {} : { traceparent: traceparentOf(span) };
}

/** Spans of one piece of work for several causes: the first links to all others, and they to the first. */
export function linkBatch([first, ...others]: readonly TraceSpan[]): void {
  for (const span of others) {
    first!.addLink({ context: span.spanContext() });
    span.addLink({ context: first!.spanContext() });
  }
}

/**
 * One piece of work for several causes: a span in the trace of each, all linked. The first is active in `act`. Causes that
 * are not traced may be among them.
 */
export async function tracedBatch<T>(
  name: string,
  options: SpanOptions,
  causes: readonly (TraceSpan | string | undefined)[],
  act: () => Promise<T>,
): Promise<T> {
  if (backend === undefined) return await act();
  const spans = causes.flatMap((parent) => (parent && startSpan(name, { ...options, parent })) || []);
  linkBatch(spans);
  try {
    // Whoever began this batch may be in another trace.
    return await runInSpan(spans[0], act);
  } catch (error) {
    for (const span of spans) failSpan(span, error);
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

/** What each log line says of the active span. */
export function traceLogFields(): object {
  const span = backend?.active();
  if (span === undefined) return {};
  const { traceId, spanId } = span.spanContext();
  const jobId = backend!.jobIdOf(span);
  return { trace_id: traceId, span_id: spanId, jobId };
}
