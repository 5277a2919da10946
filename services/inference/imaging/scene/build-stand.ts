/** What the product stands on: podiums, shelves and trays, and things such as a log, a bench or a crate. */

import type { Random } from "@packshot/domain/random.ts";
import type { Camera } from "./camera.ts";
import { fromHex, type LinearRgb, mix, scale } from "./color.ts";
import type { Material } from "./material.ts";
import type { Noise } from "./noise.ts";
import type { ScenePlan } from "./scene-plan.ts";
import type { Piece } from "./set-pieces.ts";
import { barkOf, bookPages, planksOf, ringsOf, rockPlanes, stavesOf, toned } from "./stand-materials.ts";
import type { StandKind } from "./words/lexicon.ts";

/** What a stand is built from. Lengths are sizes of the product. */
export interface StandInput {
  readonly plan: ScenePlan;
  readonly camera: Camera;
  /** A disc of this radius below the product has room for it. */
  readonly radius: number;
  /** Of its top. */
  readonly material: Material;
  readonly noise: Noise;
  readonly random: Random;
}

export interface Stand {
  readonly pieces: readonly Piece[];
  /** Height of the floor, below 0. */
  readonly floor: number;
}

/** Depth of a shelf in front of the product and behind it. */
const shelfFront = 0.17;
export const shelfBack = 0.55;
export const shelfThick = 0.06;

/** A stand as it is being built. */
interface Build extends StandInput {
  /** How far behind the product's foot its middle is. */
  readonly v: number;
  /** As high as the image has room for. */
  readonly high: number;
}

type Box = Extract<Piece, { shape: "box" }>;
type Cylinder = Extract<Piece, { shape: "cylinder" }>;

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
  armchair: (build) => buildSeat(build, Math.max(0.62, build.radius * 1.15)),
};

const solidOf = ({ plan, v, high, material }: Build) => ({
  u: 0,
  v,
  bottom: -high,
  top: 0,
  color: plan.surfaceColor,
  material,
});

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

function buildStump(build: Build): Stand {
  const { plan, noise, random, v, high } = build;
  const radius = build.radius * 1.12;
  const rings = ringsOf({ color: plan.surfaceColor, noise, radius, u: 0, v, phase: random.next() });
  const bark = barkOf(plan.surfaceColor, noise);
  return {
    pieces: [
      { ...solidOf(build), shape: "cylinder", radius, material: grownOver(build, rings), side: bark },
      // Its foot is wider.
      { ...solidOf(build), shape: "cylinder", radius: radius * 1.06, top: -high * 0.72, material: bark, side: bark },
    ],
    floor: -high,
  };
}

/** Moss that grows on the stand is part of its material. */
const grownOver = ({ plan, material }: Build, own: Material): Material => (plan.isMossy ? material : own);

/** Half of a log, with its flat side up, turned so that one of its ends is seen. */
function buildLog(build: Build): Stand {
  const { plan, camera, noise, random, radius } = build;
  const side = random.chance(0.5) ? 1 : -1;
  const halfFrame = camera.width / 2 / camera.size;
  const seen = Math.max(radius * 1.02, halfFrame * 0.72);
  const unseen = Math.max(radius, halfFrame) + 0.8;
  const round = Math.min(0.42, Math.max(0.22, radius * 0.8));
  const sunk = 0.5 * round;
  const slant = 0.4;
  const floor = -(sunk + round) * 0.94;
  const color = plan.surfaceColor;
  return {
    pieces: [
      {
        ...solidOf(build),
        shape: "log",
        turn: -side * slant,
        u: (side * (seen - unseen)) / 2,
        v: 0.25 * round + (Math.tan(slant) * (unseen - seen)) / 2,
        halfU: (seen + unseen) / 2,
        radius: round,
        sunk,
        bottom: floor,
        material: grownOver(build, planksOf(build.material, { from: -round, tone: 1.05, shift: 3 })),
        side: barkOf(color, noise),
        end: ringsOf({ color, noise, radius: round, u: 0, v: -sunk, phase: random.next() }),
      },
    ],
    floor,
  };
}

const gap = 0.016;

