/**
 * Mends a product's lower edge where it stands in its own shadow. A dark base's colors go on into that shadow, and noise would decide
 * how far: rests of it would hang below the base, and bites be missing. The network tells one from the other, and its edge is smooth.
 */

import {
  type Components,
  fillComponents,
  labelComponents,
  runStride,
  sumOverSome,
} from "../../pixels/connected-components.ts";
import { labDistance } from "../../pixels/lab.ts";
import { countMarks, dilate, emptyMask, listMarks, onlyMarks, withoutMarks } from "../../pixels/morphology.ts";
import { priorFrom, type WorkGrid } from "../evidence/work-grid.ts";

/** In cells: a smaller piece is not seen. */
const sizeMin = 24;
/** Up to this mean prior, the network takes a piece for ground. */
const meanPriorMax = 0.3;
/** So much of what is above a piece is product, and so much of what is below it ground. */
const belowShareMin = 0.8;
/** So much of a piece's outline is beside the product: a cable or a foot hangs on it by a short side. */
const besideShareMin = 0.4;
/** In cells: the colors of a shadow's end are compared over so many, and those of an edge over so few. */
const fadeCells = 6;
const edgeCells = 2;
/** Up to this share of the change between those colors within an edge's width, a piece ends as softly as a shadow. */
const edgeShareMax = 0.75;

/** In cells: a shade is looked at for feet so far below the base, and so many columns on either side decide together. */
const footDepthMax = 64;
const footReach = 8;
/** From this Lab distance within an edge's width on, a shade's end is a foot's: a shade's changes by 2 to 12. */
const footEdgeMin = 15;
/** Up to this Lab distance to the base above, the column is a foot's: below a pale base a hard shadow ends sharply, too. */
const footDistanceMax = 16;

/** Up to this lightness, and this Lab distance across an edge below, the edge is lost in the shadow. */
const darkMax = 40;
const faintMax = 8;

/** @param region 1 where the product is; its lower edge is mended where it stands in its shadow */
export function mendBase(region: Uint8Array, grid: WorkGrid): void {
  const seen = priorFrom(grid, 0.5);
  // The network's edge is accurate to about one pixel of its output.
  const rim = Math.ceil(grid.networkPixel);
  clearShades(region, seen, rim, grid);
  followNetwork(region, seen, rim, grid);
}

function clearShades(region: Uint8Array, seen: Uint8Array, rim: number, grid: WorkGrid): void {
  const unseen = withoutMarks(region, seen);
  const thick = withoutMarks(unseen, dilate(seen, grid, rim));
  if (countMarks(thick) === 0) return;
  const marks = onlyMarks(unseen, dilate(thick, grid, rim));
  const pieces = labelComponents(marks, grid);
  const isLarge = (label: number) => pieces.sizes[label]! >= sizeMin;
  const priors = sumOverSome(pieces, grid.prior, isLarge);
  const isUnseen = (label: number) => isLarge(label) && priors[label]! <= meanPriorMax * pieces.sizes[label]!;
  const outlines = measureOutlines(pieces, marks, region, grid, isUnseen);
  const isCleared = outlines.map((outline, label) => isUnseen(label) && isShade(outline));
  if (!isCleared.includes(true)) return;
  const shades = emptyMask(grid);
  fillComponents(shades, pieces, 1, (label) => isCleared[label]!);
  // The network does not see every foot.
  const isFoot = (above: number, end: number) => measureEnd(end, grid).edge >= footEdgeMin && isAlike(above, end, grid);
  const feet = listColumns(shades, region, region, footDepthMax, grid, isFoot);
  fillComponents(region, pieces, 0, (label) => isCleared[label]!);
  fillColumns(region, feet, 1, footReach, grid);
}

/** Whether what ends there has the color of what is above it, as a dark foot of a dark base has; mixed cells are left out. */
function isAlike(above: number, end: number, grid: WorkGrid): boolean {
  return labDistance(grid.lab, above - edgeCells * grid.width, end - edgeCells * grid.width) <= footDistanceMax;
}

/** A vertical run of marked cells between the product above and the ground below. */
interface Column {
  /** The last cell of the product above. */
  readonly above: number;
  readonly end: number;
  /** Whether the column is to be filled or cleared. */
  readonly isMended: boolean;
}

/** Takes the network's lower edge where it is near the region's and colors show none. */
function followNetwork(region: Uint8Array, seen: Uint8Array, rim: number, grid: WorkGrid): void {
  const depth = 2 * rim;
  const unseen = listColumns(withoutMarks(region, seen), region, seen, depth, grid, (_above, end) =>
    isFaint(end, grid),
  );
  const missed = listColumns(withoutMarks(seen, region), region, seen, depth, grid, (above) => isFaint(above, grid));
  fillColumns(region, unseen, 0, neighborReach, grid);
  fillColumns(region, missed, 1, neighborReach, grid);
}

