/**
 * Adds the pale rims of a product that are lighter than the ground beside them, such as a white lid's before beige paper. The surface that
 * is fitted to the photo's border is off by more than such a rim differs, and the network is not sure of it. A shadow is never lighter
 * than its ground, and the glow of a lamp ends without an edge.
 */

import {
  type Components,
  fillComponents,
  type LookAside,
  labelComponents,
  lookAside,
  sumOverSome,
} from "../../pixels/connected-components.ts";
import {
  copyMask,
  dilate,
  emptyMask,
  erode,
  invertMask,
  listMarks,
  onlyMarks,
  withoutMarks,
} from "../../pixels/morphology.ts";
import { type GroundLightness, lightnessOfGround } from "../evidence/ground-colors.ts";
import { priorAbove, type WorkGrid } from "../evidence/work-grid.ts";

/** Up to this prior a cell of the background is ground, where no product is within so many cells. */
const groundPriorMax = 0.05;
const mixedCells = 2;
/** In cells: a rim reaches no farther out of what was segmented. */
const reach = 16;
/** A rim is lighter than the ground by at least so much, in Lab, and by so many times its noise. */
const lighterMin = 1;
const lighterPerNoise = 3;
/** A ground is pale from this lightness on: before a darker one, what a product's fluff lights is lighter, too. */
const paleGroundMin = 65;
/** In cells: a thinner rim is the halo of a sharpened edge, and a smaller one noise. */
const haloCells = 4;
const rimCellsMin = 24;
/** From this mean prior on, the network sees something of it. */
const meanPriorMin = 0.2;
/** Half the width, in cells, of the widest notch, in which no halo is, and the smallest one. */
const notchReach = 8;
const notchCellsMin = 12;
/** So much of its outline to the ground is an edge: over so many cells it gets as dark as the ground. */
const sharpShareMin = 0.8;
const edgeCells = 3;
const edgeStepsMin = 6;
/** Beside a product that is darker than the ground by more, in Lab, sharpening makes the ground paler. */
const darkerMax = 25;
/** Half the side, in cells, of the square by which the new edge is smoothed. */
const smoothReach = 2;
/** Cells of every so many rows and columns are compared. */
const noiseStride = 12;

/** Within `inKernelMemory`. @param region 1 where the product is; rims are added */
export function addPaleRims(region: Uint8Array, grid: WorkGrid): void {
  const unsure = withoutMarks(priorAbove(grid, groundPriorMax), region);
  const near = listMarks(onlyMarks(unsure, dilate(region, grid, reach)));
  const known = erode(withoutMarks(invertMask(region), unsure), grid, mixedCells);
  const ground = lightnessOfGround(grid, known);
  // The noise takes longest. Without any, most photos have no piece that is large enough, and then they have none with it.
  const palest = emptyMask(grid);
  if (ground.markPale(near, lighterMin, paleGroundMin, palest) < notchCellsMin) return;
  if (!hasPiece(palest, grid, notchCellsMin)) return;
  const beyondHalo = withoutMarks(palest, dilate(region, grid, haloCells));
  const mayHaveRims = hasPiece(palest, grid, rimCellsMin, beyondHalo);
  const outline = closeNotches(region, grid);
  if (!mayHaveRims && !hasPiece(onlyMarks(palest, outline), grid, notchCellsMin)) return;
  const limit = Math.max(lighterMin, lighterPerNoise * noiseOf(ground));
  const pale = limit > lighterMin ? emptyMask(grid) : palest;
  if (limit > lighterMin) ground.markPale(near, limit, paleGroundMin, pale);
  const scene: Scene = { region, grid, limit, ground };
  const before = copyMask(region);
  const hasRims = mayHaveRims && addPieces(pale, scene, rimCellsMin, onlyMarks(pale, beyondHalo));
  const notches = onlyMarks(pale, hasRims ? closeNotches(region, grid) : outline);
  const hasNotches = addPieces(withoutMarks(notches, region), scene, notchCellsMin);
  if (hasRims || hasNotches) smoothAround(withoutMarks(region, before), region, grid);
}

