/** A span's place in its trace, for tests. */
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
