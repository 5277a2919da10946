/**
 * Atomic batches (ADR-50 of NATS): all messages are stored, or none. The client's own batch drops expectations and
 * TTLs silently, so the headers are written here.
 */
import { type Msg, headers, type NatsConnection, nuid } from "@nats-io/transport-node";
import type { Write } from "@packshot/domain/write.ts";
import { isWrongLastSequence, type JetStreamError, LogConflict, LogOutcomeUnknown, LogRefused } from "./log-errors.ts";

export const batchMessagesMax = 1_000;
const commitTimeoutMs = 5_000;

interface PublishAnswer {
  readonly seq?: number;
  readonly count?: number;
  readonly error?: JetStreamError;
}

/**
 * Commits `writes` to one stream as one batch. Returns the sequence of the first message; the others have the next ones.
 * Throws `LogConflict`, `LogOutcomeUnknown`, `LogRefused`.
 */
export async function commitBatch(
  connection: NatsConnection,
  transition: string,
  writes: readonly Write[],
): Promise<{ firstSequence: number }> {
  if (writes.length === 0 || writes.length > batchMessagesMax) {
    throw new RangeError(`${transition}: a batch has 1 to ${batchMessagesMax} messages, not ${writes.length}`);
  }
  const batchId = nuid.next();
  let answer: Msg | undefined;
  try {
    for (const [index, write] of writes.entries()) {
      const isLast = index === writes.length - 1;
      const options = { headers: headersOf(write, batchId, index + 1, isLast) };
      const payload = write.value === null ? "" : JSON.stringify(write.value);
      if (isLast) answer = await connection.request(write.subject, payload, { ...options, timeout: commitTimeoutMs });
      else connection.publish(write.subject, payload, options);
    }
  } catch (error) {
    throw new LogOutcomeUnknown(transition, error);
  }
  const reply = parseAnswer(answer);
  if (reply.error !== undefined) {
    if (isWrongLastSequence(reply.error.err_code)) throw new LogConflict(transition);
    throw new LogRefused(transition, reply.error);
  }
  if (reply.seq === undefined) throw new LogOutcomeUnknown(transition, "an answer without a sequence");
  return { firstSequence: reply.seq - writes.length + 1 };
}

function headersOf(write: Write, batchId: string, sequence: number, isLast: boolean) {
  const batchHeaders = headers();
  batchHeaders.set("Nats-Batch-Id", batchId);
  batchHeaders.set("Nats-Batch-Sequence", String(sequence));
  if (isLast) batchHeaders.set("Nats-Batch-Commit", "1");
  if (write.expected !== undefined) {
    batchHeaders.set("Nats-Expected-Last-Subject-Sequence", String(write.expected));
  }
  if (write.ttlSeconds !== undefined) batchHeaders.set("Nats-TTL", `${write.ttlSeconds}s`);
  return batchHeaders;
}

function parseAnswer(answer: Msg | undefined): PublishAnswer {
  if (answer === undefined || answer.data.length === 0) return {};
  return answer.json<PublishAnswer>();
}
