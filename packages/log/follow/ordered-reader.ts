/** Reads a stream's messages in order, without acks. After a failure a new consumer starts after the last message. */
import { DeliverPolicy, type JsMsg } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { jitteredBackoffMs, pause } from "@packshot/platform/flow/pause.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { watchConnection } from "../nats/connection.ts";
import { addEphemeralConsumer } from "./ephemeral-consumer.ts";

/** A million job records were read in 10 s with 2,000 in a fetch, and in 31 s with 256, beside nats-server on two cores. */
const fetchMessagesMax = 2_000;
const fetchWaitMs = 5_000;
const heartbeatMs = 1_000;
const consumerIdleMs = 30_000;
const retryMsMin = 250;
const retryMsMax = 2_000;

export type OrderedMessage = JsMsg;

export interface OrderedReaderDeps {
  readonly connection: NatsConnection;
  readonly stream: string;
  /** Subjects wanted; all when absent. */
  readonly filters?: readonly string[];
  /** Sequence in `stream` of the first message wanted. */
  readonly fromSequence: number;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Told how many messages a new consumer will deliver at most, 0 when it has delivered all; undefined: it is lost. */
  readonly onPending?: (pending: number | undefined) => void;
}

/**
 * Gives every message from `fromSequence` on once, in order, until `signal` aborts. It outlasts restarts of the server
 * and the loss of its consumer. The client's own ordered consumer waits up to 30 s after one, so this one checks the
 * order itself: a gap in the delivery sequence means that a message was lost on the way, and a new consumer starts
 * there.
 */
export async function* readInOrder(deps: OrderedReaderDeps): AsyncGenerator<JsMsg> {
  const { signal, logger, stream } = deps;
  let nextSequence = deps.fromSequence;
  let failures = 0;
  while (!signal.aborted) {
    try {
      for await (const message of readWithOneConsumer(deps, nextSequence)) {
        failures = 0;
        if (message.info.streamSequence < nextSequence) continue;
        nextSequence = message.info.streamSequence + 1;
        yield message;
      }
    } catch (error) {
      if (signal.aborted) return;
      deps.onPending?.(undefined);
      failures += 1;
      const delayMs = jitteredBackoffMs(failures, { firstMs: retryMsMin, maxMs: retryMsMax });
      logger.debug({ err: error, stream, nextSequence, delayMs }, "reading starts again");
      await pause(delayMs, signal);
    }
  }
}

async function* readWithOneConsumer(
  { connection, stream, filters, signal, onPending }: OrderedReaderDeps,
  fromSequence: number,
): AsyncGenerator<JsMsg> {
  const config = {
    filter_subjects: filters === undefined ? undefined : [...filters],
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, fromSequence),
  };
  const times = { timeoutMs: fetchWaitMs, idleMs: consumerIdleMs };
  const { fetch, pending } = await addEphemeralConsumer(connection, stream, config, times);
  onPending?.(pending);
  let delivered = 0;
  let isLost = false;
  let close = () => {};
  const stop = () => close();
  // A fetch ends without an error when its server dies; another server, or a restarted one, may not have the consumer.
  const unwatch = watchConnection(connection).onDisconnect(() => {
    isLost = true;
    stop();
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    while (!signal.aborted) {
      if (isLost) throw new Error("the connection was lost");
      const fetchedAtMs = performance.now();
      let fetched = 0;
      const request = { max_messages: fetchMessagesMax, expires: fetchWaitMs, idle_heartbeat: heartbeatMs };
      const messages = fetch(request, (opened) => {
        close = () => void opened.close();
        if (signal.aborted || isLost) close();
      });
      for await (const message of messages) {
        const { deliverySequence } = message.info;
        if (deliverySequence !== delivered + 1) throw new Error(`delivery ${deliverySequence} follows ${delivered}`);
        delivered = deliverySequence;
        fetched += 1;
        yield message;
      }
      // It waited in vain: messages that were counted as pending may have expired since.
      const waitedMs = performance.now() - fetchedAtMs;
      if (fetched < fetchMessagesMax && waitedMs > fetchWaitMs - heartbeatMs && !isLost) onPending?.(0);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    unwatch();
  }
}
