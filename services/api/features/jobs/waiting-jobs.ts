/**
 * The wait records of an account, as the keeper needs them. A nats-server that is killed brings back wait records whose
 * tombstones have expired (docs/adr/0032-killed-nats-server.md), so a record alone does not say that its job waits. Jobs enter
 * their window in the order of their records: up to the account's `promotedThrough` none waits.
 */
import { type Account, windowCounts } from "@packshot/domain/accounts/account.ts";
import { type QueueEntry, waitSubject } from "@packshot/domain/accounts/queue-entry.ts";
import { type WindowKind, windowOfLane } from "@packshot/domain/accounts/window.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { isJobEndedEvent, type JobOutcome } from "@packshot/domain/webhooks/event.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { FollowedEvent } from "@packshot/log/follow/read-events.ts";
import type { Log } from "@packshot/log/log.ts";

export interface NextWaits {
  /** The oldest of jobs that wait. */
  readonly next: readonly Versioned<QueueEntry>[];
  /** Brought back: their jobs do not wait. */
  readonly stale: readonly Versioned<QueueEntry>[];
  /** There are no others that wait. */
  readonly isAll: boolean;
}

export const noWaits: NextWaits = { next: [], stale: [], isAll: false };

export interface WaitingJobs {
  /** Sequences of the wait records of those of the events' jobs that waited when they ended. */
  ofEnded(account: Account, events: readonly FollowedEvent[]): Promise<Map<string, number>>;
  /** The oldest wait records of a window, at most `count`, without those of jobs in `settled`. */
  oldest(
    window: WindowKind,
    account: Account,
    wanted: { readonly count: number; readonly settled: ReadonlySet<string> },
  ): Promise<NextWaits>;
}

/** Stale records of a window that are ended in one batch, which has room for so many more messages. */
const staleMax = 20;
const outcomes: readonly JobOutcome[] = ["completed", "failed", "cancelled"];
/** Accounts and windows whose old records were all looked for. */
const cleanedMax = 10_000;

export function createWaitingJobs({ log }: { readonly log: Log }): WaitingJobs {
  const cleaned = new Set<string>();

  /**
   * Before its account had a `promotedThrough`, a job that has entered its window may be queued there. One that has ended
   * waits until its end is settled: it is counted as waiting so long.
   */
  async function waits({ lane, accountId, jobId }: QueueEntry, account: Account, through: number): Promise<boolean> {
    const [{ value: job }, ready] = await Promise.all([
      log.read<Job>(subjects.job(accountId, jobId)),
      through === 0 ? log.read(subjects.ready(lane, accountId, jobId)) : { sequence: 0 },
    ]);
    if (job?.status === "queued") return ready.sequence === 0;
    const ends = await Promise.all(outcomes.map((kind) => log.read(subjects.event(accountId, jobId, kind))));
    return ends.some(({ sequence }) => sequence > account.settledThrough);
  }

  /** Records up to `through`, some at a time: once in a process, and only where a younger one ends the search. */
  async function findOld(window: WindowKind, accountId: string, through: number): Promise<Versioned<QueueEntry>[]> {
    const key = `${window} ${accountId}`;
    const found: Versioned<QueueEntry>[] = [];
    if (through === 0 || cleaned.has(key)) return found;
    for (let from = 1; found.length < staleMax; ) {
      const record = await log.readNext<QueueEntry>(subjects.wait[window](accountId, "*"), from);
      if (record === undefined || record.sequence > through) {
        if (cleaned.size >= cleanedMax) cleaned.clear();
        cleaned.add(key);
        break;
      }
      from = record.sequence + 1;
      if (record.value !== undefined) found.push({ value: record.value, sequence: record.sequence });
    }
    return found;
  }

  return {
    async ofEnded(account, events) {
      const found = new Map<string, number>();
      await Promise.all(
        events.map(async ({ event, sequence: ofEvent }) => {
          // A job that has started was in its window.
          if (ofEvent <= account.settledThrough || !isJobEndedEvent(event) || event.startedAt !== null) return;
          const window = windowOfLane(event.lane);
          if (windowCounts(account, window).waiting === 0) return;
          const { value, sequence } = await log.read<QueueEntry>(waitSubject(event));
          if (value !== undefined && sequence > throughOf(account, window)) found.set(event.jobId, sequence);
        }),
      );
      return found;
    },

    /** The search ends at a hit, unless records were lost or brought back. */
    async oldest(window, account, { count, settled }) {
      const through = throughOf(account, window);
      const next: Versioned<QueueEntry>[] = [];
      const stale =
        windowCounts(account, window).waiting > count ? await findOld(window, account.accountId, through) : [];
      for (let from = through + 1; next.length < count && stale.length < 2 * staleMax; ) {
        const record = await log.readNext<QueueEntry>(subjects.wait[window](account.accountId, "*"), from);
        if (record === undefined) return { next, stale, isAll: true };
        from = record.sequence + 1;
        if (record.value === undefined || settled.has(record.value.jobId)) continue;
        const found = { value: record.value, sequence: record.sequence };
        if (await waits(record.value, account, through)) next.push(found);
        else stale.push(found);
      }
      return { next, stale, isAll: false };
    },
  };
}

function throughOf({ promotedThrough }: Account, window: WindowKind): number {
  return promotedThrough?.[window] ?? 0;
}
