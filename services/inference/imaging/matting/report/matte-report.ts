/** Measures a matte without ground truth, and tells whether a person should review it. */

import {
  defaultReviewLimits,
  defaultReviewWeights,
  type ReviewLimits,
  type ReviewWeights,
} from "../../../model-client/review-limits.ts";
import { alphaStatistics, endOfOpaqueRun, viewAsWords } from "../../pixels/alpha-scan.ts";
import { labelComponents } from "../../pixels/connected-components.ts";
import type { Box, Size } from "../../pixels/geometry.ts";
import { invertMask } from "../../pixels/morphology.ts";
import { type MaskGrid, subsampleMask } from "../../pixels/subsample-mask.ts";
import type { Candidate } from "../parts/choose-product.ts";
import { frayedEdgeMax } from "./frayed-edge.ts";
import { isRectangle } from "./source-alpha.ts";

export interface MatteReport {
  /** Mean alpha, 0–1: the product's share of the image. */
  readonly coverage: number;
  /** Share of the image's border that the product touches, 0–1. */
  readonly borderContact: number;
  /** Enclosed openings larger than 0.01 % of the image. */
  readonly holes: number;
  /** 0–1: a thousandth of the diagonal over the mean width of the soft edge, at most 1. */
  readonly edgeSharpness: number;
  /** Where a network made the matte: share of the product's area that the network was not sure of, away from the edge, 0–1. */
  readonly uncertainty?: number;
  /** Overlap of the matte with the truth, as the network itself expects it, 0–1. */
  readonly expectedOverlap?: number;
  /** Separate parts larger than 0.1 % of the image. */
  readonly parts: number;
  readonly quality: "ok" | "review";
  readonly reasons: readonly string[];
  /** Boxes, in pixels, of what may be openings and stays filled, the largest first; absent where there is none. */
  readonly uncertainOpenings?: readonly Box[];
}

const opaque = 128;

/** What the network says of its matte. */
export interface NetworkOpinion {
  /** From `matteUncertainty`. */
  readonly uncertainty: number;
  /** From `expectedOverlap`. */
  readonly expectedOverlap: number;
  /** From `filledGaps`. */
  readonly filledGaps: number;
  /** Both come with the network's weights. */
  readonly reviewLimits?: ReviewLimits | undefined;
  readonly reviewWeights?: ReviewWeights | undefined;
  /** Boxes, in pixels, of what may be openings and was filled. */
  readonly uncertainOpenings?: readonly Box[];
  /** The things that the matte showed, where the product was chosen among several. */
  readonly candidates?: readonly Candidate[] | undefined;
  /** From `frayedEdge`. */
  readonly frayedEdge?: number;
  /** Somebody pointed at one thing, and the cut-out looks like two. */
  readonly mayBeTwoThings?: boolean;
}

/** @param alpha u8, width × height */
export function reportMatte(alpha: Uint8Array, size: Size, network: NetworkOpinion): MatteReport {
  const { sidesTouched, ...measured } = measureMatte(alpha, size);
  const { coverage, borderContact, holes, edgeSharpness, parts } = measured;
  const reasons: string[] = [];
  if (coverage < 0.01) reasons.push("the product is very small in the picture");
  if (coverage > 0.9) reasons.push("almost nothing of the picture was removed");
  const doubt = judgeDoubt(network, sidesTouched);
  // A border may cut what is surely outlined: a shirt on a model.
  if (borderContact > 0.25 && doubt.share > cutDoubtMin) reasons.push("the product is cut by the picture's border");
  if (edgeSharpness < 0.25) reasons.push("much of the edge is uncertain");
  reasons.push(...doubt.reasons);
  const { uncertainOpenings = [], candidates = [] } = network;
  if (uncertainOpenings.length > 0) reasons.push(uncertainOpeningReason);
  if (candidates.some(mayBelong)) reasons.push(uncertainChoiceReason);
  if (network.mayBeTwoThings === true) reasons.push(twoThingsReason);
  if ((network.frayedEdge ?? 0) > frayedEdgeMax) reasons.push(frayedEdgeReason);
  return {
    coverage: rounded(coverage),
    borderContact: rounded(borderContact),
    holes,
    edgeSharpness: rounded(edgeSharpness),
    uncertainty: rounded(network.uncertainty),
    expectedOverlap: rounded(network.expectedOverlap),
    parts,
    quality: reasons.length === 0 ? "ok" : "review",
    reasons,
    ...(uncertainOpenings.length === 0 ? {} : { uncertainOpenings }),
  };
}

