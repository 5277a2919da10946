/** What stands in front and farther back, each on a ground line of its own: the things of a set, the rear legs of one, and tips before it. */

import { type Components, fillComponents, labelComponents, runStride } from "../pixels/connected-components.ts";
import { type FrontTip, frontTips } from "./front-tips.ts";
import { type Ground, traceGround } from "./ground.ts";
import { type RearLeg, rearLegs } from "./rear-feet.ts";
import { discOf } from "./round-base.ts";
import type { Silhouette } from "./silhouette.ts";

export interface StandingPart {
  readonly silhouette: Silhouette;
  /** Its `baseRow` is that of the whole set. */
  readonly ground: Ground;
  /** How tall a low upright cylinder is, in cells. All else is taken to be as tall as it looks. */
  readonly discTall?: number;
}

/** Smaller pieces are lids, labels and crumbs of the part beside them; as a share of the set's cells. */
const cellShareMin = 0.008;
/** Nothing stands farther back than this share of the set's width: what is higher in the image is held up. A kit is laid out as deep as that. */
const depthShareMax = 1.7;
/** What has more of its columns above another piece is on top of it. */
const aboveShareMax = 0.85;
/** Columns that reach this near its lowest row are a piece's foot; it stands on the traced line where most of them touch that. */
const footCells = 3;
const contactMin = 0.35;

/** How many pieces apart from each other an outline has; smaller ones do not count. */
export function countPieces(silhouette: Silhouette): number {
  return largePieces(labelComponents(silhouette.inside, silhouette)).length;
}

/** Labels of the pieces that count. */
function largePieces({ sizes }: Components): number[] {
  const total = sizes.reduce((sum, cells) => sum + cells, 0);
  return [...sizes.keys()].filter((label) => label > 0 && sizes[label]! >= cellShareMin * total);
}

/**
 * One part where all of the outline stands on the ground line that was traced below it, as most products do. A piece that is above
 * that line, and neither on top of another nor too high, stands farther back.
 *
 * @param pitch the sine of the camera's pitch
 */
export function standingParts(silhouette: Silhouette, ground: Ground, pitch: number): readonly StandingPart[] {
  const pieces = labelComponents(silhouette.inside, silhouette);
  const large = largePieces(pieces).map((label) => ({ label, piece: only(silhouette, label) }));
  const farther = large.filter(({ piece }) => standsBehind(piece, silhouette, ground, pitch));
  const isBehind = new Set(farther.map(({ label }) => label));
  const front =
    isBehind.size > 0
      ? withCells(silhouette, (inside) => fillComponents(inside, pieces, 1, (label) => !isBehind.has(label)))
      : silhouette;
  const behind = farther.map(({ piece }) => piece);
  const tips = frontTips(front);
  // Between its tips a round base has no rear legs.
  const legs: readonly (RearLeg | FrontTip)[] =
    tips.length > 0 ? tips : rearLegs(front, front === silhouette ? ground : traceGround(front, pitch), pitch);
  if (behind.length + legs.length === 0) return [{ silhouette, ground, discTall: discOf(silhouette)?.tall }];
  const standing = legs.length === 0 ? front : withCells(front, (inside) => withoutLegs(inside, front, legs));
  const carried = legs.map((leg) => withCells(front, (inside) => copyLeg(inside, front, leg, legs)));
  const traced = [standing, ...behind, ...carried].map((part) => ({
    silhouette: part,
    ground: traceGround(part, pitch),
    discTall: discOf(part)?.tall,
  }));
  const baseRow = Math.max(...traced.map((part) => part.ground.baseRow));
  return traced.map((part) => ({ ...part, ground: { ...part.ground, baseRow } }));

  function only(whole: Silhouette, wanted: number): Silhouette {
    return withCells(whole, (inside) => fillComponents(inside, pieces, 1, (label) => label === wanted));
  }
}

function standsBehind(piece: Silhouette, whole: Silhouette, ground: Ground, pitch: number): boolean {
  const depth = (ground.baseRow - piece.bottom) / pitch;
  if (depth <= 0 || depth > depthShareMax * (whole.right - whole.left)) return false;
  let columns = 0;
  let above = 0;
  let feet = 0;
  let touching = 0;
  for (let x = piece.left; x < piece.right; x++) {
    const lowest = lowestRow(piece, x);
    if (lowest < 0) continue;
    columns++;
    if (lowestRow(whole, x) > lowest) above++;
    if (lowest < piece.bottom - footCells) continue;
    feet++;
    if (ground.contact[x]! > contactMin) touching++;
  }
  return above <= aboveShareMax * columns && 2 * touching < feet;
}

/** -1: nothing is in this column. */
function lowestRow({ inside, width, top, bottom }: Silhouette, x: number): number {
  for (let y = bottom - 1; y >= top; y--) if (inside[y * width + x] === 1) return y;
  return -1;
}

function withoutLegs(inside: Uint8Array, from: Silhouette, legs: readonly RearLeg[]): void {
  inside.set(from.inside);
  clearBoxes(inside, from, legs);
}

/** Without what stands farther back beside it. */
function copyLeg(inside: Uint8Array, from: Silhouette, leg: RearLeg, legs: readonly RearLeg[]): void {
  for (let y = leg.top; y < leg.bottom; y++) {
    const row = y * from.width;
    inside.set(from.inside.subarray(row + leg.left, row + leg.right), row + leg.left);
  }
  clearBoxes(
    inside,
    from,
    legs.filter(({ bottom }) => bottom < leg.bottom),
  );
}

function clearBoxes(inside: Uint8Array, { width }: Silhouette, boxes: readonly RearLeg[]): void {
  for (const { left, right, top, bottom } of boxes) {
    for (let y = top; y < bottom; y++) inside.fill(0, y * width + left, y * width + right);
  }
}

/** The outline with only the cells that are filled, and their bounds. */
function withCells(whole: Silhouette, fill: (inside: Uint8Array) => void): Silhouette {
  const inside = new Uint8Array(whole.inside.length);
  fill(inside);
  const { width } = whole;
  const { runs } = labelComponents(inside, whole);
  let left = width;
  let right = 0;
  for (let at = 0; at < runs.length; at += runStride) {
    left = Math.min(left, runs[at]! % width);
    right = Math.max(right, ((runs[at + 1]! - 1) % width) + 1);
  }
  const top = Math.floor(inside.indexOf(1) / width);
  const bottom = Math.floor(inside.lastIndexOf(1) / width) + 1;
  return { ...whole, inside, left, right, top, bottom };
}
