/** Widening the canvas so that no shadow is cut off. */

import { PackshotError } from "@packshot/domain/errors.ts";
import type { CutOut } from "../pixels/cut-out.ts";
import type { Box, CutSides, Size } from "../pixels/geometry.ts";
import type { ShadowLayer } from "./cast-shadow.ts";
import { traceGround } from "./ground.ts";
import { type Light, lampReach } from "./light.ts";
import type { ProductPose } from "./pose.ts";
import { makeShadow, type SceneKind } from "./shadow-kinds.ts";
import type { Silhouette } from "./silhouette.ts";

/** Numbers for each side: how far a canvas is widened there, in pixels or in cells. */
export interface Growth {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const noGrowth: Growth = { left: 0, top: 0, right: 0, bottom: 0 };

/** A canvas grows to four times the photo's pixels, and that of a small photo further. */
const growthMax = 4;
const smallCanvasPixels = 16_000_000;

/** How many pixels a canvas may have that grows. */
export function grownPixelsMax(pixels: number, maxPixels = Number.POSITIVE_INFINITY): number {
  return Math.min(maxPixels, Math.max(growthMax * pixels, smallCanvasPixels));
}

interface GrowthBounds {
  /** As `relativeLength` has it. */
  readonly length: number;
  readonly cut: CutSides;
  /** The row of the image, in pixels, where its reflection ends; absent: it has none. */
  readonly mirroredTo?: number;
}

/**
 * How far the shadow goes beyond the image, in pixels; 0 on sides that cut the product, whose cut would show.
 *
 * The shadow is made on a canvas with room for any of its kind, which costs little: its grid is coarse.
 */
export function growthOf(
  kind: SceneKind,
  pose: ProductPose,
  light: Light,
  size: Size,
  { length, cut, mirroredTo = 0 }: GrowthBounds,
): Growth {
  if (kind === "none") return noGrowth;
  const room = roomFor(kind, pose, light, length);
  const pad: Growth = {
    left: cut.left ? 0 : room.across,
    top: cut.top ? 0 : room.along,
    right: cut.right ? 0 : room.across,
    bottom: cut.bottom ? 0 : room.along,
  };
  const { silhouette, pitch } = pose;
  const { cellPx } = silhouette;
  const padded = padSilhouette(silhouette, pad);
  const wide = { ...pose, silhouette: padded, ground: traceGround(padded, pitch) };
  const layer = makeShadow(kind, wide, light, { width: padded.width * cellPx, height: padded.height * cellPx }, length);
  const dark = darkBox(layer);
  const reaches = {
    left: dark === undefined ? 0 : pad.left * cellPx - dark.left,
    top: dark === undefined ? 0 : pad.top * cellPx - dark.top,
    right: dark === undefined ? 0 : dark.left + dark.width - pad.left * cellPx - size.width,
    bottom: Math.max(
      dark === undefined ? 0 : dark.top + dark.height - pad.top * cellPx - size.height,
      mirroredTo - size.height,
    ),
  };
  const grown = (side: keyof Growth) => (cut[side] ? 0 : Math.max(0, Math.ceil(reaches[side])));
  return { left: grown("left"), top: grown("top"), right: grown("right"), bottom: grown("bottom") };
}

interface Room {
  readonly across: number;
  readonly along: number;
}

/** Lifts of what hangs, and thicknesses of what lies, are less than this share of the product's longer side. */
const liftShareMax = 0.15;

/** In cells, at least what a shadow of this kind takes beyond its product. */
function roomFor(kind: SceneKind, { silhouette, pitch, view }: ProductPose, light: Light, length: number): Room {
  const { left, right, top, bottom } = silhouette;
  const tall = bottom - top;
  const long = Math.max(tall, right - left);
  const margin = Math.ceil(0.5 * long);
  if (kind === "drop" || kind === "float") {
    const moved = Math.ceil(margin + 0.1 * long * length);
    return { across: moved, along: moved };
  }
  if (kind !== "cast") return { across: margin, along: margin };
  const reach = lampReach(light);
  if (view === "above") {
    const lifted = Math.ceil(0.2 * long + liftShareMax * long * reach);
    return { across: lifted, along: lifted };
  }
  const across = Math.ceil(margin + Math.max(1.5, reach) * tall);
  return { across, along: Math.ceil(margin + across * pitch) };
}

function padSilhouette(silhouette: Silhouette, pad: Growth): Silhouette {
  const { width, height, inside, coverage, left, top, right, bottom, cellPx } = silhouette;
  const wide = { width: width + pad.left + pad.right, height: height + pad.top + pad.bottom };
  const move = (cells: Uint8Array) => {
    const moved = new Uint8Array(wide.width * wide.height);
    for (let y = 0; y < height; y++) {
      moved.set(cells.subarray(y * width, (y + 1) * width), (y + pad.top) * wide.width + pad.left);
    }
    return moved;
  };
  return {
    ...wide,
    cellPx,
    inside: move(inside),
    coverage: move(coverage),
    left: left + pad.left,
    right: right + pad.left,
    top: top + pad.top,
    bottom: bottom + pad.top,
  };
}

/** Darkness that changes a pixel. */
const shownMin = 0.002;

/** Where the layer darkens its image, in pixels; undefined: nowhere. */
function darkBox({ width, height, stepPx, darkness }: ShadowLayer): Box | undefined {
  let left = width;
  let right = -1;
  let top = height;
  let bottom = -1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (darkness[y * width + x]! < shownMin) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  if (right < 0) return undefined;
  // Between a dark point and the next one it fades.
  const across = right - left + 2;
  const down = bottom - top + 2;
  return { left: (left - 1) * stepPx, top: (top - 1) * stepPx, width: across * stepPx, height: down * stepPx };
}

/**
 * The cut-out on its widened canvas.
 *
 * @throws PackshotError `canvas_too_large`
 */
export function growCutOut(cut: CutOut, growth: Growth, maxPixels: number): CutOut {
  const { width, height, rgb, alpha, icc } = cut;
  const grown = { width: width + growth.left + growth.right, height: height + growth.top + growth.bottom };
  if (grown.width === width && grown.height === height) return cut;
  const pixelsMax = grownPixelsMax(width * height, maxPixels);
  if (grown.width * grown.height > pixelsMax) {
    const needed = `a canvas of ${grown.width} × ${grown.height} pixels, and may have ${pixelsMax} pixels`;
    throw new PackshotError(
      "canvas_too_large",
      `With "output.fit": "grow" the shadow takes ${needed}: ask for a shorter "shadow.length", or leave "output.fit" out.`,
    );
  }
  const place = (plane: Uint8Array, channels: number) => {
    const placed = new Uint8Array(grown.width * grown.height * channels);
    for (let y = 0; y < height; y++) {
      const row = plane.subarray(y * width * channels, (y + 1) * width * channels);
      placed.set(row, ((y + growth.top) * grown.width + growth.left) * channels);
    }
    return placed;
  };
  return { ...grown, rgb: place(rgb, 3), alpha: place(alpha, 1), ...(icc === undefined ? {} : { icc }) };
}
