/** The images of the `mask` tool: the cut-out, or its matte alone. */

import { nextVisiblePixel, viewAsWords } from "../pixels/alpha-scan.ts";
import type { CutOut } from "../pixels/cut-out.ts";
import type { EditedImage, PixelBuffer } from "../pixels/image.ts";

/** The cut-out as RGBA. Transparent pixels are black, so that no trace of the old background is handed out. */
export function cutOutImage(cut: CutOut): EditedImage {
  const { width, height, rgb, alpha, icc, reduced } = cut;
  const profile = icc === undefined ? {} : { icc };
  const matte = viewAsWords(alpha);
  // A pixel is written as one little-endian word: all processors that Packshot runs on are little-endian.
  const fillRow = (y: number, { words }: Pick<PixelBuffer, "words">) => {
    const start = y * width;
    const end = (y + 1) * width;
    const visible = nextVisiblePixel(matte, start, end);
    let last = 0;
    words.fill(0, 0, width);
    for (let i = visible; i < end; i = nextVisiblePixel(matte, i, end)) {
      i = fillVisibleRun(words, start, rgb, alpha, i, end);
      last = i - start;
    }
    return { first: visible - start, last };
  };
  let pixels: Uint8Array | undefined;
  const makePixels = () => {
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
      pixels ??= makePixels();
      return pixels;
    },
    ...profile,
    ...(reduced === undefined ? {} : { reduced: { ...reduced, ...profile } }),
    report: {},
  };
}

/**
 * Writes the pixels from `at` on as words, up to the first transparent one. This loop is a function of its own because
 * V8 then compiles all of it at once, and its arguments need no lookup for each pixel.
 *
 * @returns the index of the pixel after the run
 */
function fillVisibleRun(
  words: Uint32Array,
  start: number,
  rgb: Uint8Array,
  alpha: Uint8Array,
  at: number,
  end: number,
): number {
  for (; at < end && alpha[at] !== 0; at++) {
    words[at - start] = rgb[3 * at]! | (rgb[3 * at + 1]! << 8) | (rgb[3 * at + 2]! << 16) | (alpha[at]! << 24);
  }
  return at;
}

/** The matte as a gray image: white where the product is. */
export function matteImage(cut: CutOut): EditedImage {
  const pixels = new Uint8Array(cut.alpha.length * 3);
  for (let i = 0, to = 0; i < cut.alpha.length; i++, to += 3) {
    const a = cut.alpha[i]!;
    pixels[to] = a;
    pixels[to + 1] = a;
    pixels[to + 2] = a;
  }
  return { width: cut.width, height: cut.height, channels: 3, pixels, report: {} };
}
