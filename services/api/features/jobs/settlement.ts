/** The keeper's pure decisions: how ended jobs change their account, and which waiting jobs enter its window next. */

import {
  type Account,
  type AccountChange,
  addToWindow,
  freeWindowSlots,
  promoteJobs,
  renewCredits,
  settleJob,
  windowCounts,
} from "@packshot/domain/accounts/account.ts";
import type { JobLatency } from "@packshot/domain/accounts/day-usage.ts";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { type QueueEntry, readyWrite, waitTombstone } from "@packshot/domain/accounts/queue-entry.ts";
import { type WindowKind, windowKinds, windowOfLane } from "@packshot/domain/accounts/window.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import {
  eventWrite,
  isJobEndedEvent,
  type JobEndedEvent,
  type PackshotEvent,
  type PromoteEvent,
} from "@packshot/domain/webhooks/event.ts";
import type { Versioned, Write } from "@packshot/domain/write.ts";
import type { FollowedEvent } from "@packshot/log/follow/read-events.ts";
import type { AccountBatch } from "../../records/commit-account.ts";

/** A batch can have 1,000 messages; the rest is a margin. */
export const settleMessagesMax = 900;
export const settleEventsMax = 200;
/** Account, usage of two days, ledger entries of a renewal (expire, grant), the event for the promotions that are left. */
const fixedMessages = 6;

export type KeeperEvent = JobEndedEvent | PromoteEvent;

export function isKeeperEvent(event: PackshotEvent): event is KeeperEvent {
  return isJobEndedEvent(event) || event.kind === "limits";
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
    const { jobId, tool, credits, creditsOfFailed, period, kind, lane, sourceBytes } = event;
    const waitSequence = waits.get(jobId);
    const counted = { window: windowOfLane(lane), wasWaiting: waitSequence !== undefined };
    const inferenceMs = event.live ? event.inferenceMs : undefined;
    const latency = latencyOf(event);
    const ofEvent = { jobId, tool, credits, creditsOfFailed, period, outcome: kind, sourceBytes };
    const settled = settleJob(changed, { ...ofEvent, inferenceMs, latency, ...counted }, nowMs);
    changed = settled.account;
    entries.push(...settled.entries);
    settledJobs.add(jobId);
    if (waitSequence !== undefined) tombstones.push(waitTombstone(event, waitSequence));
  }
  return { account: { ...changed, settledThrough: last.sequence }, entries, tombstones, settledJobs };
}

function latencyOf({ kind, live, tool, jobCreatedAt, startedAt, finishedAt }: JobEndedEvent): JobLatency | undefined {
  if (!live || kind !== "completed") return undefined;
  const createdAtMs = Date.parse(jobCreatedAt);
  const finishedAtMs = Date.parse(finishedAt);
  const startedAtMs = startedAt === null ? createdAtMs : Date.parse(startedAt);
  return { tool, queueMs: startedAtMs - createdAtMs, workMs: finishedAtMs - startedAtMs };
}

/** How many waiting jobs this batch may promote: as many as there are free slots, and as fit into the batch. */
export function promotionsMax(settlement: Settlement): Record<WindowKind, number> {
  const used = fixedMessages + settlement.entries.length + settlement.tombstones.length;
  const fitting = Math.floor((settleMessagesMax - used) / 2);
  const live = Math.min(freeWindowSlots(settlement.account, "live"), fitting);
  return { live, sandbox: Math.min(freeWindowSlots(settlement.account, "sandbox"), fitting - live) };
}

/** The waiting jobs that enter a window. */
export interface Promotion {
  readonly next: readonly Versioned<QueueEntry>[];
  /** Wait records of jobs that do not wait: ended, and not counted. */
  readonly stale: readonly Versioned<QueueEntry>[];
  /** There are no other wait records of this window, so the account's count of waiting jobs becomes 0. */
  readonly sawAllWaiting: boolean;
}

export type Promotions = Readonly<Record<WindowKind, Promotion>>;

/** The batch that stores a settlement and promotes jobs. If slots stay free, an event in it makes the keeper promote more. */
export function settleBatch(
  before: Versioned<Account>,
  settlement: Settlement,
  promotions: Promotions,
  { eventId, nowMs }: { eventId: string; nowMs: number },
): AccountBatch {
  let { account } = settlement;
  for (const window of windowKinds) {
    const { next, sawAllWaiting } = promotions[window];
    if (next.length > 0) {
      const promotedThrough = { ...account.promotedThrough, [window]: next.at(-1)!.sequence };
      account = { ...promoteJobs(account, window, next.length), promotedThrough };
    }
    if (sawAllWaiting) account = addToWindow(account, window, { waiting: -windowCounts(account, window).waiting });
  }
  const { accountId } = account;
  const more: PromoteEvent = { v: 1, kind: "limits", eventId, createdAt: isoTime(nowMs), accountId };
  return {
    before,
    account,
    entries: settlement.entries,
    writes: [
      ...settlement.tombstones,
      ...windowKinds.flatMap((window) =>
        promotions[window].next.flatMap(({ value, sequence }) => [waitTombstone(value, sequence), readyWrite(value)]),
      ),
      ...windowKinds.flatMap((window) =>
        promotions[window].stale.map(({ value, sequence }) => waitTombstone(value, sequence)),
      ),
      ...(windowKinds.some((window) => freeWindowSlots(account, window) > 0) ? [eventWrite(more)] : []),
    ],
  };
}
