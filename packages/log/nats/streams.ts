/**
 * The log's streams and durable consumers, as `migrate.ts` makes them for a number of state streams. `PS_READY`,
 * `PS_EVENTS` and `PS_LEDGER` are copies: nats-server sources them from subjects of the state streams, so that writing a
 * record and announcing it are the same write. Each state stream has its own events stream, followers and cursors, because
 * sequences count within a stream; the ready queue, the ledger and the deliveries are one for all.
 */

import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamSource,
} from "@nats-io/jetstream";
import { lanes } from "@packshot/domain/accounts/lane.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { deliverySubjects } from "@packshot/domain/webhooks/delivery.ts";
import { listStateStreams, type StateStream, type StateStreamCount } from "./state-streams.ts";

const nanosPerMs = 1_000_000;
const hours = 3_600_000 * nanosPerMs;

/** A message is delivered again when its holder neither acks nor says `working()` for this long. */
const readyAckWaitMs = 30_000;
/** Longer than an attempt with all that is written after it; a killed process's deliveries come again after it. */
const deliveryAckWaitMs = 30_000;

export function laneConsumerName(lane: number): string {
  return `lane-${lane}`;
}

export const deliveriesConsumerName = "deliveries";
/** Gives each wait record, as it is written, to one of the workers: once, without acks. */
export const sourcePrefetchConsumerName = "early-fetch";

export type NamedStreamConfig = Partial<StreamConfig> & { readonly name: string };

/** A stream with copies of what the state streams store. When it is full, what it lacks waits in the state streams. */
function copies(name: string, sources: StreamSource[]): NamedStreamConfig {
  return { name, storage: StorageType.File, discard: DiscardPolicy.New, sources, allow_direct: false };
}

/**
 * Copies under one subject for each account: each subject costs nats-server 220 bytes of memory as long as it has a
 * message. A copy's first subject stands in its `Nats-Stream-Source`.
 */
function sourcesByAccount(filter: string, copyOf: (accountId: string) => string, from: readonly StateStream[]) {
  // The second wildcard is the account; the first is the shard.
  const transform = { src: filter, dest: copyOf("$2") };
  return from.map(({ state: name }): StreamSource => ({ name, subject_transforms: [transform] }));
}

/**
 * In the order in which they can be made. How many replicas they have and how many bytes they may take together is the
 * operator's choice; 0 bytes: no limit.
 */
export function streamConfigs(count: StateStreamCount, logBytesMax: number): NamedStreamConfig[] {
  const stateStreams = listStateStreams(count);
  const bytesMax = (kind: keyof typeof streams) => streamBytesMax(kind, logBytesMax, stateStreams);
  const limit = (kind: keyof typeof streams) => ({ max_bytes: bytesMax(kind) || -1 });
  return [
    ...stateStreams.map(
      (stream): NamedStreamConfig => ({
        name: stream.state,
        subjects: [...stream.subjects],
        storage: StorageType.File,
        retention: RetentionPolicy.Limits,
        ...limit("state"),
        // The oldest message may be the record of an account.
        discard: DiscardPolicy.New,
        max_msgs_per_subject: 1,
        allow_direct: true,
        allow_atomic: true,
        allow_msg_ttl: true,
      }),
    ),
    {
      ...copies(
        streams.ready,
        stateStreams.map(({ state: name }) => ({ name, filter_subject: subjects.ready("*", "*", "*") })),
      ),
      ...limit("ready"),
      retention: RetentionPolicy.Workqueue,
    },
    ...stateStreams.map(
      (stream): NamedStreamConfig => ({
        ...copies(stream.events, sourcesByAccount(subjects.event("*", "*", "*"), subjects.eventCopy, [stream])),
        ...limit("events"),
        retention: RetentionPolicy.Limits,
        max_age: 72 * hours,
      }),
    ),
    {
      ...copies(
        streams.ledger,
        sourcesByAccount(subjects.ledger("*", "*", "*", "*"), subjects.ledgerCopy, stateStreams),
      ),
      ...limit("ledger"),
      retention: RetentionPolicy.Limits,
    },
    {
      name: streams.deliveries,
      subjects: ["psd.>"],
      storage: StorageType.File,
      retention: RetentionPolicy.Workqueue,
      // nats-server cannot refuse messages of a full stream with schedules, and would drop the oldest deliveries.
      metadata: { [bytesMaxMetadata]: String(bytesMax("deliveries")) },
      allow_msg_schedules: true,
      allow_msg_ttl: true,
      allow_atomic: true,
      duplicate_window: 1 * hours,
    },
    {
      name: streams.attempts,
      subjects: ["psa.>"],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      ...limit("attempts"),
      discard: DiscardPolicy.Old,
      allow_atomic: true,
      max_age: 72 * hours,
    },
  ];
}

export type DurableConfig = Partial<ConsumerConfig> & { readonly stream: string; readonly durable_name: string };

export function durableConfigs(count: StateStreamCount): DurableConfig[] {
  return [
    ...lanes.map((lane) => ({
      stream: streams.ready,
      durable_name: laneConsumerName(lane),
      filter_subject: subjects.ready(lane, "*", "*"),
      ack_policy: AckPolicy.Explicit,
      ack_wait: readyAckWaitMs * nanosPerMs,
      max_deliver: -1,
      max_ack_pending: 10_000,
    })),
    ...listStateStreams(count).map(({ state }) => ({
      stream: state,
      durable_name: sourcePrefetchConsumerName,
      filter_subject: subjects.wait.live("*", "*"),
      deliver_policy: DeliverPolicy.New,
      ack_policy: AckPolicy.None,
    })),
    {
      stream: streams.deliveries,
      durable_name: deliveriesConsumerName,
      filter_subject: deliverySubjects.dueAll,
      ack_policy: AckPolicy.Explicit,
      ack_wait: deliveryAckWaitMs * nanosPerMs,
      max_deliver: -1,
      max_ack_pending: 50_000,
    },
  ];
}

/**
 * How `PACKSHOT_LOG_MAX_BYTES` is divided among the streams. What a full stream does is its discard policy: where
 * something would be lost, nats-server refuses the write. Long before, edits are refused (`watch.ts`): a state stream that
 * is half full must keep room for what its jobs still write, about as much again until each has ended and is settled. Copies
 * of a full `PS_READY`, `PS_EVENTS` or `PS_LEDGER` wait in the state stream, and edits are refused from nine tenths on.
 * `PS_DELIVERIES` cannot be limited, because it has schedules: deliveries are dropped instead (`refusalToQueue`).
 * `PS_ATTEMPTS` drops its oldest.
 */

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
 * (`services/webhooks/delivery/postpone.ts`).
 */
export function fillMax(stream: string): number {
  return stream.startsWith(streams.state) || stream === streams.deliveries ? 0.5 : 0.9;
}

/** Key in a stream's metadata: what the stream may hold though nats-server does not enforce it. */
export const bytesMaxMetadata = "packshot.bytes-max";

/** The limit of one stream of this kind; 0 where there is no limit. */
function streamBytesMax(kind: keyof typeof streams, logBytesMax: number, stateStreams: readonly StateStream[]): number {
  const among = kind === "state" || kind === "events" ? stateStreams.length : 1;
  return Math.floor((logBytesMax * shares[kind]) / 100 / among);
}
