import type { NatsConnection } from "@nats-io/transport-node";
import { requestJetStream } from "../nats/jetstream-request.ts";

const timeoutMs = 5_000;

/** What a durable consumer of a work queue has still to do. */
export interface ConsumerBacklog {
  /** Messages that nobody has taken yet. */
  readonly pending: number;
  /** Messages that were taken and are neither acked nor due again. */
  readonly taken: number;
  /** Sequence of the last message that was taken. */
  readonly takenThrough: number;
}

interface ConsumerInfoAnswer {
  readonly num_pending?: number;
  readonly num_ack_pending?: number;
  readonly delivered?: { readonly stream_seq: number };
}

/** From the consumer's leader, which has the numbers in memory. */
export async function readConsumerBacklog(
  connection: NatsConnection,
  stream: string,
  consumer: string,
): Promise<ConsumerBacklog> {
  const endpoint = `CONSUMER.INFO.${stream}.${consumer}`;
  const info = await requestJetStream<ConsumerInfoAnswer>(connection, { endpoint, timeoutMs });
  const { num_pending, num_ack_pending, delivered } = info;
  return { pending: num_pending ?? 0, taken: num_ack_pending ?? 0, takenThrough: delivered?.stream_seq ?? 0 };
}
