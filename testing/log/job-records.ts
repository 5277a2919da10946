import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import {
  type CompletedJob,
  completeJob,
  jobDeadlineMs,
  type ProcessingJob,
  type QueuedJob,
} from "@packshot/domain/jobs/job.ts";
import type { NewJob } from "../../services/api/features/edits/accept-request.ts";

/** A job that its account has not accepted yet. */
export function newTestJob(accountId: string, change: Partial<NewJob> = {}): NewJob {
  return {
    id: uuidv7(),
    accountId,
    tool: "mask",
    live: true,
    parameters: { seed: 1 },
    metadata: {},
    source: { kind: "url", imageUrl: "https://shop.example/mug.jpg" },
    credits: 1,
    maxFileSizeBytes: 1_000_000,
    createdAt: isoTime(Date.now()),
    ...change,
  };
}

/** A job of an account of its own, as accepting writes it. */
export function queuedJob(change: Partial<QueuedJob> = {}): QueuedJob {
  return {
    v: 1,
    id: uuidv7(),
    accountId: uuidv7(),
    tool: "mask",
    live: true,
    parameters: { seed: 1 },
    metadata: {},
    source: { kind: "url", imageUrl: "https://shop.example/mug.jpg" },
    creditsCharged: 1,
    period: 1,
    maxFileSizeBytes: 1_000_000,
    sourceBytes: 1_000_000,
    lane: 0,
    createdAt: isoTime(Date.now()),
    attempts: 0,
    startedAt: null,
    status: "queued",
    ...change,
  };
}

/** The same after its first claim. */
export function processingJob(change: Partial<Omit<ProcessingJob, "status">> = {}): ProcessingJob {
  const nowMs = Date.now();
  return {
    ...queuedJob(),
    attempts: 1,
    attemptId: uuidv7(),
    readySequence: 1,
    startedAt: isoTime(nowMs),
    deadlineAt: isoTime(nowMs + jobDeadlineMs),
    ...change,
    status: "processing",
  };
}

/** The same when its edit is done, with a result that is nowhere. */
export function completedJob(change: Partial<Omit<CompletedJob, "status">> = {}): CompletedJob {
  const file = { key: "none", contentType: "image/png", bytes: 1 };
  const report = { quality: "review", reasons: ["much of the edge is uncertain"] };
  const result = { result: file, thumbnail: file, model: null, report, timings: {}, inferenceMs: 0 };
  const times = { nowMs: Date.now(), retentionMs: 3_600_000 };
  return { ...completeJob(processingJob(), result, null, times), ...change };
}
