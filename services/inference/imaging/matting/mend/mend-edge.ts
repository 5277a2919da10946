/**
 * Mends the edge of what was segmented by colors: removes slivers of the ground that hang on the product, and straightens the edge where
 * the product has nearly the ground's color. The network's own edge is blurred, but neither torn nor frayed.
 */

import {
  type Components,
  fillComponents,
  labelComponents,
  runStride,
  sumOverSome,
} from "../../pixels/connected-components.ts";
import type { Size } from "../../pixels/geometry.ts";
import { dilate, erode, listMarks, onlyMarks, withoutMarks } from "../../pixels/morphology.ts";
import { maskBelowPrior, priorFrom, type WorkGrid } from "../evidence/work-grid.ts";

/** Half the width, in cells, of the widest spike or notch. */
const widthReach = 5;
/** In cells: alpha is soft so near the edge, and takes the color of what reaches no farther. */
const depthMin = 3;
/** In cells: a smaller piece is not seen. */
const sizeMin = 24;
/** A piece's neighbors are compared so many cells from it: nearer ones mix both colors. */
const unmixed = 3;

/** From this prior on, the network is sure that a spike's cell is product. */
const surePriorMin = 0.75;
/** Up to this mean prior, the network sees no product in a spike, and up to the other one it doubts it. */
const unseenPriorMax = 0.2;
const doubtedPriorMax = 0.45;
/** Up to this Lab distance to the ground beside it, a piece may be ground: a cable or a strap differs more. */
const groundDistanceMax = 16;
/** And up to this one to the product beside it, product: the ground between a comb's teeth differs more. */
const productDistanceMax = 5;
/** Up to this Lab distance between both sides, colors do not tell where the edge is. */
const faintDistanceMax = 10;

/** @param region 1 where the product is; spikes are cleared and notches filled */
export function mendEdge(region: Uint8Array, grid: WorkGrid): void {
  const body = dilate(erode(region, grid, widthReach), grid, widthReach);
  const spikes = maskBelowPrior(withoutMarks(region, body), grid, surePriorMin);
  mendPieces(spikes, (at) => body[at] === 0, region, grid, 0, isGround);
  const outline = erode(dilate(region, grid, widthReach), grid, widthReach);
  const notches = onlyMarks(withoutMarks(outline, region), priorFrom(grid, 0.5));
  clearThroughs(notches, region, grid);
  mendPieces(notches, (at) => outline[at] === 1, region, grid, 1, isProduct);
}

/** Clears the pieces that the ground goes through: filled, they would join two parts, as legs, or close an opening. */
function clearThroughs(notches: Uint8Array, region: Uint8Array, grid: Size): void {
  const parts = labelComponents(notches, grid);
  const isSeen = (label: number) => parts.sizes[label]! >= sizeMin;
  if (!parts.sizes.some((_, label) => isSeen(label))) return;
  const boxes = boundsOf(parts, grid);
  const isThrough = parts.sizes.map((_, label) => isSeen(label) && countMouths(label) > 1);
  fillComponents(notches, parts, 0, (label) => isThrough[label]!);

  /** How many pieces of the ground are beside a notch; beyond the photo is ground, too. */
  function countMouths(label: number): number {
    const { left, top, right, bottom } = boxes[label]!;
    const size = { width: right - left + 2, height: bottom - top + 2 };
    const own = new Uint8Array(size.width * size.height);
    for (let at = 0; at < parts.runs.length; at += runStride) {
      if (parts.runs[at + 2] !== label) continue;
      const row = Math.floor(parts.runs[at]! / grid.width);
      const from = (row - top + 1) * size.width + 1 - left - row * grid.width;
      own.fill(1, from + parts.runs[at]!, from + parts.runs[at + 1]!);
    }
    const mouths = withoutMarks(dilate(own, size, 1), own);
    for (const cell of listMarks(mouths)) {
      const x = (cell % size.width) + left - 1;
      const y = Math.floor(cell / size.width) + top - 1;
      const isWithin = x >= 0 && y >= 0 && x < grid.width && y < grid.height;
      if (isWithin && region[y * grid.width + x] === 1) mouths[cell] = 0;
    }
    return labelComponents(mouths, size).sizes.length - 1;
  }
}

/** By label, in cells; right and bottom are exclusive. */
function boundsOf({ runs, sizes }: Components, { width, height }: Size) {
  const boxes = sizes.map(() => ({ left: width, top: height, right: 0, bottom: 0 }));
  for (let at = 0; at < runs.length; at += runStride) {
    const box = boxes[runs[at + 2]!]!;
    const row = Math.floor(runs[at]! / width);
    box.left = Math.min(box.left, runs[at]! - row * width);
    box.right = Math.max(box.right, runs[at + 1]! - row * width);
    box.top = Math.min(box.top, row);
    box.bottom = row + 1;
  }
  return boxes;
}

