/** Plans where the edited image is placed in its frame, and applies the plan in a sharp pipeline. */

import {
  centered,
  type FramingParameters,
  type Length,
  lengthInPixels,
  type MarginParameters,
  marginPixelsMax,
} from "@packshot/domain/edits/framing.ts";
import { noProduct } from "@packshot/domain/edits/no-product.ts";
import type { OutputAlign, OutputParameters } from "@packshot/domain/edits/tools.ts";
import type { Sharp } from "sharp";
import type { Box, CutSides, Size } from "../pixels/geometry.ts";

export interface Layout {
  /** The part of the image that is shown. */
  readonly crop: Box;
  /** Where that part is placed in the frame, scaled to this size. */
  readonly placement: Box;
  readonly frame: Size;
  /** The frame that was asked for, where it is larger than one may be. */
  readonly askedFrame?: Size;
  /** The sides at which the product has less margin than was asked for; absent: none. */
  readonly cutMargins?: readonly MarginSide[];
  /** How much the part is sharpened where it is scaled down, 0–1; absent: not at all. */
  readonly sharpen?: number;
}

type MarginSide = keyof MarginParameters;

export type LayoutParameters = Pick<OutputParameters, "width" | "height" | "padding" | "align" | "crop" | "sharpen"> &
  FramingParameters & { readonly stand?: Stand };

/** How tall the product is and where its foot stands, as shares of the frame's height; without a foot, in the middle. */
export interface Stand {
  readonly productHeight: number;
  readonly baseline?: number;
}

/** Whether a layout with these parameters depends on where the product is. */
export function needsProduct({ crop, scale, position, stand }: LayoutParameters): boolean {
  return crop === "product" || scale !== undefined || position !== undefined || stand !== undefined;
}

/**
 * Plans the frame. Without parameters the image keeps its own size and pixels.
 *
 * @param source size of the edited image
 * @param product box of its visible pixels, where `needsProduct`
 * @throws PackshotError `no_product_found` where the layout needs the product and nothing is visible
 */
export function planLayout(source: Size, product: Box | undefined, parameters: LayoutParameters): Layout {
  const { scale, position, stand, maxMegapixels, sharpen = 0 } = parameters;
  const filled = fillFrame(source, product, parameters);
  const placesProduct = scale !== undefined || position !== undefined || stand !== undefined;
  const unsharpened = placesProduct ? placeProduct(filled, product, parameters) : filled;
  const placed = sharpen === 0 ? unsharpened : { ...unsharpened, sharpen };
  const asked = maxMegapixels === undefined ? placed : limitPixels(placed, maxMegapixels * 1e6);
  return followsShape(parameters) ? limitFollowing(asked, enlargedSide(filled.crop)) : asked;
}

/** Around a small product with margins, or a narrow one, the other side could be a hundred times as long. */
function limitFollowing(asked: Layout, sideMax: number): Layout {
  const limited = limitSides(asked, sideMax);
  return limited === asked ? asked : { ...limited, askedFrame: asked.frame };
}

/** With one of its sides, a frame has the aspect ratio of what is shown. */
function followsShape({ width, height }: LayoutParameters): boolean {
  return (width === undefined) !== (height === undefined);
}

/**
 * A frame that has room for that of any product in the image, as long as nobody knows its box: a wide product has the longest
 * frame where the height is given, and a square one the largest where a frame may grow no more.
 */
export function largestFrame(source: Size, parameters: LayoutParameters): Size {
  const { width, height } = source;
  const { scale: _scale, position: _position, maxMegapixels, ...layout } = parameters;
  const box = (size: Size) => ({ left: 0, top: 0, ...size });
  if (layout.crop !== "product") return planLayout(source, box({ width, height }), parameters).frame;
  const boxes = [
    { width, height },
    { width, height: 1 },
    { width: 1, height },
  ];
  const frames = boxes.map((size) => wholeFrame(size, layout));
  const sideMax = enlargedSide(source);
  const largest = {
    width: Math.min(sideMax, Math.max(...frames.map((frame) => frame.width))),
    height: Math.min(sideMax, Math.max(...frames.map((frame) => frame.height))),
  };
  if (maxMegapixels === undefined) return largest;
  return limitPixels({ crop: box(source), placement: box(largest), frame: largest }, maxMegapixels * 1e6).frame;
}

