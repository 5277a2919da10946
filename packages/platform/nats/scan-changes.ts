/** Which records were written since a sequence, without their bodies. */
import { DeliverPolicy } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { addEphemeralConsumer } from "./ephemeral-consumer.ts";
import type { StateStream } from "./state-streams.ts";

const fetchMessagesMax = 1_000;
const fetchWaitMs = 2_000;
const timeoutMs = 10_000;
const consumerIdleMs = 30_000;

export interface RecordChange {
  readonly subject: string;
  readonly sequence: number;
  /** The message carries no TTL: the record lives until it is ended. False for tombstones and for ended jobs. */
  readonly isLasting: boolean;
}

/**
 * Records of the state stream whose subject matches `filter` and whose last write is at or after `fromSequence`, in the order of
 * these writes. They are read from one replica, which may lag: whoever acts on a record must read it from the leader
 * first, and reads on from the last sequence later. A tombstone that has expired by then is never seen.
 */
export async function* scanChanges(
  connection: NatsConnection,
  { state }: StateStream,
  filter: string,
  fromSequence: number,
  signal: AbortSignal,
): AsyncGenerator<RecordChange> {
  const config = {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, fromSequence),
    filter_subject: filter,
    headers_only: true,
  };
  const times = { timeoutMs, idleMs: consumerIdleMs };
  const { consumer, pending, remove } = await addEphemeralConsumer(connection, state, config, times);
  try {
    let left = pending;
    while (left > 0 && !signal.aborted) {
      const batch = { max_messages: Math.min(left, fetchMessagesMax), expires: fetchWaitMs };
      const leftBefore = left;
      for await (const message of await consumer.fetch(batch)) {
        left = message.info.pending;
        const isLasting = message.headers?.has("Nats-TTL") !== true;
        yield { subject: message.subject, sequence: message.seq, isLasting };
        if (left === 0) break;
      }
      // A counted message that does not come was replaced since: it comes with the next scan.
      if (left === leftBefore) return;
    }
  } finally {
    await remove();
  }
}
