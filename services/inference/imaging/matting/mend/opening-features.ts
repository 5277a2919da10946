/**
 * What speaks for and against an enclosed opening in the product: its color and texture beside those of the open ground and of
 * the product near it, what each prediction says, its rim, and its shape.
 */

import { distanceToMask } from "../../pixels/chessboard-distance.ts";
import { type Components, fillComponents, labelComponents, runStride } from "../../pixels/connected-components.ts";
import type { Box } from "../../pixels/geometry.ts";
import { emptyMask, invertMask } from "../../pixels/morphology.ts";
import {
  type ColorSamples,
  isAllAround,
  likeness,
  meanColor,
  roughness,
  sampleColors,
  samplesNear,
} from "../evidence/color-samples.ts";
import type { BackdropEvidence } from "../evidence/measure-backdrop.ts";
import type { Prior, PriorViews } from "../evidence/prior.ts";
import { maskBelowPrior, type WorkGrid } from "../evidence/work-grid.ts";

/** In the order in which `measureOpening` returns them. */
export const openingFeatureNames = [
  "shareOfProduct",
  "networkPixels",
  "prior",
  "leastPrior",
  "coarsePrior",
  "detailPrior",
  "rimPrior",
  "likeGround",
  "groundDistance",
  "likeProduct",
  "productDistance",
  "lighterThanGround",
  "tintBesideGround",
  "roughness",
  "groundRoughness",
  "lightness",
  "chroma",
  "edgeShare",
  "contrast",
  "bandToGround",
  "bands",
  "roundness",
  "elongation",
  "siblings",
  "depth",
  "isPlain",
  "offBackdrop",
  "shade",
  "doubt",
] as const;

export interface OpeningScene {
  readonly grid: WorkGrid;
  readonly evidence: BackdropEvidence | undefined;
  readonly views: PriorViews | undefined;
  /** The gaps of the segmentation, those that are open to the photo's border among them. */
  readonly gaps: Components;
  readonly boxes: ReadonlyMap<number, Box>;
  /** By label, where the runs of an opening that is large enough to be judged stand in `gaps.runs`. */
  readonly runsOf: ReadonlyMap<number, readonly number[]>;
  /** 1 where the product is. */
  readonly region: Uint8Array;
  readonly ground: ColorSamples;
  readonly product: ColorSamples;
  readonly productCells: number;
  /** The distance of each cell to the open ground, in cells, at most 255. */
  readonly toGround: Uint8Array;
  /** Mean variance of the network's answer within the product, 0–1. */
  readonly doubt: number;
}

/** Cells within this distance of an edge mix both sides' colors. */
const mixedCells = 2;
/** With fewer samples of the eroded product, it is thin everywhere. */
const thickSamplesMin = 20;

/** What the openings of a segmentation have in common; undefined where it has no opening. */
export function describeOpenings(
  region: Uint8Array,
  grid: WorkGrid,
  evidence: BackdropEvidence | undefined,
  views: PriorViews | undefined,
): OpeningScene | undefined {
  const gaps = labelComponents(invertMask(region), grid);
  const productCells = region.length - gaps.sizes.reduce((sum, cells) => sum + cells, 0);
  const runsOf = listRuns(gaps, productCells);
  if (runsOf.size === 0) return undefined;
  const outside = emptyMask(grid);
  fillComponents(outside, gaps, 1, (label) => gaps.atBorder[label]!);
  // What the network takes for product is no ground.
  const open = maskBelowPrior(outside, grid, 0.5);
  const toGround = distanceToMask(open, grid);
  const ground = sampleColors(open, grid, mixedCells);
  const thick = sampleColors(region, grid, mixedCells);
  const product = thick.count >= thickSamplesMin ? thick : sampleColors(region, grid);
  return {
    grid,
    evidence,
    views,
    gaps,
    region,
    boxes: boxesOfOpenings(gaps, grid, runsOf),
    runsOf,
    ground,
    product,
    productCells,
    toGround,
    doubt: meanVariance(samplesNear(product, grid, grid.width / 2, grid.height / 2, product.count), grid.prior),
  };
}

/** Smaller openings, in cells and as a share of the product, are not judged: they show too little. */
const openingCellsMin = 12;
const openingShareMin = 0.0005;
/** At most this many openings are judged, the largest first: in a mesh the others look like them. */
const openingsMax = 120;