/** The frame of a product of this size, were there no limit to it. */
function wholeFrame(product: Size, parameters: LayoutParameters): Size {
  return frameSize(withMargin(product, marginPixels(product, parameters.margin)), parameters, 1);
}

/** The shown part fills the frame, but for padding and margins. */
function fillFrame(source: Size, product: Box | undefined, parameters: LayoutParameters): Layout {
  // `...source` would read the image's pixels, which a cut-out makes only when they are read.
  const { width: sourceWidth, height: sourceHeight } = source;
  const whole = { left: 0, top: 0, width: sourceWidth, height: sourceHeight };
  const crop = parameters.crop === "product" ? product : whole;
  if (crop === undefined) throw noProduct({ place: "picture" });
  const margin = parameters.crop === "product" ? marginPixels(crop, parameters.margin) : noMargin;
  const shown = withMargin(crop, margin);
  const padding = parameters.padding ?? 0;
  const hasOwnSize = parameters.width === undefined && parameters.height === undefined;
  const downscale = hasOwnSize ? downscaleFor(crop, shown, padding) : 1;
  const frame = frameSize(shown, parameters, downscale);
  const inner = { width: frame.width * (1 - 2 * padding), height: frame.height * (1 - 2 * padding) };
  const scale = hasOwnSize ? downscale : Math.min(inner.width / shown.width, inner.height / shown.height);
  const width = clamp(Math.round(shown.width * scale), 1, frame.width);
  const height = clamp(Math.round(shown.height * scale), 1, frame.height);
  const placement = { width, height, ...alignPlacement(frame, { width, height }, padding, parameters.align) };
  return {
    crop,
    frame,
    placement: margin === noMargin ? placement : withinMargin(placement, crop, shown, margin),
    ...(downscale < 1 && { askedFrame: frameSize(shown, parameters, 1) }),
    ...(parameters.crop === "product" && cutMargins(crop, parameters.margin)),
  };
}

