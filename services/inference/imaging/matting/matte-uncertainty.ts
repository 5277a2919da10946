/** How sure a network is of its own matte: edges are soft by nature, a product's inside is not. */

import type { Prior } from "./prior.ts";
import { dilate, erode } from "../pixels/morphology.ts";

/** So many of the network's own pixels on either side of its edge: softness there says nothing. */
const edgeReach = 3;

/**
 * The part of the product's area that the network leaves open, away from the edge. On photos with truth it ranks the
 * bundled network's mattes much as their IoU does.
 *
 * @param prior u8, width × height: the network's matte before any refinement
 * @returns 0 where every pixel is 0 or 255; around 1 where the network knows nothing
 */
export function matteUncertainty(prior: Prior): number {
  const product = prior.alpha.map((a) => (a >= 128 ? 1 : 0));
  const reach = Math.max(1, Math.round(edgeReach * prior.networkPixel));
  const [outer, inner] = [dilate(product, prior, reach), erode(product, prior, reach)];
  let open = 0;
  let area = 0;
  for (let i = 0; i < product.length; i++) {
    area += product[i]!;
    const atEdge = outer[i] === 1 && inner[i] === 0;
    if (!atEdge) open += (2 * Math.min(prior.alpha[i]!, 255 - prior.alpha[i]!)) / 255;
  }
  return Math.min(1, open / Math.max(1, area));
}
