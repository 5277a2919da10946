/**
 * Trims what is left of a product's shadow below its base, column by column. A shadow has the ground's color, gets lighter from the base
 * down, and changes softly; so from its end up to the first edge there is no product, whatever the network sees, and where no edge
 * tells where the base ends, none down from where it is darkest (docs/adr/0043-shades-on-plain-backdrops.md).
 */

import { fillComponents, labelComponents, lookAside, sumOverSome } from "../../pixels/connected-components.ts";
import { emptyMask, listMarks, markEdge } from "../../pixels/morphology.ts";
import type { BackdropEvidence } from "../evidence/measure-backdrop.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";

/** In cells: a shade is followed up so far at most; a lower one is not seen. */
const depthMax = 64;
const depthMin = 3;
/** In cells: so much ground is below a shade, and so much product above it. */
const groundMin = 4;
const bodyMin = 6;
/** In Lab: lightness within two cells changes by more at an edge only: more in the dark, near the contact. */
const softMax = 5;
const softShare = 0.06;
/** And by more than this share of what it changes over so many cells to either side. */
const sharpShareMin = 0.6;
const fadeReach = 3;
/** In Lab: by more than the first a shade gets no darker downward but by noise, and a base is lighter by the second than the shade below it. */
const noiseMax = 1.5;
const stepMin = 7;
/** In cells: an edge is at most so wide. */
const edgeCells = 4;
/** A shade below a lighter base gets lighter by so much down to the ground, in Lab: else it may be a plinth. */
const riseMin = 6;
/** In Lab: a fade begins up to the first over its darkest row, and where the product is thought to end it is lighter than that by the second. */
const darkestMax = 4;
const fadeMin = 12;
/** Within twice `fadeReach`, to any side, a fade changes by this share of its darkness at most: a foot ends within fewer cells. */
const fadeShareMax = 0.5;
/** A shade's hue differs from the ground's by this share of its darkness at most. */
const tintShareMax = 0.3;
/** Up to this mean prior the network sees no product there, and up to the other one it is not sure. */
const unseenPriorMax = 0.3;
const unsurePriorMax = 0.92;
/** Up to this one it may be wrong about a fade: it sees products nearly at 1, and smooth gray ground between feet at .8. */
const fadePriorMax = 0.9;
/** In columns: a shorter run of shade is noise, and one with a step at both ends, as a gap between feet, is at least so long. */
const runMin = 12;
const pitMin = 64;
/** In cells: a larger piece is no crumb, nor is one that the network sees, or that is darker than the shade around it. */
const crumbMax = 600;
const crumbPriorMax = 0.15;
const crumbAroundMin = 0.5;
/** In columns: where no edge tells the end of the base, so near ones do. */
const gapMax = 5;
/** In cells: neighboring columns end at most so far from each other; from the second distance on, there is a corner, which stays. */
const linkMax = 24;
const cornerMin = 5;
/** A share of the ground's lightness: from this median on, the lowest rows of a body are pale. */
const paleShareMin = 0.5;
/** In columns: what sticks out of a run of shades for fewer is noise. */
const medianReach = 8;
/** So many times, what ends without an edge gets the mean of itself and both neighbors: that smooths over some eight columns. */
const smoothings = 120;
/** In cells: a tooth is at most so high. What is higher is a foot, and stays with so many columns beside it. */
const shiftMax = 4;
const cornerReach = 6;

/** @param region 1 where the product is; shades below it are cleared, and its lower edge is smoothed where it has none in the photo */
export function trimUnderside(region: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): void {
  const { width } = grid;
  const cleared = emptyMask(grid);
  const columns: Column[] = [];
  for (const bottom of listMarks(markEdge(region, grid))) {
    const column = columnOf(bottom, region, grid, evidence);
    if (column !== undefined) columns.push(column);
  }
  for (const chain of linkColumns(columns)) {
    if (chain.length < runMin || isPale(chain, grid, evidence)) continue;
    const ends = smoothEnds(chain, endsWithoutShade(chain));
    for (const [k, end] of ends.entries()) {
      const { x, bottom } = chain[k]!;
      for (let y = end + 1; y <= bottom; y++) {
        region[y * width + x] = 0;
        cleared[y * width + x] = 1;
      }
      for (let y = bottom + 1; y <= end; y++) region[y * width + x] = 1;
    }
  }
  removeCrumbs(region, cleared, grid, evidence);
}

