/** Says where no product was found, why, and what the caller may change. */

import { PackshotError } from "../errors.ts";

type Place = "picture" | "region" | "point";

export interface Unfound {
  /** Where it was looked for. */
  readonly place: Place;
  /** What hides all that is there; absent: nothing, and none was seen. */
  readonly hiddenBy?: "mask" | "ownAlpha" | "transparentPhoto";
  /** What to do in place of the usual. */
  readonly remedy?: string;
}

const words = { picture: "in the picture", region: "in the region", point: "at the point" };

const remedies = {
  picture: "Name it by point or region, or send a maskImage.",
  region: "Widen the region, or name the product by point.",
  point: "Move the point onto the product, or send a maskImage.",
};
const remediesOfMask = {
  picture: "Send a maskImage that shows the product.",
  region: "Move or widen the region to hold what the mask shows.",
  point: "Move the point onto the product.",
};
const takeAsOpaque = "To take it as opaque, set existingAlpha to ignore.";

/** The error `no_product_found`. */
export function noProduct({ place, hiddenBy, remedy }: Unfound): PackshotError {
  const [problem, usual] = sentencesOf(place, hiddenBy);
  return new PackshotError("no_product_found", `No product stands out${problem}. ${remedy ?? usual}`);
}

function sentencesOf(place: Place, hiddenBy: Unfound["hiddenBy"]): readonly [problem: string, remedy: string] {
  const where = ` ${words[place]}`;
  if (hiddenBy === "transparentPhoto") {
    const isAll = place === "picture";
    return [isAll ? ": the photo is transparent everywhere" : `${where}: the photo is transparent there`, takeAsOpaque];
  }
  if (hiddenBy === "mask") {
    return [`${where}: the mask shows nothing ${place === "picture" ? "of it" : "there"}`, remediesOfMask[place]];
  }
  // A point beside a cut-out hides nothing: it is in the wrong place.
  if (hiddenBy === "ownAlpha" && place !== "point")
    return [`${where}: the photo's own transparency hides all of it`, takeAsOpaque];
  return [where, remedies[place]];
}
