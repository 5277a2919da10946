/**
 * How `PACKSHOT_LOG_MAX_BYTES` is divided among the streams. What a full stream does is its discard policy: where
 * something would be lost, nats-server refuses the write. Long before, edits are refused (`log-watch.ts`): a state stream that
 * is half full must keep room for what its jobs still write, about as much again until each has ended and is settled. Copies
 * of a full `PS_READY`, `PS_EVENTS` or `PS_LEDGER` wait in the state stream, and edits are refused from nine tenths on.
 * `PS_DELIVERIES` cannot be limited, because it has schedules: deliveries are dropped instead (`queue-room.ts`).
 * `PS_ATTEMPTS` drops its oldest.
 */
import { streams } from "@packshot/domain/subjects.ts";
import type { StateStream } from "./state-streams.ts";

/** Percent, by what ten million jobs a day leave in each (docs/scale.md); the ledger's is for a storage that is full. */
const shares: Readonly<Record<keyof typeof streams, number>> = {
  state: 40,
  ready: 5,
  events: 30,
  ledger: 10,
  deliveries: 5,
  attempts: 10,
};

/**
 * Edits are refused when a stream has more than this part of its bytes. Each job that a state stream holds writes about
 * as much again before it has ended and is settled: its event has its metadata too. Deliveries refuse no edits, because
 * one account's failing endpoints would then stop all accounts: they no longer wait for failing endpoints
 * (`services/webhooks/delivery/queue-room.ts`).
 */
export function fillMax(stream: string): number {
  return stream.startsWith(streams.state) || stream === streams.deliveries ? 0.5 : 0.9;
}

/** Key in a stream's metadata: what the stream may hold though nats-server does not enforce it. */
export const bytesMaxMetadata = "packshot.bytes-max";

/** The limit of one stream of this kind; 0 where there is no limit. */
export function streamBytesMax(
  kind: keyof typeof streams,
  logBytesMax: number,
  stateStreams: readonly StateStream[],
): number {
  const among = kind === "state" || kind === "events" ? stateStreams.length : 1;
  return Math.floor((logBytesMax * shares[kind]) / 100 / among);
}
