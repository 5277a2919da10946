/** How uncertain a network is of its own matte. Edges are soft by nature; the inside of a product is not. */

import type { Prior } from "../../services/inference/imaging/matting/evidence/prior.ts";
import { edgeReach } from "../../services/inference/imaging/matting/predict/matte-uncertainty.ts";
import { dilate, erode } from "./morphology.ts";

/**
 * The share of the product's area that is neither product nor background, away from the edge. On photos with ground
 * truth it ranks the bundled network's mattes much as their IoU does.
 *
 * @param prior the network's matte before any refinement
 * @returns 0 where every pixel is 0 or 255; about 1 where the network is sure of nothing
 */
export function matteUncertainty(prior: Prior): number {
  const product = prior.alpha.map((a) => (a >= 128 ? 1 : 0));
  const reach = Math.max(1, Math.round(edgeReach * prior.networkPixel));
  const outer = dilate(product, prior, reach);
  const inner = erode(product, prior, reach);
  let uncertain = 0;
  let area = 0;
  for (let i = 0; i < product.length; i++) {
    area += product[i]!;
    const atEdge = outer[i] === 1 && inner[i] === 0;
    if (!atEdge) uncertain += (2 * Math.min(prior.alpha[i]!, 255 - prior.alpha[i]!)) / 255;
  }
  return Math.min(1, uncertain / Math.max(1, area));
}
