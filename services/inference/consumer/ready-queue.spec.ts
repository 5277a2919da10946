import { getEventListeners } from "node:events";
import { jetstreamManager } from "@nats-io/jetstream";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { lanes } from "@packshot/domain/lane.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { connectNats } from "@packshot/platform/nats/connection.ts";
import { createLog, type Log } from "@packshot/platform/nats/log.ts";
import { ensureStreams, laneConsumerName } from "@packshot/platform/nats/streams.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startNats, type TestNats } from "../../../test/support/nats.ts";
import { createReadyQueue, type ReadyQueue } from "./ready-queue.ts";

let nats: TestNats;
let log: Log;
let queue: ReadyQueue;

beforeEach(async () => {
  nats = await startNats();
  log = createLog(await connectNats({ url: nats.url, name: "ready-queue.spec" }));
  await ensureStreams(log.connection, { replicas: 1 });
  queue = createReadyQueue(log.connection);
});

afterEach(async () => {
  queue.stop();
  await log.connection.close();
  await nats.stop();
});

async function makeReady(): Promise<string> {
  const [accountId, jobId] = [uuidv7(), uuidv7()];
  const value = { v: 1, accountId, jobId, lane: 0 };
  await log.commit("accept", [{ subject: subjects.ready(0, accountId, jobId), value, ttlSeconds: 60 }]);
  return jobId;
}

/** Pulls of the lane that the server holds now. */
async function heldPulls(): Promise<number> {
  const manager = await jetstreamManager(log.connection);
  return (await manager.consumers.info(streams.ready, laneConsumerName(0))).num_waiting;
}

it("keeps nothing of the waits that are over", async () => {
  const { signal } = new AbortController();
  for (let n = 0; n < 10; n++) {
    const next = queue.next(signal);
    await expect.poll(heldPulls).toBe(1);
    const jobId = await makeReady();
    const message = await next;
    expect(message).toMatchObject({ jobId });
    await message!.ack();
  }
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

it("holds its pulls again as soon as it has found the server again: that one has forgotten them", async () => {
  const next = queue.next(new AbortController().signal);
  await expect.poll(heldPulls).toBe(1);
  const back = (async () => {
    for await (const { type } of log.connection.status()) if (type === "reconnect") return;
  })();
  await nats.kill();
  const sentBefore = log.connection.stats().outMsgs;
  await nats.restart();
  await back;
  await log.connection.flush();
  expect(log.connection.stats().outMsgs - sentBefore).toBe(lanes.length);
  const jobId = await makeReady();
  expect(await next).toMatchObject({ jobId });
});

it("does not ask again at once while nobody answers for the lane", async () => {
  const manager = await jetstreamManager(log.connection);
  await manager.consumers.delete(streams.ready, laneConsumerName(0));
  const stop = new AbortController();
  const next = queue.next(stop.signal);
  const sentBefore = log.connection.stats().outMsgs;
  // As many turns as an unbounded loop would have used for as many requests.
  for (let n = 0; n < 100; n++) await log.connection.flush();
  expect(log.connection.stats().outMsgs - sentBefore).toBeLessThan(20);
  stop.abort();
  expect(await next).toBeUndefined();
});
