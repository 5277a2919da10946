/** Lays the things of a place around a product that is seen from above: large ones reach in, small ones lie between, none upon another. */

import { mix32, type Random } from "@packshot/domain/random.ts";
import type { Camera } from "../canvas/camera.ts";
import { type Drawing, type DrawnItem, motifOf } from "../motifs/draw-thing.ts";
import type { Motif } from "../motifs/motifs.ts";
import type { Spot, Stamp } from "../motifs/stamp.ts";
import type { PlaceItem } from "../plan/lay-places.ts";
import type { FreeGround } from "./free-ground.ts";

/** Things that lie on the ground, and things that lie on those. */
export interface LaidItems {
  readonly lower: readonly Stamp[];
  readonly upper: readonly Stamp[];
  /** Names of their drawings. */
  readonly names: ReadonlySet<string>;
}

export const noItems: LaidItems = { lower: [], upper: [], names: new Set() };

/** Places along each side of the picture at which a thing is tried. */
const placesAcross = 14;
/** The middle of what is cut may lie so many places outside the picture. */
const placesOutside = 2;
/** Narrower things may lie slanted, too. */
const slimWide = 0.36;
const slant = 0.75;
/** A share of a thing that shows: all of it, or so much that the picture's border is seen to cut it. */
const wholeShare = 0.995;
const cutShares = [0.34, 0.8] as const;
/** A smaller share does of what is larger than most products. */
const largeReach = 0.6;
const cutShareLarge = 0.16;
/** A thing of less than this, half its length, is not cut. */
const cutReachMin = 0.3;
/** Around each thing so much stays free, in sizes of the product. */
const gap = 0.018;

/** A product that takes up more than this of the picture is taken for a larger one: what lies around it is smaller, but no smaller than this. */
const usualFill = 0.66;
const scaleLeast = 0.6;

export function layItems(ground: FreeGround, camera: Camera, place: readonly DrawnItem[], random: Random): LaidItems {
  const fill = camera.size / Math.min(camera.width, camera.height);
  const scale = Math.min(1, Math.max(scaleLeast, usualFill / fill));
  const items = place.map((item) => ({ ...item, reach: scale * item.reach }));
  const lower: Stamp[] = [];
  const upper: Stamp[] = [];
  const names = new Set<string>();
  const tilt = random.between(0.05, 0.26) * (random.chance(0.5) ? 1 : -1);
  const middles: Middle[] = [];
  let below: Spot | null = null;
  for (const item of items) {
    if (item.laying === "upon") {
      const spot: Spot | null = below && uponIt(ground, item, below, random);
      if (spot === null) continue;
      upper.push(stampOf(item, spot));
      names.add(item.name);
      continue;
    }
    const found = findSpot(ground, camera, item, middles, tilt, random);
    below = found && { ...found.spot, x: found.x, y: found.y };
    if (found === null) continue;
    middles.push(found);
    ground.take(found.spot);
    lower.push(stampOf(item, found.spot));
    names.add(item.name);
  }
  return {
    lower,
    upper,
    names,
  };
}

interface Middle {
  readonly x: number;
  readonly y: number;
}

function turnsOf(wide: number, tilt: number, random: Random): number[] {
  const flip = random.chance(0.5) ? Math.PI : 0;
  const turns = [tilt, tilt + Math.PI / 2];
  if (wide < slimWide) turns.push(tilt + slant, tilt - slant);
  return turns.map((turn) => turn + flip + random.between(-0.05, 0.05));
}

const wideOf = ({ drawing: { aspect } }: DrawnItem) => Math.min(1, 1 / aspect);