/** Boards from left to right, side by side from the front to the back; `thick` high, the upper side at `top`. */
function boardsAcross(
  build: Build,
  {
    halfU,
    front,
    back,
    count,
    top,
    thick,
  }: Readonly<Record<"halfU" | "front" | "back" | "count" | "top" | "thick", number>>,
): Box[] {
  const { random, material } = build;
  const wide = (back - front) / count;
  return Array.from({ length: count }, (_, at) => {
    const from = front + at * wide + gap / 2;
    const tone = random.between(0.84, 1.1);
    return {
      ...solidOf(build),
      shape: "box",
      turn: 0,
      v: front + (at + 0.5) * wide,
      halfU,
      halfV: (wide - gap) / 2,
      top,
      bottom: top - thick,
      color: scale(build.plan.surfaceColor, tone),
      material: planksOf(material, { from, tone, shift: 7 * at + 1 }),
      side: planksOf(material, { from: top - thick, tone: tone * 0.95, shift: 7 * at + 4 }),
    };
  });
}

function upright(build: Build, u: number, v: number, half: number, bottom: number, top: number, tone = 0.9): Box {
  const material = planksOf(build.material, { from: u - half, tone, shift: 20 * u, isUpright: true });
  return {
    ...solidOf(build),
    shape: "box",
    turn: 0,
    u,
    v,
    halfU: half,
    halfV: half,
    bottom,
    top,
    color: scale(build.plan.surfaceColor, tone),
    material,
    side: material,
  };
}

function buildCrate(build: Build): Stand {
  const { plan, radius, v } = build;
  const high = Math.max(0.2, build.high);
  const halfU = radius * 1.1;
  const halfV = radius * 0.86;
  const front = v - halfV;
  const count = 3;
  const slat = high / count;
  const inside: Box = {
    ...solidOf(build),
    shape: "box",
    turn: 0,
    halfU: halfU - 0.03,
    halfV: halfV - 0.03,
    bottom: -high,
    top: -0.03,
    color: scale(plan.surfaceColor, 0.16),
  };
  const { material: _, ...hollow } = inside;
  const fronts = Array.from({ length: count }, (__, at) =>
    boardsAcross(build, {
      halfU: halfU + 0.012,
      front: front - 0.03,
      back: front + gap,
      count: 1,
      top: -at * slat - (at === 0 ? 0.034 : gap),
      thick: slat - (at === 0 ? 0.034 : gap) - gap / 2,
    }),
  ).flat();
  return {
    pieces: [
      hollow,
      ...boardsAcross(build, { halfU, front: front - 0.024, back: v + halfV, count: 4, top: 0, thick: 0.03 }),
      ...fronts,
      upright(build, -halfU + 0.05, front - 0.034, 0.05, -high, -0.034, 0.8),
      upright(build, halfU - 0.05, front - 0.034, 0.05, -high, -0.034, 0.8),
    ],
    floor: -high,
  };
}

const iron = fromHex("#2b2a2a");

function buildBench(build: Build): Stand {
  const { radius, v } = build;
  const halfU = Math.max(1.15, radius + 0.7);
  const front = v - Math.max(0.4, radius);
  const back = v + Math.max(0.4, radius * 1.05);
  const floor = -0.85;
  const leg = (u: number): Box[] => {
    const post = { shape: "box", turn: 0, u, halfU: 0.03, bottom: floor, color: iron } as const;
    return [
      { ...post, v: front + 0.1, halfV: 0.03, top: -0.06 },
      { ...post, v: back - 0.02, halfV: 0.03, top: 0.8 },
      { ...post, v: (front + back) / 2, halfV: (back - front) / 2, bottom: -0.11, top: -0.06 },
    ];
  };
  const rail = (bottom: number) =>
    boardsAcross(build, { halfU, front: back - 0.02, back: back + 0.05, count: 1, top: bottom + 0.2, thick: 0.2 });
  return {
    pieces: [
      ...boardsAcross(build, { halfU, front, back: back - 0.06, count: 4, top: 0, thick: 0.05 }),
      ...rail(0.2),
      ...rail(0.5),
      ...leg(-0.78 * halfU),
      ...leg(0.78 * halfU),
    ],
    floor,
  };
}

