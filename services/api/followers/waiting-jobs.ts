/**
 * The wait records of an account, as the keeper needs them. A nats-server that is killed brings back wait records whose
 * tombstones have expired (docs/adr/killed-nats-server.md), so a record alone does not say that its job waits: a job that
 * has entered its window has a ready message, too.
 */
import { isJobEndedEvent } from "@packshot/domain/event.ts";
import { uuidv7TimeMs } from "@packshot/domain/ids.ts";
import type { Job } from "@packshot/domain/job.ts";
import { type QueueEntry, waitSubject } from "@packshot/domain/queue-entry.ts";
import { streams, subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { WindowKind } from "@packshot/domain/window.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { FollowedEvent } from "@packshot/platform/nats/follower.ts";
import { readLastMessage } from "@packshot/platform/nats/leader-read.ts";
import type { Log } from "@packshot/platform/nats/log.ts";

export interface NextWaits {
  /** The oldest of jobs that wait. */
  readonly next: readonly Versioned<QueueEntry>[];
  /** Brought back: their jobs do not wait. They stand before the last of `next`. */
  readonly stale: readonly Versioned<QueueEntry>[];
  /** There are no others. */
  readonly isAll: boolean;
}

export const noWaits: NextWaits = { next: [], stale: [], isAll: false };

export interface WaitingJobs {
  /** Sequences of the wait records of those of the events' jobs that waited when they ended. */
  ofEnded(events: readonly FollowedEvent[]): Promise<Map<string, number>>;
  /** The oldest wait records of a window, at most `count`, without those of jobs in `settled`. */
  oldest(
    window: WindowKind,
    accountId: string,
    wanted: { readonly count: number; readonly settled: ReadonlySet<string> },
  ): Promise<NextWaits>;
  /** The oldest enter the window first: none with this sequence or an earlier one waits any more. */
  notePromoted(window: WindowKind, accountId: string, sequence: number): void;
}

/** Stale records of a window that are ended in one batch, which has room for so many more messages. */
const staleMax = 45;
/** Accounts and windows of which it is known how far they are promoted. */
const promotedMax = 10_000;
/** A job that is older may have lost its ready message in the state stream to its time to live. */
const readyKeptMs = (ttlSeconds.outbox - 60) * 1_000;

export function createWaitingJobs({ log, nowMs }: { readonly log: Log; readonly nowMs: () => number }): WaitingJobs {
  const promoted = new Map<string, number>();

  async function waits({ accountId, jobId, lane }: QueueEntry): Promise<boolean> {
    const subject = subjects.ready(lane, accountId, jobId);
    if ((await log.read(subject)).sequence > 0) return false;
    if (nowMs() - uuidv7TimeMs(jobId) < readyKeptMs) return true;
    const { value: job } = await log.read<Job>(subjects.job(accountId, jobId));
    if (job?.status !== "queued") return false;
    return (await readLastMessage(log.connection, streams.ready, subject)) === undefined;
  }

  return {
    async ofEnded(events) {
      const found = new Map<string, number>();
      await Promise.all(
        events.map(async ({ event }) => {
          // A job that has started was in its window.
          if (!isJobEndedEvent(event) || event.startedAt !== null) return;
          const { value, sequence } = await log.read<QueueEntry>(waitSubject(event));
          if (value !== undefined && (await hasNoReadyMessage(value))) found.set(event.jobId, sequence);
        }),
      );
      return found;
    },

    /** The search ends at a hit, unless records were lost or brought back. */
    async oldest(window, accountId, { count, settled }) {
      const next: Versioned<QueueEntry>[] = [];
      const stale: Versioned<QueueEntry>[] = [];
      let fromSequence = (promoted.get(`${window} ${accountId}`) ?? 0) + 1;
      while (next.length < count && stale.length < staleMax) {
        const record = await log.readNext<QueueEntry>(subjects.wait[window](accountId, "*"), fromSequence);
        if (record === undefined) return { next, stale, isAll: true };
        fromSequence = record.sequence + 1;
        if (record.value === undefined || settled.has(record.value.jobId)) continue;
        const found = { value: record.value, sequence: record.sequence };
        ((await waits(record.value)) ? next : stale).push(found);
      }
      return { next, stale, isAll: false };
    },

    notePromoted(window, accountId, sequence) {
      const key = `${window} ${accountId}`;
      promoted.delete(key);
      promoted.set(key, sequence);
      if (promoted.size > promotedMax) promoted.delete(promoted.keys().next().value!);
    },
  };

  async function hasNoReadyMessage({ lane, accountId, jobId }: QueueEntry): Promise<boolean> {
    const subject = subjects.ready(lane, accountId, jobId);
    if ((await log.read(subject)).sequence > 0) return false;
    return (await readLastMessage(log.connection, streams.ready, subject)) === undefined;
  }
}