/** The runs of each opening that is judged. */
function listRuns({ runs, sizes, atBorder }: Components, productCells: number): ReadonlyMap<number, readonly number[]> {
  const cellsMin = Math.max(openingCellsMin, openingShareMin * productCells);
  const judged = sizes
    .flatMap((cells, label) => (label > 0 && !atBorder[label] && cells >= cellsMin ? [label] : []))
    .toSorted((a, b) => sizes[b]! - sizes[a]!)
    .slice(0, openingsMax);
  const runsOf = new Map<number, number[]>(judged.map((label) => [label, []]));
  for (let at = 0; at < runs.length; at += runStride) runsOf.get(runs[at + 2]!)?.push(at);
  return runsOf;
}

/** The boxes in cells, by label. */
function boxesOfOpenings(
  { runs }: Components,
  { width }: WorkGrid,
  runsOf: OpeningScene["runsOf"],
): ReadonlyMap<number, Box> {
  const boxes = new Map<number, Box>();
  for (const [label, places] of runsOf) {
    let left = width;
    let right = 0;
    const rowAt = (place: number) => Math.floor(runs[place]! / width);
    for (const place of places) {
      const row = rowAt(place) * width;
      left = Math.min(left, runs[place]! - row);
      right = Math.max(right, runs[place + 1]! - row);
    }
    const top = rowAt(places[0]!);
    boxes.set(label, { left, top, width: right - left, height: rowAt(places.at(-1)!) + 1 - top });
  }
  return boxes;
}

function meanVariance(cells: Int32Array, prior: Float32Array): number {
  let sum = 0;
  for (const cell of cells) sum += prior[cell]! * (1 - prior[cell]!);
  return sum / Math.max(1, cells.length);
}

/** At most this many cells of an opening are sampled. */
const cellsMax = 96;

/** @returns the features of an enclosed gap, in the order of their names */
export function measureOpening(scene: OpeningScene, label: number): readonly number[] {
  const { grid, gaps, productCells, evidence, doubt } = scene;
  const size = gaps.sizes[label]!;
  const cells = cellsOf(scene, label);
  const rim = walkRim(scene, label);
  const onBackdrop = evidence?.isPlain || evidence?.isAllAround ? evidence : undefined;
  return [
    Math.log(size / Math.max(1, productCells)),
    Math.log(size / grid.networkPixel ** 2),
    ...priorsOf(scene, cells),
    logit(rim.prior),
    ...colorsOf(scene, cells, label),
    rim.edges,
    Math.log1p(rim.contrast),
    rim.toGround,
    rim.bands,
    Math.min(1, (4 * Math.PI * size) / (0.62 * rim.steps ** 2)),
    elongation(scene, label),
    Math.log1p(siblings(gaps, label)),
    Math.log1p((10 * rim.depth) / Math.sqrt(productCells)),
    onBackdrop ? 1 : 0,
    onBackdrop ? Math.min(5, meanOf(onBackdrop.distance, cells) / onBackdrop.threshold) : 0,
    onBackdrop ? -meanOf(onBackdrop.lightness, cells) / 20 : 0,
    Math.log(1e-4 + doubt),
  ];
}

/** Cells of a gap, evenly taken: those well inside, where there are any. */
function cellsOf({ grid, gaps, region, runsOf }: OpeningScene, label: number): Int32Array {
  const inside: number[] = [];
  const all: number[] = [];
  const { runs } = gaps;
  const stride = Math.max(1, Math.floor(gaps.sizes[label]! / (4 * cellsMax)));
  let skipped = 0;
  for (const at of runsOf.get(label)!) {
    let i = runs[at]! + skipped;
    for (; i < runs[at + 1]!; i += stride) {
      all.push(i);
      if (isAllAround(region, grid, i, mixedCells, 0)) inside.push(i);
    }
    skipped = i - runs[at + 1]!;
  }
  const taken = inside.length >= 4 ? inside : all;
  const step = Math.max(1, taken.length / cellsMax);
  return Int32Array.from({ length: Math.min(taken.length, cellsMax) }, (_, n) => taken[Math.floor(n * step)]!);
}

