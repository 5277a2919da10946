/**
 * Clears the line of contact shadow below a pale product's base. It is darkest where the product stands, so colors take it for product, and
 * the network's edge is a few cells too low there. The base ends with an edge above the line, and the line without one below, in the
 * softer shadow (docs/adr/0043-shades-on-plain-backdrops.md).
 */

import { addressOf, computeBytes } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import {
  type Components,
  fillComponents,
  labelComponents,
  runStride,
  sumOverSome,
} from "../../pixels/connected-components.ts";
import { dilate, emptyMask, erode, listMarks, withoutMarks } from "../../pixels/morphology.ts";
import type { ComparedCells } from "../evidence/measure-backdrop.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";

/** In Lab: a line is at most so light, and the base at least so light and by so much lighter, so many cells above the line. */
const darkMax = 45;
const baseMin = 45;
const stepMin = 15;
const edgeCells = 3;
/** A shadow gets darker up to the product, and lighter down to the ground: what turns by so much in Lab is a part of the base in its shade. */
const turnMin = 5;
/** A ground is pale from this lightness on: before a dark one fluff ends as softly as a shadow. */
const paleGroundMin = 65;
/** In cells: a line is at most so high; a base as dark as that is higher. What is less dark below it is no higher than this. */
const heightMax = 12;
const fringeMax = 2;
/** What is up to so many times as high goes with a line that is low elsewhere: the shade in the corner of a foot. */
const restScale = 2;
/** In columns: a bite that parts a line is at most so wide. */
const biteMax = 16;
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
  const dark = onlyDark(withoutMarks(region, erode(region, grid, restScale * heightMax + 1)), grid);
  const cleared = emptyMask(grid);
  const lines = listLines(labelComponents(dark, grid), dark, region, grid);
  const contact = lines.filter((line) => isContactLine(line, grid, lightness));
  for (const line of onlyWhole(lines, contact, grid)) {
    for (const { top, end } of betweenEnds(line, grid)) {
      for (let cell = top; cell <= end; cell += grid.width) cleared[cell] = 1;
    }
  }
  const cells = listMarks(cleared);
  for (const cell of cells) region[cell] = 0;
  if (cells.length > 0) clearRests(cleared, cells.length * restShareMax, region, grid);
}

function onlyDark(mask: Uint8Array, { lab }: WorkGrid): Uint8Array {
  return computeBytes(mask.length, (to) => kernels.keepDark(addressOf(mask), addressOf(lab), mask.length, darkMax, to));
}

function isContactLine(line: Line, { lab, width }: WorkGrid, lightness: Float32Array): boolean {
  const { columns, all } = line;
  const isBeforePale = ({ end }: Column) => lab[3 * end]! - lightness[end]! >= paleGroundMin;
  const right = columns.filter((column) => column.isRight && isBeforePale(column)).length;
  const cells = columns.reduce((sum, { top, end }) => sum + (end - top) / width + 1, 0);
  return all >= columnsMin && isLow(line) && right >= columnShareMin * all && cells > edgeCells * columns.length;
}

function isLow({ columns, all }: Line): boolean {
  return columns.filter((column) => column.isLow).length >= lowShareMin * all;
}

/**
 * Bites part a line. Where only a shorter part of it is known as contact shadow, clearing that would leave a step.
 *
 * @param contact those of the lines that may be cleared
 * @returns those of them with no longer line beside them that stays
 */
function onlyWhole(lines: readonly Line[], contact: readonly Line[], grid: WorkGrid): readonly Line[] {
  const staying = lines.filter((line) => !contact.includes(line) && isLow(line));
  const isLonger = (line: Line, than: Line) => line.columns.length >= than.columns.length;
  const whole = contact.filter(
    (line) => !staying.some((other) => isLonger(other, line) && areBeside(line, other, grid)),
  );
  return whole.length === contact.length ? whole : onlyWhole(lines, whole, grid);
}

function areBeside(a: Line, b: Line, { width }: WorkGrid): boolean {
  const isNear = (one: Column, other: Column) =>
    Math.abs((one.end % width) - (other.end % width)) <= biteMax &&
    Math.abs(Math.floor(one.end / width) - Math.floor(other.end / width)) <= heightMax;
  return a.columns.some((one) => b.columns.some((other) => isNear(one, other)));
}

/** The columns from the first to the last that is surely shadow: beyond them the base itself may be as dark, as a plinth's corner is. */
function betweenEnds({ columns }: Line, { width }: WorkGrid): readonly Column[] {
  const sure = columns.filter(({ isRight }) => isRight).map(({ end }) => end % width);
  const first = Math.min(...sure);
  const last = Math.max(...sure);
  return columns.filter(({ end }) => end % width >= first && end % width <= last);
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
  let lightest = lab[3 * last]!;
  while (region[end + width] === 1) {
    end += width;
    // Darker again: the line below a foot.
    if (lab[3 * end]! <= lightest - turnMin) return undefined;
    lightest = Math.max(lightest, lab[3 * end]!);
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
  return { top: topOfLine(last, top, grid), end, isLow, isRight: isLow && isBelowBase && endsSoftly(end, grid) };
}

/**
 * @param top the first of the dark cells that are one below the other, and `last` the last of them
 * @returns the first of the line's own: above it a shaded part of the base may be dark, too
 */
function topOfLine(last: number, top: number, { lab, width }: WorkGrid): number {
  let darkest = last;
  for (let cell = last; cell >= top; cell -= width) {
    if (lab[3 * cell]! <= lab[3 * darkest]!) darkest = cell;
    if (lab[3 * cell]! < lab[3 * darkest]! + turnMin) continue;
    // The edge's mixed cells go with the side that they are nearer to.
    const middle = (lab[3 * darkest]! + lab[3 * (cell - 2 * width)]!) / 2;
    while (lab[3 * (darkest - width)]! < middle) darkest -= width;
    return Math.max(darkest, top);
  }
  return top;
}

function endsSoftly(end: number, { lab, width }: WorkGrid): boolean {
  const distance = (a: number, b: number) =>
    Math.hypot(lab[3 * a]! - lab[3 * b]!, lab[3 * a + 1]! - lab[3 * b + 1]!, lab[3 * a + 2]! - lab[3 * b + 2]!);
  const from = end - 2 * width;
  let edge = 0;
  for (let n = 0; n <= fadeCells - 2; n++) edge = Math.max(edge, distance(from + n * width, from + (n + 2) * width));
  return edge <= softMax || edge <= softShareMax * distance(from, from + fadeCells * width);
}
