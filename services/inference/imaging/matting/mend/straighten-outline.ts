/**
 * Straightens an outline that colors have made rough. Where the product has nearly the ground's color, noise decides cell by cell, and
 * leaves bites and spikes; where it stands in its own shadow, tabs of the shade hang below it. What lies between the outline and the
 * photo's edge along it (`followEdge`) is judged piece by piece, by what the ground and the network say of it (docs/adr/0055-rough-outlines.md).
 */

import {
  type Components,
  fillComponents,
  labelComponents,
  lookAside,
  runStride,
} from "../../pixels/connected-components.ts";
import { withoutMarks } from "../../pixels/morphology.ts";
import type { BackdropEvidence } from "../evidence/measure-backdrop.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { followEdge, isShade } from "./follow-edge.ts";

/** In cells: a smaller piece is not seen. */
const sizeMin = 8;
/** Steps by which a piece must make the outline shorter: what only moves it stays. */
const gainMin = 4;
/** And beside an edge that is not faint, by so many, and with so many cells: less are the edge's mixed cells. */
const strong = { gainMin: 8, sizeMin: 20 };
/** So much of a piece is a shade where it is one, and up to this mean prior the network does not see that it is none. */
const shadeShareMin = 0.8;
const shadePriorMax = 0.6;
/** In Lab: up to this distance between both sides the edge is faint, and a piece differs as little from the side that it is given to. */
const faintMax = 12;
/** Below this one nothing but the network tells that there is an edge. */
const seenMin = 0.5;
/** Up to this mean prior a faint piece is ground, and from the other one on it is product. */
const groundPriorMax = 0.3;
const productPriorMin = 0.35;
/** In cells: colors of both sides are looked at so far around a piece, and so far from their edge. */
const around = 6;
const unmixed = 2;

/** Within `inKernelMemory`. @param region 1 where the product is; its outline is straightened in place */
export function straightenOutline(region: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): void {
  const followed = followEdge(region, grid, evidence);
  if (followed === undefined) return;
  const scene: Scene = { region, after: followed, grid, evidence };
  mendPieces(withoutMarks(region, followed), 0, isGround, scene);
  mendPieces(withoutMarks(followed, region), 1, isProduct, scene);
}

interface Scene {
  readonly region: Uint8Array;
  /** The region with all pieces mended. */
  readonly after: Uint8Array;
  readonly grid: WorkGrid;
  readonly evidence: BackdropEvidence;
}

interface Piece {
  readonly size: number;
  /** By how many steps the outline is shorter without it. */
  readonly gain: number;
  readonly meanPrior: number;
  readonly shadeShare: number;
  /** In Lab, of mean colors. */
  readonly toGround: number;
  readonly toProduct: number;
  readonly acrossEdge: number;
}

function isGround({ size, gain, meanPrior, shadeShare, toGround, toProduct, acrossEdge }: Piece): boolean {
  if (acrossEdge <= faintMax && toGround < toProduct && toGround <= faintMax && meanPrior <= groundPriorMax)
    return true;
  if (size < strong.sizeMin || gain < strong.gainMin) return false;
  return toGround < toProduct && shadeShare >= shadeShareMin && meanPrior <= shadePriorMax;
}

function isProduct({ meanPrior, shadeShare, toGround, toProduct, acrossEdge }: Piece): boolean {
  if (shadeShare >= shadeShareMin || acrossEdge < seenMin) return false;
  return acrossEdge <= faintMax && toProduct < toGround && toProduct <= faintMax && meanPrior >= productPriorMin;
}

/** Gives the pieces of which `is` holds the value of the other side. */
function mendPieces(marks: Uint8Array, value: 0 | 1, is: (piece: Piece) => boolean, scene: Scene): void {
  const { region, after, grid } = scene;
  const pieces = labelComponents(marks, grid);
  const isLarge = pieces.sizes.map((size) => size >= sizeMin);
  const gains = new Int32Array(pieces.sizes.length);
  lookAside(pieces, grid, isLarge, (label, from, step, room) => {
    if (room === 0 || marks[from + step] === 1) return;
    gains[label]! += after[from + step] === value ? -1 : 1;
  });
  const cells = cellsOf(pieces, (label) => isLarge[label]! && -gains[label]! >= gainMin);
  const isMended = new Set<number>();
  for (const [label, own] of cells) {
    const piece = measurePiece(own, -gains[label]!, scene);
    if (piece !== undefined && is(piece)) isMended.add(label);
  }
  fillComponents(region, pieces, value, (label) => isMended.has(label));
}

function cellsOf({ runs }: Components, isChosen: (label: number) => boolean): Map<number, number[]> {
  const cells = new Map<number, number[]>();
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    if (!isChosen(label)) continue;
    const own = cells.get(label) ?? [];
    cells.set(label, own);
    for (let i = runs[at]!; i < runs[at + 1]!; i++) own.push(i);
  }
  return cells;
}

/** undefined: only one side is near. */
function measurePiece(
  cells: readonly number[],
  gain: number,
  { after, region, grid, evidence }: Scene,
): Piece | undefined {
  const { lab, prior, width, height } = grid;
  const own = noColors();
  const ground = noColors();
  const product = noColors();
  let priors = 0;
  let shaded = 0;
  let left = width;
  let right = 0;
  let top = height;
  let bottom = 0;
  for (const cell of cells) {
    addColor(own, lab, cell);
    priors += prior[cell]!;
    if (isShade(cell, evidence)) shaded++;
    const y = Math.floor(cell / width);
    left = Math.min(left, cell - y * width);
    right = Math.max(right, cell - y * width);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  for (let y = Math.max(unmixed, top - around); y <= Math.min(height - 1 - unmixed, bottom + around); y++) {
    for (let x = Math.max(unmixed, left - around); x <= Math.min(width - 1 - unmixed, right + around); x++) {
      const cell = y * width + x;
      const side = after[cell]!;
      if (region[cell] !== side || after[cell + unmixed] !== side || after[cell - unmixed] !== side) continue;
      if (after[cell + unmixed * width] !== side || after[cell - unmixed * width] !== side) continue;
      addColor(side === 1 ? product : ground, lab, cell);
    }
  }
  if (ground[3] === 0 || product[3] === 0) return undefined;
  return {
    size: cells.length,
    gain,
    meanPrior: priors / cells.length,
    shadeShare: shaded / cells.length,
    toGround: distanceOfMeans(own, ground),
    toProduct: distanceOfMeans(own, product),
    acrossEdge: distanceOfMeans(product, ground),
  };
}

/** Sums of lightness, a and b, and the number of cells. */
type ColorSums = [number, number, number, number];

const noColors = (): ColorSums => [0, 0, 0, 0];

function addColor(sums: ColorSums, lab: Float32Array, cell: number): void {
  for (let c = 0; c < 3; c++) sums[c]! += lab[3 * cell + c]!;
  sums[3]++;
}

function distanceOfMeans(a: ColorSums, b: ColorSums): number {
  return Math.hypot(...[0, 1, 2].map((c) => a[c]! / a[3] - b[c]! / b[3]));
}
