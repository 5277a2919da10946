/**
 * Lettering that an image model has painted beside the product: marks in one line, of one height, stroke and brightness, whose shapes
 * differ. The last is what tells letters from tiles, slats, leaves and lamps, which repeat themselves (bench/generative/lettering.ts).
 * Script whose letters touch, lines that are not level and single signs are not known.
 */
import { inKernelMemory } from "../../imaging/kernels/kernel-memory.ts";
import { labelComponents, runStride } from "../../imaging/pixels/connected-components.ts";
import type { Size } from "../../imaging/pixels/geometry.ts";
import { dilate } from "../../imaging/pixels/morphology.ts";

export interface PaintedPicture extends Size {
  /** Three bytes a pixel. */
  readonly rgb: Uint8Array;
}

/** A mark as a letter may be, in pixels. */
interface Mark {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
  /** Mean width of its strokes. */
  readonly stroke: number;
  /** Mean brightness, of 255. */
  readonly tone: number;
  /** How full each cell of a grid over its box is, by rows. */
  readonly shape: Float32Array;
}

/** Half the sides of the squares whose mean a pixel is compared to: for small letters and for large ones. */
const reaches = [14, 40] as const;
/** A pixel of a mark differs from that mean by more than this, of 255. */
const contrastMin = 14;
/** The product's edge is no mark: so many pixels around it are left out. */
const clearance = 8;
const heightMin = 7;
/** A share of the picture's longer side. */
const heightShareMax = 0.145;
const pixelsMin = 12;
/** Width of a mark by its height. */
const widthMin = 0.08;
const widthMax = 2.2;
/** Width of a stroke by the height of its mark. */
const strokeMax = 0.35;
/** The side of the grid over a mark's box. */
const shapeSide = 4;

/** Letters of a line are alike by these factors, differences of 255, and shares of the first one's height. */
const heightFactorMax = 1.35;
const strokeFactorMax = 1.6;
const toneDifferenceMax = 30;
const offLineMax = 0.2;
const gapMax = 1;
const overlapMax = 0.1;
/** Cells of two neighbors differ by this on average: less is a pattern. */
const unlikeMin = 0.12;
/** Longer lines are no longer followed. */
const lineMax = 60;
/** More marks of one kind are a texture: what would be found in it is chance. */
const marksMax = 4_000;

/**
 * How many letters the longest line beside the product has; 0: there are no two that are alike.
 *
 * @param alpha the product's, one byte a pixel
 */
export function longestLine(picture: PaintedPicture, alpha: Uint8Array): number {
  const luma = lumaOf(picture);
  const sums = sumsOf(luma, picture);
  const visible = alpha.map((value) => (value > 0 ? 1 : 0));
  const hidden = inKernelMemory(() => dilate(visible, picture, clearance).slice());
  let longest = 0;
  for (const reach of reaches) {
    const means = meansOf(sums, picture, reach);
    for (const sign of [-1, 1]) {
      const mask = luma.map((value, at) => (hidden[at] === 0 && sign * (value - means[at]!) > contrastMin ? 1 : 0));
      longest = Math.max(longest, longestOf(marksOf(mask, luma, picture)));
    }
  }
  return longest;
}

function lumaOf({ rgb, width, height }: PaintedPicture): Uint8Array {
  const luma = new Uint8Array(width * height);
  for (let at = 0; at < luma.length; at++)
    luma[at] = (77 * rgb[3 * at]! + 150 * rgb[3 * at + 1]! + 29 * rgb[3 * at + 2]!) >> 8;
  return luma;
}

/** The sum of all pixels above and to the left, with a row and a column of zeros before them. */
function sumsOf(luma: Uint8Array, { width, height }: Size): Uint32Array {
  const stride = width + 1;
  const sums = new Uint32Array(stride * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += luma[y * width + x]!;
      sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1]! + row;
    }
  }
  return sums;
}

function meansOf(sums: Uint32Array, { width, height }: Size, reach: number): Float32Array {
  const stride = width + 1;
  const means = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const above = Math.max(0, y - reach);
    const below = Math.min(height, y + reach + 1);
    for (let x = 0; x < width; x++) {
      const before = Math.max(0, x - reach);
      const after = Math.min(width, x + reach + 1);
      const lower = sums[below * stride + after]! - sums[below * stride + before]!;
      const upper = sums[above * stride + after]! - sums[above * stride + before]!;
      means[y * width + x] = (lower - upper) / ((below - above) * (after - before));
    }
  }
  return means;
}

