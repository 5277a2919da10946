/** Gaps of a network's matte, filled as water fills a landscape. */

import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";

/** Raises each cell to the lowest level over which it is reached from the border. */
export function fillGaps(plane: Uint8Array, { width, height }: Size): Uint8Array {
  const filled = new Uint8Array(plane.length);
  const isReached = new Uint8Array(plane.length);
  /** The cell that waits on each level and was put there last, and behind each cell the one before it; −1: none. */
  const last = new Int32Array(256).fill(-1);
  const before = new Int32Array(plane.length);
  const reach = (cell: number, level: number) => {
    if (isReached[cell] === 1) return;
    isReached[cell] = 1;
    const to = Math.max(level, plane[cell]!);
    filled[cell] = to;
    before[cell] = last[to]!;
    last[to] = cell;
  };
  for (let x = 0; x < width; x++) {
    reach(x, 0);
    reach((height - 1) * width + x, 0);
  }
  for (let y = 0; y < height; y++) {
    reach(y * width, 0);
    reach(y * width + width - 1, 0);
  }
  for (let level = 0; level < last.length; level++) {
    // No neighbor is put below this level, so each level is emptied once.
    for (let cell = last[level]!; cell >= 0; cell = last[level]!) {
      last[level] = before[cell]!;
      const x = cell % width;
      if (x > 0) reach(cell - 1, level);
      if (x < width - 1) reach(cell + 1, level);
      if (cell >= width) reach(cell - width, level);
      if (cell < plane.length - width) reach(cell + width, level);
    }
  }
  return filled;
}
