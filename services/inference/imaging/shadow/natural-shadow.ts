/**
 * The shadow that a product casts in its photo, as black with alpha: how much darker than its plain backdrop the photo
 * is. The backdrop is known from the photo's border, and what is product from the matte; all else that is darker and
 * has the backdrop's hue is shadow.
 */

import { addressOf, inKernelMemory, kernelBytes, kernelFloats, kernelIntegers } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Backdrop } from "../matting/evidence/backdrop.ts";
import type { ScaledPhoto } from "../matting/evidence/work-grid.ts";
import { type SamplePositions, samplePositions } from "../pixels/bilinear.ts";
import { distanceToMask } from "../pixels/chessboard-distance.ts";
import { type Components, fillComponents, labelComponents, runStride } from "../pixels/connected-components.ts";
import type { Size } from "../pixels/geometry.ts";
import type { FillRow, Image } from "../pixels/image.ts";
import { rgbToLab } from "../pixels/lab.ts";
import {
  countMarks,
  dilate,
  emptyMask,
  joinMarks,
  keepBytes,
  listMarks,
  markEdge,
  onlyMarks,
  withoutMarks,
} from "../pixels/morphology.ts";

/** A plane of the reduced photo's size. */
export interface Darkening extends Size {
  /** u8: alpha of the black that makes the backdrop as dark as the photo; 0 on all that the matte shows. */
  readonly alpha: Uint8Array;
  /** 1 where the darkening is more than noise. */
  readonly isDark: Uint8Array;
  /** 1 on all that the matte shows, and close around it. */
  readonly covered: Uint8Array;
}

/** From this darkening of Lab's lightness on it is no noise; half of it counts not at all. */
const darknessMin = 1.5;
/** The fit's own error may be as large; more of its residual is safe. */
const darknessPerResidual = 3;
/** A shadow may be this much off the backdrop's color in its own light, in Lab, and by this share of its darkness more. */
const tintMax = 1;
const tintShareMax = 0.35;
/** Cells around the matte are mixed with the product. */
const mixedCells = 2;
const visibleAlphaMin = 8;

/**
 * @param alpha the matte of all that the network takes for product, of `size`
 * @param known the reduced photo's colors in Lab, where they lie in the kernels' memory
 */
export function measureDarkening(
  reduced: ScaledPhoto,
  backdrop: Backdrop,
  alpha: Uint8Array,
  size: Size,
  known?: Float32Array,
): Darkening {
  return inKernelMemory(() => {
    const { width, height } = reduced;
    const covered = coveredCells(alpha, size, reduced).slice();
    const lab = known ?? rgbToLab(reduced.rgb);
    const planes = { alpha: new Uint8Array(width * height), isDark: new Uint8Array(width * height), covered };
    const least = Math.max(darknessMin, darknessPerResidual * backdrop.residual);
    markDarkCells({ width, height, ...planes }, lab, backdrop, least);
    return { width, height, ...planes };
  });
}

function markDarkCells(to: Darkening, lab: Float32Array, { coefficients }: Backdrop, least: number): void {
  const { width, height } = to;
  const surface = addressOf(coefficients);
  const columns = addressOf(Float64Array.from({ length: width + 1 }, (_, x) => (x + 0.5) / width));
  const covered = addressOf(to.covered);
  const colors = addressOf(lab);
  const cells = kernelIntegers(width);
  const fits = kernelFloats(width);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const count = kernels.listDarkCells(
      colors + 12 * row,
      covered + row,
      width,
      (y + 0.5) / height,
      surface,
      columns,
      least / 2,
      tintMax,
      tintShareMax,
      cells.byteOffset,
      fits.byteOffset,
    );
    for (let i = 0; i < count; i++) markDark(to, row + cells[i]!, lab[3 * (row + cells[i]!)]!, fits[i]!, least);
  }
}

function markDark(to: Darkening, at: number, lightness: number, fit: number, least: number): void {
  const darkness = fit - lightness;
  const share = Math.min(1, (2 * darkness) / least - 1);
  const roughly = 255 * (1 - grayRoughly(lightness) / grayRoughly(fit)) * share;
  const part = roughly - Math.floor(roughly);
  const isSure = fit >= sureLightnessMin && Math.abs(part - 0.5) > 0.001;
  to.alpha[at] = Math.round(isSure ? roughly : 255 * (1 - grayOf(lightness) / grayOf(fit)) * share);
  if (darkness >= least) to.isDark[at] = 1;
}

