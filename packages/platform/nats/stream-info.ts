import type { NatsConnection } from "@nats-io/transport-node";
import { type JetStreamError, LogRefused } from "./log-errors.ts";

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
  readonly state: { readonly bytes: number; readonly first_seq: number; readonly last_seq: number };
  readonly sources?: readonly CopySource[];
}

/** From the stream's leader. */
export async function readStreamInfo(
  connection: NatsConnection,
  stream: string,
  timeoutMs = 10_000,
): Promise<StreamInfo> {
  const answer = await connection.request(`$JS.API.STREAM.INFO.${stream}`, "", { timeout: timeoutMs });
  const info = answer.json<StreamInfo & { readonly error?: JetStreamError }>();
  if (info.error !== undefined) throw new LogRefused(`reading ${stream}`, info.error);
  return info;
}
