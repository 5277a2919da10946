/**
 * Crops the photo to the thing at the point before the network sees it: the thing is larger there, and not beside another
 * that would draw all attention.
 */

import { noProduct } from "@packshot/domain/edits/no-product.ts";
import type { Prior } from "../../imaging/matting/evidence/prior.ts";
import { boxesOfParts, partAt, pointReachShare } from "../../imaging/matting/parts/matte-parts.ts";
import { croppedPhoto, pointInView, viewBox } from "../../imaging/matting/photo-region.ts";
import { flattenForMatting } from "../../imaging/matting/predict/flatten.ts";
import { prepareInput } from "../../imaging/matting/predict/model-input.ts";
import { cropPixels } from "../../imaging/matting/predict/test-time-augmentation.ts";
import { isTransparent } from "../../imaging/matting/report/source-alpha.ts";
import { labelComponents } from "../../imaging/pixels/connected-components.ts";
import type { Box, Point, Size } from "../../imaging/pixels/geometry.ts";
import type { CutOutStart, Decoded, PointInCrop, Prepared } from "./cut-out-context.ts";
import { predict } from "./predict-matte.ts";

/** @throws PackshotError `point_out_of_bounds`, `no_product_found` */
export async function cropToPoint(
  context: CutOutStart & Decoded & Pick<Prepared, "modelInput">,
): Promise<Partial<Decoded> & PointInCrop> {
  const { input, photo, view: outer } = context;
  const { point } = input.parameters;
  if (point === undefined) return {};
  const whole = outer?.whole ?? photo;
  const at = pointInView(point, whole, outer);
  const view = viewBox(await findThing(context, at), whole, outer);
  const cropped = croppedPhoto(view);
  const origin = outer?.crop ?? { left: 0, top: 0 };
  const pointed = { x: at.x + origin.left - view.crop.left, y: at.y + origin.top - view.crop.top };
  return { photo: cropped, view, flat: flattenForMatting(cropped), pointed };
}

/** The photo, then crops around the point with these shares of its sides: in them the network sees lesser things. */
const cropShares = [1, 0.5, 0.25] as const;

/** @returns the box of the thing, in the photo */
async function findThing(
  { input, photo, flat, modelInput }: CutOutStart & Decoded & Pick<Prepared, "modelInput">,
  at: Point,
): Promise<Box> {
  for (const share of cropShares) {
    const box = boxAround(at, photo, share);
    const crop = share === 1 ? flat : cropPixels(flat, photo, box);
    const { tensor } = await prepareInput(crop, box, modelInput);
    const { prior } = await predict(input, tensor);
    const found = boxAt(prior, { x: at.x - box.left, y: at.y - box.top }, box);
    if (found !== undefined) return { ...found, left: found.left + box.left, top: found.top + box.top };
    input.signal.throwIfAborted();
  }
  throw noProduct({ place: "point", ...(isTransparent(photo) && { hiddenBy: "transparentPhoto" }) });
}

/** The box of the given shares of the photo's sides, in the photo and with the point as near to its middle as it may be. */
function boxAround({ x, y }: Point, photo: Size, share: number): Box {
  const width = Math.ceil(photo.width * share);
  const height = Math.ceil(photo.height * share);
  const start = (middle: number, length: number, whole: number) =>
    Math.max(0, Math.min(whole - length, Math.round(middle - length / 2)));
  return { left: start(x, width, photo.width), top: start(y, height, photo.height), width, height };
}

const productAlphaMin = 128;

/** @param size of what the prediction is of, in whose pixels the point and the box are */
function boxAt(prior: Prior, { x, y }: Point, size: Size): Box | undefined {
  const parts = labelComponents(
    prior.alpha.map((alpha) => (alpha >= productAlphaMin ? 1 : 0)),
    prior,
  );
  const scaleX = size.width / prior.width;
  const scaleY = size.height / prior.height;
  const cell = { x: Math.floor(x / scaleX), y: Math.floor(y / scaleY) };
  const label = partAt(parts, prior, cell, Math.ceil(pointReachShare * Math.max(prior.width, prior.height)));
  if (label === 0) return undefined;
  const box = boxesOfParts(parts, prior)[label]!;
  const left = Math.floor(box.left * scaleX);
  const top = Math.floor(box.top * scaleY);
  const right = Math.min(size.width, Math.ceil((box.left + box.width) * scaleX));
  const bottom = Math.min(size.height, Math.ceil((box.top + box.height) * scaleY));
  return { left, top, width: right - left, height: bottom - top };
}
