/**
 * Whole streams as bytes, in nats-server's own format, with their consumers: what a backup is made of. The server takes a
 * snapshot while the stream is written, and sends what it held at one moment.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { StreamConfig, StreamState } from "@nats-io/jetstream";
import { type Msg, type NatsConnection, RequestError, type RequestOptions } from "@nats-io/transport-node";
import { createPrivateInbox } from "../nats/connection.ts";
import { requestJetStream } from "../nats/jetstream-request.ts";
import { LogRefused } from "../nats/errors.ts";

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
    ...{ endpoint, body: { config, state } },
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
export async function requestHeard(
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
