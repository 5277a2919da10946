import { PackshotError } from "@packshot/domain/errors.ts";
import type { ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { afterEach, expect, it } from "vitest";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { startQueuedEdits } from "../../../testing/worker/queued-edits.ts";
import { LinksUnavailable } from "./bucket-links.ts";
import { type Claims, createClaims } from "./claims.ts";
import { ImageModelMissing, OtherWorkerNeeded } from "./other-worker.ts";
import { createReadyQueue, type ReadyQueue } from "./ready-queue.ts";
import { createWorkerMetrics } from "./worker-metrics.ts";

const edits = suiteFixture(startQueuedEdits);

afterEach(() => edits.stopWorkers());

it("fails a job with the error's code and leaves no file of the attempt", async () => {
  const job = await edits.queueJob();
  await edits.startWorker(async (claimed) => {
    await edits.resultOf(claimed);
    throw new PackshotError("no_product_found", "Nothing stands out.");
  });
  expect(await edits.jobWhen(job, ({ status }) => status === "failed")).toMatchObject({
    error: { code: "no_product_found", message: "Nothing stands out.", retryable: false },
  });
  expect(await edits.filesOf(job)).toEqual([]);
});

it("fails a job whose model no server has, and a client need not send it again", async () => {
  const job = await edits.queueJob();
  await edits.startWorker(async () => {
    throw new PackshotError("model_unavailable", "The model u2net is not loaded.");
  });
  expect(await edits.jobWhen(job, ({ status }) => status === "failed")).toMatchObject({
    error: { code: "model_unavailable", retryable: false },
  });
});

it("reveals no internals when an edit fails unexpectedly", async () => {
  const job = await edits.queueJob();
  await edits.startWorker(async () => {
    throw new TypeError("secret path /var/lib");
  });
  const failed = await edits.jobWhen(job, ({ status }) => status === "failed");
  expect(JSON.stringify(failed)).not.toContain("secret path");
  expect(failed).toMatchObject({ error: { code: "internal_error", retryable: true } });
});

it("keeps an earlier cancellation although the edit finished", async () => {
  const job = await edits.queueJob();
  await edits.startWorker(async (claimed) => {
    if (claimed.id === job.id) await edits.cancel(job);
    return await edits.resultOf(claimed);
  });
  await edits.jobWhen(await edits.queueJob(), ({ status }) => status === "completed");
  expect(await edits.readJob(job)).toMatchObject({ status: "cancelled" });
  expect(await edits.filesOf(job)).toEqual([]);
});

it("keeps the files of a job whose end was recorded although the log did not confirm it", async () => {
  const job = await edits.queueJob();
  const claims = createClaims({ log: edits.log, retentionMs: 3_600_000 });
  const complete: Claims["complete"] = async (claim, result) => {
    await claims.complete(claim, result);
    throw new PackshotError("unavailable", "The log is out of reach.");
  };
  const worker = await edits.startWorker(edits.resultOf, { claims: { ...claims, complete } });
  await edits.jobWhen(job, ({ status }) => status === "completed");
  await worker.stop();
  expect(await edits.filesOf(job)).toHaveLength(1);
});

it("keeps the files of a completed job whose message could not be acked", async () => {
  const job = await edits.queueJob();
  const queue = createReadyQueue(edits.log.connection);
  const refused = Promise.withResolvers<void>();
  const ack = async () => {
    refused.resolve();
    throw new Error("timeout");
  };
  const take: ReadyQueue["take"] = async (max, signal) =>
    (await queue.take(max, signal)).map((message) => ({ ...message, ack }));
  const worker = await edits.startWorker(edits.resultOf, { queue: { ...queue, take } });
  await refused.promise;
  await worker.stop();
  expect(await edits.readJob(job)).toMatchObject({ status: "completed" });
  expect(await edits.filesOf(job)).toHaveLength(1);
});

it("does not fail a job because the log is out of reach when its edit is done, and frees its slot", async () => {
  const job = await edits.queueJob();
  const tried = Promise.withResolvers<void>();
  const complete: Claims["complete"] = async () => {
    tried.resolve();
    throw new PackshotError("unavailable", "The log is out of reach.");
  };
  const metrics = createMetrics("test");
  const worker = await edits.startWorker(edits.resultOf, {
    claims: { ...createClaims({ log: edits.log, retentionMs: 3_600_000 }), complete },
    metrics: createWorkerMetrics(metrics),
  });
  await tried.promise;
  await worker.stop();
  // Its message comes back after the ack wait, and the edit is done again.
  expect(await edits.readJob(job)).toMatchObject({ status: "processing" });
  const inFlight = await metrics.registry.getSingleMetric("packshot_worker_jobs_in_flight")!.get();
  expect(inFlight.values.map(({ value }) => value)).toEqual([0]);
});

it.each([
  ["the model server refuses", new PackshotError("model_unavailable", "full", { details: { refused: true } })],
  ["no API process makes a link for", new LinksUnavailable(undefined)],
])("requeues a job that %s, and runs it again without counting the attempt", async (_what, error) => {
  const job = await edits.queueJob();
  let tries = 0;
  await edits.startWorker(async (claimed) => {
    tries += 1;
    if (tries === 1) throw error;
    return await edits.resultOf(claimed);
  });
  expect(await edits.jobWhen(job, ({ status }) => status === "completed")).toMatchObject({ attempts: 1 });
  expect(tries).toBe(2);
});

/** After how long a job comes back that a worker gives back with `error`, as if it had been delivered as often as `counted` says. */
async function returnedAfter(error: Error, counted: readonly number[]) {
  const job = await edits.queueJob();
  const queue = createReadyQueue(edits.log.connection);
  const delays: number[] = [];
  const deliveries: number[] = [];
  const take: ReadyQueue["take"] = async (max, signal) =>
    (await queue.take(max, signal)).map((message) => {
      deliveries.push(message.deliveries);
      return {
        ...message,
        deliveries: counted[delays.length]!,
        nak(delayMs: number) {
          delays.push(delayMs);
          message.nak(1);
        },
      };
    });
  let tries = 0;
  const run = async (claimed: ProcessingJob) => {
    tries += 1;
    if (tries <= counted.length) throw error;
    return await edits.resultOf(claimed);
  };
  await edits.startWorker(run, { queue: { ...queue, take } });
  expect(await edits.jobWhen(job, ({ status }) => status === "completed")).toMatchObject({ attempts: 1 });
  return { delays, deliveries };
}

it("returns a job that asks for another release's pipeline after longer and longer waits, up to a minute", async () => {
  const counted = [1, 11, 12, 35, 36, 1_000];
  const { delays, deliveries } = await returnedAfter(new OtherWorkerNeeded("another"), counted);
  expect(delays).toEqual([5_000, 5_000, 10_000, 15_000, 20_000, 60_000]);
  expect(deliveries).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it("returns a job whose image model's servers start after longer and longer waits, up to a quarter of a minute", async () => {
  const starting = new ImageModelMissing("starts", { isSoonBack: true });
  const { delays } = await returnedAfter(starting, [1, 2, 3, 4, 5, 1_000]);
  for (const [index, ms] of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000].entries()) {
    expect(delays[index]).toBeGreaterThanOrEqual(ms / 2);
    expect(delays[index]).toBeLessThanOrEqual(1.5 * ms);
  }
});

it("fails a job whose worker was lost four times instead of trying a fifth time", async () => {
  const job = await edits.queueJob({ attempts: 4 });
  await edits.startWorker(async () => {
    throw new Error("must not run");
  });
  expect(await edits.jobWhen(job, ({ status }) => status === "failed")).toMatchObject({
    error: { code: "internal_error" },
  });
});
