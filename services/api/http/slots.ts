/**
 * Limits the forms that a process holds at once, and the bytes of their temporary files, in all and for each account, so
 * that no account fills the disk or keeps others from sending forms.
 */
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Realm } from "../access/caller.ts";

/** Forms are held while they arrive and are stored, which takes seconds. */
const retryAfterSeconds = 2;

export interface FormSlotLimits {
  readonly formsMax: number;
  readonly formsPerAccountMax: number;
  readonly bytesMax: number;
  readonly bytesPerAccountMax: number;
}

export interface FormSlots {
  /**
   * For a form of so many bytes; returns its release, which may be called again. Throws `rate_limit_exceeded` beyond the
   * account's limits and `unavailable` beyond the process's.
   */
  acquire(realm: Realm, bytes: number): () => void;
}

interface Held {
  forms: number;
  bytes: number;
}

export function createFormSlots(limits: FormSlotLimits): FormSlots {
  const all: Held = { forms: 0, bytes: 0 };
  const byScope = new Map<string, Held>();

  return {
    acquire({ accountId, live }, bytes) {
      const key = `${accountId}:${live}`;
      const own = byScope.get(key) ?? { forms: 0, bytes: 0 };
      if (!hasRoom(own, bytes, limits.formsPerAccountMax, limits.bytesPerAccountMax)) throw tooManyOfAccount();
      if (!hasRoom(all, bytes, limits.formsMax, limits.bytesMax)) throw tooManyOfProcess();
      byScope.set(key, own);
      add(own, 1, bytes);
      add(all, 1, bytes);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        add(all, -1, -bytes);
        add(own, -1, -bytes);
        if (own.forms === 0) byScope.delete(key);
      };
    },
  };
}

/** A file may be larger than the limit: alone, it is taken. */
function hasRoom(held: Held, bytes: number, formsMax: number, bytesMax: number): boolean {
  return held.forms === 0 || (held.forms < formsMax && held.bytes + bytes <= bytesMax);
}

function add(held: Held, forms: number, bytes: number): void {
  held.forms += forms;
  held.bytes += bytes;
}

function tooManyOfAccount(): PackshotError {
  return new PackshotError(
    "rate_limit_exceeded",
    `Your account sends as many forms or large bodies at once as it may; try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}

function tooManyOfProcess(): PackshotError {
  return new PackshotError(
    "unavailable",
    "The service receives as many forms or large bodies at once as it can; try again.",
    {
      retryAfterSeconds,
    },
  );
}

/** Limits the long transfers that a process has at once, in all and for each account. */
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

/** Streams last minutes or longer. */
const streamRetryAfterSeconds = 5;

export function createStreamSlots({ what, streamsMax, streamsPerAccountMax }: StreamSlotLimits): StreamSlots {
  const byAccount = new Map<string, number>();
  let all = 0;
  return {
    acquire({ accountId }) {
      const own = byAccount.get(accountId) ?? 0;
      if (own >= streamsPerAccountMax) {
        const message = `Your account has ${own} ${what} at present, as many as it may at once.`;
        throw new PackshotError("rate_limit_exceeded", message, { retryAfterSeconds: streamRetryAfterSeconds });
      }
      if (all >= streamsMax) {
        throw new PackshotError("unavailable", `The service has as many ${what} at once as it can.`, {
          retryAfterSeconds: streamRetryAfterSeconds,
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
