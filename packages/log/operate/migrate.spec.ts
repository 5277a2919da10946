import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { subjects } from "@packshot/domain/subjects.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startNats, type TestNats } from "../../../testing/servers/nats.ts";
import { commitBatch } from "../commit/atomic-batch.ts";
import { connectNats } from "../nats/connection.ts";
import { readSchema, schemaVersion } from "../nats/schema.ts";
import { streamConfigs } from "../nats/streams.ts";
import { migrateLog } from "./migrate.ts";

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

test("makes what is missing and records the version; a second time it changes nothing", async () => {
  const first = await migrateLog(connection, { replicas: 1 });
  expect(first.filter((line) => line.startsWith("created stream"))).toHaveLength(6);
  expect(first.at(-1)).toBe(`recorded schema version ${schemaVersion}`);
  const before = await everything();
  const { sequence } = await readSchema(connection);
  expect(await migrateLog(connection, { replicas: 1 })).toEqual([]);
  expect(await everything()).toEqual(before);
  expect((await readSchema(connection)).sequence).toBe(sequence);
});

test("a log keeps the number of its state streams", async () => {
  await migrateLog(connection, { replicas: 1, stateStreams: 4 });
  const before = await everything();
  expect(Object.keys(before).filter((name) => name.startsWith("PS_STATE") && !name.includes("/"))).toHaveLength(4);
  expect((await readSchema(connection)).record).toMatchObject({ stateStreams: 4 });
  expect(await migrateLog(connection, { replicas: 1 })).toEqual([]);
  await expect(migrateLog(connection, { replicas: 1, stateStreams: 1 })).rejects.toThrow(/made with 4 state stream/);
  expect(await everything()).toEqual(before);
});

test.each([
  [1, 1],
  [1, 4],
  [4, 2],
  [4, 20],
] as const)(
  "a log of %i state stream(s) whose making was cut short after %i streams is made",
  async (stateStreams, made) => {
    const manager = await jetstreamManager(connection);
    for (const config of streamConfigs(stateStreams, 0).slice(0, made)) await manager.streams.add(config);
    await migrateLog(connection, { replicas: 1, stateStreams });
    expect((await readSchema(connection)).record).toMatchObject({ version: schemaVersion, stateStreams });
    expect(await migrateLog(connection, { replicas: 1 })).toEqual([]);
  },
);

test("refuses a log of a schema from before the first release, and leaves it alone", async () => {
  await migrateLog(connection, { replicas: 1 });
  const { sequence } = await readSchema(connection);
  const value = { v: 1, version: 1, compatibleFrom: 1, stateStreams: 1 };
  await commitBatch(connection, "test", [{ subject: subjects.schema, value, expected: sequence }]);
  await expect(migrateLog(connection, { replicas: 1 })).rejects.toThrow(/schema version 1, which no release/);
  expect((await readSchema(connection)).record).toEqual(value);
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
  const sentBefore = connection.stats().outMsgs;
  await expect(migrateLog(connection, { replicas: 3 })).rejects.toThrow(/replicas > 1 not supported/);
  // It tries again for half a minute, four times a second, what may pass.
  expect(connection.stats().outMsgs - sentBefore).toBeLessThan(20);
});

test("several at once make one log", async () => {
  const others = await Promise.all([1, 2, 3].map(() => connectNats({ url: nats.url, name: "other" })));
  await Promise.all([connection, ...others].map((each) => migrateLog(each, { replicas: 1 })));
  expect(await migrateLog(connection, { replicas: 1 })).toEqual([]);
  await Promise.all(others.map((other) => other.close()));
});

test("divides the limit of the log among its streams, and changes it", async () => {
  await migrateLog(connection, { replicas: 1, stateStreams: 4, bytesMax: 100_000_000 });
  const manager = await jetstreamManager(connection);
  const maxima: Record<string, number> = {};
  for await (const { config } of manager.streams.list()) maxima[config.name] = config.max_bytes;
  expect(maxima).toMatchObject({ PS_STATE: 10_000_000, PS_STATE_3: 10_000_000, PS_EVENTS_1: 7_500_000 });
  expect(maxima).toMatchObject({ PS_READY: 5_000_000, PS_LEDGER: 10_000_000, PS_ATTEMPTS: 10_000_000 });
  // It cannot refuse messages, and must not drop the oldest: it has its limit in its metadata.
  expect(maxima).toMatchObject({ PS_DELIVERIES: -1 });
  const changed = await migrateLog(connection, { replicas: 1, bytesMax: 200_000_000 });
  expect(changed).toContain("changed stream PS_LEDGER: max_bytes 10000000 → 20000000");
  expect(changed).toContainEqual(expect.stringMatching(/PS_DELIVERIES: metadata .*"10000000"/));
  await migrateLog(connection, { replicas: 1, bytesMax: 0 });
  expect((await manager.streams.info("PS_LEDGER")).config.max_bytes).toBe(-1);
});
