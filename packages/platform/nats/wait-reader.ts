/** Wait records as they are made, each to one of all who read: `ensureStreams` made the consumer that they share. */
import { type Consumer, jetstream, type JsMsg } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { streams } from "@packshot/domain/subjects.ts";
import type { QueueEntry } from "@packshot/domain/queue-entry.ts";
import { pause } from "../flow/pause.ts";
import { sourcePrefetchConsumerName } from "./streams.ts";

const pullExpiresMs = 30_000;
const retryPullMs = 5_000;

/** Until `signal` aborts. What is given is given once, never acked and never given again. */
export async function* readWaits(connection: NatsConnection, signal: AbortSignal): AsyncGenerator<QueueEntry> {
  let consumer: Consumer | undefined;
  async function next(): Promise<JsMsg | null> {
    // Asked for here: a server that cannot tell of it now may by the next time.
    consumer ??= await jetstream(connection).consumers.get(streams.state, sourcePrefetchConsumerName);
    return await consumer.next({ expires: pullExpiresMs });
  }
  while (!signal.aborted) {
    const message = await next().catch(async () => {
      await pause(retryPullMs, signal);
      return null;
    });
    // A wait record that ended has no bytes.
    if (message !== null && message.data.length > 0 && !signal.aborted) yield message.json<QueueEntry>();
  }
}
