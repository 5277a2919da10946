import { setImmediate } from "node:timers/promises";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import type { Realm } from "../../access/caller.ts";
import type { JobFilter } from "./account-jobs.ts";
import { isExpired, type ReadJobDeps } from "./job-actions.ts";
import type { JobView } from "./job-view.ts";

/** A list waits no longer than this for the view, to show what this process has committed itself. */
const catchUpTimeoutMs = 5_000;
const readsParallelMax = 16;
/** Candidates of a request that may turn out not to match, beside those that fill its page. */
const mismatchesMax = 200;
/** Jobs that are looked at in the index before other requests get their turn: a millisecond. */
const scanMax = 20_000;

export interface ListJobsDeps extends ReadJobDeps {
  readonly view: Pick<JobView, "caughtUp" | "find">;
}

export interface JobListRequest {
  readonly realm: Realm;
  readonly filter: Omit<JobFilter, "live">;
  /** Only jobs created before this one. */
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  /** The next page begins before this job; undefined on the last page. */
  readonly nextId: string | undefined;
}

/**
 * Newest first. The index names candidates, and the page shows what the log's leader has of them: a job that has changed
 * or gone since falls out, and the next one takes its place. A page is shorter than `limit`, with a next one, when too
 * many fell out. Throws `unavailable` while the index lags.
 */
export async function listJobs(
  { log, nowMs, view }: ListJobsDeps,
  { realm: { accountId, live }, filter, beforeId, limit }: JobListRequest,
): Promise<JobPage> {
  if (!(await view.caughtUp(accountId, catchUpTimeoutMs))) {
    throw new PackshotError("unavailable", "The list of jobs is still being read; single jobs can be read.");
  }
  const inLimits = createLimiter(readsParallelMax);
  const wanted = { ...filter, live };
  // One more than the page shows tells whether there is a next page.
  const found: Job[] = [];
  let readsLeft = limit + 1 + mismatchesMax;
  let nextId = beforeId;
  do {
    const candidatesMax = Math.min(limit + 1 - found.length, readsLeft);
    const candidates = view.find(accountId, { ...wanted, nowMs: nowMs(), beforeId: nextId, candidatesMax, scanMax });
    const jobs = await Promise.all(
      candidates.ids.map((id) => inLimits(async () => (await log.read<Job>(subjects.job(accountId, id))).value)),
    );
    found.push(...(jobs.filter((job) => job !== undefined && matches(job, wanted, nowMs())) as Job[]));
    readsLeft -= candidates.ids.length;
    nextId = candidates.nextId;
    if (candidates.ids.length === 0) await setImmediate();
  } while (nextId !== undefined && found.length <= limit && readsLeft > 0);
  const jobs = found.slice(0, limit);
  return { jobs, nextId: found.length > limit ? jobs.at(-1)!.id : nextId };
}

function matches(job: Job, filter: JobFilter, nowMs: number): boolean {
  const { live, status, tool, quality, reviewed, createdAfterMs, metadata, batch } = filter;
  return (
    job.live === live &&
    (status === undefined || job.status === status) &&
    (tool === undefined || job.tool === tool) &&
    (quality === undefined || (job.status === "completed" && job.report.quality === quality)) &&
    (reviewed === undefined || (job.status === "completed" && (job.review !== undefined) === reviewed)) &&
    (createdAfterMs === undefined || Date.parse(job.createdAt) > createdAfterMs) &&
    (batch === undefined || job.batch?.id === batch) &&
    Object.entries(metadata).every(([name, value]) => job.metadata[name] === value) &&
    !isExpired(job, nowMs)
  );
}
