/** How the product meets its ground: where it touches, and how the ground recedes. */

import { longSide, type Silhouette } from "./silhouette.ts";

/** The line along which the product meets a ground that recedes from the viewer. */
export interface Ground {
  /** For each cell column, the row (in cells) where the ground meets the product. */
  readonly groundRow: Float32Array;
  /** The lowest of them. */
  readonly baseRow: number;
  /** For each cell column, 0–1: how likely the product touches the ground. */
  readonly contact: Float32Array;
  /** The share of the product's width that the image's lower border cuts, 0–1. */
  readonly cutShare: number;
}

/**
 * A foot further back may be this much higher in the image, per cell of horizontal distance: at least this, and from above more,
 * because a box on its corner rises on both sides by the sine of the camera's pitch.
 */
const groundSlopeMin = 0.45;
const slopePerPitch = 1.5;
/** Share of the product's longer side within which an underside counts as touching. */
const contactGapShare = 0.016;

/** Where the underside steps down by this share of the product's longer side, a foot begins. */
const bellyJumpShare = 0.014;

/** @param pitch the sine of the camera's pitch */
export function traceGround(silhouette: Silhouette, pitch: number): Ground {
  const { left, right, top, bottom, width, height, inside } = silhouette;
  const size = longSide(silhouette);
  const underside = new Float32Array(width).fill(-1);
  let cut = 0;
  for (let x = left; x < right; x++) {
    for (let y = bottom - 1; y >= top; y--) {
      if (inside[y * width + x] === 1) {
        underside[x] = undersideRow(silhouette, x, y);
        break;
      }
    }
    if (underside[x]! >= height - 1.5) cut++;
  }
  const envelope = slopeLimitedEnvelope(underside, left, right, Math.max(groundSlopeMin, slopePerPitch * pitch));
  const contact = new Float32Array(width);
  const gapScale = Math.max(0.75, size * contactGapShare);
  for (let x = left; x < right; x++) {
    // What the border cuts goes on below it: nothing is known of its ground.
    if (underside[x]! < 0 || underside[x]! >= height - 1.5) continue;
    const gap = envelope[x]! - underside[x]!;
    contact[x] = Math.exp(-((gap / gapScale) ** 2));
  }
  clearBellies(underside, contact, left, right, Math.max(2, bellyJumpShare * size));
  const groundRow = groundBetweenContacts(underside, contact, left, right, width);
  let baseRow = 0;
  for (const row of groundRow) baseRow = Math.max(baseRow, row);
  return { groundRow, baseRow: baseRow === 0 ? bottom : baseRow, contact, cutShare: cut / (right - left) };
}

/** A part between two feet that both reach lower is above the ground, however near: a sofa's belly, a car's. */
function clearBellies(underside: Float32Array, contact: Float32Array, left: number, right: number, jump: number): void {
  let from = left;
  let fellBefore = false;
  for (let x = left + 1; x <= right; x++) {
    const step = x < right && underside[x]! >= 0 ? underside[x]! - underside[x - 1]! : 0;
    const ends = x === right || Math.abs(step) > jump || underside[x]! < 0;
    if (!ends) continue;
    if (fellBefore && step > jump) contact.fill(0, from, x);
    fellBefore = step < -jump && underside[x]! >= 0;
    from = x;
  }
}

/** The underside's row with a fraction, from the coverage of the cell below: contacts are finer than a cell. */
function undersideRow(silhouette: Silhouette, x: number, y: number): number {
  const below = (y + 1) * silhouette.width + x;
  const rest = y + 1 < silhouette.height ? silhouette.coverage[below]! / 255 : 0;
  const own = silhouette.coverage[y * silhouette.width + x]! / 255;
  return y + own + rest;
}

/** The lowest line that nowhere rises faster than `slopeMax` and lies on or below the whole underside. */
function slopeLimitedEnvelope(underside: Float32Array, left: number, right: number, slopeMax: number): Float32Array {
  const line = underside.slice();
  for (let x = left + 1; x < right; x++) line[x] = Math.max(line[x]!, line[x - 1]! - slopeMax);
  for (let x = right - 2; x >= left; x--) line[x] = Math.max(line[x]!, line[x + 1]! - slopeMax);
  return line;
}

/** Straight between touching columns and level beyond them: overhanging parts are above the ground, not behind it. */
function groundBetweenContacts(
  underside: Float32Array,
  contact: Float32Array,
  left: number,
  right: number,
  width: number,
): Float32Array {
  const ground = new Float32Array(width);
  let previous = -1;
  for (let x = left; x < right; x++) {
    if (contact[x]! <= 0.35) continue;
    ground[x] = underside[x]!;
    if (previous < 0) ground.fill(underside[x]!, 0, x);
    for (let between = previous + 1; previous >= 0 && between < x; between++) {
      const share = (between - previous) / (x - previous);
      ground[between] = underside[previous]! * (1 - share) + underside[x]! * share;
    }
    previous = x;
  }
  if (previous >= 0) ground.fill(underside[previous]!, previous + 1);
  return ground;
}
