/**
 * An account has two windows into the ready queue, one for live jobs and one for sandbox jobs, so that neither kind takes
 * the other's slots. A job's lane says in which window it counts. Jobs beyond the window have wait records, and each job that
 * ends lets the oldest waiting one in. Sandbox jobs, made with a test key, have the same number of slots, with counters, wait
 * records, rates and a lane of their own, and hold up no live job even where they stay queued on purpose.
 */
import { type Lane, sandboxLane } from "./lane.ts";
import type { PlanLimits } from "./plan.ts";

export const windowKinds = ["live", "sandbox"] as const;
export type WindowKind = (typeof windowKinds)[number];

/**
 * The sequence of the last wait record whose job has entered the window: no job with that one or an earlier one waits.
 * Absent before the first.
 */
export type PromotedThrough = Readonly<Partial<Record<WindowKind, number>>>;

/** Jobs of one window. */
export interface WindowCounts {
  /** Inside the window: queued or processing. */
  readonly running: number;
  /** With a wait record. */
  readonly waiting: number;
}

export function windowOfLane(lane: Lane): WindowKind {
  return lane === sandboxLane ? "sandbox" : "live";
}

/** Sandbox jobs are free, so credits do not limit how many wait. */
export const sandboxQueuedJobsMax = 1_000;

/** How many jobs may wait for a slot of the window. */
export function queuedJobsMax({ maxQueuedJobs }: PlanLimits, window: WindowKind): number {
  return window === "live" ? maxQueuedJobs : Math.min(maxQueuedJobs, sandboxQueuedJobsMax);
}

/**
 * Bytes of the sources of jobs that have not ended, which the plan bounds so that no account fills the disk. The account's
 * record counts them, apart for live and sandbox jobs: accepting a job adds its bytes and settling it subtracts them, in the
 * batches that count the job itself, so the count is exact. The job and its ended event carry the bytes, because the job's
 * record may have expired when the keeper reads the event.
 *
 * An `imageUrl` reserves bytes instead: its size is unknown until a worker has fetched it, and a worker that wrote the
 * account's record would conflict with every accept. Jobs without a reservation wait too, but their image is fetched when
 * they run. Upload sessions have a tally of their own (`upload-tally.ts`), so that an upload holds up no accept.
 */
export type SourceBytes = Readonly<Record<WindowKind, number>>;

/** Never below zero. */
export function addSourceBytes(counted: SourceBytes, window: WindowKind, change: number): SourceBytes {
  return { ...counted, [window]: Math.max(0, counted[window] + change) };
}

/** A single file may be larger than the limit: otherwise an account with a small limit could edit nothing. */
export function fitsWaitingBytes(held: number, bytes: number, limits: PlanLimits): boolean {
  return held === 0 || held + bytes <= limits.maxWaitingBytes;
}

/** A source that is larger is not prefetched. */
const prefetchBytesMax = 32 * 1024 * 1024;

/**
 * The bytes reserved for the early fetch of an `imageUrl`, whose size nobody knows yet. 0: it is not prefetched.
 * Reservations take at most half of the limit, so that they refuse no file.
 */
export function prefetchBytes(held: number, limits: PlanLimits): number {
  const bytes = Math.min(limits.maxFileSizeBytes, prefetchBytesMax);
  return held + bytes <= limits.maxWaitingBytes / 2 ? bytes : 0;
}
