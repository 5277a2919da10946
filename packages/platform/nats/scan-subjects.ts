/** A snapshot of which records exist, without their bodies. */
import { AckPolicy, DeliverPolicy, jetstream } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { streams } from "@packshot/domain/subjects.ts";

const fetchMessagesMax = 1_000;
const fetchWaitMs = 2_000;
const timeoutMs = 10_000;
const consumerIdleMs = 30_000;

/**
 * Subjects of `PS_STATE` that match `filter` and whose last message carries no TTL: records that live until they are
 * ended, neither tombstones nor ended jobs. From one replica, as it was at the start, and what changes meanwhile may be
 * missing: what is done about a subject needs a leader read.
 */
export async function* scanLastingSubjects(
  connection: NatsConnection,
  filter: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const client = jetstream(connection, { timeout: timeoutMs });
  const manager = await client.jetstreamManager(false);
  const info = await manager.consumers.add(streams.state, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.LastPerSubject,
    filter_subject: filter,
    headers_only: true,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: consumerIdleMs * 1_000_000,
  });
  try {
    const consumer = client.consumers.getConsumerFromInfo(info);
    let left = info.num_pending;
    while (left > 0 && !signal.aborted) {
      const batch = { max_messages: Math.min(left, fetchMessagesMax), expires: fetchWaitMs };
      const leftBefore = left;
      for await (const message of await consumer.fetch(batch)) {
        left = message.info.pending;
        if (message.headers?.has("Nats-TTL") !== true) yield message.subject;
        if (left === 0) break;
      }
      // What is counted and does not come was rewritten since: the snapshot is complete without it.
      if (left === leftBefore) return;
    }
  } finally {
    await manager.consumers.delete(streams.state, info.name).catch(() => {});
  }
}
