/**
 * Clears rests of a contact shadow below the product, however sure the network is of them: ground goes on into them without an edge, in
 * color as in light, and above them the product begins. Feet, cables and pale bases end with an edge, or hang on the product by
 * all sides but one (docs/adr/0043-shades-on-plain-backdrops.md).
 */

import {
  type Components,
  fillComponents,
  labelComponents,
  runStride,
  sumOverSome,
} from "../../pixels/connected-components.ts";
import { labDistance } from "../../pixels/lab.ts";
import { dilate, emptyMask, invertMask, listMarks, markEdge } from "../../pixels/morphology.ts";
import { type BackdropEvidence, isShaded } from "../evidence/measure-backdrop.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";

/** From one cell to the next, shaded ground changes by so much in Lab at most, or by this share of its darkness. */
const slope = { labMax: 2.5, darknessShareMax: 0.1 };
/** In cells: smaller pieces are the mixed cells of an edge. */
const sizeMin = 80;
/** As a share of the product: a larger piece is a part of it. */
const productShareMax = 0.01;
/** From this prior on, the network is as sure as it is of products; rests of a shade have at most this share of such cells. */
const surePriorMin = 0.95;
const sureShareMax = 0.3;
/** In Lab: a contact shadow is so much darker than the backdrop on the mean; what is as light may be a part of the product in its color. */
const darknessMin = 20;
/** So much of a piece's outline leads to the ground: a piece that the fill reaches through a gap in an edge has less. */
const groundShareMin = 0.33;
/** So much of what leads to the product goes up, and of what leads to the ground down. */
const aboveShareMin = 0.5;
const belowShareMin = 0.5;
/** So much of what leads to the ground is no edge: within two cells on either side it changes by so little, or so small a share of the darkness. */
const softShareMin = 0.25;
const soft = { reach: 2, labMax: 5, darknessShareMax: 0.3 };

/** @param region 1 where the product is; the rests are cleared from it */
export function clearShadeRests(region: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): void {
  const shaded = fillFromGround(region, grid, evidence);
  const cells = listMarks(shaded);
  if (cells.length < sizeMin) return;
  const productCells = listMarks(region).length;
  const pieces = labelComponents(shaded, grid);
  const mayBe = pieces.sizes.map((size) => size >= sizeMin && size <= productShareMax * productCells);
  if (!mayBe.includes(true)) return;
  const outlines = measureOutlines(pieces, mayBe, shaded, region, grid, evidence);
  const isCleared = outlines.map((outline, label) => mayBe[label]! && isRest(outline, pieces.sizes[label]!));
  if (!isCleared.includes(true)) return;
  fillComponents(region, pieces, 0, (label) => isCleared[label]!);
  fillComponents(shaded, pieces, 0, (label) => !isCleared[label]!);
  clearScraps(region, shaded, grid);
}

/** Clears what hung on the cleared pieces alone, and is as small as mixed cells. */
function clearScraps(region: Uint8Array, cleared: Uint8Array, grid: WorkGrid): void {
  const parts = labelComponents(region, grid);
  const isSmall = (label: number) => parts.sizes[label]! < sizeMin;
  const beside = sumOverSome(parts, dilate(cleared, grid, 1), isSmall);
  fillComponents(region, parts, 0, (label) => label > 0 && isSmall(label) && beside[label]! > 0);
}

/** @returns the product's cells that are ground in its shade or light, reached from the ground without an edge */
function fillFromGround(region: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  const { lab, width, height } = grid;
  const { distance, lightness, threshold } = evidence;
  const isGround = (cell: number) => distance[cell]! <= threshold || isShaded(cell, evidence);
  const filled = emptyMask(grid);
  const queue: number[] = [];
  const visit = (from: number, to: number) => {
    if (region[to] !== 1 || filled[to] === 1 || !isGround(to)) return;
    if (labDistance(lab, from, to) > Math.max(slope.labMax, -slope.darknessShareMax * lightness[to]!)) return;
    filled[to] = 1;
    queue.push(to);
  };
  const visitFrom = (cell: number) => {
    const x = cell % width;
    if (x > 0) visit(cell, cell - 1);
    if (x < width - 1) visit(cell, cell + 1);
    if (cell >= width) visit(cell, cell - width);
    if (cell < (height - 1) * width) visit(cell, cell + width);
  };
  for (const cell of listMarks(markEdge(invertMask(region), grid))) if (isGround(cell)) visitFrom(cell);
  for (let next = 0; next < queue.length; next++) visitFrom(queue[next]!);
  return filled;
}

/** Steps from the cells of a piece out of it. */
interface Outline {
  toProduct: number;
  /** Those of `toProduct` that go up. */
  above: number;
  toGround: number;
  /** Those of `toGround` that go down. */
  below: number;
  /** Those of `toGround` across which nothing changes as an edge does. */
  soft: number;
  /** How many cells of the piece the network is sure of. */
  sure: number;
  /** Sum over the piece's cells, in Lab. */
  darkness: number;
}

function isRest({ toProduct, above, toGround, below, soft, sure, darkness }: Outline, size: number): boolean {
  return (
    sure <= sureShareMax * size &&
    darkness >= darknessMin * size &&
    toGround >= groundShareMin * (toGround + toProduct) &&
    above >= aboveShareMin * toProduct &&
    below >= belowShareMin * toGround &&
    soft >= softShareMin * toGround
  );
}

function measureOutlines(
  { runs, sizes }: Components,
  isMeasured: readonly boolean[],
  shaded: Uint8Array,
  region: Uint8Array,
  grid: WorkGrid,
  evidence: BackdropEvidence,
): readonly Outline[] {
  const { width, height, prior } = grid;
  const outlines = sizes.map(
    (): Outline => ({ toProduct: 0, above: 0, toGround: 0, below: 0, soft: 0, sure: 0, darkness: 0 }),
  );
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    if (!isMeasured[label]) continue;
    const outline = outlines[label]!;
    const look = (from: number, step: number) => {
      const to = from + step;
      if (shaded[to] === 1) return;
      if (region[to] === 1) {
        outline.toProduct++;
        if (step === -width) outline.above++;
        return;
      }
      outline.toGround++;
      if (step === width) outline.below++;
      if (isSoft(from, step, grid, evidence)) outline.soft++;
    };
    const first = runs[at]!;
    const last = runs[at + 1]! - 1;
    if (first % width > 0) look(first, -1);
    if (last % width < width - 1) look(last, 1);
    for (let i = first; i <= last; i++) {
      if (prior[i]! > surePriorMin) outline.sure++;
      outline.darkness -= evidence.lightness[i]!;
      if (i >= width) look(i, -width);
      if (i < (height - 1) * width) look(i, width);
    }
  }
  return outlines;
}

/** Whether the color changes little from a cell of a piece to the ground beside it. @param step to the ground's cell */
function isSoft(from: number, step: number, { lab }: WorkGrid, { lightness }: BackdropEvidence): boolean {
  const inside = from - soft.reach * step;
  const outside = from + soft.reach * step;
  if (inside < 0 || outside < 0 || Math.max(inside, outside) >= lightness.length) return false;
  const changeMax = Math.max(soft.labMax, -soft.darknessShareMax * lightness[from]!);
  return labDistance(lab, inside, outside) < changeMax;
}
