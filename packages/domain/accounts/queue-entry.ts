import { subjects, ttlSeconds } from "../subjects.ts";
import type { Write } from "../write.ts";
import type { Lane } from "./lane.ts";
import { windowOfLane } from "./window.ts";

/** The value of a wait record (a job beyond its account's window) and of a ready message (a job in the ready queue). */
export interface QueueEntry {
  readonly v: 1;
  readonly accountId: string;
  readonly jobId: string;
  readonly lane: Lane;
  /** A worker may fetch its `imageUrl` while it waits. */
  readonly sourceIsUrl?: true;
  /** The job's: a waiting job is promoted by another process than the one that accepted it. */
  readonly traceparent?: string;
}

/** What names a job's wait record. */
export interface WaitRef {
  readonly accountId: string;
  readonly jobId: string;
  readonly lane: Lane;
}

/** Each window's waiting jobs have subjects of their own, so that the next to promote is found without the others. */
export function waitSubject({ accountId, jobId, lane }: WaitRef): string {
  return subjects.wait[windowOfLane(lane)](accountId, jobId);
}

export function waitWrite(entry: QueueEntry): Write {
  return { subject: waitSubject(entry), value: entry, expected: 0 };
}

/** Ends a wait record; `sequence` is the record's, as it was read. */
export function waitTombstone(ref: WaitRef, sequence: number): Write {
  return {
    subject: waitSubject(ref),
    value: null,
    expected: sequence,
    ttlSeconds: ttlSeconds.unfollowedTombstone,
  };
}

export function readyWrite(entry: QueueEntry): Write {
  return {
    subject: subjects.ready(entry.lane, entry.accountId, entry.jobId),
    value: entry,
    ttlSeconds: ttlSeconds.outbox,
  };
}
