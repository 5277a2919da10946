/** Plans where the edited image is placed in its frame, and applies the plan in a sharp pipeline. */

import { PackshotError } from "@packshot/domain/errors.ts";
import type { OutputAlign, OutputParameters } from "@packshot/domain/tools.ts";
import type { Sharp } from "sharp";
import type { Box, Size } from "../pixels/geometry.ts";

export interface Layout {
  /** The part of the image that is shown. */
  readonly crop: Box;
  /** Where that part is placed in the frame, scaled to this size. */
  readonly placement: Box;
  readonly frame: Size;
}

export type LayoutParameters = Pick<OutputParameters, "width" | "height" | "padding" | "align" | "crop">;

/**
 * Plans the frame. Without parameters the image keeps its own size and pixels.
 *
 * @param source size of the edited image
 * @param product box of its visible pixels, for `crop: "product"`
 * @throws PackshotError `no_product_found` where the crop is the product and nothing is visible
 */
export function planLayout(source: Size, product: Box | undefined, parameters: LayoutParameters): Layout {
  // `...source` would read the image's pixels, which a cut-out makes only when they are read.
  const { width: sourceWidth, height: sourceHeight } = source;
  const whole = { left: 0, top: 0, width: sourceWidth, height: sourceHeight };
  const crop = parameters.crop === "product" ? product : whole;
  if (crop === undefined) throw new PackshotError("no_product_found", "No product stands out in the picture.");
  const padding = parameters.padding ?? 0;
  const hasOwnSize = parameters.width === undefined && parameters.height === undefined;
  const downscale = hasOwnSize ? downscaleFor(crop, padding) : 1;
  const frame = frameSize(crop, padding, parameters, downscale);
  const inner = { width: frame.width * (1 - 2 * padding), height: frame.height * (1 - 2 * padding) };
  const scale = hasOwnSize ? downscale : Math.min(inner.width / crop.width, inner.height / crop.height);
  const width = clamp(Math.round(crop.width * scale), 1, frame.width);
  const height = clamp(Math.round(crop.height * scale), 1, frame.height);
  return {
    crop,
    frame,
    placement: { width, height, ...alignPlacement(frame, { width, height }, padding, parameters.align) },
  };
}

/**
 * Padding enlarges the frame up to this side, the largest that `width` and `height` allow; 45 % would make it ten times
 * as large.
 */
const paddedSideMax = 8192;

function downscaleFor(crop: Size, padding: number): number {
  const side = Math.max(crop.width, crop.height);
  return Math.min(1, (Math.max(paddedSideMax, side) / side) * (1 - 2 * padding));
}

function frameSize(crop: Size, padding: number, { width, height }: LayoutParameters, downscale: number): Size {
  const share = (1 - 2 * padding) / downscale;
  // One side alone keeps the aspect ratio of what is shown; padding is a share of each side of the frame.
  if (width !== undefined && height !== undefined) return { width, height };
  if (width !== undefined) return { width, height: Math.max(1, Math.round((width * crop.height) / crop.width)) };
  if (height !== undefined) return { width: Math.max(1, Math.round((height * crop.width) / crop.height)), height };
  return { width: Math.round(crop.width / share), height: Math.round(crop.height / share) };
}

function alignPlacement(frame: Size, size: Size, padding: number, align: OutputAlign = "center") {
  const free = { left: frame.width - size.width, top: frame.height - size.height };
  const margin = { left: Math.round(frame.width * padding), top: Math.round(frame.height * padding) };
  const left = align === "left" ? margin.left : align === "right" ? free.left - margin.left : Math.floor(free.left / 2);
  const top = align === "top" ? margin.top : align === "bottom" ? free.top - margin.top : Math.floor(free.top / 2);
  return { left: clamp(left, 0, free.left), top: clamp(top, 0, free.top) };
}

/** Whether the layout changes nothing. */
export function isIdentity({ crop, placement, frame }: Layout, source: Size): boolean {
  return [crop, placement, frame].every(({ width, height }) => width === source.width && height === source.height);
}

/** Crops, scales and places the image in one sharp pipeline; the rest of the frame shows `background`. */
export function applyLayout(pipeline: Sharp, layout: Layout, background: Background): Sharp {
  const { crop, placement, frame } = layout;
  let scaled = pipeline.extract(crop);
  if (placement.width !== crop.width || placement.height !== crop.height) {
    scaled = scaled.resize({ width: placement.width, height: placement.height, fit: "fill", kernel: "lanczos3" });
  }
  return scaled.extend({
    left: placement.left,
    top: placement.top,
    right: frame.width - placement.left - placement.width,
    bottom: frame.height - placement.top - placement.height,
    background,
  });
}

export interface Background {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  /** 0 transparent – 1 opaque. */
  readonly alpha: number;
}

const transparent: Background = { r: 0, g: 0, b: 0, alpha: 0 };

/** `transparent` or `#rrggbb`. */
export function parseBackground(text: string): Background {
  if (text === "transparent") return transparent;
  const value = Number.parseInt(text.slice(1), 16);
  return { r: value >> 16, g: (value >> 8) & 255, b: value & 255, alpha: 1 };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}
