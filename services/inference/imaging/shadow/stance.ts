import type { Silhouette } from "./silhouette.ts";

/**
 * How the product meets its ground, estimated from the outline alone.
 * - `standing`: on a ground that recedes from the viewer.
 * - `flat-lay`: on a plane parallel to the image: seen from above, hung, or cut off by the image's lower edge.
 */
export type Stance =
  | {
      readonly kind: "standing";
      /** For each cell column, the row (in cells) where the ground meets the product. */
      readonly groundRow: Float32Array;
      /** The lowest of them. */
      readonly baseRow: number;
      /** For each cell column, 0–1: how likely the product touches the ground. */
      readonly contact: Float32Array;
    }
  | { readonly kind: "flat-lay"; readonly reason: "seen-from-above" | "cut-at-bottom" };

/** A foot further back may be this much higher in the image, per cell of horizontal distance. */
const groundSlopeMax = 0.45;
/** Share of the product's longer side within which an underside counts as touching. */
const contactGapShare = 0.016;
/**
 * A standing product has a foot: a straight part of its underside, or legs. Where the underside is round everywhere
 * (toes of shoes, a coiled rope), the camera looked down on it. Measured on the project's sample photos.
 */
const straightShareMin = 0.14;
const straightErrorShare = 0.009;
const touchingShareMax = 0.6;
const roundingMin = 1.25;
const cutShareMin = 0.25;

/** @param allowFlatLay false where the scene has no view from above: the product then stands, whatever its outline. */
export function estimateStance(silhouette: Silhouette, allowFlatLay: boolean): Stance {
  const { left, right, top, bottom, width, height, inside } = silhouette;
  const across = right - left;
  const size = Math.max(across, bottom - top);
  const underside = new Float32Array(width).fill(-1);
  for (let x = left; x < right; x++) {
    for (let y = bottom - 1; y >= top; y--) {
      if (inside[y * width + x] === 1) {
        underside[x] = undersideRow(silhouette, x, y);
        break;
      }
    }
  }
  if (bottom >= height - 1) {
    let atEdge = 0;
    for (let x = left; x < right; x++) if (underside[x]! >= height - 1.5) atEdge++;
    if (atEdge > cutShareMin * across) return { kind: "flat-lay", reason: "cut-at-bottom" };
  }
  const envelope = slopeLimitedEnvelope(underside, left, right);
  const contact = new Float32Array(width);
  const gapScale = Math.max(0.75, size * contactGapShare);
  for (let x = left; x < right; x++) {
    if (underside[x]! < 0) continue;
    const gap = envelope[x]! - underside[x]!;
    contact[x] = Math.exp(-((gap / gapScale) ** 2));
  }
  if (allowFlatLay && hasRoundUnderside(underside, envelope, silhouette))
    return { kind: "flat-lay", reason: "seen-from-above" };
  const groundRow = groundBetweenContacts(underside, contact, left, right, width);
  let baseRow = 0;
  for (const row of groundRow) baseRow = Math.max(baseRow, row);
  return { kind: "standing", groundRow, baseRow, contact };
}

/** The underside's row with a fraction, from the coverage of the cell below: contacts are finer than a cell. */
function undersideRow(silhouette: Silhouette, x: number, y: number): number {
  const below = (y + 1) * silhouette.width + x;
  const rest = y + 1 < silhouette.height ? silhouette.coverage[below]! / 255 : 0;
  const own = silhouette.coverage[y * silhouette.width + x]! / 255;
  return y + own + rest;
}

function hasRoundUnderside(underside: Float32Array, envelope: Float32Array, silhouette: Silhouette): boolean {
  const { left, right, top, bottom } = silhouette;
  const across = right - left;
  const size = Math.max(across, bottom - top);
  if (size < 24) return false;
  let touching = 0;
  let nearly = 0;
  for (let x = left; x < right; x++) {
    const gap = envelope[x]! - underside[x]!;
    if (gap < contactGapShare * size) touching++;
    if (gap < 5 * contactGapShare * size) nearly++;
  }
  if (touching > touchingShareMax * across || nearly < roundingMin * touching) return false;
  const straight = longestStraightRun(underside, silhouette, straightErrorShare * size, 0.12 * size);
  return straight < straightShareMin * across;
}

/** Columns in the longest straight part of the underside near the ground. */
function longestStraightRun(underside: Float32Array, silhouette: Silhouette, error: number, lift: number): number {
  const { left, right, bottom } = silhouette;
  let longest = 0;
  for (let from = left; from < right - longest; from++) {
    for (let to = right - 1; to > from + longest; to--) {
      const slope = (underside[to]! - underside[from]!) / (to - from);
      if (Math.abs(slope) > groundSlopeMax || Math.max(underside[to]!, underside[from]!) < bottom - lift) continue;
      let x = from + 1;
      while (x < to && Math.abs(underside[x]! - underside[from]! - slope * (x - from)) <= error) x++;
      if (x === to) longest = to - from;
    }
  }
  return longest;
}

/** The lowest line that nowhere rises faster than `groundSlopeMax` and lies on or below the whole underside. */
function slopeLimitedEnvelope(underside: Float32Array, left: number, right: number): Float32Array {
  const line = underside.slice();
  for (let x = left + 1; x < right; x++) line[x] = Math.max(line[x]!, line[x - 1]! - groundSlopeMax);
  for (let x = right - 2; x >= left; x--) line[x] = Math.max(line[x]!, line[x + 1]! - groundSlopeMax);
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
