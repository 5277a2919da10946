/**
 * An account has two windows into the ready queue, one for live jobs and one for sandbox jobs, so that neither kind takes
 * the other's slots. A job's lane says in which window it counts. Jobs beyond the window have wait records, and each job that
 * ends lets the oldest waiting one in. Sandbox jobs, made with a test key, have the same number of slots, with counters, wait
 * records, rates and a lane of their own, and hold up no live job even where they stay queued on purpose.
 */
import { type Lane, sandboxLane } from "../edits/lane.ts";
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
