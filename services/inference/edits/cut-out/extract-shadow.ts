/** The shadow that the product casts in the photo, where the backdrop is plain. */

import { clearOutside, planeOfWhole } from "../../imaging/matting/photo-region.ts";
import { measureDarkening, shadowOfProduct } from "../../imaging/shadow/natural-shadow.ts";
import type { Decoded, NaturalShadow, Predicted, Prepared } from "./cut-out-context.ts";

/**
 * What else the network takes for product is no shadow, so the darkening is measured while the matte has it, and the
 * shadow is taken by what is left.
 *
 * @param all the matte with everything that the network takes for product, u8 of the photo's size
 * @returns takes the matte of the product alone
 */
export function createShadowExtractor(
  {
    photo,
    view,
    reduced,
    backdrop,
    measured,
  }: Pick<Decoded, "photo" | "view"> & Pick<Prepared, "reduced"> & Pick<Predicted, "backdrop" | "measured">,
  all: Uint8Array,
  isPlain = false,
): (product: Uint8Array) => NaturalShadow {
  if (!isPlain) return () => ({ outcome: "backdrop_not_plain" });
  // Where the photo is not enlarged to the work grid, both have the same colors.
  const isOnGrid = measured !== undefined && measured.colors.width === reduced.width;
  const darkening = measureDarkening(reduced, backdrop, all, photo, isOnGrid ? measured.colors.lab : undefined);
  return (product) => {
    const alpha = shadowOfProduct(darkening, product, photo);
    if (alpha === undefined) return { outcome: "none" };
    if (view === undefined) return { outcome: "separated", alpha };
    clearOutside(alpha, view);
    return { outcome: "separated", alpha: planeOfWhole(alpha, view) };
  };
}