/** Whether a piece is so large and, where `holding` is given, holds one of these cells. */
function hasPiece(marks: Uint8Array, grid: WorkGrid, cellsMin: number, holding?: Uint8Array): boolean {
  const pieces = labelComponents(marks, grid);
  const isLarge = (label: number) => label > 0 && pieces.sizes[label]! >= cellsMin;
  if (!pieces.sizes.some((_, label) => isLarge(label))) return false;
  return holding === undefined || sumOverSome(pieces, holding, isLarge).some((cells) => cells > 0);
}

/** The product with its notches. */
function closeNotches(region: Uint8Array, grid: WorkGrid): Uint8Array {
  return erode(dilate(region, grid, notchReach), grid, notchReach);
}

interface Scene {
  readonly region: Uint8Array;
  readonly grid: WorkGrid;
  /** From so much on a cell is lighter than the ground, in Lab. */
  readonly limit: number;
  readonly ground: GroundLightness;
}

/**
 * Adds the pieces of which the network sees something, that end with an edge, and are not beside something dark.
 *
 * @param holding where it is given, each piece holds one of these cells
 * @returns whether there are any
 */
function addPieces(marks: Uint8Array, scene: Scene, cellsMin: number, holding?: Uint8Array): boolean {
  const { region, grid } = scene;
  const pieces = labelComponents(marks, grid);
  const { sizes } = pieces;
  const isLarge = (label: number) => label > 0 && sizes[label]! >= cellsMin;
  if (!sizes.some((_, label) => isLarge(label))) return false;
  const priors = sumOverSome(pieces, grid.prior, isLarge);
  const held = holding && sumOverSome(pieces, holding, isLarge);
  const mayBe = sizes.map(
    (size, label) => isLarge(label) && held?.[label] !== 0 && priors[label]! >= meanPriorMin * size,
  );
  const outlines = measureOutlines(pieces, marks, scene, mayBe);
  const isAdded = outlines.map(({ ends, sharp, product, lightness }, label) => {
    if (!mayBe[label] || ends < edgeStepsMin || sharp < sharpShareMin * ends) return false;
    return product > 0 && lightness >= -darkerMax * product;
  });
  fillComponents(region, pieces, 1, (label) => isAdded[label]!);
  return isAdded.includes(true);
}

/** Three quarters of the ground differ by less. */
function noiseOf(ground: GroundLightness): number {
  const differences = ground.differences(noiseStride).sort();
  return differences[Math.floor(0.75 * differences.length)] ?? Number.POSITIVE_INFINITY;
}

/** Steps out of a piece. */
interface Outline {
  /** To the ground, and those of them over an edge. */
  ends: number;
  sharp: number;
  /** To the product, and the sum of how much lighter than the ground it is there. */
  product: number;
  lightness: number;
}

function measureOutlines(
  components: Components,
  marks: Uint8Array,
  { region, grid: { lab, width, height }, limit, ground }: Scene,
  isMeasured: readonly boolean[],
): readonly Outline[] {
  const outlines = components.sizes.map((): Outline => ({ ends: 0, sharp: 0, product: 0, lightness: 0 }));
  const look: LookAside = (label, from, step, room) => {
    if (room < edgeCells || marks[from + step] === 1) return;
    const outline = outlines[label]!;
    if (region[from + step] === 1) {
      outline.product++;
      outline.lightness += ground.above(from + edgeCells * step);
      return;
    }
    outline.ends++;
    const inside = Math.max(...[0, 1, 2].map((n) => lab[3 * (from - n * step)] ?? 0));
    if (inside - lab[3 * (from + edgeCells * step)]! >= limit) outline.sharp++;
  };
  lookAside(components, { width, height }, isMeasured, look);
  return outlines;
}

/** Gives each cell near the added ones what most cells of the square around it have. */
function smoothAround(added: Uint8Array, region: Uint8Array, grid: WorkGrid): void {
  const { width, height } = grid;
  const before = copyMask(region);
  const half = ((2 * smoothReach + 1) ** 2 - 1) / 2;
  for (const cell of listMarks(dilate(added, grid, smoothReach))) {
    const y = Math.floor(cell / width);
    const x = cell - y * width;
    if (Math.min(x, y, width - 1 - x, height - 1 - y) < smoothReach) continue;
    let cells = 0;
    for (let row = cell - smoothReach * width; row <= cell + smoothReach * width; row += width) {
      for (let at = row - smoothReach; at <= row + smoothReach; at++) cells += before[at]!;
    }
    region[cell] = cells > half ? 1 : 0;
  }
}
