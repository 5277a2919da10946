/** The photo's own shadow, laid down again where it looks as good as one that is cast. */

import { blurPlane } from "../pixels/blur.ts";
import { fillComponents, labelComponents, runStride } from "../pixels/connected-components.ts";
import type { CutOut } from "../pixels/cut-out.ts";
import { dilate } from "../pixels/morphology.ts";
import { emptyLayer, type ShadowLayer } from "./cast-shadow.ts";

/** The finest grid on which a photo's shadow is laid down again: it is smooth. */
const pointsMax = 700;
/** Gaps as wide as twice this share of the image's longer side are noise of the photo, and closed. */
const gapShare = 0.006;
/** Where more of the shadow than this was gaps, it looks torn: the backdrop's noise or color hid it. */
const tornShareMax = 0.06;
const shownMin = 0.03;

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
  const { width, height, darkness } = layer;
  const product = new Uint8Array(darkness.length);
  sample(layer, cut, (at, from) => {
    darkness[at] = alpha[from]! / 255;
    product[at] = cut.alpha[from]!;
  });
  const closed = darkness.slice();
  const reach = Math.max(1, Math.round(gapShare * Math.max(width, height)));
  spreadExtremes(closed, layer, reach, Math.max);
  spreadExtremes(closed, layer, reach, Math.min);
  // Pieces apart that are torn or faint tell that the backdrop is uneven below the shadow, too.
  if (isTorn(darkness, closed) || isWeak(darkness, product)) return undefined;
  if (stands) {
    if (!touchesFoot(layer, product)) return undefined;
    clearApart(layer, closed, product);
  }
  if (isWeak(darkness, product)) return undefined;
  blurPlane(closed, width, height, reach / 2);
  for (let i = 0; i < closed.length; i++) darkness[i] = closed[i]! * strength;
  return layer;
}

/** Calls `take` with each of the layer's points and the pixel that lies there. */
function sample(
  { width, height, stepPx }: ShadowLayer,
  size: Pick<CutOut, "width" | "height">,
  take: (at: number, from: number) => void,
): void {
  for (let y = 0; y < height; y++) {
    const row = Math.min(size.height - 1, Math.floor(y * stepPx)) * size.width;
    for (let x = 0; x < width; x++) take(y * width + x, row + Math.min(size.width - 1, Math.floor(x * stepPx)));
  }
}

function isTorn(darkness: Float32Array, closed: Float32Array): boolean {
  let shown = 0;
  let torn = 0;
  for (let i = 0; i < closed.length; i++) {
    if (closed[i]! < shownMin) continue;
    shown++;
    if (darkness[i]! < 0.4 * closed[i]!) torn++;
  }
  return torn > tornShareMax * shown;
}

const opaqueMin = 128;
const visibleMin = 8;
/** The least area of a shadow worth keeping, as a share of the product's area. */
const areaShareMin = 0.055;
/** A tenth of the shadow's area must be at least this dark. */
const darkTenthMin = 0.06;

/** Whether too little of a shadow is to be seen beside the product, or none of it is dark. */
function isWeak(darkness: Float32Array, product: Uint8Array): boolean {
  let covered = 0;
  let shadow = 0;
  let dark = 0;
  for (let i = 0; i < darkness.length; i++) {
    if (product[i]! >= opaqueMin) covered++;
    if (product[i]! >= visibleMin || darkness[i] === 0) continue;
    shadow++;
    if (darkness[i]! >= darkTenthMin) dark++;
  }
  return shadow < areaShareMin * covered || dark < 0.1 * shadow;
}

/** A piece that reaches no lower part of the product than this share of its height is a stain of the backdrop, or its crease. */
const lowerShare = 0.3;
/** The faint outer part of a piece reaches so much farther, as a share of the image's longer side. */
const fringeShare = 0.03;

/** Clears what is no shadow of a product that stands: pieces that do not begin at the product's lower part. */
function clearApart(layer: ShadowLayer, closed: Float32Array, product: Uint8Array): void {
  const { darkness, height, width } = layer;
  const long = Math.max(width, height);
  const opaque = product.map((a) => (a >= opaqueMin ? 1 : 0));
  const top = Math.floor(opaque.indexOf(1) / width);
  const bottom = Math.floor(opaque.lastIndexOf(1) / width);
  opaque.fill(0, 0, Math.floor(bottom - lowerShare * (bottom - top)) * width);
  const near = dilate(opaque, layer, Math.max(2, Math.round(contactShare * long)));
  const shown = Uint8Array.from(closed, (value, i) => (value >= shownMin && product[i]! < opaqueMin ? 1 : 0));
  const pieces = labelComponents(shown, layer);
  const begins = pieces.sizes.map(() => false);
  for (let at = 0; at < pieces.runs.length; at += runStride) {
    if (near.subarray(pieces.runs[at]!, pieces.runs[at + 1]!).includes(1)) begins[pieces.runs[at + 2]!] = true;
  }
  const kept = new Uint8Array(closed.length);
  fillComponents(kept, pieces, 1, (label) => begins[label]!);
  const fringed = dilate(kept, layer, Math.ceil(fringeShare * long));
  for (let i = 0; i < closed.length; i++) {
    if (fringed[i] === 1 || product[i]! >= opaqueMin) continue;
    closed[i] = 0;
    darkness[i] = 0;
  }
}

/** How far above its lowest point the lower outline still belongs to the foot, as a share of the product's height. */
const footShare = 0.05;
/** How far below the foot a shadow may begin and still touch it, as a share of the image's longer side. */
const contactShare = 0.015;
const contactDarknessMin = 0.04;
/** The lit side of a foot has no shadow, so a part of its width is enough. */
const contactWidthMin = 0.25;

function touchesFoot({ width, height, darkness }: ShadowLayer, product: Uint8Array): boolean {
  const lowest = Array.from({ length: width }, (_, x) => {
    let y = height - 1;
    while (y >= 0 && product[y * width + x]! < opaqueMin) y--;
    return y;
  });
  const bottom = Math.max(...lowest);
  const top = Math.floor(product.findIndex((a) => a >= opaqueMin) / width);
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

/** Gives each point the least or the largest value within `reach`, along rows and then along columns. */
function spreadExtremes(
  plane: Float32Array,
  { width, height }: ShadowLayer,
  reach: number,
  choose: (a: number, b: number) => number,
): void {
  const line = new Float32Array(Math.max(width, height));
  const along = (start: number, step: number, count: number) => {
    for (let i = 0; i < count; i++) line[i] = plane[start + i * step]!;
    for (let i = 0; i < count; i++) {
      let value = line[i]!;
      for (let n = Math.max(0, i - reach); n <= Math.min(count - 1, i + reach); n++) value = choose(value, line[n]!);
      plane[start + i * step] = value;
    }
  };
  for (let y = 0; y < height; y++) along(y * width, 1, width);
  for (let x = 0; x < width; x++) along(x, width, height);
}
