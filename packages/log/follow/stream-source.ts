import type { NatsConnection } from "@nats-io/transport-node";
import { readStreamInfo, requestJetStream } from "../nats/jetstream-request.ts";

export interface StreamSource {
  readonly stream: string;
  readonly sequence: number;
}

/**
 * Where a copied message was written, out of the header `Nats-Stream-Source` that nats-server 2.15 writes:
 * `PS_STATE 15 ps.ledger.*.*.*.* psl.$1 ps.ledger.<acct>.<period>.<entry>.debit mUB2brR7` (stream, sequence, filter,
 * transform, first subject, id).
 */
export function streamSource(header: string | undefined): StreamSource | undefined {
  const [stream, sequence] = header?.trim().split(" ") ?? [];
  if (stream === undefined || sequence === undefined || !/^[1-9][0-9]*$/.test(sequence)) return undefined;
  return { stream, sequence: Number(sequence) };
}

/** The same of a message that was read with its headers as text. */
export function streamSourceIn(headerText: string | undefined): StreamSource | undefined {
  return streamSource(/^Nats-Stream-Source: *(.*)$/im.exec(headerText ?? "")?.[1]);
}

/** Where it was written, when that was in the stream with this name. */
export function sourceSequence(source: StreamSource | undefined, stream: string): number | undefined {
  return source?.stream === stream ? source.sequence : undefined;
}

/** The ends of a stream that is a queue of messages, and the removal of its oldest. */
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
