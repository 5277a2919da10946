/** `mask`: the product on nothing, or its matte. */

import type { EditedPicture, PixelMemory } from "../imaging/picture.ts";
import { nextVisiblePixel } from "../imaging/soft-pixels.ts";
import type { CutOut } from "./edit.ts";

/** The cut-out as RGBA; invisible pixels are black, so that no trace of the old background is handed out. */
export function maskPicture(cut: CutOut): EditedPicture {
  const { width, height, rgb, alpha, icc } = cut;
  // A pixel at a time as a little-endian word, as every machine that Node runs on here has them.
  const fillRow = (y: number, { words }: Pick<PixelMemory, "words">) => {
    const [start, end] = [y * width, (y + 1) * width];
    for (let i = start; i < end; ) {
      const visible = nextVisiblePixel(alpha, i, end);
      words.fill(0, i - start, visible - start);
      for (i = visible; i < end && alpha[i] !== 0; i++) {
        words[i - start] = rgb[3 * i]! | (rgb[3 * i + 1]! << 8) | (rgb[3 * i + 2]! << 16) | (alpha[i]! << 24);
      }
    }
  };
  let whole: Uint8Array | undefined;
  const makeWhole = () => {
    const words = new Uint32Array(width * height);
    for (let y = 0; y < height; y++) fillRow(y, { words: words.subarray(y * width, (y + 1) * width) });
    return new Uint8Array(words.buffer);
  };
  return {
    width,
    height,
    channels: 4,
    fillRow,
    get pixels() {
      whole ??= makeWhole();
      return whole;
    },
    ...(icc === undefined ? {} : { icc }),
    report: {},
  };
}

/** The matte itself, white where the product is. */
export function mattePicture(cut: CutOut): EditedPicture {
  const pixels = new Uint8Array(cut.alpha.length * 3);
  for (let i = 0, to = 0; i < cut.alpha.length; i++, to += 3) {
    const a = cut.alpha[i]!;
    pixels[to] = a;
    pixels[to + 1] = a;
    pixels[to + 2] = a;
  }
  return { width: cut.width, height: cut.height, channels: 3, pixels, report: {} };
}
