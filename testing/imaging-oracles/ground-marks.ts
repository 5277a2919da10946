/** Marks on the ground beside the product: small spots that are lighter or darker than what is around them, on a coarse grid. */

import type { Photo } from "../../services/inference/imaging/pixels/photo.ts";

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

interface Ground {
  readonly width: number;
  readonly height: number;
  readonly luma: Uint8Array;
  /** 1: the product. */
  readonly product: Uint8Array;
}

/** undefined: too little of the ground is seen, or it is not plain. */
export function findGroundMarks(photo: Photo, alpha: Uint8Array): GroundMarks | undefined {
  const reduced = reduceGround(photo, alpha);
  const ground = { ...reduced, product: withoutSmallParts(reduced) };
  const contrasts = contrastsOf(ground);
  return contrasts === undefined ? undefined : collectMarks(ground, contrasts);
}

/** Each cell is the mean of two of its pixels. */
function reduceGround({ rgb, width: photoWidth, height: photoHeight }: Photo, alpha: Uint8Array): Ground {
  const scale = Math.max(1, Math.max(photoWidth, photoHeight) / cellsMax);
  const width = Math.max(1, Math.floor(photoWidth / scale));
  const height = Math.max(1, Math.floor(photoHeight / scale));
  const luma = new Uint8Array(width * height);
  const product = new Uint8Array(width * height);
  const columns = Int32Array.from({ length: 2 * width }, (_, n) => Math.floor((n / 2 + 0.25) * scale));
  for (let y = 0; y < height; y++) {
    const upper = Math.floor((y + 0.25) * scale) * photoWidth;
    const lower = Math.floor((y + 0.75) * scale) * photoWidth;
    for (let x = 0; x < width; x++) {
      const a = upper + columns[2 * x]!;
      const b = lower + columns[2 * x + 1]!;
      const red = rgb[3 * a]! + rgb[3 * b]!;
      const green = rgb[3 * a + 1]! + rgb[3 * b + 1]!;
      const blue = rgb[3 * a + 2]! + rgb[3 * b + 2]!;
      luma[y * width + x] = (red + 2 * green + blue) >> 3;
      product[y * width + x] = alpha[a]! > alphaMax || alpha[b]! > alphaMax ? 1 : 0;
    }
  }
  return { width, height, luma, product };
}

/** A smaller part of the cut-out, as a share of its largest, may be a word. */
const partShareMin = 0.1;

/** On a plain ground a cut-out has whatever is not ground, words over the photo too: they are left in the ground. */
function withoutSmallParts({ width, height, product }: Ground): Uint8Array {
  const left = product.slice();
  /** The cells of all parts, one part after the other. */
  const cells = new Int32Array(product.length);
  const ends: number[] = [];
  let found = 0;
  const take = (cell: number) => {
    if (left[cell] === 0) return;
    left[cell] = 0;
    cells[found++] = cell;
  };
  for (let first = left.indexOf(1); first >= 0; first = left.indexOf(1, first)) {
    let next = found;
    take(first);
    for (; next < found; next++) {
      const cell = cells[next]!;
      const x = cell % width;
      if (x > 0) take(cell - 1);
      if (x < width - 1) take(cell + 1);
      if (cell >= width) take(cell - width);
      if (cell < width * (height - 1)) take(cell + width);
    }
    ends.push(found);
  }
  const parts = ends.map((end, part) => cells.subarray(ends[part - 1] ?? 0, end));
  const largest = Math.max(0, ...parts.map((part) => part.length));
  for (const part of parts) if (part.length >= partShareMin * largest) for (const cell of part) left[cell] = 1;
  return left;
}

