/** The streams of the log, created or brought up to date by whichever process starts first. */
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { lanes } from "@packshot/domain/lane.ts";
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  jetstreamManager,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";

const nanosPerSecond = 1_000_000_000;
const hours = 3600 * nanosPerSecond;

/** A message is delivered again when its holder neither acks nor says `working()` for this long. */
const readyAckWaitMs = 30_000;

export function laneConsumerName(lane: number): string {
  return `lane-${lane}`;
}

export const deliveriesConsumerName = "deliveries";
/** Gives each wait record, as it is written, to one of the workers: once, without acks. */
export const sourcePrefetchConsumerName = "early-fetch";

function sourced(name: string, filter: string): Partial<StreamConfig> & { name: string } {
  return {
    name,
    storage: StorageType.File,
    sources: [{ name: streams.state, filter_subject: filter }],
    allow_direct: false,
  };
}

function streamConfigs(): (Partial<StreamConfig> & { name: string })[] {
  return [
    {
      name: streams.state,
      subjects: ["ps.>"],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      max_msgs_per_subject: 1,
      allow_direct: true,
      allow_atomic: true,
      allow_msg_ttl: true,
    },
    { ...sourced(streams.ready, "ps.ready.>"), retention: RetentionPolicy.Workqueue },
    { ...sourced(streams.events, "ps.event.>"), retention: RetentionPolicy.Limits, max_age: 72 * hours },
    { ...sourced(streams.ledger, "ps.ledger.>"), retention: RetentionPolicy.Limits },
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

export interface StreamSettings {
  /** 1 embedded, 3 in a cluster. */
  readonly replicas: number;
}

export async function ensureStreams(connection: NatsConnection, { replicas }: StreamSettings): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 15_000 });
  for (const config of streamConfigs()) await ensureStream(manager, { ...config, num_replicas: replicas });
  for (const lane of lanes) {
    await ensureConsumer(manager, streams.ready, {
      durable_name: laneConsumerName(lane),
      filter_subject: `ps.ready.${lane}.>`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: readyAckWaitMs * 1_000_000,
      max_deliver: -1,
      max_ack_pending: 10_000,
    });
  }
  await ensureConsumer(manager, streams.state, {
    durable_name: sourcePrefetchConsumerName,
    filter_subject: subjects.wait.live("*", "*"),
    deliver_policy: DeliverPolicy.New,
    ack_policy: AckPolicy.None,
  });
}

async function ensureStream(manager: JetStreamManager, config: Partial<StreamConfig> & { name: string }) {
  const exists = await manager.streams.info(config.name).then(
    () => true,
    () => false,
  );
  if (exists) await manager.streams.update(config.name, config);
  else await retryWhileBooting(() => manager.streams.add(config));
}

async function ensureConsumer(
  manager: JetStreamManager,
  stream: string,
  config: Parameters<JetStreamManager["consumers"]["add"]>[1],
) {
  await retryWhileBooting(() => manager.consumers.add(stream, config));
}

/** For some seconds after its start a cluster has no leader that could create a stream. */
async function retryWhileBooting<T>(create: () => Promise<T>): Promise<T> {
  const attemptsMax = 40;
  for (let attempt = 1; ; attempt++) {
    try {
      return await create();
    } catch (error) {
      if (attempt === attemptsMax) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
