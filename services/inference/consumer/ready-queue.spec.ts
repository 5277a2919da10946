import { getEventListeners } from "node:events";
import { jetstreamManager } from "@nats-io/jetstream";
import { type LiveLane, liveLanes } from "@packshot/domain/accounts/lane.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { laneConsumerName } from "@packshot/log/nats/streams.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startLog, type TestLog } from "../../../testing/log/test-log.ts";
import { createReadyQueue, type ReadyQueue } from "./ready-queue.ts";

let log: TestLog;
let queue: ReadyQueue;

beforeEach(async () => {
  log = await startLog();
  queue = createReadyQueue(log.connection);
});

afterEach(async () => {
  queue.stop();
  await log.stop();
});

async function makeReady(lane: LiveLane = 0): Promise<string> {
  const accountId = uuidv7();
  const jobId = uuidv7();
  const value = { v: 1, accountId, jobId, lane };
  await log.commit("accept", [{ subject: subjects.ready(lane, accountId, jobId), value, ttlSeconds: 60 }]);
  return jobId;
}

/** Messages in the queue: they are copied there after they were committed. */
async function ready(): Promise<number> {
  const manager = await jetstreamManager(log.connection);
  return (await manager.streams.info(streams.ready)).state.messages;
}

/** Pulls of the lane that the server holds now. */
async function heldPulls(): Promise<number> {
  const manager = await jetstreamManager(log.connection);
  return (await manager.consumers.info(streams.ready, laneConsumerName(0))).num_waiting;
}

it("takes as many as it is asked for, of the lanes that have them, and no message twice", async () => {
  const jobIds = await Promise.all(Array.from({ length: 5 }, () => makeReady()));
  await expect.poll(ready).toBe(5);
  const { signal } = new AbortController();
  const first = await queue.take(2, signal);
  expect(first).toHaveLength(2);
  const rest = await queue.take(8, signal);
  expect([...first, ...rest].map(({ jobId }) => jobId).sort()).toEqual(jobIds.sort());
  await Promise.all([...first, ...rest].map((message) => message.ack()));
});

it("takes a message of lane 0 next, however many of other lanes it has taken since the last one", async () => {
  const { signal } = new AbortController();
  const bulk: readonly LiveLane[] = [1, 2, 3];
  await Promise.all(bulk.flatMap((lane) => Array.from({ length: 24 }, () => makeReady(lane))));
  await expect.poll(ready).toBe(72);
  for (let taken = 1; taken <= 8; taken++) {
    for (let n = 0; n < taken; n++) {
      const [message] = await queue.take(1, signal);
      expect(message!.lane).not.toBe(0);
      await message!.ack();
    }
    const before = await ready();
    const jobId = await makeReady(0);
    await expect.poll(ready).toBe(before + 1);
    const [message] = await queue.take(1, signal);
    expect(message!.jobId).toBe(jobId);
    await message!.ack();
  }
});

it("leaves no listener behind when a wait is over", async () => {
  const { signal } = new AbortController();
  for (let n = 0; n < 10; n++) {
    const next = queue.take(1, signal);
    await expect.poll(heldPulls).toBe(1);
    const jobId = await makeReady();
    const [message] = await next;
    expect(message).toMatchObject({ jobId });
    await message!.ack();
  }
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

it("holds its pulls again as soon as it has reconnected to a server that has forgotten them", async () => {
  const next = queue.take(1, new AbortController().signal);
  await expect.poll(heldPulls).toBe(1);
  const back = (async () => {
    for await (const { type } of log.connection.status()) if (type === "reconnect") return;
  })();
  await log.nats.kill();
  const sentBefore = log.connection.stats().outMsgs;
  await log.nats.restart();
  await back;
  await log.connection.flush();
  expect(log.connection.stats().outMsgs - sentBefore).toBe(liveLanes.length);
  const jobId = await makeReady();
  expect(await next).toMatchObject([{ jobId }]);
});

it("does not pull again at once while no server replies for the lane", async () => {
  const manager = await jetstreamManager(log.connection);
  await manager.consumers.delete(streams.ready, laneConsumerName(0));
  const stop = new AbortController();
  const next = queue.take(1, stop.signal);
  const sentBefore = log.connection.stats().outMsgs;
  // An unbounded loop would have sent about as many requests.
  for (let n = 0; n < 100; n++) await log.connection.flush();
  expect(log.connection.stats().outMsgs - sentBefore).toBeLessThan(20);
  stop.abort();
  expect(await next).toEqual([]);
});

it("takes a message that reaches a held pull while another is fetched, and returns that one", async () => {
  const { signal } = new AbortController();
  const fetches = deferPublishes(`.${laneConsumerName(3)}`);
  queue.stop();
  queue = createReadyQueue(fetches.connection);
  // Lane 0 has nothing, so its pull is still held when the wait is over.
  const waiting = queue.take(1, signal);
  await expect.poll(heldPulls).toBe(1);
  await makeReady(3);
  await Promise.all((await waiting).map((message) => message.ack()));
  const bulk = await makeReady(3);
  await expect.poll(ready).toBe(1);
  const asked = fetches.defer();
  const taking = queue.take(1, signal);
  const send = await asked;
  const newcomer = await makeReady(0);
  await expect.poll(heldPulls).toBe(0);
  send();
  const taken = await taking;
  expect(taken.map(({ jobId }) => jobId)).toEqual([newcomer]);
  const next = await queue.take(1, signal);
  expect(next.map(({ jobId }) => jobId)).toEqual([bulk]);
  await Promise.all([...taken, ...next].map((message) => message.ack()));
});

/** A connection that sends a message to a subject with this end when the test says so. */
function deferPublishes(subjectEnd: string) {
  let onDeferred: ((send: () => void) => void) | undefined;
  const connection = new Proxy(log.connection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== "publish") return typeof value === "function" ? value.bind(target) : value;
      return (...message: Parameters<typeof target.publish>) => {
        const deferred = message[0].endsWith(subjectEnd) ? onDeferred : undefined;
        onDeferred = deferred === undefined ? onDeferred : undefined;
        if (deferred === undefined) target.publish(...message);
        else deferred(() => target.publish(...message));
      };
    },
  });
  return {
    connection,
    /** The next one; resolves with what sends it. */
    defer: () => new Promise<() => void>((resolve) => (onDeferred = resolve)),
  };
}

it("keeps back what was given back for a while, be it a fraction of a millisecond", async () => {
  const { signal } = new AbortController();
  const first = await makeReady();
  const [message] = await queue.take(1, signal);
  expect(message!.jobId).toBe(first);
  message!.nak(600_000.123_456_7);
  const second = await makeReady();
  const [next] = await queue.take(1, signal);
  expect(next!.jobId).toBe(second);
});
