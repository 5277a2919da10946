/** The pixels of a result: the edited image in its frame, with what stands behind it, around it and over it. */

import { type BackgroundParameters, backgroundOf } from "@packshot/domain/edits/background.ts";
import { decoderOf } from "../../decoder/image-decoder.ts";
import { openBackgroundPicture } from "../../imaging/codec/background-picture.ts";
import { toSrgb } from "../../imaging/codec/open-image.ts";
import { cutOutImage } from "../../imaging/output/cut-out-image.ts";
import { drawBlurred, drawGradient, drawOriginal } from "../../imaging/output/draw-background.ts";
import { drawLogo } from "../../imaging/output/draw-logo.ts";
import { drawOutline, outlinePixels } from "../../imaging/output/draw-outline.ts";
import { boxInFrame, isIdentity, type Layout } from "../../imaging/output/layout.ts";
import { renderLayout, renderOnPicture } from "../../imaging/output/render-layout.ts";
import { visibleBox } from "../../imaging/pixels/alpha-scan.ts";
import type { CutOut } from "../../imaging/pixels/cut-out.ts";
import type { EditedImage, Image } from "../../imaging/pixels/image.ts";
import type { Photo } from "../../imaging/pixels/photo.ts";
import type { EditInput } from "../edit.ts";

export interface ResultParts {
  readonly photo: Photo;
  readonly cut: CutOut;
  readonly edited: EditedImage;
}

/**
 * Draws the edited image in its frame.
 *
 * @throws PackshotError `background_unusable`
 */
export async function drawResult(parts: ResultParts, layout: Layout, input: EditInput): Promise<Image> {
  const { alphaOnly, outline } = input.parameters;
  if (alphaOnly) return await layOut(parts.edited, layout);
  const image = await drawOnBackground(parts, layout, input);
  if (outline === undefined) return image;
  const box = visibleBox(parts.cut.alpha, parts.cut);
  const shown = box && boxInFrame(box, layout);
  if (shown === undefined) return image;
  const alone = await layOut(cutOutImage(parts.cut), layout);
  const isConverted = image.icc === undefined && alone.icc !== undefined;
  const product = isConverted ? await toSrgb(alone) : alone;
  return await drawOutline(copyOf(image), product, outline, outlinePixels(shown, outline));
}

async function layOut(image: Image, layout: Layout, color?: string): Promise<Image> {
  return isIdentity(layout, image) && color === undefined ? image : await renderLayout(image, layout, color);
}

async function drawOnBackground(parts: ResultParts, layout: Layout, input: EditInput): Promise<Image> {
  const picture = await drawPictureBehind(parts, layout, input);
  if (picture === undefined) return await layOut(parts.edited, layout, behindOf(input).color);
  return await renderOnPicture(parts.edited, layout, picture);
}

/** What the request puts behind the product. */
export function behindOf({ background, parameters }: EditInput): BackgroundParameters {
  // The drop-in's picture is named by no parameter.
  const isGiven = background !== undefined && parameters.background === undefined;
  return isGiven ? { kind: "image" } : backgroundOf(parameters);
}

/**
 * The picture behind the product: interleaved u8 RGB in sRGB, of the frame's size; undefined where a color is behind it.
 *
 * @throws PackshotError `background_unusable`
 */
export async function drawPictureBehind(
  { photo, cut, edited }: ResultParts,
  layout: Layout,
  input: EditInput,
): Promise<Uint8Array | undefined> {
  const { frame } = layout;
  const behind = behindOf(input);
  switch (behind.kind) {
    case "gradient":
      return drawGradient(frame, behind);
    case "original":
      return await drawOriginal(photo, layoutOfPhoto(layout, edited), behind);
    case "blur":
      return await drawBlurred(photo, cut.alpha, frame, behind);
    case "image":
      return await openBackgroundPicture(input.background!, frame, input, decoderOf(input).openPicture);
    default:
      return undefined;
  }
}

/** The layout of the photo alone, whose canvas may have been widened. */
function layoutOfPhoto(layout: Layout, { origin }: EditedImage): Layout {
  if (origin === undefined) return layout;
  const { crop } = layout;
  return { ...layout, crop: { ...crop, left: crop.left - origin.x, top: crop.top - origin.y } };
}

/**
 * Draws the logo, where there is one.
 *
 * @throws PackshotError `logo_unusable`
 */
export async function drawLogoOf(input: EditInput, image: Image): Promise<Image> {
  const { logo, parameters } = input;
  if (logo === undefined || parameters.alphaOnly) return image;
  return await drawLogo(copyOf(await toSrgb(image)), logo, parameters.logo ?? {}, decoderOf(input).openLogo);
}

/** To be drawn into: an image may make its rows of others' memory. */
function copyOf({ width, height, channels, pixels, icc }: Image): Image {
  return { width, height, channels, pixels: pixels.slice(), icc };
}
