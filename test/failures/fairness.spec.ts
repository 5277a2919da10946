/**
 * Fairness without a scheduler: ten thousand jobs of one account wait, and a newcomer's job still starts after what
 * runs already, one job per slot, and a turn or two of other lanes.
 */
import { jetstreamManager } from "@nats-io/jetstream";
import type { Lane } from "@packshot/domain/accounts/lane.ts";
import type { JobResult } from "@packshot/domain/jobs/job.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { afterAll, expect, test } from "vitest";
import { createKeeper } from "../../services/api/features/jobs/keeper.ts";
import { createClaims } from "../../services/inference/consumer/claims.ts";
import { createReadyConsumer } from "../../services/inference/consumer/ready-consumer.ts";
import { createReadyQueue } from "../../services/inference/consumer/ready-queue.ts";
import { createWorkerMetrics } from "../../services/inference/consumer/worker-metrics.ts";
import { acceptTestJobs, openTestAccount, readAccount } from "../../testing/log/accepted-jobs.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { briefPause } from "../../testing/worker/brief-pause.ts";

const bulkJobs = 10_000;
const newcomers = 40;
const slots = 2;
const logger = createLogger({ name: "fairness", level: "error" });

const log = suiteFixture(startLog);
const components: Component[] = [];
/** Account ids of the jobs in the order in which they started. */
const starts: string[] = [];
let onStart = () => {};
/** While it is closed no job ends, so jobs start in free slots only. */
let gate = Promise.resolve();

afterAll(async () => {
  for (const component of components.reverse()) await component.stop();
});

const file = { key: "none", contentType: "image/png", bytes: 1 };
const result: JobResult = { result: file, thumbnail: file, model: null, report: {}, timings: {}, inferenceMs: 0 };

async function startWorker(): Promise<void> {
  const worker = createReadyConsumer({
    connection: log.connection,
    queue: createReadyQueue(log.connection),
    claims: createClaims({ log, retentionMs: 60_000 }),
    runner: {
      async run(job) {
        starts.push(job.accountId);
        onStart();
        await gate;
        return result;
      },
    },
    storage: { deletePrefix: async () => {} } as unknown as Storage,
    slots,
    drainTimeoutMs: 0,
    waitForModelServer: async () => {},
    pause: briefPause(),
    metrics: createWorkerMetrics(createMetrics("fairness")),
    logger,
  });
  components.push(worker);
  await worker.start();
}

function started(accountId: string): Promise<number> {
  return new Promise((resolve) => {
    onStart = () => {
      const at = starts.indexOf(accountId);
      if (at >= 0) resolve(at);
    };
    onStart();
  });
}

/** PS_READY is sourced: a job is accepted before it is there. Ten thousand take a second or two. */
async function isInQueue(lane: Lane, accountId: string, jobId: string): Promise<boolean> {
  const manager = await jetstreamManager(log.connection, { checkAPI: false });
  const found = await manager.streams
    .getMessage(streams.ready, { last_by_subj: subjects.ready(lane, accountId, jobId) })
    .catch(() => null);
  return found !== null;
}

test.each([
  { most: "waiting", concurrentJobs: 64 },
  { most: "ready", concurrentJobs: bulkJobs },
])(
  `with ${bulkJobs} jobs of one account $most, a newcomer is among the next few to start`,
  { timeout: 300_000 },
  async (window) => {
    const bulk = await openTestAccount(log, { concurrentJobs: window.concurrentJobs }, 2 * bulkJobs);
    const bulkIds = await acceptTestJobs(log, bulk, bulkJobs);
    if (components.length === 0) {
      const { running, waiting } = await readAccount(log, bulk);
      expect({ running, waiting }).toEqual({
        running: window.concurrentJobs,
        waiting: bulkJobs - window.concurrentJobs,
      });
      const keeper = createKeeper({ log, logger });
      components.push(keeper);
      await keeper.start();
      await startWorker();
    }

    if (window.concurrentJobs === bulkJobs) {
      await expect.poll(() => isInQueue(3, bulk, bulkIds.at(-1)!)).toBe(true);
    }

    const ahead: number[] = [];
    for (let i = 0; i < newcomers; i++) {
      const { promise: closed, resolve: open } = Promise.withResolvers<void>();
      gate = closed;
      const accountId = await openTestAccount(log, { concurrentJobs: 2 });
      const [jobId] = await acceptTestJobs(log, accountId, 1);
      await expect.poll(() => isInQueue(0, accountId, jobId!), { interval: 5 }).toBe(true);
      const before = starts.length;
      open();
      ahead.push((await started(accountId)) - before);
    }
    const mean = ahead.reduce((sum, count) => sum + count, 0) / newcomers;
    console.info(JSON.stringify({ newcomers, bulkStarted: starts.length - newcomers, mean, most: Math.max(...ahead) }));
    const { running, waiting } = await readAccount(log, bulk);
    expect(running + waiting).toBeGreaterThan(bulkJobs / 2); // the bulk was there all the time
    // What each slot had taken or begun to take before, and one or two turns of other lanes.
    expect(Math.max(...ahead)).toBeLessThanOrEqual(slots + 2);
  },
);

test("the bulk does not starve while newcomers keep coming", async () => {
  const before = starts.length;
  const flood = await Promise.all(Array.from({ length: 30 }, () => openTestAccount(log, { concurrentJobs: 2 })));
  await Promise.all(flood.map((accountId) => acceptTestJobs(log, accountId, 2)));
  await Promise.all(
    flood.map(async (accountId) => {
      await expect.poll(() => starts.filter((started) => started === accountId).length).toBe(2);
    }),
  );
  const ofBulk = starts.slice(before).filter((accountId) => !flood.includes(accountId));
  // The deepest lane has every fifteenth turn.
  expect(ofBulk.length).toBeGreaterThanOrEqual(60 / 15);
});
