import { setTimeout } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import type { ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { laneConsumerName } from "@packshot/log/nats/streams.ts";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { startQueuedEdits } from "../../../testing/worker/queued-edits.ts";

const edits = suiteFixture(startQueuedEdits);

afterEach(() => edits.stopWorkers());

it("completes a queued job and writes its event, once", async () => {
  const job = await edits.queueJob();
  await edits.startWorker(edits.resultOf);
  const done = await edits.jobWhen(job, ({ status }) => status === "completed");
  expect(done).toMatchObject({ attempts: 1, parameters: { model: "m@1" } });
  const event = await edits.log.read(subjects.event(job.accountId, job.id, "completed"));
  expect(event.value).toMatchObject({ kind: "completed", jobId: job.id, credits: 1, expiresAt: expect.any(String) });
});

it("aborts a running job that was cancelled, deletes its files and runs the next job", async () => {
  const job = await edits.queueJob();
  let running: (() => void) | undefined;
  const isRunning = new Promise<void>((resolve) => (running = resolve));
  await edits.startWorker(async (claimed, signal) => {
    const result = await edits.resultOf(claimed);
    if (claimed.id !== job.id) return result;
    running!();
    await setTimeout(60_000, undefined, { signal });
    return result;
  });
  await isRunning;
  const cancelled = await edits.cancel(job);
  edits.log.connection.publish(subjects.abort(job.id));
  const next = await edits.queueJob();
  await edits.jobWhen(next, ({ status }) => status === "completed");
  expect(await edits.readJob(job)).toEqual(cancelled);
  expect(await edits.filesOf(job)).toEqual([]);
});

it("requeues running jobs when it stops, and another worker completes them", async () => {
  const job = await edits.queueJob();
  let running: (() => void) | undefined;
  const isRunning = new Promise<void>((resolve) => (running = resolve));
  const first = await edits.startWorker(async (claimed, signal) => {
    running!();
    await setTimeout(60_000, undefined, { signal });
    return await edits.resultOf(claimed);
  });
  await isRunning;
  await first.stop();
  expect(await edits.readJob(job)).toMatchObject({ status: "queued", attempts: 0 });
  await edits.startWorker(edits.resultOf);
  await edits.jobWhen(job, ({ status }) => status === "completed");
});

it("does not begin an edit again whose message comes again while it runs", async () => {
  const job = await edits.queueJob();
  const goOn = Promise.withResolvers<void>();
  let runs = 0;
  await edits.startWorker(
    async (claimed) => {
      if (claimed.id === job.id) runs += 1;
      if (claimed.id === job.id) await goOn.promise;
      return await edits.resultOf(claimed);
    },
    { slots: 2 },
  );
  onTestFinished(() => goOn.resolve());
  const claimed = (await edits.jobWhen(job, ({ status }) => status === "processing")) as ProcessingJob;
  // As after an outage of the log in which the worker could not say that it works.
  const consumer = (await jetstreamManager(edits.log.connection)).consumers;
  const lane = laneConsumerName(job.lane);
  const before = await consumer.info(streams.ready, lane);
  const place = [1, claimed.readySequence, before.delivered.consumer_seq, 0, 0].join(".");
  edits.log.connection.publish(`$JS.ACK.${streams.ready}.${lane}.${place}`, "-NAK");
  const deliveries = async () => (await consumer.info(streams.ready, lane)).delivered.consumer_seq;
  await expect.poll(deliveries).toBeGreaterThan(before.delivered.consumer_seq);
  await edits.jobWhen(await edits.queueJob(), ({ status }) => status === "completed");
  goOn.resolve();
  expect(await edits.jobWhen(job, ({ status }) => status === "completed")).toMatchObject({ attempts: 1 });
  expect(runs).toBe(1);
});

it("acks the message of a job that was deleted or has ended without running it", async () => {
  const job = await edits.queueJob();
  const gone = await edits.queueJob();
  await edits.cancel(job);
  await edits.log.commit("delete", [{ subject: subjects.job(gone.accountId, gone.id), value: null, ttlSeconds: 10 }]);
  const ran: string[] = [];
  const next = await edits.queueJob();
  await edits.startWorker(async (claimed) => {
    ran.push(claimed.id);
    return await edits.resultOf(claimed);
  });
  await edits.jobWhen(next, ({ status }) => status === "completed");
  expect(ran).toEqual([next.id]);
});

it("runs the next job while the one before only waits, and then completes the waiting one", async () => {
  const waiting = await edits.queueJob();
  const nextIsDone = Promise.withResolvers<void>();
  await edits.startWorker(async (claimed, _signal, _onStage, releaseWhile) => {
    if (claimed.id === waiting.id) await releaseWhile!(() => nextIsDone.promise);
    return await edits.resultOf(claimed);
  });
  await edits.jobWhen(waiting, ({ status }) => status === "processing");
  await edits.jobWhen(await edits.queueJob(), ({ status }) => status === "completed");
  expect(await edits.readJob(waiting)).toMatchObject({ status: "processing" });
  nextIsDone.resolve();
  await edits.jobWhen(waiting, ({ status }) => status === "completed");
});

it("runs as many jobs at once as it has slots, from every lane", async () => {
  const jobs = await Promise.all(([0, 1, 2, 3, 3, 2] as const).map((lane) => edits.queueJob({ lane })));
  let now = 0;
  let most = 0;
  const twoAtOnce = Promise.withResolvers<void>();
  await edits.startWorker(
    async (claimed) => {
      now += 1;
      most = Math.max(most, now);
      if (now === 2) twoAtOnce.resolve();
      await twoAtOnce.promise;
      now -= 1;
      return await edits.resultOf(claimed);
    },
    { slots: 2 },
  );
  await Promise.all(jobs.map((job) => edits.jobWhen(job, ({ status }) => status === "completed")));
  expect(most).toBe(2);
});
