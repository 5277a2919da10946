/**
 * Writes to one stream: all messages are stored, or none. Several go as an atomic batch (ADR-50 of NATS), a single one by
 * a plain publish, because a server without replicas stages each batch on disk, which takes 2 ms. The client's own batch
 * drops expectations and TTLs silently, so the headers are written here.
 */
import { headers, type Msg, type MsgHdrs, type NatsConnection, nuid } from "@nats-io/transport-node";
import type { Write } from "@packshot/domain/write.ts";
import {
  isWrongLastSequence,
  type JetStreamError,
  jetStreamErrorCodes,
  LogConflict,
  LogOutcomeUnknown,
  LogRefused,
} from "../nats/errors.ts";

export const batchMessagesMax = 1_000;
const commitTimeoutMs = 5_000;
/** Headers may take so many of a message's bytes, which the server limits. */
const headerBytesMax = 512;

interface PublishAnswer {
  readonly seq?: number;
  readonly count?: number;
  readonly error?: JetStreamError;
}

interface Message {
  readonly subject: string;
  readonly payload: Buffer;
  readonly headers: MsgHdrs;
}

/**
 * Commits `writes` to one stream. Returns the sequence of the first message; the others have the next ones. Throws
 * `LogConflict`, `LogOutcomeUnknown`, `LogRefused`.
 */
export async function commitBatch(
  connection: NatsConnection,
  transition: string,
  writes: readonly Write[],
): Promise<{ firstSequence: number }> {
  assertBatchSize(transition, writes);
  const messages = writes.map(toMessage);
  assertFitting(connection, transition, messages);
  if (messages.length > 1) addBatchHeaders(messages);
  let answer: Msg;
  try {
    for (const { subject, payload, headers } of messages.slice(0, -1))
      connection.publish(subject, payload, { headers });
    const { subject, payload, headers } = messages.at(-1)!;
    answer = await connection.request(subject, payload, { headers, timeout: commitTimeoutMs });
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

export function assertBatchSize(transition: string, { length }: readonly Write[]): void {
  if (length > 0 && length <= batchMessagesMax) return;
  throw new RangeError(`${transition}: a batch has 1 to ${batchMessagesMax} messages, not ${length}`);
}

function toMessage({ subject, value, expected, ttlSeconds }: Write): Message {
  const writeHeaders = headers();
  if (expected !== undefined) writeHeaders.set("Nats-Expected-Last-Subject-Sequence", String(expected));
  if (ttlSeconds !== undefined) writeHeaders.set("Nats-TTL", `${ttlSeconds}s`);
  setTraceHeader(writeHeaders, value);
  return { subject, payload: Buffer.from(value === null ? "" : JSON.stringify(value)), headers: writeHeaders };
}

/** Before anything is sent: the client throws at a message that is too large, and the batch before it would stay open. */
function assertFitting({ info }: NatsConnection, transition: string, messages: readonly Message[]): void {
  const bytesMax = (info?.max_payload ?? Number.POSITIVE_INFINITY) - headerBytesMax;
  const tooLarge = messages.find(({ payload }) => payload.length > bytesMax);
  if (tooLarge === undefined) return;
  const description = `${tooLarge.subject} has ${tooLarge.payload.length} bytes, more than ${bytesMax}`;
  throw new LogRefused(transition, { err_code: jetStreamErrorCodes.messageTooLarge, description });
}

function addBatchHeaders(messages: readonly Message[]): void {
  const batchId = nuid.next();
  for (const [index, { headers }] of messages.entries()) {
    headers.set("Nats-Batch-Id", batchId);
    headers.set("Nats-Batch-Sequence", String(index + 1));
    if (index === messages.length - 1) headers.set("Nats-Batch-Commit", "1");
  }
}

function parseAnswer(answer: Msg): PublishAnswer {
  return answer.data.length === 0 ? {} : answer.json<PublishAnswer>();
}

/**
 * A stored value that has a `traceparent` carries it as a header of its message too, where tools for NATS look for it. Our
 * own processes read the value: it survives promotions, requeues and retries, which write messages anew.
 */
export function setTraceHeader(headers: MsgHdrs, value: object | null): void {
  if (value === null || !("traceparent" in value)) return;
  if (typeof value.traceparent === "string") headers.set("traceparent", value.traceparent);
}
