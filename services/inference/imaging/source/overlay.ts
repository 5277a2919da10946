/**
 * Watermarks and other lettering over a photo, by what of it lies on the plain ground beside the product: marks of one color and size
 * that stand in rows. What lies on the product only is not known, because products have lettering of their own.
 */

import { findGroundMarks, type Mark, type SeenPhoto } from "./ground-marks.ts";

/** From so many on, marks in a row are letters. */
const rowMin = 5;
/** Longer rows are followed in parts. */
const rowMax = 40;
/** So many of one kind are looked at; more are a pattern. */
const lettersMax = 500;
/** Distances from the middle of a letter to that of the next, and from the row's line, in sizes of a letter. */
const stepMin = 0.4;
const stepMax = 1.9;
const offLineMax = 0.3;
/** Letters of a row differ by these factors at most. */
const sizeFactorMax = 1.7;
const contrastFactorMax = 1.4;

/** The share of the marks on the ground that stands in rows, as letters do, 0–1; undefined: no plain ground is seen. */
export function measureOverlay(photo: SeenPhoto, alpha: Uint8Array): number | undefined {
  const found = findGroundMarks(photo, alpha);
  if (found === undefined) return undefined;
  const { letters, lighter, darker } = found;
  const shareOf = (isLighter: boolean, marks: number) => lettersInRows(ofKind(letters, isLighter)) / Math.max(1, marks);
  return Math.max(shareOf(true, lighter), shareOf(false, darker));
}

const ofKind = (letters: readonly Mark[], isLighter: boolean) =>
  letters.filter(({ contrast }) => contrast > 0 === isLighter).slice(0, lettersMax);

function lettersInRows(letters: readonly Mark[]): number {
  const neighbors = findNeighbors(letters);
  const inRows = new Set<Mark>();
  for (const first of letters) {
    for (const second of neighbors.get(first)!) {
      const row = followRow(first, second, neighbors);
      if (row.length >= rowMin) for (const letter of row) inRows.add(letter);
    }
  }
  return inRows.size;
}

/** The letters that may come next to each one, in the order of `letters`. */
function findNeighbors(letters: readonly Mark[]): ReadonlyMap<Mark, readonly Mark[]> {
  const order = new Map(letters.map((letter, n) => [letter, n]));
  const byColumn = letters.toSorted((a, b) => a.x - b.x);
  const columns = Float64Array.from(byColumn, ({ x }) => x);
  const neighbors = new Map<Mark, Mark[]>();
  for (const letter of letters) {
    // No letter that is alike is larger than this factor says.
    const reach = stepMax * sizeFactorMax * letter.size;
    const found: Mark[] = [];
    for (let n = firstFrom(columns, letter.x - reach); n < columns.length && columns[n]! <= letter.x + reach; n++) {
      if (isNext(letter, byColumn[n]!)) found.push(byColumn[n]!);
    }
    neighbors.set(
      letter,
      found.sort((a, b) => order.get(a)! - order.get(b)!),
    );
  }
  return neighbors;
}

/** The first of the numbers, which rise, that is not below `least`. */
function firstFrom(numbers: Float64Array, least: number): number {
  let first = 0;
  let end = numbers.length;
  while (first < end) {
    const middle = (first + end) >> 1;
    if (numbers[middle]! < least) first = middle + 1;
    else end = middle;
  }
  return first;
}

function isNext(a: Mark, b: Mark): boolean {
  if (a === b || !isAlike(a, b)) return false;
  const distance = Math.hypot(b.x - a.x, b.y - a.y);
  return distance >= stepMin * a.size && distance <= stepMax * Math.max(a.size, b.size);
}

function isAlike(a: Mark, b: Mark): boolean {
  return (
    isWithin(a.size, b.size, sizeFactorMax) && isWithin(Math.abs(a.contrast), Math.abs(b.contrast), contrastFactorMax)
  );
}

function isWithin(one: number, other: number, factor: number): boolean {
  return Math.max(one, other) <= factor * Math.min(one, other);
}

/** All letters on the line from the first through the second. */
function followRow(first: Mark, second: Mark, neighbors: ReadonlyMap<Mark, readonly Mark[]>): Mark[] {
  const length = Math.hypot(second.x - first.x, second.y - first.y);
  const alongX = (second.x - first.x) / length;
  const alongY = (second.y - first.y) / length;
  const row = [first, second];
  for (let last = second; row.length < rowMax; ) {
    let next: Mark | undefined;
    let nearest = Number.POSITIVE_INFINITY;
    for (const mark of neighbors.get(last)!) {
      const step = (mark.x - last.x) * alongX + (mark.y - last.y) * alongY;
      const offLine = Math.abs((mark.x - first.x) * alongY - (mark.y - first.y) * alongX);
      const follows = step >= stepMin * last.size && step <= stepMax * last.size && offLine <= offLineMax * last.size;
      if (!follows || step >= nearest || !isAlike(first, mark)) continue;
      next = mark;
      nearest = step;
    }
    if (next === undefined) return row;
    last = next;
    row.push(last);
  }
  return row;
}