/** Clears crumbs in the shade: what was cut off from the product, or what the network does not see, and what is as dark as the shade around it. */
function removeCrumbs(region: Uint8Array, cleared: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): void {
  const parts = labelComponents(region, grid);
  const isSmall = parts.sizes.map((size) => size > 0 && size <= crumbMax);
  if (!isSmall.includes(true)) return;
  const darkness = sumOverSome(parts, evidence.lightness, (label) => isSmall[label]!);
  const priors = sumOverSome(parts, grid.prior, (label) => isSmall[label]!);
  const around = new Float64Array(parts.sizes.length);
  const rims = new Float64Array(parts.sizes.length);
  const isCutOff: boolean[] = [];
  lookAside(parts, grid, isSmall, (label, from, step, room) => {
    if (room < 2 || region[from + step] === 1) return;
    around[label]! += evidence.lightness[from + 2 * step]!;
    rims[label]!++;
    if (cleared[from + step] === 1) isCutOff[label] = true;
  });
  fillComponents(region, parts, 0, (label) => {
    const size = parts.sizes[label]!;
    const dark = -darkness[label]! / size;
    const isShaded = dark > evidence.threshold && -around[label]! >= crumbAroundMin * dark * rims[label]!;
    return isSmall[label]! && isShaded && (isCutOff[label] === true || priors[label]! <= crumbPriorMax * size);
  });
}

interface Place {
  readonly x: number;
  readonly bottom: number;
}

/** A column of the product above shaded ground, by rows. */
interface Column extends Place {
  /** Whether the photo has an edge where it ends. */
  readonly isSharp: boolean;
  /** The base's last row above a shade; undefined: no edge tells it. */
  readonly last?: number;
}

/** @returns undefined where nothing ends, or before bare ground */
function columnOf(cell: number, region: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): Column | undefined {
  const { width, height } = grid;
  const bottom = Math.floor(cell / width);
  if (bottom + groundMin + fadeReach >= height) return undefined;
  for (let n = 1; n <= groundMin; n++) if (region[cell + n * width] === 1) return undefined;
  if (!isShade(cell, evidence)) return undefined;
  const column = { x: cell % width, bottom };
  const { isSharp = false, last, priorMax = 1 } = firstEdge(column, grid, evidence);
  if (last !== undefined && isBase(last, priorMax, column, region, grid)) return { ...column, isSharp, last };
  const end = endOfFade(column, grid, evidence);
  if (end !== undefined && isBase(end, fadePriorMax, column, region, grid))
    return { ...column, isSharp: false, last: end };
  return { ...column, isSharp };
}

/** Where the column's first edge is, seen from the ground. */
interface FirstEdge {
  /** The column ends with it. */
  readonly isSharp?: boolean;
  /** The base's last row, if there is a shade below that, unless the network sees more than `priorMax` in it. */
  readonly last?: number;
  readonly priorMax?: number;
}

function firstEdge({ x, bottom }: Place, grid: WorkGrid, evidence: BackdropEvidence): FirstEdge {
  const { width } = grid;
  const lightnessAt = lightnessOfColumn(x, grid);
  const rowMin = Math.max(bodyMin + edgeCells, bottom - depthMax);
  let darkest = lightnessAt(bottom + groundMin);
  for (let row = bottom + groundMin - 1; row > rowMin; row--) {
    const at = row * width + x;
    darkest = Math.min(darkest, lightnessAt(row));
    const isDarker = isDarkerAbove(row, evidence.lightness[at]!, lightnessAt);
    const isLighter = lightnessAt(row - 1) > darkest + noiseMax;
    if (!isDarker && !isLighter) {
      if (row <= bottom && !isShade(at, evidence)) return {};
      continue;
    }
    const last = isDarker ? steepestRow(row, lightnessAt) : middleOfStep(row, darkest, lightnessAt);
    if (last === undefined) return {};
    if (bottom - last < depthMin) return { isSharp: true };
    // What gets no lighter on the way down is a foot's or a plinth's.
    const lightnessOf = (share: number) => lightnessAt(Math.round(last + share * (bottom - last)));
    const isFlat =
      lightnessAt(bottom + groundMin) < darkest + riseMin ||
      lightnessOf(0.5) < darkest + noiseMax ||
      lightnessOf(0.75) < lightnessOf(0.25) + noiseMax;
    if (isLighter && isFlat) return {};
    return { last, priorMax: isLighter ? unseenPriorMax : unsurePriorMax };
  }
  return {};
}

