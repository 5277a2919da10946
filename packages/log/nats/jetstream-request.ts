/** Requests to JetStream's API, `$JS.API.…`, whose errors are in the answer. */
import type { NatsConnection } from "@nats-io/transport-node";
import { askLeader } from "./leader-watch.ts";
import { type JetStreamError, LogRefused } from "./errors.ts";

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
