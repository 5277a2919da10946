/**
 * Opens the gaps between the teeth of a comb, which the network takes for product, and the bare backdrop between combs that lie close
 * together. Such a gap is open to the ground, and what it lies in is another color all along. A pale part of the product in the
 * backdrop's color goes over into the rest of it softly, and glass, through which the ground shows, has one or two such parts, not
 * many (docs/adr/0043-shades-on-plain-backdrops.md).
 */

import {
  type Components,
  fillComponents,
  type LookAside,
  labelComponents,
  lookAside,
  runStride,
  sumPerComponent,
} from "../../pixels/connected-components.ts";
import {
  countMarks,
  dilate,
  emptyMask,
  invertMask,
  listMarks,
  onlyMarks,
  withoutMarks,
} from "../../pixels/morphology.ts";
import { type BackdropEvidence, isShaded } from "../evidence/measure-backdrop.ts";
import { marksAbove, type WorkGrid } from "../evidence/work-grid.ts";

/** In cells: a gap is deeper; the edge's own cells are bare as far as alpha is soft. */
const depthMin = 3;
/** In cells: a smaller bay is not seen. A larger share of the product is no bay. */
const sizeMin = 24;
const productShareMax = 0.04;
/** At least so many steps lead to the open ground. */
const openStepsMin = 4;
/** At least this share of the outline to the product is an edge: within so many cells it differs by so much in Lab. */
const edgeShareMin = 0.6;
const edgeCells = 8;
const edgeMin = 15;
/** So far from a bay, in cells, the product differs by at least so much in Lab on the mean. */
const besideCells = 6;
const besideMin = 25;
/** A comb has at least so many, at most so many cells from one to the next. */
const countMin = 4;
const toothMax = 32;
/** Lighter grounds are clipped: a white part of the product may be as white. */
const groundLightnessMax = 98;
/** The product shades the bottom of a bay: over so many cells, by at most so much in Lab. */
const shadeCells = 24;
const shadeMax = 35;

/** @param region 1 where the product is; bays are cleared */
export function openCombs(region: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): void {
  const { distance, threshold } = evidence;
  const bare = withoutMarks(region, marksAbove(distance, threshold));
  const deep = withoutMarks(bare, dilate(invertMask(region), grid, depthMin));
  if (countMarks(deep) === 0) return;
  const parts = labelComponents(bare, grid);
  const deepCells = sumPerComponent(parts, deep);
  const sizeMax = productShareMax * countMarks(region);
  const mayBe = parts.sizes.map((size, label) => deepCells[label]! > 0 && size >= sizeMin && size <= sizeMax);
  const isBay = measureOutlines(parts, bare, region, grid, distance, mayBe).map((outline, label) => {
    const { open, product, edges, beside } = outline;
    return mayBe[label]! && open >= openStepsMin && edges >= edgeShareMin * product && beside >= besideMin * product;
  });
  if (isBay.filter(Boolean).length < countMin) return;
  const bays = emptyMask(grid);
  fillComponents(bays, parts, 1, (label) => isBay[label]!);
  if (!areSideBySide(bays, parts, isBay, grid)) return;
  const isClipped = (cell: number) => grid.lab[3 * cell]! > groundLightnessMax;
  const cells = listMarks(bays);
  if (cells.filter(isClipped).length > cells.length / 2) return;
  for (const cell of cells) region[cell] = 0;
  clearShade(bays, region, grid, evidence);
}

/** Whether enough of the bays are near to each other: then there is a comb, and the others are between combs. */
function areSideBySide(bays: Uint8Array, { runs }: Components, isBay: readonly boolean[], grid: WorkGrid): boolean {
  const combs = labelComponents(dilate(bays, grid, toothMax / 2), grid);
  const firsts = new Map<number, number>();
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    if (isBay[label] && !firsts.has(label)) firsts.set(label, runs[at]!);
  }
  const counts = combs.sizes.map(() => 0);
  for (const first of firsts.values()) counts[labelAt(combs, first)]!++;
  return counts.some((count) => count >= countMin);
}

function labelAt({ runs }: Components, cell: number): number {
  for (let at = 0; at < runs.length; at += runStride) {
    if (cell >= runs[at]! && cell < runs[at + 1]!) return runs[at + 2]!;
  }
  return 0;
}

/** Clears what is darker only by the product's shade, and goes on from a bay. */
function clearShade(bays: Uint8Array, region: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): void {
  const { width } = grid;
  const near = listMarks(onlyMarks(region, dilate(bays, grid, shadeCells)));
  const shade = emptyMask(grid);
  for (const cell of near) if (evidence.lightness[cell]! >= -shadeMax && isShaded(cell, evidence)) shade[cell] = 1;
  const reached = [...listMarks(bays)];
  for (let at = 0; at < reached.length; at++) {
    const from = reached[at]!;
    for (const cell of [from - width, from - 1, from + 1, from + width]) {
      if (shade[cell] !== 1 || Math.abs((cell % width) - (from % width)) > 1) continue;
      shade[cell] = 0;
      region[cell] = 0;
      reached.push(cell);
    }
  }
}

/** Steps out of a bay. */
interface Outline {
  /** To the open ground. */
  open: number;
  /** To the product, those of them that lead over an edge, and the sum of the distances to the backdrop beyond. */
  product: number;
  edges: number;
  beside: number;
}

function measureOutlines(
  components: Components,
  bare: Uint8Array,
  region: Uint8Array,
  { width, height }: WorkGrid,
  distance: Float32Array,
  isMeasured: readonly boolean[],
): readonly Outline[] {
  const outlines = components.sizes.map((): Outline => ({ open: 0, product: 0, edges: 0, beside: 0 }));
  const look: LookAside = (label, from, step, room) => {
    if (room < 1 || bare[from + step] === 1) return;
    const outline = outlines[label]!;
    if (region[from + step] === 0) {
      outline.open++;
      return;
    }
    outline.product++;
    outline.beside += distance[from + Math.min(room, besideCells) * step]!;
    for (let n = 1; n <= Math.min(room, edgeCells); n++) {
      if (distance[from + n * step]! < edgeMin) continue;
      outline.edges++;
      return;
    }
  };
  lookAside(components, { width, height }, isMeasured, look);
  return outlines;
}