/** The last row as dark as the darkest, where what is below gets lighter as softly as a shade alone does. */
function endOfFade({ x, bottom }: Place, grid: WorkGrid, evidence: BackdropEvidence): number | undefined {
  const { width, lab } = grid;
  const lightnessAt = lightnessOfColumn(x, grid);
  const rowMin = Math.max(bodyMin, bottom - depthMax);
  let darkest = lightnessAt(bottom);
  for (let row = bottom - 1; row > rowMin && isShade(row * width + x, evidence); row--) {
    if (lightnessAt(row) > darkest + darkestMax) break;
    darkest = Math.min(darkest, lightnessAt(row));
  }
  if (lightnessAt(bottom) < darkest + fadeMin) return undefined;
  const darkness = lightnessAt(bottom) - evidence.lightness[bottom * width + x]! - darkest;
  let row = bottom + groundMin;
  for (; lightnessAt(row) > darkest + darkestMax; row--) {
    const at = row * width + x;
    const fade = lightnessAt(row + fadeReach) - lightnessAt(row - fadeReach);
    const across = Math.abs(lab[3 * (at + fadeReach)]! - lab[3 * (at - fadeReach)]!);
    // Only a shade's end may be an edge: above that, an edge is a base's or a joint's.
    const isAtEnd = row >= bottom - edgeCells;
    if (!isAtEnd && isDarkerAbove(row, evidence.lightness[at]!, lightnessAt)) return undefined;
    if (Math.max(fade, across) > fadeShareMax * darkness) return undefined;
  }
  return bottom - row < depthMin ? undefined : row;
}

/** Chains of neighboring columns that end near each other. */
function linkColumns(columns: readonly Column[]): readonly (readonly Column[])[] {
  const chains: Column[][] = [];
  let open: Column[][] = [];
  let x = Number.NEGATIVE_INFINITY;
  let next: Column[][] = [];
  for (const column of columns.toSorted((a, b) => a.x - b.x || a.bottom - b.bottom)) {
    if (column.x !== x) {
      open = column.x === x + 1 ? next : [];
      next = [];
      x = column.x;
    }
    const distance = (chain: readonly Column[]) => Math.abs(chain.at(-1)!.bottom - column.bottom);
    const nearest = open.toSorted((a, b) => distance(a) - distance(b))[0];
    const chain = nearest !== undefined && nearest.at(-1)!.x < x && distance(nearest) <= linkMax ? nearest : [];
    if (chain.length === 0) chains.push(chain);
    chain.push(column);
    next.push(chain);
  }
  return chains;
}

/**
 * Whether the body is pale just above its shade. Then the shade is darker than the body: its darkest line lies at the body's own edge,
 * which the colors told, and what is followed from below ends at other edges from column to column.
 */
function isPale(chain: readonly Column[], { width, lab }: WorkGrid, { lightness }: BackdropEvidence): boolean {
  const shares = chain.map(({ x, bottom, last = bottom }) => {
    const end = last * width + x;
    let lightest = 0;
    for (let n = edgeCells; n <= edgeCells + bodyMin; n++)
      lightest = Math.max(lightest, lab[3 * (end - n * width)] ?? 0);
    return lightest / (lab[3 * end]! - lightness[end]!);
  });
  return shares.toSorted((a, b) => a - b)[shares.length >> 1]! >= paleShareMin;
}

/** The row in which each column ends without its shade. */
function endsWithoutShade(chain: readonly Column[]): number[] {
  const ends = chain.map(({ bottom }) => bottom);
  for (let from = 0; from < chain.length; from++) {
    if (chain[from]!.last === undefined) continue;
    let to = from;
    for (let at = from + 1; at < chain.length && at <= to + gapMax && !chain[at]!.isSharp; at++) {
      if (chain[at]!.last !== undefined) to = at;
    }
    const isStep = (beside: Column | undefined, last: number) =>
      beside !== undefined && beside.bottom - last >= cornerMin;
    const isPit = isStep(chain[from - 1], chain[from]!.last!) && isStep(chain[to + 1], chain[to]!.last!);
    if (to - from >= (isPit ? pitMin : runMin)) trimRun(chain, from, to, ends);
    from = to;
  }
  return ends;
}

