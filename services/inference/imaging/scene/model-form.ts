/**
 * Gives a flat drawing the light of a solid: its outline is inflated to a height, and so are its lighter parts a little; the slope
 * toward a lamp at the upper left brightens, and the slope away from it darkens.
 */

import { mix32 } from "@packshot/domain/random.ts";
import { blurPlane } from "../pixels/blur.ts";
import { luminance } from "./color.ts";
import { smoothstep } from "./noise.ts";

/** Premultiplied linear RGBA; 1 is paper white. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly rgba: Float32Array;
}

/** How far from its outline a solid curves: a rounded edge, a limb, the whole. Shares of the longer side, and of the height. */
const roundings = [
  [0.014, 0.008],
  [0.05, 0.028],
  [0.13, 0.075],
] as const;
/** Parts within a drawing: the width over which their light tells their height, and that height. */
const partBlur = 0.006;
const partHeight = 0.007;
/** Toward the lamp: left, up, and to the viewer. */
const [lampX, lampY, lampZ] = [-0.45, -0.55, 0.7] as const;
const shadeLeast = 0.6;
const shadeMost = 1.3;
/** Uneven color of real things: its share, and how wide its patches are. */
const mottle = 0.07;
const mottlePx = 11;

/** Changes the drawing in place. */
export function modelForm({ width, height, rgba }: Raster, seed: number): void {
  const side = Math.max(width, height);
  const heights = heightsOf({ width, height, rgba }, side);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (rgba[4 * i + 3]! <= 0) continue;
      const left = x > 0 ? heights[i - 1]! : 0;
      const right = x + 1 < width ? heights[i + 1]! : 0;
      const above = y > 0 ? heights[i - width]! : 0;
      const below = y + 1 < height ? heights[i + width]! : 0;
      const slopeX = (left - right) / 2;
      const slopeY = (above - below) / 2;
      const facing = (slopeX * lampX + slopeY * lampY + lampZ) / Math.hypot(slopeX, slopeY, 1);
      const shade = Math.min(shadeMost, Math.max(shadeLeast, 1 + 0.85 * (facing / lampZ - 1)));
      const tone = shade * (1 + mottle * (patch(x / mottlePx, y / mottlePx, seed) - 0.5));
      for (let c = 0; c < 3; c++) rgba[4 * i + c]! *= tone;
    }
  }
}

/** In pixels. */
function heightsOf({ width, height, rgba }: Raster, side: number): Float32Array {
  const sum = new Float32Array(width * height);
  const cover = Float32Array.from(sum, (_, i) => rgba[4 * i + 3]!);
  const plane = cover.slice();
  for (const [reach, high] of roundings) {
    plane.set(cover);
    blurPlane(plane, width, height, reach * side);
    for (let i = 0; i < sum.length; i++) sum[i]! += high * side * plane[i]! ** 2;
  }
  for (let i = 0; i < plane.length; i++)
    plane[i] = Math.sqrt(luminance([rgba[4 * i]!, rgba[4 * i + 1]!, rgba[4 * i + 2]!]));
  blurPlane(plane, width, height, partBlur * side);
  for (let i = 0; i < sum.length; i++) sum[i]! += partHeight * side * plane[i]!;
  return sum;
}

/** Smooth noise, 0–1. */
function patch(x: number, y: number, seed: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const at = (dx: number, dy: number) => (mix32(seed + (column + dx) * 7919 + (row + dy) * 104729) & 1023) / 1023;
  const fx = smoothstep(0, 1, x - column);
  const upper = at(0, 0) + (at(1, 0) - at(0, 0)) * fx;
  const lower = at(0, 1) + (at(1, 1) - at(0, 1)) * fx;
  return upper + (lower - upper) * smoothstep(0, 1, y - row);
}
