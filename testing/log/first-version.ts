import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";

const hourNanos = 3_600_000_000_000;

/** As version 0.1 left a log, when each process made the streams itself. */
export async function makeStreamsOfFirstVersion(connection: NatsConnection): Promise<void> {
  const manager = await jetstreamManager(connection);
  const file = { storage: StorageType.File, num_replicas: 1 };
  const sourced = (name: string, filter_subject: string): Partial<StreamConfig> & { name: string } => ({
    ...file,
    name,
    sources: [{ name: "PS_STATE", filter_subject }],
    allow_direct: false,
  });
  const configs: (Partial<StreamConfig> & { name: string })[] = [
    {
      ...file,
      name: "PS_STATE",
      subjects: ["ps.>"],
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      max_msgs_per_subject: 1,
      allow_direct: true,
      allow_atomic: true,
      allow_msg_ttl: true,
    },
    { ...sourced("PS_READY", "ps.ready.>"), retention: RetentionPolicy.Workqueue },
    { ...sourced("PS_EVENTS", "ps.event.>"), retention: RetentionPolicy.Limits, max_age: 72 * hourNanos },
    { ...sourced("PS_LEDGER", "ps.ledger.>"), retention: RetentionPolicy.Limits },
    {
      ...file,
      name: "PS_DELIVERIES",
      subjects: ["psd.>"],
      retention: RetentionPolicy.Workqueue,
      allow_msg_schedules: true,
      allow_msg_ttl: true,
      allow_atomic: true,
      duplicate_window: hourNanos,
    },
    { ...file, name: "PS_ATTEMPTS", subjects: ["psa.>"], allow_atomic: true, max_age: 72 * hourNanos },
  ];
  for (const config of configs) await manager.streams.add(config);
  const queue = { ack_policy: AckPolicy.Explicit, ack_wait: 30_000_000_000, max_deliver: -1 };
  const consumers: [string, Partial<ConsumerConfig>][] = [
    ...[0, 1, 2, 3].map((lane): [string, Partial<ConsumerConfig>] => [
      "PS_READY",
      { ...queue, durable_name: `lane-${lane}`, filter_subject: `ps.ready.${lane}.>`, max_ack_pending: 10_000 },
    ]),
    [
      "PS_STATE",
      {
        durable_name: "early-fetch",
        filter_subject: "ps.wait.*.*",
        deliver_policy: DeliverPolicy.New,
        ack_policy: AckPolicy.None,
      },
    ],
  ];
  for (const [stream, config] of consumers) await manager.consumers.add(stream, config);
}
