/** How sharp the photo is at a thing's edge: by it one that is in focus is told from one that is not. */

import { type Components, runStride } from "../pixels/connected-components.ts";
import type { Size } from "../pixels/geometry.ts";
import type { ScaledPhoto } from "./work-grid.ts";

/** Cells of the reduced photo on either side of the edge: for its contrast, and where its steepest place may be. */
const contrastReach = 8;
const stepReach = 4;
/** With less contrast, of 255, a step is noise. */
const contrastMin = 12;

/**
 * The largest change between two neighbors as a share of the whole change across the edge, on average over the left and
 * right ends of a thing's rows: near 1 in focus, .1 far out of focus; 1 where no edge has contrast.
 *
 * @param things on a grid of the photo
 */
export function meanEdgeStep({ runs }: Components, thing: number, grid: Size, reduced: ScaledPhoto): number {
  let [sum, count] = [0, 0];
  for (let at = 0; at < runs.length; at += runStride) {
    if (runs[at + 2] !== thing) continue;
    const y = Math.floor(runs[at]! / grid.width);
    for (const end of [runs[at]!, runs[at + 1]!]) {
      const x = end - y * grid.width;
      const step = edgeStep(reduced, (x / grid.width) * reduced.width, ((y + 0.5) / grid.height) * reduced.height);
      if (step === undefined) continue;
      sum += step;
      count++;
    }
  }
  return count === 0 ? 1 : sum / count;
}

/** undefined where there is no contrast, and at the photo's border. */
function edgeStep({ rgb, width }: ScaledPhoto, x: number, y: number): number | undefined {
  const middle = Math.round(x);
  if (middle < contrastReach + 1 || middle + contrastReach + 1 >= width) return undefined;
  const row = Math.floor(y) * width;
  const brightness = (i: number) => rgb[(row + i) * 3]! + 2 * rgb[(row + i) * 3 + 1]! + rgb[(row + i) * 3 + 2]!;
  let [darkest, brightest, steepest] = [1020, 0, 0];
  for (let i = middle - contrastReach; i <= middle + contrastReach; i++) {
    const value = brightness(i);
    darkest = Math.min(darkest, value);
    brightest = Math.max(brightest, value);
    if (Math.abs(i - middle) > stepReach) continue;
    steepest = Math.max(steepest, Math.abs(brightness(i + 1) - brightness(i - 1)));
  }
  const contrast = brightest - darkest;
  return contrast < 4 * contrastMin ? undefined : Math.min(1, steepest / contrast);
}
