/** What must hold of any good matte of a photo whose truth is known: holes, thin parts, components, shadows, edges. */

import { backdropAt, fitBackdrop } from "../../services/inference/imaging/matting/evidence/backdrop.ts";
import {
  fillComponents,
  labelComponents,
  sumPerComponent,
} from "../../services/inference/imaging/pixels/connected-components.ts";
import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";
import { rgbToLab } from "../../services/inference/imaging/pixels/lab.ts";
import { dilate, erode } from "../../services/inference/imaging/pixels/morphology.ts";
import { resizePixels } from "../../services/inference/imaging/pixels/resize.ts";

/** A share of some pixels; undefined where the photo has none of them. */
type Share = number | undefined;

const inside = (plane: Uint8Array) => plane.map((v) => (v >= 128 ? 1 : 0));

function shareOf(plane: Uint8Array, of: Uint8Array, holds: (v: number) => boolean, least = 1): Share {
  let count = 0;
  let held = 0;
  for (let i = 0; i < of.length; i++) {
    if (of[i] === 0) continue;
    count++;
    if (holds(plane[i]!)) held++;
  }
  return count < least ? undefined : held / count;
}

/** Share of the pixels of enclosed holes (over 0.02 % of the image) that are open. */
export function holeRecall(alpha: Uint8Array, truth: Uint8Array, size: Size): Share {
  const gaps = labelComponents(
    inside(truth).map((v) => 1 - v),
    size,
  );
  const least = 0.0002 * alpha.length;
  const holes = new Uint8Array(alpha.length);
  fillComponents(holes, gaps, 1, (gap) => !gaps.atBorder[gap] && gaps.sizes[gap]! >= least);
  return shareOf(alpha, holes, (v) => v < 128);
}

/** Share of the product's parts thinner than 1 % of the diagonal that are kept. */
export function thinRecall(alpha: Uint8Array, truth: Uint8Array, size: Size): Share {
  const radius = Math.max(1, Math.floor((0.01 * Math.hypot(size.width, size.height)) / 2));
  const product = inside(truth);
  const opened = dilate(erode(product, size, radius), size, radius);
  // One pixel of slack: corners rounded off by the opening are no parts.
  const thin = product.map((v, i) => v & (1 - opened[i]!));
  return shareOf(alpha, thin, (v) => v >= 128, 0.0005 * alpha.length);
}

/** Components of the truth over 1 % of the image of which less than half is there. */
export function missingComponents(alpha: Uint8Array, truth: Uint8Array, size: Size): number {
  const components = labelComponents(inside(truth), size);
  const kept = sumPerComponent(
    components,
    Float32Array.from(alpha, (v) => (v >= 128 ? 1 : 0)),
  );
  return components.sizes.filter((n, l) => n > 0.01 * alpha.length && kept[l]! < 0.5 * n).length;
}

/**
 * Share of the shadow on a plain backdrop (3–60 L* darker, same tint, at 8 px from the product) with alpha over 10 %.
 */
export async function shadowKept(alpha: Uint8Array, truth: Uint8Array, rgb: Uint8Array, size: Size): Promise<Share> {
  const side = 320;
  const fit = fitBackdrop(await resizePixels(rgb, size, 3, { width: side, height: side }), side);
  if (fit.residual > 1.5) return undefined;
  const lab = rgbToLab(rgb);
  const near = dilate(inside(truth), size, 8);
  const paper = new Float32Array(3);
  const shadow = new Uint8Array(alpha.length);
  for (let i = 0; i < alpha.length; i++) {
    if (near[i] === 1) continue;
    const x = i % size.width;
    backdropAt(fit, (x + 0.5) / size.width, ((i - x) / size.width + 0.5) / size.height, paper);
    const darker = paper[0]! - lab[i * 3]!;
    const tint = Math.hypot(lab[i * 3 + 1]! - paper[1]!, lab[i * 3 + 2]! - paper[2]!);
    if (darker > 3 && darker < 60 && tint < 2 + 0.15 * darker) shadow[i] = 1;
  }
  return shareOf(alpha, shadow, (v) => v > 25, 0.001 * alpha.length);
}

const grounds = { black: [0, 0, 0], white: [255, 255, 255], magenta: [255, 0, 255] } as const;

/** Every so many soft pixels are compared: their neighbors are much alike. */
const edgeStep = 3;

/**
 * The worst over black, white and magenta of the mean ΔE (CIE76) between the soft edge as it is composed on that ground
 * and as it would be with the nearest of the product's own colors: those of the opaque pixels within 6 px.
 */
export function edgeRingError(rgb: Uint8Array, alpha: Uint8Array, size: Size): number {
  const pairs: { readonly at: number; readonly own: number }[] = [];
  let soft = 0;
  for (let at = 0; at < alpha.length; at++) {
    if (alpha[at] === 0 || alpha[at] === 255 || soft++ % edgeStep !== 0) continue;
    const own = nearestOwnColor(rgb, alpha, size, at);
    if (own !== undefined) pairs.push({ at, own });
  }
  if (pairs.length === 0) return 0;
  const errors = Object.values(grounds).map((ground) => {
    const seen = new Uint8Array(pairs.length * 3);
    const wanted = new Uint8Array(pairs.length * 3);
    for (const [i, { at, own }] of pairs.entries()) {
      const a = alpha[at]! / 255;
      for (let c = 0; c < 3; c++) {
        seen[i * 3 + c] = a * rgb[at * 3 + c]! + (1 - a) * ground[c]!;
        wanted[i * 3 + c] = a * rgb[own * 3 + c]! + (1 - a) * ground[c]!;
      }
    }
    return meanDistance(rgbToLab(seen), rgbToLab(wanted));
  });
  return Math.max(...errors);
}

function meanDistance(p: Float32Array, q: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < p.length; i += 3) sum += Math.hypot(p[i]! - q[i]!, p[i + 1]! - q[i + 1]!, p[i + 2]! - q[i + 2]!);
  return sum / (p.length / 3);
}

function nearestOwnColor(rgb: Uint8Array, alpha: Uint8Array, { width, height }: Size, i: number): number | undefined {
  const reach = 6;
  const x = i % width;
  const y = (i - x) / width;
  let nearest: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) {
    for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++) {
      const at = v * width + u;
      if (alpha[at] !== 255) continue;
      let squared = 0;
      for (let c = 0; c < 3; c++) squared += (rgb[at * 3 + c]! - rgb[i * 3 + c]!) ** 2;
      if (squared >= least) continue;
      least = squared;
      nearest = at;
    }
  }
  return nearest;
}
