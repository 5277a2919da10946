/**
 * A job that fails or is cancelled costs nothing, but its credits come back a moment later: the keeper settles ended jobs in the
 * order of their events, and `settledThrough` of the account says how far. The batch that ends a job can therefore not settle
 * it: that would be out of turn. Whoever has seen a job end must not be shown the balance before, or be refused because of it, so
 * readers of the balance wait for the keeper here.
 */

import type { Account } from "@packshot/domain/accounts/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { pause } from "@packshot/platform/flow/pause.ts";

export interface UnsettledRefunds {
  /** A job of the account has ended without a result; `sequence` is that of its record, which its event follows. */
  note(accountId: string, sequence: number): void;
  /**
   * Resolves when the keeper has settled what was noted, or after `waitMsMax`: then it is behind, and the balance shown is the last
   * one known. true: there was something to wait for, and it is settled.
   */
  settled(accountId: string): Promise<boolean>;
}

export interface UnsettledRefundsDeps {
  readonly log: Pick<Log, "read">;
  readonly waitMsMax?: number;
}

const waitMsMaxDefault = 2_000;
/** The keeper may be another process's, so that the account's record is all that tells. */
const readEveryMs = 20;
const accountsMax = 10_000;

export function createUnsettledRefunds({ log, waitMsMax = waitMsMaxDefault }: UnsettledRefundsDeps): UnsettledRefunds {
  const noted = new Map<string, number>();

  async function isSettled(accountId: string, sequence: number): Promise<boolean> {
    const { value } = await log.read<Account>(subjects.account(accountId));
    return value === undefined || value.settledThrough > sequence;
  }

  return {
    note(accountId, sequence) {
      const latest = Math.max(sequence, noted.get(accountId) ?? 0);
      noted.delete(accountId);
      noted.set(accountId, latest);
      if (noted.size > accountsMax) noted.delete(noted.keys().next().value!);
    },

    async settled(accountId) {
      const sequence = noted.get(accountId);
      if (sequence === undefined) return false;
      const over = AbortSignal.timeout(waitMsMax);
      let isDone = await isSettled(accountId, sequence);
      while (!isDone && !over.aborted) {
        await pause(readEveryMs, over);
        isDone = await isSettled(accountId, sequence);
      }
      // Nobody waits twice for a keeper that is behind.
      if (noted.get(accountId) === sequence) noted.delete(accountId);
      return isDone;
    },
  };
}

/** `accept`, once more where credits were missing that were on their way back. */
export function afterRefunds<Arguments extends readonly [accountId: string, ...rest: unknown[]], Outcome>(
  accept: (...request: Arguments) => Promise<Outcome>,
  refunds: Pick<UnsettledRefunds, "settled">,
): (...request: Arguments) => Promise<Outcome> {
  return async (...request) => {
    try {
      return await accept(...request);
    } catch (error) {
      const lacksCredits = error instanceof PackshotError && error.code === "insufficient_credits";
      if (!lacksCredits || !(await refunds.settled(request[0]))) throw error;
      return await accept(...request);
    }
  };
}
