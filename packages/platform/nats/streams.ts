/** The log's streams and durable consumers, as `migrate-log.ts` makes them for a number of state streams. */
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { lanes } from "@packshot/domain/lane.ts";
import { deliverySubjects } from "@packshot/domain/delivery.ts";
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
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

/** A stream with copies of what the state streams store under `filter`. */
function copies(name: string, filter: string, from: readonly StateStream[]): NamedStreamConfig {
  return {
    name,
    storage: StorageType.File,
    sources: from.map(({ state }) => ({ name: state, filter_subject: filter })),
    allow_direct: false,
  };
}

/** In the order in which they can be made. How many replicas they have is the operator's choice. */
export function streamConfigs(count: StateStreamCount): NamedStreamConfig[] {
  const stateStreams = listStateStreams(count);
  return [
    ...stateStreams.map(
      (stream): NamedStreamConfig => ({
        name: stream.state,
        subjects: [...stream.subjects],
        storage: StorageType.File,
        retention: RetentionPolicy.Limits,
        discard: DiscardPolicy.Old,
        max_msgs_per_subject: 1,
        allow_direct: true,
        allow_atomic: true,
        allow_msg_ttl: true,
      }),
    ),
    { ...copies(streams.ready, subjects.ready("*", "*", "*"), stateStreams), retention: RetentionPolicy.Workqueue },
    ...stateStreams.map(
      (stream): NamedStreamConfig => ({
        ...copies(stream.events, subjects.event("*", "*", "*"), [stream]),
        retention: RetentionPolicy.Limits,
        max_age: 72 * hours,
      }),
    ),
    { ...copies(streams.ledger, subjects.ledger("*", "*", "*", "*"), stateStreams), retention: RetentionPolicy.Limits },
    {
      name: streams.deliveries,
      subjects: ["psd.>"],
      storage: StorageType.File,
      retention: RetentionPolicy.Workqueue,
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
