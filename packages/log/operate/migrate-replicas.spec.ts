/**
 * How many replicas the streams have is decided by the migration that is asked for it, and by nobody else.
 * @module-tag long
 */
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type SecuredNats, startSecuredNats } from "../../../testing/servers/secured-nats.ts";
import { commitBatch } from "../commit/atomic-batch.ts";
import { createLog } from "../log.ts";
import { connectNats } from "../nats/connection.ts";
import { migrateLog } from "./migrate.ts";

const records = 500;
const subjectOf = (index: number) => `ps.07.account.acct-${index}`;
let secured: SecuredNats;
let migrator: NatsConnection;
let api: NatsConnection;

beforeAll(async () => {
  secured = await startSecuredNats();
  migrator = await connectNats(secured.settings("migrate"));
  api = await connectNats(secured.settings("api"));
}, 180_000);
afterAll(async () => {
  await Promise.all([migrator, api].map((connection) => connection?.close()));
  await secured?.stop();
});

/** For each stream and durable consumer: how many servers have it, and whether all of them have all of it. */
async function replicas(): Promise<Record<string, string>> {
  const manager = await jetstreamManager(migrator, { checkAPI: false });
  const found: Record<string, string> = {};
  for (const stream of ["PS_STATE", "PS_READY", "PS_EVENTS", "PS_LEDGER", "PS_DELIVERIES", "PS_ATTEMPTS"]) {
    const { config, cluster } = await manager.streams.info(stream);
    const others = cluster?.replicas ?? [];
    found[stream] = `${config.num_replicas}: ${1 + others.filter(({ current }) => current).length} current`;
  }
  const lane = await manager.consumers.info("PS_READY", "lane-0");
  found["lane-0"] = `${1 + (lane.cluster?.replicas?.length ?? 0)} servers`;
  return found;
}

const everywhere = (streams: string, consumer: string) => ({
  ...Object.fromEntries(
    ["PS_STATE", "PS_READY", "PS_EVENTS", "PS_LEDGER", "PS_DELIVERIES", "PS_ATTEMPTS"].map((name) => [name, streams]),
  ),
  "lane-0": consumer,
});
const one = everywhere("1: 1 current", "1 servers");
const three = everywhere("3: 3 current", "3 servers");

async function countRecords(): Promise<number> {
  const log = createLog(api, { stateStreamCount: 1 });
  const found = await Promise.all(Array.from({ length: records }, (_, index) => log.read(subjectOf(index))));
  return found.filter(({ value }) => value !== undefined).length;
}

test("a log begins with one", async () => {
  await migrateLog(migrator, { replicas: 0 });
  expect(await replicas()).toEqual(one);
  const writes = Array.from({ length: records }, (_, index) => ({ subject: subjectOf(index), value: { index } }));
  // A server that has not heard of the stream yet answers that nobody stores such subjects.
  await vi.waitFor(() => commitBatch(api, "test", writes), { timeout: 60_000, interval: 100 });
  expect(await countRecords()).toBe(records);
});

test("gets three when the migration is asked for them, and has them when it ends", async () => {
  const done = await migrateLog(migrator, { replicas: 3 });
  expect(done).toContain("changed stream PS_STATE: num_replicas 1 → 3");
  expect(await replicas()).toEqual(three);
  expect(await countRecords()).toBe(records);
}, 180_000);

test("keeps three when a migration is not asked, and again when it is asked for the same", async () => {
  expect(await migrateLog(migrator, { replicas: 0 })).toEqual([]);
  expect(await migrateLog(migrator, { replicas: 3 })).toEqual([]);
  expect(await replicas()).toEqual(three);
});

test("does not end while one of the three has not all of it, however often it is asked", async () => {
  await secured.nats.kill(2);
  try {
    for (const _attempt of ["first", "second"]) {
      const migration = migrateLog(migrator, { replicas: 3, stalledAfterMs: 3_000 });
      await expect(migration).rejects.toThrow(/not current.*migrate again/);
    }
  } finally {
    await secured.nats.restart(2);
  }
  expect(await migrateLog(migrator, { replicas: 3 })).toEqual([]);
  expect(await replicas()).toEqual(three);
}, 180_000);

test("loses nothing when one of the three dies then", async () => {
  await secured.nats.kill(0);
  try {
    // Until another server leads, reads are not answered.
    await vi.waitFor(async () => expect(await countRecords()).toBe(records), { timeout: 90_000, interval: 100 });
  } finally {
    await secured.nats.restart(0);
  }
}, 180_000);

test("goes back to one only when the migration is asked for it", async () => {
  const done = await migrateLog(migrator, { replicas: 1 });
  expect(done).toContain("changed stream PS_STATE: num_replicas 3 → 1");
  expect(await replicas()).toEqual(one);
  expect(await countRecords()).toBe(records);
}, 180_000);
