import { jetstreamManager } from "@nats-io/jetstream";
import { type QueueEntry, waitWrite } from "@packshot/domain/accounts/queue-entry.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";
import { expect, it } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { sourcePrefetchConsumerName } from "../nats/streams.ts";
import { migrateLog } from "../operate/migrate.ts";
import { readWaits } from "./wait-reader.ts";

it("reads once the consumer is there, although it was missing at the start", async () => {
  const log = await startLog();
  const manager = await jetstreamManager(log.connection);
  await manager.consumers.delete(streams.state, sourcePrefetchConsumerName);
  const stop = new AbortController();
  const first = readWaits({ connection: log.connection, state: streams.state }, stop.signal).next();
  // The first lookup of the consumer fails.
  await log.connection.flush();
  await migrateLog(log.connection, { replicas: 1 });
  const entry: QueueEntry = { v: 1, accountId: uuidv7(), jobId: uuidv7(), lane: 0 };
  await log.commit("accept", [waitWrite(entry)]);
  expect(await first).toEqual({ done: false, value: entry });
  stop.abort();
  await log.stop();
});
