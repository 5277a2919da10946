/** A snapshot of which records exist, without their bodies. */
import { DeliverPolicy } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { streams } from "@packshot/domain/subjects.ts";
import { addEphemeralConsumer } from "./ephemeral-consumer.ts";

const fetchMessagesMax = 1_000;
const fetchWaitMs = 2_000;
const timeoutMs = 10_000;
const consumerIdleMs = 30_000;

/**
 * Subjects of `PS_STATE` that match one of `filters` and whose last message carries no TTL: records that live until they are
 * ended, neither tombstones nor ended jobs. The snapshot is read from one replica and may miss what changes meanwhile:
 * whoever acts on a subject must read it from the leader first.
 */
export async function* scanLastingSubjects(
  connection: NatsConnection,
  filters: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const config = { deliver_policy: DeliverPolicy.LastPerSubject, filter_subjects: [...filters], headers_only: true };
  const times = { timeoutMs, idleMs: consumerIdleMs };
  const { consumer, pending, remove } = await addEphemeralConsumer(connection, streams.state, config, times);
  try {
    let left = pending;
    while (left > 0 && !signal.aborted) {
      const batch = { max_messages: Math.min(left, fetchMessagesMax), expires: fetchWaitMs };
      const leftBefore = left;
      for await (const message of await consumer.fetch(batch)) {
        left = message.info.pending;
        if (message.headers?.has("Nats-TTL") !== true) yield message.subject;
        if (left === 0) break;
      }
      // A counted message that does not come was replaced since: the snapshot is complete without it.
      if (left === leftBefore) return;
    }
  } finally {
    await remove();
  }
}
