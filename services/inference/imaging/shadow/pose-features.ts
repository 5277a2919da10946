/**
 * What an outline says about the pose of its product, as numbers without a unit: how it is supported from below, its axis, its
 * symmetry, and how wide it is at each height. `pose-weights.json` turns them into the probability of each pose.
 */

import { labelComponents } from "../pixels/connected-components.ts";
import { invertMask } from "../pixels/morphology.ts";
import type { Silhouette } from "./silhouette.ts";

/** Levels at which the outline's width is measured, as a share of its height from the top. */
const levels = [0.03, 0.1, 0.2, 0.32, 0.45, 0.58, 0.7, 0.82, 0.91, 0.97] as const;
/** Slopes at which the base counts as ended: where the outline turns upward, the product's side begins. */
const baseSlopes = [0.7, 1.5, 3] as const;
/** Parts smaller than this share of the product are crumbs. */
const partShareMin = 0.01;

export const featureNames = [
  ...["aspect", "fill", "solidity", "parts", "largestPart"],
  ...["diagonal", "upright", "imbalance", "lean", "baseWidth", "footWidth", "footFill"],
  ...["thickness", "holes"],
  ...["mirrored", "turned", "baseAsymmetry"],
  ...baseSlopes.flatMap((slope) => [`sag${slope}`, `base${slope}`, `topSag${slope}`]),
  ...levels.flatMap((level) => [`width${level}`, `fill${level}`, `runs${level}`]),
] as const;

/** @returns one number for each of `featureNames` */
export function poseFeatures(silhouette: Silhouette): Float64Array {
  const rows = measureRows(silhouette);
  const lower = hullOf(silhouette, "bottom");
  const upper = hullOf(silhouette, "top");
  const { left, right, top, bottom } = silhouette;
  const across = right - left;
  const tall = bottom - top;
  const size = Math.max(across, tall);
  const moments = momentsOf(silhouette);
  const bases = baseSlopes.map((slope) => baseOf(lower, slope));
  const foot = footOf(silhouette);
  const parts = partsOf(silhouette, moments.area);
  const values = [
    Math.log(across / tall),
    moments.area / (across * tall),
    moments.area / Math.max(1, hullArea(lower, upper, tall)),
    Math.log(parts.count),
    parts.largest,
    moments.diagonal,
    moments.upright,
    Math.max(0, foot.from - moments.x, moments.x - foot.to) / size,
    Math.abs(moments.x - (foot.from + foot.to) / 2) / size,
    (bases[1]!.to - bases[1]!.from) / across,
    (foot.to - foot.from) / across,
    foot.fill,
    moments.area / (outlineOf(silhouette) * size),
    holesOf(silhouette) / (across * tall),
    overlapOfMirror(silhouette, moments.x, "across"),
    overlapOfMirror(silhouette, moments.x, "both"),
    bases[1]!.asymmetry,
    ...baseSlopes.flatMap((slope, i) => [
      bases[i]!.sag,
      (bases[i]!.to - bases[i]!.from) / across,
      baseOf(upper, slope).sag,
    ]),
    ...levels.flatMap((level) => {
      const row = Math.min(tall - 1, Math.floor(level * tall));
      return [rows.span[row]! / across, rows.cells[row]! / Math.max(1, rows.span[row]!), Math.min(4, rows.runs[row]!)];
    }),
  ];
  return Float64Array.from(values);
}

interface Rows {
  readonly span: Float64Array;
  readonly cells: Float64Array;
  readonly runs: Float64Array;
}

/** For each row from the top: cells from the first to the last inside, cells inside, and runs of them. */
function measureRows({ left, right, top, bottom, width, inside }: Silhouette): Rows {
  const rows = {
    span: new Float64Array(bottom - top),
    cells: new Float64Array(bottom - top),
    runs: new Float64Array(bottom - top),
  };
  for (let y = top; y < bottom; y++) {
    let first = -1;
    let last = -1;
    for (let x = left; x < right; x++) {
      if (inside[y * width + x] === 0) continue;
      if (first < 0) first = x;
      if (last !== x - 1 || first === x) rows.runs[y - top]!++;
      last = x;
      rows.cells[y - top]!++;
    }
    rows.span[y - top] = first < 0 ? 0 : last + 1 - first;
  }
  return rows;
}

function momentsOf({ left, right, top, bottom, width, inside }: Silhouette) {
  let area = 0;
  let sx = 0;
  let sy = 0;
  let sxx = 0;
  let syy = 0;
  let sxy = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      if (inside[y * width + x] === 0) continue;
      area++;
      sx += x;
      sy += y;
      sxx += x * x;
      syy += y * y;
      sxy += x * y;
    }
  }
  const x = sx / area;
  const y = sy / area;
  const xx = sxx / area - x * x;
  const yy = syy / area - y * y;
  const xy = sxy / area - x * y;
  const sum = Math.max(1e-6, xx + yy);
  return { area, x, diagonal: Math.abs(2 * xy) / sum, upright: (yy - xx) / sum };
}