function listColumns(
  marks: Uint8Array,
  region: Uint8Array,
  seen: Uint8Array,
  depthMax: number,
  { width, height }: WorkGrid,
  isMended: (above: number, end: number) => boolean,
): readonly Column[] {
  const columns: Column[] = [];
  const isGround = (cell: number) => region[cell] === 0 && seen[cell] === 0;
  const margin = fadeCells * width;
  for (const end of listMarks(marks)) {
    if (end < margin || end >= width * height - margin || !isGround(end + width)) continue;
    let above = end;
    while (above >= 0 && marks[above] === 1 && end - above <= depthMax * width) above -= width;
    if (above < margin || region[above] === 0 || seen[above] === 0) continue;
    columns.push({ above, end, isMended: isMended(above, end) });
  }
  return columns;
}

/** Neighbors within so many cells decide together: a base has no teeth. */
const neighborReach = 4;

/** @param reach in cells: columns so near to each other decide together */
function fillColumns(
  region: Uint8Array,
  columns: readonly Column[],
  value: 0 | 1,
  reach: number,
  { width }: WorkGrid,
): void {
  const byX = Map.groupBy(columns, ({ end }) => end % width);
  const isBeside = (a: Column, b: Column) =>
    Math.abs(Math.floor(a.end / width) - Math.floor(b.end / width)) <= 2 * reach;
  for (const column of columns) {
    let votes = 0;
    for (let x = (column.end % width) - reach; x <= (column.end % width) + reach; x++) {
      for (const other of byX.get(x) ?? []) if (isBeside(column, other)) votes += other.isMended ? 1 : -1;
    }
    if (votes <= 0) continue;
    for (let cell = column.end; cell > column.above; cell -= width) region[cell] = value;
  }
}

/** Whether the edge below a cell is lost in the dark. */
function isFaint(cell: number, grid: WorkGrid): boolean {
  if (grid.lab[3 * cell]! > darkMax) return false;
  const top = cell - (fadeCells / 2 - 1) * grid.width;
  return labDistance(grid.lab, top, top + fadeCells * grid.width) <= faintMax;
}

/** Steps out of a piece, and what the colors change where it ends below. */
interface Outline {
  steps: number;
  besideProduct: number;
  up: number;
  upToProduct: number;
  down: number;
  downToGround: number;
  /** Sums of Lab distances. */
  fade: number;
  edge: number;
}

function isShade(outline: Outline): boolean {
  const { steps, besideProduct, up, upToProduct, down, downToGround, fade, edge } = outline;
  if (besideProduct < besideShareMin * steps) return false;
  if (upToProduct < belowShareMin * up || downToGround < belowShareMin * down) return false;
  return fade > 0 && edge <= edgeShareMax * fade;
}

function measureOutlines(
  { runs, sizes }: Components,
  marks: Uint8Array,
  region: Uint8Array,
  grid: WorkGrid,
  isMeasured: (label: number) => boolean,
): readonly Outline[] {
  const { width, height } = grid;
  const outlines = sizes.map(
    (): Outline => ({ steps: 0, besideProduct: 0, up: 0, upToProduct: 0, down: 0, downToGround: 0, fade: 0, edge: 0 }),
  );
  for (let at = 0; at < runs.length; at += runStride) {
    if (!isMeasured(runs[at + 2]!)) continue;
    const outline = outlines[runs[at + 2]!]!;
    const look = (to: number) => {
      outline.steps++;
      outline.besideProduct += region[to]!;
    };
    const first = runs[at]!;
    const end = runs[at + 1]!;
    const row = Math.floor(first / width);
    if (first > row * width) look(first - 1);
    if (end < (row + 1) * width) look(end);
    for (let i = first; i < end; i++) {
      if (row > 0 && marks[i - width] === 0) {
        look(i - width);
        outline.up++;
        outline.upToProduct += region[i - width]!;
      }
      if (row === height - 1 || marks[i + width] === 1) continue;
      look(i + width);
      outline.down++;
      if (region[i + width] === 1) continue;
      outline.downToGround++;
      if (row < fadeCells || row + fadeCells >= height) continue;
      const end = measureEnd(i, grid);
      outline.fade += end.fade;
      outline.edge += end.edge;
    }
  }
  return outlines;
}

/** How the colors change from above to below the last cell of a piece: in all, and at most within an edge's width. */
function measureEnd(cell: number, grid: WorkGrid): Pick<Outline, "fade" | "edge"> {
  const { width } = grid;
  const top = cell - (fadeCells / 2 - 1) * width;
  let edge = 0;
  for (let n = 0; n <= fadeCells - edgeCells; n++) {
    edge = Math.max(edge, labDistance(grid.lab, top + n * width, top + (n + edgeCells) * width));
  }
  return { fade: labDistance(grid.lab, top, top + fadeCells * width), edge };
}
