/**
 * Which requests run together, and when: batch while busy. An idle instance starts at once with what waits; nothing
 * waits for a timer. While all instances are busy, requests gather, and the batch is as large as the measured cost makes
 * best. Plain data on a clock that the caller owns; one owner, so no locks.
 */
import type { CostModel } from "./cost-model.ts";
import { createFairQueue, type Waiting } from "./fair-queue.ts";

/** Why a request will not run: `full` and `late` before it cost anything, `displaced` by a tenant with less. */
export type Refusal = "full" | "late" | "displaced";

export interface Refused {
  readonly request: Waiting;
  readonly reason: Refusal;
}

export interface Batch {
  readonly requests: readonly Waiting[];
  readonly rows: number;
  /** Rows that run: the rest is padding. */
  readonly bucket: number;
}

export interface Batcher {
  /** Queues the request; returns who is refused because of it, which may be itself. */
  offer(request: Waiting, nowMs: number): Refused[];
  /** The next batch for an idle instance, and those whose time has passed. */
  take(nowMs: number): { readonly batch: Batch | null; readonly refused: readonly Refused[] };
  started(batch: Batch, nowMs: number): void;
  finished(batch: Batch, startedAtMs: number, nowMs: number): void;
  /** Nobody waits for it any more. True when it had not started. */
  abandon(id: number): boolean;
  waitingRows(): number;
  waitingRequests(): number;
  /** Takes everything out, for an unload. */
  drain(): Waiting[];
}

export interface BatcherOptions {
  /** Ascending. */
  readonly buckets: readonly number[];
  readonly queueRowsMax: number;
  readonly instances: number;
  readonly costs: CostModel;
}

/** A larger bucket makes everyone in it wait longer, so it must earn its place by this much more rows per second. */
export const largerBucketGain = 1.05;

/** Runs between two looks at a neighboring bucket: its price is lost in the noise. */
const neighborEvery = 64;
/** A bucket that may be the best after all is run again after so many times its own cost. */
const lookAgainAfterRuns = 24;

