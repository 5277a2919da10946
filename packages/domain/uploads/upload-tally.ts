/**
 * How many upload sessions an account has open, and the bytes declared for them, in one record. A session expires without
 * an event, so sessions are counted by the time at which they were opened: a slice of time leaves the count when all of
 * its sessions have expired. A session counts until it is deleted or expires, used or not: otherwise an edit that fails and
 * is refunded would free the count while the bytes stay for a day.
 */

import type { PlanLimits } from "../accounts/plan.ts";
import type { WindowKind } from "../accounts/window.ts";
import { fitsWaitingBytes } from "../accounts/window.ts";
import { PackshotError } from "../errors.ts";
import { ttlSeconds } from "../subjects.ts";
import type { Upload } from "./upload.ts";

export interface TallySlice {
  readonly fromMs: number;
  readonly sessions: number;
  /** As declared: more cannot be sent. */
  readonly bytes: number;
}

/** Oldest first. Sessions of live and of test keys count apart. */
export type UploadTally = { readonly v: 1 } & Readonly<Partial<Record<WindowKind, readonly TallySlice[]>>>;

/** A tally is a few slices long, and a session counts at most so much longer than it lives. */
export const tallySliceMs = 4 * 3600 * 1000;
const uploadLifeMs = ttlSeconds.upload * 1000;
export const uploadTallyTtlSeconds = ttlSeconds.upload + (2 * tallySliceMs) / 1000;

/** Throws `limit_reached`: as many sessions as jobs may wait, and as many bytes as wait for those. */
export function openUpload(tally: UploadTally | undefined, upload: Upload, limits: PlanLimits): UploadTally {
  const slices = unexpired(tally, windowOfUpload(upload), Date.parse(upload.createdAt));
  const { sessions, bytes } = totalOf(slices);
  if (sessions >= Math.max(1, limits.maxQueuedJobs)) {
    throw limitReached(`${sessions} upload sessions are open; the limit is ${limits.maxQueuedJobs}`);
  }
  if (!fitsWaitingBytes(bytes, upload.sizeBytes, limits)) {
    throw limitReached(`The open upload sessions hold ${bytes} bytes; the limit is ${limits.maxWaitingBytes}`);
  }
  return changed(tally, upload, slices, 1);
}

/** The tally after `upload` was deleted. */
export function closeUpload(tally: UploadTally | undefined, upload: Upload, nowMs: number): UploadTally {
  return changed(tally, upload, unexpired(tally, windowOfUpload(upload), nowMs), -1);
}

export function uploadTotals(
  tally: UploadTally | undefined,
  window: WindowKind,
  nowMs: number,
): Omit<TallySlice, "fromMs"> {
  return totalOf(unexpired(tally, window, nowMs));
}

function changed(
  tally: UploadTally | undefined,
  upload: Upload,
  slices: readonly TallySlice[],
  sign: 1 | -1,
): UploadTally {
  const fromMs = sliceOf(Date.parse(upload.createdAt));
  const own = slices.find((slice) => slice.fromMs === fromMs) ?? { fromMs, sessions: 0, bytes: 0 };
  const next = { fromMs, sessions: own.sessions + sign, bytes: own.bytes + sign * upload.sizeBytes };
  const others = slices.filter((slice) => slice.fromMs !== fromMs);
  const all = next.sessions > 0 ? [...others, next].sort((a, b) => a.fromMs - b.fromMs) : others;
  return { ...tally, v: 1, [windowOfUpload(upload)]: all };
}

function unexpired(tally: UploadTally | undefined, window: WindowKind, nowMs: number): readonly TallySlice[] {
  const slices = tally?.[window] ?? [];
  return slices.filter(({ fromMs }) => fromMs + tallySliceMs + uploadLifeMs > nowMs);
}

function windowOfUpload({ live }: Upload): WindowKind {
  return live ? "live" : "sandbox";
}

function sliceOf(atMs: number): number {
  return Math.floor(atMs / tallySliceMs) * tallySliceMs;
}

function totalOf(slices: readonly TallySlice[]): Omit<TallySlice, "fromMs"> {
  return slices.reduce(
    (total, { sessions, bytes }) => ({ sessions: total.sessions + sessions, bytes: total.bytes + bytes }),
    { sessions: 0, bytes: 0 },
  );
}

function limitReached(problem: string): PackshotError {
  return new PackshotError("limit_reached", `${problem}: delete those that no edit needs any more.`);
}
