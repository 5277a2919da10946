/**
 * Opens the narrow gaps that the network sees and that were filled all the same: a shoe's loop, the slit between a sleeve and a jacket,
 * the eye of a handle. They show the ground as it is beside the product, and end sharply (docs/adr/0039-gaps-and-prints.md).
 */

import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { distanceToMask } from "../../pixels/chessboard-distance.ts";
import {
  type Components,
  fillComponents,
  labelComponents,
  runStride,
  sumPerComponent,
} from "../../pixels/connected-components.ts";
import {
  copyMask,
  countMarks,
  dilate,
  emptyMask,
  erode,
  invertMask,
  listMarks,
  withoutMarks,
} from "../../pixels/morphology.ts";
import { tintBeside } from "../evidence/backdrop.ts";
import { type GroundColors, spreadGround } from "../evidence/ground-colors.ts";
import { maskBelowPrior, priorAbove, type WorkGrid } from "../evidence/work-grid.ts";

/** The network takes each cell of a gap rather for ground, and is sure of so many; on the mean it is at most this. */
const cellPriorMax = 0.5;
const surePriorMax = 0.25;
const sureShareMin = 0.4;
const meanPriorMax = 0.3;
/**
 * At a gap's narrow end the network's answer is blurred, up to this: there a tip, of at most this share of the photo, is as bare and as
 * sharp as this.
 */
const tipPriorMax = 0.9;
const tipDistanceMax = 2;
const tipSharpShareMin = 0.7;
const tipShareMax = 0.0005;
/** Up to this prior a cell of the background is known to be ground, where no product is within so many cells. */
const groundPriorMax = 0.1;
const mixedCells = 2;
/** Lab distance to the ground beside the product up to which a cell may show it, and up to which a gap does on the mean. */
const cellDistanceMax = 5;
const meanDistanceMax = 3;
/** Darkness counts by this share: beside a product the ground lies in its shade. */
const shadeShare = 1 / 3;
/** Lab distance within which three quarters of the ground lie, at most: elsewhere a gap's color tells nothing. */
const noiseMax = 2;
/** A gap is as even as the ground: standard deviation of its lightness, its rim left out. */
const unevenMax = 2.5;
/** The ground in a gap that is open already is no wider than twice so many cells: a tip leads there, and not to what is all around. */
const narrowCells = 12;
/** Smaller gaps, in cells, and thinner ones, by the cells that are left without their rim, are edges. */
const cellsMin = 20;
const coreCellsMin = 4;
const tipCellsMin = 8;
/** So much of its outline is an edge: the distance rises by so much, in Lab, within three cells. */
const sharpShareMin = 0.5;
const sharpRiseMin = 6;
const riseCells = 3;
/** At most this share of its outline leads to the ground: what has more of it is the product's edge. */
const openShareMax = 0.3;
/**
 * So much of its outline is a band beyond which the ground goes on. Deep in a product a gap may be a patch of the ground's color: it
 * must be large, as a share of the photo, and the network surer of it.
 */
const bandShareMin = 0.25;
const bandPixels = 10;
const deepShareMin = 0.0002;
const deepPriorMax = 0.2;

/** @param region 1 where the product is; what is opened is cleared */
export function openSeenGaps(region: Uint8Array, grid: WorkGrid): void {
  inKernelMemory(() => {
    const { seen, ground, unsure } = sortCells(region, grid);
    // Elsewhere tips are not looked for either.
    if (countMarks(erode(seen, grid, 1)) === 0) return;
    const known = erode(ground, grid, mixedCells);
    const distanceAt = measureDistances(grid, spreadGround(grid, known));
    if (noiseOf(known, grid, distanceAt) > noiseMax) return;
    const like = keepLikeGround(unsure, distanceAt);
    const before = copyMask(region);
    const wideGround = onceAsked(() => dilate(erode(invertMask(before), grid, narrowCells), grid, narrowCells + 1));
    const toGround = onceAsked(() => distanceToMask(ground, grid));
    for (const kind of [opening, tip]) {
      const bare = markBare(like, region, grid, kind);
      const gaps = labelComponents(bare, grid);
      const priors = sumPerComponent(gaps, grid.prior);
      const mayOpen = gaps.sizes.map((cells, label) => kind.mayBe(cells, priors[label]!, region.length));
      if (!mayOpen.includes(true)) continue;
      const scene = { region, bare, core: erode(bare, grid, 1), grid, distanceAt, toGround, wideGround };
      const measures = measureGaps(gaps, scene, mayOpen);
      const isOpened = measures.map((measure, label) => {
        if (!mayOpen[label]) return false;
        const gap = { cells: gaps.sizes[label]!, prior: priors[label]!, photo: region.length, ...measure };
        return kind.is(gap, () => measureRim(gaps, label, scene, kind));
      });
      fillComponents(region, gaps, 0, (label) => isOpened[label]!);
    }
  });
}

/** @returns those of the cells whose color may be the ground's */
function keepLikeGround(cells: Int32Array, distanceAt: (cell: number) => number): Int32Array {
  const like = new Int32Array(cells.length);
  let count = 0;
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!;
    if (distanceAt(cell) < cellDistanceMax) like[count++] = cell;
  }
  return like.subarray(0, count);
}

