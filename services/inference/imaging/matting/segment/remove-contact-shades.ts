/**
 * Removes dark patches of the ground that cling to a product on a plain backdrop: the darkest of its own shadow, which begins with an
 * edge and of which the network is not sure. Larger ones stay: they may be a gray part of the product (docs/adr/0043-shades-on-plain-backdrops.md).
 */

import { fillComponents, labelComponents, sumPerComponent } from "../../pixels/connected-components.ts";
import { countMarks, emptyMask, listMarks, onlyMarks } from "../../pixels/morphology.ts";
import { type BackdropEvidence, isShaded } from "../evidence/measure-backdrop.ts";
import { measurePatches } from "../evidence/measure-patches.ts";
import { marksAbove, maskBelowPrior, type WorkGrid } from "../evidence/work-grid.ts";

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
  const { prior } = grid;
  const { distance, threshold } = evidence;
  const shaded = emptyMask(grid);
  const product = countMarks(region);
  const unsure = maskBelowPrior(onlyMarks(region, marksAbove(distance, threshold)), grid, cellPriorMax);
  for (const i of listMarks(unsure)) if (isShaded(i, evidence)) shaded[i] = 1;
  const patches = labelComponents(shaded, grid);
  const priors = sumPerComponent(patches, prior);
  const { steps, outlines, open } = measurePatches(patches, shaded, distance, (cell) => region[cell] === 0, grid);
  const { sizes } = patches;
  fillComponents(region, patches, 0, (label) => {
    const size = sizes[label]!;
    if (size < photoShareMin * region.length || size > productShareMax * product) return false;
    if (priors[label]! >= meanPriorMax * size || steps[label]! >= stepMin * size) return false;
    return open[label]! >= openShareMin * outlines[label]!;
  });
}