export function createBatcher({ buckets, queueRowsMax, instances, costs }: BatcherOptions): Batcher {
  const queue = createFairQueue();
  /** When each running batch should end. */
  const running = new Map<Batch, number>();
  const largest = buckets.at(-1)!;

  let decisions = 0;
  const ranAtMs = new Map<number, number>();

  const bucketFor = (rows: number): number => buckets.find((bucket) => bucket >= rows) ?? largest;

  const isTooLate = (request: Waiting, bucket: number, nowMs: number): boolean =>
    nowMs + costs.cautiousMs(bucket) > request.deadlineAtMs;

  /** The bucket with the most rows per second that `rows` waiting ones allow. */
  function bestBucket(rows: number): number {
    let best = buckets[0]!;
    let bestRate = 0;
    for (const bucket of buckets) {
      // One that warm-up left out is for requests that bring so many rows themselves; running it costs memory for good.
      if (bucket !== buckets[0] && !costs.isMeasured(bucket)) continue;
      const rate = Math.min(rows, bucket) / Math.max(costs.expectedMs(bucket), 1e-3);
      if (rate > bestRate * (bestRate === 0 ? 1 : largerBucketGain)) {
        best = bucket;
        bestRate = rate;
      }
      if (bucket >= rows) break;
    }
    return best;
  }

  /**
   * A cost that was measured in a bad moment would stand for ever, because a bucket that looks dear is never run. So now
   * and then another than `best` is: soon, where its quickest run would beat what is best now (it looked dear while
   * others used the machine, or the best one did not); else a neighbor in its turn, which in a network of four runs a
   * second comes after minutes.
   */
  function lookAgain(best: number, rows: number, nowMs: number): number {
    const others = buckets.filter((each) => each !== best && each <= rows && costs.isMeasured(each));
    const rate = best / costs.expectedMs(best);
    const promising = others.filter(
      (each) => each / costs.leastMs(each) > rate * (each > best ? largerBucketGain : 1 / largerBucketGain),
    );
    // The wait of one that was never run begins here.
    for (const each of promising) if (!ranAtMs.has(each)) ranAtMs.set(each, nowMs);
    const due = promising.find((each) => nowMs - ranAtMs.get(each)! > lookAgainAfterRuns * costs.leastMs(each));
    if (due !== undefined) return due;
    decisions += 1;
    if (decisions % neighborEvery !== 0) return best;
    const step = (decisions / neighborEvery) % 2 === 0 ? 1 : -1;
    return others.find((each) => each === buckets[buckets.indexOf(best) + step]) ?? best;
  }

  /** The bucket to start now, with `head` in it. */
  function bucketNow(head: Waiting, nowMs: number): number {
    const own = bucketFor(head.rows);
    const full = bestBucket(largest);
    // A tenant that could fill batches alone rides in others' batches only as padding: they wait for the batch that
    // runs, and not for one more that the flood has made as large.
    const beside = queue.rowsBesideFlood(full);
    const rows = beside ?? queue.rows();
    let bucket = Math.max(bestBucket(rows), own);
    const tried = beside === null ? lookAgain(bucket, rows, nowMs) : bucket;
    if (tried >= own && !isTooLate(head, tried, nowMs)) bucket = tried;
    // Behind a full batch more wait, and a smaller batch now would only move the lateness to them.
    if (queue.rows() >= full) return bucket;
    const smaller = buckets.filter((each) => each >= own && !isTooLate(head, each, nowMs));
    if (smaller.length > 0 && !smaller.includes(bucket)) bucket = Math.min(bucket, smaller.at(-1)!);
    return bucket;
  }

  /** Milliseconds until a request that comes now has its answer, with what waits and runs. */
  function answerAfterMs(request: Waiting, nowMs: number): number {
    const ahead = queue.rowsAhead(request.tenant, request.priority);
    const bucket = bestBucket(Math.max(ahead, 1));
    const waves = Math.floor(ahead / bucket / instances);
    const freeAt = running.size < instances ? nowMs : Math.min(...running.values());
    // It runs with those who come meanwhile, so its own batch is taken to be as large as those before it.
    const own = ahead === 0 ? bucketFor(request.rows) : Math.max(bucketFor(request.rows), bucket);
    return Math.max(0, freeAt - nowMs) + waves * costs.expectedMs(bucket) + costs.cautiousMs(own);
  }

  function offer(request: Waiting, nowMs: number): Refused[] {
    if (nowMs + answerAfterMs(request, nowMs) > request.deadlineAtMs) {
      if (running.size === 0 && queue.rows() === 0) costs.doubt(bucketFor(request.rows));
      return [{ request, reason: "late" }];
    }
    const refused: Refused[] = [];
    while (queue.rows() > 0 && queue.rows() + request.rows > queueRowsMax) {
      const displaced = queue.givesWayTo(request);
      if (displaced === null) {
        refused.push({ request, reason: "full" });
        return refused;
      }
      queue.remove(displaced.id);
      refused.push({ request: displaced, reason: "displaced" });
    }
    queue.push(request);
    return refused;
  }

  function take(nowMs: number): { batch: Batch | null; refused: Refused[] } {
    const refused: Refused[] = [];
    let head = queue.peek();
    let bucket = 0;
    for (; head !== null; head = queue.peek()) {
      bucket = bucketNow(head, nowMs);
      if (!isTooLate(head, bucket, nowMs)) break;
      refused.push({ request: queue.shift()!, reason: "late" });
    }
    if (head === null) return { batch: null, refused };

    const requests = [queue.shift()!];
    let rows = head.rows;
    for (let next = queue.peek(); next !== null && !head.alone && !next.alone; next = queue.peek()) {
      if (rows + next.rows > bucket) break;
      queue.shift();
      if (isTooLate(next, bucket, nowMs)) {
        refused.push({ request: next, reason: "late" });
        continue;
      }
      requests.push(next);
      rows += next.rows;
    }
    return { batch: { requests, rows, bucket: head.alone ? rows : bucketFor(rows) }, refused };
  }

  return {
    offer,
    take,
    started(batch, nowMs) {
      running.set(batch, nowMs + costs.expectedMs(batch.bucket));
    },
    finished(batch, startedAtMs, nowMs) {
      running.delete(batch);
      ranAtMs.set(batch.bucket, nowMs);
      if (!batch.requests[0]!.alone) costs.observe(batch.bucket, nowMs - startedAtMs);
    },
    abandon: (id) => queue.remove(id) !== null,
    waitingRows: queue.rows,
    waitingRequests: queue.requests,
    drain() {
      const all = queue.all();
      for (const request of all) queue.remove(request.id);
      return all;
    },
  };
}
