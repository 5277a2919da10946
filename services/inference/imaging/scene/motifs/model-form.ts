/**
 * Gives a flat drawing the light of a solid: its outline is inflated to a height, and so are its lighter parts a little; the slope
 * toward a lamp at the upper left brightens, and the slope away from it darkens.
 */

import { mix32 } from "@packshot/domain/random.ts";
import { blurPlane } from "../../pixels/blur.ts";
import { smoothstep } from "../canvas/noise.ts";

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
/** What is lit is smooth: it is computed once for so many pixels across and down. */
const step = 2;

/** A plane of one value for each cell of `step` × `step` pixels. */
interface Cells {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** Changes the drawing in place. */
export function modelForm(drawing: Raster, seed: number): void {
  const { width, height, values } = shadesOf(heightsOf(drawing), seed);
  const { rgba } = drawing;
  for (let y = 0, i = 0; y < drawing.height; y++) {
    const py = Math.min(height - 1, Math.max(0, (y + 0.5) / step - 0.5));
    const row = Math.floor(py);
    const below = row + 1 < height ? width : 0;
    for (let x = 0; x < drawing.width; x++, i += 4) {
      if (rgba[i + 3]! <= 0) continue;
      const px = Math.min(width - 1, Math.max(0, (x + 0.5) / step - 0.5));
      const at = row * width + Math.floor(px);
      const right = px < width - 1 ? 1 : 0;
      const fx = px - Math.floor(px);
      const upper = values[at]! + (values[at + right]! - values[at]!) * fx;
      const lower = values[at + below]! + (values[at + below + right]! - values[at + below]!) * fx;
      const shade = upper + (lower - upper) * (py - row);
      for (let c = 0; c < 3; c++) rgba[i + c]! *= shade;
    }
  }
}

function shadesOf({ width, height, values }: Cells, seed: number): Cells {
  const shades = new Float32Array(values.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const slopeX = ((x > 0 ? values[i - 1]! : 0) - (x + 1 < width ? values[i + 1]! : 0)) / (2 * step);
      const slopeY = ((y > 0 ? values[i - width]! : 0) - (y + 1 < height ? values[i + width]! : 0)) / (2 * step);
      const facing = (slopeX * lampX + slopeY * lampY + lampZ) / Math.sqrt(slopeX * slopeX + slopeY * slopeY + 1);
      const shade = Math.min(shadeMost, Math.max(shadeLeast, 1 + 0.85 * (facing / lampZ - 1)));
      shades[i] = shade * (1 + mottle * (patch((step * x) / mottlePx, (step * y) / mottlePx, seed) - 0.5));
    }
  }
  return { width, height, values: shades };
}

/** In pixels of the drawing. */
function heightsOf(drawing: Raster): Cells {
  const width = Math.ceil(drawing.width / step);
  const height = Math.ceil(drawing.height / step);
  const side = Math.max(drawing.width, drawing.height);
  const cover = new Float32Array(width * height);
  const plane = new Float32Array(width * height);
  for (let y = 0, from = 0; y < drawing.height; y++) {
    for (let x = 0; x < drawing.width; x++, from += 4) {
      const share = drawing.rgba[from + 3]!;
      if (share <= 0) continue;
      const at = Math.floor(y / step) * width + Math.floor(x / step);
      cover[at]! += share / (step * step);
      const bright = drawing.rgba[from]! + 2 * drawing.rgba[from + 1]! + drawing.rgba[from + 2]!;
      plane[at]! += Math.sqrt(bright / 4) / (step * step);
    }
  }
  blurPlane(plane, width, height, (partBlur * side) / step);
  const values = plane.map((bright) => partHeight * side * bright);
  for (const [reach, high] of roundings) {
    plane.set(cover);
    blurPlane(plane, width, height, (reach * side) / step);
    for (let i = 0; i < values.length; i++) values[i]! += high * side * plane[i]! * plane[i]!;
  }
  return { width, height, values };
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
