/**
 * Publishes in groups: many small messages to one stream go out as few atomic batches. With `sync_interval: always` each
 * single message costs a write to disk (about 600/s on two shared cores), and a batch of fifty costs hardly more than
 * one. What arrives while a batch commits makes the next batch; no timer holds anything up. The stream needs
 * `allow_atomic`.
 */
import { headers, type NatsConnection, nuid } from "@nats-io/transport-node";
import { activeSpan, linkBatch, type TraceSpan } from "@packshot/platform/telemetry/tracing.ts";
import { type JetStreamError, jetStreamErrorCodes, LogRefused } from "../nats/errors.ts";
import { setTraceHeader } from "./atomic-batch.ts";

/** Resolves when stored; may reject although stored. A `messageId` is stored once within the stream's window. */
export type Publish = (subject: string, value: object, messageId?: string) => Promise<void>;

const publishesMax = 200;
const publishTimeoutMs = 5_000;

interface PendingPublish {
  readonly subject: string;
  readonly value: object;
  readonly span: TraceSpan | undefined;
  readonly messageId: string | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createBatchPublisher(connection: NatsConnection): Publish {
  const pending: PendingPublish[] = [];
  let isBusy = false;

  async function drain(): Promise<void> {
    isBusy = true;
    while (pending.length > 0) await store(connection, pending.splice(0, publishesMax));
    isBusy = false;
  }

  return (subject, value, messageId) =>
    new Promise<void>((resolve, reject) => {
      pending.push({ subject, value, span: activeSpan(), messageId, resolve, reject });
      // A microtask later, so that what is published in the same turn of the event loop goes together.
      if (!isBusy) {
        isBusy = true;
        queueMicrotask(() => void drain());
      }
    });
}

async function store(connection: NatsConnection, group: readonly PendingPublish[]): Promise<void> {
  linkBatch(group.flatMap(({ span }) => span ?? []));
  try {
    if (group.length === 1) await publishOne(connection, group[0]!);
    else await publishBatch(connection, group);
    for (const { resolve } of group) resolve();
  } catch (error) {
    if (error instanceof LogRefused && error.errCode === jetStreamErrorCodes.duplicateInBatch)
      await storeEach(connection, group);
    else for (const { reject } of group) reject(error);
  }
}

/** The server refuses a batch of which one message is stored already. Published alone, that one is ignored. */
async function storeEach(connection: NatsConnection, group: readonly PendingPublish[]): Promise<void> {
  await Promise.all(group.map((message) => publishOne(connection, message).then(message.resolve, message.reject)));
}

async function publishOne(connection: NatsConnection, { subject, value, messageId }: PendingPublish): Promise<void> {
  const options = headers();
  const payload = JSON.stringify(value);
  setTraceHeader(options, value);
  if (messageId !== undefined) options.set("Nats-Msg-Id", messageId);
  assertStored(subject, await connection.request(subject, payload, { headers: options, timeout: publishTimeoutMs }));
}

async function publishBatch(connection: NatsConnection, group: readonly PendingPublish[]): Promise<void> {
  const batchId = nuid.next();
  for (const [index, { subject, value, messageId }] of group.entries()) {
    const options = headers();
    const payload = JSON.stringify(value);
    setTraceHeader(options, value);
    options.set("Nats-Batch-Id", batchId);
    options.set("Nats-Batch-Sequence", String(index + 1));
    if (messageId !== undefined) options.set("Nats-Msg-Id", messageId);
    if (index < group.length - 1) {
      connection.publish(subject, payload, { headers: options });
      continue;
    }
    options.set("Nats-Batch-Commit", "1");
    assertStored(subject, await connection.request(subject, payload, { headers: options, timeout: publishTimeoutMs }));
  }
}

/** Throws `LogRefused` when `answer` reports an error. */
export function assertStored(subject: string, answer: { json<T>(): T }): void {
  const { error } = answer.json<{ error?: JetStreamError }>();
  if (error !== undefined) throw new LogRefused(subject, error);
}