/** The difference of each cell of the ground from the mean of the ground around it, where it is a mark; else 0. */
function contrastsOf({ width, height, luma, product }: Ground): Float32Array | undefined {
  const stride = width + 1;
  const sums = new Int32Array(stride * (height + 1));
  const counts = new Int32Array(stride * (height + 1));
  for (let y = 0; y < height; y++) {
    let sum = 0;
    let count = 0;
    for (let x = 0; x < width; x++) {
      if (product[y * width + x] === 0) {
        sum += luma[y * width + x]!;
        count += 1;
      }
      const at = (y + 1) * stride + x + 1;
      sums[at] = sums[at - stride]! + sum;
      counts[at] = counts[at - stride]! + count;
    }
  }
  const contrasts = new Float32Array(width * height);
  let ground = 0;
  let marked = 0;
  for (let y = 0; y < height; y++) {
    const top = stride * Math.max(0, y - reach);
    const bottom = stride * Math.min(height, y + reach + 1);
    const topNear = stride * Math.max(0, y - clearance);
    const bottomNear = stride * Math.min(height, y + clearance + 1);
    for (let x = 0; x < width; x++) {
      const leftNear = Math.max(0, x - clearance);
      const rightNear = Math.min(width, x + clearance + 1);
      const near = square(counts, topNear, bottomNear, leftNear, rightNear);
      if (near * stride < (rightNear - leftNear) * (bottomNear - topNear)) continue;
      ground += 1;
      const left = Math.max(0, x - reach);
      const right = Math.min(width, x + reach + 1);
      const mean = square(sums, top, bottom, left, right) / square(counts, top, bottom, left, right);
      const contrast = luma[y * width + x]! - mean;
      if (Math.abs(contrast) < contrastMin) continue;
      contrasts[y * width + x] = contrast;
      marked += 1;
    }
  }
  return ground < groundCellsMin || marked > busyShareMax * ground ? undefined : contrasts;
}

/** The sum over a rectangle, of a table of sums. Rows are given by their first entry. */
function square(table: Int32Array, top: number, bottom: number, left: number, right: number): number {
  return table[bottom + right]! - table[top + right]! - table[bottom + left]! + table[top + left]!;
}

function collectMarks({ width, height }: Ground, contrasts: Float32Array): GroundMarks {
  const letters: Mark[] = [];
  const counts = { lighter: 0, darker: 0 };
  const stack = new Int32Array(contrasts.length);
  for (let first = 0; first < contrasts.length; first++) {
    const sign = Math.sign(contrasts[first]!);
    if (sign === 0) continue;
    const spot = createSpot();
    let waiting = 0;
    const take = (at: number) => {
      spot.add(at % width, Math.floor(at / width), contrasts[at]!);
      contrasts[at] = 0;
      stack[waiting++] = at;
    };
    take(first);
    while (waiting > 0) {
      const at = stack[--waiting]!;
      const x = at % width;
      const y = (at - x) / width;
      for (let beside = Math.max(0, y - 1); beside <= Math.min(height - 1, y + 1); beside++) {
        for (let next = Math.max(0, x - 1); next <= Math.min(width - 1, x + 1); next++) {
          const neighbor = beside * width + next;
          if (contrasts[neighbor]! * sign > 0) take(neighbor);
        }
      }
    }
    if (spot.cells() < markCellsMin) continue;
    counts[sign > 0 ? "lighter" : "darker"] += 1;
    const letter = spot.letter();
    if (letter !== undefined) letters.push(letter);
  }
  return { letters, ...counts };
}

const letterSizeMin = 7;
const letterSizeMax = 70;
/** What a letter covers of its box. */
const coverMin = 0.12;
const coverMax = 0.85;
/** A letter has one color: its contrast varies by less than this share. */
const spreadMax = 0.6;

/** A mark while its cells are found. */
function createSpot() {
  let cells = 0;
  let sum = 0;
  let squares = 0;
  let left = Number.POSITIVE_INFINITY;
  let right = 0;
  let top = Number.POSITIVE_INFINITY;
  let bottom = 0;
  return {
    cells: () => cells,
    add(x: number, y: number, contrast: number): void {
      cells += 1;
      sum += contrast;
      squares += contrast * contrast;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    },
    /** undefined: it has not the shape of one. */
    letter(): Mark | undefined {
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
    },
  };
}
