/**
 * What belongs to the product where the photo stands on a plain backdrop: all that differs from the backdrop, without
 * the shadow on it; the network tells which of the rest is product that merely looks like backdrop.
 */

import { type Backdrop, backdropAlongRow } from "./backdrop.ts";
import {
  fillComponents,
  runStride,
  type Components,
  labelComponents,
  sumPerComponent,
} from "../pixels/connected-components.ts";
import { thresholdPlane, type WorkGrid } from "./work-grid.ts";
import { dilate, erode, invertMask } from "../pixels/morphology.ts";

/** A backdrop is plain when three quarters of what the network calls background lie within this Lab distance. */
const plainDistanceMax = 1.5;
/** Lab distances below are noise, JPEG's included, on any photo. */
const distanceMin = 2;

export interface BackdropEvidence {
  /** Lab distance of each cell to the backdrop. */
  readonly distance: Float32Array;
  /** Lightness above the backdrop's; negative: darker. */
  readonly lighter: Float32Array;
  /** Above this a cell differs from the backdrop. */
  readonly threshold: number;
  /** Lab distance within which three quarters of the bare backdrop lie. */
  readonly noise: number;
  readonly plain: boolean;
}

export function measureBackdrop(grid: WorkGrid, backdrop: Backdrop): BackdropEvidence {
  const count = grid.width * grid.height;
  const fit = new Float32Array(3 * grid.width);
  const distance = new Float32Array(count);
  const lighter = new Float32Array(count);
  const all = new Uint32Array(bins);
  const unshadowed = new Uint32Array(bins);
  for (let y = 0; y < grid.height; y++) {
    backdropAlongRow(backdrop, (y + 0.5) / grid.height, fit);
    compareRow(grid.lab, fit, y * grid.width, distance, lighter);
    countRow(grid.prior, y * grid.width, grid.width, distance, lighter, all, unshadowed);
  }
  const backgrounds = total(all);
  const spread = quantile(all, 0.75) / binsPerLab;
  const plain = backgrounds > count * 0.05 && spread <= plainDistanceMax && backdrop.residual <= plainDistanceMax;
  // A shadow makes the backdrop darker, never lighter: the lighter half shows its noise alone.
  const isEnough = total(unshadowed) > 0.1 * backgrounds;
  const noise = isEnough ? Math.min(spread, quantile(unshadowed, 0.75) / binsPerLab) : spread;
  return { distance, lighter, plain, noise, threshold: Math.max(distanceMin, 4 * noise) };
}

/** Of the histograms of Lab distances. */
const bins = 1024;
const binsPerLab = 10;

function compareRow(
  lab: Float32Array,
  fit: Float32Array,
  row: number,
  distance: Float32Array,
  lighter: Float32Array,
): void {
  for (let at = 0, from = row * 3, i = row; at < fit.length; at += 3, from += 3, i++) {
    const dl = lab[from]! - fit[at]!;
    const da = lab[from + 1]! - fit[at + 1]!;
    const db = lab[from + 2]! - fit[at + 2]!;
    lighter[i] = dl;
    distance[i] = Math.sqrt(dl * dl + da * da + db * db);
  }
}

/** Counts what the network calls background, and of that what is no darker than the backdrop. */
function countRow(
  prior: Float32Array,
  row: number,
  width: number,
  distance: Float32Array,
  lighter: Float32Array,
  all: Uint32Array,
  unshadowed: Uint32Array,
): void {
  for (let i = row; i < row + width; i++) {
    if (prior[i]! > 0.03) continue;
    const bin = Math.min(bins - 1, (distance[i]! * binsPerLab) | 0);
    all[bin]!++;
    if (lighter[i]! >= 0) unshadowed[bin]!++;
  }
}

const total = (histogram: Uint32Array) => histogram.reduce((sum, count) => sum + count, 0);

function quantile(histogram: Uint32Array, share: number): number {
  const wanted = total(histogram) * share;
  let seen = 0;
  for (let bin = 0; bin < histogram.length; bin++) {
    seen += histogram[bin]!;
    if (seen >= wanted) return bin;
  }
  return histogram.length - 1;
}

/** 1 where the product is, on the grid. */
export function segmentPlainBackdrop(grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  const differs = cellsOffBackdrop(grid, evidence);
  const supported = keepSupportedComponents(removeSmallSpills(differs, grid, evidence), grid);
  return addBackdropColoredParts(supported, grid, evidence);
}

