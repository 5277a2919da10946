/**
 * Group commit: requests that wait go together into one atomic batch, those of a busy account and those of many quiet
 * ones alike. One batch in flight per account; few at all, so that what arrives meanwhile gathers for the next.
 */
import { PackshotError } from "@packshot/domain/errors.ts";
import type { KeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import type { AcceptOutcome, AcceptRequest, AccountShare, CommitAccepts, PendingAccept } from "./accept-batch.ts";

const batchAcceptsMax = 200;
/** Of the 1,000 that a batch may have: job, place, debit and idempotency record of each accept … */
const messagesPerAccept = 4;
/** … account, usage and a renewal's two entries of each account. */
const messagesPerAccount = 4;
const batchMessagesMax = 1_000;
const sharedBatchesMax = 2;
const waitingMax = 20_000;

export type Accept = (
  accountId: string,
  request: AcceptRequest,
  options?: { readonly mayBeCommitted: boolean },
) => Promise<AcceptOutcome>;

export interface AcceptQueueDeps {
  readonly commit: CommitAccepts;
  readonly accountMutex: KeyedMutex;
  /** Others write this account too: it goes alone, so that its conflicts are nobody else's. */
  readonly isContested: (accountId: string) => boolean;
  readonly onBatch: (accepts: number) => void;
}

export function createAcceptQueue({ commit, accountMutex, isContested, onBatch }: AcceptQueueDeps): Accept {
  const queues = new Map<string, PendingAccept[]>();
  /** Accounts with requests that are in no batch, and for which none is arranged. */
  const gathering = new Set<string>();
  let sharedBatches = 0;
  let isFlushDue = false;

  function flushSoon() {
    if (isFlushDue) return;
    isFlushDue = true;
    // A turn of the event loop later: what arrived together goes together.
    setImmediate(() => {
      isFlushDue = false;
      flush();
    });
  }

  function flush() {
    for (const accountId of gathering) {
      if (!accountMutex.isLocked(accountId) && !isContested(accountId)) continue;
      gathering.delete(accountId);
      void accountMutex.runExclusive(accountId, () => commitShares([take(accountId, batchAcceptsMax)]));
    }
    while (sharedBatches < sharedBatchesMax && gathering.size > 0) {
      const shares = nextShares();
      const done = Promise.withResolvers<void>();
      // None of these accounts is locked: all of them lock here and unlock together.
      for (const { accountId } of shares) void accountMutex.runExclusive(accountId, () => done.promise);
      sharedBatches += 1;
      void commitShares(shares).then(() => {
        sharedBatches -= 1;
        done.resolve();
        flushSoon();
      });
    }
  }

  function take(accountId: string, acceptsMax: number): AccountShare {
    return { accountId, pending: queues.get(accountId)!.splice(0, acceptsMax) };
  }

  /** Something of everyone first; what room is left goes to those who have more. */
  function nextShares(): AccountShare[] {
    const fair = Math.max(1, Math.floor(batchAcceptsMax / gathering.size));
    const counts = new Map<string, number>();
    let room = batchMessagesMax;
    let acceptsLeft = batchAcceptsMax;
    const give = (accountId: string, upTo: number) => {
      const given = counts.get(accountId) ?? 0;
      const waiting = queues.get(accountId)!.length - given;
      const more = Math.min(upTo, waiting, acceptsLeft, Math.floor(room / messagesPerAccept));
      if (more <= 0) return;
      counts.set(accountId, given + more);
      room -= more * messagesPerAccept;
      acceptsLeft -= more;
    };
    for (const accountId of gathering) {
      if (room < messagesPerAccount + messagesPerAccept || acceptsLeft === 0) break;
      room -= messagesPerAccount;
      give(accountId, fair);
    }
    for (const accountId of counts.keys()) give(accountId, batchAcceptsMax);
    return [...counts].map(([accountId, count]) => {
      gathering.delete(accountId);
      return take(accountId, count);
    });
  }

  async function commitShares(shares: readonly AccountShare[]): Promise<void> {
    onBatch(shares.reduce((sum, { pending }) => sum + pending.length, 0));
    await commit(shares).catch((error: unknown) => {
      for (const { pending } of shares) for (const entry of pending) entry.reject(error);
    });
    for (const { accountId } of shares) {
      if (queues.get(accountId)!.length === 0) queues.delete(accountId);
      else gathering.add(accountId);
    }
    if (gathering.size > 0) flushSoon();
  }

  return (accountId, request, { mayBeCommitted } = { mayBeCommitted: false }) =>
    new Promise((resolve, reject) => {
      const entry: PendingAccept = { request, mayBeCommitted, resolve, reject };
      const queue = queues.get(accountId);
      if (queue === undefined) {
        queues.set(accountId, [entry]);
        gathering.add(accountId);
        flushSoon();
      } else if (queue.length >= waitingMax) {
        reject(new PackshotError("unavailable", "Too many edits of this account wait to be accepted; try again."));
      } else queue.push(entry);
    });
}
