/** Scans of alpha, where most pixels are 0 or 255: four pixels are read as one word. */

import { inKernelMemory, kernelBytes, kernelIntegers } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Box, Size } from "./geometry.ts";
import type { PixelBuffer } from "./image.ts";

/** The first pixel from `from` on whose alpha is neither 0 nor 255; `alpha.length` if there is none. */
export function nextSoftPixel({ bytes: alpha, words }: PixelBuffer, from: number): number {
  let at = from;
  while (at < alpha.length) {
    if ((at & 3) === 0) {
      let word = at >> 2;
      while (word < words.length && (words[word] === 0 || words[word] === allOpaque)) word++;
      at = word << 2;
      if (at >= alpha.length) break;
    }
    const a = alpha[at]!;
    if (a !== 0 && a !== 255) return at;
    at++;
  }
  return alpha.length;
}

/** The first pixel from `from` on whose alpha is not 0; `end` if there is none before it. */
export function nextVisiblePixel({ bytes: alpha, words }: PixelBuffer, from: number, end: number): number {
  let at = from;
  while (at < end && alpha[at] === 0) {
    if ((at & 3) !== 0) {
      at++;
      continue;
    }
    let word = at >> 2;
    const last = Math.min(words.length, end >> 2);
    while (word < last && words[word] === 0) word++;
    at = Math.max(at + 1, word << 2);
  }
  return Math.min(at, end);
}

/** The end of the last pixel before `end` whose alpha is not 0; `from` if there is none from there on. */
export function endOfVisible({ bytes: alpha, words }: PixelBuffer, from: number, end: number): number {
  let at = end;
  while (at > from && alpha[at - 1] === 0) {
    if ((at & 3) !== 0 || words.length < at >> 2) {
      at--;
      continue;
    }
    let word = at >> 2;
    const first = (from + 3) >> 2;
    while (word > first && words[word - 1] === 0) word--;
    at = Math.min(at - 1, word << 2);
  }
  return Math.max(at, from);
}

/** The first pixel from `from` on whose alpha is not 255; `alpha.length` if there is none. */
export function endOfOpaqueRun({ bytes: alpha, words }: PixelBuffer, from: number): number {
  let at = from;
  while (at < alpha.length && alpha[at] === 255) {
    if ((at & 3) !== 0) {
      at++;
      continue;
    }
    let word = at >> 2;
    while (word < words.length && words[word] === allOpaque) word++;
    at = Math.max(at + 1, word << 2);
  }
  return at;
}

export interface AlphaStatistics {
  /** Sum of all alpha values. */
  readonly sum: number;
  /** Number of pixels that are neither nearly transparent nor nearly opaque. */
  readonly soft: number;
}

/** So many pixels are copied to the kernels' memory at once: they are read while the first cache holds them. */
const pixelsAtOnce = 16_384;

export function alphaStatistics(alpha: Uint8Array): AlphaStatistics {
  return addUpTo(alpha, Number.POSITIVE_INFINITY);
}

/** Whether mean alpha, 0–1, is at least `share`. */
export function coversAtLeast(alpha: Uint8Array, share: number): boolean {
  const sumMin = share * 255 * alpha.length;
  return addUpTo(alpha, sumMin).sum >= sumMin;
}

/** Statistics of the pixels until alpha's sum reaches `sumMax`, at the least. */
function addUpTo(alpha: Uint8Array, sumMax: number): AlphaStatistics {
  return inKernelMemory(() => {
    const copy = kernelBytes(Math.min(pixelsAtOnce, alpha.length));
    const sums = kernelIntegers(2);
    let sum = 0;
    let soft = 0;
    for (let from = 0; from < alpha.length && sum < sumMax; from += pixelsAtOnce) {
      const pixels = alpha.subarray(from, from + pixelsAtOnce);
      copy.set(pixels);
      kernels.addAlpha(copy.byteOffset, pixels.length, sums.byteOffset);
      sum += sums[0]!;
      soft += sums[1]!;
    }
    return { sum, soft };
  });
}

/** Runs of soft pixels, three numbers each: column, row, length. */
export function findSoftRuns(alpha: Uint8Array, { width, height }: Size): Int32Array {
  const rowsAtOnce = Math.max(1, Math.floor(pixelsAtOnce / width));
  const found: Int32Array[] = [];
  inKernelMemory(() => {
    const copy = kernelBytes(width * rowsAtOnce);
    // Where every second pixel is soft, there are most.
    const runs = kernelIntegers(3 * rowsAtOnce * Math.ceil(width / 2));
    for (let row = 0; row < height; row += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, height - row);
      copy.set(alpha.subarray(row * width, (row + rows) * width));
      const count = kernels.listSoftRuns(copy.byteOffset, width, rows, row, runs.byteOffset);
      found.push(runs.slice(0, 3 * count));
    }
  });
  const all = new Int32Array(found.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const runs of found) {
    all.set(runs, at);
    at += runs.length;
  }
  return all;
}

const allOpaque = 0xffffffff;

/**
 * Views alpha as words, too. There are no words where the memory is not aligned to them: pixels are then read singly.
 */
export function viewAsWords(alpha: Uint8Array): PixelBuffer {
  const { buffer, byteOffset, length } = alpha;
  return {
    bytes: alpha,
    words: byteOffset % 4 === 0 ? new Uint32Array(buffer, byteOffset, length >> 2) : new Uint32Array(),
  };
}

/** The smallest box around all pixels whose alpha is at least `threshold`; undefined if there are none. */
export function visibleBox(alpha: Uint8Array, { width, height }: Size, threshold = 16): Box | undefined {
  let left = width;
  let right = -1;
  let top = -1;
  let bottom = -1;
  const matte = viewAsWords(alpha);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const end = row + width;
    let first = row;
    while (first < end && alpha[first]! < threshold) first = nextVisiblePixel(matte, first + 1, end);
    if (first === end) continue;
    if (top < 0) top = y;
    bottom = y;
    left = Math.min(left, first - row);
    // Only what lies right of all rows before makes the box wider.
    const least = row + right + 1;
    let last = end;
    while (last > least && alpha[last - 1]! < threshold) last = endOfVisible(matte, least, last - 1);
    right = last - row - 1;
  }
  return top < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}