/** 1 in the cells of the product that may be a gap's. */
function markBare(like: Int32Array, region: Uint8Array, grid: WorkGrid, { priorMax }: Kind): Uint8Array {
  const bare = emptyMask(grid);
  for (let at = 0; at < like.length; at++) {
    const cell = like[at]!;
    if (region[cell] === 1 && grid.prior[cell]! < priorMax) bare[cell] = 1;
  }
  return bare;
}

/** Few photos have gaps that may be open, so what only those need is computed when it is first asked for. */
function onceAsked(compute: () => Uint8Array): () => Uint8Array {
  let computed: Uint8Array | undefined;
  return () => {
    computed ??= compute();
    return computed;
  };
}

interface SortedCells {
  /** 1 where the network takes a cell of the product rather for ground. */
  readonly seen: Uint8Array;
  /** 1 where it is sure of the ground. */
  readonly ground: Uint8Array;
  /** Cells of the product of which it is not sure. */
  readonly unsure: Int32Array;
}

function sortCells(region: Uint8Array, grid: WorkGrid): SortedCells {
  return {
    seen: maskBelowPrior(region, grid, cellPriorMax),
    ground: withoutMarks(invertMask(region), priorAbove(grid, groundPriorMax)),
    unsure: listMarks(maskBelowPrior(region, grid, tipPriorMax)),
  };
}

/** How far a cell's color is from the ground's beside the product, in Lab. Few cells are asked for. */
function measureDistances({ lab, width }: WorkGrid, ground: GroundColors): (cell: number) => number {
  const color = new Float32Array(3);
  return (cell) => {
    const y = Math.floor(cell / width);
    ground.at(cell - y * width, y, color);
    const l = lab[3 * cell]! - color[0]!;
    const a = lab[3 * cell + 1]! - color[1]!;
    const b = lab[3 * cell + 2]! - color[2]!;
    const distance = Math.sqrt(l * l + a * a + b * b);
    if (l >= 0) return distance;
    const tint = tintBeside(lab, 3 * cell, color, 0);
    return Math.min(distance, Math.sqrt(tint * tint + (l * shadeShare) ** 2));
  };
}

/** Cells of every so many rows and columns are compared. */
const noiseStride = 12;

function noiseOf(known: Uint8Array, { width, height }: WorkGrid, distanceAt: (cell: number) => number): number {
  const distances: number[] = [];
  for (let y = noiseStride >> 1; y < height; y += noiseStride) {
    for (let x = noiseStride >> 1; x < width; x += noiseStride) {
      if (known[y * width + x] === 1) distances.push(distanceAt(y * width + x));
    }
  }
  return Float64Array.from(distances).sort()[Math.floor(0.75 * distances.length)] ?? Number.POSITIVE_INFINITY;
}

interface Scene {
  readonly region: Uint8Array;
  /** 1 in the gaps. */
  readonly bare: Uint8Array;
  /** The gaps without their rims. */
  readonly core: Uint8Array;
  readonly grid: WorkGrid;
  readonly distanceAt: (cell: number) => number;
  /** In cells. */
  readonly toGround: () => Uint8Array;
  /** 1 in the ground all around the product, its narrow bays left out. */
  readonly wideGround: () => Uint8Array;
}

/** Sums over the cells of a gap, and over the steps out of it. */
interface Measure {
  /** Cells of which the network is sure. */
  sure: number;
  distance: number;
  /** Cells inside, and their lightness. */
  core: number;
  lightness: number;
  lightnessSquared: number;
  steps: number;
  /** Steps to the ground. */
  open: number;
}

const emptyMeasure = (): Measure => ({
  sure: 0,
  distance: 0,
  core: 0,
  lightness: 0,
  lightnessSquared: 0,
  steps: 0,
  open: 0,
});

/** Counts of steps out of a gap: to the ground all around, over an edge, and out of a band. */
interface Rim {
  wide: number;
  sharp: number;
  band: number;
}

interface Gap extends Readonly<Measure> {
  readonly cells: number;
  /** Sum of the network's matte. */
  readonly prior: number;
  /** The photo's cells. */
  readonly photo: number;
}

interface Kind {
  /** The network's matte is less than this in each of its cells. */
  readonly priorMax: number;
  /** Its rim is looked at for what is beyond it: a band to the ground, or the ground all around. The other count stays 0. */
  readonly beyond: "band" | "wide";
  /** Whether a gap may be one, before it is measured. */
  mayBe(cells: number, prior: number, photo: number): boolean;
  /** @param rimOf dearer than all else, so asked last */
  is(gap: Gap, rimOf: () => Rim): boolean;
}

