/**
 * The part of a photo that counts. It is cut out as a photo of its own, with some of its surroundings: there the network
 * sees a product larger, and sees one beside which another product would draw all attention.
 */

import { lengthInPixels, type PointParameters, type RegionParameters } from "@packshot/domain/edits/framing.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { CutOut } from "../pixels/cut-out.ts";
import type { Box, Point, Size } from "../pixels/geometry.ts";
import type { Photo } from "../pixels/photo.ts";

export interface RegionView {
  readonly whole: Photo;
  /** The region with its surroundings, in the whole photo. */
  readonly crop: Box;
  /** The region itself, in the crop. */
  readonly region: Box;
}

/** Share of the region's sides that the crop adds around it: a product at the region's edge then has a background around it. */
const surroundingsShare = 0.12;

/** @throws PackshotError `region_out_of_bounds` */
export function viewRegion(parameters: RegionParameters, whole: Photo): RegionView {
  const region = regionBox(parameters, whole);
  const crop = withSurroundings(region, whole);
  return { whole, crop, region: { ...region, left: region.left - crop.left, top: region.top - crop.top } };
}

function regionBox(parameters: RegionParameters, { width, height }: Size): Box {
  const { left: x1 = "0%", top: y1 = "0%", right: x2 = "100%", bottom: y2 = "100%" } = parameters;
  const [left, right] = [x1, x2].map((x) => Math.round(lengthInPixels(x, width))) as [number, number];
  const [top, bottom] = [y1, y2].map((y) => Math.round(lengthInPixels(y, height))) as [number, number];
  const what = `The region from ${left}, ${top} to ${right}, ${bottom}`;
  if (right <= left || bottom <= top) throw new PackshotError("region_out_of_bounds", `${what} is empty.`);
  if (right > width || bottom > height) {
    throw new PackshotError("region_out_of_bounds", `${what} leaves the photo of ${width} × ${height} pixels.`);
  }
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * The pixel of the crop that a point of the photo names.
 *
 * @param view where a region was given
 * @throws PackshotError `point_out_of_bounds`
 */
export function pointInView({ x = "50%", y = "50%" }: PointParameters, whole: Size, view?: RegionView): Point {
  const left = lengthInPixels(x, whole.width);
  const top = lengthInPixels(y, whole.height);
  const what = `The point ${Math.round(left)}, ${Math.round(top)}`;
  // Rounded as a region's sides: clients' divisions give shares slightly above 100%.
  if (Math.round(left) > whole.width || Math.round(top) > whole.height) {
    const message = `${what} is beyond the photo of ${whole.width} × ${whole.height} pixels.`;
    throw new PackshotError("point_out_of_bounds", message);
  }
  // 100% is the last pixel.
  const pixel = { x: Math.min(whole.width - 1, Math.floor(left)), y: Math.min(whole.height - 1, Math.floor(top)) };
  if (view === undefined) return pixel;
  const inCrop = { x: pixel.x - view.crop.left, y: pixel.y - view.crop.top };
  if (contains(view.region, inCrop)) return inCrop;
  throw new PackshotError("point_out_of_bounds", `${what} is beyond the region.`);
}

function contains({ left, top, width, height }: Box, { x, y }: Point): boolean {
  return x >= left && x < left + width && y >= top && y < top + height;
}

/**
 * The view of a box of the crop, with its surroundings.
 *
 * @param outer where a region was given: all beyond it is still removed
 */
export function viewBox(box: Box, whole: Photo, outer?: RegionView): RegionView {
  const origin = outer?.crop ?? { left: 0, top: 0 };
  const crop = withSurroundings({ ...box, left: box.left + origin.left, top: box.top + origin.top }, whole);
  const x = crop.left - origin.left;
  const y = crop.top - origin.top;
  if (outer === undefined) return { whole, crop, region: { left: 0, top: 0, width: crop.width, height: crop.height } };
  const left = Math.max(0, outer.region.left - x);
  const top = Math.max(0, outer.region.top - y);
  const right = Math.min(crop.width, outer.region.left + outer.region.width - x);
  const bottom = Math.min(crop.height, outer.region.top + outer.region.height - y);
  return { whole, crop, region: { left, top, width: right - left, height: bottom - top } };
}

function withSurroundings(region: Box, { width, height }: Size): Box {
  const left = Math.max(0, Math.floor(region.left - region.width * surroundingsShare));
  const top = Math.max(0, Math.floor(region.top - region.height * surroundingsShare));
  const right = Math.min(width, Math.ceil(region.left + region.width * (1 + surroundingsShare)));
  const bottom = Math.min(height, Math.ceil(region.top + region.height * (1 + surroundingsShare)));
  return { left, top, width: right - left, height: bottom - top };
}

/** The crop as a photo. */
export function croppedPhoto({ whole, crop }: RegionView): Photo {
  const { format, icc, alpha } = whole;
  return {
    format,
    width: crop.width,
    height: crop.height,
    rgb: copyBox(whole.rgb, whole, 3, crop),
    alpha: alpha === undefined ? undefined : copyBox(alpha, whole, 1, crop),
    icc,
  };
}

/** Copies a box of interleaved u8 pixels. */
function copyBox(pixels: Uint8Array, size: Size, channels: number, box: Box): Uint8Array {
  const rowBytes = box.width * channels;
  const out = new Uint8Array(rowBytes * box.height);
  for (let y = 0; y < box.height; y++) {
    const from = ((box.top + y) * size.width + box.left) * channels;
    out.set(pixels.subarray(from, from + rowBytes), y * rowBytes);
  }
  return out;
}

/** Removes from the matte of the crop all that lies outside the region. */
export function clearOutside(alpha: Uint8Array, { crop, region }: RegionView): void {
  for (let y = 0; y < crop.height; y++) {
    const row = y * crop.width;
    const isInside = y >= region.top && y < region.top + region.height;
    if (!isInside) alpha.fill(0, row, row + crop.width);
    else {
      alpha.fill(0, row, row + region.left);
      alpha.fill(0, row + region.left + region.width, row + crop.width);
    }
  }
}

/** The cut-out in the size of the whole photo. */
export function cutOutOfWhole({ rgb, alpha, icc }: CutOut, { whole, crop }: RegionView): CutOut {
  const { width, height } = whole;
  const cut = { width, height, rgb: new Uint8Array(width * height * 3), alpha: new Uint8Array(width * height) };
  for (let y = 0; y < crop.height; y++) {
    const from = y * crop.width;
    const to = (crop.top + y) * width + crop.left;
    cut.alpha.set(alpha.subarray(from, from + crop.width), to);
    cut.rgb.set(rgb.subarray(from * 3, (from + crop.width) * 3), to * 3);
  }
  return { ...cut, icc };
}

/** A plane of the crop in the size of the whole photo, 0 around it. */
export function planeOfWhole(plane: Uint8Array, { whole, crop }: RegionView): Uint8Array {
  const out = new Uint8Array(whole.width * whole.height);
  for (let y = 0; y < crop.height; y++) {
    const from = y * crop.width;
    out.set(plane.subarray(from, from + crop.width), (crop.top + y) * whole.width + crop.left);
  }
  return out;
}