/** The cells with alpha at their middle, and those close by. */
function coveredCells(alpha: Uint8Array, size: Size, { width, height }: Size): Uint8Array {
  const cells = emptyMask({ width, height });
  inKernelMemory(() => {
    const columns = addressOf(
      Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * size.width) / width)),
    );
    const line = kernelBytes(size.width);
    for (let y = 0; y < height; y++) {
      const row = Math.floor(((y + 0.5) * size.height) / height) * size.width;
      line.set(alpha.subarray(row, row + size.width));
      kernels.gatherBytes(line.byteOffset, columns, width, cells.byteOffset + y * width);
    }
    kernels.thresholdBytes(cells.byteOffset, cells.length, visibleAlphaMin, cells.byteOffset);
  });
  return dilate(cells, { width, height }, mixedCells);
}

/** The value in sRGB, 0–1, of a gray with a lightness of Lab: black with alpha mixes such values. */
function grayOf(lightness: number): number {
  const t = (lightness + 16) / 116;
  const y = t > 6 / 29 ? t ** 3 : 3 * (6 / 29) ** 2 * (t - 4 / 29);
  return y <= 0.0031308 ? 12.92 * Math.max(0, y) : 1.055 * y ** (1 / 2.4) - 0.055;
}

/** Between its entries the table is off by less than 1e-7, so that what it gives of 255 is, above this lightness, off by less than .001. */
const graySteps = 64;
const sureLightnessMin = 10;
const grays = Float64Array.from({ length: 128 * graySteps }, (_, i) => grayOf(i / graySteps));

function grayRoughly(lightness: number): number {
  const at = Math.max(0, lightness) * graySteps;
  const entry = Math.floor(at);
  return grays[entry]! + (grays[entry + 1]! - grays[entry]!) * (at - entry);
}

/** A smaller share of the photo is dust or noise. */
const sizeShareMin = 0.0005;
/** A shadow that comes this near touches its product, as a share of the photo's longer side. */
const contactShareMax = 0.02;
/** What floats or hangs has its shadow at most this far, if it does not touch the border as a vignette does. */
const distanceShareMax = 0.24;
/** The crease between wall and table is a strip beside the product, this much longer than high, and above its foot. */
const creaseAspectMin = 4;
const creaseHeightMax = 0.06;
const creaseFootMin = 0.12;
/** A strip along the product, above or below it, is a shadow of what lies. */
const creaseInsideMax = 0.3;
/** Its faint outer part reaches this much farther than what is more than noise. */
const penumbraShare = 0.03;
/** How far it goes on below the product, in cells: through the product's soft edge it is seen. */
const belowCells = 12;

/**
 * The shadow that is the product's, and goes on below its edge.
 *
 * @param alpha the matte of the product alone, of `size`
 * @returns alpha of black, u8, of `size`; undefined where the product casts no shadow that can be seen
 */
export function shadowOfProduct(darkening: Darkening, alpha: Uint8Array, size: Size): Uint8Array | undefined {
  return inKernelMemory(() => {
    const product = coveredCells(alpha, size, darkening);
    const side = Math.max(darkening.width, darkening.height);
    const parts = labelComponents(darkening.isDark, darkening);
    const isOfProduct = partsOfShadow(parts, product, darkening);
    if (!isOfProduct.includes(true)) return undefined;
    const kept = new Uint8Array(darkening.isDark.length);
    fillComponents(kept, parts, 1, (label) => isOfProduct[label]!);
    const reach = dilate(kept, darkening, Math.ceil(penumbraShare * side));
    const shadow = keepBytes(darkening.alpha, reach);
    extendBelow(shadow, withTakenFringe(product, darkening), darkening);
    return enlarge(shadow, darkening, size);
  });
}

/** @returns by label of a dark part, whether it is the product's shadow, and not that of a thing that was removed */
function partsOfShadow(parts: Components, product: Uint8Array, darkening: Darkening): boolean[] {
  const { sizes, atBorder } = parts;
  const side = Math.max(darkening.width, darkening.height);
  const toProduct = nearestOf(parts, distanceToMask(product, darkening));
  const toOthers = nearestOf(parts, distanceToMask(withoutMarks(darkening.covered, product), darkening));
  const isCrease = creasesBeside(parts, product, darkening);
  return sizes.map((size, label) => {
    if (label === 0 || size < sizeShareMin * darkening.isDark.length || isCrease[label]) return false;
    const reach = (atBorder[label] ? contactShareMax : distanceShareMax) * side;
    return toProduct[label]! <= reach && toProduct[label]! <= toOthers[label]!;
  });
}

