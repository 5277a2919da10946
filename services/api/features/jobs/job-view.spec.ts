import { jetstreamManager } from "@nats-io/jetstream";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Job, QueuedJob } from "@packshot/domain/jobs/job.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterEach, expect, test } from "vitest";
import { queuedJob } from "../../../../testing/log/job-records.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createJobView, type JobView } from "./job-view.ts";

const logger = createLogger({ name: "job-view.spec", level: "silent" });
const log = suiteFixture(startLog);
const started: JobView[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((view) => view.stop()));
});

async function startView(): Promise<JobView> {
  const view = createJobView({ log, logger, nowMs: Date.now });
  started.push(view);
  await view.start();
  return view;
}

/** Writes the job, or its tombstone; the sequence of that. */
async function write(accountId: string, jobId: string, value: Job | null): Promise<number> {
  return (await log.commit("test", [{ subject: subjects.job(accountId, jobId), value }])).firstSequence;
}

/** As of that write. */
async function idsAt(view: JobView, accountId: string, sequence: number): Promise<readonly string[]> {
  view.committed(accountId, sequence);
  expect(await view.caughtUp(accountId, 20_000)).toBe(true);
  const query = { live: true, metadata: {}, nowMs: Date.now(), candidatesMax: 10, scanMax: 10 };
  return view.find(accountId, query).ids;
}

test("lists the jobs that were there at the start and those that followed, newest first", async () => {
  const accountId = uuidv7();
  const [first, second] = [1, 2].map((ms) => queuedJob({ id: uuidv7(ms), accountId })) as [QueuedJob, QueuedJob];
  const sequence = await write(accountId, first.id, first);
  const view = await startView();
  expect(await idsAt(view, accountId, sequence)).toEqual([first.id]);
  expect(await idsAt(view, accountId, await write(accountId, second.id, second))).toEqual([second.id, first.id]);
  expect(view.queuedBefore(accountId, second)).toBe(1);
});

test("tells a listener of each change of its job, and of its deletion", async () => {
  const view = await startView();
  const job = queuedJob();
  await view.caughtUp(job.accountId, 20_000);
  const changes: (string | undefined)[] = [];
  const stop = view.onChange(job.id, (changed) => changes.push(changed?.status));
  await write(job.accountId, job.id, job);
  expect(await idsAt(view, job.accountId, await write(job.accountId, job.id, null))).toEqual([]);
  stop();
  expect(await idsAt(view, job.accountId, await write(job.accountId, job.id, job))).toEqual([job.id]);
  expect(changes).toEqual(["queued", undefined]);
});

test("resumes when its consumer is deleted, and sees what changed meanwhile", async () => {
  const view = await startView();
  expect(await view.caughtUp(uuidv7(), 20_000)).toBe(true);
  const manager = await jetstreamManager(log.connection);
  for await (const { name, config } of manager.consumers.list(streams.state)) {
    if (config.durable_name === undefined) await manager.consumers.delete(streams.state, name);
  }
  const job = queuedJob();
  expect(await idsAt(view, job.accountId, await write(job.accountId, job.id, job))).toEqual([job.id]);
});

test("reads the jobs of every state stream, and waits for the one of the account", async () => {
  const sharded = await startLog({ stateStreams: 4 });
  const view = createJobView({ log: sharded, logger, nowMs: Date.now });
  await view.start();
  const jobs = Array.from({ length: 12 }, () => queuedJob());
  for (const job of jobs) {
    const write = { subject: subjects.job(job.accountId, job.id), value: job };
    expect(await idsAt(view, job.accountId, (await sharded.commit("test", [write])).firstSequence)).toEqual([job.id]);
  }
  await view.stop();
  await sharded.stop();
});
