/** The pixels of a result: the edited image in its frame, with what stands behind it, around it and over it. */

import { backgroundOf } from "@packshot/domain/edits/background.ts";
import { openBackgroundPicture } from "../imaging/codec/background-picture.ts";
import { toSrgb } from "../imaging/codec/encode.ts";
import { cutOutImage } from "../imaging/output/cut-out-image.ts";
import { drawBlurred, drawGradient, drawOriginal } from "../imaging/output/draw-background.ts";
import { drawLogo } from "../imaging/output/draw-logo.ts";
import { drawOutline, outlinePixels } from "../imaging/output/draw-outline.ts";
import { boxInFrame, isIdentity, type Layout } from "../imaging/output/layout.ts";
import { renderLayout, renderOnPicture } from "../imaging/output/render-layout.ts";
import { visibleBox } from "../imaging/pixels/alpha-scan.ts";
import type { CutOut } from "../imaging/pixels/cut-out.ts";
import type { EditedImage, Image } from "../imaging/pixels/image.ts";
import type { Photo } from "../imaging/pixels/photo.ts";
import type { EditInput } from "./edit.ts";

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
  const box = visibleBox(parts.cut.alpha, parts.cut);
  const shown = box && boxInFrame(box, layout);
  if (outline === undefined || shown === undefined) return image;
  const alone = await layOut(cutOutImage(parts.cut), layout);
  const isConverted = image.icc === undefined && alone.icc !== undefined;
  const product = isConverted ? await toSrgb(alone) : alone;
  return await drawOutline(copyOf(image), product, outline, outlinePixels(shown, outline));
}

async function layOut(image: Image, layout: Layout, color?: string): Promise<Image> {
  return isIdentity(layout, image) && color === undefined ? image : await renderLayout(image, layout, color);
}

async function drawOnBackground({ photo, cut, edited }: ResultParts, layout: Layout, input: EditInput): Promise<Image> {
  const { frame } = layout;
  // The drop-in's picture is named by no parameter.
  const isGiven = input.background !== undefined && input.parameters.background === undefined;
  const behind = isGiven ? ({ kind: "image" } as const) : backgroundOf(input.parameters);
  switch (behind.kind) {
    case "color":
      return await layOut(edited, layout, behind.color);
    case "gradient":
      return await renderOnPicture(edited, layout, drawGradient(frame, behind));
    case "original":
      return await renderOnPicture(edited, layout, await drawOriginal(photo, layout, behind));
    case "blur":
      return await renderOnPicture(edited, layout, await drawBlurred(photo, cut.alpha, frame, behind));
    case "image":
      return await renderOnPicture(edited, layout, await openBackgroundPicture(input.background!, frame, input));
  }
}

/**
 * Draws the logo, where there is one.
 *
 * @throws PackshotError `logo_unusable`
 */
export async function drawLogoOf({ logo, parameters }: EditInput, image: Image): Promise<Image> {
  if (logo === undefined || parameters.alphaOnly) return image;
  return await drawLogo(copyOf(await toSrgb(image)), logo, parameters.logo ?? {});
}

/** To be drawn into: an image may make its rows of others' memory. */
function copyOf({ width, height, channels, pixels, icc }: Image): Image {
  return { width, height, channels, pixels: pixels.slice(), icc };
}
