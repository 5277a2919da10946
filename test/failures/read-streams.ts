/** Reads whole streams, copies without what nats-server has copied a second time. */

import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { readInOrder } from "@packshot/log/follow/ordered-reader.ts";
import { streamSource } from "@packshot/log/follow/stream-source.ts";
import type { StateStream } from "@packshot/log/nats/state-streams.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";

export interface Stored<T> {
  readonly subject: string;
  readonly value: T | undefined;
  /** In the account's state stream. */
  readonly sequence: number;
}

export async function readAllOf<T>(
  connection: NatsConnection,
  stateStreams: readonly StateStream[],
  nameOf: (stream: StateStream) => string,
): Promise<Stored<T>[]> {
  return (await Promise.all(stateStreams.map((stream) => readWhole<T>(connection, nameOf(stream))))).flat();
}

export async function readWhole<T>(connection: NatsConnection, stream: string): Promise<Stored<T>[]> {
  const { state } = await (await jetstreamManager(connection)).streams.info(stream);
  const found: Stored<T>[] = [];
  if (state.messages === 0) return found;
  const signal = new AbortController().signal;
  const logger = createLogger({ name: "read-streams", level: "warn" });
  const sources: Record<string, number> = {};
  for await (const message of readInOrder({ connection, stream, fromSequence: state.first_seq, signal, logger })) {
    const value = message.data.length === 0 ? undefined : message.json<T>();
    const source = streamSource(message.headers?.get("Nats-Stream-Source"));
    const sequence = source?.sequence ?? message.seq;
    // Who follows a copy skips what nats-server has copied a second time.
    if (source === undefined || sequence > (sources[source.stream] ?? 0))
      found.push({ subject: message.subject, value, sequence });
    if (source !== undefined) sources[source.stream] = Math.max(sequence, sources[source.stream] ?? 0);
    if (message.seq >= state.last_seq) break;
  }
  return found;
}
