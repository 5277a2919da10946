/**
 * The dynamic batcher decides which requests run together and when. It batches while the instances are busy: an idle
 * instance starts at once with the queued requests, and no request waits for a timer. While all instances are busy,
 * requests queue up, and the next batch has the size with the best measured throughput. The batcher is pure: it works
 * on plain data, its caller passes the time, and its single owner makes locks needless.
 */
import type { CostModel } from "./cost-model.ts";
import { createFairQueue, type QueuedRequest } from "./fair-queue.ts";

/**
 * Why a request is rejected before it runs. `full`: the queue is full. `late`: it would miss its deadline. `displaced`:
 * a request of a tenant with fewer queued rows took its place in a full queue.
 */
export type RejectReason = "full" | "late" | "displaced";

export interface RejectedRequest {
  readonly request: QueuedRequest;
  readonly reason: RejectReason;
}

export interface Batch {
  readonly requests: readonly QueuedRequest[];
  readonly rows: number;
  /** Rows that the session runs; those beyond `rows` are padding. */
  readonly bucket: number;
}

export interface Batcher {
  /** Queues the request. Returns the requests that are rejected because of it, which may include itself. */
  enqueue(request: QueuedRequest, nowMs: number): RejectedRequest[];
  /**
   * Takes the next batch for an idle instance out of the queue, along with requests that would miss their deadlines.
   */
  nextBatch(nowMs: number): { readonly batch: Batch | null; readonly rejected: readonly RejectedRequest[] };
  batchStarted(batch: Batch, nowMs: number): void;
  batchFinished(batch: Batch, startedAtMs: number, nowMs: number): void;
  /** Removes a queued request. Returns false when it is not queued, because it runs or has ended. */
  cancel(id: number): boolean;
  queuedRows(): number;
}

export interface BatcherDeps {
  /** Ascending. */
  readonly buckets: readonly number[];
  readonly queueRowsMax: number;
  readonly instances: number;
  readonly costs: CostModel;
}

/** A larger bucket makes its requests wait longer, so it is chosen only for this many times more rows per second. */
const largerBucketGain = 1.05;

/** Decisions between two explorations of a neighboring bucket: so rare that their cost does not show. */
const exploreNeighborEvery = 64;
/** A bucket whose fastest run beats the best bucket is explored after this many times its own cost. */
const explorePromisingAfterRuns = 24;
/** A bucket is tried only where the one before it got at least this many times more rows per second than the one before that. */
const trialGain = 1.02;
/** And only if a run of the one before takes less: a batch of a large network takes gigabytes, and rarely gains. */
const trialAfterMsMax = 600;

/**
 * The smallest bucket that was not measured yet, if it is worth a trial. On a CPU only the first bucket is warmed before
 * the model is ready; the others are tried when that many rows wait for the first time.
 */
function bucketToTry(buckets: readonly number[], costs: CostModel): number | undefined {
  const at = buckets.findIndex((each) => !costs.isMeasured(each));
  if (at < 1) return undefined;
  const before = buckets[at - 2];
  const last = buckets[at - 1]!;
  if (costs.minMs(last) > trialAfterMsMax) return undefined;
  const rate = (bucket: number) => bucket / costs.minMs(bucket);
  return before === undefined || rate(last) > rate(before) * trialGain ? buckets[at] : undefined;
}

