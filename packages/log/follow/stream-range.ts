/** The ends of a stream that is a queue of messages, and the removal of its oldest. */
import type { NatsConnection } from "@nats-io/transport-node";
import { requestJetStream } from "../nats/jetstream-request.ts";
import { readStreamInfo } from "../nats/stream-info.ts";

export interface StreamRange {
  /** One more than `last` when the stream is empty. */
  readonly first: number;
  readonly last: number;
}

/** From the stream's leader. */
export async function streamRange(connection: NatsConnection, stream: string): Promise<StreamRange> {
  const { state } = await readStreamInfo(connection, stream);
  return { first: state.first_seq, last: state.last_seq };
}

/** Removes the messages before `sequence`; that one stays. */
export async function purgeBefore(connection: NatsConnection, stream: string, sequence: number): Promise<void> {
  // The server takes 0 for everything.
  if (sequence <= 1) return;
  await requestJetStream(connection, { endpoint: `STREAM.PURGE.${stream}`, body: { seq: sequence } });
}
