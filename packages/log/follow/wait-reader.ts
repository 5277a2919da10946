/** Reads wait records as they are written. All readers share one consumer, which `migrate.ts` makes. */
import { type Consumer, type JsMsg, jetstream } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { QueueEntry } from "@packshot/domain/accounts/queue-entry.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import { sourcePrefetchConsumerName } from "../nats/streams.ts";

export interface WaitSource {
  readonly connection: NatsConnection;
  /** Name of the state stream. */
  readonly state: string;
}

const pullExpiresMs = 30_000;
const retryPullMs = 5_000;

/** Each record goes to one reader, once and without acks, until `signal` aborts. */
export async function* readWaits({ connection, state }: WaitSource, signal: AbortSignal): AsyncGenerator<QueueEntry> {
  let consumer: Consumer | undefined;
  async function next(): Promise<JsMsg | null> {
    // Looked up here and not at the start: a server that cannot answer now may answer the next time.
    consumer ??= await jetstream(connection).consumers.get(state, sourcePrefetchConsumerName);
    return await consumer.next({ expires: pullExpiresMs });
  }
  while (!signal.aborted) {
    const message = await next().catch(async () => {
      await pause(retryPullMs, signal);
      return null;
    });
    // A tombstone has no bytes.
    if (message !== null && message.data.length > 0 && !signal.aborted) yield message.json<QueueEntry>();
  }
}
