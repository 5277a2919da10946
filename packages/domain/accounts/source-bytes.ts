/**
 * Bytes of the sources of jobs that have not ended, which the plan bounds so that no account fills the disk. The account's
 * record counts them, apart for live and sandbox jobs: accepting a job adds its bytes and settling it subtracts them, in the
 * batches that count the job itself, so the count is exact. The job and its ended event carry the bytes, because the job's
 * record may have expired when the account settler reads the event.
 *
 * An `imageUrl` reserves bytes instead: its size is unknown until a worker has fetched it, and a worker that wrote the
 * account's record would conflict with every accept. Jobs without a reservation wait too, but their image is fetched when
 * they run. Upload sessions have a tally of their own (`upload-tally.ts`), so that an upload holds up no accept.
 */
import type { PlanLimits } from "./plan.ts";
import type { WindowKind } from "./window.ts";

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
