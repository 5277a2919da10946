/** Binary masks on a grid: growing, shrinking, distances and connected regions. Masks are u8, 0 or 1. */

import type { Size } from "./resize.ts";

/** Chebyshev dilation by `radius` cells. */
export function dilate(mask: Uint8Array, size: Size, radius: number): Uint8Array {
  return spread(mask, size, radius, 1);
}

/** Chebyshev erosion by `radius` cells; outside the picture counts as more of the same. */
export function erode(mask: Uint8Array, size: Size, radius: number): Uint8Array {
  return spread(mask, size, radius, 0);
}

/** Marks every cell within `radius` of a cell of `value`; the others keep the other value. */
function spread(mask: Uint8Array, { width, height }: Size, radius: number, value: 0 | 1): Uint8Array {
  if (radius < 1) return mask.slice();
  const across = new Uint8Array(mask.length).fill(1 - value);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let until = -1;
    for (let x = 0; x < width; x++) {
      if (mask[row + x] !== value) continue;
      const to = Math.min(width - 1, x + radius);
      for (let k = Math.max(until + 1, x - radius); k <= to; k++) across[row + k] = value;
      until = to;
    }
  }
  const out = new Uint8Array(mask.length).fill(1 - value);
  const until = new Int32Array(width).fill(-1);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const to = Math.min(height - 1, y + radius);
    for (let x = 0; x < width; x++) {
      if (across[row + x] !== value) continue;
      for (let k = Math.max(until[x]! + 1, y - radius); k <= to; k++) out[k * width + x] = value;
      until[x] = to;
    }
  }
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

/** 4-connected regions of the cells that are 1. */
export function regionsOf(mask: Uint8Array, { width, height }: Size): Regions {
  const labels = new Int32Array(mask.length);
  const sizes = [0];
  const atBorder = [false];
  const stack = new Int32Array(mask.length);
  for (let start = 0; start < mask.length; start++) {
    if (mask[start] === 0 || labels[start] !== 0) continue;
    const label = sizes.length;
    let depth = 0;
    let cells = 0;
    let touches = false;
    labels[start] = label;
    stack[depth++] = start;
    while (depth > 0) {
      const at = stack[--depth]!;
      cells++;
      const x = at % width;
      if (x > 0) depth = push(at - 1, depth);
      else touches = true;
      if (x < width - 1) depth = push(at + 1, depth);
      else touches = true;
      if (at >= width) depth = push(at - width, depth);
      else touches = true;
      if (at < width * (height - 1)) depth = push(at + width, depth);
      else touches = true;
    }
    sizes.push(cells);
    atBorder.push(touches);
    function push(to: number, depth: number): number {
      if (mask[to] === 0 || labels[to] !== 0) return depth;
      labels[to] = label;
      stack[depth] = to;
      return depth + 1;
    }
  }
  return { labels, sizes, atBorder };
}

/**
 * Distance of each cell of 1 to the nearest 0, in cells (chamfer 1, √2), cut at `limit`; 0 elsewhere.
 * The picture's border is no edge.
 */
export function distanceInside(mask: Uint8Array, { width, height }: Size, limit: number): Float32Array {
  const d = new Float32Array(mask.length);
  for (let i = 0; i < d.length; i++) d[i] = mask[i] === 0 ? 0 : limit;
  const diagonal = Math.SQRT2;
  const relax = (at: number, to: number, step: number) => {
    if (d[to]! + step < d[at]!) d[at] = d[to]! + step;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (d[at] === 0) continue;
      if (x > 0) relax(at, at - 1, 1);
      if (y > 0) {
        relax(at, at - width, 1);
        if (x > 0) relax(at, at - width - 1, diagonal);
        if (x < width - 1) relax(at, at - width + 1, diagonal);
      }
    }
  }
  for (let y = height - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--) {
      const at = y * width + x;
      if (d[at] === 0) continue;
      if (x < width - 1) relax(at, at + 1, 1);
      if (y < height - 1) {
        relax(at, at + width, 1);
        if (x < width - 1) relax(at, at + width + 1, diagonal);
        if (x > 0) relax(at, at + width - 1, diagonal);
      }
    }
  }
  return d;
}
