import { expect, it } from "vitest";
import { noProduct, type Unfound } from "./no-product.ts";

const opaque = "To take it as opaque, set existingAlpha to ignore.";

it.each<[Unfound, string]>([
  [{ place: "picture" }, " in the picture. Name it by point or region, or send a maskImage."],
  [{ place: "picture", remedy: "Send a larger photo." }, " in the picture. Send a larger photo."],
  [{ place: "region" }, " in the region. Widen the region, or name the product by point."],
  [{ place: "point" }, " at the point. Move the point onto the product, or send a maskImage."],
  [
    { place: "picture", hiddenBy: "mask" },
    " in the picture: the mask shows nothing of it. Send a maskImage that shows the product.",
  ],
  [
    { place: "region", hiddenBy: "mask" },
    " in the region: the mask shows nothing there. Move or widen the region to hold what the mask shows.",
  ],
  [
    { place: "point", hiddenBy: "mask" },
    " at the point: the mask shows nothing there. Move the point onto the product.",
  ],
  [{ place: "point", hiddenBy: "ownAlpha" }, " at the point. Move the point onto the product, or send a maskImage."],
  [{ place: "picture", hiddenBy: "transparentPhoto" }, `: the photo is transparent everywhere. ${opaque}`],
  [{ place: "point", hiddenBy: "transparentPhoto" }, ` at the point: the photo is transparent there. ${opaque}`],
  [
    { place: "picture", hiddenBy: "ownAlpha" },
    ` in the picture: the photo's own transparency hides all of it. ${opaque}`,
  ],
])("%j is told with its remedy", (unfound, words) => {
  expect(noProduct(unfound)).toMatchObject({ code: "no_product_found", message: `No product stands out${words}` });
});
