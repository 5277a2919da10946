/**
 * The shadow that a product casts in its photo, as black with alpha: how much darker than its plain backdrop the photo
 * is. The backdrop is known from the photo's border, and what is product from the matte; all else that is darker and
 * has the backdrop's hue is shadow.
 */

import { inKernelMemory } from "../kernels/kernel-memory.ts";
import { type Backdrop, backdropAlongRow, tintBeside } from "../matting/evidence/backdrop.ts";
import type { ScaledPhoto } from "../matting/evidence/work-grid.ts";
import { samplePositions } from "../pixels/bilinear.ts";
import { distanceToMask } from "../pixels/chessboard-distance.ts";
import { type Components, fillComponents, labelComponents, runStride } from "../pixels/connected-components.ts";
import type { Size } from "../pixels/geometry.ts";
import type { FillRow, Image } from "../pixels/image.ts";
import { rgbToLab } from "../pixels/lab.ts";
import { dilate, emptyMask, listMarks, markEdge, withoutMarks } from "../pixels/morphology.ts";

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

/** @param alpha the matte of all that the network takes for product, of `size` */
export function measureDarkening(reduced: ScaledPhoto, backdrop: Backdrop, alpha: Uint8Array, size: Size): Darkening {
  return inKernelMemory(() => {
    const { width, height, rgb } = reduced;
    const covered = coveredCells(alpha, size, reduced).slice();
    const lab = rgbToLab(rgb);
    const planes = { alpha: new Uint8Array(width * height), isDark: new Uint8Array(width * height), covered };
    const darkening = { width, height, ...planes };
    const fit = new Float32Array(3 * width);
    const least = Math.max(darknessMin, darknessPerResidual * backdrop.residual);
    for (let y = 0; y < height; y++) {
      backdropAlongRow(backdrop, (y + 0.5) / height, fit);
      compareRow(darkening, y * width, lab, fit, least);
    }
    return darkening;
  });
}

function compareRow(to: Darkening, row: number, lab: Float32Array, fit: Float32Array, least: number): void {
  const end = row + to.width;
  for (let at = row, x = 0; at < end; at++, x += 3) {
    if (to.covered[at] === 1) continue;
    const darkness = fit[x]! - lab[3 * at]!;
    if (darkness < least / 2) continue;
    if (tintBeside(lab, 3 * at, fit, x) > tintMax + tintShareMax * darkness) continue;
    const black = 1 - grayOf(lab[3 * at]!) / grayOf(fit[x]!);
    to.alpha[at] = Math.round(255 * black * Math.min(1, (2 * darkness) / least - 1));
    if (darkness >= least) to.isDark[at] = 1;
  }
}

/** The cells with alpha at their middle, and those close by. */
function coveredCells(alpha: Uint8Array, size: Size, { width, height }: Size): Uint8Array {
  const cells = emptyMask({ width, height });
  const columns = Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * size.width) / width));
  for (let y = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * size.height) / height) * size.width;
    markVisible(alpha.subarray(row, row + size.width), columns, cells, y * width);
  }
  return dilate(cells, { width, height }, mixedCells);
}

function markVisible(row: Uint8Array, columns: Int32Array, to: Uint8Array, at: number): void {
  for (let x = 0; x < columns.length; x++) if (row[columns[x]!]! >= visibleAlphaMin) to[at + x] = 1;
}

/** The value in sRGB, 0–1, of a gray with a lightness of Lab: black with alpha mixes such values. */
function grayOf(lightness: number): number {
  const t = (lightness + 16) / 116;
  const y = t > 6 / 29 ? t ** 3 : 3 * (6 / 29) ** 2 * (t - 4 / 29);
  return y <= 0.0031308 ? 12.92 * Math.max(0, y) : 1.055 * y ** (1 / 2.4) - 0.055;
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
    const shadow = new Uint8Array(reach.length);
    for (let i = 0; i < shadow.length; i++) if (reach[i] === 1) shadow[i] = darkening.alpha[i]!;
    extendBelow(shadow, withTakenFringe(product, darkening), darkening);
    return enlarge(shadow, darkening, size);
  });
}

/** @returns by label of a dark part, whether it is the product's shadow, and not that of a thing that was removed */
function partsOfShadow(parts: Components, product: Uint8Array, darkening: Darkening): boolean[] {
  const { runs, sizes, atBorder } = parts;
  const side = Math.max(darkening.width, darkening.height);
  const nearest = (distances: Uint8Array) => {
    const least = sizes.map(() => 255);
    for (let at = 0; at < runs.length; at += runStride) {
      const label = runs[at + 2]!;
      least[label] = Math.min(least[label]!, leastOf(distances, runs[at]!, runs[at + 1]!));
    }
    return least;
  };
  const toProduct = nearest(distanceToMask(product, darkening));
  const toOthers = nearest(distanceToMask(withoutMarks(darkening.covered, product), darkening));
  const isCrease = creasesBeside(parts, product, darkening);
  return sizes.map((size, label) => {
    if (label === 0 || size < sizeShareMin * darkening.isDark.length || isCrease[label]) return false;
    const reach = (atBorder[label] ? contactShareMax : distanceShareMax) * side;
    return toProduct[label]! <= reach && toProduct[label]! <= toOthers[label]!;
  });
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
  return product.map((own, i) => own | (near[i]! & covered[i]!));
}

/** Gives the product's outer cells, from outside inward, the mean of their neighbors that have a value. */
function extendBelow(shadow: Uint8Array, product: Uint8Array, { width, height }: Size): void {
  const size = { width, height };
  const isOpen = product.slice();
  const neighbors = (at: number) => {
    const x = at % width;
    const found = [at - width, at + width];
    if (x > 0) found.push(at - 1);
    if (x < width - 1) found.push(at + 1);
    return found.filter((n) => n >= 0 && n < width * height);
  };
  let rim = [...listMarks(markEdge(product, size))];
  for (let step = 0; step < belowCells; step++) {
    const values = rim.map((at) => {
      const known = neighbors(at).filter((n) => isOpen[n] === 0);
      return Math.round(known.reduce((sum, n) => sum + shadow[n]!, 0) / known.length);
    });
    for (const [n, at] of rim.entries()) {
      shadow[at] = values[n]!;
      isOpen[at] = 0;
    }
    rim = [...new Set(rim.flatMap((at) => neighbors(at).filter((n) => isOpen[n] === 1)))];
  }
}

/** Bilinear, because a shadow is smooth. */
function enlarge(plane: Uint8Array, grid: Size, size: Size): Uint8Array {
  const { colOf, colWeight, rowOf, rowWeight, right, down } = samplePositions(size, grid);
  const out = new Uint8Array(size.width * size.height);
  const line = new Float32Array(grid.width);
  for (let y = 0; y < size.height; y++) {
    let isEmpty = true;
    for (let x = 0; x < grid.width; x++) {
      const upper = plane[rowOf[y]! + x]!;
      line[x] = upper + (plane[rowOf[y]! + x + down]! - upper) * rowWeight[y]!;
      if (line[x]! > 0) isEmpty = false;
    }
    if (isEmpty) continue;
    for (let x = 0; x < size.width; x++) {
      const left = line[colOf[x]!]!;
      out[y * size.width + x] = left + (line[colOf[x]! + right]! - left) * colWeight[x]! + 0.5;
    }
  }
  return out;
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
