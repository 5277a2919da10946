import { blurPlane } from "../pixels/blur.ts";
import type { CutOut } from "../pixels/cut-out.ts";
import type { Box, Size } from "../pixels/geometry.ts";
import type { ShadowLayer } from "../shadow/cast-shadow.ts";
import { sampleShadowRow } from "../shadow/compose-over-shadow.ts";
import type { ProductPose } from "../shadow/pose.ts";
import { longSide } from "../shadow/silhouette.ts";

/** The product's reflection in a glossy ground: premultiplied planes on the shadow layer's grid, color 0–255. */
export interface Reflection {
  readonly alpha: Float32Array;
  readonly color: readonly [Float32Array, Float32Array, Float32Array];
  /** Points outside of it have none. */
  readonly box: Box;
}

/** Distance at which the reflection has faded to a third, as a share of the product's longer side. */
const fadeShare = 0.22;
/** The same on a ground of a scene, which is less even than a mirror. */
export const groundFadeShare = 0.11;
/** The line at which a product meets its ground is smoothed over so much of the width to each side. */
const smoothShare = 0.02;

/** Points that the blur of the reflection may reach. */
const blurReach = 8;
/** A weaker reflection is none. */
const shareMin = 0.004;

/** How far from its ground a product is mirrored with a third of the strength, in pixels. */
function fadePixels({ silhouette }: Pick<ProductPose, "silhouette">, share = fadeShare): number {
  return share * silhouette.cellPx * longSide(silhouette);
}

/** The row, in pixels, below which nothing is mirrored. */
export function reflectionEnd(pose: Pick<ProductPose, "silhouette" | "ground">, strength: number): number {
  const { silhouette, ground } = pose;
  const tall = (silhouette.bottom - silhouette.top) * silhouette.cellPx;
  const faded = fadePixels(pose) * Math.log(Math.max(1, strength / shareMin));
  return ground.baseRow * silhouette.cellPx + Math.min(tall, faded);
}

/** @returns null when the plane behind the product is parallel to the image, or the ground does not reflect. */
export function renderReflection(
  cut: CutOut,
  pose: Pick<ProductPose, "silhouette" | "ground" | "view">,
  grid: ShadowLayer,
  strength: number,
  fade = fadeShare,
): Reflection | null {
  const { silhouette, ground, view } = pose;
  if (view === "above" || strength <= 0.015) return null;
  const { width, height, stepPx } = grid;
  const plane = () => new Float32Array(width * height);
  const image = { alpha: plane(), color: [plane(), plane(), plane()] as const };
  const shown = { left: width, top: height, right: 0, bottom: 0 };
  const mirror: Mirror = {
    sourceX: new Uint32Array(width),
    groundPx: new Float64Array(width),
    hasEnded: new Uint8Array(width),
    strength,
    fadePx: fadePixels(pose, fade),
  };
  for (let x = 0; x < width; x++) {
    const sourceX = Math.min(cut.width - 1, Math.floor(x * stepPx));
    const cell = Math.min(silhouette.width - 1, Math.floor(sourceX / silhouette.cellPx));
    mirror.sourceX[x] = sourceX;
    mirror.groundPx[x] = ground.groundRow[cell]! * silhouette.cellPx;
  }
  mirror.groundPx.set(smoothed(mirror.groundPx, Math.round(smoothShare * width)));
  const firstRow = Math.floor(Math.min(...mirror.groundPx) / stepPx);
  for (let y = firstRow; y < height; y++) mirrorRow(cut, mirror, image, y, grid, shown);
  const left = Math.max(0, shown.left - blurReach);
  const top = Math.max(0, shown.top - blurReach);
  const box = {
    left,
    top,
    width: Math.max(0, Math.min(width, shown.right + blurReach) - left),
    height: Math.max(0, Math.min(height, shown.bottom + blurReach) - top),
  };
  for (const each of [image.alpha, ...image.color]) blurBox(each, width, box, 1.3);
  return { ...image, box };
}

