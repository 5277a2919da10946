/**
 * The way along an outline's rough stretches that the photo's edge takes. Cell by cell an edge may be lost in the noise, and in the
 * darkest of a shadow; along a whole stretch it is seen. So a stretch is straightened to a band, and dynamic programming finds the way through it that changes
 * colors most, agrees with the network, and turns least (docs/adr/0055-rough-outlines.md).
 */

import type { Size } from "../../pixels/geometry.ts";
import { copyMask, countMarks, dilate, joinMarks, withoutMarks } from "../../pixels/morphology.ts";
import { invertWithin, traceOutlines } from "../../pixels/outlines.ts";
import type { BackdropEvidence } from "../evidence/measure-backdrop.ts";
import { priorFrom, type WorkGrid } from "../evidence/work-grid.ts";

/** In cells: half the width of a band, and how many places across it has. */
const reach = 12;
const across = 2 * reach + 1;
/** Nearer to a band's rims, colors on both sides of an edge are not known. */
const margin = 2;
/** In steps: shorter outlines are specks' or holes'. */
const stepsMin = 160;
/** A stretch is rough where an outline is longer by this factor than the chord, over so many steps to either side. */
const roughMin = 1.06;
const chordSteps = 12;
/** In steps: rough places so near to each other are one stretch, which begins and ends so far beyond them; so many of them are one. */
const gapMax = 24;
const beyond = 24;
const roughStepsMin = 6;
/** Half the widths of the means, in steps, that take the cells' corners from an outline, and all teeth. */
const lightReach = 1;
const strongReach = 6;
/** In steps: the normal is that of the chord over so many to either side. */
const normalReach = 4;
/** Colors are means over so many places to either side along the band. */
const alongReach = 2;
/** In Lab: noise, and a change of color from which on an edge is no surer. */
const noise = 1;
const sureEdge = 5;
/** What a place of which the network is sure costs on the wrong side, and in a shade; and what a step aside costs. */
const priorWeight = 0.6;
const shadeWeight = 0.4;
const turnCost = 0.6;
/** In cells: a way that is nowhere so far from the outline changes nothing. */
const shiftMin = 2.5;

/** @returns the region with its rough stretches along the photo's edge, or undefined where that changes nothing */
export function followEdge(region: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): Uint8Array | undefined {
  const doubted = doubtedAround(region, grid);
  if (doubted === undefined) return undefined;
  let followed: Uint8Array | undefined;
  for (const corners of traceOutlines(region, grid)) {
    if (corners.length < 2 * stepsMin) continue;
    const outline = outlineOf(corners);
    const stretches = roughStretches(outline).filter((stretch) => isDoubted(stretch, corners, doubted, grid));
    if (stretches.length === 0) continue;
    const middle = smoothed(outline, strongReach, 3);
    for (const stretch of stretches) {
      const band = bandAlong(middle, stretch, region, grid, evidence);
      const way = wayThrough(band);
      if (way === undefined) continue;
      followed ??= copyMask(region);
      invertWithin(followed, between(corners, band, way), grid);
    }
  }
  return followed;
}

/** The cells as near as a band is wide to where region and network differ. undefined: nowhere. */
function doubtedAround(region: Uint8Array, grid: WorkGrid): Uint8Array | undefined {
  const seen = priorFrom(grid, 0.5);
  const differing = joinMarks(withoutMarks(region, seen), withoutMarks(seen, region));
  return countMarks(differing) === 0 ? undefined : dilate(differing, grid, reach);
}

function isDoubted(
  { first, steps }: Stretch,
  corners: Int32Array,
  doubted: Uint8Array,
  { width, height }: Size,
): boolean {
  for (let k = 0; k < steps; k++) {
    const at = (2 * (first + k)) % corners.length;
    const x = Math.min(width - 1, corners[at]!);
    const y = Math.min(height - 1, corners[at + 1]!);
    if (doubted[y * width + x] === 1) return true;
  }
  return false;
}