/** Sets the ends of a run. What it does not share with a column beside it, which has no edge, it gets by and by: there is no step. */
function trimRun(chain: readonly Column[], from: number, to: number, ends: number[]): void {
  const rampOf = (beside: Column | undefined, others: readonly Column[]) =>
    beside === undefined || others.filter(({ isSharp }) => isSharp).length > others.length / 2
      ? Number.NEGATIVE_INFINITY
      : beside.bottom;
  const left = rampOf(chain[from - 1], chain.slice(Math.max(0, from - cornerReach), from));
  const right = rampOf(chain[to + 1], chain.slice(to + 1, to + 1 + cornerReach));
  let last = chain[from]!.last!;
  const lasts = chain.slice(from, to + 1).map((column) => (last = column.last ?? last));
  for (let at = from; at <= to; at++) {
    const end = medianAround(lasts, at - from);
    ends[at] = Math.min(chain[at]!.bottom, Math.max(end, left - (at - from + 1), right - (to - at + 1)));
  }
}

function medianAround(values: readonly number[], k: number): number {
  const reach = Math.min(medianReach, k, values.length - 1 - k);
  const near = values.slice(k - reach, k + reach + 1).toSorted((a, b) => a - b);
  return near[near.length >> 1]!;
}

/** Smooths what ends without an edge in the photo, between corners. What would move far is no tooth: feet stay. */
function smoothEnds(chain: readonly Column[], ends: readonly number[]): number[] {
  const isFree = chain.map(({ isSharp }, k) => {
    const isBeside = (other: number) => Math.abs((ends[other] ?? Number.NaN) - ends[k]!) < cornerMin;
    return !isSharp && isBeside(k - 1) && isBeside(k + 1);
  });
  const first = meanOfNeighbors(ends, isFree);
  const isFoot = first.map((end, k) => Math.abs(end - ends[k]!) > shiftMax);
  const isNearFoot = isFoot.map((_, k) =>
    isFoot.slice(Math.max(0, k - cornerReach), k + cornerReach + 1).includes(true),
  );
  return meanOfNeighbors(
    ends,
    isFree.map((is, k) => is && !isNearFoot[k]!),
  ).map((end, k) => (Math.abs(end - ends[k]!) > shiftMax ? ends[k]! : Math.round(end)));
}

function meanOfNeighbors(ends: readonly number[], isFree: readonly boolean[]): number[] {
  const smooth = [...ends];
  const free = [...isFree.keys()].filter((k) => isFree[k]!);
  for (let n = 0; n < smoothings; n++) {
    for (const k of free) smooth[k] = smooth[k]! / 2 + (smooth[k - 1]! + smooth[k + 1]!) / 4;
  }
  return smooth;
}

function lightnessOfColumn(x: number, { width, lab }: WorkGrid): (row: number) => number {
  return (row) => lab[3 * (row * width + x)]!;
}

function isShade(cell: number, { lightness, threshold, tintAt }: BackdropEvidence): boolean {
  const darkness = -lightness[cell]!;
  return darkness >= threshold / 2 && tintAt(cell) <= Math.max(threshold, tintShareMax * darkness);
}

/** @param lightness the row's own, against the ground's */
function isDarkerAbove(row: number, lightness: number, lightnessAt: (row: number) => number): boolean {
  const step = lightnessAt(row + 1) - lightnessAt(row - 1);
  const fade = lightnessAt(row + fadeReach) - lightnessAt(row - fadeReach);
  return step > softMax - softShare * lightness && step > sharpShareMin * fade;
}

/** The row in which a darker base ends. @param row that in which the lightness begins to fall, upward */
function steepestRow(row: number, lightnessAt: (row: number) => number): number {
  const steepness = (at: number) => lightnessAt(at + 1) - lightnessAt(at - 1);
  let steepest = row;
  while (steepest > row - edgeCells && steepness(steepest - 1) > steepness(steepest)) steepest--;
  return steepest;
}

/** The row in which a lighter base ends, if one does within an edge's width. */
function middleOfStep(row: number, darkest: number, lightnessAt: (row: number) => number): number | undefined {
  const lightest = lightnessAt(row - edgeCells);
  if (lightest < darkest + stepMin) return undefined;
  let middle = row - 1;
  while (lightnessAt(middle) < (darkest + lightest) / 2) middle--;
  return middle;
}

/** Whether there is product above the shade, and the network leaves open what the shade is. */
function isBase(last: number, priorMax: number, { x, bottom }: Place, region: Uint8Array, grid: WorkGrid): boolean {
  const { width, prior } = grid;
  for (let n = 0; n < bodyMin; n++) if (region[(last - n) * width + x] === 0) return false;
  let sum = 0;
  for (let row = last + 1; row <= bottom; row++) sum += prior[row * width + x]!;
  return sum <= priorMax * (bottom - last);
}
