/** Lays a cut-out into the frame of its result before anything is painted around it. */
import type { OutputParameters } from "@packshot/domain/tools.ts";
import { type Layout, planLayout } from "./layout.ts";
import { renderLayout } from "./render-layout.ts";
import { cutOutImage } from "./cut-out-image.ts";
import { visibleBox } from "../pixels/alpha-scan.ts";
import type { Size } from "../pixels/geometry.ts";
import type { CutOut } from "../pixels/cut-out.ts";

export interface FramedCutOut {
  readonly cut: CutOut;
  /** Of the result: larger than the cut-out where the product is enlarged, so that nothing is painted at more pixels than the photo has. */
  readonly frame: Size;
}

/** undefined: the product's part of the photo fills the frame, so nothing has to be painted beside it. */
export async function placeInFrame(cut: CutOut, output: OutputParameters = {}): Promise<FramedCutOut | undefined> {
  const product = output.crop === "product" ? visibleBox(cut.alpha, cut) : undefined;
  const layout = planLayout(cut, product, output);
  const { frame, placement } = layout;
  if (placement.width === frame.width && placement.height === frame.height) return undefined;
  return { cut: splitChannels(await renderLayout(cutOutImage(cut), limitToSourcePixels(layout)), cut), frame };
}

function limitToSourcePixels(layout: Layout): Layout {
  const { crop, placement, frame } = layout;
  const enlarged = Math.max(placement.width / crop.width, placement.height / crop.height);
  if (enlarged <= 1) return layout;
  const scaled = (length: number) => Math.max(1, Math.round(length / enlarged));
  const smaller = { width: scaled(frame.width), height: scaled(frame.height) };
  const width = Math.min(crop.width, smaller.width);
  const height = Math.min(crop.height, smaller.height);
  const left = Math.min(Math.round(placement.left / enlarged), smaller.width - width);
  const top = Math.min(Math.round(placement.top / enlarged), smaller.height - height);
  return { crop, frame: smaller, placement: { left, top, width, height } };
}

function splitChannels(
  { width, height, pixels }: { width: number; height: number; pixels: Uint8Array },
  { icc }: CutOut,
): CutOut {
  const rgb = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  for (let i = 0, from = 0, to = 0; i < alpha.length; i++, from += 4, to += 3) {
    rgb[to] = pixels[from]!;
    rgb[to + 1] = pixels[from + 1]!;
    rgb[to + 2] = pixels[from + 2]!;
    alpha[i] = pixels[from + 3]!;
  }
  return { width, height, rgb, alpha, ...(icc === undefined ? {} : { icc }) };
}