function buildBarrel(build: Build): Stand {
  const { plan, v, high } = build;
  const radius = build.radius * 1.14;
  const hoop = (top: number, wide: number): Cylinder => ({
    shape: "cylinder",
    u: 0,
    v,
    radius: radius * 1.015,
    top,
    bottom: top - wide,
    color: iron,
  });
  return {
    pieces: [
      {
        ...solidOf(build),
        shape: "cylinder",
        radius,
        material: toned(build.material, 0.9),
        side: stavesOf(build.material, plan.surfaceColor),
      },
      hoop(-0.03, 0.045),
      ...(high > 0.2 ? [hoop(-0.2, 0.045)] : []),
    ],
    floor: -high,
  };
}

/** Where the floor is below a seat. */
const seatFloor = -0.95;

function buildStool(build: Build): Stand {
  const { plan, radius, v } = build;
  const thick = 0.075;
  const spread = radius * 0.68;
  const legs = [
    [-1, -0.75],
    [1, -0.75],
    [-0.8, 0.8],
    [0.8, 0.8],
  ].map(
    ([u = 0, along = 0]): Cylinder => ({
      shape: "cylinder",
      u: u * spread,
      v: v + along * spread,
      radius: 0.045,
      bottom: seatFloor,
      top: -thick,
      color: scale(plan.surfaceColor, 0.7),
    }),
  );
  const side = planksOf(build.material, { from: -thick, tone: 0.85, shift: 9 });
  return {
    pieces: [...legs, { ...solidOf(build), shape: "cylinder", radius: radius * 1.06, bottom: -thick, side }],
    floor: seatFloor,
  };
}

function buildChair(build: Build): Stand {
  const { radius, v } = build;
  const halfU = radius * 1.04;
  const halfV = radius * 0.9;
  const back = v + halfV;
  const corner = halfU - 0.045;
  return {
    pieces: [
      ...boardsAcross(build, { halfU, front: v - halfV, back: back + 0.02, count: 1, top: 0, thick: 0.055 }),
      ...[-1, 1].flatMap((side) => [
        upright(build, side * corner, v - halfV + 0.06, 0.042, seatFloor, -0.055),
        upright(build, side * corner, back, 0.042, seatFloor, 1.02),
        upright(build, side * corner * 0.34, back, 0.028, 0, 0.9, 0.86),
      ]),
      ...boardsAcross(build, { halfU, front: back - 0.05, back: back + 0.05, count: 1, top: 1.02, thick: 0.17 }),
    ],
    floor: seatFloor,
  };
}

const covers = ["#2f4154", "#7a2f35", "#5f6b4e", "#b98a45", "#3d3a45", "#c9b79a"];

function buildBooks(build: Build): Stand {
  const { radius, v, random } = build;
  const thick = 0.095;
  const first = random.integer(0, covers.length - 1);
  const book = (at: number): Piece[] => {
    const turn = [-0.05, 0.1, -0.02][at]! * (random.chance(0.5) ? 1 : -1);
    const color = fromHex(covers[(first + at) % covers.length]!);
    const halfU = radius * (1.06 + 0.06 * at);
    const halfV = radius * (0.8 + 0.04 * at);
    const top = -at * thick;
    const form = { shape: "box", turn, u: 0, v } as const;
    const cover = 0.013;
    return [
      { ...form, halfU, halfV, top, bottom: top - cover, color },
      { ...form, halfU, halfV, top: top - thick + cover, bottom: top - thick, color },
      {
        ...form,
        halfU: halfU - 0.02,
        halfV: halfV - 0.02,
        top: top - cover,
        bottom: top - thick + cover,
        color: paper,
        material: bookPages,
        side: bookPages,
      },
    ];
  };
  return { pieces: [0, 1, 2].flatMap(book), floor: -3 * thick };
}

const paper: LinearRgb = fromHex("#e9e0cc");
const brass = fromHex("#b08d4a");

