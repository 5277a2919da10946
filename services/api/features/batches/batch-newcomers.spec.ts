/**
 * While batches run, an edit of somebody else comes next.
 * @module-tag long
 */
import { jetstreamManager } from "@nats-io/jetstream";
import { streams } from "@packshot/domain/subjects.ts";
import { laneConsumerName } from "@packshot/log/nats/streams.ts";
import { expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { startSteppedWorker } from "../../../../testing/worker/stepped-worker.ts";

const apis = suiteFixture(() => startApis({ count: 2 }));
const waiting = { timeout: 30_000, interval: 20 };

async function newClient(limits: object = {}) {
  const { key } = await openAccount(apis.all[0]!, { plan: "starter", limits });
  return apiClient(apis.all[0]!.url, key);
}

/** Jobs that stand in the queue's lane. */
async function ready(lane: 0 | 1 | 2 | 3): Promise<number> {
  const manager = await jetstreamManager(apis.log.connection);
  const { num_pending } = await manager.consumers.info(streams.ready, laneConsumerName(lane));
  return num_pending;
}

test("a newcomer's edit is the next, however many batches run and however short their windows are", async () => {
  const rows = 8;
  for (let account = 0; account < 5; account++) {
    const client = await newClient({ concurrentJobs: 4 });
    const items = Array.from({ length: rows }, (_, i) => ({ ref: `R-${i}`, imageUrl: "https://shop.example/1.jpg" }));
    const { status } = await client.call("POST", "/v1/batches", { json: { tool: "mask", onExisting: "redo", items } });
    expect(status).toBe(202);
  }
  // Four of each: all that their windows let in, and more than the worker takes here, so that it never waits for a row.
  await expect.poll(async () => (await ready(0)) + (await ready(1)) + (await ready(2)), waiting).toBe(20);
  const slots = 2;
  const worker = await startSteppedWorker({ log: apis.log, storageDir: apis.storageDir, slots });
  async function next(): Promise<void> {
    const { length } = worker.begun;
    worker.step();
    await worker.hasBegun(length + 1);
  }
  try {
    const places: number[] = [];
    await worker.hasBegun(slots);
    for (let newcomers = 0; newcomers < 6; newcomers++) {
      const before = worker.begun.length;
      const json = { imageUrl: "https://shop.example/2.jpg" };
      const { body } = await (await newClient()).call("POST", "/v1/tools/mask/edit", { json });
      await expect.poll(() => ready(0), waiting).toBeGreaterThan(0);
      while (!worker.begun.some(({ id }) => id === body.id)) await next();
      places.push(worker.begun.length - before - 1);
      // Newcomers that follow each other share the turns with the rows.
      await next();
      await next();
    }
    expect(places).toEqual([0, 0, 0, 0, 0, 0]);
  } finally {
    await worker.stop();
  }
});
