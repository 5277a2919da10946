/** The photo's own shadow, laid down again where it looks as good as one that is cast. */

import { addressOf, computeBytes, inKernelMemory, kernelBytes, reserve } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import { blurPlane } from "../pixels/blur.ts";
import { fillComponents, labelComponents, runStride } from "../pixels/connected-components.ts";
import type { CutOut } from "../pixels/cut-out.ts";
import type { Size } from "../pixels/geometry.ts";
import { countMarks, dilate, joinMarks, keepBytes, reachedBy, withoutMarks } from "../pixels/morphology.ts";
import { emptyLayer, type ShadowLayer } from "./cast-shadow.ts";

/** The finest grid on which a photo's shadow is laid down again: it is smooth. */
const pointsMax = 700;
/** Gaps as wide as twice this share of the image's longer side are noise of the photo, and closed. */
const gapShare = 0.006;
/** Where more of the shadow than this was gaps, it looks torn: the backdrop's noise or color hid it. */
const tornShareMax = 0.06;
/** A gap is darker by less than this share than what closes it. */
const tornMax = 0.4;

/** How dark a byte is, 0–1. */
const unit = Float32Array.from({ length: 256 }, (_, value) => value / 255);
/** The first byte that is at least so dark. */
const levelFrom = (darkness: number) => unit.findIndex((value) => value >= darkness);
const shownMin = levelFrom(0.03);

/**
 * The photo's shadow as a layer, without the gaps that noise has left in it.
 *
 * @param alpha of black, in the image's size
 * @param stands whether the product stands: then its shadow begins at its foot
 * @returns undefined where the shadow is torn, faint or away from the foot, so that one that is cast looks better
 */
export function photoShadowLayer(
  alpha: Uint8Array,
  cut: Pick<CutOut, "alpha" | "width" | "height">,
  strength: number,
  stands: boolean,
): ShadowLayer | undefined {
  const layer = emptyLayer(cut, Math.max(1, Math.max(cut.width, cut.height) / pointsMax));
  return inKernelMemory(() => {
    const { width, height } = layer;
    const points = { darkness: sample(layer, cut, alpha), product: sample(layer, cut, cut.alpha), width, height };
    const reach = Math.max(1, Math.round(gapShare * Math.max(width, height)));
    const closed = spreadExtremes(spreadExtremes(points.darkness, layer, reach, true), layer, reach, false);
    // Pieces apart that are torn or faint tell that the backdrop is uneven below the shadow, too.
    if (isTorn(points.darkness, closed) || isWeak(points)) return undefined;
    if (!stands) return fillLayer(layer, closed, strength, reach);
    if (!touchesFoot(points)) return undefined;
    const kept = partsAtFoot(points, closed);
    if (isWeak({ ...points, darkness: keepBytes(points.darkness, kept) })) return undefined;
    return fillLayer(layer, keepBytes(closed, kept), strength, reach);
  });
}

/** A shadow at the points of its layer. */
interface Points extends Size {
  /** u8: alpha of black. */
  readonly darkness: Uint8Array;
  /** u8: the product's alpha. */
  readonly product: Uint8Array;
}

/** The bytes of a plane of the image at the layer's points. */
function sample({ width, height, stepPx }: ShadowLayer, size: Size, plane: Uint8Array): Uint8Array {
  const placeOf = (point: number, end: number) => Math.min(end - 1, Math.floor(point * stepPx));
  return computeBytes(width * height, (to) => {
    const columns = addressOf(Int32Array.from({ length: width }, (_, x) => placeOf(x, size.width)));
    const line = kernelBytes(size.width);
    for (let y = 0; y < height; y++) {
      const row = placeOf(y, size.height) * size.width;
      line.set(plane.subarray(row, row + size.width));
      kernels.gatherBytes(line.byteOffset, columns, width, to + y * width);
    }
  });
}

function fillLayer(layer: ShadowLayer, bytes: Uint8Array, strength: number, reach: number): ShadowLayer {
  const { width, height, darkness } = layer;
  for (let y = 0; y < height; y++) darknessOfRow(bytes, y * width, (y + 1) * width, darkness);
  blurPlane(darkness, width, height, reach / 2);
  for (let y = 0; y < height; y++) weakenRow(darkness, y * width, (y + 1) * width, strength);
  return layer;
}

function darknessOfRow(bytes: Uint8Array, from: number, end: number, darkness: Float32Array): void {
  for (let i = from; i < end; i++) darkness[i] = unit[bytes[i]!]!;
}

function weakenRow(darkness: Float32Array, from: number, end: number, strength: number): void {
  for (let i = from; i < end; i++) darkness[i]! *= strength;
}

/** The first byte that is no gap where a closed one has the entry's value. */
const gapLimits = Uint8Array.from(unit, (closed, value) =>
  value < shownMin ? 0 : unit.findIndex((darkness) => darkness >= tornMax * closed),
);

