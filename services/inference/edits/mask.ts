/** `mask`: the product on nothing, or its matte. */

import type { EditedPicture } from "../imaging/picture.ts";
import type { CutOut } from "./edit.ts";

/** The cut-out as RGBA; invisible pixels are black, so that no trace of the old background is handed out. */
export function maskPicture(cut: CutOut): EditedPicture {
  const { width, height, rgb, alpha, icc } = cut;
  const pixels = new Uint8Array(width * height * 4);
  for (let i = 0, from = 0, to = 0; i < alpha.length; i++, from += 3, to += 4) {
    const a = alpha[i]!;
    if (a === 0) continue;
    pixels[to] = rgb[from]!;
    pixels[to + 1] = rgb[from + 1]!;
    pixels[to + 2] = rgb[from + 2]!;
    pixels[to + 3] = a;
  }
  return { width, height, channels: 4, pixels, ...(icc === undefined ? {} : { icc }), report: {} };
}

/** The matte itself, white where the product is. */
export function mattePicture(cut: CutOut): EditedPicture {
  const pixels = new Uint8Array(cut.alpha.length * 3);
  for (let i = 0, to = 0; i < cut.alpha.length; i++, to += 3) pixels.fill(cut.alpha[i]!, to, to + 3);
  return { width: cut.width, height: cut.height, channels: 3, pixels, report: {} };
}
