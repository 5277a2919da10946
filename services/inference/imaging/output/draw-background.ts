/** Draws what stands behind a product in its frame: interleaved u8 RGB in sRGB. */

import type { BackgroundParameters } from "@packshot/domain/edits/background.ts";
import sharp from "sharp";
import { toSrgb } from "../codec/open-image.ts";
import { blurPlane } from "../pixels/blur.ts";
import { fitWithin, type Size } from "../pixels/geometry.ts";
import type { Image } from "../pixels/image.ts";
import { type Photo, sourceAlphaPlane } from "../pixels/photo.ts";
import { asUint8Array } from "../pixels/resize.ts";
import { type Background, type Layout, parseBackground } from "./layout.ts";
import { renderLayout } from "./render-layout.ts";

const white = "#ffffff";
const lightGray = "#d9d9d9";

/** Thresholds of an ordered dither, so that a gradient of few levels shows no bands. */
const dither = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map((step) => (step + 0.5) / 16);

/** From one color to another, as `linear-gradient` of CSS draws it. */
export function drawGradient(
  { width, height }: Size,
  { color, colorTo, angle = 180 }: BackgroundParameters,
): Uint8Array {
  const from = parseBackground(color ?? white);
  const to = parseBackground(colorTo ?? lightGray);
  const starts = [from.r, from.g, from.b] as const;
  const spans = [to.r - from.r, to.g - from.g, to.b - from.b] as const;
  const radians = (angle / 180) * Math.PI;
  const length = Math.abs(width * Math.sin(radians)) + Math.abs(height * Math.cos(radians));
  const perX = Math.sin(radians) / length;
  const perY = -Math.cos(radians) / length;
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    const share = 0.5 + (y + 0.5 - height / 2) * perY + (0.5 - width / 2) * perX;
    for (let x = 0; x < width; x++, at += 3) {
      const t = Math.min(1, Math.max(0, share + x * perX));
      const threshold = dither[(y & 3) * 4 + (x & 3)]!;
      for (let c = 0; c < 3; c++) pixels[at + c] = starts[c]! + t * spans[c]! + threshold;
    }
  }
  return pixels;
}

/** The photo where the layout shows it, with what it shows beyond the crop; `color` beyond its border, and where it is transparent. */
export async function drawOriginal(photo: Photo, layout: Layout, { color }: BackgroundParameters): Promise<Uint8Array> {
  const opaque = color === undefined || color === "transparent" ? white : color.slice(0, 7);
  const image = layOnColor(await photoImage(photo), sourceAlphaPlane(photo), parseBackground(opaque));
  const shown = await renderLayout(image, wholePhoto(layout, photo), opaque);
  return shown.pixels;
}

/** What lies below a source's own transparency is shown nowhere: editors leave there what was erased. */
function layOnColor(image: Image, alpha: Uint8Array | undefined, { r, g, b }: Background): Image {
  if (alpha === undefined) return image;
  const color = [r, g, b];
  const pixels = image.pixels.slice();
  for (let i = 0, at = 0; i < alpha.length; i++) {
    const own = alpha[i]! / 255;
    for (let c = 0; c < 3; c++, at++) pixels[at] = pixels[at]! * own + color[c]! * (1 - own) + 0.5;
  }
  return { ...image, pixels };
}

async function photoImage({ width, height, rgb, icc }: Photo) {
  return await toSrgb({ width, height, channels: 3, pixels: rgb, icc });
}

/** The layout with all of the photo that its frame has room for. */
function wholePhoto(layout: Layout, photo: Size): Layout {
  const { crop, placement, frame } = layout;
  const scaleX = placement.width / crop.width;
  const scaleY = placement.height / crop.height;
  const [left, right] = shownSpan(crop.left - placement.left / scaleX, frame.width / scaleX, photo.width);
  const [top, bottom] = shownSpan(crop.top - placement.top / scaleY, frame.height / scaleY, photo.height);
  const placed = (at: number, from: number, by: number, scale: number, end: number) =>
    Math.min(end, Math.max(0, Math.round(by + (at - from) * scale)));
  const x = placed(left, crop.left, placement.left, scaleX, frame.width - 1);
  const y = placed(top, crop.top, placement.top, scaleY, frame.height - 1);
  const endX = placed(right, crop.left, placement.left, scaleX, frame.width);
  const endY = placed(bottom, crop.top, placement.top, scaleY, frame.height);
  return {
    ...layout,
    crop: { left, top, width: right - left, height: bottom - top },
    placement: { left: x, top: y, width: Math.max(1, endX - x), height: Math.max(1, endY - y) },
  };
}

