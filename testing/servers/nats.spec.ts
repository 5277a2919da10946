import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { startNats } from "./nats.ts";

test("what one server confirmed survives its kill and its restart on the same port", async () => {
  const nats = await startNats();
  const connection = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
  try {
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: "KEPT", subjects: ["kept.>"] });
    await jetstream(connection).publish("kept.one", "a");
    const reconnected = (async () => {
      for await (const { type } of connection.status()) if (type === "reconnect") return;
    })();
    await nats.kill();
    await nats.restart();
    await reconnected;
    expect((await manager.streams.info("KEPT")).state.messages).toBe(1);
  } finally {
    await connection.close();
    await nats.stop();
  }
});

test("three servers form a cluster that keeps a stream with three replicas", async () => {
  const nats = await startNats({ cluster: 3 });
  const connection = await connect({ servers: nats.url.split(","), maxReconnectAttempts: -1, reconnectTimeWait: 20 });
  try {
    const manager = await jetstreamManager(connection);
    const { cluster } = await manager.streams.add({ name: "KEPT", subjects: ["kept.>"], num_replicas: 3 });
    expect(cluster?.replicas?.length).toBe(2);
    // The stream exists before all servers know that it listens, and a leader may just have been elected anew.
    const published = () =>
      jetstream(connection)
        .publish("kept.one", "a", { msgID: "one" })
        .then(({ seq }) => seq);
    await expect.poll(published).toBe(1);
    await nats.kill(2);
    await nats.restart(2);
    // The killed server may have led the stream: a request in the seconds of the election goes unanswered.
    const messages = () => manager.streams.info("KEPT").then(({ state }) => state.messages);
    await expect.poll(messages).toBe(1);
  } finally {
    await connection.close();
    await nats.stop();
  }
});
