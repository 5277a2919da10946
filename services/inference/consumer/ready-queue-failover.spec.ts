/** The ready queue when the nats-server dies that held its pulls, though not the one that it is connected to. */
import { jetstreamManager } from "@nats-io/jetstream";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { createLog } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { laneConsumerName } from "@packshot/log/nats/streams.ts";
import { awaitReplicas, migrateLog } from "@packshot/log/operate/migrate.ts";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startNats, type TestNats } from "../../../testing/servers/nats.ts";
import { createReadyQueue } from "./ready-queue.ts";

/** As good as never. */
const pullExpiresMs = 3_600_000;
const consumer = laneConsumerName(0);
let nats: TestNats;

beforeAll(async () => {
  nats = await startNats({ cluster: 3 });
  const connection = await connectNats({ url: nats.url, name: "migrate" });
  await migrateLog(connection, { replicas: 3 });
  await awaitReplicas(await jetstreamManager(connection), [
    { stream: streams.state },
    { stream: streams.ready },
    { stream: streams.ready, consumer },
  ]);
  await connection.close();
}, 180_000);
afterAll(() => nats?.stop());

it("holds its pulls again at the lane's new leader, and takes what becomes ready", async () => {
  const first = await connectNats({ url: nats.url, name: "first" });
  const { cluster } = await (await jetstreamManager(first)).consumers.info(streams.ready, consumer);
  const leader = Number(cluster!.leader!.split("-").at(-1)) - 1;
  await first.close();

  const connection = await connectNats({ url: nats.servers[(leader + 1) % 3]!.url, name: "survivor" });
  const manager = await jetstreamManager(connection);
  const queue = createReadyQueue(connection, "live", pullExpiresMs);
  const next = queue.take(1, new AbortController().signal);
  await expect.poll(async () => (await manager.consumers.info(streams.ready, consumer)).num_waiting).toBe(1);
  await nats.kill(leader);

  const accountId = uuidv7();
  const jobId = uuidv7();
  const entry = { v: 1, accountId, jobId, lane: 0 };
  const write = { subject: subjects.ready(0, accountId, jobId), value: entry, ttlSeconds: 600 };
  const log = createLog(connection, { stateStreamCount: 1 });
  await vi.waitFor(() => log.commit("accept", [write]), { timeout: 120_000, interval: 50 });
  expect(await next).toMatchObject([{ jobId }]);
  queue.stop();
  await connection.close();
}, 240_000);
