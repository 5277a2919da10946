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
import { afterEach, beforeEach, expect, test } from "vitest";
import { startNats, type TestNats } from "../../../testing/servers/nats.ts";
import { connectNats } from "./connection.ts";
import { createLog } from "./log.ts";
import { readSchema, schemaVersion } from "./log-schema.ts";
import { migrateLog } from "./migrate-log.ts";

const hours = 3_600_000_000_000;
let nats: TestNats;
let connection: NatsConnection;

beforeEach(async () => {
  nats = await startNats();
  connection = await connectNats({ url: nats.url, name: "migrate-log.spec" });
});

afterEach(async () => {
  await connection.close();
  await nats.stop();
});

/** Configuration of every stream and durable consumer, as the server has it. */
async function everything(): Promise<Record<string, object>> {
  const manager = await jetstreamManager(connection);
  const found: Record<string, object> = {};
  for await (const { config } of manager.streams.list()) {
    found[config.name] = config;
    for await (const consumer of manager.consumers.list(config.name))
      found[`${config.name}/${consumer.name}`] = consumer.config;
  }
  return found;
}

/** As version 0.1 left a log, when each process made the streams itself. */
async function makeStreamsOfFirstVersion(): Promise<void> {
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
    { ...sourced("PS_EVENTS", "ps.event.>"), retention: RetentionPolicy.Limits, max_age: 72 * hours },
    { ...sourced("PS_LEDGER", "ps.ledger.>"), retention: RetentionPolicy.Limits },
    {
      ...file,
      name: "PS_DELIVERIES",
      subjects: ["psd.>"],
      retention: RetentionPolicy.Workqueue,
      allow_msg_schedules: true,
      allow_msg_ttl: true,
      allow_atomic: true,
      duplicate_window: hours,
    },
    { ...file, name: "PS_ATTEMPTS", subjects: ["psa.>"], allow_atomic: true, max_age: 72 * hours },
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

test("makes what is missing and records the version; a second time it changes nothing", async () => {
  const first = await migrateLog(connection, { replicas: 1 });
  expect(first.filter((line) => line.startsWith("created stream"))).toHaveLength(6);
  expect(first.at(-1)).toBe(`recorded schema version ${schemaVersion}`);
  const [before, { sequence }] = [await everything(), await readSchema(connection)];
  expect(await migrateLog(connection, { replicas: 1 })).toEqual([]);
  expect(await everything()).toEqual(before);
  expect((await readSchema(connection)).sequence).toBe(sequence);
});

test("takes over a log of the first version with its records", async () => {
  await makeStreamsOfFirstVersion();
  const log = createLog(connection);
  await log.commit("test", [
    { subject: "ps.account.a", value: { accountId: "a" }, expected: 0 },
    { subject: "ps.ready.0.a.j", value: { jobId: "j" }, expected: 0 },
  ]);
  const before = await everything();
  expect(await migrateLog(connection, { replicas: 0 })).toEqual([
    "created consumer lane-4 of PS_READY",
    "created consumer deliveries of PS_DELIVERIES",
    `recorded schema version ${schemaVersion}`,
  ]);
  expect(await everything()).toMatchObject(before);
  expect((await log.read("ps.account.a")).value).toEqual({ accountId: "a" });
  const manager = await jetstreamManager(connection);
  await expect.poll(async () => (await manager.streams.info("PS_READY")).state.messages).toBe(1);
});

test("changes what differs, and says so", async () => {
  await migrateLog(connection, { replicas: 1 });
  const manager = await jetstreamManager(connection);
  await manager.streams.update("PS_EVENTS", { max_age: hours });
  await manager.consumers.update("PS_READY", "lane-2", { max_ack_pending: 7 });
  await manager.consumers.delete("PS_DELIVERIES", "deliveries");
  expect(await migrateLog(connection, { replicas: 1 })).toEqual([
    `changed stream PS_EVENTS: max_age ${hours} → ${72 * hours}`,
    "changed consumer lane-2 of PS_READY: max_ack_pending 7 → 10000",
    "created consumer deliveries of PS_DELIVERIES",
  ]);
  expect(await migrateLog(connection, { replicas: 1 })).toEqual([]);
});

test("says at once that several replicas need a cluster", async () => {
  const startedAtMs = performance.now();
  await expect(migrateLog(connection, { replicas: 3 })).rejects.toThrow(/replicas > 1 not supported/);
  expect(performance.now() - startedAtMs).toBeLessThan(10_000);
});

test("several at once make one log", async () => {
  const others = await Promise.all([1, 2, 3].map(() => connectNats({ url: nats.url, name: "other" })));
  await Promise.all([connection, ...others].map((each) => migrateLog(each, { replicas: 1 })));
  expect(await migrateLog(connection, { replicas: 1 })).toEqual([]);
  await Promise.all(others.map((other) => other.close()));
});
