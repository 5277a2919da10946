/** Binary masks on a grid: growing, shrinking, distances and connected regions. Masks are u8, 0 or 1. */

import { growMask } from "./grow-mask.ts";
import type { Size } from "./resize.ts";

/** Chebyshev dilation by `radius` cells. */
export function dilate(mask: Uint8Array, size: Size, radius: number): Uint8Array {
  return growMask(mask, size, radius, 1);
}

/** Chebyshev erosion by `radius` cells; outside the picture counts as more of the same. */
export function erode(mask: Uint8Array, size: Size, radius: number): Uint8Array {
  return growMask(mask, size, radius, 0);
}

/** 1 where the mask is 0. */
export function inverted(mask: Uint8Array): Uint8Array {
  const out = new Uint8Array(mask.length);
  for (let i = 0; i < out.length; i++) out[i] = 1 - mask[i]!;
  return out;
}

export interface Regions {
  /** Region of each cell, from 1; 0 where the mask is 0. */
  readonly labels: Int32Array;
  /** Cells by region; entry 0 is unused. */
  readonly sizes: number[];
  /** Whether a region reaches the picture's border; entry 0 is unused. */
  readonly atBorder: boolean[];
}

/** 4-connected regions of the cells that are 1, joined run by run: a run of a row takes the label of one above it. */
export function regionsOf(mask: Uint8Array, { width, height }: Size): Regions {
  const labels = new Int32Array(mask.length);
  const roots = [0];
  const rootOf = (label: number): number => {
    let root = label;
    while (roots[root] !== root) root = roots[root] = roots[roots[root]!]!;
    return root;
  };
  for (let row = 0; row < mask.length; row += width) {
    for (let i = row; i < row + width; i++) {
      if (mask[i] === 0) continue;
      const above = row > 0 ? labels[i - width]! : 0;
      let label = i > row ? labels[i - 1]! : 0;
      if (label === 0) label = above;
      else if (above !== 0 && above !== label) {
        const [a, b] = [rootOf(above), rootOf(label)];
        roots[Math.max(a, b)] = Math.min(a, b);
      }
      if (label === 0) label = roots.push(roots.length) - 1;
      labels[i] = label;
    }
  }
  return numbered(
    labels,
    roots.map((_, label) => rootOf(label)),
    { width, height },
  );
}

/** Gives the joined labels numbers from 1 and counts their cells. */
function numbered(labels: Int32Array, roots: readonly number[], { width, height }: Size): Regions {
  const numbers = new Int32Array(roots.length);
  let count = 0;
  for (let label = 1; label < roots.length; label++) {
    numbers[label] = roots[label] === label ? ++count : numbers[roots[label]!]!;
  }
  const sizes = new Array<number>(count + 1).fill(0);
  const atBorder = new Array<boolean>(count + 1).fill(false);
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] === 0) continue;
    const number = numbers[labels[i]!]!;
    labels[i] = number;
    sizes[number]!++;
  }
  const touch = (i: number) => {
    if (labels[i] !== 0) atBorder[labels[i]!] = true;
  };
  for (let x = 0; x < width; x++) {
    touch(x);
    touch((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    touch(y * width);
    touch(y * width + width - 1);
  }
  return { labels, sizes, atBorder };
}

/**
 * Cells to the mask's edge (chamfer 1, √2), which runs half a cell before the first cell of the other kind: positive
 * inside, negative outside, cut at ±(`limit` − 0.5). The picture's border is no edge.
 */
export function signedDistance(mask: Uint8Array, size: Size, limit: number): Float32Array {
  const d = new Float32Array(mask.length).fill(limit);
  const near = cellsNearEdge(mask, size, Math.ceil(limit));
  const { width } = size;
  const diagonal = Math.SQRT2;
  // What lies beside a cell of the other kind is one step from it.
  const along = (at: number, to: number) => (mask[to] === mask[at] ? d[to]! : 0);
  for (let n = 0; n < near.length; n++) {
    const at = near[n]!;
    const x = at % width;
    let least = d[at]!;
    if (x > 0) least = Math.min(least, along(at, at - 1) + 1);
    if (at >= width) {
      least = Math.min(least, along(at, at - width) + 1);
      if (x > 0) least = Math.min(least, along(at, at - width - 1) + diagonal);
      if (x < width - 1) least = Math.min(least, along(at, at - width + 1) + diagonal);
    }
    d[at] = least;
  }
  for (let n = near.length - 1; n >= 0; n--) {
    const at = near[n]!;
    const x = at % width;
    let least = d[at]!;
    if (x < width - 1) least = Math.min(least, along(at, at + 1) + 1);
    if (at + width < d.length) {
      least = Math.min(least, along(at, at + width) + 1);
      if (x < width - 1) least = Math.min(least, along(at, at + width + 1) + diagonal);
      if (x > 0) least = Math.min(least, along(at, at + width - 1) + diagonal);
    }
    d[at] = least;
  }
  for (let i = 0; i < d.length; i++) d[i] = mask[i] === 1 ? d[i]! - 0.5 : 0.5 - d[i]!;
  return d;
}

/** In reading order; whatever is farther keeps the limit: most of the picture needs no look. */
function cellsNearEdge(mask: Uint8Array, size: Size, reach: number): Int32Array {
  const grown = dilate(mask, size, reach);
  const shrunk = erode(mask, size, reach);
  const cells = new Int32Array(mask.length);
  let count = 0;
  for (let i = 0; i < mask.length; i++) if (grown[i] !== shrunk[i]) cells[count++] = i;
  return cells.subarray(0, count);
}
