/**
 * Test-time augmentation on the region of interest. A network sees the photo at a few hundred pixels per side. Once
 * it has found the product, it predicts that region again: larger, and mirrored, so that it does not merely repeat its
 * first prediction (docs/adr/0004-test-time-augmentation.md).
 */

import type { Tensor } from "../../../model-client/model-client.ts";
import { addressOf, inKernelMemory, inKernels, keepTable, kernelBytes } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import { visibleBox } from "../../pixels/alpha-scan.ts";
import type { Box, Size } from "../../pixels/geometry.ts";
import { resamplePlane } from "../../pixels/resample.ts";
import type { Backdrop } from "../evidence/backdrop.ts";
import type { Prior } from "../evidence/prior.ts";
import { matteUncertainty } from "./matte-uncertainty.ts";

/** At and above this alpha a pixel counts as product, although the network may not be sure. */
const productAlphaMin = 77;
/** Margins around the product: a share of its size, plus pixels of the network's output. */
const marginShare = 0.05;
const marginPixels = 2;

/** Up to this residual of its fit the backdrop shows the product's outline, whatever the second prediction says of it. */
const plainResidualMax = 0.5;
/** Up to these uncertainties of the first prediction the second changes next to nothing, on a plain backdrop and elsewhere. */
const certainOnPlainMax = 0.005;
const certainInSceneMax = 0.0015;
/** A product that takes less of the photo's width and height was seen small: the network looks at it again in any case. */
const sideShareMin = 0.5;

/** Whether a second prediction is worth its time: where the first is certain of a large product, it is not. */
export function needsSecondPrediction(whole: Prior, region: Box, image: Size, backdrop: Backdrop): boolean {
  if (Math.max(region.width / image.width, region.height / image.height) < sideShareMin) return true;
  const certainMax = backdrop.residual <= plainResidualMax ? certainOnPlainMax : certainInSceneMax;
  return matteUncertainty(whole) > certainMax;
}

/** The product's box with a margin, in pixels of `image`; undefined where the prediction shows no product. */
export function regionOfInterest(prior: Prior, image: Size): Box | undefined {
  const product = visibleBox(prior.alpha, prior, productAlphaMin);
  if (product === undefined) return undefined;
  const [x, width] = widenRange(product.left, product.width, prior.width, image.width);
  const [y, height] = widenRange(product.top, product.height, prior.height, image.height);
  return { left: x, top: y, width, height };
}

/**
 * Adds the margins to a range, and scales it from a side of `from` pixels to one of `to`.
 *
 * @returns start and length
 */
function widenRange(start: number, length: number, from: number, to: number): [number, number] {
  const margin = length * marginShare + marginPixels;
  const first = Math.floor((Math.max(0, start - margin) / from) * to);
  const last = Math.ceil((Math.min(from, start + length + margin) / from) * to);
  return [first, last - first];
}

/** Crops interleaved u8 RGB of `size`. */
export function cropPixels(rgb: Uint8Array, size: Size, box: Box): Uint8Array {
  const out = new Uint8Array(box.width * box.height * 3);
  for (let y = 0; y < box.height; y++) {
    const from = ((box.top + y) * size.width + box.left) * 3;
    out.set(rgb.subarray(from, from + box.width * 3), y * box.width * 3);
  }
  return out;
}

/** Mirrors one u8 NHWC image from left to right. */
export function flipHorizontally({ shape, data }: Tensor): Tensor {
  const [, height, width, channels] = shape as [number, number, number, number];
  const flipped = inKernelMemory(() => {
    const to = kernelBytes(data.length);
    kernels.flipRows(addressOf(data), width, height, channels, to.byteOffset);
    return to.slice();
  });
  return { shape, data: flipped };
}

/**
 * Merges two predictions on the grid: inside the box the mean of their log odds, outside it the whole photo's.
 *
 * @param region the matte of the box alone, mirrored back
 */
export function mergePredictions(whole: Prior, region: Prior, box: Box, grid: Size): Prior {
  const alpha = inKernelMemory(() => {
    const ofGrid = inKernels(resamplePlane(whole.alpha, whole, grid));
    const ofBox = addressOf(resamplePlane(region.alpha, region, box));
    const first = ofGrid.byteOffset + box.top * grid.width + box.left;
    kernels.mergeMattes(first, grid.width, ofBox, box.width, box.height, merged);
    return ofGrid.slice();
  });
  const networkPixel = Math.max(box.width / region.width, box.height / region.height);
  return { width: grid.width, height: grid.height, alpha, networkPixel, views: { whole, detail: region, box } };
}

/** √p of alpha as a probability p that is never 0 or 1. The odds of two products of these have the mean log odds. */
const rootOfProbability = Float64Array.from({ length: 256 }, (_, alpha) => Math.sqrt((alpha + 0.5) / 256));

/** The merged alpha of each pair of alphas. */
const merged = keepTable(
  Uint8Array.from({ length: 1 << 16 }, (_, pair) => {
    const a = pair >> 8;
    const b = pair & 255;
    const product = rootOfProbability[a]! * rootOfProbability[b]!;
    const background = rootOfProbability[255 - a]! * rootOfProbability[255 - b]!;
    return (product / (product + background)) * 256;
  }),
);
