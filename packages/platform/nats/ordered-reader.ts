/** A stream's messages in order, without acks: an ordered consumer that starts again behind the last message it gave. */
import { AckPolicy, DeliverPolicy, jetstream, type JsMsg, ReplayPolicy } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Logger } from "../telemetry/logger.ts";
import { pause } from "../flow/pause.ts";

const fetchMessagesMax = 256;
const fetchWaitMs = 5_000;
const heartbeatMs = 1_000;
/** The server forgets a consumer that asked for nothing this long; the reader then makes another. */
const consumerIdleMs = 30_000;
const retryMs = 250;
const nanosPerMs = 1_000_000;

export interface ReadOptions {
  readonly connection: NatsConnection;
  readonly stream: string;
  /** Subjects wanted; all when absent. */
  readonly filter?: string;
  /** Sequence in `stream` of the first message wanted. */
  readonly fromSequence: number;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/**
 * Gives every message from `fromSequence` on once, in order, until `signal` aborts; outlasts restarts of the server.
 * The client's own ordered consumer waits up to 30 s after one, so this one looks to its order itself: a delivery
 * sequence that is not the next means that something was lost on the way, and a fresh consumer takes over there.
 */
export async function* readInOrder(options: ReadOptions): AsyncGenerator<JsMsg> {
  const { signal, logger, stream } = options;
  let nextSequence = options.fromSequence;
  while (!signal.aborted) {
    try {
      for await (const message of readWithOneConsumer(options, nextSequence)) {
        if (message.info.streamSequence < nextSequence) continue;
        nextSequence = message.info.streamSequence + 1;
        yield message;
      }
    } catch (error) {
      if (signal.aborted) return;
      logger.debug({ err: error, stream, nextSequence }, "reading starts again");
      await pause(retryMs, signal);
    }
  }
}

async function* readWithOneConsumer(
  { connection, stream, filter, signal }: ReadOptions,
  fromSequence: number,
): AsyncGenerator<JsMsg> {
  const client = jetstream(connection, { timeout: fetchWaitMs });
  const manager = await client.jetstreamManager(false);
  const info = await manager.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    ...(filter === undefined ? {} : { filter_subject: filter }),
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, fromSequence),
    replay_policy: ReplayPolicy.Instant,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: consumerIdleMs * nanosPerMs,
  });
  const consumer = client.consumers.getConsumerFromInfo(info);
  let delivered = 0;
  while (!signal.aborted) {
    const messages = await consumer.fetch({
      max_messages: fetchMessagesMax,
      expires: fetchWaitMs,
      idle_heartbeat: heartbeatMs,
    });
    const stop = () => void messages.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      for await (const message of messages) {
        const { deliverySequence } = message.info;
        if (deliverySequence !== delivered + 1) throw new Error(`delivery ${deliverySequence} follows ${delivered}`);
        delivered = deliverySequence;
        yield message;
      }
    } finally {
      signal.removeEventListener("abort", stop);
      stop();
    }
  }
}
