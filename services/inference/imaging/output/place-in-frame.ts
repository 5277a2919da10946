/** Places a cut-out in the frame of its result before a scene is painted around it. */

import type { OutputParameters } from "@packshot/domain/edits/tools.ts";
import { visibleBox } from "../pixels/alpha-scan.ts";
import type { CutOut } from "../pixels/cut-out.ts";
import type { Box, CutSides } from "../pixels/geometry.ts";
import type { Image } from "../pixels/image.ts";
import { cutOutImage } from "./cut-out-image.ts";
import { keepAtBorder, type Layout, needsProduct, planLayout, type Stand } from "./layout.ts";
import { renderLayout } from "./render-layout.ts";

export interface FramedCutOut {
  readonly cut: CutOut;
  /**
   * How the photo lies in the result's frame. That is larger than the cut-out where the product is enlarged: a scene is
   * painted at no more pixels than the photo has, and then enlarged.
   */
  readonly layout: Layout;
}

/** @returns undefined where the shown part of the photo fills the frame already */
export async function placeInFrame(
  cut: CutOut,
  output: OutputParameters = {},
  stand?: Stand,
): Promise<FramedCutOut | undefined> {
  const parameters = stand === undefined ? output : { ...output, stand };
  const product = visibleBox(cut.alpha, cut);
  const planned = planLayout(cut, needsProduct(parameters) ? product : undefined, parameters);
  const layout = product === undefined ? planned : keepAtBorder(planned, cutSidesOf(cut, product));
  const { frame, placement } = layout;
  if (placement.width === frame.width && placement.height === frame.height) return undefined;
  return { cut: toCutOut(await renderLayout(cutOutImage(cut), limitToSourcePixels(layout)), cut), layout };
}

/** A product that only touches the border, as a strap's loop may, is whole. */
const cutShareMin = 0.12;
const solidAlphaMin = 128;

export function cutSidesOf({ alpha, width, height }: CutOut, product: Box): CutSides {
  const solidShare = (from: number, step: number, count: number) => {
    let solid = 0;
    for (let i = 0; i < count; i++) if (alpha[from + i * step]! >= solidAlphaMin) solid++;
    return solid / count;
  };
  const { left, top } = product;
  const isCut = (touches: boolean, from: number, step: number, count: number) =>
    touches && solidShare(from, step, count) >= cutShareMin;
  const right = left + product.width;
  const bottom = top + product.height;
  return {
    left: isCut(left === 0, top * width, width, product.height),
    right: isCut(right === width, top * width + width - 1, width, product.height),
    top: isCut(top === 0, left, 1, product.width),
    bottom: isCut(bottom === height, (height - 1) * width + left, 1, product.width),
  };
}

/** Scales the whole layout down where it would enlarge the product. */
function limitToSourcePixels(layout: Layout): Layout {
  const { crop, placement, frame } = layout;
  const enlargement = Math.max(placement.width / crop.width, placement.height / crop.height);
  if (enlargement <= 1) return layout;
  const scaled = (length: number) => Math.max(1, Math.round(length / enlargement));
  const smallFrame = { width: scaled(frame.width), height: scaled(frame.height) };
  const width = Math.min(crop.width, smallFrame.width);
  const height = Math.min(crop.height, smallFrame.height);
  const left = Math.min(Math.round(placement.left / enlargement), smallFrame.width - width);
  const top = Math.min(Math.round(placement.top / enlargement), smallFrame.height - height);
  return { ...layout, frame: smallFrame, placement: { left, top, width, height } };
}

function toCutOut({ width, height, pixels }: Image, { icc }: CutOut): CutOut {
  const rgb = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  for (let i = 0, from = 0, to = 0; i < alpha.length; i++, from += 4, to += 3) {
    rgb[to] = pixels[from]!;
    rgb[to + 1] = pixels[from + 1]!;
    rgb[to + 2] = pixels[from + 2]!;
    alpha[i] = pixels[from + 3]!;
  }
  return { width, height, rgb, alpha, icc };
}