function meanOf(plane: Float32Array, cells: Int32Array): number {
  let sum = 0;
  for (const cell of cells) sum += plane[cell]!;
  return sum / Math.max(1, cells.length);
}

/** Log odds that are never infinite. */
function logit(p: number): number {
  const q = Math.min(0.998, Math.max(0.002, p));
  return Math.log(q / (1 - q));
}

/** The share of an opening's cells that the network is surest of, by which it is judged, too. */
const leastShare = 0.1;

/** The network's answer on the whole, where it is surest of ground, and of either prediction. */
function priorsOf({ grid, views }: OpeningScene, cells: Int32Array): readonly number[] {
  const { prior } = grid;
  const mean = meanOf(prior, cells);
  const sorted = Float32Array.from(cells, (cell) => prior[cell]!).sort();
  const least = sorted[Math.floor(leastShare * sorted.length)] ?? mean;
  const coarse =
    views === undefined ? mean : viewedMean(views.whole, { left: 0, top: 0, ...sizeOf(grid) }, grid, cells);
  const detail = views === undefined ? mean : viewedMean(views.detail, views.box, grid, cells);
  return [logit(mean), logit(least), logit(coarse), logit(detail)];
}

const sizeOf = ({ width, height }: WorkGrid) => ({ width, height });

/** The mean of one prediction over cells, those outside of its box left out. @param box of the prediction, in cells */
function viewedMean(view: Prior, box: Box, { width }: WorkGrid, cells: Int32Array): number {
  let sum = 0;
  let count = 0;
  for (const cell of cells) {
    const row = Math.floor(cell / width);
    const x = Math.floor(((cell - row * width + 0.5 - box.left) / box.width) * view.width);
    const y = Math.floor(((row + 0.5 - box.top) / box.height) * view.height);
    if (x < 0 || y < 0 || x >= view.width || y >= view.height) continue;
    sum += view.alpha[y * view.width + x]!;
    count++;
  }
  return count === 0 ? 0 : sum / (255 * count);
}

/** How far an opening looks like the ground and like the product near it. */
function colorsOf({ grid, ground, product, boxes }: OpeningScene, cells: Int32Array, label: number): readonly number[] {
  const { lab } = grid;
  const { left, top, width, height } = boxes.get(label)!;
  const x = left + width / 2;
  const y = top + height / 2;
  const groundCells = samplesNear(ground, grid, x, y);
  const productNear = samplesNear(product, grid, x, y);
  const asGround = likeness(cells, groundCells, lab);
  const asProduct = likeness(cells, productNear, lab);
  const [l, a, b] = meanColor(cells, lab);
  const [groundL, groundA, groundB] = meanColor(groundCells, lab);
  return [
    asGround.share,
    Math.log1p(asGround.distance),
    asProduct.share,
    Math.log1p(asProduct.distance),
    (l - groundL) / 20,
    Math.log1p(Math.hypot(a - groundA, b - groundB)),
    Math.log1p(roughness(cells, lab)),
    Math.log1p(roughness(groundCells, lab)),
    l / 50,
    Math.log1p(Math.hypot(a, b)),
  ];
}

/** Lab distance across a rim from which on it is an edge. */
const edgeDistanceMin = 6;
/** Cells from the rim at which the network's answer for the product is read. */
const rimReach = 4;
/** A band beside an opening is at most half as wide as the opening, or so many pixels of the network's output. */
const bandShareOfGap = 0.5;
const bandPixels = 10;

interface Rim {
  /** Steps from the opening to the product, in cells. */
  readonly steps: number;
  /** Share of them across which colors differ, and the mean Lab distance across. */
  readonly edges: number;
  readonly contrast: number;
  /** The network's mean answer in the product beside it. */
  readonly prior: number;
  /** Share of them from which the open ground is no farther than a band is wide. */
  readonly toGround: number;
  /** Share of them that lead across a band of product to another gap or to the ground. */
  readonly bands: number;
  /** Mean distance to the open ground, in cells. */
  readonly depth: number;
}

