import { AckPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startNats, type TestNats } from "../../../testing/servers/nats.ts";
import { toLogError } from "./client-errors.ts";
import { connectNats } from "./connection.ts";
import { isRetryableLogError, isStreamMissing } from "./errors.ts";

let nats: TestNats;
let connection: NatsConnection;

beforeAll(async () => {
  nats = await startNats();
  connection = await connectNats({ url: nats.url, name: "client-errors" });
});
afterAll(async () => {
  await connection.close();
  await nats.stop();
});

async function errorOf(call: () => Promise<unknown>): Promise<unknown> {
  return call().then(
    () => expect.fail("the client threw nothing"),
    (error: unknown) => toLogError("reading", error),
  );
}

it("is refused where the server answers with an error of its API", async () => {
  const manager = await jetstreamManager(connection);
  const error = await errorOf(() => manager.consumers.add("NONE", { ack_policy: AckPolicy.None }));
  expect(error).toMatchObject({ name: "LogRefused", message: "reading: stream not found (10059)" });
  expect(isStreamMissing(error)).toBe(true);
});

it("is unreachable where nobody responds for a consumer", async () => {
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: "NUMBERS", subjects: ["numbers"] });
  const info = await manager.consumers.add("NUMBERS", { ack_policy: AckPolicy.None });
  await manager.consumers.delete("NUMBERS", info.name);
  const error = await errorOf(async () => {
    const messages = await jetstream(connection).consumers.getConsumerFromInfo(info).fetch({ expires: 1_000 });
    for await (const message of messages) expect.fail(`message ${message.seq}`);
  });
  expect(error).toMatchObject({ name: "LogUnreachable", message: "reading: no responders" });
  expect(isRetryableLogError(error)).toBe(true);
});

it("is unreachable where no server has JetStream", async () => {
  const error = await errorOf(() => jetstreamManager(connection, { domain: "nowhere" }));
  expect(error).toMatchObject({ name: "LogUnreachable", message: "reading: jetstream is not enabled" });
  expect(isRetryableLogError(error)).toBe(true);
});

it("stays as it is where the client did not throw it", () => {
  const fault = new TypeError("a fault of ours");
  expect(toLogError("reading", fault)).toBe(fault);
});
