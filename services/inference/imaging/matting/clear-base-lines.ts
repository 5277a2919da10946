/**
 * Clears the line of contact shadow below a pale product's base. It is darkest where the product stands, so colors take it for product, and
 * the network's edge is a few cells too low there. The base ends with an edge above the line, and the line without one below, in the
 * softer shadow (docs/adr/0043-shades-on-plain-backdrops.md).
 */

import {
  type Components,
  fillComponents,
  labelComponents,
  runStride,
  sumOverSome,
} from "../pixels/connected-components.ts";
import { dilate, emptyMask, erode, listMarks, withoutMarks } from "../pixels/morphology.ts";
import type { ComparedCells } from "./measure-backdrop.ts";
import type { WorkGrid } from "./work-grid.ts";

/** In Lab: a line is at most so light, and the base at least so light and by so much lighter, so many cells above the line. */
const darkMax = 45;
const baseMin = 45;
const stepMin = 15;
const edgeCells = 3;
/** A ground is pale from this lightness on: before a dark one fluff ends as softly as a shadow. */
const paleGroundMin = 65;
/** In cells: a line is at most so high; a base as dark as that is higher. What is less dark below it is no higher than this. */
const heightMax = 12;
const fringeMax = 2;
/** What is up to so many times as high goes with a line that is low elsewhere: the shade in the corner of a foot. */
const restScale = 2;
/** A line ends softly: within two cells by so much in Lab at most, or by this share of the change over six. */
const softMax = 6;
const softShareMax = 0.65;
const fadeCells = 6;
/** A piece of at most so much of the lines, in which the network sees at most so much on the mean, goes with them. */
const restShareMax = 0.25;
const restPriorMax = 0.5;
/** In columns: a shorter line stays, and one that is no higher than a mixed edge. So many of its columns are below a pale base and end softly, and so many are low. */
const columnsMin = 12;
const columnShareMin = 0.5;
const lowShareMin = 0.6;

/**
 * @param region 1 where the product is; lines are cleared
 * @param lightness of each cell minus the backdrop's
 */
export function clearBaseLines(region: Uint8Array, grid: WorkGrid, { lightness }: ComparedCells): void {
  // What is deeper in the product belongs to no line.
  const dark = withoutMarks(region, erode(region, grid, restScale * heightMax + 1));
  for (const cell of listMarks(dark)) if (grid.lab[3 * cell]! > darkMax) dark[cell] = 0;
  const parts = labelComponents(dark, grid);
  const cleared = emptyMask(grid);
  for (const { columns, all } of listLines(parts, dark, region, grid)) {
    const low = columns.filter(({ isLow }) => isLow).length;
    const isBeforePale = ({ end }: Column) => grid.lab[3 * end]! - lightness[end]! >= paleGroundMin;
    const right = columns.filter((column) => column.isRight && isBeforePale(column)).length;
    const cells = columns.reduce((sum, { top, end }) => sum + (end - top) / grid.width + 1, 0);
    if (all < columnsMin || low < lowShareMin * all || right < columnShareMin * all) continue;
    if (cells <= edgeCells * columns.length) continue;
    for (const { top, end } of columns) for (let cell = top; cell <= end; cell += grid.width) cleared[cell] = 1;
  }
  const cells = listMarks(cleared);
  for (const cell of cells) region[cell] = 0;
  if (cells.length > 0) clearRests(cleared, cells.length * restShareMax, region, grid);
}

/** Clears what hung on a line alone, of its soft lower end, unless the network sees product in it. */
function clearRests(cleared: Uint8Array, sizeMax: number, region: Uint8Array, grid: WorkGrid): void {
  const rests = labelComponents(region, grid);
  const isSmall = (label: number) => rests.sizes[label]! <= sizeMax;
  const besideLine = sumOverSome(rests, dilate(cleared, grid, 1), isSmall);
  const priors = sumOverSome(rests, grid.prior, isSmall);
  fillComponents(region, rests, 0, (label) => {
    return isSmall(label) && besideLine[label]! > 0 && priors[label]! < restPriorMax * rests.sizes[label]!;
  });
}

/** A column of a line, in cells: its first one, and its last one above the ground. */
interface Column {
  readonly top: number;
  readonly end: number;
  readonly isLow: boolean;
  /** Whether it is low, below a pale base, and ends softly. */
  readonly isRight: boolean;
}

interface Line {
  /** Those that end at the ground and may be cleared. */
  readonly columns: Column[];
  /** How many columns there are in all. */
  all: number;
}

function listLines({ runs, sizes }: Components, dark: Uint8Array, region: Uint8Array, grid: WorkGrid): readonly Line[] {
  const { width } = grid;
  const lines = sizes.map((): Line => ({ columns: [], all: 0 }));
  for (let at = 0; at < runs.length; at += runStride) {
    const line = lines[runs[at + 2]!]!;
    for (let last = runs[at]!; last < runs[at + 1]!; last++) {
      if (dark[last + width] === 1) continue;
      line.all++;
      const column = columnOf(last, dark, region, grid);
      if (column !== undefined) line.columns.push(column);
    }
  }
  return lines;
}

/** @param last the last of the dark cells that are one below the other */
function columnOf(last: number, dark: Uint8Array, region: Uint8Array, grid: WorkGrid): Column | undefined {
  const { width, height, lab } = grid;
  let end = last;
  while (region[end + width] === 1) {
    end += width;
    if (end > last + restScale * fringeMax * width) return undefined;
  }
  if (end >= width * (height - fadeCells)) return undefined;
  let top = last;
  let darkest = lab[3 * last]!;
  while (dark[top - width] === 1) {
    top -= width;
    darkest = Math.min(darkest, lab[3 * top]!);
    if (top <= last - restScale * heightMax * width) return undefined;
  }
  const base = top - edgeCells * width;
  const isBelowBase = region[base] === 1 && lab[3 * base]! >= Math.max(baseMin, darkest + stepMin);
  const isLow = end <= last + fringeMax * width && top > last - heightMax * width;
  return { top, end, isLow, isRight: isLow && isBelowBase && endsSoftly(end, grid) };
}

function endsSoftly(end: number, { lab, width }: WorkGrid): boolean {
  const distance = (a: number, b: number) =>
    Math.hypot(lab[3 * a]! - lab[3 * b]!, lab[3 * a + 1]! - lab[3 * b + 1]!, lab[3 * a + 2]! - lab[3 * b + 2]!);
  const from = end - 2 * width;
  let edge = 0;
  for (let n = 0; n <= fadeCells - 2; n++) edge = Math.max(edge, distance(from + n * width, from + (n + 2) * width));
  return edge <= softMax || edge <= softShareMax * distance(from, from + fadeCells * width);
}
