/**
 * A network sees a photo squeezed into a few hundred pixels a side. Once it has told where the product is, it can be
 * shown that part alone: larger, and mirrored, so that it does not merely repeat itself.
 */

import type { Tensor } from "../../model-client/model-client.ts";
import { resamplePlane } from "../pixels/resample.ts";
import type { Box, Size } from "../pixels/geometry.ts";
import type { Prior } from "./prior.ts";

/** From here on the network means product, even if it is not sure. */
const foundAlphaMin = 77;
/** Around what was found: so much of it, and so many of the network's own pixels. */
const marginShare = 0.05;
const marginPixels = 2;

/** Where the first look found the product, with a margin, in pixels of `frame`; undefined where it found none. */
export function regionOfInterest(first: Prior, frame: Size): Box | undefined {
  let [left, top, right, bottom] = [first.width, first.height, 0, 0];
  for (let y = 0; y < first.height; y++) {
    for (let x = 0; x < first.width; x++) {
      if (first.alpha[y * first.width + x]! < foundAlphaMin) continue;
      if (x < left) left = x;
      if (x >= right) right = x + 1;
      if (y < top) top = y;
      bottom = y + 1;
    }
  }
  if (right <= left) return undefined;
  const [x, width] = widenRange(left, right, first.width, frame.width);
  const [y, height] = widenRange(top, bottom, first.height, frame.height);
  return { left: x, top: y, width, height };
}

/** Start and length of a stretch with its margins, of `from` pixels' scale made one of `to`. */
function widenRange(start: number, end: number, from: number, to: number): [number, number] {
  const margin = (end - start) * marginShare + marginPixels;
  const first = Math.floor((Math.max(0, start - margin) / from) * to);
  const last = Math.ceil((Math.min(from, end + margin) / from) * to);
  return [first, last - first];
}

/** The box out of interleaved u8 RGB of `size`. */
export function cropPixels(rgb: Uint8Array, size: Size, box: Box): Uint8Array {
  const out = new Uint8Array(box.width * box.height * 3);
  for (let y = 0; y < box.height; y++) {
    const from = ((box.top + y) * size.width + box.left) * 3;
    out.set(rgb.subarray(from, from + box.width * 3), y * box.width * 3);
  }
  return out;
}

/** One picture of u8 NHWC, left and right exchanged. */
export function flipHorizontally({ shape, data }: Tensor): Tensor {
  const [, height, width, channels] = shape as [number, number, number, number];
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [from, to] = [(y * width + x) * channels, (y * width + width - 1 - x) * channels];
      for (let c = 0; c < channels; c++) out[to + c] = data[from + c]!;
    }
  }
  return { shape, data: out };
}

/**
 * Both looks as one, on the grid: inside the box the mean of their log odds, outside it the first.
 *
 * @param second the matte of the box alone, not mirrored any more
 */
export function mergePredictions(first: Prior, second: Prior, box: Box, grid: Size): Prior {
  const alpha = resamplePlane(first.alpha, first, grid);
  const near = resamplePlane(second.alpha, second, box);
  for (let y = 0; y < box.height; y++) {
    for (let x = 0; x < box.width; x++) {
      const to = (box.top + y) * grid.width + box.left + x;
      const [a, b] = [alpha[to]!, near[y * box.width + x]!];
      const [product, rest] = [oddsRoot[a]! * oddsRoot[b]!, oddsRoot[255 - a]! * oddsRoot[255 - b]!];
      alpha[to] = (product / (product + rest)) * 256;
    }
  }
  const networkPixel = Math.max(box.width / second.width, box.height / second.height);
  return { width: grid.width, height: grid.height, alpha, networkPixel };
}

/** √p for alpha as a probability that is never 0 or 1; the mean of log odds is their products' odds. */
const oddsRoot = Float64Array.from({ length: 256 }, (_, alpha) => Math.sqrt((alpha + 0.5) / 256));
