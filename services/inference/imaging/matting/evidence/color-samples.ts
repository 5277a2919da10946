/** Colors of one side of a segmentation, sampled on a lattice, so that those near a place are found without a search. */

import type { Size } from "../../pixels/geometry.ts";
import type { WorkGrid } from "./work-grid.ts";

/** In cells. */
const latticeStep = 16;

export interface ColorSamples {
  readonly columns: number;
  readonly rows: number;
  /** By lattice point: 1 where the side is there. */
  readonly isSide: Uint8Array;
  readonly count: number;
}

/**
 * @param side 1 where the side is, on the grid
 * @param depth cells nearer than this to what is not the side are no samples
 */
export function sampleColors(side: Uint8Array, grid: WorkGrid, depth = 0): ColorSamples {
  const { width, height } = grid;
  const columns = Math.ceil(width / latticeStep);
  const rows = Math.ceil(height / latticeStep);
  const isSide = new Uint8Array(columns * rows);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!isAllAround(side, grid, cellAt(column, row, width, height), depth, 1)) continue;
      isSide[row * columns + column] = 1;
      count++;
    }
  }
  return { columns, rows, isSide, count };
}

/** Whether a mask has the value in the whole square of side 2 `radius` + 1 around a cell, as far as the image reaches. */
export function isAllAround(
  mask: Uint8Array,
  { width, height }: Size,
  cell: number,
  radius: number,
  value: 0 | 1,
): boolean {
  if (mask[cell] !== value) return false;
  const row = Math.floor(cell / width);
  const x = cell - row * width;
  const left = Math.max(0, x - radius);
  const right = Math.min(width - 1, x + radius);
  const bottom = Math.min(height - 1, row + radius);
  for (let y = Math.max(0, row - radius); y <= bottom; y++) {
    for (let i = y * width + left; i <= y * width + right; i++) if (mask[i] !== value) return false;
  }
  return true;
}

function cellAt(column: number, row: number, width: number, height: number): number {
  const half = latticeStep >> 1;
  return Math.min(height - 1, row * latticeStep + half) * width + Math.min(width - 1, column * latticeStep + half);
}

/** So many samples, or as many as there are, are near. */
const nearMin = 60;

/** The cells of the samples in the smallest square around a place that has enough of them, by default 60. */
export function samplesNear(
  samples: ColorSamples,
  { width, height }: WorkGrid,
  x: number,
  y: number,
  wanted = nearMin,
): Int32Array {
  const { columns, rows, isSide, count } = samples;
  const column = Math.min(columns - 1, Math.floor(x / latticeStep));
  const row = Math.min(rows - 1, Math.floor(y / latticeStep));
  const needed = Math.min(count, wanted);
  for (let reach = 4; ; reach = Math.ceil(reach * 1.4)) {
    const found: number[] = [];
    const left = Math.max(0, column - reach);
    const right = Math.min(columns - 1, column + reach);
    const top = Math.max(0, row - reach);
    const bottom = Math.min(rows - 1, row + reach);
    for (let r = top; r <= bottom; r++) {
      for (let c = left; c <= right; c++) if (isSide[r * columns + c] === 1) found.push(cellAt(c, r, width, height));
    }
    if (found.length >= needed) return Int32Array.from(found);
  }
}

/** Lab distance within which two colors count as one. */
const likeDistanceMax = 12;

export interface Likeness {
  /** Share of the cells that have one of the samples' colors, 0–1. */
  readonly share: number;
  /** Mean Lab distance to the nearest of the samples' colors. */
  readonly distance: number;
}

/** How far cells have the colors of samples; without samples they are like nothing. */
export function likeness(cells: Int32Array, samples: Int32Array, lab: Float32Array): Likeness {
  if (samples.length === 0 || cells.length === 0) return { share: 0, distance: 100 };
  let like = 0;
  let sum = 0;
  for (const cell of cells) {
    const l = lab[cell * 3]!;
    const a = lab[cell * 3 + 1]!;
    const b = lab[cell * 3 + 2]!;
    let least = Number.POSITIVE_INFINITY;
    for (const sample of samples) {
      const dl = l - lab[sample * 3]!;
      const da = a - lab[sample * 3 + 1]!;
      const db = b - lab[sample * 3 + 2]!;
      const squared = dl * dl + da * da + db * db;
      if (squared < least) least = squared;
    }
    if (least < likeDistanceMax * likeDistanceMax) like++;
    sum += Math.sqrt(least);
  }
  return { share: like / cells.length, distance: sum / cells.length };
}

/** Mean Lab; zeros without cells. */
export function meanColor(cells: Int32Array, lab: Float32Array): readonly [l: number, a: number, b: number] {
  let l = 0;
  let a = 0;
  let b = 0;
  for (const cell of cells) {
    l += lab[cell * 3]!;
    a += lab[cell * 3 + 1]!;
    b += lab[cell * 3 + 2]!;
  }
  const count = Math.max(1, cells.length);
  return [l / count, a / count, b / count];
}

/** Mean change of lightness from a cell to the next: the texture. */
export function roughness(cells: Int32Array, lab: Float32Array): number {
  let sum = 0;
  for (const cell of cells) {
    const next = Math.min(lab.length / 3 - 1, cell + 1);
    sum += Math.abs(lab[cell * 3]! - lab[next * 3]!);
  }
  return sum / Math.max(1, cells.length);
}
