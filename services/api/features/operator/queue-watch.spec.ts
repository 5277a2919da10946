import { jetstream } from "@nats-io/jetstream";
import { streams } from "@packshot/domain/subjects.ts";
import { laneConsumerName } from "@packshot/log/nats/streams.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { acceptTestJobs, openTestAccount } from "../../../../testing/log/accepted-jobs.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createQueueWatch } from "./queue-watch.ts";

const logger = createLogger({ name: "queue-watch.spec", level: "fatal" });
const log = suiteFixture(startLog);

async function take(lane: number, count: number): Promise<void> {
  const consumer = await jetstream(log.connection).consumers.get(streams.ready, laneConsumerName(lane));
  await Array.fromAsync(await consumer.fetch({ max_messages: count }));
}

test("jobs that wait, jobs that are taken and the age of the oldest are known by lane", async () => {
  const registry = new Registry();
  let aheadMs = 0;
  const watch = createQueueWatch({ log, registry, logger, nowMs: () => Date.now() + aheadMs, everyMs: 20 });
  const read = async (name: string) =>
    Object.fromEntries(
      (await registry.getSingleMetric(`packshot_queue_${name}`)!.get()).values.map(({ labels, value }) => [
        labels.lane,
        value,
      ]),
    );
  await watch.start();
  try {
    const accountId = await openTestAccount(log, { concurrentJobs: 100 });
    await acceptTestJobs(log, accountId, 5);
    // The first two of an account are in lane 0, the next in lane 1.
    await expect.poll(() => read("ready_jobs")).toEqual({ 0: 2, 1: 3, 2: 0, 3: 0, 4: 0 });
    aheadMs = 60_000;
    const ages = await read("oldest_job_age_seconds");
    expect(ages["0"]).toBeGreaterThan(59);
    expect(ages["1"]).toBeGreaterThan(59);
    expect(ages["2"]).toBe(0);

    for (const [lane, count] of [2, 3].entries()) await take(lane, count);
    await expect.poll(() => read("ready_jobs")).toEqual({ 0: 0, 1: 0, 2: 0, 3: 0, 4: 0 });
    expect(await read("taken_jobs")).toMatchObject({ 0: 2, 1: 3 });
    await expect.poll(() => read("oldest_job_age_seconds")).toMatchObject({ 0: 0, 1: 0 });
  } finally {
    await watch.stop();
  }
});
