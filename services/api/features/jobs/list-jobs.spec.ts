import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { cancelJob, type QueuedJob } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterEach, expect, test } from "vitest";
import { queuedJob } from "../../../../testing/log/job-records.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createJobView, type JobView } from "./job-view.ts";
import { type JobListRequest, type JobPage, type ListJobsDeps, listJobs } from "./list-jobs.ts";

const log = suiteFixture(startLog);
const started: JobView[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((view) => view.stop()));
});

async function startView(): Promise<JobView> {
  const view = createJobView({
    log,
    logger: createLogger({ name: "list-jobs.spec", level: "silent" }),
    nowMs: Date.now,
  });
  started.push(view);
  await view.start();
  return view;
}

/** A queued job for each second before now, newest first. */
async function write(
  accountId: string,
  count: number,
  change: (i: number) => Partial<QueuedJob> = () => ({}),
): Promise<QueuedJob[]> {
  const jobs = Array.from({ length: count }, (_, i) => {
    const createdMs = Date.now() - 1_000 * i;
    const facts = { id: uuidv7(createdMs), accountId, createdAt: isoTime(createdMs) };
    return queuedJob({ ...facts, ...change(i) });
  });
  for (let from = 0; from < count; from += 500) {
    const writes = jobs
      .slice(from, from + 500)
      .map((job) => ({ subject: subjects.job(accountId, job.id), value: job }));
    await log.commit("test", writes);
  }
  return jobs;
}

async function list(
  view: ListJobsDeps["view"],
  request: Partial<JobListRequest> & { readonly accountId: string },
  reading: Log = log,
): Promise<JobPage> {
  const { accountId, ...rest } = request;
  const realm = { accountId, live: true };
  const deps = { log: reading, view, nowMs: Date.now };
  return await listJobs(deps, { realm, filter: { metadata: {} }, limit: 20, ...rest });
}

const idsOf = ({ jobs }: Pick<JobPage, "jobs">) => jobs.map(({ id }) => id);

/** It has read what there is, and learns nothing later, as one that lags. */
async function startAndStopView(accountId: string): Promise<JobView> {
  const view = await startView();
  expect(await view.caughtUp(accountId, 20_000)).toBe(true);
  await view.stop();
  return view;
}

test("a page shows jobs as the leader has them, and those that have changed or gone make room for others", async () => {
  const accountId = uuidv7();
  const jobs = await write(accountId, 30);
  const view = await startAndStopView(accountId);
  const cancelled = cancelJob(jobs[1]!, { nowMs: Date.now(), retentionMs: 60_000 });
  await log.commit("test", [
    { subject: subjects.job(accountId, jobs[0]!.id), value: null },
    { subject: subjects.job(accountId, jobs[1]!.id), value: cancelled },
  ]);
  const page = await list(view, { accountId, limit: 10 });
  expect(idsOf(page)).toEqual(jobs.slice(1, 11).map(({ id }) => id));
  expect(page.jobs[0]).toEqual(cancelled);
  const queued = await list(view, { accountId, filter: { status: "queued", metadata: {} }, limit: 10 });
  expect(idsOf(queued)).toEqual(jobs.slice(2, 12).map(({ id }) => id));
  const rest = await list(view, { accountId, beforeId: queued.nextId, limit: 18 });
  expect([idsOf(rest), rest.nextId]).toEqual([jobs.slice(12).map(({ id }) => id), undefined]);
});

test("a request reads few records when thousands seem to match and do not, and the next one goes on there", async () => {
  const accountId = uuidv7();
  const jobs = await write(accountId, 1_500, (i) => ({ metadata: { sku: i === 1_499 ? "wanted" : "other" } }));
  const view = await startAndStopView(accountId);
  let reads = 0;
  const counting: Log = {
    ...log,
    async read(subject) {
      reads += 1;
      return await log.read(subject);
    },
  };
  // As a filter whose every bit in the index is set by chance: the index finds all jobs.
  const find: JobView["find"] = (account, query) => view.find(account, { ...query, metadata: {} });
  const filter = { metadata: { sku: "wanted" } };
  const first = await list({ ...view, find }, { accountId, filter }, counting);
  expect(first.jobs).toEqual([]);
  expect(first.nextId).toBeDefined();
  expect(reads).toBeLessThan(300);
  let pages = 1;
  let page = first;
  while (page.nextId !== undefined) {
    page = await list({ ...view, find }, { accountId, filter, beforeId: page.nextId });
    pages += 1;
  }
  expect(idsOf(page)).toEqual([jobs.at(-1)!.id]);
  expect(pages).toBeLessThan(10);
  reads = 0;
  const unmatched = await list(view, { accountId, filter: { metadata: { sku: "none" } } }, counting);
  expect([unmatched, reads]).toEqual([{ jobs: [], nextId: undefined }, 0]);
});

test("while the view has not read what there was at the start, lists are unavailable, and then complete", async () => {
  const accountId = uuidv7();
  const [job] = await write(accountId, 1);
  await log.nats.pause();
  const view = await startView();
  const impatient: ListJobsDeps["view"] = { ...view, caughtUp: (account) => view.caughtUp(account, 10) };
  await expect(list(impatient, { accountId })).rejects.toMatchObject({ code: "unavailable" });
  expect(view.lag()).toBe("the job view does not follow the log");
  log.nats.resume();
  expect(idsOf(await list(view, { accountId }))).toEqual([job!.id]);
  expect(view.lag()).toBeUndefined();
});
