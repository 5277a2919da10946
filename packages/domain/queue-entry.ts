import type { Lane } from "./lane.ts";
import { subjects, ttlSeconds } from "./subjects.ts";
import type { Write } from "./write.ts";

/** A job's place: beyond its account's window (wait record) or in the ready queue (ready message); both say the same. */
export interface QueueEntry {
  readonly v: 1;
  readonly accountId: string;
  readonly jobId: string;
  readonly lane: Lane;
  /** While it waits, a worker may fetch its `imageUrl`. */
  readonly sourceIsUrl?: true;
}

export function waitWrite(place: QueueEntry): Write {
  return { subject: subjects.wait(place.accountId, place.jobId), value: place, expected: 0 };
}

/** `sequence`: of the wait record as it was read. */
export function waitTombstone(accountId: string, jobId: string, sequence: number): Write {
  return {
    subject: subjects.wait(accountId, jobId),
    value: null,
    expected: sequence,
    ttlSeconds: ttlSeconds.unfollowedTombstone,
  };
}

export function readyWrite(place: QueueEntry): Write {
  return {
    subject: subjects.ready(place.lane, place.accountId, place.jobId),
    value: place,
    ttlSeconds: ttlSeconds.outbox,
  };
}
