import { AckPolicy, type Consumer, type ConsumerConfig, jetstream } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";

const nanosPerMs = 1_000_000;

export interface EphemeralConsumer {
  readonly consumer: Consumer;
  /** Messages that it would deliver, as counted when it was made. */
  readonly pending: number;
  remove(): Promise<void>;
}

export interface EphemeralConsumerTimes {
  /** For each request to the server. */
  readonly timeoutMs: number;
  /** The server forgets the consumer when nothing was asked of it for so long. */
  readonly idleMs: number;
}

/** A consumer for one reader: in memory, on one server, without acks. */
export async function addEphemeralConsumer(
  connection: NatsConnection,
  stream: string,
  config: Partial<ConsumerConfig>,
  { timeoutMs, idleMs }: EphemeralConsumerTimes,
): Promise<EphemeralConsumer> {
  const client = jetstream(connection, { timeout: timeoutMs });
  const manager = await client.jetstreamManager(false);
  const info = await manager.consumers.add(stream, {
    ...config,
    ack_policy: AckPolicy.None,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: idleMs * nanosPerMs,
  });
  return {
    consumer: client.consumers.getConsumerFromInfo(info),
    pending: info.num_pending,
    async remove() {
      await manager.consumers.delete(stream, info.name).catch(() => {});
    },
  };
}
