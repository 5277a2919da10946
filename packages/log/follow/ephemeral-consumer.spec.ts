/**
 * In a cluster a consumer is on one server, of which the others hear a moment later: nobody responds to those who ask them until
 * then. How long that is, is chance; here a server is asked for a name that nobody has, as often as the test wants.
 */
import { DeliverPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startNats, type TestNats } from "../../../testing/servers/nats.ts";
import { connectNats } from "../nats/connection.ts";
import { addEphemeralConsumer } from "./ephemeral-consumer.ts";

const numbers = [1, 2, 3];
let nats: TestNats;
let connection: NatsConnection;

beforeAll(async () => {
  nats = await startNats();
  connection = await connectNats({ url: nats.url, name: "ephemeral-consumer.spec" });
  await (await jetstreamManager(connection)).streams.add({ name: "NUMBERS", subjects: ["numbers"] });
  for (const number of numbers) await jetstream(connection).publish("numbers", JSON.stringify(number));
});

afterAll(async () => {
  await connection?.close();
  await nats?.stop();
});

afterEach(() => vi.restoreAllMocks());

/** The first `times` requests for messages go to nobody, so that nats-server itself answers "no responders". Counts all of them. */
function withoutResponders(times: number): { readonly asked: () => number } {
  let asked = 0;
  const publish = connection.publish.bind(connection);
  vi.spyOn(connection, "publish").mockImplementation((subject, payload, options) => {
    const isFetch = subject.startsWith("$JS.API.CONSUMER.MSG.NEXT.");
    if (isFetch) asked += 1;
    publish(isFetch && asked <= times ? "nobody.responds" : subject, payload, options);
  });
  return { asked: () => asked };
}

async function readAll(): Promise<number[]> {
  const config = { deliver_policy: DeliverPolicy.All };
  const consumer = await addEphemeralConsumer(connection, "NUMBERS", config, { timeoutMs: 5_000, idleMs: 10_000 });
  try {
    const fetching = consumer.fetch({ max_messages: consumer.pending, expires: 5_000 });
    return await Array.fromAsync(fetching, (message) => message.json<number>());
  } finally {
    await consumer.remove();
  }
}

test("asks again while nobody responds, and gives each message once", async () => {
  const requests = withoutResponders(4);
  expect(await readAll()).toEqual(numbers);
  expect(requests.asked()).toBe(5);
});

test("says that the log is unreachable when nobody ever responds", async () => {
  const requests = withoutResponders(Number.POSITIVE_INFINITY);
  await expect(readAll()).rejects.toMatchObject({
    name: "LogUnreachable",
    message: expect.stringMatching(/^reading NUMBERS: /),
  });
  expect(requests.asked()).toBe(10);
});
