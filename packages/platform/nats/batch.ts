/**
 * Atomic batches (ADR-50 of NATS): all messages are stored, or none. The client's own batch drops expectations and
 * TTLs silently, so the headers are written here.
 */
import { type Msg, headers, type NatsConnection, nuid } from "@nats-io/transport-node";
import type { Write } from "@packshot/domain/write.ts";

export const batchMessagesMax = 1_000;
const commitTimeoutMs = 5_000;
const wrongLastSequence = [10071, 10164];

/** Another writer was first; nothing was written. Read again from the leader and decide anew. */
export class LogConflict extends Error {
  constructor(transition: string) {
    super(`${transition}: another write came first`);
    this.name = "LogConflict";
  }
}

/** The answer was lost: the batch may or may not be stored. Read again from the leader; what carries my id is mine. */
export class LogOutcomeUnknown extends Error {
  constructor(transition: string, cause: unknown) {
    super(`${transition}: the outcome of the write is unknown`, { cause });
    this.name = "LogOutcomeUnknown";
  }
}

/** The server refused the batch for another reason than a conflict. */
export class LogRefused extends Error {
  readonly errCode: number;
  constructor(transition: string, errCode: number, description: string) {
    super(`${transition}: ${description} (${errCode})`);
    this.name = "LogRefused";
    this.errCode = errCode;
  }
}

interface PublishAnswer {
  readonly seq?: number;
  readonly count?: number;
  readonly error?: { readonly err_code: number; readonly description: string };
}

/**
 * Commits `writes` to one stream as one batch. Returns the sequence of the first message; the others follow it one by
 * one. Throws `LogConflict`, `LogOutcomeUnknown`, `LogRefused`.
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
    if (wrongLastSequence.includes(reply.error.err_code)) throw new LogConflict(transition);
    throw new LogRefused(transition, reply.error.err_code, reply.error.description);
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