interface MarginPixels {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

const noMargin: MarginPixels = { top: 0, right: 0, bottom: 0, left: 0 };

function marginPixels({ width, height }: Size, margin: MarginParameters | undefined): MarginPixels {
  if (margin === undefined) return noMargin;
  return {
    top: marginSide(margin.top, height).pixels,
    right: marginSide(margin.right, width).pixels,
    bottom: marginSide(margin.bottom, height).pixels,
    left: marginSide(margin.left, width).pixels,
  };
}

function marginSide(length: Length | undefined, whole: number): { readonly pixels: number; readonly isCut: boolean } {
  if (length === undefined) return { pixels: 0, isCut: false };
  const longest = length.endsWith("%") ? whole : Math.max(whole, marginPixelsMax);
  const asked = lengthInPixels(length, whole);
  return { pixels: Math.min(longest, Math.round(asked)), isCut: asked > longest };
}

function cutMargins({ width, height }: Size, margin: MarginParameters = {}): Pick<Layout, "cutMargins"> {
  const sides = Object.entries(margin) as [MarginSide, Length | undefined][];
  const cut = sides.filter(([side, length]) => {
    return marginSide(length, side === "top" || side === "bottom" ? height : width).isCut;
  });
  return cut.length === 0 ? {} : { cutMargins: cut.map(([side]) => side) };
}

function withMargin({ width, height }: Size, margin: MarginPixels): Size {
  return { width: width + margin.left + margin.right, height: height + margin.top + margin.bottom };
}

/** The product's own place in `placement`, which has room for its margins. */
function withinMargin(placement: Box, crop: Size, shown: Size, margin: MarginPixels): Box {
  const scaleX = placement.width / shown.width;
  const scaleY = placement.height / shown.height;
  const width = clamp(Math.round(crop.width * scaleX), 1, placement.width);
  const height = clamp(Math.round(crop.height * scaleY), 1, placement.height);
  const left = placement.left + clamp(Math.round(margin.left * scaleX), 0, placement.width - width);
  const top = placement.top + clamp(Math.round(margin.top * scaleY), 0, placement.height - height);
  return { left, top, width, height };
}

/** A product that stands takes no more of the frame's width, and leaves this much of its height free above it. */
const standingWidthMax = 0.72;
const headroomMin = 0.03;

/** The product alone, in the frame that it would have without `scale` and `position`. */
function placeProduct(
  { crop, placement, frame, ...facts }: Layout,
  product: Box | undefined,
  { scale, position, stand }: LayoutParameters,
): Layout {
  if (product === undefined) throw noProduct({ place: "picture" });
  const factor =
    stand !== undefined
      ? standingScale(frame, product, stand)
      : scale === undefined
        ? placement.width / crop.width
        : Math.min((scale * frame.width) / product.width, (scale * frame.height) / product.height);
  const width = clamp(Math.round(product.width * factor), 1, frame.width);
  const height = clamp(Math.round(product.height * factor), 1, frame.height);
  const left = Math.round((frame.width - width) * (position?.x ?? centered));
  const free = (frame.height - height) * (stand === undefined ? (position?.y ?? centered) : centered);
  const top = stand?.baseline === undefined ? free : clamp(stand.baseline * frame.height - height, 0, frame.height);
  return { ...facts, crop: product, frame, placement: { left, top: Math.round(top), width, height } };
}

function standingScale(frame: Size, product: Size, { productHeight, baseline = 1 }: Stand): number {
  const tall = Math.min(productHeight, baseline - headroomMin) * frame.height;
  return Math.min(tall / product.height, (standingWidthMax * frame.width) / product.width);
}

/** The layout with a product that the photo's border cuts at that border of the frame: elsewhere its straight cut shows. */
export function keepAtBorder(layout: Layout, cut: CutSides): Layout {
  const { placement, frame } = layout;
  const free = frame.width - placement.width;
  const room = frame.height - placement.height;
  const left = cut.left === cut.right ? placement.left : cut.left ? 0 : free;
  const top = cut.top === cut.bottom ? placement.top : cut.top ? 0 : room;
  return { ...layout, placement: { ...placement, left, top } };
}

/**
 * The layout, with as much of a larger part of the image as the frame has room for: a shadow that fades out beyond what is visible
 * would end in a line there.
 */
export function widenShown(layout: Layout, larger: Box): Layout {
  const { crop, placement, frame } = layout;
  const across = widenSide(
    [crop.left, crop.width],
    [larger.left, larger.width],
    [placement.left, placement.width, frame.width],
  );
  const down = widenSide(
    [crop.top, crop.height],
    [larger.top, larger.height],
    [placement.top, placement.height, frame.height],
  );
  return {
    ...layout,
    crop: { left: across.from, width: across.length, top: down.from, height: down.length },
    placement: { left: across.at, width: across.size, top: down.at, height: down.size },
  };
}

/** @returns where the shown part begins in the image and in the frame, and how long it is in each */
function widenSide(
  [from, length]: readonly [number, number],
  [largerFrom, largerLength]: readonly [number, number],
  [at, size, room]: readonly [number, number, number],
) {
  const scale = size / length;
  const before = clamp(from - largerFrom, 0, Math.floor(at / scale));
  const after = clamp(largerFrom + largerLength - from - length, 0, Math.floor((room - at - size) / scale));
  const [start, end] = [before, after].map((pixels) => Math.round(pixels * scale)) as [number, number];
  return { from: from - before, length: length + before + after, at: at - start, size: size + start + end };
}

/** What was asked for has no more pixels either. */
function limitPixels(layout: Layout, pixelsMax: number): Layout {
  const { askedFrame, ...rest } = layout;
  const limited = scaleDown(rest, limitingScale(rest.frame, pixelsMax));
  if (askedFrame === undefined || limited !== rest) return limited;
  return { ...rest, askedFrame: scaleSize(askedFrame, limitingScale(askedFrame, pixelsMax)) };
}

function limitingScale({ width, height }: Size, pixelsMax: number): number {
  return Math.sqrt(pixelsMax / (width * height));
}

/** The layout, scaled down where a side of its frame is longer than a format can have. */
export function limitSides(layout: Layout, sideMax: number): Layout {
  return scaleDown(layout, sideMax / Math.max(layout.frame.width, layout.frame.height));
}

function scaleDown(layout: Layout, scale: number): Layout {
  if (scale >= 1) return layout;
  const { placement, frame } = layout;
  const size = scaleSize(frame, scale);
  const scaleX = size.width / frame.width;
  const scaleY = size.height / frame.height;
  const width = clamp(Math.round(placement.width * scaleX), 1, size.width);
  const height = clamp(Math.round(placement.height * scaleY), 1, size.height);
  const left = clamp(Math.round(placement.left * scaleX), 0, size.width - width);
  const top = clamp(Math.round(placement.top * scaleY), 0, size.height - height);
  return { ...layout, placement: { left, top, width, height }, frame: size };
}

function scaleSize({ width, height }: Size, scale: number): Size {
  if (scale >= 1) return { width, height };
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

/** Where a box of the image lies in the frame; undefined: in no part that is shown. */
export function boxInFrame(box: Box, { crop, placement, frame }: Layout): Box | undefined {
  const scaleX = placement.width / crop.width;
  const scaleY = placement.height / crop.height;
  const left = Math.max(0, Math.round(placement.left + (box.left - crop.left) * scaleX));
  const top = Math.max(0, Math.round(placement.top + (box.top - crop.top) * scaleY));
  const right = Math.min(frame.width, Math.round(placement.left + (box.left + box.width - crop.left) * scaleX));
  const bottom = Math.min(frame.height, Math.round(placement.top + (box.top + box.height - crop.top) * scaleY));
  return right <= left || bottom <= top ? undefined : { left, top, width: right - left, height: bottom - top };
}

/**
 * A frame is enlarged up to this side, the largest that `width` and `height` allow: padding of 45 % would make it ten times
 * as large, and a height of 8192 pixels that of a line a thousand times.
 */
const enlargedSideMax = 8192;

/** What is longer stays as long as it is. */
function enlargedSide({ width, height }: Size): number {
  return Math.max(enlargedSideMax, width, height);
}

function downscaleFor(crop: Size, shown: Size, padding: number): number {
  const shownSide = Math.max(shown.width, shown.height);
  return Math.min(1, (enlargedSide(crop) / shownSide) * (1 - 2 * padding));
}

function frameSize(shown: Size, { width, height, padding = 0 }: LayoutParameters, downscale: number): Size {
  const share = (1 - 2 * padding) / downscale;
  // One side alone keeps the aspect ratio of what is shown; padding is a share of each side of the frame.
  if (width !== undefined && height !== undefined) return { width, height };
  if (width !== undefined) return { width, height: Math.max(1, Math.round((width * shown.height) / shown.width)) };
  if (height !== undefined) return { width: Math.max(1, Math.round((height * shown.width) / shown.height)), height };
  return { width: Math.round(shown.width / share), height: Math.round(shown.height / share) };
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

/** The strength of sharpening; 0 where the image is not scaled down. */
export function sharpeningOf({ crop, placement, sharpen = 0 }: Layout): number {
  return placement.width < crop.width || placement.height < crop.height ? sharpen : 0;
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

/** `transparent`, `#rrggbb` or `#rrggbbaa`. */
export function parseBackground(text: string): Background {
  if (text === "transparent") return transparent;
  const value = Number.parseInt(text.slice(1, 7), 16);
  const alpha = text.length === 7 ? 1 : Number.parseInt(text.slice(7), 16) / 255;
  return { r: value >> 16, g: (value >> 8) & 255, b: value & 255, alpha };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}
