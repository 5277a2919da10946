import type { Silhouette } from "./silhouette.ts";

/**
 * How the product meets its ground, read from the outline alone.
 * - `standing`: on a ground that runs away from the viewer.
 * - `lying`: on a plane parallel to the picture: seen from above, hung, or cut off by the picture's lower edge.
 */
export type Stance =
  | {
      readonly kind: "standing";
      /** For each cell column, the picture row (in cells) where the ground meets the product there. */
      readonly groundRow: Float32Array;
      /** The lowest of them. */
      readonly baseRow: number;
      /** For each cell column, 0–1: how surely the product touches the ground there. */
      readonly contact: Float32Array;
    }
  | { readonly kind: "lying"; readonly reason: "narrow-foot" | "cut-at-bottom" };

/** A foot may stand this much higher in the picture, per cell aside, for being further back. */
const groundSlopeMax = 0.45;
/** Share of the product's longer side within which an underside counts as touching. */
const contactGapShare = 0.016;
/** Standing on less than this share of its width, a product would fall over: it is seen from above. */
const standingShareMin = 0.3;
const standingReachMin = 0.42;
const cutShareMin = 0.25;

export function readStance(silhouette: Silhouette): Stance {
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
    if (atEdge > cutShareMin * across) return { kind: "lying", reason: "cut-at-bottom" };
  }
  const envelope = slopeLimitedEnvelope(underside, left, right);
  const contact = new Float32Array(width);
  const gapScale = Math.max(0.75, size * contactGapShare);
  let touching = 0;
  let first = right;
  let last = left;
  for (let x = left; x < right; x++) {
    if (underside[x]! < 0) continue;
    const gap = envelope[x]! - underside[x]!;
    contact[x] = Math.exp(-((gap / gapScale) ** 2));
    if (contact[x]! > 0.35) {
      touching++;
      first = Math.min(first, x);
      last = x + 1;
    }
  }
  const narrow = touching < standingShareMin * across && last - first < standingReachMin * across;
  if (narrow && across > 3) return { kind: "lying", reason: "narrow-foot" };
  const groundRow = groundBetweenContacts(underside, contact, left, right, width);
  let baseRow = 0;
  for (const row of groundRow) baseRow = Math.max(baseRow, row);
  return { kind: "standing", groundRow, baseRow, contact };
}

/** The underside within its cell, from how much of the cell below it still covers: contacts finer than a cell. */
function undersideRow(silhouette: Silhouette, x: number, y: number): number {
  const below = (y + 1) * silhouette.width + x;
  const rest = y + 1 < silhouette.height ? silhouette.coverage[below]! / 255 : 0;
  const own = silhouette.coverage[y * silhouette.width + x]! / 255;
  return y + own + rest;
}

/** The lowest line that rises nowhere faster than `groundSlopeMax` and has the whole underside above or on it. */
function slopeLimitedEnvelope(underside: Float32Array, left: number, right: number): Float32Array {
  const line = underside.slice();
  for (let x = left + 1; x < right; x++) line[x] = Math.max(line[x]!, line[x - 1]! - groundSlopeMax);
  for (let x = right - 2; x >= left; x--) line[x] = Math.max(line[x]!, line[x + 1]! - groundSlopeMax);
  return line;
}

/** Straight between touching columns, level beyond them: what hangs over hangs over the ground, not behind it. */
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
