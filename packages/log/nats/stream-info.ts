import type { NatsConnection } from "@nats-io/transport-node";
import { requestJetStream } from "./jetstream-request.ts";

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
    ...(body === undefined ? {} : { body }),
  });
}