const opening: Kind = {
  priorMax: cellPriorMax,
  beyond: "band",
  mayBe: (cells, prior) => cells >= cellsMin && prior <= meanPriorMax * cells,
  is: (gap, rimOf) => {
    const { cells } = gap;
    if (gap.core < coreCellsMin || gap.sure < sureShareMin * cells) return false;
    if (gap.distance > meanDistanceMax * cells || gap.open > openShareMax * gap.steps) return false;
    const lightness = gap.lightness / gap.core;
    if (gap.lightnessSquared / gap.core - lightness ** 2 > unevenMax ** 2) return false;
    const toProduct = gap.steps - gap.open;
    const { sharp, band } = rimOf();
    if (sharp < sharpShareMin * toProduct) return false;
    if (band >= bandShareMin * toProduct) return true;
    return cells >= deepShareMin * gap.photo && gap.prior <= deepPriorMax * cells;
  },
};

const tip: Kind = {
  priorMax: tipPriorMax,
  beyond: "wide",
  mayBe: (cells, _, photo) => cells >= tipCellsMin && cells <= tipShareMax * photo,
  is: (gap, rimOf) => {
    if (gap.open === 0 || gap.open > openShareMax * gap.steps) return false;
    if (gap.distance > tipDistanceMax * gap.cells) return false;
    const { wide, sharp } = rimOf();
    return wide === 0 && sharp >= tipSharpShareMin * (gap.steps - gap.open);
  },
};

/** @param isMeasured by label; the others' measures stay empty */
function measureGaps(gaps: Components, scene: Scene, isMeasured: readonly boolean[]): readonly Measure[] {
  const { region, core, grid, distanceAt } = scene;
  const { width, lab, prior } = grid;
  const measures = gaps.sizes.map(emptyMeasure);
  for (let at = 0; at < gaps.runs.length; at += runStride) {
    const label = gaps.runs[at + 2]!;
    if (!isMeasured[label]) continue;
    const gap = measures[label]!;
    const y = Math.floor(gaps.runs[at]! / width);
    for (let i = gaps.runs[at]!; i < gaps.runs[at + 1]!; i++) {
      if (prior[i]! < surePriorMax) gap.sure++;
      gap.distance += distanceAt(i);
      if (core[i] === 1) {
        gap.core++;
        gap.lightness += lab[3 * i]!;
        gap.lightnessSquared += lab[3 * i]! ** 2;
      }
      if (isSurrounded(scene, i, y)) continue;
      stepOut(scene, i, y, (step, ahead) => {
        gap.steps++;
        if (ahead > 0 && region[i + step] === 0) gap.open++;
      });
    }
  }
  return measures;
}

function measureRim(gaps: Components, wanted: number, scene: Scene, { beyond }: Kind): Rim {
  const { region, grid, distanceAt } = scene;
  const toGround = beyond === "band" ? scene.toGround() : undefined;
  const wideGround = beyond === "wide" ? scene.wideGround() : undefined;
  const bandWidth = Math.max(bandPixels * grid.networkPixel, Math.sqrt(gaps.sizes[wanted]!) / 2) + 1;
  const rim: Rim = { wide: 0, sharp: 0, band: 0 };
  for (let at = 0; at < gaps.runs.length; at += runStride) {
    if (gaps.runs[at + 2] !== wanted) continue;
    const y = Math.floor(gaps.runs[at]! / grid.width);
    for (let i = gaps.runs[at]!; i < gaps.runs[at + 1]!; i++) {
      if (isSurrounded(scene, i, y)) continue;
      stepOut(scene, i, y, (step, ahead) => {
        if (ahead === 0) return;
        if (region[i + step] === 0) {
          if (wideGround !== undefined) rim.wide += wideGround[i + step]!;
          return;
        }
        if (isSharp(i, step, Math.min(ahead, riseReach(grid)), distanceAt)) rim.sharp++;
        if (toGround !== undefined && toGround[i]! <= bandWidth) rim.band++;
      });
    }
  }
  return rim;
}

/** Whether no step leads out of the gap: so for most of its cells. */
function isSurrounded({ core, grid: { width, height } }: Scene, cell: number, y: number): boolean {
  const x = cell - y * width;
  return core[cell] === 1 && x > 0 && x < width - 1 && y > 0 && y < height - 1;
}

/** @param look sees each step that leads out of the gap, and how many cells lie ahead, up to the photo's border */
function stepOut({ bare, grid }: Scene, from: number, y: number, look: (step: number, ahead: number) => void): void {
  const { width, height } = grid;
  const x = from - y * width;
  if (x === 0 || bare[from - 1] === 0) look(-1, x);
  if (x === width - 1 || bare[from + 1] === 0) look(1, width - 1 - x);
  if (y === 0 || bare[from - width] === 0) look(-width, y);
  if (y === height - 1 || bare[from + width] === 0) look(width, height - 1 - y);
}

const riseReach = ({ networkPixel }: WorkGrid) => Math.max(riseCells, Math.round(2 * networkPixel)) + 1;

/** Whether the distance to the ground rises over an edge within `reach` cells. */
function isSharp(from: number, step: number, reach: number, distanceAt: (cell: number) => number): boolean {
  for (let n = 0; n + riseCells <= reach; n++) {
    if (distanceAt(from + (n + riseCells) * step) - distanceAt(from + n * step) > sharpRiseMin) return true;
  }
  return false;
}
