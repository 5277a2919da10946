/**
 * Whole streams as bytes, in nats-server's own format, with their consumers: what a backup is made of. The server takes a
 * snapshot while the stream is written, and sends what it held at one moment.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { StreamConfig, StreamState } from "@nats-io/jetstream";
import { headers, type Msg, type NatsConnection, RequestError, type RequestOptions } from "@nats-io/transport-node";
import { pause } from "@packshot/platform/flow/pause.ts";
import { createPrivateInbox } from "../nats/connection.ts";
import { type JetStreamError, LogRefused } from "../nats/errors.ts";
import { readStreamInfo, requestJetStream } from "../nats/jetstream-request.ts";
import { readMessage, type StoredMessage } from "../nats/leader-read.ts";

/** What nats-server needs, apart from the bytes, to restore a stream. */
export interface StreamDescription {
  readonly config: StreamConfig;
  readonly state: StreamState;
}

export interface StreamSnapshot extends StreamDescription {
  /** To be read to its end, once; throws when the server stops before it has sent all. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Below the servers' `max_payload`. */
const chunkBytes = 256 * 1024;
/** Without a chunk for so long the server is considered gone. Before the first it may check a large stream. */
const silenceTimeoutMs = 60_000;
/** The server answers a chunk when it has written it. */
const chunkTimeoutMs = 30_000;
/** The last answer comes when the stream has been read back. */
const finishTimeoutMs = 600_000;

/** Throws `LogRefused` when there is no such stream. */
export async function snapshotStream(connection: NatsConnection, name: string): Promise<StreamSnapshot> {
  const inbox = createPrivateInbox(connection);
  const subscription = connection.subscribe(inbox);
  try {
    const description = await requestJetStream<StreamDescription>(connection, {
      endpoint: `STREAM.SNAPSHOT.${name}`,
      body: { deliver_subject: inbox, no_consumers: false, chunk_size: chunkBytes },
    });
    const { config, state } = description;
    return { config, state, chunks: readChunks(subscription, name) };
  } catch (error) {
    subscription.unsubscribe();
    throw error;
  }
}

async function* readChunks(
  subscription: AsyncIterable<Msg> & { unsubscribe(): void },
  name: string,
): AsyncGenerator<Uint8Array> {
  const messages = subscription[Symbol.asyncIterator]();
  try {
    for (;;) {
      const silence = new AbortController();
      const next = await Promise.race([
        messages.next(),
        delay(silenceTimeoutMs, undefined, { signal: silence.signal }),
      ]).finally(() => silence.abort());
      if (next === undefined || next.done) throw new Error(`the snapshot of ${name} broke off`);
      const { data, headers } = next.value as Msg;
      if (data.length === 0) {
        // 204, or an error.
        if (headers !== undefined && headers.code >= 400)
          throw new Error(`the snapshot of ${name} failed: ${headers.code} ${headers.description}`);
        return;
      }
      yield data;
      (next.value as Msg).respond();
    }
  } finally {
    subscription.unsubscribe();
  }
}

/** Makes the stream anew. Throws `LogRefused` when there is one of this name, or the bytes are not a snapshot of it. */
export async function restoreStream(
  connection: NatsConnection,
  { config, state }: StreamDescription,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const endpoint = `STREAM.RESTORE.${config.name}`;
  const { deliver_subject: target } = await requestJetStream<{ readonly deliver_subject: string }>(connection, {
    endpoint,
    body: { config, state },
  });
  for await (const chunk of chunks)
    assertNoError(await requestHeard(connection, target, chunk, { timeout: chunkTimeoutMs }), endpoint);
  assertNoError(await requestHeard(connection, target, new Uint8Array(), { timeout: finishTimeoutMs }), endpoint);
}

/** It answers with nothing, or says why it gives up. */
function assertNoError(answer: Msg, endpoint: string): void {
  if (answer.data.length === 0) return;
  const { error } = answer.json<{ readonly error?: ConstructorParameters<typeof LogRefused>[1] }>();
  if (error !== undefined) throw new LogRefused(endpoint, error);
}

const interestTimeoutMs = 5_000;
const interestPollMs = 50;

/** In a cluster another server may listen, and ours knows of it a moment later: until then nobody gets the request. */
async function requestHeard(
  connection: NatsConnection,
  subject: string,
  payload: Uint8Array | string,
  options: RequestOptions,
): Promise<Msg> {
  for (const giveUpAtMs = Date.now() + interestTimeoutMs; ; await delay(interestPollMs)) {
    try {
      return await connection.request(subject, payload, options);
    } catch (error) {
      const isUnheard = error instanceof RequestError && error.isNoResponders();
      if (!isUnheard || Date.now() > giveUpAtMs) throw error;
    }
  }
}

/**
 * What was written to a stream while its snapshot was taken. nats-server reads a snapshot message by message, up to the one
 * that was the last when it began. A record that was written again meanwhile is not in it: neither as it was, which is
 * gone, nor as it is, which came later. The tail has the later ones, up to a moment at which all records of a snapshot and
 * its tail are of one state: no record was overwritten before it was read, and no atomic batch is cut.
 */
export interface TailMessage {
  readonly sequence: number;
  readonly subject: string;
  readonly text: string;
  /** As on the wire; empty when there are none. */
  readonly headerText: string;
}

/** Read at once, and published at once. */
const parallelMax = 64;
const pollMs = 5;
const publishTimeoutMs = 30_000;
/** What a client may not say again: expectations hold no more, and each message is stored by itself. */
const droppedHeaders = /^Nats-(Expected|Batch)-/i;

/**
 * The messages after `after` that are still there when they are read, in order; an older one of a record that comes again
 * may be among them. Throws when the stream is written faster than it can be read for `patienceMs`.
 */
export async function* readTail(
  connection: NatsConnection,
  stream: string,
  { after, patienceMs }: { readonly after: number; readonly patienceMs: number },
): AsyncGenerator<TailMessage> {
  const giveUpAtMs = performance.now() + patienceMs;
  const lastSequence = async () => (await readStreamInfo(connection, stream)).state.last_seq;
  // Whatever was overwritten while the snapshot was taken has been written again up to here.
  let neededThrough = await lastSequence();
  for (let next = after + 1; ; ) {
    const through = Math.min(next + parallelMax - 1, await lastSequence());
    const sequences = Array.from({ length: Math.max(0, through - next + 1) }, (_none, index) => next + index);
    const found = await Promise.all(sequences.map((sequence) => readMessage(connection, stream, sequence)));
    const present = found.filter((message) => message !== undefined);
    yield* present;
    // What was missing was overwritten by a message that is stored by now, or it is removed for good.
    if (present.length < found.length) neededThrough = await lastSequence();
    next += found.length;
    const isWhole = next > neededThrough;
    const last = present.at(-1) ?? (next > 1 ? await readMessage(connection, stream, next - 1) : undefined);
    if (isWhole && !isInsideBatch(last)) return;
    if (performance.now() > giveUpAtMs)
      throw new Error(`${stream} is written faster than it can be read: take the backup when less is going on`);
    if (found.length === 0) await pause(pollMs, new AbortController().signal);
  }
}

function isInsideBatch(message: StoredMessage | undefined): boolean {
  const names = headerLines(message?.headerText ?? "").map(([name]) => name);
  return names.includes("Nats-Batch-Id") && !names.includes("Nats-Batch-Commit");
}

function headerLines(text: string): (readonly [name: string, value: string])[] {
  return text
    .split("\r\n")
    .slice(1)
    .filter((line) => line.includes(":"))
    .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()] as const);
}

