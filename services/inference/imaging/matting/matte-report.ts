/** Measures a matte without ground truth, and tells whether a person should review it. */

import { alphaStatistics, endOfOpaqueRun, viewAsWords } from "../pixels/alpha-scan.ts";
import { labelComponents } from "../pixels/connected-components.ts";
import type { Size } from "../pixels/geometry.ts";
import { invertMask } from "../pixels/morphology.ts";
import { type MaskGrid, subsampleMask } from "../pixels/subsample-mask.ts";

export interface MatteReport {
  /** Mean alpha, 0–1: the product's share of the image. */
  readonly coverage: number;
  /** Share of the image's border that the product touches, 0–1. */
  readonly borderContact: number;
  /** Enclosed openings larger than 0.01 % of the image. */
  readonly holes: number;
  /** 0–1: a thousandth of the diagonal over the mean width of the soft edge, at most 1. */
  readonly edgeSharpness: number;
  /** Share of the product's area that the network was not sure of, away from the edge, 0–1. */
  readonly uncertainty: number;
  /** The same as `uncertainty`, under its name of version 0.1; for one version more. */
  readonly doubt: number;
  /** Separate parts larger than 0.1 % of the image. */
  readonly parts: number;
  readonly quality: "ok" | "review";
  readonly reasons: readonly string[];
}

const opaque = 128;

/**
 * Above this a person should review the matte. Of the photos with ground truth, all mattes of the bundled network with
 * an IoU below 0.9 lie above, and few with an IoU over 0.95. Other networks may be sure and wrong.
 */
const uncertaintyMax = 0.04;

/**
 * @param alpha u8, width × height
 * @param uncertainty of the network's matte, from `matteUncertainty`
 */
export function reportMatte(alpha: Uint8Array, size: Size, uncertainty: number): MatteReport {
  const { width, height } = size;
  const { sum, soft } = alphaStatistics(alpha);
  const coverage = sum / 255 / alpha.length;
  const grid = subsampleMask(alpha, size);
  const borderContact = borderShare(alpha, size);
  const product = labelComponents(grid.inside, grid);
  const background = labelComponents(invertMask(grid.inside), grid);
  const scale = width / grid.width;
  const contourPx = Math.max(1, contourLength(grid) * scale);
  const sharpWidthPx = Math.hypot(width, height) / 1000;
  const edgeSharpness = Math.min(1, sharpWidthPx / Math.max(sharpWidthPx, soft / contourPx));
  const cellPixels = scale * scale;
  const parts = product.sizes.filter((cells) => cells * cellPixels > alpha.length * 0.001).length;
  const isHole = (cells: number, label: number) =>
    !background.atBorder[label] && cells * cellPixels > alpha.length * 0.0001;
  const holes = background.sizes.filter(isHole).length;
  const reasons: string[] = [];
  if (coverage < 0.01) reasons.push("the product is very small in the picture");
  if (coverage > 0.9) reasons.push("almost nothing of the picture was removed");
  if (borderContact > 0.25) reasons.push("the product is cut by the picture's border");
  if (edgeSharpness < 0.25) reasons.push("much of the edge is uncertain");
  if (uncertainty > uncertaintyMax) reasons.push("the network was not sure of parts of the product");
  const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
  return {
    coverage: rounded(coverage),
    borderContact: rounded(borderContact),
    holes,
    edgeSharpness: rounded(edgeSharpness),
    uncertainty: rounded(uncertainty),
    doubt: rounded(uncertainty),
    parts,
    quality: reasons.length === 0 ? "ok" : "review",
    reasons,
  };
}

/** Share of opaque product pixels that differ between the photo and the result. Packshot promises 0. */
export function changedOpaqueShare(before: Uint8Array, after: Uint8Array, alpha: Uint8Array): number {
  if (before === after) return 0;
  let changed = 0;
  let count = 0;
  const [source, result, matte] = [asBuffer(before), asBuffer(after), viewAsWords(alpha)];
  for (let from = alpha.indexOf(255); from >= 0; ) {
    const to = endOfOpaqueRun(matte, from);
    count += to - from;
    // Buffer.compare is faster than a loop, so whole runs are compared first.
    if (source.compare(result, from * 3, to * 3, from * 3, to * 3) !== 0)
      changed += changedPixels(before, after, from, to);
    from = alpha.indexOf(255, to);
  }
  return count === 0 ? 0 : changed / count;
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

function changedPixels(before: Uint8Array, after: Uint8Array, from: number, to: number): number {
  let changed = 0;
  for (let at = from * 3; at < to * 3; at += 3) {
    if (before[at] !== after[at] || before[at + 1] !== after[at + 1] || before[at + 2] !== after[at + 2]) changed++;
  }
  return changed;
}

function borderShare(alpha: Uint8Array, { width, height }: Size): number {
  let touched = 0;
  for (let x = 0; x < width; x++) {
    if (alpha[x]! >= opaque) touched++;
    if (alpha[(height - 1) * width + x]! >= opaque) touched++;
  }
  for (let y = 0; y < height; y++) {
    if (alpha[y * width]! >= opaque) touched++;
    if (alpha[y * width + width - 1]! >= opaque) touched++;
  }
  return touched / (2 * (width + height));
}

/** Counts the steps from a product cell to a neighbor outside the product. */
function contourLength({ width, inside }: MaskGrid): number {
  let steps = 0;
  for (let row = 0; row < inside.length; row += width) steps += contourLengthOfRow(inside, row, width);
  return steps;
}

function contourLengthOfRow(inside: Uint8Array, row: number, width: number): number {
  let steps = 0;
  for (let i = row; i < row + width; i++) {
    if (i + 1 < row + width && inside[i] !== inside[i + 1]) steps++;
    if (i + width < inside.length && inside[i] !== inside[i + width]) steps++;
  }
  return steps;
}
