/** The grid of 8 × 8 pixels that strong JPEG compression leaves, in pixels as they are decoded: whatever the file is now. */

import { sampleLines } from "./sample-lines.ts";
import type { LumaPhoto } from "./sharpness.ts";

const blockSide = 8;
const linesMax = 80;
/** A larger difference is an edge of the picture. */
const differenceMax = 24;

/**
 * How much larger steps are between blocks than within them: 1 in a photo without blocks. The photo may have been cropped or
 * turned, so the grid may begin anywhere.
 */
export function measureBlocking(photo: LumaPhoto): number {
  const { width, height } = photo;
  const rows = blockingOf(photo, { lines: height, lineStride: width, length: width, stride: 1 });
  const columns = blockingOf(photo, { lines: width, lineStride: 1, length: height, stride: width });
  return (rows + columns) / 2;
}

interface Direction {
  readonly lines: number;
  readonly lineStride: number;
  readonly length: number;
  readonly stride: number;
}

function blockingOf({ rgb }: LumaPhoto, { lines, lineStride, length, stride }: Direction): number {
  /** Twice what a step is larger than those beside it. */
  const jumps = new Int32Array(blockSide);
  const counts = new Int32Array(blockSide);
  // Green is most of luma, and needs no sum.
  for (const line of sampleLines(0, lines, linesMax)) {
    addLine(rgb, 3 * line * lineStride + 1, 3 * stride, length, jumps, counts);
  }
  return largestOverOthers(Array.from(jumps, (sum, phase) => sum / 2 / Math.max(1, counts[phase]!)));
}

/**
 * A function of its own: V8 compiles what is called often, but the inner loop of what is called twice a photo for that photo alone.
 *
 * @param from the first of `length` bytes that are `by` apart
 */
function addLine(
  rgb: Uint8Array,
  from: number,
  by: number,
  length: number,
  jumps: Int32Array,
  counts: Int32Array,
): void {
  let here = rgb[from + 2 * by]!;
  let before = Math.abs(rgb[from + by]! - rgb[from]!);
  let step = Math.abs(here - rgb[from + by]!);
  for (let n = 3, at = from + 3 * by; n < length; n++, at += by) {
    const next = rgb[at]!;
    const after = Math.abs(next - here);
    const phase = (n - 1) & (blockSide - 1);
    // Only what is flat on both sides: a block's end, not texture.
    const jump = 2 * step - before - after;
    // All bits, or none: in noise a processor guesses branches wrongly.
    const isCounted = (step - differenceMax - 1) >> 31;
    const isRise = ~(jump >> 31);
    jumps[phase]! += jump & isRise & isCounted;
    counts[phase]! -= isCounted;
    here = next;
    before = step;
    step = after;
  }
}

function largestOverOthers(means: readonly number[]): number {
  const largest = Math.max(...means);
  const others = (means.reduce((sum, mean) => sum + mean, 0) - largest) / (blockSide - 1);
  // What is flat all over has no blocks.
  return (largest + flatStep) / (others + flatStep);
}

/** A smaller step, on a scale to 255, is not seen. */
const flatStep = 0.05;