/** Whole pixels of the photo in a stretch of it. */
function shownSpan(from: number, length: number, end: number): [first: number, last: number] {
  const first = Math.min(end - 1, Math.max(0, Math.round(from)));
  return [first, Math.max(first + 1, Math.min(end, Math.round(from + length)))];
}

/** The strongest blur's standard deviation, as a share of the frame's longer side. */
const blurShareMax = 0.05;
/** Cells of the plane in which it is blurred: more of them show nothing that the blur leaves. */
const workSigma = 4;

/**
 * The photo over the whole frame, out of focus. The product is filled with what is around it before, else its colors would shine
 * around its outline, and so is what lies below the source's own transparency.
 *
 * @param product its matte, u8, of the photo's size
 */
export async function drawBlurred(
  photo: Photo,
  product: Uint8Array,
  frame: Size,
  { blur = 0.5 }: BackgroundParameters,
): Promise<Uint8Array> {
  const work = fitWithin(frame, Math.ceil(workSigma / (blurShareMax * blur)));
  const sigma = blurShareMax * blur * Math.max(work.width, work.height);
  const cover = { width: work.width, height: work.height, fit: "cover" } as const;
  const { pixels, width, height } = await photoImage(photo);
  const opened = sharp(pixels, { raw: { width, height, channels: 3 } }).resize(cover);
  const rgb = asUint8Array(await opened.raw().toBuffer());
  const matte = sharp(withHidden(product, sourceAlphaPlane(photo)), { raw: { width, height, channels: 1 } })
    .resize(cover)
    .extractChannel(0);
  const weights = backdropWeights(asUint8Array(await matte.raw().toBuffer()), work);
  const blurred = new Uint8Array(rgb.length);
  for (let c = 0; c < 3; c++) {
    const plane = fillProduct(planeOf(rgb, c), weights, work);
    blurPlane(plane, work.width, work.height, sigma);
    for (let i = 0; i < plane.length; i++) blurred[i * 3 + c] = plane[i]! + 0.5;
  }
  const enlarged = sharp(blurred, { raw: { ...work, channels: 3 } }).resize({
    ...frameSize(frame),
    fit: "fill",
    kernel: "cubic",
  });
  return asUint8Array(await enlarged.raw().toBuffer());
}

function withHidden(product: Uint8Array, alpha: Uint8Array | undefined): Uint8Array {
  return alpha === undefined ? product : product.map((own, i) => Math.max(own, 255 - alpha[i]!));
}

const frameSize = ({ width, height }: Size): Size => ({ width, height });

/** 1 where the photo surely shows the backdrop, 0 where the product or its soft edge is. */
function backdropWeights(matte: Uint8Array, { width, height }: Size): Float32Array {
  const spread = Float32Array.from(matte, (alpha) => alpha / 255);
  blurPlane(spread, width, height, 1.5);
  return spread.map((alpha) => Math.max(0, 1 - 8 * alpha));
}

function planeOf(rgb: Uint8Array, channel: number): Float32Array {
  return Float32Array.from({ length: rgb.length / 3 }, (_, i) => rgb[i * 3 + channel]!);
}

/** How far a filled cell looks around, as a share of the longer side. */
const fillShare = 0.08;
const weightMin = 1e-3;

/** Where the product was, the mean of the backdrop around it, near things first. */
function fillProduct(plane: Float32Array, weights: Float32Array, { width, height }: Size): Float32Array {
  const near = weights.slice();
  const values = plane.map((value, i) => value * weights[i]!);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = total < 1 ? 255 : values.reduce((sum, value) => sum + value, 0) / total;
  const sigma = fillShare * Math.max(width, height);
  blurPlane(near, width, height, sigma);
  blurPlane(values, width, height, sigma);
  return plane.map((value, i) => {
    const weight = weights[i]!;
    const around = near[i]! < weightMin ? mean : values[i]! / near[i]!;
    return weight * value + (1 - weight) * around;
  });
}
