/**
 * A job that fails or is cancelled costs nothing, but its credits come back a moment later: the keeper settles ended jobs in the
 * order of their events, and `settledThrough` of the account says how far. The batch that ends a job can therefore not settle
 * it: that would be out of turn. Whoever has seen a job end must not be shown the balance before, or be refused because of it, so
 * readers of the balance wait for the keeper here.
 */

import { setTimeout as pause } from "node:timers/promises";
import type { Account } from "@packshot/domain/accounts/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { type AccountDeps, readAccount } from "../../records/commit-account.ts";

export interface UnsettledRefunds {
  /** A job of the account has ended without a result; `sequence` is that of its record, which its event follows. */
  note(accountId: string, sequence: number): void;
  /** The sequence that was noted last; undefined: nothing is on its way, as far as this process knows. */
  noted(accountId: string): number | undefined;
  /**
   * Resolves when the keeper has settled what was noted, or after `refundWaitMsMax`: then it is behind, and the balance shown is the last
   * one known. true: there was something to wait for, and it is settled.
   *
   * @param before what `noted` said earlier: it counts although others have waited for it in the meantime.
   */
  settled(accountId: string, before?: number): Promise<boolean>;
}

export interface UnsettledRefundsDeps {
  readonly log: Pick<Log, "read">;
  readonly refundWaitMsMax: number;
}

/** The keeper may be another process's, so that the account's record is all that tells. */
const readEveryMs = 20;
const accountsMax = 10_000;

export function createUnsettledRefunds({ log, refundWaitMsMax }: UnsettledRefundsDeps): UnsettledRefunds {
  const noted = new Map<string, number>();
  /** The next reading of an account, one for all who wait for it: how many they are does not burden the log. */
  const readings = new Map<string, Promise<number>>();

  /** Through what the account is settled. */
  async function readThrough(accountId: string, afterMs: number): Promise<number> {
    if (afterMs > 0) await pause(afterMs);
    const { value } = await log.read<Account>(subjects.account(accountId));
    return value?.settledThrough ?? Number.POSITIVE_INFINITY;
  }

  function nextReading(accountId: string, afterMs: number): Promise<number> {
    const known = readings.get(accountId);
    if (known !== undefined) return known;
    const reading = readThrough(accountId, afterMs).finally(() => readings.delete(accountId));
    readings.set(accountId, reading);
    return reading;
  }

  async function waitFor(accountId: string, sequence: number): Promise<boolean> {
    const over = AbortSignal.timeout(refundWaitMsMax);
    let isDone = (await nextReading(accountId, 0)) > sequence;
    while (!isDone && !over.aborted) isDone = (await nextReading(accountId, readEveryMs)) > sequence;
    // Nobody waits twice for a keeper that is behind.
    if (noted.get(accountId) === sequence) noted.delete(accountId);
    return isDone;
  }

  return {
    note(accountId, sequence) {
      const latest = Math.max(sequence, noted.get(accountId) ?? 0);
      noted.delete(accountId);
      noted.set(accountId, latest);
      if (noted.size > accountsMax) noted.delete(noted.keys().next().value!);
    },

    noted: (accountId) => noted.get(accountId),

    async settled(accountId, before) {
      const sequence = noted.get(accountId);
      if (sequence !== undefined) return await waitFor(accountId, sequence);
      // Somebody else has waited for it: to the end, or in vain.
      return before !== undefined && (await nextReading(accountId, 0)) > before;
    },
  };
}

/** The account as the leader has it, with the refund of each job whose end a client has seen. Throws `not_found`. */
export async function readSettledAccount(
  deps: AccountDeps & { readonly refunds: Pick<UnsettledRefunds, "settled"> },
  accountId: string,
): Promise<Account> {
  await deps.refunds.settled(accountId);
  return await readAccount(deps, accountId);
}

/** `accept`, once more where credits were missing that were on their way back. */
export function afterRefunds<Arguments extends readonly [accountId: string, ...rest: unknown[]], Outcome>(
  accept: (...request: Arguments) => Promise<Outcome>,
  refunds: Pick<UnsettledRefunds, "noted" | "settled">,
): (...request: Arguments) => Promise<Outcome> {
  return async (...request) => {
    const [accountId] = request;
    // Read first: whoever waits for the refund while this is decided takes the note away.
    const before = refunds.noted(accountId);
    try {
      return await accept(...request);
    } catch (error) {
      const lacksCredits = error instanceof PackshotError && error.code === "insufficient_credits";
      if (!lacksCredits || !(await refunds.settled(accountId, before))) throw error;
      return await accept(...request);
    }
  };
}
