/**
 * Notices buckets whose runs take far longer than the warm-up measured. On the first GPU each run built its plans anew, a
 * hundred times as long, and only the wait of requests showed it (docs/adr/0046-sessions-by-bucket.md).
 */
import type { ModelMetrics } from "./inference-metrics.ts";

interface WarmedBucket {
  readonly bucket: number;
  readonly ms: readonly number[];
}

export interface SlowBucket {
  readonly bucket: number;
  readonly warmedMs: number;
  /** Median of its last runs. */
  readonly medianMs: number;
}

const lastRuns = 15;
/** Other work on a CPU makes runs two or three times as long. */
const slowdownMin = 5;
const slowForMs = 60_000;
/** What ran before a longer pause says nothing of now. */
const forgottenAfterMs = 5 * 60_000;

interface Watched {
  readonly warmedMs: number;
  ms: readonly number[];
  lastRunMs: number;
  slowSinceMs: number | null;
  isSlow: boolean;
}

const nothingSeen: Pick<Watched, "ms" | "slowSinceMs" | "isSlow"> = { ms: [], slowSinceMs: null, isSlow: false };

/**
 * Metrics that also count the slow buckets. Calls `onSlow` when a bucket has become slow, and again only when it was as
 * fast as expected meanwhile. `warmed`: the warm-up's runs, of every instance; buckets that it left out are not watched.
 */
export function watchRuns(
  metrics: ModelMetrics,
  warmed: readonly WarmedBucket[],
  onSlow: (slow: SlowBucket) => void,
  nowMs: () => number = () => performance.now(),
): ModelMetrics {
  const watched = new Map<number, Watched>();
  for (const { bucket } of warmed) {
    const ms = warmed.filter((each) => each.bucket === bucket).flatMap((each) => each.ms);
    if (ms.length > 0) watched.set(bucket, { warmedMs: median(ms), lastRunMs: nowMs(), ...nothingSeen });
  }
  metrics.bucketsSlow(() => {
    for (const known of watched.values()) forgetOld(known);
    return [...watched.values()].filter(({ isSlow }) => isSlow).length;
  });

  function forgetOld(known: Watched): void {
    if (nowMs() - known.lastRunMs > forgottenAfterMs) Object.assign(known, nothingSeen);
  }

  function observe(bucket: number, ms: number): void {
    const known = watched.get(bucket);
    if (known === undefined) return;
    forgetOld(known);
    known.lastRunMs = nowMs();
    known.ms = [...known.ms, ms].slice(-lastRuns);
    const medianMs = median(known.ms);
    if (known.ms.length < lastRuns || medianMs <= slowdownMin * known.warmedMs) {
      known.slowSinceMs = null;
      known.isSlow = false;
      return;
    }
    known.slowSinceMs ??= nowMs();
    if (known.isSlow || nowMs() - known.slowSinceMs < slowForMs) return;
    known.isSlow = true;
    onSlow({ bucket, warmedMs: known.warmedMs, medianMs });
  }

  return {
    ...metrics,
    batchRan(batch, ms) {
      metrics.batchRan(batch, ms);
      observe(batch.bucket, ms);
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
