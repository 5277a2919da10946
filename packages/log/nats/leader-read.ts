/**
 * Reads of single messages from a stream's leader: they see whatever was stored before the call.
 *
 * Records are read by their subject, and the log is not searched. When no message of a wildcard is left, nats-server looks
 * through the whole stream: 5.6 seconds with three million records, in which it commits nothing. So keys, webhooks and
 * connections are listed by an index record, which is written in the batch that creates or removes one. The repair sweep
 * takes unfinished jobs from the job view. `test/house-rules/log-reads.spec.ts` lists what still searches, and what bounds it.
 */
import type { NatsConnection } from "@nats-io/transport-node";
import { jetStreamErrorCodes, LogRefused } from "./errors.ts";
import { requestJetStream } from "./jetstream-request.ts";

const readTimeoutMs = 5_000;

export interface StoredMessage {
  readonly subject: string;
  readonly sequence: number;
  readonly storedAtMs: number;
  /** The message as text; empty for a tombstone. */
  readonly text: string;
  /** As on the wire: `NATS/1.0`, then a line for each header. Empty when there are none. */
  readonly headerText: string;
}

/** The last message whose subject is `subject`, or matches it: wildcards are allowed. */
export function readLastMessage(
  connection: NatsConnection,
  stream: string,
  subject: string,
  timeoutMs = readTimeoutMs,
): Promise<StoredMessage | undefined> {
  return getMessage(connection, stream, { last_by_subj: subject }, timeoutMs);
}

/** The first message at or after `fromSequence` whose subject matches `filter`. */
export function readNextMessage(
  connection: NatsConnection,
  stream: string,
  filter: string,
  fromSequence: number,
): Promise<StoredMessage | undefined> {
  return getMessage(connection, stream, { seq: Math.max(1, fromSequence), next_by_subj: filter });
}

export function readMessage(
  connection: NatsConnection,
  stream: string,
  sequence: number,
): Promise<StoredMessage | undefined> {
  return getMessage(connection, stream, { seq: sequence });
}

interface GetAnswer {
  readonly message?: {
    readonly subject: string;
    readonly seq: number;
    readonly time: string;
    readonly data?: string;
    readonly hdrs?: string;
  };
}

/** undefined: there is no such message. Throws `LogRefused`, and the client's errors when no server answers. */
async function getMessage(
  connection: NatsConnection,
  stream: string,
  body: { readonly seq?: number; readonly last_by_subj?: string; readonly next_by_subj?: string },
  timeoutMs = readTimeoutMs,
): Promise<StoredMessage | undefined> {
  const endpoint = `STREAM.MSG.GET.${stream}`;
  try {
    const { message } = await requestJetStream<GetAnswer>(connection, { endpoint, body, timeoutMs, leaderOf: stream });
    if (message === undefined)
      throw new LogRefused(endpoint, { err_code: 0, description: "an answer without a message" });
    const { subject, seq: sequence, time, data, hdrs } = message;
    return { subject, sequence, storedAtMs: Date.parse(time), text: fromBase64(data), headerText: fromBase64(hdrs) };
  } catch (error) {
    if (error instanceof LogRefused && error.errCode === jetStreamErrorCodes.noMessageFound) return undefined;
    throw error;
  }
}

function fromBase64(text: string | undefined): string {
  return text === undefined ? "" : Buffer.from(text, "base64").toString("utf8");
}