/** By label, the least distance of its cells. */
function nearestOf({ runs, sizes }: Components, distances: Uint8Array): number[] {
  const least = sizes.map(() => 255);
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    least[label] = Math.min(least[label]!, leastOf(distances, runs[at]!, runs[at + 1]!));
  }
  return least;
}

function leastOf(distances: Uint8Array, from: number, end: number): number {
  let least = 255;
  for (let i = from; i < end; i++) least = Math.min(least, distances[i]!);
  return least;
}

interface Extent {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const nowhere = (): Extent => ({ left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity });

function widen(extent: Extent, left: number, right: number, row: number): void {
  extent.left = Math.min(extent.left, left);
  extent.right = Math.max(extent.right, right);
  extent.top = Math.min(extent.top, row);
  extent.bottom = Math.max(extent.bottom, row + 1);
}

/** @returns by label, whether the part is a crease of the backdrop that ends at the product */
function creasesBeside({ runs, sizes }: Components, product: Uint8Array, { width, height }: Size): boolean[] {
  const own = nowhere();
  for (let y = 0; y < height; y++) {
    const row = product.subarray(y * width, (y + 1) * width);
    const first = row.indexOf(1);
    if (first !== -1) widen(own, first, row.lastIndexOf(1) + 1, y);
  }
  const extents = sizes.map(nowhere);
  const inside = sizes.map(() => 0);
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    const y = Math.floor(runs[at]! / width);
    const left = runs[at]! - y * width;
    const right = runs[at + 1]! - y * width;
    widen(extents[label]!, left, right, y);
    inside[label]! += Math.max(0, Math.min(right, own.right) - Math.max(left, own.left));
  }
  return extents.map(({ left, right, top, bottom }, label) => {
    const isStrip =
      bottom - top <= creaseHeightMax * Math.max(width, height) && right - left >= creaseAspectMin * (bottom - top);
    const isAboveFoot = bottom < own.bottom - creaseFootMin * (own.bottom - own.top);
    return isStrip && isAboveFoot && inside[label]! <= creaseInsideMax * sizes[label]!;
  });
}

/** What was first taken for product this near to it, in cells, and then for its shade, has no darkening of its own: the shadow goes on there. */
const fringeCells = 24;

/** The product's cells, and those close by that were taken for it when the darkening was measured. */
function withTakenFringe(product: Uint8Array, { covered, width, height }: Darkening): Uint8Array {
  const near = dilate(product, { width, height }, fringeCells);
  return joinMarks(product, onlyMarks(near, covered));
}

/** Gives the product's outer cells, from outside inward, the mean of their neighbors that have a value. */
function extendBelow(shadow: Uint8Array, product: Uint8Array, size: Size): void {
  const states = product.slice();
  const edge = listMarks(markEdge(product, size));
  const cells = countMarks(product);
  let rim = kernelIntegers(cells);
  let next = kernelIntegers(cells);
  let count = edge.length;
  rim.set(edge);
  for (let step = 0; step < belowCells; step++) {
    const values = kernelBytes(count);
    for (let i = 0; i < count; i++) values[i] = meanOfKnown(shadow, states, rim[i]!, size.width);
    for (let i = 0; i < count; i++) {
      shadow[rim[i]!] = values[i]!;
      states[rim[i]!] = knownState;
    }
    let found = 0;
    for (let i = 0; i < count; i++) found = addOpenNeighbors(next, found, states, rim[i]!, size.width);
    [rim, next] = [next, rim];
    count = found;
  }
}

const knownState = 0;
const openState = 1;
/** Open, and in the next rim. */
const nextState = 2;

function meanOfKnown(shadow: Uint8Array, states: Uint8Array, at: number, width: number): number {
  const x = at % width;
  let sum = 0;
  let count = 0;
  for (let side = 0; side < 4; side++) {
    const n = neighborOf(at, x, width, side);
    if (states[n] !== knownState) continue;
    sum += shadow[n]!;
    count++;
  }
  return Math.round(sum / count);
}