/** Blurs a part of a plane, around which it is empty. */
function blurBox(plane: Float32Array, planeWidth: number, { left, top, width, height }: Box, sigma: number): void {
  const part = new Float32Array(width * height);
  const rowOf = (y: number) => (top + y) * planeWidth + left;
  for (let y = 0; y < height; y++) part.set(plane.subarray(rowOf(y), rowOf(y) + width), y * width);
  blurPlane(part, width, height, sigma);
  for (let y = 0; y < height; y++) plane.set(part.subarray(y * width, (y + 1) * width), rowOf(y));
}

/** The mean of as many values at each side. */
function smoothed(values: Float64Array, reach: number): Float64Array {
  return values.map((_, at) => {
    const near = values.subarray(Math.max(0, at - reach), at + reach + 1);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  });
}

/** Where the columns of a reflection's grid are mirrored. */
interface Mirror {
  /** Pixel column of the photo. */
  readonly sourceX: Uint32Array;
  readonly groundPx: Float64Array;
  /** 1 from the row on at which the column's reflection has faded or ends. */
  readonly hasEnded: Uint8Array;
  readonly strength: number;
  readonly fadePx: number;
}

/** By rows, as memory lies. Widens what is shown by the points that it mirrors. */
function mirrorRow(
  { width, height, rgb, alpha }: CutOut,
  { sourceX, groundPx, hasEnded, strength, fadePx }: Mirror,
  image: Pick<Reflection, "alpha" | "color">,
  y: number,
  { width: columns, stepPx }: ShadowLayer,
  shown: { left: number; top: number; right: number; bottom: number },
): void {
  const [red, green, blue] = image.color;
  let first = columns;
  let end = 0;
  for (let x = 0; x < columns; x++) {
    const groundAt = groundPx[x]!;
    if (hasEnded[x] === 1 || y < Math.floor(groundAt / stepPx)) continue;
    const below = y * stepPx - groundAt;
    const sourceY = Math.floor(groundAt - below);
    if (sourceY >= height) continue;
    if (sourceY < 0) {
      hasEnded[x] = 1;
      continue;
    }
    const from = sourceY * width + sourceX[x]!;
    const own = alpha[from]!;
    if (own === 0) continue;
    const share = (own / 255) * strength * Math.exp(-Math.max(0, below) / fadePx);
    if (share < shareMin) {
      hasEnded[x] = 1;
      continue;
    }
    if (end === 0) first = x;
    end = x + 1;
    const to = y * columns + x;
    image.alpha[to] = share;
    red[to] = rgb[from * 3]! * share;
    green[to] = rgb[from * 3 + 1]! * share;
    blue[to] = rgb[from * 3 + 2]! * share;
  }
  if (end === 0) return;
  shown.left = Math.min(shown.left, first);
  shown.right = Math.max(shown.right, end);
  shown.top = Math.min(shown.top, y);
  shown.bottom = y + 1;
}

/**
 * Lays the finished image over the product's reflection, which shows where the image is transparent: in place, RGBA with straight
 * alpha.
 */
export function layOverReflection(pixels: Uint8Array, size: Size, layer: ShadowLayer, reflection: Reflection): void {
  const planes = [reflection.alpha, ...reflection.color];
  const lines = planes.map(() => new Float32Array(layer.width));
  for (let y = 0; y < size.height; y++) {
    const shown = planes.map((darkness, i) => sampleShadowRow({ ...layer, darkness }, y, lines[i]!));
    if (!shown[0]) continue;
    for (let x = 0; x < size.width; x++) {
      const at = (y * size.width + x) * 4;
      const own = pixels[at + 3]! / 255;
      if (own === 1) continue;
      const column = Math.min(layer.width - 1.001, (x + 0.5) / layer.stepPx);
      const left = Math.floor(column);
      const [alpha, ...color] = lines.map((line) => line[left]! + (line[left + 1]! - line[left]!) * (column - left));
      if (alpha! < 0.002) continue;
      const total = own + alpha! * (1 - own);
      for (let c = 0; c < 3; c++) pixels[at + c] = (pixels[at + c]! * own + color[c]! * (1 - own)) / total + 0.5;
      pixels[at + 3] = 255 * total + 0.5;
    }
  }
}
