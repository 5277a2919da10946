/**
 * Opens what the network takes for product although a gap plainly goes on there: the narrow rest of a gap that is open already, as that
 * between a sleeve and a jacket, and a bay that the photo's border closes, as that between two legs. Its color is the gap's or the
 * backdrop's own, it is as even, and another color begins sharply all around (docs/adr/0039-gaps-and-prints.md).
 */

import { type Components, labelComponents, runStride } from "../../pixels/connected-components.ts";
import { countMarks, withoutMarks } from "../../pixels/morphology.ts";
import type { BackdropEvidence } from "../evidence/measure-backdrop.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";

/**
 * In Lab: a cell differs by at most so much from the lightness beside it, which follows the cells by this share, as in a glow, and from
 * the seeds in lightness and in a and b.
 */
const lightnessMax = 5;
const followed = 0.1;
const driftMax = 16;
const tintMax = 6;
/** Smaller gaps, in cells, are edges; larger ones, as a share of the photo, may be a part of the product. */
const cellsMin = 24;
const photoShareMax = 0.01;
/** The network is sure of a product's own parts: on the mean it says at most this of a gap. */
const meanPriorMax = 0.985;
/** Mean change of lightness between neighbors in a row: cloth has folds and grain. */
const stepMax = 0.8;
/** So much of its outline is an edge: within so many cells the color differs by so much, in Lab. Small photos are enlarged, so edges are wide. */
const sharpShareMin = 0.85;
const sharpCells = 7;
const sharpMin = 14;
/** At most this share of the outline of a gap's rest leads to the ground elsewhere; of a bay, which is the border's alone, hardly any. */
const restOpenMax = 0.3;
const bayOpenMax = 0.03;
/** Along the border a bay is at least so many cells long, and at most this share of its side. */
const bayCellsMin = 8;
const bayShareMax = 0.1;

/**
 * @param region 1 where the product is; what is opened is cleared
 * @param before the region before the gaps that the network sees were opened
 */
export function continueGaps(
  region: Uint8Array,
  before: Uint8Array,
  grid: WorkGrid,
  evidence: BackdropEvidence | undefined,
): void {
  const opened = withoutMarks(before, region);
  if (countMarks(opened) > 0) {
    for (const seeds of cellsByLabel(labelComponents(opened, grid))) openFrom(seeds, region, grid, restOpenMax);
  }
  if (evidence === undefined) return;
  for (const bay of listBays(region, grid, evidence)) openFrom(bay, region, grid, bayOpenMax);
}

function cellsByLabel({ runs, sizes }: Components): readonly number[][] {
  const cells = sizes.map((): number[] => []);
  for (let at = 0; at < runs.length; at += runStride) {
    for (let i = runs[at]!; i < runs[at + 1]!; i++) cells[runs[at + 2]!]!.push(i);
  }
  return cells.filter((list) => list.length > 0);
}

/** Runs of the backdrop's color along the photo's border, with product on either side. */
function listBays(region: Uint8Array, { width, height }: WorkGrid, evidence: BackdropEvidence): readonly number[][] {
  return [
    ...baysAlong(region, evidence, 0, 1, width),
    ...baysAlong(region, evidence, (height - 1) * width, 1, width),
    ...baysAlong(region, evidence, 0, width, height),
    ...baysAlong(region, evidence, width - 1, width, height),
  ];
}

function baysAlong(
  region: Uint8Array,
  { distance, threshold }: BackdropEvidence,
  first: number,
  step: number,
  length: number,
): readonly number[][] {
  const bays: number[][] = [];
  let begin = -1;
  for (let n = 0; n < length; n++) {
    const cell = first + n * step;
    if (region[cell] === 1 && distance[cell]! <= threshold) {
      if (begin < 0 && n > 0 && region[cell - step] === 1) begin = n;
      continue;
    }
    const isLong = begin > 0 && n - begin >= bayCellsMin && n - begin <= bayShareMax * length;
    if (isLong && region[cell] === 1) bays.push(cellsBefore(cell, step, n - begin));
    begin = -1;
  }
  return bays;
}

function cellsBefore(cell: number, step: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => cell - (k + 1) * step);
}

