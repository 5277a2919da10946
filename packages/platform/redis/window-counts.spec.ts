/** @module-tag redis-server */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { startRedis, type TestRedis } from "../../../testing/servers/redis.ts";
import { connectTestRedis, type TestRedisConnection } from "../../../testing/servers/test-redis-connection.ts";
import { createWindowCounts, type WindowCounts } from "./window-counts.ts";

let server: TestRedis;
let connections: TestRedisConnection[];
/** One for each of two processes. */
let counts: WindowCounts[];
let key: string;
let keys = 0;

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
beforeEach(() => {
  keys += 1;
  key = `key-${keys}`;
});
afterEach(async () => {
  for (const redis of connections) await redis.stop();
});

/** A short timeout where the test makes Redis hang. */
async function connect(timeoutMs?: number): Promise<void> {
  connections = [await connectTestRedis(server, timeoutMs), await connectTestRedis(server, timeoutMs)];
  counts = connections.map((redis) => createWindowCounts(redis));
}

const add = async (process: number, more = 1) => (await counts[process]!.add(key, more, 3_600)).total;
const awayOf = () => Promise.all(connections.map((redis) => redis.isAway()));

it("counts together with other processes, and reads without counting", async () => {
  await connect();
  expect([await add(0, 2), await add(1, 3), await add(0, 0), await add(1, 0)]).toEqual([2, 5, 5, 5]);
  const together = await Promise.all(Array.from({ length: 50 }, (_, i) => add(i % 2)));
  expect(together.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => 6 + i));
});

it("begins at zero in the next window, in Redis as in memory", async () => {
  await connect();
  for (const each of [counts[0]!, createWindowCounts(undefined)]) {
    expect(await each.add(key, 3, 1)).toMatchObject({ total: 3 });
    await expect.poll(async () => (await each.add(key, 0, 1)).total).toBe(0);
    const { total, endsInMs } = await each.add(key, 2, 3_600);
    expect([total, endsInMs > 3_500_000]).toEqual([2, true]);
  }
});

it("counts alone while Redis is away, and together again afterwards: nothing is lost, and nothing counts twice", async () => {
  await connect();
  expect([await add(0, 30), await add(1, 10)]).toEqual([30, 40]);
  await server.kill();
  await expect.poll(awayOf).toEqual([true, true]);
  expect([await add(0, 5), await add(0, 1), await add(1, 7)]).toEqual([35, 36, 47]);
  await server.restart();
  await expect.poll(awayOf).toEqual([false, false]);
  // The first process knew 30 of the 40: the second one tells the empty Redis of the others.
  await expect.poll(() => Promise.all([add(0, 0), add(1, 0)])).toEqual([53, 53]);
  expect(await add(0)).toBe(54);
});

it.each([
  ["who knows most comes first", [1, 0]],
  ["who knows most comes last", [0, 1]],
  ["a new process comes first", [2, 0, 1]],
])("restores a count that Redis has lost: %s", async (_order, order) => {
  await connect();
  const late = await connectTestRedis(server);
  connections.push(late);
  counts.push(createWindowCounts(late));
  expect([await add(0, 30), await add(1, 10)]).toEqual([30, 40]);
  // Each connection of its own is broken, so that each process in turn finds the loss.
  for (const { client } of connections) client.destroy();
  await connections[2]!.client.connect();
  await connections[2]!.client.flushAll();
  connections[2]!.client.destroy();
  for (const each of order) {
    await add(each, 5);
    await connections[each]!.client.connect();
  }
  const total = 40 + 5 * order.length;
  for (const each of order) await expect.poll(() => add(each, 0)).toBe(total);
});

it("costs one short wait while Redis hangs, none after it, and each count is counted once", async () => {
  await connect(100);
  expect(await add(0, 40)).toBe(40);
  await server.pause();
  try {
    const totals = await Promise.all(Array.from({ length: 30 }, () => add(0)));
    expect(totals.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => 41 + i));
    expect(await connections[0]!.isAway()).toBe(true);
    const timeouts = await connections[0]!.fallbacks("timeout");
    for (let n = 0; n < 100; n++) await add(0);
    expect(await connections[0]!.fallbacks("timeout")).toBe(timeouts);
    expect(await connections[0]!.fallbacks("away")).toBeGreaterThanOrEqual(100);
  } finally {
    server.resume();
  }
  // Redis has counted by now what it did not answer in time.
  await expect.poll(awayOf).toEqual([false, false]);
  await expect.poll(() => add(1, 0)).toBe(170);
  expect(await add(0, 0)).toBe(170);
});

it("connects anew when Redis hangs for long, and when it does not let the process in at first", async () => {
  await connect(100);
  await server.pause();
  const [{ client }] = connections as [TestRedisConnection];
  await expect.poll(() => client.isReady, { timeout: 60_000 }).toBe(false);
  expect(await add(0, 4)).toBe(4);
  server.resume();
  await expect.poll(awayOf, { timeout: 60_000 }).toEqual([false, false]);
  await expect.poll(() => add(1, 0)).toBe(4);
});

it("goes on alone when Redis refuses to count, and says so", async () => {
  await connect();
  await connections[1]!.client.sendCommand(["CONFIG", "SET", "maxmemory", "1"]);
  try {
    expect([await add(0), await add(0)]).toEqual([1, 2]);
    expect(await connections[0]!.fallbacks("refused")).toBeGreaterThanOrEqual(2);
    expect(await connections[0]!.isAway()).toBe(true);
  } finally {
    await connections[1]!.client.sendCommand(["CONFIG", "SET", "maxmemory", "0"]);
  }
  expect(await add(0)).toBe(3);
  expect(await add(1, 0)).toBe(3);
  await expect.poll(awayOf).toEqual([false, false]);
});
