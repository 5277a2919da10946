/** Traces as trees, for tests and for people. */
import type { ReceivedSpan } from "./otlp-receiver.ts";

/** A span's name, with the follower or lane where several read the same stream. */
function labelOf({ name, kind, attributes }: ReceivedSpan): string {
  const group = attributes["messaging.consumer.group.name"];
  return `${name}${group === undefined ? "" : ` [${group}]`}${kind === "internal" ? "" : ` (${kind})`}`;
}

/** The labels from the first span down to this one. A span whose parent was not received begins with "?". */
export function pathOf(span: ReceivedSpan, trace: readonly ReceivedSpan[], outsideParent?: string): string {
  const { parentSpanId } = span;
  if (parentSpanId === undefined || parentSpanId === outsideParent) return labelOf(span);
  const parent = trace.find(({ spanId }) => spanId === parentSpanId);
  return `${parent === undefined ? "?" : pathOf(parent, trace, outsideParent)} > ${labelOf(span)}`;
}

/** One line a span: when it began, how long it took, in which process. */
export function formatTrace(trace: readonly ReceivedSpan[]): string {
  const ids = new Set(trace.map(({ spanId }) => spanId));
  const firstMs = Math.min(...trace.map(({ startMs }) => startMs));
  const lines: string[] = [];
  function add(span: ReceivedSpan, depth: number): void {
    const label = `${"  ".repeat(depth)}${labelOf(span)}${span.hasFailed ? " FAILED" : ""}`;
    const links = span.links.length === 0 ? "" : `  ${span.links.length} links`;
    const beganMs = (span.startMs - firstMs).toFixed(1).padStart(8);
    const tookMs = (span.endMs - span.startMs).toFixed(1).padStart(8);
    lines.push(`${beganMs} ${tookMs}  ${label.padEnd(72)} ${span.service.replace("packshot-", "")}${links}`);
    for (const child of childrenOf(trace, span.spanId)) add(child, depth + 1);
  }
  const roots = trace.filter(({ parentSpanId }) => parentSpanId === undefined || !ids.has(parentSpanId));
  for (const root of roots) add(root, 0);
  return [`   at ms  took ms  span${" ".repeat(69)}process`, ...lines].join("\n");
}

function childrenOf(trace: readonly ReceivedSpan[], spanId: string): ReceivedSpan[] {
  return trace.filter(({ parentSpanId }) => parentSpanId === spanId).sort((a, b) => a.startMs - b.startMs);
}
