/**
 * The color of the ground everywhere in a photo, by what is known of it: blocks of the work grid, each with the mean color of its known
 * cells, and between them what the nearest known blocks have. It follows a glow behind a model, which no quadratic surface does.
 */

import { addressOf, inKernelMemory, kernelDoubles, reserve } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import type { WorkGrid } from "./work-grid.ts";

/** In cells: the side of a block. */
const blockSide = 16;
/** A block with fewer known cells is filled from those around it. */
const knownCellsMin = 16;
/** What the kernels keep of a ground, in bytes: of the whole, and of each block with its share of the larger ones. */
const groundBytes = 512;
const bytesPerBlock = 24;

export interface GroundColors {
  /** Writes the ground's Lab colors along a row of cells to `out`, interleaved. */
  alongRow(y: number, out: Float32Array): void;
  /** Writes that of one cell, the same as along its row. */
  at(x: number, y: number, out: Float32Array): void;
}

/** The same ground's lightness, of which only the blocks are summed up that are asked for. */
export interface GroundLightness {
  /** By how much a cell is lighter than the ground there, in Lab. */
  above(cell: number): number;
  /**
   * Marks the cells of a list that are lighter than a pale ground.
   *
   * @param limit by at least so much, in Lab
   * @param paleMin a ground is pale from this lightness on
   * @param marks those get 1
   * @returns how many they are
   */
  markPale(cells: Int32Array, limit: number, paleMin: number, marks: Uint8Array): number;
  /** By how much known cells of every so many rows and columns differ from the ground, in no order. */
  differences(stride: number): Float64Array;
}

/** A plane of blocks: sums of Lab, and of how many cells. */
interface Level {
  readonly width: number;
  readonly height: number;
  /** L, a, b and the weight, interleaved. */
  readonly sums: Float64Array;
}

/** @param isKnown 1 where the ground is seen */
export function spreadGround(grid: WorkGrid, isKnown: Uint8Array): GroundColors {
  const { sums: means, width, height } = fillUnknown(countBlocks(grid, isKnown));
  const row = new Float64Array(3 * width);
  return {
    at: (x, y, out) => {
      const v = Math.min(height - 1, Math.max(0, (y + 0.5) / blockSide - 0.5));
      const u = Math.min(width - 1, Math.max(0, (x + 0.5) / blockSide - 0.5));
      const upper = 4 * width * Math.floor(v);
      const lower = 4 * width * Math.ceil(v);
      const share = v - Math.floor(v);
      const left = 4 * Math.floor(u);
      const right = 4 * Math.ceil(u);
      const part = u - Math.floor(u);
      for (let c = 0; c < 3; c++) {
        const ofLeft = means[upper + left + c]! + share * (means[lower + left + c]! - means[upper + left + c]!);
        const ofRight = means[upper + right + c]! + share * (means[lower + right + c]! - means[upper + right + c]!);
        out[c] = ofLeft + part * (ofRight - ofLeft);
      }
    },
    alongRow: (y, out) => {
      const v = Math.min(height - 1, Math.max(0, (y + 0.5) / blockSide - 0.5));
      const upper = 4 * width * Math.floor(v);
      const lower = 4 * width * Math.ceil(v);
      const share = v - Math.floor(v);
      for (let column = 0; column < width; column++) {
        for (let c = 0; c < 3; c++) {
          const from = means[upper + 4 * column + c]!;
          row[3 * column + c] = from + share * (means[lower + 4 * column + c]! - from);
        }
      }
      for (let x = 0; 3 * x < out.length; x++) {
        const u = Math.min(width - 1, Math.max(0, (x + 0.5) / blockSide - 0.5));
        const left = 3 * Math.floor(u);
        const right = 3 * Math.ceil(u);
        const part = u - Math.floor(u);
        for (let c = 0; c < 3; c++) out[3 * x + c] = row[left + c]! + part * (row[right + c]! - row[left + c]!);
      }
    },
  };
}

/**
 * Within `inKernelMemory`.
 *
 * @param isKnown 1 where the ground is seen
 */
export function lightnessOfGround({ width, height, lab }: WorkGrid, isKnown: Uint8Array): GroundLightness {
  const blocks = Math.ceil(width / blockSide) * Math.ceil(height / blockSide);
  const ground = reserve(groundBytes + bytesPerBlock * blocks);
  kernels.describeGround(addressOf(lab), addressOf(isKnown), width, height, blockSide, knownCellsMin, ground);
  return {
    above: (cell) => kernels.lightnessAbove(ground, cell),
    markPale: (cells, limit, paleMin, marks) =>
      kernels.markPale(ground, addressOf(cells), cells.length, limit, paleMin, addressOf(marks)),
    differences: (stride) => {
      const room = kernelDoubles(Math.ceil(width / stride) * Math.ceil(height / stride));
      return room.subarray(0, kernels.differencesOfGround(ground, stride, room.byteOffset));
    },
  };
}

/** Sums of the known cells by block; a block with too few of them has none. */
export function countBlocks(
  { width, height, lab }: Pick<WorkGrid, "width" | "height" | "lab">,
  isKnown: Uint8Array,
): Level {
  const level = emptyLevel(Math.ceil(width / blockSide), Math.ceil(height / blockSide));
  inKernelMemory(() => {
    const sums = kernelDoubles(level.sums.length).fill(0);
    kernels.addToBlocks(addressOf(lab), addressOf(isKnown), width, height, blockSide, sums.byteOffset);
    level.sums.set(sums);
  });
  for (let at = 0; at < level.sums.length; at += 4) {
    if (level.sums[at + 3]! < knownCellsMin) level.sums.fill(0, at, at + 4);
  }
  return level;
}

const emptyLevel = (width: number, height: number): Level => ({
  width,
  height,
  sums: new Float64Array(4 * width * height),
});

/** The means, with unknown blocks filled from the same plane at half the size, which is filled likewise. */
function fillUnknown({ width, height, sums }: Level): Level {
  const means = emptyLevel(width, height);
  for (let at = 0; at < sums.length; at += 4) {
    const weight = sums[at + 3]!;
    if (weight === 0) continue;
    for (let c = 0; c < 3; c++) means.sums[at + c] = sums[at + c]! / weight;
    means.sums[at + 3] = 1;
  }
  const isWhole = width === 1 && height === 1;
  if (isWhole || !means.sums.some((value, at) => at % 4 === 3 && value === 0)) return means;
  const half = emptyLevel((width + 1) >> 1, (height + 1) >> 1);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = 4 * (y * width + x);
      const to = 4 * ((y >> 1) * half.width + (x >> 1));
      for (let c = 0; c < 4; c++) half.sums[to + c]! += means.sums[from + c]!;
    }
  }
  const coarse = fillUnknown(half);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = 4 * (y * width + x);
      if (means.sums[to + 3] === 1) continue;
      const from = 4 * ((y >> 1) * coarse.width + (x >> 1));
      for (let c = 0; c < 3; c++) means.sums[to + c] = coarse.sums[from + c]!;
    }
  }
  return means;
}