/** Cells that differ from the backdrop and are no shadow on it. */
function cellsOffBackdrop(grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  const { distance, threshold } = evidence;
  const mask = thresholdPlane(distance, threshold);
  const shadow = findShadow(grid, evidence);
  for (const cell of shadow) mask[cell] = 0;
  return mask;
}

/**
 * A shadow is the backdrop's own color, darker, and one walks into it from the bare backdrop without crossing an
 * edge. Around gray and black product parts there is an edge, so they stay whole even where the network misses them.
 *
 * @returns its cells
 */
function findShadow(grid: WorkGrid, evidence: BackdropEvidence): Int32Array {
  const count = grid.width * grid.height;
  const walk: FloodFill = {
    ...evidence,
    prior: grid.prior,
    entered: new Uint8Array(count),
    cells: new Int32Array(count),
    tail: 0,
  };
  for (let y = 0; y < grid.height; y++) seedFromRow(walk, y * grid.width, grid.width);
  for (let head = 0; head < walk.tail; head++) {
    const at = walk.cells[head]!;
    const x = at % grid.width;
    if (x > 0) visit(walk, at, at - 1);
    if (x < grid.width - 1) visit(walk, at, at + 1);
    if (at >= grid.width) visit(walk, at, at - grid.width);
    if (at < count - grid.width) visit(walk, at, at + grid.width);
  }
  return walk.cells.subarray(0, walk.tail);
}

interface FloodFill extends BackdropEvidence {
  readonly prior: Float32Array;
  /** 1 where the walk has been. */
  readonly entered: Uint8Array;
  /** Where it has been, in that order; `tail` of them. */
  readonly cells: Int32Array;
  tail: number;
}

/** From the bare cells of a row to their neighbors that are not. */
function seedFromRow(walk: FloodFill, row: number, width: number): void {
  const { distance, threshold } = walk;
  for (let i = row; i < row + width; i++) {
    if (distance[i]! <= threshold) continue;
    if (i > row && distance[i - 1]! <= threshold) visit(walk, i - 1, i);
    if (i < row + width - 1 && distance[i + 1]! <= threshold) visit(walk, i + 1, i);
    if (i >= width && distance[i - width]! <= threshold) visit(walk, i - width, i);
    if (i < distance.length - width && distance[i + width]! <= threshold) visit(walk, i + width, i);
  }
}

function visit(walk: FloodFill, from: number, to: number): void {
  const { distance, lighter, threshold } = walk;
  if (walk.entered[to] === 1 || distance[to]! <= threshold) return;
  const darkness = -lighter[to]!;
  if (darkness <= 0 || darkness > darknessMax || walk.prior[to]! >= 0.5) return;
  const tintSquared = distance[to]! ** 2 - darkness ** 2;
  if (tintSquared > Math.max(threshold, 0.25 * darkness) ** 2) return;
  // A penumbra darkens gradually, ever faster toward the contact.
  if (Math.abs(lighter[to]! - lighter[from]!) > Math.max(slopeMax, 0.1 * darkness)) return;
  walk.entered[to] = 1;
  walk.cells[walk.tail++] = to;
}

/** Lightness that a shadow takes at most, and between two neighboring cells. */
const darknessMax = 60;
const slopeMax = 2.5;

/** What differs by less than so many times the noise may be color that the JPEG or the product itself has spilled. */
const spillPerNoise = 16;
/** Share of the picture up to which a spill is a crumb; what is larger may be a pale part of the product. */
const spillShareMax = 0.0002;

const spillPriorMax = 0.1;

/** Drops small spills at the product's rim: they differ little, the network sees nothing, and no strong cell is near. */
function removeSmallSpills(mask: Uint8Array, grid: WorkGrid, { distance, noise }: BackdropEvidence): Uint8Array {
  const weak = spillPerNoise * noise;
  const strong = new Uint8Array(mask.length);
  for (let i = 0; i < mask.length; i++) if (distance[i]! > weak || grid.prior[i]! >= 0.5) strong[i] = mask[i]!;
  const apart = dilate(strong, grid, 1);
  for (let i = 0; i < mask.length; i++) apart[i] = mask[i]! & ~apart[i]!;
  const spills = labelComponents(apart, grid);
  const most = spillShareMax * mask.length;
  const priors = sumPerComponent(spills, grid.prior);
  const isCrumb = spills.sizes.map((size, label) => size <= most && priors[label]! < spillPriorMax * size);
  const out = mask.slice();
  fillComponents(out, spills, 0, (label) => isCrumb[label]!);
  return out;
}

