/** A consumer for one reader: in memory, on one server, without acks. */
import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  type ConsumerMessages,
  type FetchMessages,
  JetStreamError,
  type JsMsg,
  jetstream,
} from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { jitteredBackoffMs } from "@packshot/platform/flow/pause.ts";
import { toLogError } from "../nats/client-errors.ts";

const nanosPerMs = 1_000_000;
const noResponders = 503;
/** Together about two seconds. */
const fetchTriesMax = 10;
const fetchBackoff = { firstMs: 5, maxMs: 500 };

export interface EphemeralConsumer {
  /** Messages that it would deliver, as counted when it was made. */
  readonly pending: number;
  /** `onOpen` is told each request, to close it early. Throws `LogRefused`, `LogUnreachable`, and errors of the connection. */
  fetch(request: FetchMessages, onOpen?: (messages: ConsumerMessages) => void): AsyncGenerator<JsMsg>;
  remove(): Promise<void>;
}

export interface EphemeralConsumerTimes {
  /** For each request to the server. */
  readonly timeoutMs: number;
  /** The server forgets the consumer when nothing was asked of it for so long. */
  readonly idleMs: number;
}

/** Throws `LogRefused`, `LogUnreachable`, and errors of the connection. */
export async function addEphemeralConsumer(
  connection: NatsConnection,
  stream: string,
  config: Partial<ConsumerConfig>,
  { timeoutMs, idleMs }: EphemeralConsumerTimes,
): Promise<EphemeralConsumer> {
  const client = jetstream(connection, { timeout: timeoutMs });
  const manager = await client.jetstreamManager(false);
  const wanted = {
    ...config,
    ack_policy: AckPolicy.None,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: idleMs * nanosPerMs,
  };
  const info = await manager.consumers.add(stream, wanted).catch((error: unknown) => {
    throw toLogError(`reading ${stream}`, error);
  });
  const consumer = client.consumers.getConsumerFromInfo(info);
  return {
    pending: info.num_pending,
    fetch: (request, onOpen) => fetchOnceKnown(consumer, stream, request, onOpen),
    async remove() {
      await manager.consumers.delete(stream, info.name).catch(() => {});
    },
  };
}

/**
 * A consumer that was just made is on one server, of which the others hear a moment later: until then nobody responds to those who
 * ask them, and nothing was delivered.
 */
async function* fetchOnceKnown(
  consumer: Consumer,
  stream: string,
  request: FetchMessages,
  onOpen: (messages: ConsumerMessages) => void = () => {},
): AsyncGenerator<JsMsg> {
  for (let attempt = 1; ; attempt++) {
    try {
      const messages = await consumer.fetch(request);
      onOpen(messages);
      yield* messages;
      return;
    } catch (error) {
      const isUnknown = error instanceof JetStreamError && "code" in error && error.code === noResponders;
      if (!isUnknown || attempt === fetchTriesMax) throw toLogError(`reading ${stream}`, error);
      const pauseMs = jitteredBackoffMs(attempt, fetchBackoff);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
