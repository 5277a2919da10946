/** The log of attempts on one of three nats-servers: the others hear of the consumer that reads it a moment after it is made. */
import type { NatsConnection } from "@nats-io/transport-node";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startNats, type TestNats } from "../../../testing/servers/nats.ts";
import { createBatchPublisher } from "../commit/batch-publisher.ts";
import { connectNats } from "../nats/connection.ts";
import { migrateLog } from "../operate/migrate.ts";
import { listDeliveries, recordAttempt } from "./attempt-log.ts";

let nats: TestNats;
let connections: NatsConnection[];

beforeAll(async () => {
  nats = await startNats({ cluster: 3 });
  connections = await Promise.all(nats.servers.map(({ url }) => connectNats({ url, name: "attempts" })));
  await migrateLog(connections[0]!, { replicas: 1 });
}, 180_000);
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await nats?.stop();
});

it("is read through each server", async () => {
  const webhook = { accountId: uuidv7(), webhookId: uuidv7() };
  const attempt = {
    ...webhook,
    v: 1,
    eventId: uuidv7(),
    event: "job.completed",
    jobId: uuidv7(),
    attempt: 1,
    at: isoTime(Date.now()),
    outcome: "succeeded",
    status: 200,
    durationMs: 5,
    responseHead: "",
    error: null,
    nextAttemptAt: null,
  } as const;
  await recordAttempt(createBatchPublisher(connections[0]!), attempt);
  for (let reads = 0; reads < 20; reads++) {
    for (const connection of connections) {
      const { data } = await listDeliveries(connection, { ...webhook, limit: 10 });
      expect(data.map(({ id }) => id)).toEqual([attempt.eventId]);
    }
  }
});
