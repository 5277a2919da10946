import { inKernelMemory, kernelBytes, kernelIntegers } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import { fillComponents, labelComponents } from "../pixels/connected-components.ts";
import type { Size } from "../pixels/geometry.ts";
import { joinMarks, reachedBy } from "../pixels/morphology.ts";

/** The product's outline on a coarse grid: one cell is `cellPx` source pixels wide and high. */
export interface Silhouette {
  /** Cells across and down the whole image; the last ones may extend beyond its edge. */
  readonly width: number;
  readonly height: number;
  readonly cellPx: number;
  /** 1 inside the product. */
  readonly inside: Uint8Array;
  /** Mean alpha of the cell, 0–255. */
  readonly coverage: Uint8Array;
  /** Bounds of `inside`, in cells; right and bottom are exclusive. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

type Bounds = Pick<Silhouette, "left" | "right" | "top" | "bottom">;

/** The longer side of the product's bounds, in cells. */
export function longSide({ left, right, top, bottom }: Bounds): number {
  return Math.max(right - left, bottom - top);
}

/** Cells across the product's longer side: enough for a contact shadow of 1 % of the product. */
const cellsAcrossProduct = 168;
/** Components smaller than this share of the product are removed, because they would move the ground line. */
const smallComponentShareMax = 0.004;
/** Where what is wide is no longer than this share of the product, the rest is a rod or a wire that belongs to its outline. */
const wideShareMin = 2 / 3;

/** @returns null when no pixel of the image is opaque. */
export function createSilhouette(alpha: Uint8Array, width: number, height: number): Silhouette | null {
  const bounds = inKernelMemory(() => opaqueBounds(alpha, width, height));
  if (bounds === null) return null;
  const cellPx = Math.max(1, longSide(bounds) / cellsAcrossProduct);
  const across = Math.ceil(width / cellPx);
  const down = Math.ceil(height / cellPx);
  const coverage = inKernelMemory(() => meanByCell(alpha, width, height, cellPx, across, down));
  const size = { width: across, height: down };
  const wide = withoutSmallComponents(reachedBy(coverage, 128), size);
  const wideBounds = boundsOf(wide, size);
  if (wideBounds !== null && longSide(wideBounds) * cellPx >= wideShareMin * longSide(bounds)) {
    return { ...size, cellPx, inside: wide, coverage, ...wideBounds };
  }
  const inside = withoutSmallComponents(joinMarks(wide, cellsOfOpaque(alpha, { width, height }, cellPx)), size);
  const insideBounds = boundsOf(inside, size);
  return insideBounds && { ...size, cellPx, inside, coverage, ...insideBounds };
}

/** null: nothing is inside. */
function boundsOf(inside: Uint8Array, { width, height }: Size): Bounds | null {
  let left = width;
  let right = 0;
  let top = height;
  let bottom = 0;
  for (let y = 0; y < height; y++) {
    const row = inside.subarray(y * width, (y + 1) * width);
    const first = row.indexOf(1);
    if (first < 0) continue;
    left = Math.min(left, first);
    right = Math.max(right, row.lastIndexOf(1) + 1);
    top = Math.min(top, y);
    bottom = y + 1;
  }
  return right === 0 ? null : { left, top, right, bottom };
}

/** The bounds of pixels with alpha; null: there are none. In the kernels' memory. */
function opaqueBounds(alpha: Uint8Array, width: number, height: number) {
  let left = width;
  let right = 0;
  let top = height;
  let bottom = 0;
  const row = kernelBytes(width);
  for (let y = 0; y < height; y++) {
    row.set(alpha.subarray(y * width, (y + 1) * width));
    const first = kernels.firstOpaque(row.byteOffset, width);
    if (first === width) continue;
    left = Math.min(left, first);
    right = Math.max(right, kernels.endOfOpaque(row.byteOffset, width));
    top = Math.min(top, y);
    bottom = y + 1;
  }
  return right === 0 ? null : { left, right, top, bottom };
}

/** The mean alpha of each cell. In the kernels' memory. */
function meanByCell(alpha: Uint8Array, width: number, height: number, cellPx: number, across: number, down: number) {
  const coverage = new Uint8Array(across * down);
  /** The first column of each cell, and the end of the last. */
  // The last cell may begin beyond the last pixel, and has none.
  const starts = kernelIntegers(across + 1).fill(width);
  for (let x = width - 1; x >= 0; x--) starts[Math.min(across - 1, Math.floor(x / cellPx))] = x;
  const sums = kernelIntegers(across);
  const row = kernelBytes(width);
  for (let cellY = 0, y = 0; cellY < down; cellY++) {
    const end = cellY === down - 1 ? height : Math.min(height, Math.ceil((cellY + 1) * cellPx));
    const rows = end - y;
    sums.fill(0);
    for (; y < end; y++) {
      row.set(alpha.subarray(y * width, (y + 1) * width));
      kernels.addToCells(row.byteOffset, width, starts.byteOffset, across, sums.byteOffset);
    }
    for (let cell = 0; cell < across; cell++) {
      const pixels = rows * (starts[cell + 1]! - starts[cell]!);
      coverage[cellY * across + cell] = sums[cell]! / Math.max(1, pixels);
    }
  }
  return coverage;
}

/** Every cell that an opaque pixel touches: what is nowhere as wide as half a cell, a wire or a mesh, reaches no cell's half. */
function cellsOfOpaque(alpha: Uint8Array, { width, height }: Size, cellPx: number): Uint8Array {
  const across = Math.ceil(width / cellPx);
  const cells = new Uint8Array(across * Math.ceil(height / cellPx));
  for (let y = 0; y < height; y++) {
    const row = across * Math.floor(y / cellPx);
    for (let x = 0; x < width; x++) if (alpha[y * width + x]! >= 128) cells[row + Math.floor(x / cellPx)] = 1;
  }
  return cells;
}

/** The same mask, with the cells of small connected components cleared, but for the largest. */
function withoutSmallComponents(inside: Uint8Array, size: Size): Uint8Array {
  const components = labelComponents(inside, size);
  const total = components.sizes.reduce((sum, cells) => sum + cells, 0);
  const largest = components.sizes.reduce((most, cells) => Math.max(most, cells), 0);
  const cellsMin = Math.min(largest, total * smallComponentShareMax);
  fillComponents(inside, components, 0, (label) => components.sizes[label]! < cellsMin);
  return inside;
}