function walkRim({ grid, gaps, runsOf, region, toGround }: OpeningScene, label: number): Rim {
  const { width, height, lab, prior, networkPixel } = grid;
  const { runs, sizes } = gaps;
  const bandMax = Math.max(bandPixels * networkPixel, bandShareOfGap * Math.sqrt(sizes[label]!)) + 1;
  const sums = { steps: 0, edges: 0, contrast: 0, prior: 0, toGround: 0, bands: 0, depth: 0 };
  // So many cells lie ahead, up to the border.
  const visit = (i: number, step: number, ahead: number) => {
    const outer = farthest(region, i + step, step, Math.min(mixedCells, ahead - 1), 1);
    const far = farthest(region, i + step, step, Math.min(rimReach, ahead - 1), 1);
    // An opening ends before the border.
    const inner = farthest(region, i, -step, mixedCells, 0);
    const contrast = Math.hypot(
      lab[inner * 3]! - lab[outer * 3]!,
      lab[inner * 3 + 1]! - lab[outer * 3 + 1]!,
      lab[inner * 3 + 2]! - lab[outer * 3 + 2]!,
    );
    sums.steps++;
    sums.contrast += contrast;
    if (contrast > edgeDistanceMin) sums.edges++;
    sums.prior += prior[far]!;
    if (toGround[i]! <= bandMax) sums.toGround++;
    if (isBand(region, i + step, step, Math.min(bandMax, ahead))) sums.bands++;
    sums.depth += toGround[i]!;
  };
  for (const at of runsOf.get(label)!) {
    const first = runs[at]!;
    const end = runs[at + 1]!;
    const row = Math.floor(first / width);
    visit(first, -1, first - row * width);
    visit(end - 1, 1, (row + 1) * width - end);
    for (let i = first; i < end; i++) {
      if (region[i - width] === 1) visit(i, -width, row);
      if (region[i + width] === 1) visit(i, width, height - 1 - row);
    }
  }
  const steps = Math.max(1, sums.steps);
  return {
    steps,
    edges: sums.edges / steps,
    contrast: sums.contrast / steps,
    prior: sums.prior / steps,
    toGround: sums.toGround / steps,
    bands: sums.bands / steps,
    depth: sums.depth / steps,
  };
}

/** The cell farthest along a direction, up to so many steps away, until which the mask has the value; no step may leave the mask. */
function farthest(mask: Uint8Array, from: number, step: number, steps: number, value: 0 | 1): number {
  let cell = from;
  for (let n = 0; n < steps; n++) {
    if (mask[cell + step] !== value) break;
    cell += step;
  }
  return cell;
}

/** Whether the product ends within so many cells along a direction; at the photo's border it goes on. */
function isBand(region: Uint8Array, from: number, step: number, cellsMost: number): boolean {
  for (let n = 1, cell = from + step; n < cellsMost; n++, cell += step) if (region[cell] === 0) return true;
  return false;
}

/** Log of the ratio of an opening's axes, by its second moments. */
function elongation({ grid, gaps, runsOf, boxes }: OpeningScene, label: number): number {
  const { runs } = gaps;
  const { left, top, width, height } = boxes.get(label)!;
  const size = gaps.sizes[label]!;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  let mx = 0;
  let my = 0;
  for (const at of runsOf.get(label)!) {
    const row = Math.floor(runs[at]! / grid.width);
    const y = row - top - height / 2;
    for (let i = runs[at]!; i < runs[at + 1]!; i++) {
      const x = i - row * grid.width - left - width / 2;
      mx += x;
      my += y;
      xx += x * x;
      yy += y * y;
      xy += x * y;
    }
  }
  const a = xx / size - (mx / size) ** 2 + 0.1;
  const c = yy / size - (my / size) ** 2 + 0.1;
  const b = xy / size - (mx * my) / size ** 2;
  const spread = Math.hypot((a - c) / 2, b);
  return 0.5 * Math.log(((a + c) / 2 + spread) / Math.max(0.05, (a + c) / 2 - spread));
}

/** Gaps whose sizes differ by less than this factor are alike: those of a lattice, or between spokes. */
const alikeFactor = 2.5;

function siblings({ sizes, atBorder }: Components, label: number): number {
  const size = sizes[label]!;
  const isAlike = (cells: number, other: number) =>
    other > 0 && other !== label && !atBorder[other] && cells < alikeFactor * size && cells > size / alikeFactor;
  return sizes.filter(isAlike).length;
}
