/** What the product stands on: podiums, shelves and trays, and things such as a log, a bench or a crate. */

import type { StandKind } from "../words/lexicon.ts";
import type { Piece } from "./set-pieces.ts";
import { type Box, type Build, type Cylinder, type Stand, type StandInput, solidOf } from "./stand-parts.ts";
import {
  buildBale,
  buildBoard,
  buildBooks,
  buildBricks,
  buildCakeStand,
  buildCushion,
  buildDrum,
  buildGift,
  buildHexagon,
  buildRock,
  buildSeat,
  buildSuitcase,
} from "./stands-of-things.ts";
import { buildBarrel, buildBench, buildChair, buildCrate, buildLog, buildStool, buildStump } from "./stands-of-wood.ts";

/** Depth of a shelf in front of the product and behind it. */
const shelfFront = 0.17;
export const shelfBack = 0.55;
export const shelfThick = 0.06;

/** Their floor is too far below the product for what stands on it to be seen beside it. */
export const highStands: ReadonlySet<StandKind> = new Set<StandKind>([
  "shelf",
  "bench",
  "stool",
  "chair",
  "sofa",
  "armchair",
]);

export function buildStand(kind: StandKind, input: StandInput): Stand {
  const { camera, radius } = input;
  const v = 0.34 * radius;
  /** Height of the front that leaves a strip of floor below it in the image. */
  const far = camera.distance / camera.size;
  const frontY = camera.horizonY + (camera.baseY - camera.horizonY) / Math.max(0.3, 1 + (v - radius) / far);
  const room = (0.97 * camera.height - frontY) / camera.size;
  const high = Math.min(0.34, Math.max(0.07, room * 0.8));
  return builders[kind]({ ...input, v, high });
}

const builders: Readonly<Record<StandKind, (build: Build) => Stand>> = {
  podium: buildPodium,
  block: buildBlock,
  steps: buildSteps,
  shelf: buildShelf,
  tray: buildTray,
  stump: buildStump,
  log: buildLog,
  crate: buildCrate,
  bench: buildBench,
  barrel: buildBarrel,
  stool: buildStool,
  chair: buildChair,
  books: buildBooks,
  suitcase: buildSuitcase,
  rock: buildRock,
  bale: buildBale,
  sofa: (build) => buildSeat(build, Math.max(1.5, build.radius + 0.8)),
  cushion: buildCushion,
  gift: buildGift,
  bricks: buildBricks,
  drum: buildDrum,
  "cake-stand": buildCakeStand,
  hexagon: buildHexagon,
  board: buildBoard,
  armchair: (build) => buildSeat(build, Math.max(0.62, build.radius * 1.15)),
};

/** A band of another color just below the upper edge. */
function rimOf(
  { plan, v }: Build,
  form: Pick<Cylinder, "shape" | "radius"> | Pick<Box, "shape" | "halfU" | "halfV" | "turn">,
): Piece[] {
  if (plan.trimColor === null) return [];
  const band = { u: 0, v, top: -0.014, bottom: -0.044, color: plan.trimColor };
  if (form.shape === "cylinder") return [{ ...band, ...form, radius: form.radius * 1.008 }];
  return [{ ...band, ...form, halfU: form.halfU * 1.008, halfV: form.halfV * 1.008 }];
}

function buildPodium(build: Build): Stand {
  const { high, radius, random } = build;
  const isTiered = high > 0.2 && random.chance(0.5);
  const solid = { ...solidOf(build), shape: "cylinder" } as const;
  const upper: Piece = { ...solid, radius, bottom: isTiered ? -high * 0.55 : -high };
  const lower: Piece = { ...solid, radius: radius * 1.32, top: -high * 0.55 };
  return {
    pieces: [...(isTiered ? [upper, lower] : [upper]), ...rimOf(build, { shape: "cylinder", radius })],
    floor: -high,
  };
}

function buildBlock(build: Build): Stand {
  const { high, radius, random } = build;
  const form = { shape: "box", halfU: radius, halfV: radius * 0.86, turn: random.between(-0.22, 0.22) } as const;
  return { pieces: [{ ...solidOf(build), ...form }, ...rimOf(build, form)], floor: -high };
}

function buildSteps(build: Build): Stand {
  const { high, radius, random, v } = build;
  const side = random.chance(0.5) ? 1 : -1;
  const step = { ...solidOf(build), shape: "box", halfV: radius * 0.8, turn: 0 } as const;
  return {
    pieces: [
      { ...step, halfU: radius },
      { ...step, halfU: radius * 0.55, u: side * radius * 1.5, top: -high * 0.5, v: v - 0.12 * radius },
      { ...step, halfU: radius * 0.6, u: -side * radius * 1.5, top: high * 0.9, v: v + 0.35 * radius },
    ],
    floor: -high,
  };
}

function buildShelf(build: Build): Stand {
  const halfV = (shelfFront + shelfBack) / 2;
  const board = { ...solidOf(build), v: shelfBack - halfV, bottom: -shelfThick };
  return { pieces: [{ ...board, shape: "box", halfU: 12, halfV, turn: 0 }], floor: -shelfThick };
}

function buildTray(build: Build): Stand {
  const thick = 0.035;
  return {
    pieces: [{ ...solidOf(build), shape: "cylinder", radius: build.radius * 1.22, bottom: -thick }],
    floor: -thick,
  };
}