/** Clears the cells of the product that go on from the seeds, if they are a gap. */
function openFrom(seeds: readonly number[], region: Uint8Array, grid: WorkGrid, openMax: number): void {
  const gap = spread(seeds, region, grid);
  if (gap === undefined || gap.cells.length < cellsMin) return;
  if (!isEven(gap, grid)) return;
  const { steps, sharp, open } = walkOutline(gap, region, grid);
  if (open > openMax * steps || sharp < sharpShareMin * (steps - open)) return;
  for (const cell of gap.cells) region[cell] = 0;
}

interface Gap {
  /** Those of the product. */
  readonly cells: readonly number[];
  /** The cells and the seeds. */
  readonly all: ReadonlySet<number>;
  /** Mean Lab of the seeds. */
  readonly color: readonly [number, number, number];
}

/** @returns undefined where there are too many */
function spread(seeds: readonly number[], region: Uint8Array, grid: WorkGrid): Gap | undefined {
  const { lab, width, height } = grid;
  const mean = (c: number) => seeds.reduce((sum, cell) => sum + lab[3 * cell + c]!, 0) / seeds.length;
  const color = [mean(0), mean(1), mean(2)] as const;
  const all = new Set(seeds);
  const cells = seeds.filter((cell) => region[cell] === 1);
  const queue = [...seeds];
  const own = (cell: number) => Math.min(color[0] + lightnessMax, Math.max(color[0] - lightnessMax, lab[3 * cell]!));
  const lightness = seeds.map(own);
  const most = photoShareMax * region.length;
  const visit = (cell: number, beside: number) => {
    if (region[cell] === 0 || all.has(cell)) return;
    if (Math.abs(lab[3 * cell]! - beside) > lightnessMax) return;
    if (Math.abs(lab[3 * cell]! - color[0]) > driftMax) return;
    if (Math.hypot(lab[3 * cell + 1]! - color[1], lab[3 * cell + 2]! - color[2]) > tintMax) return;
    all.add(cell);
    cells.push(cell);
    queue.push(cell);
    lightness.push(beside + followed * (lab[3 * cell]! - beside));
  };
  while (queue.length > 0) {
    if (cells.length > most) return undefined;
    const cell = queue.pop()!;
    const beside = lightness.pop()!;
    const x = cell % width;
    if (x > 0) visit(cell - 1, beside);
    if (x < width - 1) visit(cell + 1, beside);
    if (cell >= width) visit(cell - width, beside);
    if (cell < width * (height - 1)) visit(cell + width, beside);
  }
  return { cells, all, color };
}

function isEven({ cells, all }: Gap, { prior, lab }: WorkGrid): boolean {
  let priors = 0;
  let changes = 0;
  let pairs = 0;
  for (const cell of cells) {
    priors += prior[cell]!;
    if (!all.has(cell - 1) || !all.has(cell - 2) || !all.has(cell + 1)) continue;
    pairs++;
    changes += Math.abs(lab[3 * cell]! - lab[3 * (cell - 1)]!);
  }
  return priors <= meanPriorMax * cells.length && changes <= stepMax * pairs;
}

function walkOutline({ cells, all }: Gap, region: Uint8Array, { lab, width, height }: WorkGrid) {
  const outline = { steps: 0, sharp: 0, open: 0 };
  const distance = (one: number, other: number) =>
    Math.hypot(
      lab[3 * one]! - lab[3 * other]!,
      lab[3 * one + 1]! - lab[3 * other + 1]!,
      lab[3 * one + 2]! - lab[3 * other + 2]!,
    );
  const isSharp = (cell: number, step: number, reach: number) => {
    for (let n = 1; n <= reach; n++) if (distance(cell, cell + n * step) >= sharpMin) return true;
    return false;
  };
  /** @param room cells ahead, up to the photo's border */
  const look = (cell: number, step: number, room: number) => {
    if (room === 0 || all.has(cell + step)) return;
    outline.steps++;
    if (region[cell + step] === 0) outline.open++;
    else if (isSharp(cell, step, Math.min(sharpCells, room))) outline.sharp++;
  };
  for (const cell of cells) {
    const x = cell % width;
    const y = (cell - x) / width;
    look(cell, -1, x);
    look(cell, 1, width - 1 - x);
    look(cell, -width, y);
    look(cell, width, height - 1 - y);
  }
  return outline;
}
