/**
 * Removes what refinement added to a product in a busy scene, or left beside it, and what looks like the ground around it: another
 * thing of the product's color that sticks out behind it, as a book above a chair, and islands that are pieces of a floor. Only
 * where the network is not sure. What it takes for ground and has a color of its own stays, such as a strap
 * (docs/adr/0054-strays-in-scenes.md).
 */

import {
  type Components,
  fillComponents,
  labelComponents,
  runStride,
  sumOverSome,
} from "../../pixels/connected-components.ts";
import type { Box } from "../../pixels/geometry.ts";
import { countMarks, dilate, emptyMask, onlyMarks, withoutMarks } from "../../pixels/morphology.ts";
import { likeness } from "../evidence/color-samples.ts";
import { measurePatches } from "../evidence/measure-patches.ts";
import { priorFrom, type WorkGrid } from "../evidence/work-grid.ts";
import { boxesOfParts } from "../parts/matte-parts.ts";

/** In cells: a smaller piece is not seen. */
const sizeMin = 24;
/** Up to this mean prior, the network takes a piece for ground. */
const unseenPriorMax = 0.4;
/** At least this share of a piece's outline leads to the ground: it sticks out. */
const openShareMin = 0.65;
/** At least this share of its cells has a color of the ground beside it. */
const likeGroundMin = 0.95;

/** Islands up to this share of the largest part may be pieces of the ground. */
const islandShareMax = 0.05;
/** The network half sees them: below the first mean prior, they have stayed for a color that only the product has. */
const islandPriorMin = 0.5;
const islandPriorMax = 0.9;
/** And it takes what is around them for ground, up to this mean prior: elsewhere the product itself is torn. */
const aroundPriorMax = 0.35;
/** Up to this mean Lab distance to the nearest colors around it, and nearer than to the product's, an island is made of them. */
const sameDistanceMax = 3;

/** A speck is an island up to this share of the largest part that stands apart from all else by so many times its longer side. */
const speckShareMax = 5e-4;
const speckDistanceMin = 4;
/** Each speck is compared with all parts: a cut-out of more parts is noise, which no speck changes. */
const partsMax = 4_096;

/** Colors are compared with the ground's so many cells from a piece; those nearer to the product mix both. */
const groundReach = 12;
const mixedCells = 2;
/** So many cells of either are compared at most, and with fewer cells of ground beside it a piece stays. */
const cellsMax = 150;
const samplesMax = 300;
const samplesMin = 20;

/** Within `inKernelMemory`. @param region 1 where the product is; strays are cleared */
export function removeStrays(region: Uint8Array, grid: WorkGrid): void {
  const parts = labelComponents(region, grid);
  const largest = parts.sizes.reduce((max, size) => Math.max(max, size), 0);
  const isIsland = parts.sizes.map((size) => size <= islandShareMax * largest);
  const hasIslands = isIsland.includes(true, 1);
  removeSpurs(region, hasIslands ? partsWithout(parts, isIsland, grid) : region, grid);
  if (!hasIslands) return;
  removeIslands(region, parts, isIsland, grid);
  removeSpecksApart(region, grid);
}

/**
 * Removes specks of the ground far beside the product, whatever the network says: one alone makes the box larger by which a product
 * is placed. Distances are those between boxes, so that pieces of a thin cord, which lie in a row, stay, and all within a handle.
 */
function removeSpecksApart(region: Uint8Array, grid: WorkGrid): void {
  const parts = labelComponents(region, grid);
  if (parts.sizes.length > partsMax) return;
  const largest = parts.sizes.reduce((max, size) => Math.max(max, size), 0);
  const boxes = boxesOfParts(parts, grid);
  const standsApart = (label: number) => {
    const box = boxes[label]!;
    const distance = speckDistanceMin * Math.max(box.width, box.height);
    return boxes.every(
      (beside, other) => other === label || parts.sizes[other] === 0 || boxDistance(box, beside) > distance,
    );
  };
  const isSpeck = parts.sizes.map((size, label) => size > 0 && size <= speckShareMax * largest && standsApart(label));
  fillComponents(region, parts, 0, (label) => isSpeck[label]!);
}

/** In cells, along the axis on which they are farther apart; 0 where they overlap. */
function boxDistance(a: Box, b: Box): number {
  const x = Math.max(a.left - b.left - b.width, b.left - a.left - a.width, 0);
  const y = Math.max(a.top - b.top - b.height, b.top - a.top - a.height, 0);
  return Math.max(x, y);
}

function partsWithout(parts: Components, isIsland: readonly boolean[], grid: WorkGrid): Uint8Array {
  const product = emptyMask(grid);
  fillComponents(product, parts, 1, (label) => !isIsland[label]!);
  return product;
}

