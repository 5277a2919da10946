/**
 * A stored value that has a `traceparent` carries it as a header of its message too, where tools for NATS look for it. Our
 * own processes read the value: it survives promotions, requeues and retries, which write messages anew.
 */
import type { MsgHdrs } from "@nats-io/transport-node";

export function setTraceHeader(headers: MsgHdrs, value: object | null): void {
  if (value === null || !("traceparent" in value)) return;
  if (typeof value.traceparent === "string") headers.set("traceparent", value.traceparent);
}
