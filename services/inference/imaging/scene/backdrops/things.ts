/** Things that a theme names, out of focus behind the product: parcels, pumpkins, a tent, a moon. */

import { addGlow, fillDisc } from "../canvas/canvas.ts";
import { fromHex, mix, multiply, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { egg, gift, heart, type Motif, parasol, pebble, plume, pumpkin, tent } from "../motifs/motifs.ts";
import { type Spot, stampOnCanvas } from "../motifs/stamp.ts";
import { outdoorBackdrops, type PropKind } from "../words/lexicon.ts";
import type { BackdropInput } from "./painter.ts";
import { arriving, paintBlurred } from "./props.ts";

interface Thing {
  readonly motif: Motif;
  readonly spot: Spot;
}

/** Where what stands on the ground ends. */
const foot = 0.985;

const upright = Math.PI / 2;

type PaintThing = (input: BackdropInput) => void;

const painters: Readonly<Partial<Record<PropKind, PaintThing>>> = {
  moon: paintMoon,
  waterfall: paintWaterfall,
  tent: (input) => paintThings(input, intoSight(input, tentOf(input)), "tent"),
  parasol: (input) => paintThings(input, intoSight(input, parasolOf(input)), "parasol"),
  pampas: (input) => paintThings(input, outdoorBackdrops.has(input.plan.backdrop) ? pampasOf(input) : [], "pampas"),
  stones: (input) => paintThings(input, stonesOf(input), "stones"),
  pumpkins: (input) => paintThings(input, pumpkinsOf(input), "pumpkins"),
  gifts: (input) => paintThings(input, giftsOf(input), "gifts"),
  eggs: (input) => paintThings(input, eggsOf(input), "eggs"),
  hearts: (input) => paintThings(input, heartsOf(input), "hearts", 0.004),
};

export function paintNamedThings(input: BackdropInput): void {
  for (const prop of input.plan.props) painters[prop]?.(input);
}

/** A motif fills about so much of its reach to each side. */
const coreShare = 0.6;

const areaOf = ({ sight, aspect }: BackdropInput, { spot: { x, y, reach } }: Thing) =>
  sight.areaAt(x, y, [(coreShare * reach) / aspect, coreShare * reach]);

/** What there is one of moves to where it is seen. */
function intoSight(input: BackdropInput, things: readonly Thing[]): Thing[] {
  return things.map((thing) => {
    const shift = input.sight.shiftOf([areaOf(input, thing)]);
    return { ...thing, spot: { ...thing.spot, x: thing.spot.x + shift } };
  });
}

function paintThings(input: BackdropInput, things: readonly Thing[], name: PropKind, sigma = 0.006): void {
  input.sight.keep(
    name,
    things.map((thing) => areaOf(input, thing)),
  );
  const light = arriving(input, 0.6);
  paintBlurred(input.canvas, sigma, (to, colorOf) => {
    for (const { motif, spot } of things) stampOnCanvas(to, motif, spot, input.lampSide, light, colorOf);
  });
}

/** Places at both sides of the product, from its side outward, the farthest back first. */
function atSides({ random, aspect, productHalf }: BackdropInput, reaches: readonly number[]): Spot[] {
  const away = Math.min(0.4, Math.max(0.2, productHalf + 0.02));
  const next = { left: 0.5 - away, right: 0.5 + away };
  const spots = reaches.map((reach, i): Spot => {
    const isLeft = i % 2 === 0;
    const half = (reach / aspect) * random.between(0.85, 1.15);
    const x = isLeft ? next.left - half : next.right + half;
    if (isLeft) next.left -= 1.7 * half;
    else next.right += 1.7 * half;
    return { x, y: foot - reach, reach, turn: 0 };
  });
  return spots.toSorted((a, b) => b.reach - a.reach);
}

function between({ random }: BackdropInput, count: number, low: number, high: number): number[] {
  return Array.from({ length: count }, () => random.between(low, high));
}

function pumpkinsOf(input: BackdropInput): Thing[] {
  const own = input.plan.propColor ?? fromHex("#d9701c");
  return atSides(input, between(input, 6, 0.1, 0.19)).map((spot) => ({
    spot,
    motif: pumpkin(mix(own, fromHex("#e9a64a"), 0.4 * input.random.next())),
  }));
}

const lovePapers = ["#b8283a", "#efb9c0", "#f1e6e2", "#d9637a"] as const;
const papers = ["#a3262a", "#2f5a44", "#d8c7a6", "#c39a45", "#efe9dd", "#35506e"] as const;

function giftsOf(input: BackdropInput): Thing[] {
  const { propColor: own, props } = input.plan;
  const isLove = props.includes("hearts");
  const colors = isLove ? lovePapers : papers;
  return atSides(input, between(input, 5, 0.11, 0.19)).map((spot, i) => {
    const paper = own === null || i % 2 === 1 ? fromHex(colors[i % colors.length]!) : own;
    return { spot, motif: gift(paper, fromHex(i % 2 === 0 ? "#efdcae" : isLove ? "#b8283a" : "#a3262a"), false) };
  });
}

const pastels = ["#f0c7cf", "#c9dcef", "#f4e3a8", "#cfe4c4", "#ddcdee", "#f3d3b4"] as const;

function eggsOf(input: BackdropInput): Thing[] {
  const { random } = input;
  return atSides(input, between(input, 8, 0.07, 0.11)).map((spot, i) => ({
    spot: { ...spot, turn: random.between(-0.4, 0.4) },
    motif: egg(fromHex(pastels[i % pastels.length]!), fromHex(pastels[(i + 2) % pastels.length]!), i % 3 !== 0),
  }));
}

/** They hang before the backdrop, higher than the product's foot, and none over another. */
function heartsOf(input: BackdropInput): Thing[] {
  const { random, aspect } = input;
  const own = input.plan.propColor ?? fromHex("#b8283a");
  const spots: Spot[] = [];
  for (let i = 0; i < 22 && spots.length < 11; i++) {
    const reach = random.between(0.045, 0.095);
    const x = 0.5 + (i % 2 === 0 ? -1 : 1) * (0.14 + 0.36 * (((i % 11) + random.next()) / 11)) + reach / aspect / 4;
    const spot = { x, y: random.between(0.08, 0.8), reach, turn: random.between(-0.3, 0.3) };
    const isUpon = (one: Spot) => Math.hypot((one.x - x) * aspect, one.y - spot.y) < one.reach + reach;
    if (!spots.some(isUpon)) spots.push(spot);
  }
  return spots.map((spot) => ({ spot, motif: heart(mix(own, fromHex("#f2b9bd"), 0.6 * random.next())) }));
}

/** It grows outdoors; elsewhere it is in a vase. */
function pampasOf(input: BackdropInput): Thing[] {
  const { random, plan, aspect } = input;
  const own = plan.propColor ?? fromHex("#d9c4a0");
  const side = input.lampSide > 0 ? -1 : 1;
  return Array.from({ length: 11 }, (_, i) => {
    const isMain = i < 8;
    const lean = random.between(-0.42, 0.42);
    const reach = random.between(0.26, 0.4) * (isMain ? 1 : 0.7);
    const x = 0.5 + (isMain ? side : -side) * 0.36;
    const turn = upright - lean;
    const spot = {
      x: x + (Math.cos(turn) * reach) / aspect,
      y: foot - Math.sin(turn) * reach,
      reach,
      turn,
    };
    return { spot, motif: plume(scale(own, random.between(0.85, 1.15)), fromHex("#a08a5c"), 0.24) };
  });
}

/** Flat stones upon each other, the largest below. */
function stonesOf(input: BackdropInput): Thing[] {
  const { random } = input;
  return [-1, 1].flatMap((side) => {
    const x = 0.5 + side * random.between(0.3, 0.38);
    let y = foot;
    return Array.from({ length: side === (input.lampSide > 0 ? -1 : 1) ? 5 : 3 }, (_, layer) => {
      const reach = 0.13 * 0.8 ** layer * random.between(0.92, 1.08);
      const oblong = random.between(0.38, 0.5);
      y -= reach * oblong * (layer === 0 ? 1 : 1.86);
      const spot = { x: x + random.between(-0.01, 0.01), y, reach, turn: random.between(-0.06, 0.06) };
      return { spot, motif: pebble(scale(fromHex("#77726c"), random.between(0.7, 1.25)), oblong) };
    });
  });
}

function tentOf({ plan, lampSide }: BackdropInput): Thing[] {
  const side = lampSide > 0 ? -1 : 1;
  const spot = { x: 0.5 + side * 0.29, y: foot - 0.3, reach: 0.37, turn: 0 };
  return [{ spot, motif: tent(plan.propColor ?? fromHex("#c9a56b")) }];
}

/** Its pole goes on behind the ground's edge. */
function parasolOf({ plan, lampSide }: BackdropInput): Thing[] {
  const side = lampSide > 0 ? 1 : -1;
  const own = plan.propColor ?? fromHex("#e9e2d3");
  const spot = { x: 0.5 + side * 0.3, y: 0.56, reach: 0.52, turn: -0.06 * side };
  return [{ spot, motif: parasol(own, plan.propColor === null ? fromHex("#d9a441") : fromHex("#efe9dd")) }];
}

/** A disc in the sky and its halo. */
function paintMoon({ canvas, lampSide, horizonY }: BackdropInput): void {
  const x = 0.5 + (lampSide > 0 ? 0.27 : -0.27);
  const y = Math.max(0.13, horizonY * 0.32);
  addGlow(canvas, x, y, 0.11, [0.24, 0.26, 0.32]);
  fillDisc(canvas, x, y, 0.066, [1.05, 1.02, 0.92], 1, false, 0.06);
  for (const [dx, dy, size] of [
    [-0.02, -0.012, 0.022],
    [0.014, 0.018, 0.016],
    [0.022, -0.024, 0.011],
  ] as const)
    fillDisc(canvas, x + dx, y + dy, size, [0.74, 0.73, 0.68], 0.55, false, 0.7);
}

/** Half the width of the water where it begins, and how far the rock reaches, as shares of the canvas's height. */
const fallHalf = 0.075;
const cliffHalf = 0.34;

/** Threads of water that fall over mossy rock, part around its ledges, and end in mist above a pool. */
function paintWaterfall(input: BackdropInput): void {
  const { canvas, noise, aspect, lampSide } = input;
  const middle = 0.5 + (lampSide > 0 ? -0.26 : 0.26);
  const light = arriving(input, 0.75);
  const white = mix(light, [0.82, 0.9, 0.95], 0.6);
  const rock = multiply(fromHex("#4d4a43"), light);
  const moss = multiply(fromHex("#4d6a2c"), light);
  const pool = multiply(fromHex("#5f8f8a"), light);
  const color = new Float32Array(3);
  for (let row = 0, at = 0; row < canvas.height; row++) {
    const y = (row + 0.5) / canvas.height;
    const sway = 0.05 * (noise.at(y * 2.2, 11) - 0.5);
    const half = fallHalf * (1 + 0.9 * y + 0.5 * (noise.at(y * 5, 3) - 0.5));
    for (let column = 0; column < canvas.width; column++, at++) {
      const x = ((column + 0.5) / canvas.width - middle) * aspect;
      const edge = cliffHalf + 0.16 * (noise.fractal(x * 3 + 20, y * 4, 3, 0.02) - 0.5) + 0.05 * y;
      const cliff = 1 - smoothstep(edge - 0.05, edge, Math.abs(x));
      const ledge = noise.fractal(x * 6 + 4, y * 11, 4, 0.02);
      const relief = ledge - noise.fractal((x - 0.02 * lampSide) * 6 + 4, (y - 0.02) * 11, 4, 0.02);
      const grown = smoothstep(0.5, 0.62, ledge + 0.1 * (1 - y));
      const stone = Math.max(0.25, 0.85 + 3.2 * relief) * (0.55 + 0.5 * smoothstep(0, 0.2, Math.abs(x)));
      const thread = noise.fractal((x - sway) * 52, y * 1.6, 4, 0.02);
      const inFall = 1 - smoothstep(0.35, 1.05, Math.abs(x - sway) / half + 0.9 * (0.5 - thread));
      const isParted = smoothstep(0.56, 0.64, noise.fractal(x * 11 + 50, y * 6 + 9, 2, 0.02)) * smoothstep(0.4, 0.6, y);
      const water = inFall * (1 - 0.8 * isParted) * (0.5 + 0.5 * smoothstep(0.3, 0.6, thread));
      const depth = smoothstep(0.86, 0.9, y);
      const mist = 0.75 * Math.exp(-((x / (2.4 * half)) ** 2)) * smoothstep(0.62, 0.9, y) * (1 - 0.5 * depth);
      for (let c = 0; c < 3; c++) {
        const plane = canvas.planes[c]!;
        const face = rock[c]! * (1 - grown) * stone + moss[c]! * grown * stone;
        color[c] = plane[at]! + (face - plane[at]!) * cliff;
        color[c]! += (pool[c]! * (0.7 + 0.5 * thread) - color[c]!) * depth * cliff;
        color[c]! += (white[c]! * (0.6 + 0.45 * thread) - color[c]!) * water * (1 - depth);
        plane[at] = color[c]! + (white[c]! * 0.85 - color[c]!) * mist;
      }
    }
  }
}
