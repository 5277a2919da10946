/**
 * How a product stands and from where it was photographed, from its outline and, on a plain backdrop, from the shadow in its photo.
 *
 * A small network over features of the outline gives each stance a probability. It was fitted to rendered mattes whose pose is known
 * (training/stance), and its confidence was checked on others. What the outline leaves open, the photo's shadow may decide: one
 * that goes all around is that of something that lies, one apart and below that of something that floats. A wrong glow around
 * something that stands looks worse than a modest shadow below something that lies, so lying has to be likely.
 */

import type { PoseParameters } from "@packshot/domain/edits/shadow.ts";
import { type Ground, traceGround } from "./ground.ts";
import { poseFeatures } from "./pose-features.ts";
import network from "./pose-weights.json" with { type: "json" };
import { createSilhouette, longSide, type Silhouette } from "./silhouette.ts";

const { featureMean, featureSpread, hiddenWeights, pitchWeights, stanceWeights } = network;

export type Stance = "standing" | "lying" | "hanging" | "floating";

/** The product's outline, how it stands, and how it meets the ground. */
export interface ProductPose {
  readonly silhouette: Silhouette;
  readonly stance: Stance;
  /** 0–1: how likely the stance is right; 1 where it was requested. */
  readonly confidence: number;
  /** Absent where the product stands or hangs, and where it was requested. */
  readonly reason?: "seen-from-above" | "cut-at-bottom" | "shadow-apart";
  /** How a product that floated above its shadow would be on a ground, where nothing floats. */
  readonly atRest?: Rest;
  /** `above`: the plane behind the product is parallel to the image. */
  readonly view: "level" | "above";
  /** Image rows per unit of depth on the ground: the sine of the camera's pitch. */
  readonly pitch: number;
  readonly ground: Ground;
}

/** A stance on a ground or before a wall. */
type Rest = Pick<ProductPose, "confidence" | "reason"> & { readonly stance: Exclude<Stance, "floating"> };

/** The shadow in the product's photo. */
export interface PhotoShadow {
  /** Alpha of black: u8, in the cut-out's size. */
  readonly alpha: Uint8Array;
  readonly width: number;
}

/** From this confidence on a stance is taken for sure: below it, only a shadow that suits each stance is cast. */
export const sureMin = 0.95;
/** Lying and hanging have to be likelier than this; else the product stands. */
const likelyMin = 0.55;
/** What the lower border cuts at more than this share of its width does not stand there. */
export const cutBelowMin = 0.2;
/** Cameras of product photos; the fit errs by less than a tenth, most beyond these. */
const pitchMin = 0.1;
const pitchMax = 0.75;
/** Sines of the camera's pitch that stand for the requested `camera`. */
const requestedPitch = { level: 0.12, above: 0.7 } as const;
const certainty = 0.97;

/** @param alpha width × height, 0–255. @returns null for an empty cut-out. */
export function estimatePose(
  alpha: Uint8Array,
  width: number,
  height: number,
  requested: PoseParameters = {},
  photoShadow?: PhotoShadow,
): ProductPose | null {
  const silhouette = createSilhouette(alpha, width, height);
  if (silhouette === null) return null;
  const { pose = "auto", camera = "auto" } = requested;
  const inputs = standardized(poseFeatures(silhouette));
  const hidden = hiddenUnits(inputs);
  const fitted = dot(pitchWeights, [...hidden, ...inputs]);
  const pitch = camera === "auto" ? Math.min(pitchMax, Math.max(pitchMin, fitted)) : requestedPitch[camera];
  const ground = traceGround(silhouette, pitch);
  const found =
    pose === "auto" ? decide(silhouette, hidden, ground, camera, photoShadow) : { stance: pose, confidence: 1 };
  const view = viewOf(found.stance, camera);
  return { silhouette, ground, pitch, view, ...found };
}

/** @returns 0–1: how likely the outline is a garment's, as it hangs or is laid out flat */
export function garmentOdds(silhouette: Silhouette): number {
  return stanceOdds(hiddenUnits(standardized(poseFeatures(silhouette))), "auto").hanging;
}

/** What the lower border cuts floats, whatever the camera: it lies where the request says that it is seen from above. */
function viewOf(stance: Stance, camera: Camera): ProductPose["view"] {
  if (stance === "floating") return camera === "above" ? "above" : "level";
  return stance === "hanging" || (stance === "lying" && camera !== "level") ? "above" : "level";
}

/** A product that floated above its shadow is set down: on its foot, or laid on a ground that is seen from above. */
export function setDown({ atRest, ...pose }: ProductPose): ProductPose {
  if (atRest === undefined) return pose;
  const { reason: _, ...known } = pose;
  return { ...known, ...atRest, view: viewOf(atRest.stance, "auto") };
}

/** The pose that is known already, of the product in another image. @returns null for an empty cut-out */
export function poseAs(known: ProductPose, alpha: Uint8Array, width: number, height: number): ProductPose | null {
  const silhouette = createSilhouette(alpha, width, height);
  return silhouette && { ...known, silhouette, ground: traceGround(silhouette, known.pitch) };
}

type Camera = NonNullable<PoseParameters["camera"]>;
type Decision = Pick<ProductPose, "stance" | "confidence" | "reason" | "atRest">;