/** Planes by step along a closed outline. */
interface Outline {
  readonly steps: number;
  /** The middles of the steps. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

function outlineOf(corners: Int32Array): Outline {
  return { steps: corners.length / 2, x: middlesOf(corners, 0), y: middlesOf(corners, 1) };
}

/** @param offset 0: their x, 1: their y */
function middlesOf(corners: Int32Array, offset: number): Float64Array {
  const steps = corners.length / 2;
  const out = new Float64Array(steps);
  for (let i = 0; i < steps; i++) out[i] = (corners[2 * i + offset]! + corners[2 * ((i + 1) % steps) + offset]!) / 2;
  return out;
}

function smoothed({ steps, x, y }: Outline, meanReach: number, times: number): Outline {
  let smooth = { steps, x, y };
  for (let n = 0; n < times; n++) {
    smooth = { steps, x: meanAround(smooth.x, meanReach), y: meanAround(smooth.y, meanReach) };
  }
  return smooth;
}

/** The means of values along a closed outline. */
function meanAround(values: Float64Array, meanReach: number): Float64Array {
  const { length } = values;
  const out = new Float64Array(length);
  let sum = 0;
  for (let k = -meanReach; k <= meanReach; k++) sum += values[(k + length) % length]!;
  for (let i = 0; i < length; i++) {
    out[i] = sum / (2 * meanReach + 1);
    sum += values[(i + meanReach + 1) % length]! - values[(i - meanReach + length) % length]!;
  }
  return out;
}

/** In steps along an outline. */
interface Stretch {
  readonly first: number;
  readonly steps: number;
}

function roughStretches(outline: Outline): readonly Stretch[] {
  const { steps, x, y } = smoothed(outline, lightReach, 2);
  const lengths = new Float64Array(2 * steps + 1);
  // Math.hypot takes several times as long.
  const distanceBetween = (from: number, to: number) => Math.sqrt((x[to]! - x[from]!) ** 2 + (y[to]! - y[from]!) ** 2);
  for (let i = 0; i < 2 * steps; i++) {
    const from = i % steps;
    const to = (i + 1) % steps;
    lengths[i + 1] = lengths[i]! + distanceBetween(from, to);
  }
  const stretches: Stretch[] = [];
  let first = -1;
  let last = -1;
  const close = () => {
    if (first >= 0 && last - first + 1 >= roughStepsMin) {
      stretches.push({ first: first - beyond + steps, steps: Math.min(steps - 1, last - first + 1 + 2 * beyond) });
    }
    first = -1;
  };
  for (let i = 0; i < steps; i++) {
    const from = (i - chordSteps + steps) % steps;
    const to = from + 2 * chordSteps;
    const chord = distanceBetween(from, to % steps);
    if (lengths[to]! - lengths[from]! <= roughMin * chord) continue;
    if (first >= 0 && i - last > gapMax) close();
    if (first < 0) first = i;
    last = i;
  }
  close();
  return stretches;
}

/** A stretch, straightened: planes by place along it, of which each has places across, from the inside out. */
interface Band {
  readonly places: number;
  /** The step of the outline at each place. */
  readonly step: Int32Array;
  /** Each place's middle, and the normal out of the product there. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly normalX: Float64Array;
  readonly normalY: Float64Array;
  /** Interleaved Lab. */
  readonly lab: Float32Array;
  /** What the network says, and less sure in a shade. */
  readonly prior: Float32Array;
  /** Before which place across the region ends. */
  readonly ends: Int32Array;
}

/** Along an outline without teeth. */
function bandAlong(
  { steps, x, y }: Outline,
  { first, steps: length }: Stretch,
  region: Uint8Array,
  grid: WorkGrid,
  evidence: BackdropEvidence,
): Band {
  const step: number[] = [];
  let way = 1;
  for (let k = 0; k < length; k++) {
    const at = (first + k) % steps;
    const before = (at - 1 + steps) % steps;
    if (k > 0) way += Math.sqrt((x[at]! - x[before]!) ** 2 + (y[at]! - y[before]!) ** 2);
    if (way < 1) continue;
    way -= 1;
    step.push(at);
  }
  const places = step.length;
  const band: Band = {
    places,
    step: Int32Array.from(step),
    x: Float64Array.from(step, (at) => x[at]!),
    y: Float64Array.from(step, (at) => y[at]!),
    normalX: new Float64Array(places),
    normalY: new Float64Array(places),
    lab: new Float32Array(3 * places * across),
    prior: new Float32Array(places * across),
    ends: new Int32Array(places),
  };
  for (const [place, at] of step.entries()) {
    const from = (at - normalReach + steps) % steps;
    const to = (at + normalReach) % steps;
    const alongX = x[to]! - x[from]!;
    const alongY = y[to]! - y[from]!;
    const norm = Math.hypot(alongX, alongY) || 1;
    band.normalX[place] = alongY / norm;
    band.normalY[place] = -alongX / norm;
    lookAcross(band, place, region, grid, evidence);
  }
  return band;
}

/** Fills what a band has at one place. */
function lookAcross(
  band: Band,
  place: number,
  region: Uint8Array,
  { lab, prior, width, height }: WorkGrid,
  evidence: BackdropEvidence,
): void {
  const { lab: colors, prior: odds } = band;
  const stepX = band.normalX[place]!;
  const stepY = band.normalY[place]!;
  const firstX = band.x[place]! - stepX * reach - 0.5;
  const firstY = band.y[place]! - stepY * reach - 0.5;
  const inside = new Uint8Array(across);
  for (let n = 0; n < across; n++) {
    const x = clamp(firstX + stepX * n, width - 1);
    const y = clamp(firstY + stepY * n, height - 1);
    const left = Math.min(width - 2, Math.floor(x));
    const upper = Math.min(height - 2, Math.floor(y));
    const right = x - left;
    const low = y - upper;
    const at = place * across + n;
    const from = 3 * (upper * width + left);
    const below = from + 3 * width;
    for (let c = 0; c < 3; c++) {
      const above = lab[from + c]! + right * (lab[from + 3 + c]! - lab[from + c]!);
      const under = lab[below + c]! + right * (lab[below + 3 + c]! - lab[below + c]!);
      colors[3 * at + c] = above + low * (under - above);
    }
    const nearest = Math.round(y) * width + Math.round(x);
    const sure = prior[nearest]!;
    odds[at] = sure > 0.5 && isShade(nearest, evidence) ? 0.5 + shadeWeight * (sure - 0.5) : sure;
    inside[n] = region[nearest]!;
  }
  band.ends[place] = endOf(inside);
}

const clamp = (value: number, max: number) => Math.min(max, Math.max(0, value));

/** Where the inside would end with the fewest places on the wrong side. */
function endOf(inside: Uint8Array): number {
  let wrong = 0;
  for (const value of inside) wrong += value;
  let least = Number.POSITIVE_INFINITY;
  let end = 0;
  for (let n = 0; n <= across; n++) {
    if (wrong < least) {
      least = wrong;
      end = n;
    }
    wrong += inside[n] === 1 ? -1 : 1;
  }
  return Math.min(across - margin, Math.max(margin, end));
}

/** A shade's hue differs from the ground's by this share of its darkness at most. */
const tintShareMax = 0.25;

/** Whether a cell is the ground in a shade, however dark that is. */
export function isShade(cell: number, evidence: BackdropEvidence): boolean {
  const darkness = -evidence.lightness[cell]!;
  return (
    darkness > evidence.threshold && evidence.tintAt(cell) <= Math.max(evidence.threshold, tintShareMax * darkness)
  );
}

/** Before which place across the product ends, at each place along. undefined: nowhere far from where it does. */
function wayThrough(band: Band): Float64Array | undefined {
  const { places, ends } = band;
  if (places <= 2 * alongReach) return undefined;
  const costs = costsOf(band);
  const sums = new Float32Array(places * across).fill(Number.POSITIVE_INFINITY);
  const turns = new Int8Array(places * across);
  sums[ends[0]!] = 0;
  for (let place = 1; place < places; place++) {
    for (let n = margin; n <= across - margin; n++) {
      const before = (place - 1) * across + n;
      let least = sums[before]!;
      let turn = 0;
      for (const to of [-1, 1]) {
        const sum = sums[before + to]! + turnCost;
        if (sum >= least) continue;
        least = sum;
        turn = to;
      }
      sums[place * across + n] = least + costs[place * across + n]!;
      turns[place * across + n] = turn;
    }
  }
  const last = (places - 1) * across + ends[places - 1]!;
  if (!Number.isFinite(sums[last])) return undefined;
  const way = new Float64Array(places);
  let isFar = false;
  for (let place = places - 1, n = ends[place]!; place >= 0; n += turns[place * across + n]!, place--) {
    way[place] = n;
    isFar ||= Math.abs(n - ends[place]!) >= shiftMin;
  }
  return isFar ? way : undefined;
}

/** What it costs that the product ends before each place: less at an edge, more where the network sees it end elsewhere. */
function costsOf({ places, lab, prior }: Band): Float32Array {
  const costs = new Float32Array(places * across).fill(Number.POSITIVE_INFINITY);
  const sums = new Float64Array(3 * across);
  const row = new Float64Array(3 * across);
  const addPlace = (place: number, sign: 1 | -1) => {
    for (let c = 0, from = 3 * across * place; c < 3 * across; c++) sums[c]! += sign * lab[from + c]!;
  };
  for (let place = 0; place < Math.min(places, alongReach); place++) addPlace(place, 1);
  for (let place = 0; place < places; place++) {
    if (place + alongReach < places) addPlace(place + alongReach, 1);
    if (place > alongReach) addPlace(place - alongReach - 1, -1);
    const count = Math.min(places, place + alongReach + 1) - Math.max(0, place - alongReach);
    for (let c = 0; c < 3 * across; c++) row[c] = sums[c]! / count;
    let wrong = 0;
    for (let n = 0; n < across; n++) wrong += Math.max(0, prior[place * across + n]! - 0.5);
    for (let n = 0; n <= across - margin; n++) {
      if (n >= margin) {
        const edge = Math.min(sureEdge, changeAt(row, 3 * n) / noise);
        costs[place * across + n] = priorWeight * wrong - Math.log(1 + edge * edge);
      }
      wrong += 0.5 - prior[place * across + n]!;
    }
  }
  return costs;
}

/** The Lab distance between the mean colors of two places on either side. */
function changeAt(row: Float64Array, at: number): number {
  let squared = 0;
  for (let c = at; c < at + 3; c++) squared += (row[c]! + row[c + 3]! - row[c - 3]! - row[c - 6]!) ** 2;
  return Math.sqrt(squared) / 2;
}

/** The polygon between an outline's stretch and the way through its band. */
function between(corners: Int32Array, { places, step, x, y, normalX, normalY }: Band, way: Float64Array): number[] {
  const polygon: number[] = [];
  const last = (2 * (step[places - 1]! + 1)) % corners.length;
  for (let at = 2 * step[0]!; ; at = (at + 2) % corners.length) {
    polygon.push(corners[at]!, corners[at + 1]!);
    if (at === last) break;
  }
  for (let place = places - 1; place >= 0; place--) {
    const from = Math.max(0, place - alongReach);
    const near = way.subarray(from, place + alongReach + 1);
    const offset = near.reduce((sum, n) => sum + n, 0) / near.length - reach - 0.5;
    polygon.push(x[place]! + normalX[place]! * offset, y[place]! + normalY[place]! * offset);
  }
  return polygon;
}
