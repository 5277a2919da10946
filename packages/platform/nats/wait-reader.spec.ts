import { jetstreamManager } from "@nats-io/jetstream";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";
import { type QueueEntry, waitWrite } from "@packshot/domain/queue-entry.ts";
import { expect, it } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { sourcePrefetchConsumerName, ensureStreams } from "./streams.ts";
import { readWaits } from "./wait-reader.ts";

it("reads on where the server could not tell of the consumer when it began", async () => {
  const log = await startLog();
  const manager = await jetstreamManager(log.connection);
  await manager.consumers.delete(streams.state, sourcePrefetchConsumerName);
  const stop = new AbortController();
  const first = readWaits(log.connection, stop.signal).next();
  // Asked for, and refused.
  await log.connection.flush();
  await ensureStreams(log.connection, { replicas: 1 });
  const place: QueueEntry = { v: 1, accountId: uuidv7(), jobId: uuidv7(), lane: 0 };
  await log.commit("accept", [waitWrite(place)]);
  expect(await first).toEqual({ done: false, value: place });
  stop.abort();
  await log.stop();
});