function decide(
  silhouette: Silhouette,
  hidden: readonly number[],
  ground: Ground,
  camera: Camera,
  photoShadow?: PhotoShadow,
): Decision {
  if (ground.cutShare > cutBelowMin) return { stance: "floating", confidence: certainty, reason: "cut-at-bottom" };
  const around = photoShadow && shadowAround(silhouette, photoShadow);
  const { standing, lying, hanging } = stanceOdds(hidden, camera, around);
  if (camera === "above") return laid(hanging);
  if (around?.isApart && Math.max(lying, hanging) < sureMin) {
    const stood = standing * apartOdds;
    const sum = stood + lying + hanging;
    const atRest = likeliest(stood / sum, lying / sum, hanging / sum);
    return { stance: "floating", confidence: certainty, reason: "shadow-apart", atRest };
  }
  return likeliest(standing, lying, hanging);
}

/** What was seen from above, and is not said to stand, lies, unless it is a garment that hangs. */
function laid(hanging: number): Rest {
  if (hanging >= likelyMin) return { stance: "hanging", confidence: hanging };
  return { stance: "lying", confidence: 1 - hanging, reason: "seen-from-above" };
}

function likeliest(standing: number, lying: number, hanging: number): Rest {
  if (lying >= likelyMin) return { stance: "lying", confidence: lying, reason: "seen-from-above" };
  if (hanging >= likelyMin) return { stance: "hanging", confidence: hanging };
  return { stance: "standing", confidence: standing };
}

/** The probabilities of each stance; they sum to 1. */
function stanceOdds(hidden: readonly number[], camera: Camera, around?: ShadowAround) {
  const [standing, lying, hanging] = stanceWeights.map((weights) => dot(weights, hidden));
  const scores = { standing: standing!, lying: lying!, hanging: hanging! };
  if (camera === "level") scores.lying = Number.NEGATIVE_INFINITY;
  if (around !== undefined) {
    scores.standing += shadowLogOdds * (around.below - 3 * around.above);
    scores.hanging -= hangingLogOdds * Math.max(0, around.below - around.above);
  }
  const largest = Math.max(scores.standing, scores.lying, scores.hanging);
  const e = {
    standing: Math.exp(scores.standing - largest),
    lying: Math.exp(scores.lying - largest),
    hanging: Math.exp(scores.hanging - largest),
  };
  const sum = e.standing + e.lying + e.hanging;
  return { standing: e.standing / sum, lying: e.lying / sum, hanging: e.hanging / sum };
}

/** A shadow along all of the product's underside makes standing e² times as likely, and one above it e⁶ times less. */
const shadowLogOdds = 2;
/** What hangs has no ground right below it on which a shadow could fall. */
const hangingLogOdds = 3;
/** What stands mostly meets its shadow: one that is held up above it stands so many times less likely. */
const apartOdds = 0.15;

interface ShadowAround {
  /** The share of the product's columns with shadow right above, and right below it. */
  readonly above: number;
  readonly below: number;
  /** All of it is below the product, and apart from it. */
  readonly isApart: boolean;
}

const shadowAlphaMin = 10;
/** How far from the product its shadow is looked for, as a share of its longer side. */
const nearShare = 0.03;
const apartShare = 0.035;

function shadowAround(silhouette: Silhouette, { alpha, width: rowPx }: PhotoShadow): ShadowAround {
  const { top, bottom, width, height, inside, cellPx } = silhouette;
  const size = longSide(silhouette);
  const reach = Math.max(2, Math.round(nearShare * size));
  const isDark = (x: number, y: number) => {
    const px = Math.min(rowPx - 1, Math.floor((x + 0.5) * cellPx));
    return alpha[Math.floor((y + 0.5) * cellPx) * rowPx + px]! >= shadowAlphaMin;
  };
  let above = 0;
  let below = 0;
  let columns = 0;
  let dark = 0;
  let highest = height;
  for (let x = 0; x < width; x++) {
    let first = -1;
    let last = -1;
    for (let y = top; y < bottom; y++) {
      if (inside[y * width + x] === 0) continue;
      if (first < 0) first = y;
      last = y;
    }
    for (let y = 0; y < height - 1; y++) {
      if (inside[y * width + x] === 1 || !isDark(x, y)) continue;
      dark++;
      highest = Math.min(highest, y);
    }
    if (first < 0) continue;
    columns++;
    if (first - reach >= 0 && isDark(x, first - reach)) above++;
    if (last + reach < height - 1 && isDark(x, last + reach)) below++;
  }
  const isApart = dark > 0.01 * size * size && highest > bottom + apartShare * size;
  return { above: above / columns, below: below / columns, isApart };
}

/** Standardized features, and 1. */
function standardized(features: Float64Array): readonly number[] {
  const z = (value: number, i: number) => Math.min(3, Math.max(-3, (value - featureMean[i]!) / featureSpread[i]!));
  return [...Array.from(features, z), 1];
}

function hiddenUnits(inputs: readonly number[]): readonly number[] {
  return [...hiddenWeights.map((weights) => Math.tanh(dot(weights, inputs))), 1];
}

function dot(weights: readonly number[], values: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * values[i]!, 0);
}
