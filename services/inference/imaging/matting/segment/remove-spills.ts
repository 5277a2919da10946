/**
 * Removes the color that spills over the product's rim onto a plain backdrop, where the network sees no product. A JPEG
 * spills it: it stores colors at half the photo's resolution, in blocks, and what is in one block takes on the same hue.
 */

import { fillComponents, labelComponents, sumPerComponent } from "../../pixels/connected-components.ts";
import { copyMask, dilate, listMarks, onlyMarks, withoutMarks } from "../../pixels/morphology.ts";
import type { BackdropEvidence } from "../evidence/measure-backdrop.ts";
import { marksAbove, maskBelowPrior, priorFrom, type WorkGrid } from "../evidence/work-grid.ts";

const spillPriorMax = 0.1;

/** @param mask 1 where the photo differs from the backdrop, on the grid */
export function removeSpills(mask: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): Uint8Array {
  return removeSmallSpills(removeColorSpills(mask, grid, evidence), grid, evidence);
}

/** In cells: half of a block of colors is 8 pixels wide. */
const spillReach = 8;
/** A spill is as light as the backdrop: lightness is at most this share of its Lab distance. */
const lightnessShareMax = 0.2;
/** And it differs less than this share of what the product beside it does. */
const contrastShareMax = 0.5;

/** Cells beside the product that differ from the backdrop in color alone. */
function removeColorSpills(mask: Uint8Array, grid: WorkGrid, { distance, lightness }: BackdropEvidence): Uint8Array {
  const near = dilate(priorFrom(grid, 0.5), grid, spillReach);
  const out = copyMask(mask);
  for (const i of listMarks(maskBelowPrior(onlyMarks(mask, near), grid, spillPriorMax))) {
    if (Math.abs(lightness[i]!) >= lightnessShareMax * distance[i]!) continue;
    if (distance[i]! < contrastShareMax * productDistanceNear(i, grid, distance)) out[i] = 0;
  }
  return out;
}

/** The largest Lab distance of the product in eight directions, as far as a spill reaches and half as far. */
function productDistanceNear(cell: number, { width, height, prior }: WorkGrid, distance: Float32Array): number {
  const y = Math.floor(cell / width);
  const x = cell - y * width;
  let largest = 0;
  for (let reach = spillReach / 2; reach <= spillReach; reach += spillReach / 2) {
    for (let row = y - reach; row <= y + reach; row += reach) {
      for (let col = x - reach; col <= x + reach; col += reach) {
        if (row < 0 || row >= height || col < 0 || col >= width) continue;
        const i = row * width + col;
        if (prior[i]! >= 0.5) largest = Math.max(largest, distance[i]!);
      }
    }
  }
  return largest;
}

/** A cell that differs by less than this many times the noise may be spill. */
const spillPerNoise = 16;
/** Share of the image; larger components may be a pale part of the product. */
const spillShareMax = 0.0002;

/** Cells that differ little and are not adjacent to a cell that differs much, few of them together. */
function removeSmallSpills(mask: Uint8Array, grid: WorkGrid, { distance, noise }: BackdropEvidence): Uint8Array {
  const weakDistanceMax = spillPerNoise * noise;
  const pale = withoutMarks(mask, marksAbove(distance, weakDistanceMax));
  const strong = withoutMarks(mask, maskBelowPrior(pale, grid, 0.5));
  const weak = withoutMarks(mask, dilate(strong, grid, 1));
  const components = labelComponents(weak, grid);
  const sizeMax = spillShareMax * mask.length;
  const priors = sumPerComponent(components, grid.prior);
  const isSpill = components.sizes.map((size, label) => size <= sizeMax && priors[label]! < spillPriorMax * size);
  const out = copyMask(mask);
  fillComponents(out, components, 0, (label) => isSpill[label]!);
  return out;
}