/** Runs of one component, as [first pixel, end]. */
type Runs = (readonly [number, number])[];

function marksOf(mask: Uint8Array, luma: Uint8Array, size: Size): Mark[] {
  const { runs, sizes, atBorder } = labelComponents(mask, size);
  const ofLabel: Runs[] = sizes.map(() => []);
  for (let run = 0; run < runs.length; run += runStride) ofLabel[runs[run + 2]!]!.push([runs[run]!, runs[run + 1]!]);
  const marks: Mark[] = [];
  for (let label = 1; label < sizes.length; label++) {
    if (atBorder[label] || sizes[label]! < pixelsMin) continue;
    const mark = markOf(ofLabel[label]!, sizes[label]!, { mask, luma, size });
    if (mark !== undefined) marks.push(mark);
  }
  return marks;
}

interface Seen {
  readonly mask: Uint8Array;
  readonly luma: Uint8Array;
  readonly size: Size;
}

/** undefined: it has not the shape of a letter. */
function markOf(
  runs: Runs,
  pixels: number,
  { mask, luma, size: { width: side, height: rows } }: Seen,
): Mark | undefined {
  const columns = runs.flatMap(([from, end]) => [from % side, (end - 1) % side]);
  const left = columns.reduce((least, x) => Math.min(least, x));
  const right = columns.reduce((most, x) => Math.max(most, x));
  const top = Math.floor(runs[0]![0] / side);
  const bottom = Math.floor(runs.at(-1)![0] / side);
  const width = right - left + 1;
  const height = bottom - top + 1;
  if (height < heightMin || height > heightShareMax * Math.max(side, rows)) return undefined;
  if (width > widthMax * height || width < widthMin * height) return undefined;
  const shape = new Float32Array(shapeSide * shapeSide);
  const cell = shape.length / (width * height);
  let outline = 2 * runs.length;
  let light = 0;
  for (const [from, end] of runs) {
    const shapeRow = shapeSide * Math.floor((shapeSide * (Math.floor(from / side) - top)) / height);
    for (let at = from; at < end; at++) {
      outline += 2 - mask[at - side]! - mask[at + side]!;
      light += luma[at]!;
      shape[shapeRow + Math.floor((shapeSide * ((at % side) - left)) / width)]! += cell;
    }
  }
  const stroke = (2 * pixels) / outline;
  if (stroke > strokeMax * height) return undefined;
  return { left, right, top, bottom, height, stroke, tone: light / pixels, shape };
}

function longestOf(marks: readonly Mark[]): number {
  if (marks.length > marksMax) return 0;
  const ordered = marks.toSorted((a, b) => a.left - b.left);
  let longest = 0;
  for (const index of ordered.keys()) {
    const line = followLine(ordered, index);
    if (line.length > Math.max(1, longest) && differenceIn(line) >= unlikeMin) longest = line.length;
  }
  return longest;
}

/** The nearest mark to the right that is like it, again and again. */
function followLine(ordered: readonly Mark[], from: number): Mark[] {
  const first = ordered[from]!;
  const line = [first];
  for (let at = from + 1; at < ordered.length; at++) {
    const mark = ordered[at]!;
    const last = line.at(-1)!;
    if (line.length === lineMax || mark.left - last.right > gapMax * first.height) break;
    if (isNext(first, last, mark)) line.push(mark);
  }
  return line;
}

function isNext(first: Mark, last: Mark, next: Mark): boolean {
  const off = offLineMax * first.height;
  return (
    next.left - last.right >= -overlapMax * first.height &&
    Math.abs(next.bottom - last.bottom) <= off &&
    Math.abs(next.top - last.top) <= off &&
    isWithin(next.height, first.height, heightFactorMax) &&
    isWithin(next.stroke, first.stroke, strokeFactorMax) &&
    Math.abs(next.tone - first.tone) <= toneDifferenceMax
  );
}

function isWithin(one: number, other: number, factor: number): boolean {
  return Math.max(one, other) <= factor * Math.min(one, other);
}

/** The mean difference of neighbors in the cells of their shapes. */
function differenceIn(line: readonly Mark[]): number {
  let sum = 0;
  for (const [index, { shape }] of line.slice(1).entries()) {
    const before = line[index]!.shape;
    for (const [cell, share] of shape.entries()) sum += Math.abs(share - before[cell]!) / shape.length;
  }
  return sum / (line.length - 1);
}