/** Each begins with a word for programs. */
const uncertainOpeningReason = "uncertain_opening: what may be an opening in the product stays filled";
const uncertainChoiceReason = "uncertain_choice: another thing, which may belong to the product, was left out";
const twoThingsReason = "uncertain_choice: what is at the point may be two things";
const frayedEdgeReason = "frayed_edge: where the product has nearly the ground's color, its edge is rough";

/** Most lesser things belong to it: 37 of 42 rendered ones below .6 were product (docs/adr/0040-choosing-the-product.md). */
const doubtfulScoreMin = 0.25;

function mayBelong({ chosen, score }: Candidate): boolean {
  return !chosen && score >= doubtfulScoreMin;
}

/** The matte that the source brought is right, however soft or small: only a rectangle may be something else. */
export function reportSourceMatte(alpha: Uint8Array, size: Size, isMask = false): MatteReport {
  const { coverage, borderContact, holes, edgeSharpness, parts } = measureMatte(alpha, size);
  const reasons =
    !isMask && isRectangle(alpha, size)
      ? ["the photo's own transparency leaves a rectangle, which may be a frame"]
      : [];
  return {
    coverage: rounded(coverage),
    borderContact: rounded(borderContact),
    holes,
    edgeSharpness: rounded(edgeSharpness),
    parts,
    quality: reasons.length === 0 ? "ok" : "review",
    reasons,
  };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function measureMatte(alpha: Uint8Array, size: Size) {
  const { width, height } = size;
  const { sum, soft } = alphaStatistics(alpha);
  const coverage = sum / 255 / alpha.length;
  const grid = subsampleMask(alpha, size);
  const { borderContact, sidesTouched } = measureBorder(alpha, size);
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
  return { coverage, borderContact, sidesTouched, holes, edgeSharpness, parts };
}

/** From this share of the largest doubt on, a product that the border cuts asks for a review. */
const cutDoubtMin = 0.5;

interface Doubt {
  /** As a share of the limit. */
  readonly share: number;
  /** Why it is above the limit. */
  readonly reasons: readonly string[];
}

/**
 * Floors, shadows and things behind the product reach the photo's border; most products do not. Where it is touched, the
 * network must be surer.
 */
function judgeDoubt(network: NetworkOpinion, sidesTouched: number): Doubt {
  const { reviewLimits = defaultReviewLimits, reviewWeights: weights = defaultReviewWeights } = network;
  const limit = reviewLimits[Math.min(sidesTouched, reviewLimits.length - 1)]!;
  const gaps = weights.filledGaps * network.filledGaps;
  const unsure = weights.missing * (1 - network.expectedOverlap) + weights.uncertainty * network.uncertainty;
  const share = (unsure + gaps) / Math.max(limit, 1e-9);
  if (unsure + gaps <= limit) return { share, reasons: [] };
  return { share, reasons: [unsure > limit ? reasonOfDoubt(unsure, reviewLimits) : filledGapsReason] };
}

function reasonOfDoubt(unsure: number, [inside]: ReviewLimits): string {
  return unsure > inside!
    ? "the network was not sure of parts of the product"
    : "the product touches the picture's border, and the network was not sure enough where it ends";
}

const filledGapsReason = "the network saw gaps in the product, which are filled";

/** Share of opaque product pixels that differ between the photo and the result. Packshot promises 0. */
export function changedOpaqueShare(before: Uint8Array, after: Uint8Array, alpha: Uint8Array): number {
  if (before === after) return 0;
  let changed = 0;
  let count = 0;
  const source = asBuffer(before);
  const result = asBuffer(after);
  const matte = viewAsWords(alpha);
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

/** A stray pixel touches less of its side. */
const sideShareMin = 0.005;

/** The share of the border and the number of sides that the product touches. */
export function measureBorder(alpha: Uint8Array, { width, height }: Size) {
  const touched = { top: 0, bottom: 0, left: 0, right: 0 };
  for (let x = 0; x < width; x++) {
    if (alpha[x]! >= opaque) touched.top++;
    if (alpha[(height - 1) * width + x]! >= opaque) touched.bottom++;
  }
  for (let y = 0; y < height; y++) {
    if (alpha[y * width]! >= opaque) touched.left++;
    if (alpha[y * width + width - 1]! >= opaque) touched.right++;
  }
  const { top, bottom, left, right } = touched;
  const shares = [top / width, bottom / width, left / height, right / height];
  return {
    borderContact: (top + bottom + left + right) / (2 * (width + height)),
    sidesTouched: shares.filter((share) => share >= sideShareMin).length,
  };
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