/** What a piece and its neighbors on both sides are like, in Lab. */
interface Piece {
  readonly meanPrior: number;
  readonly toGround: number;
  readonly toProduct: number;
  readonly acrossEdge: number;
}

function isGround({ meanPrior, toGround, acrossEdge }: Piece): boolean {
  if (toGround > groundDistanceMax) return false;
  return meanPrior <= unseenPriorMax || (meanPrior <= doubtedPriorMax && acrossEdge <= faintDistanceMax);
}

function isProduct({ toProduct, toGround, acrossEdge }: Piece): boolean {
  return acrossEdge <= faintDistanceMax && toProduct <= Math.min(productDistanceMax, toGround);
}

/**
 * Gives the pieces of which `is` holds the value of the other side.
 *
 * @param isBeyond whether a cell lies beyond the edge as it would be without pieces
 */
function mendPieces(
  marks: Uint8Array,
  isBeyond: (cell: number) => boolean,
  region: Uint8Array,
  grid: WorkGrid,
  value: 0 | 1,
  is: (piece: Piece) => boolean,
): void {
  const parts = labelComponents(marks, grid);
  const isSeen = findDeep(parts, isBeyond, grid);
  const isMeasured = (label: number) => isSeen[label]!;
  if (!isSeen.includes(true)) return;
  const priors = sumOverSome(parts, grid.prior, isMeasured);
  const colors = sumColors(parts, marks, region, grid, isMeasured);
  const isMended = parts.sizes.map((size, label) => {
    const { cells, ground, product } = colors;
    const at = 4 * label;
    if (!isMeasured(label) || ground[at + 3] === 0 || product[at + 3] === 0) return false;
    return is({
      meanPrior: priors[label]! / size,
      toGround: distanceOfMeans(cells, ground, at),
      toProduct: distanceOfMeans(cells, product, at),
      acrossEdge: distanceOfMeans(product, ground, at),
    });
  });
  fillComponents(region, parts, value, (label) => isMended[label]!);
}

/** @returns by label, whether a piece has a cell farther than `depthMin` from the edge as it would be */
function findDeep(
  { runs, sizes }: Components,
  isBeyond: (cell: number) => boolean,
  { width, height }: Size,
): boolean[] {
  const isDeep = sizes.map(() => false);
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    if (isDeep[label]! || sizes[label]! < sizeMin) continue;
    const row = Math.floor(runs[at]! / width);
    const above = Math.max(0, row - depthMin) * width;
    const below = Math.min(height - 1, row + depthMin) * width;
    for (let x = runs[at]! - row * width; x < runs[at + 1]! - row * width; x++) {
      const left = Math.max(0, x - depthMin);
      const right = Math.min(width - 1, x + depthMin);
      // Both sides of that edge are made of squares wider than this one: what reaches into it holds a corner.
      const isFar =
        isBeyond(above + left) && isBeyond(above + right) && isBeyond(below + left) && isBeyond(below + right);
      if (isFar) isDeep[label] = true;
    }
  }
  return isDeep;
}

/** By label, sums of lightness, a and b, and the number of cells. */
interface ColorSums {
  readonly cells: Float64Array;
  readonly ground: Float64Array;
  readonly product: Float64Array;
}

/** The colors of pieces, and of both sides beside them. */
function sumColors(
  { runs, sizes }: Components,
  marks: Uint8Array,
  region: Uint8Array,
  { lab, width, height }: WorkGrid,
  isMeasured: (label: number) => boolean,
): ColorSums {
  const [cells, ground, product] = [0, 1, 2].map(() => new Float64Array(4 * sizes.length)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const add = (sums: Float64Array, label: number, cell: number) => {
    for (let c = 0; c < 3; c++) sums[4 * label + c]! += lab[3 * cell + c]!;
    sums[4 * label + 3]!++;
  };
  const look = (label: number, from: number, step: number, room: number) => {
    if (room < unmixed || marks[from + step] === 1) return;
    const side = region[from + step]!;
    for (let n = 2; n <= unmixed; n++) if (marks[from + n * step] === 1 || region[from + n * step] !== side) return;
    add(side === 1 ? product : ground, label, from + unmixed * step);
  };
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    if (!isMeasured(label)) continue;
    const first = runs[at]!;
    const end = runs[at + 1]!;
    const row = Math.floor(first / width);
    look(label, first, -1, first - row * width);
    look(label, end - 1, 1, (row + 1) * width - end);
    for (let i = first; i < end; i++) {
      add(cells, label, i);
      look(label, i, -width, row);
      look(label, i, width, height - 1 - row);
    }
  }
  return { cells, ground, product };
}

function distanceOfMeans(a: Float64Array, b: Float64Array, at: number): number {
  let squared = 0;
  for (let c = 0; c < 3; c++) squared += (a[at + c]! / a[at + 3]! - b[at + c]! / b[at + 3]!) ** 2;
  return Math.sqrt(squared);
}
