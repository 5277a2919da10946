/**
 * The overlap (IoU) of a matte with the truth, as the network itself expects it: its matte says of each cell how likely
 * it is to be product. No further prediction is needed (docs/adr/0042-review-calibration.md).
 */

import { addressOf, computeBytes, reserve } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import type { Size } from "../../pixels/geometry.ts";
import type { Prior } from "../evidence/prior.ts";

/** Longest side of the grid on which both are compared: about that of a network's output. */
const gridSideMax = 512;

/**
 * Where the matte shows product, gaps in the network's count as filled as far as it encloses them: refinement fills
 * prints and panels in the backdrop's color, and is mostly right.
 *
 * @param alpha the refined matte, u8 of `size`
 * @param prior the network's matte of the same photo
 * @returns 0–1; 0 where the matte shows no product
 */
export function expectedOverlap(alpha: Uint8Array, size: Size, prior: Prior): number {
  const grid = compareOnGrid(alpha, size, prior);
  const filled = fillGaps(grid.odds, grid);
  let product = 0;
  let agreed = 0;
  let missed = 0;
  for (let i = 0; i < filled.length; i++) {
    if (grid.inside[i] === 0) {
      missed += grid.odds[i]!;
    } else {
      product += 255;
      agreed += filled[i]!;
    }
  }
  return product === 0 ? 0 : agreed / (product + missed);
}

interface ComparedGrid extends Size {
  /** 1 where the matte shows product. */
  readonly inside: Uint8Array;
  /** 0–255: how likely the network finds product there. */
  readonly odds: Uint8Array;
}

/** Takes every n-th cell of the prior, and the matte's pixel at its center. */
function compareOnGrid(alpha: Uint8Array, size: Size, prior: Prior): ComparedGrid {
  const step = Math.max(1, Math.ceil(Math.max(prior.width, prior.height) / gridSideMax));
  const width = Math.ceil(prior.width / step);
  const height = Math.ceil(prior.height / step);
  const grid = { width, height, inside: new Uint8Array(width * height), odds: new Uint8Array(width * height) };
  const columns = Int32Array.from({ length: width }, (_, x) => pixelAt(x * step, prior.width, size.width));
  for (let y = 0; y < height; y++) {
    const row = pixelAt(y * step, prior.height, size.height) * size.width;
    compareRow(grid, y, alpha, row, columns, prior.alpha, y * step * prior.width, step);
  }
  return grid;
}

/** A function of its own, so that V8 keeps its code: see addLine in source/jpeg-blocking.ts. */
function compareRow(
  { width, inside, odds }: ComparedGrid,
  y: number,
  alpha: Uint8Array,
  row: number,
  columns: Int32Array,
  prior: Uint8Array,
  priorRow: number,
  step: number,
): void {
  for (let x = 0, i = y * width; x < width; x++, i++) {
    inside[i] = alpha[row + columns[x]!]! >> 7;
    odds[i] = prior[priorRow + x * step]!;
  }
}

function pixelAt(cell: number, cells: number, pixels: number): number {
  return Math.floor(((cell + 0.5) / cells) * pixels);
}

/**
 * Raises each cell to the lowest level over which it is reached from the border, as water fills a landscape: the
 * priority flood of Barnes, Lehman and Mulla (Computers & Geosciences 62, 2014).
 */
export function fillGaps(plane: Uint8Array, { width, height }: Size): Uint8Array {
  return computeBytes(plane.length, (to) => {
    kernels.fillGaps(addressOf(plane), width, height, reserve(4 * 256), reserve(4 * plane.length), to);
  });
}