/** @param product 1 in the region without its islands */
function removeSpurs(region: Uint8Array, product: Uint8Array, grid: WorkGrid): void {
  const seen = priorFrom(grid, 0.5);
  const unseen = withoutMarks(product, seen);
  // The network's edge is accurate to about one pixel of its output.
  const rim = Math.ceil(grid.networkPixel);
  const thick = withoutMarks(unseen, dilate(seen, grid, rim));
  if (countMarks(thick) === 0) return;
  const marks = onlyMarks(unseen, dilate(thick, grid, rim));
  const pieces = labelComponents(marks, grid);
  // A product that the photo's border cuts may end there in anything.
  const mayBe = pieces.sizes.map((size, label) => size >= sizeMin && !pieces.atBorder[label]);
  const priors = sumOverSome(pieces, grid.prior, (label) => mayBe[label]!);
  const { outlines, open } = measurePatches(pieces, marks, grid.prior, (cell) => region[cell] === 0, grid);
  removeLikeGround(region, pieces, grid, {
    mayBe: (label) =>
      mayBe[label]! &&
      priors[label]! <= unseenPriorMax * pieces.sizes[label]! &&
      open[label]! >= openShareMin * outlines[label]!,
    is: (cells, ground) => likeness(cells, ground, grid.lab).share >= likeGroundMin,
  });
}

function removeIslands(region: Uint8Array, parts: Components, isIsland: readonly boolean[], grid: WorkGrid): void {
  const priors = sumOverSome(parts, grid.prior, (label) => isIsland[label]!);
  const product = sampleParts(parts, (label) => !isIsland[label]!);
  removeLikeGround(region, parts, grid, {
    mayBe: (label) => {
      const prior = priors[label]! / parts.sizes[label]!;
      return isIsland[label]! && prior >= islandPriorMin && prior < islandPriorMax;
    },
    is: (cells, ground) => {
      if (meanPrior(ground, grid) > aroundPriorMax) return false;
      const { distance } = likeness(cells, ground, grid.lab);
      return distance < sameDistanceMax && distance < likeness(cells, product, grid.lab).distance;
    },
  });
}

/** Cells of some parts, evenly. */
function sampleParts({ runs, sizes }: Components, isSampled: (label: number) => boolean): Int32Array {
  const total = sizes.reduce((sum, size, label) => (isSampled(label) ? sum + size : sum), 0);
  const stride = Math.max(1, Math.ceil(total / samplesMax));
  const cells: number[] = [];
  let skipped = 0;
  for (let at = 0; at < runs.length; at += runStride) {
    if (!isSampled(runs[at + 2]!)) continue;
    const length = runs[at + 1]! - runs[at]!;
    for (let n = stride - 1 - skipped; n < length; n += stride) cells.push(runs[at]! + n);
    skipped = (skipped + length) % stride;
  }
  return Int32Array.from(cells);
}

interface Stray {
  mayBe(label: number): boolean;
  /** @param ground cells of the ground beside it */
  is(cells: Int32Array, ground: Int32Array): boolean;
}

/** Every comparison is with the region as it was before. */
function removeLikeGround(region: Uint8Array, parts: Components, grid: WorkGrid, stray: Stray): void {
  const candidates = parts.sizes.flatMap((size, label) => (size > 0 && stray.mayBe(label) ? [label] : []));
  if (candidates.length === 0) return;
  const boxes = boxesOfParts(parts, grid);
  const product = dilate(region, grid, mixedCells);
  const cellsOf = listCells(parts, candidates);
  const isStray = parts.sizes.map(() => false);
  for (const label of candidates) {
    const cells = cellsOf.get(label)!;
    const ground = groundBeside(cells, boxes[label]!, product, grid);
    if (ground.length < samplesMin) continue;
    isStray[label] = stray.is(takeEvenly(cells, cellsMax), takeEvenly(ground, samplesMax));
  }
  fillComponents(region, parts, 0, (label) => isStray[label]!);
}

function listCells({ runs }: Components, labels: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const cellsOf = new Map(labels.map((label): [number, number[]] => [label, []]));
  for (let at = 0; at < runs.length; at += runStride) {
    const cells = cellsOf.get(runs[at + 2]!);
    for (let i = runs[at]!; cells !== undefined && i < runs[at + 1]!; i++) cells.push(i);
  }
  return cellsOf;
}

/** @param product 1 in and near the product */
function groundBeside(cells: readonly number[], box: Box, product: Uint8Array, grid: WorkGrid): readonly number[] {
  const left = Math.max(0, box.left - groundReach);
  const top = Math.max(0, box.top - groundReach);
  const right = Math.min(grid.width, box.left + box.width + groundReach);
  const size = { width: right - left, height: Math.min(grid.height, box.top + box.height + groundReach) - top };
  const own = new Uint8Array(size.width * size.height);
  for (const cell of cells) {
    const y = Math.floor(cell / grid.width);
    own[(y - top) * size.width + cell - y * grid.width - left] = 1;
  }
  const near = dilate(own, size, groundReach);
  const ground: number[] = [];
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const cell = (top + y) * grid.width + left + x;
      if (near[y * size.width + x] === 1 && product[cell] === 0) ground.push(cell);
    }
  }
  return ground;
}

function takeEvenly(cells: readonly number[], most: number): Int32Array {
  const stride = Math.max(1, Math.ceil(cells.length / most));
  return Int32Array.from({ length: Math.ceil(cells.length / stride) }, (_, n) => cells[n * stride]!);
}

function meanPrior(cells: Int32Array, { prior }: WorkGrid): number {
  return cells.reduce((sum, cell) => sum + prior[cell]!, 0) / cells.length;
}
