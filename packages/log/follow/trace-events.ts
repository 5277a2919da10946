import type { PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import { isTracing, tracedBatch } from "@packshot/platform/telemetry/tracing.ts";
import type { StateStream } from "../nats/state-streams.ts";

interface Follower {
  readonly name: string;
  readonly stream: StateStream;
  readonly dueAtMs?: unknown;
}

/** A span for the handling of these events, in the trace of each. An event that waits for its time is not traced: its trace ended long ago. */
export function traceEvents(
  { name, stream, dueAtMs }: Follower,
  events: readonly { readonly event: PackshotEvent }[],
  act: () => Promise<void>,
): Promise<void> {
  if (!isTracing() || dueAtMs !== undefined) return act();
  const attributes = {
    "messaging.system.name": "nats",
    "messaging.operation.name": "process",
    "messaging.operation.type": "process",
    "messaging.destination.name": stream.events,
    "messaging.consumer.group.name": name,
    "messaging.batch.message_count": events.length,
  };
  const causes = events.map(({ event }) => ("traceparent" in event ? event.traceparent : undefined));
  return tracedBatch(`process ${stream.events}`, { kind: "consumer", attributes }, causes, act);
}
