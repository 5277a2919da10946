/**
 * How long a product is that is seen from above, as far as its theme tells: what lies around it, and the ground's own grain, are at true
 * size beside it. What its outline tells is in outlined-length.ts.
 */

import type { Camera } from "../canvas/camera.ts";
import type { Theme } from "../words/theme.ts";

/** The unit of a ground that is seen from above, in centimeters: most products of shops are about so long. */
export const groundUnitCm = 25;

export const garmentCm = 68;
const shoesCm = 29;
export const glassesCm = 15;
/** Chairs, stools and side tables. */
export const furnitureCm = 85;
/** Floor fans and stick vacuums. */
export const onPoleCm = 120;

/** Garments that one says beside a place, in the languages of themes; "Tee" is tea. */
const named: readonly (readonly [RegExp, number])[] = [
  [
    /(?<!\p{L})(t-?\s?shirts?|shirts?|hoodies?|sweaters?|sweatshirts?|jumpers?|pullovers?|jeans|trousers|jacken?|jackets?|hemd(en)?|blus[ae]s?|blouses?|kleid(er)?|pantalons?|chemises?|camisas?|camisetas?|magliett[ae]|maglion[ei]|felpa|felpe|camici[ae]|truien?|overhemd(en)?|jurk(en)?|koszulk[ai]|bluz[ay]|spodnie|swetry?)(?!\p{L})/u,
    garmentCm,
  ],
  [
    /(?<!\p{L})(sneakers?|trainers|shoes|schuhe|turnschuhe|chaussures|baskets|zapatos|zapatillas|scarpe|schoenen|buty|trampki)(?!\p{L})/u,
    shoesCm,
  ],
  [/(?<!\p{L})(sunglasses|sonnenbrillen?|lunettes|gafas|occhiali|zonnebril(len)?|okulary)(?!\p{L})/u, glassesCm],
];

/** @returns the product's longer side in units of the ground; 1 where no word tells it, or the thing it names lies beside the product */
export function namedLength(text: string, { things }: Pick<Theme, "things">): number {
  const lower = text.toLowerCase();
  const cm = named.find(([words]) => words.test(lower))?.[1];
  if (cm === undefined || (cm === glassesCm && things.some(({ name }) => name === "sunglasses"))) return 1;
  return cm / groundUnitCm;
}

/** The camera whose `size` is a unit of the ground, where it was the product's longer side. */
export function aboveGround(camera: Camera, productLong: number): Camera {
  const size = camera.size / productLong;
  return { ...camera, size, baseY: camera.baseY + (size - camera.size) / 2 };
}
