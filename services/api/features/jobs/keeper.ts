/**
 * The keeper settles ended jobs with their accounts: it frees their slot in their window, or their wait, refunds their
 * credits unless they completed, and promotes the jobs of that window that wait longest. Each batch is one
 * compare-and-set on the account's record, whose `settledThrough` makes sure that no event counts twice.
 *
 *   components: [createKeeper({ log, logger, runExclusive, cacheAccount: cacheAccountIn(records) })]
 */
import { type Account, windowCounts } from "@packshot/domain/accounts/account.ts";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { type WindowKind, windowKinds } from "@packshot/domain/accounts/window.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createFollower, type FollowerDeps } from "@packshot/log/follow/follower.ts";
import type { FollowerLag } from "@packshot/log/follow/follower-lag.ts";
import type { FollowedEvent } from "@packshot/log/follow/read-events.ts";
import type { Log } from "@packshot/log/log.ts";
import type { RunExclusive } from "@packshot/platform/flow/keyed-mutex.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { type AccountsDecision, type CacheAccount, commitAccounts } from "../../records/commit-account.ts";
import {
  isKeeperEvent,
  type Promotion,
  promotionsMax,
  type Settlement,
  settleBatch,
  settleEvents,
  settleEventsMax,
} from "./settlement.ts";
import { createWaitingJobs, type NextWaits, noWaits } from "./waiting-jobs.ts";

export interface KeeperDeps {
  readonly log: Log;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly nowMs?: () => number;
  /** Shared with the accepts of this process, so that the two do not make each other's compare-and-set fail. */
  readonly runExclusive?: RunExclusive;
  readonly cacheAccount?: CacheAccount;
  readonly bypassFrom?: FollowerDeps["bypassFrom"];
  readonly onRefunds?: (entries: readonly LedgerEntry[]) => void;
  readonly lag?: FollowerLag;
}

/** Accounts settled at once. */
const accountsMax = 16;

export function createKeeper(deps: KeeperDeps): Component {
  const { log, logger, nowMs = Date.now, lag } = deps;
  return createFollower({
    name: "keeper",
    log,
    logger,
    nowMs,
    lag,
    wants: isKeeperEvent,
    groupOf: (event) => event.accountId,
    parallelMax: accountsMax,
    batchEventsMax: settleEventsMax,
    handle: createSettleAccounts(deps),
    ...(deps.bypassFrom && { bypassFrom: deps.bypassFrom }),
    failpoint: "settle:before-ack",
  });
}

/** Wait records as read for one batch. They hold while `settledThrough` does, because only a keeper ends wait records. */
interface Waits {
  readonly settledThrough: number;
  /** Sequences of the wait records of the events' jobs. */
  readonly ended: ReadonlyMap<string, number>;
  readonly next: Record<WindowKind, NextWaits>;
}

/** Settles `events` of one account, in order. Rejects when the log is unreachable. */
export function createSettleAccounts(deps: KeeperDeps) {
  const { log, logger, nowMs = Date.now, runExclusive, cacheAccount = () => {} } = deps;
  const waiting = createWaitingJobs({ log });
  return async function settle(events: readonly FollowedEvent[]): Promise<void> {
    const { accountId } = events[0]!.event;
    const decide = createDecision(accountId, events);
    const commit = () => commitAccounts({ log, cacheAccount }, "settle", decide);
    if (runExclusive === undefined) return await commit();
    // Reading the wait records takes longest: done before the mutex is locked, it holds up no accept.
    await decide();
    await runExclusive(accountId, commit);
  };

  function createDecision(accountId: string, events: readonly FollowedEvent[]): () => Promise<AccountsDecision<void>> {
    const eventId = uuidv7(nowMs());
    let waits: Waits | undefined;
    return async () => {
      const before = await log.read<Account>(subjects.account(accountId));
      const account = before.value;
      if (account === undefined) {
        logger.error({ accountId, events: events.length }, "events of an account that does not exist");
        return { done: undefined };
      }
      // After a conflict with an accept the wait records need not be read again.
      if (waits?.settledThrough !== account.settledThrough) {
        waits = {
          settledThrough: account.settledThrough,
          ended: await waiting.ofEnded(account, events),
          next: { live: noWaits, sandbox: noWaits },
        };
      }
      const settlement = settleEvents(account, events, waits.ended, nowMs());
      if (settlement === undefined) return { done: undefined };
      const wanted = promotionsMax(settlement);
      const promotions = {
        live: await choosePromotion("live", wanted.live, waits, settlement),
        sandbox: await choosePromotion("sandbox", wanted.sandbox, waits, settlement),
      };
      const versioned = { value: account, sequence: before.sequence };
      const batch = settleBatch(versioned, settlement, promotions, { eventId, nowMs: nowMs() });
      const onCommit = () => {
        deps.onRefunds?.(settlement.entries);
        for (const window of windowKinds) {
          const { stale } = promotions[window];
          if (stale.length > 0)
            logger.warn({ accountId, window, records: stale.length }, "wait records were brought back");
          if (!promotions[window].sawAllWaiting) continue;
          const counted = windowCounts(account, window).waiting;
          logger.error({ accountId, window, waiting: counted, wanted: wanted[window] }, "wait records were missing");
        }
      };
      return { accounts: [{ ...batch, onCommit }], result: undefined };
    };
  }

  async function choosePromotion(
    window: WindowKind,
    wanted: number,
    waits: Waits,
    settlement: Settlement,
  ): Promise<Promotion> {
    const { account, settledJobs: settled } = settlement;
    const hasEnough = waits.next[window].next.length >= wanted;
    if (!hasEnough) {
      waits.next[window] = await waiting.oldest(window, account, { count: wanted, settled });
    }
    const { next, stale, isAll } = waits.next[window];
    // They were read after the account, and the batch commits only if the account has not changed: there are no more.
    return { next: next.slice(0, wanted), stale, sawAllWaiting: !hasEnough && isAll && next.length < wanted };
  }
}
