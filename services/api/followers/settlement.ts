/** The keeper's pure decisions: how ended jobs change their account, and which waiting jobs enter its window next. */
import {
  type Account,
  type AccountChange,
  freeWindowSlots,
  promoteJobs,
  renewCredits,
  settleJob,
} from "@packshot/domain/account.ts";
import { eventWrite, type JobEndedEvent, type LimitsChangedEvent, type PackshotEvent } from "@packshot/domain/event.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import type { LedgerEntry } from "@packshot/domain/ledger.ts";
import { type QueueEntry, readyWrite, waitTombstone } from "@packshot/domain/queue-entry.ts";
import type { Versioned, Write } from "@packshot/domain/write.ts";
import type { FollowedEvent } from "@packshot/platform/nats/follower.ts";
import type { AccountBatch } from "../records/commit-account.ts";

/** A batch can have 1,000 messages; the rest is a margin. */
export const settleMessagesMax = 900;
export const settleEventsMax = 200;
/** Account, usage, ledger entries of a renewal (expire, grant), the event for the promotions that are left. */
const fixedMessages = 5;

export type KeeperEvent = JobEndedEvent | LimitsChangedEvent;

export function isKeeperEvent(event: PackshotEvent): event is KeeperEvent {
  return isJobEndedEvent(event) || event.kind === "limits";
}

export function isJobEndedEvent(event: PackshotEvent): event is JobEndedEvent {
  return event.kind === "completed" || event.kind === "failed" || event.kind === "cancelled";
}

export interface Settlement extends AccountChange {
  /** Tombstones of wait records whose jobs ended while they waited. */
  readonly tombstones: readonly Write[];
  readonly settledJobs: ReadonlySet<string>;
}

/**
 * Settles the events after the account's `settledThrough`, in order; undefined when there are none. `waits` has the
 * sequence of the wait record of each job that still has one.
 */
export function settleEvents(
  account: Account,
  events: readonly FollowedEvent[],
  waits: ReadonlyMap<string, number>,
  nowMs: number,
): Settlement | undefined {
  const fresh = events.filter(({ sequence }) => sequence > account.settledThrough);
  const last = fresh.at(-1);
  if (last === undefined) return undefined;
  const renewed = renewCredits(account, nowMs);
  let changed = renewed.account;
  const entries: LedgerEntry[] = [...renewed.entries];
  const tombstones: Write[] = [];
  const settledJobs = new Set<string>();
  for (const { event } of fresh) {
    if (!isJobEndedEvent(event)) continue;
    const { jobId, tool, credits, period, kind } = event;
    const waitSequence = waits.get(jobId);
    const job = { jobId, tool, credits, period, outcome: kind, wasWaiting: waitSequence !== undefined };
    const settled = settleJob(changed, job, nowMs);
    changed = settled.account;
    entries.push(...settled.entries);
    settledJobs.add(jobId);
    if (waitSequence !== undefined) tombstones.push(waitTombstone(account.accountId, jobId, waitSequence));
  }
  return { account: { ...changed, settledThrough: last.sequence }, entries, tombstones, settledJobs };
}

/** How many waiting jobs this batch may promote: as many as there are free slots, and as fit into the batch. */
export function promotionsMax(settlement: Settlement): number {
  const used = fixedMessages + settlement.entries.length + settlement.tombstones.length;
  return Math.min(freeWindowSlots(settlement.account), Math.floor((settleMessagesMax - used) / 2));
}

/**
 * The batch that stores a settlement and promotes `next`. `sawAllWaiting`: there are no other wait records, so the
 * account's count of waiting jobs becomes 0. If slots stay free, an event in the batch makes the keeper promote more.
 */
export function settleBatch(
  before: Versioned<Account>,
  settlement: Settlement,
  next: readonly Versioned<QueueEntry>[],
  { sawAllWaiting, eventId, nowMs }: { sawAllWaiting: boolean; eventId: string; nowMs: number },
): AccountBatch {
  const promoted = promoteJobs(settlement.account, next.length);
  const account = sawAllWaiting ? { ...promoted, waiting: 0 } : promoted;
  const { accountId } = account;
  const more: LimitsChangedEvent = { v: 1, kind: "limits", eventId, createdAt: isoTime(nowMs), accountId };
  return {
    before,
    account,
    entries: settlement.entries,
    writes: [
      ...settlement.tombstones,
      ...next.flatMap(({ value, sequence }) => [waitTombstone(accountId, value.jobId, sequence), readyWrite(value)]),
      ...(freeWindowSlots(account) > 0 ? [eventWrite(more)] : []),
    ],
  };
}
