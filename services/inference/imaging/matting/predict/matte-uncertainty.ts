/** How uncertain a network is of its own matte. Edges are soft by nature; the inside of a product is not. */

import { addressOf, computeBytes, inKernelMemory } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import { dilate, erode } from "../../pixels/morphology.ts";
import type { Prior } from "../evidence/prior.ts";

/** Softness within this many pixels of the network's output on either side of an edge is no uncertainty. */
export const edgeReach = 3;

/**
 * The share of the product's area that is neither product nor background, away from the edge. On photos with ground
 * truth it ranks the bundled network's mattes much as their IoU does.
 *
 * @param prior the network's matte before any refinement
 * @returns 0 where every pixel is 0 or 255; about 1 where the network is sure of nothing
 */
export function matteUncertainty(prior: Prior): number {
  const { alpha, networkPixel } = prior;
  const reach = Math.max(1, Math.round(edgeReach * networkPixel));
  return inKernelMemory(() => {
    const matte = addressOf(alpha);
    let area = 0;
    const product = computeBytes(alpha.length, (to) => {
      area = kernels.thresholdBytes(matte, alpha.length, 128, to);
    });
    const outer = dilate(product, prior, reach);
    const inner = erode(product, prior, reach);
    const softness = kernels.sumOfSoftness(matte, addressOf(outer), addressOf(inner), alpha.length);
    return Math.min(1, (2 * softness) / 255 / Math.max(1, area));
  });
}
