/** Limits the long transfers that a process has at once, in all and for each account. */
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Realm } from "../access/caller.ts";

export interface StreamSlotLimits {
  /** In messages: "reports and archives". */
  readonly what: string;
  readonly streamsMax: number;
  readonly streamsPerAccountMax: number;
}

export interface StreamSlots {
  /** Returns its release. Throws `rate_limit_exceeded` beyond the account's limit and `unavailable` beyond the process's. */
  acquire(realm: Realm): () => void;
}

const retryAfterSeconds = 5;

export function createStreamSlots({ what, streamsMax, streamsPerAccountMax }: StreamSlotLimits): StreamSlots {
  const byAccount = new Map<string, number>();
  let all = 0;
  return {
    acquire({ accountId }) {
      const own = byAccount.get(accountId) ?? 0;
      if (own >= streamsPerAccountMax) {
        const message = `Your account has ${own} ${what} at present, as many as it may at once.`;
        throw new PackshotError("rate_limit_exceeded", message, { retryAfterSeconds });
      }
      if (all >= streamsMax) {
        throw new PackshotError("unavailable", `The service has as many ${what} at once as it can.`, {
          retryAfterSeconds,
        });
      }
      byAccount.set(accountId, own + 1);
      all += 1;
      return () => {
        const left = byAccount.get(accountId)! - 1;
        if (left === 0) byAccount.delete(accountId);
        else byAccount.set(accountId, left);
        all -= 1;
      };
    },
  };
}