function buildSuitcase(build: Build): Stand {
  const { plan, radius, v } = build;
  const high = Math.max(0.2, build.high);
  const halfU = radius * 1.2;
  const halfV = radius * 0.82;
  const form = { shape: "box", turn: 0, v } as const;
  const dark = mix(scale(plan.surfaceColor, 0.45), [0.05, 0.03, 0.02], 0.4);
  const around = { ...form, halfV: halfV + 0.008, top: 0.002, bottom: -high, color: dark };
  const leather = toned(build.material, 0.9);
  return {
    pieces: [
      { ...solidOf(build), ...form, u: 0, halfU, halfV, bottom: -high, side: leather },
      { ...around, u: -halfU * 0.6, halfU: 0.035 },
      { ...around, u: halfU * 0.6, halfU: 0.035 },
      {
        ...form,
        u: 0,
        halfU: halfU + 0.004,
        halfV: halfV + 0.004,
        top: -0.36 * high,
        bottom: -0.39 * high,
        color: dark,
      },
      ...[-1, 1].map((side): Box => {
        const lock = { ...form, v: v - halfV - 0.01, halfU: 0.04, halfV: 0.012, color: brass };
        return { ...lock, u: side * halfU * 0.34, top: -0.3 * high, bottom: -0.48 * high };
      }),
      {
        ...form,
        u: 0,
        v: v - halfV - 0.03,
        halfU: 0.13,
        halfV: 0.018,
        top: -0.4 * high,
        bottom: -0.5 * high,
        color: dark,
      },
    ],
    floor: -high,
  };
}

function buildRock(build: Build): Stand {
  const { high, radius, random } = build;
  const wide = radius * 1.3;
  return {
    pieces: [{ ...solidOf(build), shape: "hull", radius: wide * 1.3, planes: rockPlanes(wide, high, random) }],
    floor: -high,
  };
}

function buildBale(build: Build): Stand {
  const { radius, v, material } = build;
  const high = Math.max(0.24, build.high);
  const halfU = radius * 1.25;
  const halfV = radius * 0.9;
  const form = { shape: "box", turn: 0, v } as const;
  const twine = { ...form, halfU: 0.012, halfV: halfV + 0.004, top: 0.001, bottom: -high, color: fromHex("#8a6a3a") };
  return {
    pieces: [
      { ...solidOf(build), ...form, halfU, halfV, bottom: -high, side: toned(material, 0.85) },
      { ...twine, u: -halfU * 0.45 },
      { ...twine, u: halfU * 0.45 },
    ],
    floor: -high,
  };
}

/** An upholstered seat with a back and arms. */
function buildSeat(build: Build, halfU: number): Stand {
  const { plan, radius, v, material } = build;
  const front = v - Math.max(0.4, radius * 0.95);
  const back = v + Math.max(0.42, radius * 1.05);
  const thick = 0.26;
  const floor = -0.62;
  const round = 0.09;
  const cushion = { ...solidOf(build), shape: "box", turn: 0, round, side: toned(material, 0.94) } as const;
  const middle = (front + back) / 2;
  const deep = (back - front) / 2;
  const arm = (side: number): Box => ({
    ...cushion,
    u: side * (halfU + 0.13),
    v: middle + 0.06,
    halfU: 0.13,
    halfV: deep + 0.06,
    bottom: floor + 0.08,
    top: 0.28,
  });
  const legs = [-1, 1].map((side): Box => {
    const post = { shape: "box", turn: 0, halfU: 0.035, halfV: 0.035, bottom: floor, top: floor + 0.08 } as const;
    return { ...post, u: side * (halfU + 0.1), v: front + 0.1, color: scale(plan.accent, 0.2) };
  });
  return {
    pieces: [
      { ...cushion, v: middle, halfU, halfV: deep, bottom: -thick },
      {
        ...cushion,
        v: middle + 0.03,
        halfU,
        halfV: deep,
        bottom: floor + 0.08,
        top: -thick,
        material: toned(material, 0.8),
      },
      { ...cushion, v: back + 0.1, halfU, halfV: 0.15, bottom: -0.1, top: 0.62 },
      arm(-1),
      arm(1),
      ...legs,
    ],
    floor,
  };
}