/** @returns how many cells the list has then */
function addOpenNeighbors(to: Int32Array, count: number, states: Uint8Array, at: number, width: number): number {
  const x = at % width;
  let found = count;
  for (let side = 0; side < 4; side++) {
    const n = neighborOf(at, x, width, side);
    if (states[n] !== openState) continue;
    states[n] = nextState;
    to[found++] = n;
  }
  return found;
}

/** Above, below, left or right; −1 where the row ends there, and beyond the plane above its first row or below its last. */
function neighborOf(at: number, x: number, width: number, side: number): number {
  if (side === 0) return at - width;
  if (side === 1) return at + width;
  if (side === 2) return x > 0 ? at - 1 : -1;
  return x < width - 1 ? at + 1 : -1;
}

/** Bilinear, because a shadow is smooth. */
function enlarge(plane: Uint8Array, grid: Size, size: Size): Uint8Array {
  const positions = samplePositions(size, grid);
  const { rowOf, down } = positions;
  const out = new Uint8Array(size.width * size.height);
  const line = new Float32Array(grid.width + 1);
  const spans = spansOf(plane, grid);
  for (let y = 0; y < size.height; y++) {
    const upper = 2 * (rowOf[y]! / grid.width);
    const lower = 2 * ((rowOf[y]! + down) / grid.width);
    const from = Math.min(spans[upper]!, spans[lower]!);
    const to = Math.max(spans[upper + 1]!, spans[lower + 1]!);
    if (from > to) continue;
    // On either side of what is not 0, a cell that is.
    const first = Math.max(0, from - 1);
    const last = Math.min(grid.width - 1, to + 1);
    mixRow(plane, positions, y, first, last, line);
    enlargeRow(line, positions, first, last, out.subarray(y * size.width, (y + 1) * size.width));
  }
  return out;
}

/** The first and the last cell of each row that is not 0; the first is beyond the last where all are. */
function spansOf(plane: Uint8Array, { width, height }: Size): Int32Array {
  const spans = new Int32Array(2 * height);
  for (let y = 0; y < height; y++) {
    let first = y * width;
    let last = first + width - 1;
    while (first <= last && plane[first] === 0) first++;
    while (last >= first && plane[last] === 0) last--;
    const isEmpty = first > last;
    spans[2 * y] = isEmpty ? width : first - y * width;
    spans[2 * y + 1] = isEmpty ? -1 : last - y * width;
  }
  return spans;
}

function mixRow(
  plane: Uint8Array,
  { rowOf, rowWeight, down }: SamplePositions,
  y: number,
  first: number,
  last: number,
  line: Float32Array,
): void {
  const row = rowOf[y]!;
  const weight = rowWeight[y]!;
  for (let x = first; x <= last; x++) {
    const upper = plane[row + x]!;
    line[x] = upper + (plane[row + x + down]! - upper) * weight;
  }
}

function enlargeRow(
  line: Float32Array,
  { colOf, colWeight, right }: SamplePositions,
  first: number,
  last: number,
  out: Uint8Array,
): void {
  let x = Math.max(0, Math.floor(((first - 1) * out.length) / (line.length - 1)));
  while (x < out.length && colOf[x]! < first) x++;
  for (; x < out.length && colOf[x]! <= last; x++) {
    const left = line[colOf[x]!]!;
    const next = colOf[x]! < last ? line[colOf[x]! + right]! : left;
    out[x] = left + (next - left) * colWeight[x]! + 0.5;
  }
}

/** The shadow as an image of its own: its pixels are made row by row, or when they are read. */
export function shadowImage(alpha: Uint8Array, { width, height }: Size): Image {
  const fillRow: FillRow = (y, { words }) => {
    // Little-endian, so that alpha is the highest byte.
    for (let x = 0; x < width; x++) words[x] = alpha[y * width + x]! << 24;
    return { first: 0, last: width };
  };
  let pixels: Uint8Array | undefined;
  return {
    width,
    height,
    channels: 4,
    fillRow,
    get pixels() {
      pixels ??= Uint8Array.from({ length: 4 * alpha.length }, (_, i) => ((i & 3) === 3 ? alpha[i >> 2]! : 0));
      return pixels;
    },
  };
}