/** Where the thing lies best: far from the others, and whole or plainly cut. */
function findSpot(
  ground: FreeGround,
  { width, height, baseX, baseY, size }: Camera,
  item: DrawnItem,
  others: readonly Middle[],
  tilt: number,
  random: Random,
): (Middle & { readonly spot: Spot }) | null {
  const wide = wideOf(item);
  const turns = turnsOf(wide, tilt, random);
  const leastShown = item.reach > largeReach ? cutShareLarge : cutShares[0];
  const mayBeCut = item.laying === "edge" || item.reach > cutReachMin;
  let best: (Middle & { readonly spot: Spot }) | null = null;
  let bestScore = -Infinity;
  const outside = mayBeCut ? placesOutside : 0;
  for (let i = -outside; i <= placesAcross + outside; i++) {
    for (let j = -outside; j <= placesAcross + outside; j++) {
      for (const turn of turns) {
        const spot: Spot = {
          x: ((i / placesAcross) * width - baseX) / size,
          y: (baseY - size / 2 - (j / placesAcross) * height) / size,
          reach: item.reach + gap,
          turn,
          wide,
        };
        const { share, x, y } = ground.shown(spot, false);
        const isWhole = share >= wholeShare;
        const isCut = mayBeCut && share > leastShown && share < cutShares[1];
        if (!isWhole && !isCut) continue;
        const away = Math.min(0.7, ...others.map((one) => Math.hypot(one.x - x, one.y - y)));
        const score = away + (isWhole ? 0.1 : 0.5 * share) + random.between(0, 0.22);
        if (score <= bestScore) continue;
        bestScore = score;
        best = { x, y, spot: { ...spot, reach: item.reach } };
      }
    }
  }
  return best;
}

/** On the middle of what shows of the thing below, across it. */
function uponIt(ground: FreeGround, item: DrawnItem, below: Spot, random: Random): Spot | null {
  const wide = wideOf(item);
  for (const turned of [random.between(0.3, 0.7), -random.between(0.3, 0.7), 0.1, Math.PI / 2]) {
    const spot: Spot = { x: below.x, y: below.y, reach: item.reach, turn: below.turn + turned, wide };
    if (ground.shown(spot, true).share > 0.8) return spot;
  }
  return null;
}

/** Half its height above what it lies on, in sizes of the product. */
const liftOf = ({ reach, laying }: PlaceItem) => (laying === "edge" ? 0.028 : Math.min(0.03, 0.012 + 0.06 * reach));

function stampOf(item: DrawnItem, spot: Spot): Stamp {
  const isCloth = cloths.has(item.name);
  return { motif: lyingMotif(item.drawing, isCloth ? item.reach : 0), spot, lift: liftOf(item) };
}

const cloths: ReadonlySet<string> = new Set(["towel", "napkin", "pillow"]);
/** Loops of cloth along a product. */
const loopsPerSize = 170;
/** How far an edge curves, in half lengths of the thing, and how much the lamp brightens what faces it. */
const edgeWide = 0.035;
const edgeLight = 0.3;

/**
 * A drawing whose edges the scene's lamp lights, whichever way it is turned.
 *
 * @param clothReach half the length of a thing of cloth, in sizes of the product; 0: it is no cloth
 */
function lyingMotif(drawing: Drawing, clothReach: number): Motif {
  const flat = motifOf(drawing, false);
  const { width, height, rgba } = drawing.levels[Math.min(2, drawing.levels.length - 1)]!;
  const halfWide = Math.min(1, drawing.aspect);
  const halfTall = Math.min(1, 1 / drawing.aspect);
  const cellAt = (column: number, row: number) =>
    column < 0 || row < 0 || column >= width || row >= height ? 0 : rgba[(row * width + column) * 4 + 3]!;
  const coverAt = (x: number, y: number) => {
    const px = (x / halfWide + 1) * 0.5 * width - 0.5;
    const py = (1 - y / halfTall) * 0.5 * height - 0.5;
    const column = Math.floor(px);
    const row = Math.floor(py);
    const upper = cellAt(column, row) + (cellAt(column + 1, row) - cellAt(column, row)) * (px - column);
    const lower = cellAt(column, row + 1) + (cellAt(column + 1, row + 1) - cellAt(column, row + 1)) * (px - column);
    return upper + (lower - upper) * (py - row);
  };
  const loops = clothReach * loopsPerSize;
  return (point, out) => {
    flat(point, out);
    if (out[3]! <= 0) return;
    const { x, y, lampX, lampY } = point;
    const dx = edgeWide * lampX;
    const dy = edgeWide * lampY;
    const facing = coverAt(x - dx, y - dy) - coverAt(x + dx, y + dy);
    const loop = loops === 0 ? 0.5 : (mix32(Math.floor(x * loops) * 7919 + Math.floor(y * loops) * 104729) & 255) / 255;
    const shade = (1 + edgeLight * facing) * (0.94 + 0.12 * loop);
    for (let c = 0; c < 3; c++) out[c]! *= shade;
  };
}
