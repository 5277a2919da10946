/** Requests to JetStream's API, `$JS.API.…`, whose errors are in the answer. */
import type { NatsConnection } from "@nats-io/transport-node";
import { type JetStreamError, LogRefused } from "./errors.ts";
import { askLeader } from "./leader-watch.ts";

const defaultTimeoutMs = 10_000;

export interface JetStreamRequest {
  /** What follows `$JS.API.`: `STREAM.INFO.PS_STATE`. */
  readonly endpoint: string;
  readonly body?: object;
  readonly timeoutMs?: number;
  /** The stream whose leader answers. It is asked again when another server leads it, so this is for reads. */
  readonly leaderOf?: string;
}

/** The leader's answer. Throws `LogRefused` when it is an error, and the client's errors when no server answers. */
export async function requestJetStream<Answer extends object>(
  connection: NatsConnection,
  { endpoint, body, timeoutMs = defaultTimeoutMs, leaderOf }: JetStreamRequest,
): Promise<Answer> {
  const payload = body === undefined ? "" : JSON.stringify(body);
  const ask = (timeout: number) => connection.request(`$JS.API.${endpoint}`, payload, { timeout });
  const message = await (leaderOf === undefined ? ask(timeoutMs) : askLeader(connection, leaderOf, timeoutMs, ask));
  const answer = message.json<Answer & { readonly error?: JetStreamError }>();
  if (answer.error !== undefined) throw new LogRefused(endpoint, answer.error);
  return answer;
}

/** What a copy says of one stream that it copies from. */
export interface CopySource {
  readonly name: string;
  readonly filter_subject?: string;
  readonly subject_transforms?: readonly { readonly src: string }[];
  /** In the source, of the last message that was copied. */
  readonly seq?: number;
  /** Messages that wait behind the one that came last. */
  readonly lag: number;
}

export interface StreamInfo {
  readonly config: {
    readonly max_bytes?: number;
    readonly metadata?: Readonly<Record<string, string>>;
  };
  readonly state: {
    readonly bytes: number;
    readonly messages: number;
    readonly first_seq: number;
    readonly last_seq: number;
    /** Messages by subject, of those that match `subjects_filter`: a page of them, and `total` of all. */
    readonly subjects?: Readonly<Record<string, number>>;
  };
  readonly total?: number;
  readonly sources?: readonly CopySource[];
}

/** Names that are wanted too, from the one with this number on. */
export interface SubjectsPage {
  readonly subjects_filter: string;
  readonly offset: number;
}

/** From the stream's leader. */
export function readStreamInfo(connection: NatsConnection, stream: string, body?: SubjectsPage): Promise<StreamInfo> {
  const endpoint = `STREAM.INFO.${stream}`;
  return requestJetStream<StreamInfo>(connection, {
    endpoint,
    leaderOf: stream,
    body,
  });
}

const timeoutMs = 5_000;

/** What a durable consumer of a work queue has still to do. */
export interface ConsumerBacklog {
  /** Messages that nobody has taken yet. */
  readonly pending: number;
  /** Messages that were taken and are neither acked nor due again. */
  readonly taken: number;
  /** Sequence of the last message that was taken. */
  readonly takenThrough: number;
}

interface ConsumerInfoAnswer {
  readonly num_pending?: number;
  readonly num_ack_pending?: number;
  readonly delivered?: { readonly stream_seq: number };
}

/** From the consumer's leader, which has the numbers in memory. */
export async function readConsumerBacklog(
  connection: NatsConnection,
  stream: string,
  consumer: string,
): Promise<ConsumerBacklog> {
  const endpoint = `CONSUMER.INFO.${stream}.${consumer}`;
  const info = await requestJetStream<ConsumerInfoAnswer>(connection, { endpoint, timeoutMs });
  const { num_pending, num_ack_pending, delivered } = info;
  return { pending: num_pending ?? 0, taken: num_ack_pending ?? 0, takenThrough: delivered?.stream_seq ?? 0 };
}