export function createBatcher({ buckets, queueRowsMax, instances, costs }: BatcherDeps): Batcher {
  const queue = createFairQueue();
  /** Expected end of each running batch, in milliseconds since the epoch. */
  const runningUntilMs = new Map<Batch, number>();
  const largest = buckets.at(-1)!;

  let decisions = 0;
  /** Last run of each bucket. */
  const ranAtMs = new Map<number, number>();

  const bucketFor = (rows: number): number => buckets.find((bucket) => bucket >= rows) ?? largest;

  const wouldMissDeadline = (request: QueuedRequest, bucket: number, nowMs: number): boolean =>
    nowMs + costs.conservativeMs(bucket) > request.deadlineAtMs;

  /** The bucket with the most rows per second for `rows` queued rows. */
  function bestBucket(rows: number): number {
    let best = buckets[0]!;
    let bestRate = 0;
    for (const bucket of buckets) {
      // Only its trial and requests that bring that many rows themselves use this bucket, because its first run takes
      // memory that the session never gives back.
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
   * Explores another bucket than `best` now and then. Without that, a cost that was measured in a bad moment would stay
   * forever, because a bucket that looks expensive is never run. A bucket whose fastest run would beat `best` is
   * explored soon: other processes may have used the machine when it looked slow. Otherwise a neighboring bucket has
   * its turn every 64 decisions, which takes minutes with a network of four runs a second.
   */
  function explore(best: number, rows: number, nowMs: number): number {
    const trial = bucketToTry(buckets, costs);
    if (trial !== undefined && trial <= rows) return trial;
    const others = buckets.filter((each) => each !== best && each <= rows && costs.isMeasured(each));
    const rate = best / costs.expectedMs(best);
    const promising = others.filter(
      (each) => each / costs.minMs(each) > rate * (each > best ? largerBucketGain : 1 / largerBucketGain),
    );
    // A bucket that never ran waits from now on.
    for (const each of promising) if (!ranAtMs.has(each)) ranAtMs.set(each, nowMs);
    const due = promising.find((each) => nowMs - ranAtMs.get(each)! > explorePromisingAfterRuns * costs.minMs(each));
    if (due !== undefined) return due;
    decisions += 1;
    if (decisions % exploreNeighborEvery !== 0) return best;
    const step = (decisions / exploreNeighborEvery) % 2 === 0 ? 1 : -1;
    return others.find((each) => each === buckets[buckets.indexOf(best) + step]) ?? best;
  }

  /** The bucket to start now, with `head` in it. */
  function chooseBucket(head: QueuedRequest, nowMs: number): number {
    const own = bucketFor(head.rows);
    const full = bestBucket(largest);
    // A tenant that fills batches alone only replaces padding in the batches of the others. So they wait for the
    // running batch, and not for another one that the flood has made just as large.
    const rowsOutsideFlood = queue.rowsOutsideFlood(full);
    const rows = rowsOutsideFlood ?? queue.rows();
    let bucket = Math.max(bestBucket(rows), own);
    const explored = rowsOutsideFlood === null ? explore(bucket, rows, nowMs) : bucket;
    if (explored >= own && !wouldMissDeadline(head, explored, nowMs)) bucket = explored;
    // More requests are queued behind a full batch, and a smaller batch now would only make those late instead.
    if (queue.rows() >= full) return bucket;
    const smaller = buckets.filter((each) => each >= own && !wouldMissDeadline(head, each, nowMs));
    if (smaller.length > 0 && !smaller.includes(bucket)) bucket = Math.min(bucket, smaller.at(-1)!);
    return bucket;
  }

  /** Milliseconds until a request that arrives now is answered, given the queue and the running batches. */
  function latencyMs(request: QueuedRequest, nowMs: number): number {
    const ahead = queue.rowsAhead(request.tenant, request.priority);
    const bucket = bestBucket(Math.max(ahead, 1));
    const rounds = Math.floor(ahead / bucket / instances);
    const freeAt = runningUntilMs.size < instances ? nowMs : Math.min(...runningUntilMs.values());
    // Requests that arrive meanwhile join its batch, so its batch is assumed to be as large as those before it.
    const own = ahead === 0 ? bucketFor(request.rows) : Math.max(bucketFor(request.rows), bucket);
    return Math.max(0, freeAt - nowMs) + rounds * costs.expectedMs(bucket) + costs.conservativeMs(own);
  }

  function enqueue(request: QueuedRequest, nowMs: number): RejectedRequest[] {
    if (nowMs + latencyMs(request, nowMs) > request.deadlineAtMs) {
      if (runningUntilMs.size === 0 && queue.rows() === 0) costs.decay(bucketFor(request.rows));
      return [{ request, reason: "late" }];
    }
    const rejected: RejectedRequest[] = [];
    while (queue.rows() > 0 && queue.rows() + request.rows > queueRowsMax) {
      const displaced = queue.displacementCandidate(request);
      if (displaced === null) {
        rejected.push({ request, reason: "full" });
        return rejected;
      }
      queue.remove(displaced.id);
      rejected.push({ request: displaced, reason: "displaced" });
    }
    queue.push(request);
    return rejected;
  }

  function nextBatch(nowMs: number): { batch: Batch | null; rejected: RejectedRequest[] } {
    const rejected: RejectedRequest[] = [];
    let head = queue.peek();
    let bucket = 0;
    for (; head !== null; head = queue.peek()) {
      bucket = chooseBucket(head, nowMs);
      if (!wouldMissDeadline(head, bucket, nowMs)) break;
      rejected.push({ request: queue.shift()!, reason: "late" });
    }
    if (head === null) return { batch: null, rejected };

    const requests = [queue.shift()!];
    let rows = head.rows;
    for (let next = queue.peek(); next !== null && !head.unbatched && !next.unbatched; next = queue.peek()) {
      if (rows + next.rows > bucket) break;
      queue.shift();
      if (wouldMissDeadline(next, bucket, nowMs)) {
        rejected.push({ request: next, reason: "late" });
        continue;
      }
      requests.push(next);
      rows += next.rows;
    }
    // A request with dynamic shapes may have more rows than any bucket: it runs as it is.
    return { batch: { requests, rows, bucket: Math.max(rows, bucketFor(rows)) }, rejected };
  }

  return {
    enqueue,
    nextBatch,
    batchStarted(batch, nowMs) {
      runningUntilMs.set(batch, nowMs + costs.expectedMs(batch.bucket));
    },
    batchFinished(batch, startedAtMs, nowMs) {
      runningUntilMs.delete(batch);
      const { bucket } = batch;
      // The first run of a shape takes memory as well, and is not what the next ones will cost.
      const isMeasurable = costs.isMeasured(bucket) || ranAtMs.has(bucket);
      ranAtMs.set(bucket, nowMs);
      if (isMeasurable && !batch.requests[0]!.unbatched) costs.observe(bucket, nowMs - startedAtMs);
    },
    cancel: (id) => queue.remove(id) !== null,
    queuedRows: queue.rows,
  };
}
