/** Marks on the ground beside the product: small spots that are lighter or darker than what is around them, on a coarse grid. */

import {
  addressOf,
  inKernelMemory,
  kernelBytes,
  kernelFloats,
  kernelIntegers,
  kernelMemory,
  reserve,
} from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import { fillComponents, labelComponents } from "../pixels/connected-components.ts";
import type { Size } from "../pixels/geometry.ts";
import { dilate } from "../pixels/morphology.ts";
import type { Photo } from "../pixels/photo.ts";

export type SeenPhoto = Pick<Photo, "rgb" | "width" | "height">;

export interface Mark {
  /** The middle of its box, and the longer side of that, in cells. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Mean difference from what is around it, of 255; below 0 it is darker. */
  readonly contrast: number;
}

export interface GroundMarks {
  /** Those that have the shape of a letter. */
  readonly letters: readonly Mark[];
  /** How many lighter and darker marks there are, of any shape. */
  readonly lighter: number;
  readonly darker: number;
}

/** The longer side of the grid. */
const cellsMax = 640;
/** A ground on which more than this share is marks is none on which letters could be told from a pattern. */
const busyShareMax = 0.3;
/** With fewer cells there is no ground to speak of. */
const groundCellsMin = 2_000;
const alphaMax = 12;
/** Edges of the product and its shadow are no marks: so many cells around it are left out. */
const clearance = 8;
/** Half the side of the square whose mean is what is around a mark. */
const reach = 11;
const contrastMin = 4;
const markCellsMin = 10;

/** A plane of cells, in the kernels' memory. */
interface Ground extends Size {
  readonly luma: Uint8Array;
  /** 1: the product. */
  readonly product: Uint8Array;
}

/** undefined: too little of the ground is seen, or it is not plain. */
export function findGroundMarks(photo: SeenPhoto, alpha: Uint8Array): GroundMarks | undefined {
  return inKernelMemory(() => {
    const ground = reduceGround(photo, alpha);
    clearSmallParts(ground);
    const contrasts = contrastsOf(ground);
    return contrasts === undefined ? undefined : collectMarks(ground, contrasts);
  });
}

/** Each cell is the mean of two of its pixels. */
function reduceGround({ rgb, width: photoWidth, height: photoHeight }: SeenPhoto, alpha: Uint8Array): Ground {
  const scale = Math.max(1, Math.max(photoWidth, photoHeight) / cellsMax);
  const width = Math.max(1, Math.floor(photoWidth / scale));
  const height = Math.max(1, Math.floor(photoHeight / scale));
  const luma = kernelBytes(width * height);
  const product = kernelBytes(width * height);
  const columns = addressOf(Int32Array.from({ length: 2 * width }, (_, n) => Math.floor((n / 2 + 0.25) * scale)));
  const upper = kernelBytes(3 * photoWidth);
  const lower = kernelBytes(3 * photoWidth);
  const upperAlpha = kernelBytes(photoWidth);
  const lowerAlpha = kernelBytes(photoWidth);
  const copyRow = (y: number, colors: Uint8Array, matte: Uint8Array) => {
    const first = Math.floor(y * scale) * photoWidth;
    colors.set(rgb.subarray(3 * first, 3 * (first + photoWidth)));
    matte.set(alpha.subarray(first, first + photoWidth));
  };
  for (let y = 0; y < height; y++) {
    copyRow(y + 0.25, upper, upperAlpha);
    copyRow(y + 0.75, lower, lowerAlpha);
    kernels.reduceGroundRow(
      upper.byteOffset,
      lower.byteOffset,
      upperAlpha.byteOffset,
      lowerAlpha.byteOffset,
      columns,
      width,
      alphaMax,
      luma.byteOffset + y * width,
      product.byteOffset + y * width,
    );
  }
  return { width, height, luma, product };
}

/** A smaller part of the cut-out, as a share of its largest, may be a word. */
const partShareMin = 0.1;

/** On a plain ground a cut-out has whatever is not ground, words over the photo too: they are left in the ground. */
function clearSmallParts(ground: Ground): void {
  const parts = labelComponents(ground.product, ground);
  const largest = parts.sizes.reduce((most, cells) => Math.max(most, cells), 0);
  fillComponents(ground.product, parts, 0, (part) => parts.sizes[part]! < partShareMin * largest);
}

/**
 * The difference of each cell of the ground from the mean of the ground around it, where it is a mark; else 0. Around the plane is
 * a margin of one cell. undefined: the ground is not plain, or not seen.
 */
function contrastsOf({ width, height, luma, product }: Ground): Float32Array | undefined {
  const near = dilate(product, { width, height }, clearance);
  const contrasts = kernelFloats((width + 2) * (height + 2));
  kernels.clear(contrasts.byteOffset, contrasts.byteLength);
  const counts = kernelIntegers(2);
  kernels.contrastsOfGround(
    luma.byteOffset,
    product.byteOffset,
    near.byteOffset,
    width,
    height,
    reach,
    contrastMin,
    reserve(4 * width),
    reserve(4 * (width + 2 * reach + 1)),
    contrasts.byteOffset,
    counts.byteOffset,
  );
  const ground = counts[0]!;
  const marked = counts[1]!;
  return ground < groundCellsMin || marked > busyShareMax * ground ? undefined : contrasts;
}

const markBytes = 40;

function collectMarks({ width, height }: Ground, contrasts: Float32Array): GroundMarks {
  const letters: Mark[] = [];
  const counts = { lighter: 0, darker: 0 };
  const marks = reserve(markBytes * (1 + Math.ceil(contrasts.length / markCellsMin)));
  const stack = reserve(8 * width * height);
  const found = kernels.collectMarks(contrasts.byteOffset, width, height, markCellsMin, stack, marks);
  for (let mark = 0; mark < found; mark++) {
    const spot = readSpot(marks + mark * markBytes);
    counts[spot.sum > 0 ? "lighter" : "darker"] += 1;
    const letter = letterOf(spot);
    if (letter !== undefined) letters.push(letter);
  }
  return { letters, ...counts };
}

/** Neighbors that differ in one direction: their box, and the sums of their contrasts and of the squares of these. */
interface Spot {
  readonly cells: number;
  readonly sum: number;
  readonly squares: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function readSpot(at: number): Spot {
  const view = new DataView(kernelMemory.buffer, at, markBytes);
  const integer = (offset: number) => view.getInt32(offset, true);
  return {
    cells: integer(32),
    sum: view.getFloat64(0, true),
    squares: view.getFloat64(8, true),
    left: integer(16),
    right: integer(20),
    top: integer(24),
    bottom: integer(28),
  };
}

const letterSizeMin = 7;
const letterSizeMax = 70;
/** What a letter covers of its box. */
const coverMin = 0.12;
const coverMax = 0.85;
/** A letter has one color: its contrast varies by less than this share. */
const spreadMax = 0.6;

/** undefined: it has not the shape of one. */
function letterOf({ cells, sum, squares, left, right, top, bottom }: Spot): Mark | undefined {
  const across = right - left + 1;
  const down = bottom - top + 1;
  const size = Math.max(across, down);
  const cover = cells / (across * down);
  const contrast = sum / cells;
  const spread = Math.sqrt(Math.max(0, squares / cells - contrast * contrast));
  const isLetter =
    size >= letterSizeMin &&
    size <= letterSizeMax &&
    cover >= coverMin &&
    cover <= coverMax &&
    spread < spreadMax * Math.abs(contrast);
  return isLetter ? { x: (left + right) / 2, y: (top + bottom) / 2, size, contrast } : undefined;
}