export interface TailPlace {
  /** Subjects below it are stored without it. */
  readonly subjectPrefix: string;
  /** The stream's last sequence. */
  readonly after: number;
  /**
   * The messages get the sequences that they had, because records name each other by them. For that, the stream must keep
   * one message of each subject: what fills a gap gives way to what follows it.
   */
  readonly keepsSequences: boolean;
}

/** Stores the messages, in their order. Throws `LogRefused` when nats-server does not take one. */
export async function writeTail(
  connection: NatsConnection,
  { subjectPrefix, after, keepsSequences }: TailPlace,
  messages: AsyncIterable<TailMessage>,
): Promise<void> {
  const answers: Promise<void>[] = [];
  let last = after;
  let isHeard = false;
  const store = async (subject: string, text: string, headerText: string, expected: number | undefined) => {
    const answer = publish(connection, `${subjectPrefix}.${subject}`, text, headerText, expected);
    // The first one alone: one that nobody hears is sent again, and would come after those behind it.
    if (!isHeard) await answer;
    isHeard = true;
    // Awaited below; a rejection before that must not count as unhandled.
    answer.catch(() => {});
    answers.push(answer);
    if (answers.length >= parallelMax) await answers.shift();
  };
  for await (const { sequence, subject, text, headerText } of messages) {
    if (keepsSequences) for (; last < sequence - 1; last++) await store(subject, "", "", last + 1);
    await store(subject, text, headerText, keepsSequences ? sequence : undefined);
    last = sequence;
  }
  await Promise.all(answers);
}

async function publish(
  connection: NatsConnection,
  subject: string,
  text: string,
  headerText: string,
  expected: number | undefined,
): Promise<void> {
  const own = headers();
  for (const [name, value] of headerLines(headerText)) if (!droppedHeaders.test(name)) own.append(name, value);
  const answer = await requestHeard(connection, subject, text, { headers: own, timeout: publishTimeoutMs });
  const { seq, error } = answer.json<{ readonly seq?: number; readonly error?: JetStreamError }>();
  if (error !== undefined) throw new LogRefused(`storing ${subject}`, error);
  if (expected !== undefined && seq !== expected)
    throw new Error(`${subject} was stored as ${seq}, not as ${expected}: somebody else writes to the log`);
}