/** The part of the outline near the ground: the columns whose underside is in the lowest twentieth, and how full they are. */
function footOf({ left, right, top, bottom, width, inside }: Silhouette) {
  const lift = Math.max(2, 0.06 * Math.max(bottom - top, right - left));
  let from = right;
  let to = left;
  let count = 0;
  for (let x = left; x < right; x++) {
    let touches = false;
    for (let y = Math.ceil(bottom - lift); y < bottom && !touches; y++) touches = inside[y * width + x] === 1;
    if (!touches) continue;
    count++;
    from = Math.min(from, x);
    to = x + 1;
  }
  return { from, to, fill: count / Math.max(1, to - from) };
}

function partsOf({ width, height, inside }: Silhouette, area: number) {
  const { sizes } = labelComponents(inside, { width, height });
  const large = sizes.slice(1).filter((cells) => cells >= partShareMin * area);
  return { count: Math.max(1, large.length), largest: Math.max(0, ...large) / area };
}

/** Edges between a cell inside and one outside. */
function outlineOf({ left, right, top, bottom, width, height, inside }: Silhouette): number {
  let edges = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = y * width + x;
      if (inside[at] === 0) continue;
      if (x === 0 || inside[at - 1] === 0) edges++;
      if (x === width - 1 || inside[at + 1] === 0) edges++;
      if (y === 0 || inside[at - width] === 0) edges++;
      if (y === height - 1 || inside[at + width] === 0) edges++;
    }
  }
  return edges;
}

/** Cells that the product encloses. */
function holesOf({ width, height, inside }: Silhouette): number {
  const { sizes, atBorder } = labelComponents(invertMask(inside), { width, height });
  return sizes.reduce((sum, cells, label) => (label === 0 || atBorder[label] ? sum : sum + cells), 0);
}

interface Hull {
  readonly x: number[];
  /** Cells below the outline's lowest row are negative: depth is counted upward from it. */
  readonly lift: number[];
}

/** The convex hull of the outline's lower side, or of its upper side turned over, from left to right. */
function hullOf({ left, right, top, bottom, width, inside }: Silhouette, side: "bottom" | "top"): Hull {
  const hull: Hull = { x: [], lift: [] };
  const add = (x: number, lift: number) => {
    while (hull.x.length > 1) {
      const last = hull.x.length - 1;
      const ahead = (lift - hull.lift[last - 1]!) * (hull.x[last]! - hull.x[last - 1]!);
      const through = (hull.lift[last]! - hull.lift[last - 1]!) * (x - hull.x[last - 1]!);
      if (through < ahead) break;
      hull.x.pop();
      hull.lift.pop();
    }
    hull.x.push(x);
    hull.lift.push(lift);
  };
  for (let x = left; x < right; x++) {
    let lift = 0;
    const rowAt = (n: number) => (side === "bottom" ? bottom - 1 - n : top + n);
    while (lift < bottom - top && inside[rowAt(lift) * width + x] === 0) lift++;
    if (lift === bottom - top) continue;
    add(x, lift);
    add(x + 1, lift);
  }
  return hull;
}

/**
 * The base: the hull as far as it is flatter than a slope. `sag` is the geometric mean of its slopes to both sides, which for
 * a box that shows two of its sides, and for a round base, is the sine of the camera's pitch.
 */
function baseOf({ x, lift }: Hull, slopeMax: number) {
  let from = 0;
  let to = x.length - 1;
  const slope = (a: number) => Math.abs((lift[a + 1]! - lift[a]!) / Math.max(1e-6, x[a + 1]! - x[a]!));
  while (from < to && slope(from) > slopeMax) from++;
  while (to > from && slope(to - 1) > slopeMax) to--;
  let lowest = from;
  let flatEnd = from;
  for (let i = from; i <= to; i++) {
    if (lift[i]! < lift[lowest]!) lowest = i;
    if (lift[i]! <= lift[lowest]!) flatEnd = i;
  }
  const middle = (x[lowest]! + x[flatEnd]!) / 2;
  const rise = (end: number) => (lift[end]! - lift[lowest]!) / Math.max(1, Math.abs(middle - x[end]!));
  const a = rise(from);
  const b = rise(to);
  return { from: x[from]!, to: x[to]!, sag: Math.sqrt(a * b), asymmetry: Math.abs(a - b) };
}

function hullArea(lower: Hull, upper: Hull, tall: number): number {
  const under = ({ x, lift }: Hull) =>
    x.slice(1).reduce((sum, right, i) => sum + ((lift[i]! + lift[i + 1]!) / 2) * (right - x[i]!), 0);
  const across = lower.x.at(-1)! - lower.x[0]!;
  return across * tall - under(lower) - under(upper);
}

/** The share of the outline that its mirror image covers, about its vertical axis or turned by half a circle. */
function overlapOfMirror(
  { left, right, top, bottom, width, inside }: Silhouette,
  middle: number,
  how: "across" | "both",
): number {
  let same = 0;
  let all = 0;
  for (let y = top; y < bottom; y++) {
    const otherY = how === "across" ? y : top + bottom - 1 - y;
    for (let x = left; x < right; x++) {
      if (inside[y * width + x] === 0) continue;
      all++;
      const other = Math.round(2 * middle - x);
      if (other >= left && other < right && inside[otherY * width + other] === 1) same++;
    }
  }
  return same / all;
}
