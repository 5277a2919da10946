/** Whether a process' memory grows: the slope of its samples, with an interval that its noise explains. */
import { mean } from "../measuring/statistics.ts";

export interface MemorySample {
  readonly atMs: number;
  readonly bytes: number;
}

export interface MemorySlope {
  readonly meanBytes: number;
  readonly peakBytes: number;
  readonly bytesPerMinute: number;
  /** Half of the 95 % interval. NaN with too few samples. */
  readonly uncertainty: number;
  /** Over the samples that the slope is made of. */
  readonly growthBytes: number;
  /** Means of the blocks that the line goes through: heaps that fill up bend, leaks do not. */
  readonly blockBytes: readonly number[];
}

/** Heaps and caches fill up at first: that is no leak. */
const settlingShare = 1 / 3;
const blocks = 10;
/** Student's t for 95 % with `blocks` − 2 degrees of freedom. */
const studentT = 2.306;

/**
 * Collections of garbage make neighboring samples alike, and a regression of them all would seem surer than it is. So the
 * line goes through the means of ten blocks.
 */
export function memorySlope(samples: readonly MemorySample[]): MemorySlope {
  const settled = samples.slice(Math.floor(samples.length * settlingShare));
  const means = Array.from({ length: blocks }, (_, n) => {
    const [from, to] = [n, n + 1].map((at) => Math.floor((at * settled.length) / blocks));
    const block = settled.slice(from, to);
    return { minute: mean(block.map(({ atMs }) => atMs)) / 60_000, bytes: mean(block.map(({ bytes }) => bytes)) };
  });
  const meanMinute = mean(means.map(({ minute }) => minute));
  const meanBytes = mean(means.map(({ bytes }) => bytes));
  const spread = means.reduce((sum, { minute }) => sum + (minute - meanMinute) ** 2, 0);
  const slope = means.reduce((sum, { minute, bytes }) => sum + (minute - meanMinute) * (bytes - meanBytes), 0) / spread;
  const residual = means.reduce(
    (sum, { minute, bytes }) => sum + (bytes - meanBytes - slope * (minute - meanMinute)) ** 2,
    0,
  );
  const minutes = settled.length === 0 ? 0 : (settled.at(-1)!.atMs - settled[0]!.atMs) / 60_000;
  return {
    meanBytes,
    peakBytes: Math.max(...samples.map(({ bytes }) => bytes)),
    bytesPerMinute: slope,
    uncertainty: studentT * Math.sqrt(residual / (blocks - 2) / spread),
    growthBytes: slope * minutes,
    blockBytes: means.map(({ bytes }) => bytes),
  };
}

/** Less growth over a run is below what allocators do. */
const growthShareMin = 0.02;

/** Whether the whole interval is above zero, and the growth is more than a fiftieth of the memory. */
export function grows({ bytesPerMinute, uncertainty, growthBytes, meanBytes }: MemorySlope): boolean {
  return bytesPerMinute > uncertainty && growthBytes > growthShareMin * meanBytes;
}
