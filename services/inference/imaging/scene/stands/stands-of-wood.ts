/** Stands of wood: stumps, logs, crates, barrels and furniture. */

import { fromHex, scale } from "../canvas/color.ts";
import type { Material } from "../materials/material.ts";
import { barkOf, planksOf, ringsOf, stavesOf, toned } from "./stand-materials.ts";
import { type Box, type Build, type Cylinder, type Stand, solidOf } from "./stand-parts.ts";

export function buildStump(build: Build): Stand {
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
export function buildLog(build: Build): Stand {
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

export function buildCrate(build: Build): Stand {
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

export function buildBench(build: Build): Stand {
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

export function buildBarrel(build: Build): Stand {
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
      ...(high > 0.25 ? [hoop(-0.2, 0.045)] : []),
    ],
    floor: -high,
  };
}

/** Where the floor is below a seat. */
const seatFloor = -0.95;

export function buildStool(build: Build): Stand {
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

export function buildChair(build: Build): Stand {
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
