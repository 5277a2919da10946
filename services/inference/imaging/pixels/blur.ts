import { inKernelMemory, kernelDoubles, kernelFloats } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";

/** Cells that are filtered at once: the plane of a small product in a huge image is too large for the kernels' memory. */
const blockCellsMax = 1 << 22;

/** Blurs a plane in place with three box filters, close to a Gaussian of `sigma` cells. Edge values repeat outward. */
export function blurPlane(plane: Float32Array, width: number, height: number, sigma: number): void {
  if (sigma < 0.3) return;
  const radius = Math.max(1, Math.round(Math.sqrt(sigma * sigma + 1 / 12) * 0.98));
  for (let pass = 0; pass < (sigma < 1 ? 2 : 3); pass++) {
    filterRows(plane, width, height, radius);
    filterColumns(plane, width, height, radius);
  }
}

function filterRows(plane: Float32Array, width: number, height: number, radius: number): void {
  const step = Math.max(1, Math.floor(blockCellsMax / width));
  for (let top = 0; top < height; top += step) {
    const rows = Math.min(step, height - top);
    const block = plane.subarray(top * width, (top + rows) * width);
    inKernelMemory(() => {
      const from = kernelFloats(block.length);
      const to = kernelFloats(block.length);
      from.set(block);
      kernels.boxFilterRows(from.byteOffset, width, rows, radius, to.byteOffset);
      block.set(to);
    });
  }
}

function filterColumns(plane: Float32Array, width: number, height: number, radius: number): void {
  const step = Math.min(width, Math.max(1, Math.floor(blockCellsMax / height)));
  for (let left = 0; left < width; left += step) {
    const columns = Math.min(step, width - left);
    inKernelMemory(() => {
      const from = kernelFloats(columns * height);
      const to = kernelFloats(columns * height);
      const sums = kernelDoubles(columns + 1);
      copyBlock(plane, left, width, from, 0, columns, columns, height);
      kernels.boxFilterColumns(from.byteOffset, columns, height, radius, sums.byteOffset, to.byteOffset);
      copyBlock(to, 0, columns, plane, left, width, columns, height);
    });
  }
}

/** Copies `columns` of each of the rows, which are `fromWidth` and `toWidth` values apart. */
function copyBlock(
  from: Float32Array,
  fromLeft: number,
  fromWidth: number,
  to: Float32Array,
  toLeft: number,
  toWidth: number,
  columns: number,
  rows: number,
): void {
  if (fromWidth === toWidth) {
    to.set(from.subarray(0, columns * rows));
    return;
  }
  for (let y = 0; y < rows; y++) {
    const start = y * fromWidth + fromLeft;
    to.set(from.subarray(start, start + columns), y * toWidth + toLeft);
  }
}
