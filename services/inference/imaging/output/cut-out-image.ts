/** The images of the `mask` tool: the cut-out, or its matte alone. */

import { addressOf, inKernelMemory, kernelBytes } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import { endOfVisible, nextVisiblePixel, viewAsWords } from "../pixels/alpha-scan.ts";
import type { CutOut } from "../pixels/cut-out.ts";
import { allocatePixels, type EditedImage, type PixelBuffer } from "../pixels/image.ts";

/** The cut-out as RGBA. Transparent pixels are black, so that no trace of the old background is handed out. */
export function cutOutImage(cut: CutOut): EditedImage {
  const { width, height, alpha, icc, reduced } = cut;
  const profile = icc === undefined ? {} : { icc };
  const matte = viewAsWords(alpha);
  const fillRow = (y: number, { bytes, words }: PixelBuffer) => {
    const start = y * width;
    const first = nextVisiblePixel(matte, start, start + width) - start;
    const last = first === width ? 0 : endOfVisible(matte, start + first, start + width) - start;
    words.fill(0, 0, width);
    if (last > first) joinVisible(bytes, first, cut, start + first, start + last);
    return { first, last };
  };
  let pixels: Uint8Array | undefined;
  const makePixels = () => {
    const { bytes, words } = allocatePixels(4 * width * height);
    for (let y = 0; y < height; y++) {
      const from = y * width;
      const to = from + width;
      fillRow(y, { bytes: bytes.subarray(4 * from, 4 * to), words: words.subarray(from, to) });
    }
    return bytes;
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

/** The kernel joins up to so many pixels beyond the last. */
const pixelsBeyond = 3;

/** Writes the pixels of a photo from `from` to before `to` to a row, from column `first` on. */
function joinVisible(row: Uint8Array, first: number, { rgb, alpha }: CutOut, from: number, to: number): void {
  const pixels = to - from;
  inKernelMemory(() => {
    const joined = kernelBytes(4 * (pixels + pixelsBeyond));
    const colors = addressOf(rgb.subarray(3 * from, 3 * to));
    kernels.joinVisible(colors, addressOf(alpha.subarray(from, to)), pixels, joined.byteOffset);
    row.set(joined.subarray(0, 4 * pixels), 4 * first);
  });
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
