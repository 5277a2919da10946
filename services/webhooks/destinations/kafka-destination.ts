/**
 * Kafka by Confluent's REST proxy, or one that speaks like it. Version 3 of its API names the cluster and takes headers;
 * version 2, which other makers' proxies have too, takes neither. The value is sent as bytes, not as JSON that the proxy would
 * write anew: so a consumer gets what was signed.
 */

import {
  type DestinationCredentials,
  destinationUrl,
  type KafkaDestination,
} from "@packshot/domain/webhooks/destination.ts";
import { type EventDestination, messageAttributes, type OutgoingEvent } from "./event-destination.ts";

/** Brokers take 1 MiB by default; key, headers and the proxy's own JSON are part of it. */
const bodyBytesMax = 1_000_000;

export function createKafkaDestination(
  destination: KafkaDestination,
  { password }: DestinationCredentials["kafka"],
): EventDestination {
  const { username, clusterId } = destination;
  const version = clusterId === null ? version2 : version3;
  const authorization: Record<string, string> =
    username === null ? {} : { authorization: `Basic ${base64(`${username}:${password}`)}` };
  return {
    bodyBytesMax,
    toPost: async (event) => ({
      url: destinationUrl(destination),
      headers: { "content-type": version.contentType, ...authorization },
      body: JSON.stringify(version.record(event)),
    }),
    refusalIn(head) {
      const answer = parse(head);
      return answer !== undefined && version.isStored(answer)
        ? undefined
        : "the proxy answered 200 without a stored record";
    },
  };
}

interface ProxyVersion {
  readonly contentType: string;
  record(event: OutgoingEvent): object;
  /** A record that no broker took is told of in an answer of 200. */
  isStored(answer: Record<string, unknown>): boolean;
}

const version2: ProxyVersion = {
  contentType: "application/vnd.kafka.binary.v2+json",
  record: ({ group, body }) => ({ records: [{ key: base64(group), value: base64(body) }] }),
  isStored({ offsets }) {
    const [first] = Array.isArray(offsets) ? offsets : [];
    return Number.isInteger(first?.offset) && first.offset >= 0 && (first.error_code ?? null) === null;
  },
};

const version3: ProxyVersion = {
  contentType: "application/json",
  record: (event) => ({
    key: { type: "STRING", data: event.group },
    value: { type: "BINARY", data: base64(event.body) },
    headers: Object.entries(messageAttributes(event)).map(([name, text]) => ({ name, value: base64(text) })),
  }),
  isStored: ({ error_code: code, offset }) => code === 200 && Number.isInteger(offset),
};

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function parse(head: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(head);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
