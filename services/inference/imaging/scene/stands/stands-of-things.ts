/** Things on which a product is put: books, a suitcase, a rock, a cushion, bricks. */

import { fromHex, mix, scale } from "../canvas/color.ts";
import type { Piece, Plane } from "./set-pieces.ts";
import { bookPages, paper, rockPlanes, toned } from "./stand-materials.ts";
import { type Box, type Build, type Cylinder, type Stand, solidOf } from "./stand-parts.ts";

const covers = ["#2f4154", "#7a2f35", "#5f6b4e", "#b98a45", "#3d3a45", "#c9b79a"];

export function buildBooks(build: Build): Stand {
  const { radius, v, random } = build;
  const thick = 0.095;
  const first = random.integer(0, covers.length - 1);
  const book = (at: number): Piece[] => {
    const turn = [-0.05, 0.1, -0.02][at]! * (random.chance(0.5) ? 1 : -1);
    const color = at === 0 ? build.plan.surfaceColor : fromHex(covers[(first + at) % covers.length]!);
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

const brass = fromHex("#b08d4a");

export function buildSuitcase(build: Build): Stand {
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

export function buildRock(build: Build): Stand {
  const { high, radius, random } = build;
  const wide = radius * 1.3;
  return {
    pieces: [{ ...solidOf(build), shape: "hull", radius: wide * 1.3, planes: rockPlanes(wide, high, random) }],
    floor: -high,
  };
}

export function buildBale(build: Build): Stand {
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
export function buildSeat(build: Build, halfU: number): Stand {
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

export function buildCushion(build: Build): Stand {
  const { radius } = build;
  const radiusZ = 0.2;
  const sunk = 0.13;
  const form = { shape: "pad", radius: radius * 1.75, radiusV: radius * 1.45, radiusZ, sunk } as const;
  // It sinks in where it lies.
  const floor = -0.27;
  return { pieces: [{ ...solidOf(build), ...form, bottom: floor }], floor };
}

/** A box with a ribbon around it. */
export function buildGift(build: Build): Stand {
  const { plan, radius, v, random } = build;
  const high = Math.max(0.18, build.high);
  const halfU = radius * 1.08;
  const halfV = radius * 0.9;
  const turn = random.between(-0.2, 0.2);
  const form = { shape: "box", turn, u: 0, v } as const;
  const ribbon = plan.trimColor ?? mix(plan.pieceColors[1], [0.75, 0.6, 0.35], 0.6);
  const lid = 0.06;
  return {
    pieces: [
      { ...solidOf(build), ...form, halfU, halfV, bottom: -lid },
      { ...solidOf(build), ...form, halfU: halfU - 0.018, halfV: halfV - 0.018, top: -lid, bottom: -high },
      { ...form, halfU: 0.055, halfV: halfV + 0.004, top: 0.002, bottom: -high, color: ribbon },
      { ...form, halfU: halfU + 0.004, halfV: 0.055, top: 0.002, bottom: -high, color: ribbon },
    ],
    floor: -high,
  };
}

/** Two layers of them, one laid across the joints of the other. */
export function buildBricks(build: Build): Stand {
  const { plan, radius, v, random } = build;
  const high = 0.13;
  const layer = (at: number, lengthwise: number, deep: number): Piece[] =>
    Array.from({ length: lengthwise * deep }, (_, index) => {
      const halfU = (radius * 1.2) / lengthwise;
      const halfV = (radius * 1.0) / deep;
      const column = index % lengthwise;
      return {
        ...solidOf(build),
        shape: "box",
        turn: random.between(-0.015, 0.015),
        u: (column - (lengthwise - 1) / 2) * 2 * halfU,
        v: v + (Math.floor(index / lengthwise) - (deep - 1) / 2) * 2 * halfV,
        halfU: halfU - 0.008,
        halfV: halfV - 0.008,
        top: -at * high,
        bottom: -(at + 1) * high + 0.008,
        color: scale(plan.surfaceColor, random.between(0.8, 1.15)),
        material: toned(build.material, random.between(0.8, 1.15)),
      };
    });
  return { pieces: [...layer(0, 3, 2), ...layer(1, 2, 3)], floor: -2 * high };
}

/** A drum of steel, with ribs. */
export function buildDrum(build: Build): Stand {
  const { v, high } = build;
  const radius = build.radius * 1.12;
  const form = { ...solidOf(build), shape: "cylinder" } as const;
  const rib = (top: number): Cylinder => ({ ...form, v, radius: radius * 1.02, top, bottom: top - 0.03 });
  const ribs = high > 0.24 ? [rib(0), rib(-0.2)] : [rib(0)];
  return { pieces: [{ ...form, radius, bottom: -high }, ...ribs], floor: -high };
}

/** A plate on a foot. */
export function buildCakeStand(build: Build): Stand {
  const form = { ...solidOf(build), shape: "cylinder" } as const;
  const high = Math.max(0.16, build.high * 0.8);
  const thick = 0.035;
  return {
    pieces: [
      { ...form, radius: build.radius * 1.24, bottom: -thick },
      { ...form, radius: build.radius * 0.22, top: -thick, bottom: -high },
      { ...form, radius: build.radius * 0.5, top: 0.03 - high, bottom: -high },
    ],
    floor: -high,
  };
}

export function buildHexagon(build: Build): Stand {
  const { high, radius } = build;
  const planes: Plane[] = [{ normal: [0, 0, 1], far: 0 }];
  for (let side = 0; side < 6; side++) {
    const turn = ((side + 0.5) / 6) * 2 * Math.PI;
    planes.push({ normal: [Math.cos(turn), Math.sin(turn), 0], far: radius });
  }
  return { pieces: [{ ...solidOf(build), shape: "hull", radius: radius * 1.16, planes }], floor: -high };
}

/** A board to cut or to serve on. */
export function buildBoard(build: Build): Stand {
  const thick = 0.04;
  const form = { shape: "box", turn: 0.05, halfU: build.radius * 1.3, halfV: build.radius * 0.95 } as const;
  return { pieces: [{ ...solidOf(build), ...form, bottom: -thick }], floor: -thick };
}
