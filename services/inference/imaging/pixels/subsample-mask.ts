import type { Size } from "./geometry.ts";

/** Cells of a photo: each stands for a square of `step` pixels. */
export interface MaskGrid extends Size {
  readonly step: number;
  /** 1 where the cell's first pixel is product. */
  readonly inside: Uint8Array;
}

const gridSideMax = 640;
const opaque = 128;

/** Takes every n-th pixel of alpha: parts and holes that count are far larger than a cell. */
export function subsampleMask(alpha: Uint8Array, { width, height }: Size): MaskGrid {
  const step = Math.max(1, Math.ceil(Math.max(width, height) / gridSideMax));
  const grid = { width: Math.ceil(width / step), height: Math.ceil(height / step), step };
  const inside = new Uint8Array(grid.width * grid.height);
  for (let y = 0, at = 0; y < grid.height; y++) {
    const end = at + grid.width;
    for (let from = y * step * width; at < end; at++, from += step) inside[at] = alpha[from]! >= opaque ? 1 : 0;
  }
  return { ...grid, inside };
}
