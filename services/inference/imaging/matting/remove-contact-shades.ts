/**
 * Removes dark patches of the ground that cling to a product on a plain backdrop: the darkest of its own shadow, which begins with an
 * edge and of which the network is not sure. Larger ones stay: they may be a gray part of the product (docs/adr/0043-shades-on-plain-backdrops.md).
 */

import { fillComponents, labelComponents, runStride, sumPerComponent } from "../pixels/connected-components.ts";
import { countMarks, emptyMask, listMarks, onlyMarks, withoutMarks } from "../pixels/morphology.ts";
import { type BackdropEvidence, isShaded } from "./measure-backdrop.ts";
import { marksAbove, thresholdPlane, type WorkGrid } from "./work-grid.ts";

/** Smaller patches, as a share of the photo, are the product's edge; larger ones, of the product, may be a part of it. */
const photoShareMin = 0.0003;
const productShareMax = 0.01;
/** The network takes no cell of a patch for product, and most of it for ground. */
const cellPriorMax = 0.5;
const meanPriorMax = 0.3;
/** From this mean change of the Lab distance between neighbors on, it has details, as a thing has. */
const stepMin = 2;
/** At least this share of its outline leads to the ground. */
const openShareMin = 0.2;

/** @param region 1 where the product is; patches are cleared */
export function removeContactShades(region: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence): void {
  const { width, height, prior } = grid;
  const { distance, threshold } = evidence;
  const shaded = emptyMask(grid);
  const product = countMarks(region);
  const unsure = withoutMarks(onlyMarks(region, marksAbove(distance, threshold)), thresholdPlane(prior, cellPriorMax));
  for (const i of listMarks(unsure)) if (isShaded(i, evidence)) shaded[i] = 1;
  const patches = labelComponents(shaded, grid);
  const { runs, sizes } = patches;
  const priors = sumPerComponent(patches, prior);
  const steps = new Float64Array(sizes.length);
  const outlines = new Float64Array(sizes.length);
  const open = new Float64Array(sizes.length);
  for (let at = 0; at < runs.length; at += runStride) {
    const label = runs[at + 2]!;
    const look = (to: number) => {
      if (shaded[to] === 1) return;
      outlines[label]!++;
      if (region[to] === 0) open[label]!++;
    };
    const row = Math.floor(runs[at]! / width);
    if (runs[at]! > row * width) look(runs[at]! - 1);
    if (runs[at + 1]! < (row + 1) * width) look(runs[at + 1]!);
    for (let i = runs[at]!; i < runs[at + 1]!; i++) {
      if (i > runs[at]!) steps[label]! += Math.abs(distance[i]! - distance[i - 1]!);
      if (row > 0) look(i - width);
      if (row < height - 1) look(i + width);
    }
  }
  fillComponents(region, patches, 0, (label) => {
    const size = sizes[label]!;
    if (size < photoShareMin * region.length || size > productShareMax * product) return false;
    if (priors[label]! >= meanPriorMax * size || steps[label]! >= stepMin * size) return false;
    return open[label]! >= openShareMin * outlines[label]!;
  });
}
