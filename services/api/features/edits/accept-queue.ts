/**
 * Group commit: pending requests go together into one atomic batch, those of a busy account and those of many quiet ones
 * alike. At most one batch of an account is in flight, and few of a state stream, so that what arrives meanwhile gathers
 * for the next. A batch lies in one state stream.
 */
import { PackshotError } from "@packshot/domain/errors.ts";
import { batchMessagesMax } from "@packshot/log/commit/atomic-batch.ts";
import type { KeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import { activeSpan, startSpan, tracedBatch } from "@packshot/platform/telemetry/tracing.ts";
import type { ApiMetrics } from "../../http/api-metrics.ts";
import type { CommitAccepts } from "./accept-batch.ts";
import type { Accept, AccountShare, PendingAccept } from "./accept-request.ts";

/**
 * A batch holds so many messages for each accept: job, ready or wait record, debit and idempotency record; a free repeat has
 * no debit, but the job that it repeats and the record of that one's row …
 */
const messagesPerAccept = 5;
/** … and of each account its record, its usage and the two ledger entries of a renewal. */
const messagesPerAccount = 4;
const batchAcceptsMax = Math.floor((batchMessagesMax - messagesPerAccount) / messagesPerAccept);
const sharedBatchesMax = 2;
const pendingPerAccountMax = 20_000;

export interface AcceptQueueDeps {
  /** Index of the account's state stream. */
  readonly streamIndexOf: (accountId: string) => number;
  readonly commit: CommitAccepts;
  readonly accountMutex: KeyedMutex;
  /** Others write this account too: it gets batches of its own, so that its conflicts hold up nobody else. */
  readonly isContested: (accountId: string) => boolean;
  readonly onBatch: (accepts: number) => void;
}

/** Requests for one state stream. */
interface StreamQueue {
  /** Accounts with requests for which no batch is scheduled. */
  readonly unscheduled: Set<string>;
  sharedBatches: number;
}

export function createAcceptQueue(deps: AcceptQueueDeps): Accept {
  const { commit, accountMutex, isContested, streamIndexOf, onBatch } = deps;
  const queues = new Map<string, PendingAccept[]>();
  const streamQueues = new Map<number, StreamQueue>();
  let isFlushScheduled = false;

  function streamQueueOf(accountId: string): StreamQueue {
    const index = streamIndexOf(accountId);
    const queue = streamQueues.get(index) ?? { unscheduled: new Set(), sharedBatches: 0 };
    streamQueues.set(index, queue);
    return queue;
  }

  function scheduleFlush() {
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    // In the next turn of the event loop: requests that arrive together go together.
    setImmediate(() => {
      isFlushScheduled = false;
      for (const queue of streamQueues.values()) flush(queue);
    });
  }

  function flush(queue: StreamQueue) {
    const { unscheduled } = queue;
    for (const accountId of unscheduled) {
      if (!accountMutex.isLocked(accountId) && !isContested(accountId)) continue;
      unscheduled.delete(accountId);
      void accountMutex.runExclusive(accountId, () => commitShares([dequeue(accountId, batchAcceptsMax)]));
    }
    while (queue.sharedBatches < sharedBatchesMax && unscheduled.size > 0) {
      const shares = dequeueShares(unscheduled);
      const done = Promise.withResolvers<void>();
      // None of these accounts is locked: all of them lock here and unlock together.
      for (const { accountId } of shares) void accountMutex.runExclusive(accountId, () => done.promise);
      queue.sharedBatches += 1;
      void commitShares(shares).then(() => {
        queue.sharedBatches -= 1;
        done.resolve();
        scheduleFlush();
      });
    }
  }

  function dequeue(accountId: string, acceptsMax: number): AccountShare {
    return { accountId, pending: queues.get(accountId)!.splice(0, acceptsMax) };
  }

  /** Every account gets an equal share first; what capacity is left goes to those that have more requests. */
  function dequeueShares(unscheduled: Set<string>): AccountShare[] {
    const equalShare = Math.max(1, Math.floor(batchAcceptsMax / unscheduled.size));
    const counts = new Map<string, number>();
    let messagesLeft = batchMessagesMax;
    let acceptsLeft = batchAcceptsMax;
    const add = (accountId: string, acceptsMax: number) => {
      const count = counts.get(accountId) ?? 0;
      const pending = queues.get(accountId)!.length - count;
      const more = Math.min(acceptsMax, pending, acceptsLeft, Math.floor(messagesLeft / messagesPerAccept));
      if (more <= 0) return;
      counts.set(accountId, count + more);
      messagesLeft -= more * messagesPerAccept;
      acceptsLeft -= more;
    };
    for (const accountId of unscheduled) {
      if (messagesLeft < messagesPerAccount + messagesPerAccept || acceptsLeft === 0) break;
      messagesLeft -= messagesPerAccount;
      add(accountId, equalShare);
    }
    for (const accountId of counts.keys()) add(accountId, batchAcceptsMax);
    return [...counts].map(([accountId, count]) => {
      unscheduled.delete(accountId);
      return dequeue(accountId, count);
    });
  }

  async function commitShares(shares: readonly AccountShare[]): Promise<void> {
    const accepts = shares.flatMap(({ pending }) => pending);
    onBatch(accepts.length);
    for (const { spans } of accepts) spans?.queue.end();
    const causes = accepts.map(({ spans }) => spans?.accept);
    await tracedBatch("accept batch", {}, causes, () => commit(shares)).catch((error: unknown) => {
      for (const accept of accepts) accept.reject(error);
    });
    for (const { accountId } of shares) {
      if (queues.get(accountId)!.length === 0) queues.delete(accountId);
      else streamQueueOf(accountId).unscheduled.add(accountId);
    }
    if (queues.size > 0) scheduleFlush();
  }

  return (accountId, request, { mayBeCommitted } = { mayBeCommitted: false }) =>
    new Promise((resolve, reject) => {
      const accept: PendingAccept = { request, mayBeCommitted, ...queueSpans(), resolve, reject };
      const queue = queues.get(accountId);
      if (queue === undefined) {
        queues.set(accountId, [accept]);
        streamQueueOf(accountId).unscheduled.add(accountId);
        scheduleFlush();
      } else if (queue.length >= pendingPerAccountMax) {
        reject(new PackshotError("unavailable", "Too many edits of this account wait to be accepted; try again."));
      } else queue.push(accept);
    });
}

function queueSpans(): Pick<PendingAccept, "spans"> {
  const accept = activeSpan();
  const queue = startSpan("accept queue");
  return accept === undefined || queue === undefined ? {} : { spans: { accept, queue } };
}

/** Measures how long accepts take, and counts how they end. */
export function timeAccepts(accept: Accept, metrics: ApiMetrics): Accept {
  return async (...request) => {
    const startedAtMs = performance.now();
    const passedMs = () => performance.now() - startedAtMs;
    try {
      const outcome = await accept(...request);
      metrics.onAccept(outcome.kind, passedMs());
      return outcome;
    } catch (error) {
      const isRefusal = error instanceof PackshotError && error.code !== "unavailable";
      metrics.onAccept(isRefusal ? "refused" : "failed", passedMs());
      throw error;
    }
  };
}