function isTorn(darkness: Uint8Array, closed: Uint8Array): boolean {
  return inKernelMemory(() => {
    const shown = countMarks(reachedBy(closed, shownMin));
    const torn = kernels.countBelowLimits(addressOf(darkness), addressOf(closed), closed.length, addressOf(gapLimits));
    return torn > tornShareMax * shown;
  });
}

const opaqueMin = 128;
const visibleMin = 8;
/** The least area of a shadow worth keeping, as a share of the product's area. */
const areaShareMin = 0.055;
/** A tenth of the shadow's area must be at least this dark. */
const darkTenthMin = levelFrom(0.06);

/** Whether too little of a shadow is to be seen beside the product, or none of it is dark. */
function isWeak({ darkness, product }: Points): boolean {
  return inKernelMemory(() => {
    const covered = countMarks(reachedBy(product, opaqueMin));
    const visible = reachedBy(product, visibleMin);
    const shadow = countMarks(withoutMarks(reachedBy(darkness, 1), visible));
    const dark = countMarks(withoutMarks(reachedBy(darkness, darkTenthMin), visible));
    return shadow < areaShareMin * covered || dark < 0.1 * shadow;
  });
}

/** A piece that reaches no lower part of the product than this share of its height is a stain of the backdrop, or its crease. */
const lowerShare = 0.3;
/** The faint outer part of a piece reaches so much farther, as a share of the image's longer side. */
const fringeShare = 0.03;

/** 1 on the product, and where its shadow is if it stands: pieces that begin at the product's lower part. */
function partsAtFoot({ product, width, height }: Points, closed: Uint8Array): Uint8Array {
  const size = { width, height };
  const long = Math.max(width, height);
  const opaque = reachedBy(product, opaqueMin);
  const lower = opaque.slice();
  const top = Math.floor(opaque.indexOf(1) / width);
  const bottom = Math.floor(opaque.lastIndexOf(1) / width);
  lower.fill(0, 0, Math.floor(bottom - lowerShare * (bottom - top)) * width);
  const near = dilate(lower, size, Math.max(2, Math.round(contactShare * long)));
  const pieces = labelComponents(withoutMarks(reachedBy(closed, shownMin), opaque), size);
  const begins = pieces.sizes.map(() => false);
  for (let at = 0; at < pieces.runs.length; at += runStride) {
    if (isAnyMarked(near, pieces.runs[at]!, pieces.runs[at + 1]!)) begins[pieces.runs[at + 2]!] = true;
  }
  const kept = new Uint8Array(closed.length);
  fillComponents(kept, pieces, 1, (label) => begins[label]!);
  return joinMarks(dilate(kept, size, Math.ceil(fringeShare * long)), opaque);
}

function isAnyMarked(mask: Uint8Array, from: number, end: number): boolean {
  for (let i = from; i < end; i++) if (mask[i] === 1) return true;
  return false;
}

/** How far above its lowest point the lower outline still belongs to the foot, as a share of the product's height. */
const footShare = 0.05;
/** How far below the foot a shadow may begin and still touch it, as a share of the image's longer side. */
const contactShare = 0.015;
const contactDarknessMin = levelFrom(0.04);
/** The lit side of a foot has no shadow, so a part of its width is enough. */
const contactWidthMin = 0.25;

function touchesFoot({ width, height, darkness, product }: Points): boolean {
  const opaque = reachedBy(product, opaqueMin);
  const lowest = Array.from({ length: width }, (_, x) => lowestOf(opaque, x, width, height));
  const bottom = Math.max(...lowest);
  const top = Math.floor(opaque.indexOf(1) / width);
  const footTop = bottom - footShare * (bottom - top);
  const reach = Math.max(2, Math.round(contactShare * Math.max(width, height)));
  const foot = lowest.flatMap((y, x) => (y >= 0 && y >= footTop ? [{ x, y }] : []));
  const dark = foot.filter(({ x, y }) => {
    for (let row = y + 1; row <= Math.min(height - 1, y + reach); row++) {
      if (darkness[row * width + x]! >= contactDarknessMin) return true;
    }
    // What the photo's border cuts has no ground to be seen.
    return y + reach >= height;
  });
  return dark.length >= contactWidthMin * foot.length;
}

/** The lowest row in which a column is marked; −1 where it is in none. */
function lowestOf(mask: Uint8Array, x: number, width: number, height: number): number {
  let y = height - 1;
  while (y >= 0 && mask[y * width + x] === 0) y--;
  return y;
}

/** Gives each point the least or the largest byte within `reach`, along rows and columns. */
function spreadExtremes(plane: Uint8Array, { width, height }: Size, reach: number, isLargest: boolean): Uint8Array {
  return computeBytes(plane.length, (to) => {
    const line = reserve(width + 2 * reach + 32);
    kernels.spreadBytes(addressOf(plane), width, height, reach, Number(isLargest), line, reserve(plane.length), to);
  });
}