/** Keeps the regions that the network supports somewhere; dust, text and shadow rims go. */
function keepSupportedComponents(mask: Uint8Array, grid: WorkGrid): Uint8Array {
  const parts = labelComponents(mask, grid);
  const support = sumPerComponent(parts, grid.prior);
  const least = Math.max(4, grid.width * grid.height * 0.00002);
  const isKept = parts.sizes.map((size, label) => size >= least && support[label]! / size > 0.15);
  const out = new Uint8Array(mask.length);
  fillComponents(out, parts, 1, (label) => isKept[label]!);
  return out;
}

/** Adds what looks like backdrop but is product: enclosed or thick parts that the network is sure of, holes excepted. */
function addBackdropColoredParts(mask: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  const lookalike = new Uint8Array(mask.length);
  const either = mask.slice();
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] === 1 || grid.prior[i]! <= 0.5) continue;
    lookalike[i] = 1;
    either[i] = 1;
  }
  // The network's edge is off by a pixel of its own or two: a rim of that width says nothing.
  const rim = Math.ceil(2 * grid.networkPixel);
  const core = erode(either, grid, rim);
  for (let i = 0; i < core.length; i++) core[i]! &= lookalike[i]!;
  const thick = dilate(core, grid, rim);
  const empty = invertMask(mask);
  const gaps = labelComponents(empty, grid);
  const holes = findHoles(gaps, empty, grid, evidence);
  const out = mask.slice();
  fillComponents(out, gaps, 1, (label) => !gaps.atBorder[label] && !holes[label]);
  for (let at = 0; at < gaps.runs.length; at += runStride) {
    if (gaps.atBorder[gaps.runs[at + 2]!]) {
      addOpenRun(out, thick, lookalike, gaps.runs[at]!, gaps.runs[at + 1]!, grid.prior, evidence);
    }
  }
  return out;
}

/** Open to the outside and the backdrop's very color: only a network that is sure outweighs that. */
function addOpenRun(
  out: Uint8Array,
  thick: Uint8Array,
  lookalike: Uint8Array,
  from: number,
  end: number,
  prior: Float32Array,
  { distance, threshold }: BackdropEvidence,
): void {
  for (let i = from; i < end; i++) {
    if (thick[i]! & lookalike[i]! && (prior[i]! > 0.9 || distance[i]! > threshold / 4)) out[i] = 1;
  }
}

/** Whether each enclosed empty region is backdrop seen through the product. */
function findHoles(
  { runs, sizes, atBorder }: Components,
  empty: Uint8Array,
  grid: WorkGrid,
  evidence: BackdropEvidence,
) {
  const { distance, threshold } = evidence;
  const count = sizes.length;
  const distances = new Float64Array(count);
  const priors = new Float64Array(count);
  const cores = new Float64Array(count);
  const rims = new Float64Array(count);
  const sharp = new Float64Array(count);
  const core = erode(empty, grid, 1);
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    if (atBorder[label]) continue;
    for (let i = runs[at]!; i < runs[at + 1]!; i++) {
      if (core[i] === 0) {
        rims[label]!++;
        if (largestDistanceNearby(i, distance, grid.width) > 4 * threshold) sharp[label]!++;
        continue;
      }
      cores[label]!++;
      distances[label]! += distance[i]!;
      priors[label]! += grid.prior[i]!;
    }
  }
  const least = grid.width * grid.height * 0.00005;
  return sizes.map((size, label) => {
    if (label === 0 || atBorder[label] || size < least || cores[label] === 0) return false;
    const meanDistance = distances[label]! / cores[label]!;
    const meanPrior = priors[label]! / cores[label]!;
    // Bare backdrop that the network, too, calls background; or a sharp rim around what one of the two says is empty.
    const bare = meanDistance < threshold / 2;
    if (bare && meanPrior < 0.3) return true;
    return (bare || meanPrior < 0.3) && sharp[label]! > 0.6 * rims[label]!;
  });
}

/** The largest distance a few cells away: product sets in sharply around a hole, not around a highlight. */
function largestDistanceNearby(i: number, distance: Float32Array, width: number): number {
  const reach = 3;
  let most = 0;
  for (const step of [-reach, reach, -reach * width, reach * width]) {
    const to = i + step;
    if (to >= 0 && to < distance.length && distance[to]! > most) most = distance[to]!;
  }
  return most;
}
