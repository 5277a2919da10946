import { type JsMsg, jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startNats, type TestNats } from "../../../testing/servers/nats.ts";
import { connectNats } from "../nats/connection.ts";
import { readInOrder } from "./ordered-reader.ts";

const logger = createLogger({ name: "ordered-reader.spec", level: "fatal" });
/** More than one fetch returns. */
const messages = 4_500;
let nats: TestNats;
let connection: NatsConnection;

beforeAll(async () => {
  nats = await startNats();
  connection = await connectNats({ url: nats.url, name: "ordered-reader.spec" });
  await (await jetstreamManager(connection)).streams.add({ name: "NUMBERS", subjects: ["numbers"] });
  const client = jetstream(connection);
  // nats-server syncs each of them to its disk, which may be a slow one: the default of five seconds is for one.
  const timeout = 120_000;
  await Promise.all(
    Array.from({ length: messages }, (_, i) => client.publish("numbers", JSON.stringify(i + 1), { timeout })),
  );
});

afterAll(async () => {
  await connection.close();
  await nats.stop();
});

function read(fromSequence: number, signal = new AbortController().signal): AsyncGenerator<JsMsg> {
  return readInOrder({ connection, stream: "NUMBERS", fromSequence, signal, logger });
}

async function take(reading: AsyncGenerator<JsMsg>, count: number): Promise<number[]> {
  const sequences: number[] = [];
  while (sequences.length < count) sequences.push((await reading.next()).value.seq);
  return sequences;
}

const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

test("begins at the given sequence and gives every message once, in order", async () => {
  const reading = read(5);
  expect(await take(reading, messages - 4)).toEqual(upTo(5, messages));
  await reading.return(undefined);
});

test("a reader whose consumer is gone continues after its last message", async () => {
  const reading = read(1);
  expect(await take(reading, 1)).toEqual([1]);
  const manager = await jetstreamManager(connection);
  for await (const { name } of manager.consumers.list("NUMBERS")) await manager.consumers.delete("NUMBERS", name);
  expect(await take(reading, messages - 1)).toEqual(upTo(2, messages));
  await reading.return(undefined);
});

test("a consumer of which the server that is asked has not heard yet is asked again, and no other one is made", async () => {
  const publish = connection.publish.bind(connection);
  const asked: string[] = [];
  const publishing = vi.spyOn(connection, "publish").mockImplementation((subject, payload, options) => {
    if (!subject.includes(".MSG.NEXT.")) return publish(subject, payload, options);
    asked.push(subject);
    // nats-server answers what one of a cluster does on which the consumer is not: nobody responds.
    publish(asked.length <= 2 ? "nobody.responds" : subject, payload, options);
  });
  const reading = read(1);
  try {
    expect(await take(reading, 1)).toEqual([1]);
    expect(asked).toHaveLength(3);
    expect(new Set(asked).size).toBe(1);
  } finally {
    publishing.mockRestore();
    await reading.return(undefined);
  }
});

test("a later message is given when it arrives; an abort ends the reading", async () => {
  const ending = new AbortController();
  const reading = read(messages + 1, ending.signal);
  const next = reading.next();
  await jetstream(connection).publish("numbers", "0");
  expect((await next).value.seq).toBe(messages + 1);
  const last = reading.next();
  ending.abort();
  expect((await last).done).toBe(true);
});
