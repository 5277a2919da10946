import { type LinearRgb, mix, saturate, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Material, MaterialInput } from "./material.ts";

/** Width of the finite differences that light its relief, in sizes of the product. */
const sandStep = 0.022;

/** Trodden sand: rounded hollows between soft crests, wind ripples in places, grains that are seen one by one, and bits of shells. */
export function sand({ color, noise, random, towardLamp, isWindblown = false }: MaterialInput): Material {
  const [lx, ly] = towardLamp;
  const strength = random.between(0.5, 1);
  const pale = mix(color, [0.92, 0.88, 0.8], 0.6);
  const relief = (u: number, v: number, footprint: number) => {
    const trodden = 1 - Math.abs(2 * noise.fractal(u * 2.1 + 31, v * 2.6 + 17, 3, footprint * 2.4) - 1);
    const bend = noise.fractal(u * 0.9 + 3, v * 0.9, 2, footprint);
    // On a beach the wind's ripples are faint and broken: deep ones in rows would be grain of wood.
    const broken = isWindblown ? 1 : 0.36 * smoothstep(0.4, 0.6, noise.at(u * 2.3 + 50, v * 3.1 + 20));
    const rippled = isWindblown ? 0.7 + 0.3 * smoothstep(0.35, 0.6, bend) : broken * smoothstep(0.42, 0.62, bend);
    const patch = rippled * Math.max(0, 1 - footprint * 14);
    const wave = patch === 0 ? 0 : Math.sin((v * 1.25 + bend * 1.5 + u * 0.1) * 34) * patch;
    const hollow = isWindblown ? 0 : 0.17 * strength * trodden * trodden * (1 - 0.6 * patch);
    return hollow + 0.016 * wave + (isWindblown ? 0.5 : 0.12) * bend;
  };
  return (u, v, footprint, out) => {
    const slope = (relief(u, v, footprint) - relief(u + lx * sandStep, v + ly * sandStep, footprint)) / sandStep;
    const grain = noise.fractal(u * 210, v * 210, 2, footprint * 150) - 0.5;
    const clump = noise.fractal(u * 13, v * 13, 3, footprint * 13) - 0.5;
    const near = Math.max(0, 1 - footprint * 160);
    const speck = near === 0 ? 0 : noise.at(u * 190 + 7, v * 190);
    const dark = smoothstep(0.88, 0.95, speck) * near * 0.45;
    const shade = Math.max(0.25, 1 + 0.42 * slope + 0.8 * grain + 0.16 * clump - dark);
    const shell = near === 0 || isWindblown ? 0 : near * bitOfShell(u * 15, v * 15, noise);
    out[0] = color[0] * shade + (pale[0] - color[0]) * shell;
    out[1] = color[1] * (shade - 0.02 * grain) + (pale[1] - color[1]) * shell;
    out[2] = color[2] * (shade - 0.06 * grain) + (pale[2] - color[2]) * shell;
    out[3] = 0.02;
  };
}

/** 0–1; one cell in fifty has one. */
function bitOfShell(x: number, y: number, noise: MaterialInput["noise"]): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  if (noise.cell(column + 17, row + 59) < 0.98) return 0;
  const turn = Math.PI * noise.cell(column + 3, row);
  const dx = x - column - 0.5;
  const dy = y - row - 0.5;
  const long = (dx * Math.cos(turn) + dy * Math.sin(turn)) / 0.24;
  const wide = (dy * Math.cos(turn) - dx * Math.sin(turn)) / 0.12;
  return 1 - smoothstep(0.7, 1, Math.hypot(long, wide));
}

/** Tufts and blades in several greens with dark gaps between them. */
export function grass({ color: named, noise, towardLamp }: MaterialInput): Material {
  // Real turf is paler than the green that one thinks of.
  const color = saturate(named, 0.8);
  const fresh = mix(saturate(color, 1.1), [0.56, 0.58, 0.26], 0.25);
  const gap = scale(color, 0.34);
  const [lx, ly] = towardLamp;
  return (u, v, footprint, out) => {
    const warp = noise.fractal(u * 5, v * 5, 2, footprint * 5) - 0.5;
    const tuft = noise.fractal(u * 3.1 + 8, v * 3.1, 4, footprint * 3);
    const lit = noise.fractal((u + lx * 0.05) * 3.1 + 8, (v + ly * 0.05) * 3.1, 4, footprint * 3);
    const blades = noise.fractal(u * 52 + warp * 16, v * 20 + warp * 12, 3, footprint * 40);
    const tips = noise.fractal(u * 88 - warp * 10, v * 60, 2, footprint * 80);
    const share = smoothstep(0.25, 0.8, 0.5 * blades + 0.5 * tips + 0.1 + (tuft - 0.5) * 0.35);
    const shade = Math.max(0.35, 0.92 + 1.2 * (tuft - lit) + 0.7 * (tips - 0.5));
    const tone = noise.fractal(u * 0.8, v * 0.8 + 70, 2, footprint);
    for (let c = 0; c < 3; c++) {
      const blade = color[c]! * (1 - tone) + fresh[c]! * tone;
      out[c] = (gap[c]! * (1 - share) + blade * share) * shade;
    }
    out[3] = 0.03;
  };
}

export function snow({ color, noise, towardLamp, isFromAbove }: MaterialInput): Material {
  const [lx, ly] = towardLamp;
  if (isFromAbove) return snowFromAbove(noise, color, [lx, ly]);
  const relief = (u: number, v: number, footprint: number) => noise.fractal(u * 1.4, v * 1.7, 5, footprint * 1.5);
  return (u, v, footprint, out) => {
    const slope = relief(u, v, footprint) - relief(u + lx * 0.05, v + ly * 0.05, footprint);
    const grain = noise.fractal(u * 80, v * 80, 2, footprint * 80) - 0.5;
    const sparkle = smoothstep(0.96, 0.99, noise.at(u * 120, v * 120)) * Math.max(0, 1 - footprint * 80);
    const shade = Math.max(0.4, 1 + 1.5 * slope + 0.12 * grain + 0.4 * sparkle);
    out[0] = color[0] * (shade - 0.03 * (1 - shade));
    out[1] = color[1] * shade;
    out[2] = color[2] * (shade + 0.06 * (1 - shade));
    out[3] = 0.06;
  };
}

/** From above nothing but drifts and crumbs tells snow from paper, and no sky is seen whose blue it would have. */
function snowFromAbove(noise: MaterialInput["noise"], color: LinearRgb, [lx, ly]: readonly [number, number]): Material {
  const own = [1.02 * color[0], color[1], 0.97 * color[2]] as const;
  // Wind leaves smooth drifts: their finer octaves would look like clouds.
  const drift = (u: number, v: number) => noise.fractal(u * 1.7 + 0.5 * v, v * 2.3, 2, 0);
  const crumbs = (u: number, v: number, footprint: number) => noise.fractal(u * 26, v * 26, 3, footprint * 26);
  return (u, v, footprint, out) => {
    const slope = drift(u, v) - drift(u + lx * 0.06, v + ly * 0.06);
    const rough = crumbs(u, v, footprint) - crumbs(u + lx * 0.012, v + ly * 0.012, footprint);
    const sparkle = smoothstep(0.95, 0.99, noise.at(u * 120, v * 120)) * Math.max(0, 1 - footprint * 80);
    const shade = Math.max(0.4, 1 + 1.5 * slope + 0.5 * rough + 0.7 * sparkle);
    out[0] = own[0] * (shade - 0.03 * (1 - shade));
    out[1] = own[1] * shade;
    out[2] = own[2] * (shade + 0.1 * (1 - shade));
    out[3] = 0.06;
  };
}

/** Snow that has fallen on another ground: patches near the product, a closed cover further away. */
export function underSnow(
  material: Material,
  { noise, towardLamp }: Pick<MaterialInput, "noise" | "towardLamp">,
): Material {
  const [lx, ly] = towardLamp;
  const cover = (u: number, v: number, footprint: number) =>
    0.85 * noise.fractal(u * 0.8 + 60, v * 1.7 + 33, 4, footprint * 1.7) +
    0.16 * (noise.fractal(u * 11, v * 11, 3, footprint * 11) - 0.5) +
    0.34 * smoothstep(0.2, 1.7, Math.hypot(u * 0.6, v < 0 ? v * 1.1 : v)) -
    0.11;
  return (u, v, footprint, out) => {
    material(u, v, footprint, out);
    const depth = cover(u, v, footprint);
    // Thin at its edge, where the ground shows through.
    const share = smoothstep(0.4, 0.62, depth) ** 1.4;
    const wet = 1 - 0.22 * smoothstep(0.3, 0.45, depth);
    const slope = depth - cover(u + lx * 0.03, v + ly * 0.03, footprint);
    const grain = noise.fractal(u * 80, v * 80, 2, footprint * 80) - 0.5;
    const shade = Math.min(1.08, Math.max(0.6, 0.93 + 1.5 * slope + 0.12 * grain));
    const blue = 0.03 + 0.12 * (1 - shade);
    out[0] = out[0]! * wet * (1 - share) + (0.86 * shade - blue) * share;
    out[1] = out[1]! * wet * (1 - share) + 0.89 * shade * share;
    out[2] = out[2]! * wet * (1 - share) + (0.93 * shade + blue) * share;
    out[3] = out[3]! * (1 - share);
  };
}

/** Rain that lies on another ground: all of it is dark, and flat puddles mirror the sky. */
export function underWater(
  material: Material,
  { noise, sky, isFromAbove }: Pick<MaterialInput, "noise" | "isFromAbove"> & { readonly sky: LinearRgb },
): Material {
  return (u, v, footprint, out) => {
    material(u, v, footprint, out);
    const depth = noise.fractal(u * 1.1 + 7, v * 1.3 + 30, 4, footprint * 1.3);
    const damp = 1 - 0.34 * smoothstep(0.3, 0.5, depth);
    const puddle = smoothstep(0.535, 0.56, depth);
    const seen = isFromAbove ? 0.5 * puddle : 0;
    for (let c = 0; c < 3; c++) out[c] = out[c]! * damp * (1 - 0.3 * puddle) * (1 - seen) + sky[c]! * 0.6 * seen;
    out[3] = Math.min(1, out[3]! + 0.12 + 1.2 * puddle);
  };
}

/** A film of water on a polished or cut stone: it darkens it, and mirrors what is behind it where it has run together. */
export function underFilm(material: Material, { noise }: Pick<MaterialInput, "noise">): Material {
  return (u, v, footprint, out) => {
    material(u, v, footprint, out);
    const depth = noise.fractal(u * 1.6 + 19, v * 2.1 + 44, 4, footprint * 2);
    const film = smoothstep(0.36, 0.5, depth);
    const rim = film * (1 - smoothstep(0.5, 0.56, depth));
    for (let c = 0; c < 3; c++) out[c]! *= 1 - 0.3 * film;
    out[3] = Math.min(1, out[3]! + 0.2 + 0.85 * film - 0.2 * rim);
  };
}

/** How thick moss is at a point; it begins at half. */
export const mossDepth =
  (noise: MaterialInput["noise"]) =>
  (u: number, v: number, footprint: number): number =>
    0.8 * noise.fractal(u * 1.5 + 12, v * 2 + 41, 4, footprint * 2) +
    0.2 * noise.fractal(u * 9, v * 9, 2, footprint * 9);

/** Cushions of moss on another ground, thick in the middle. */
export function underMoss(material: Material, input: MaterialInput): Material {
  const { noise, towardLamp } = input;
  const moss = grass(input);
  const [lx, ly] = towardLamp;
  const depthAt = mossDepth(noise);
  const bare = [0, 0, 0];
  return (u, v, footprint, out) => {
    const depth = depthAt(u, v, footprint);
    const share = smoothstep(0.44, 0.52, depth);
    if (share < 1) material(u, v, footprint, out);
    // Bare stone between the cushions is shaded by their edges.
    const edge = 1 - 0.4 * smoothstep(0.36, 0.45, depth) * (1 - share);
    for (let c = 0; c < 3; c++) bare[c] = share < 1 ? out[c]! * edge * (1 - share) : 0;
    let shade = 0;
    if (share > 0) {
      const slope = depth - depthAt(u + lx * 0.04, v + ly * 0.04, footprint);
      moss(u * 1.6, v * 1.6, footprint * 1.6, out);
      shade = Math.min(1.35, Math.max(0.5, 1 + 2.6 * slope)) * share;
    }
    for (let c = 0; c < 3; c++) out[c] = bare[c]! + out[c]! * shade;
    out[3] = 0.02;
  };
}

/** Half the width of a trail where the product stands, in sizes of the product. */
const trailHalf = 0.9;
/** How far it winds to a side, and how often. */
const trailWinding = 2.1;
const trailTurns = 0.3;

/**
 * A trodden trail that leads away from the viewer and winds, between verges of grass.
 *
 * @param material the trail's own
 */
export function betweenVerges(material: Material, input: MaterialInput): Material {
  const { noise, random } = input;
  const verge = grass(input);
  const side = random.chance(0.5) ? 1 : -1;
  return (u, v, footprint, out) => {
    const far = Math.max(0, v);
    const middle = side * trailWinding * Math.sin(far * trailTurns) * smoothstep(0, 4, far);
    const ragged =
      0.5 * (noise.fractal(u * 1.7 + 20, v * 1.7 + 5, 3, footprint * 1.7) - 0.5) +
      0.16 * (noise.fractal(u * 14, v * 14, 2, footprint * 14) - 0.5);
    const outside = Math.abs(u - middle) - trailHalf + ragged;
    const share = smoothstep(-0.03 - footprint, 0.07 + footprint, outside);
    if (share < 1) material(u, v, footprint, out);
    // It is worn hollow: pale in the middle, and dark with damp at its edges.
    const worn = 1.12 - 0.34 * smoothstep(-0.55, 0.05, outside);
    if (share <= 0) {
      for (let c = 0; c < 3; c++) out[c] = out[c]! * worn;
      return;
    }
    const bare = out.slice(0, 3);
    verge(u, v, footprint, out);
    // Long grass leans over the trail's edge and is in its own shade below.
    const lit = 0.72 + 0.34 * smoothstep(0, 0.3, outside);
    for (let c = 0; c < 3; c++) out[c] = bare[c]! * worn * (1 - share) + out[c]! * lit * share;
  };
}

/** Height of rings in water beside that of waves. */
const ringShare = 0.22;

/** Small waves that reflect a lighter sky on their far sides; from above, the net of light below them. */
export function water(input: MaterialInput): Material {
  if (input.isFromAbove) return waterFromAbove(input);
  const { color, noise } = input;
  const deep = scale(saturate(color, 1.15), 0.45);
  const light = mix(color, [0.9, 0.95, 1], 0.35);
  return (u, v, footprint, out) => {
    const warp = noise.fractal(u * 1.2, v * 2.4, 3, footprint * 2) - 0.5;
    const swell = noise.fractal(u * 2.2 + warp * 3, v * 7 + warp * 3, 4, footprint * 5);
    // Rings spread from what stands in it.
    const away = Math.sqrt(u * u + v * v);
    const ring = away > 2.6 ? 0 : Math.sin((away + 0.12 * warp) * 24) * Math.max(0, 1 - away / 2.6) * ringShare;
    const wave = swell + (ring - 0.5 * Math.abs(ring)) * Math.max(0, 1 - footprint * 12);
    const crest = smoothstep(0.56, 0.7, wave);
    const share = smoothstep(0.3, 0.7, wave);
    for (let c = 0; c < 3; c++) out[c] = deep[c]! * (1 - share) + light[c]! * share + crest * 0.22;
    out[3] = 0.6;
  };
}

/** Bright lines where waves gather the light on the bottom, two nets of different width, and soft mirrors of the sky. */
function waterFromAbove({ color, noise }: MaterialInput): Material {
  const clear = mix(saturate(color, 1.25), [0.1, 0.42, 0.5], 0.2);
  const deep = scale(clear, 0.72);
  const net = (x: number, y: number, footprint: number) => {
    const ridge = 1 - Math.abs(2 * noise.fractal(x, y, 2, footprint) - 1);
    return ridge ** 7;
  };
  return (u, v, footprint, out) => {
    const bendU = noise.fractal(u * 1.1 + 40, v * 1.1, 2, footprint) - 0.5;
    const bendV = noise.fractal(u * 1.1, v * 1.1 + 70, 2, footprint) - 0.5;
    const broad = net(u * 1.9 + 2.2 * bendU, v * 1.9 + 2.2 * bendV, footprint);
    const fine = net(u * 3.4 - 1.6 * bendV + 20, v * 3.4 + 1.6 * bendU + 9, footprint);
    const light = Math.min(1, 0.62 * broad + 0.38 * fine);
    const depth = noise.fractal(u * 0.5 + 11, v * 0.5 + 3, 2, footprint);
    const sky = 0.16 * smoothstep(0.55, 0.8, noise.fractal(u * 0.9 + 7 + bendU, v * 2.4 + 31, 3, footprint));
    for (let c = 0; c < 3; c++)
      out[c] = (deep[c]! + (clear[c]! - deep[c]!) * depth) * (0.86 + 0.3 * depth) + 0.5 * light + sky;
    out[3] = 0.4;
  };
}

/** The uppermost of the lumps at a point; `top` < 0: none is there. */
export interface Lump {
  top: number;
  /** 0 at its outline, 1 in its middle. */
  rim: number;
  /** 0–1, of the lump. */
  tone: number;
  /** −0.5 … 0.5, of the lump. */
  hue: number;
  /** Above 0 on the lamp's side. */
  side: number;
}

/** Lumps that may reach into a cell: of the nine cells around it, by `lumpNumbers` each. */
interface LumpsNear {
  cellX: number;
  cellY: number;
  readonly lumps: Float64Array;
}

const lumpNumbers = 9;
/** What its rim adds to how high a lump lies. */
const lumpRelief = 0.4;

/** Lumps of many sizes that lie half upon each other. @param fullness 2: ellipses; more: boxes */
export function createLumps(
  fullness: number,
  { noise, towardLamp }: MaterialInput,
): (x: number, y: number, found: Lump) => void {
  const [lx, ly] = towardLamp;
  const near: LumpsNear = { cellX: Number.NaN, cellY: Number.NaN, lumps: new Float64Array(9 * lumpNumbers) };
  return (x, y, found) => {
    const cellX = Math.floor(x);
    const cellY = Math.floor(y);
    if (cellX !== near.cellX || cellY !== near.cellY) placeLumps(near, cellX, cellY, noise);
    const { lumps } = near;
    found.top = -1;
    found.hue = 0;
    for (let at = 0; at < lumps.length; at += lumpNumbers) {
      // It would lie below what was found, even with its middle.
      if (lumpRelief + lumps[at + 7]! <= found.top) continue;
      const dx = x - lumps[at]! - 0.12 - lumps[at + 2]!;
      const dy = y - lumps[at + 1]! - 0.12 - lumps[at + 3]!;
      const cos = lumps[at + 4]!;
      const sin = lumps[at + 5]!;
      const long = lumps[at + 6]!;
      const a = Math.abs((dx * cos + dy * sin) / long);
      const b = Math.abs((-dx * sin + dy * cos) / lumps[at + 8]!);
      if (a >= 1 || b >= 1) continue;
      const away = a ** fullness + b ** fullness;
      if (away >= 1) continue;
      const high = lumpRelief * (1 - away) ** 0.6 + lumps[at + 7]!;
      if (high <= found.top) continue;
      const own = at / lumpNumbers;
      const ox = cellX + (own % 3) - 1;
      const oy = cellY + Math.floor(own / 3) - 1;
      found.top = high;
      found.rim = 1 - away;
      found.tone = noise.cell(ox + 29, oy + 61);
      found.hue = noise.cell(ox + 83, oy + 7) - 0.5;
      found.side = (dx * lx + dy * ly) / long;
    }
  };
}

function placeLumps(near: LumpsNear, cellX: number, cellY: number, noise: MaterialInput["noise"]): void {
  const { lumps } = near;
  near.cellX = cellX;
  near.cellY = cellY;
  for (let j = -1, at = 0; j <= 1; j++) {
    for (let i = -1; i <= 1; i++, at += lumpNumbers) {
      const ox = cellX + i;
      const oy = cellY + j;
      const turn = Math.PI * noise.cell(ox + 37, oy + 5);
      const long = 0.5 + 0.34 * noise.cell(ox + 13, oy + 91);
      lumps[at] = ox;
      lumps[at + 1] = oy;
      lumps[at + 2] = 0.76 * noise.cell(ox, oy);
      lumps[at + 3] = 0.76 * noise.cell(ox + 101, oy + 57);
      lumps[at + 4] = Math.cos(turn);
      lumps[at + 5] = Math.sin(turn);
      lumps[at + 6] = long;
      lumps[at + 7] = noise.cell(ox + 71, oy + 19);
      lumps[at + 8] = long * (0.62 + 0.3 * noise.cell(ox + 5, oy + 43));
    }
  }
}

export const noLump = (): Lump => ({ top: -1, rim: 0, tone: 0, hue: 0, side: 0 });

/** Stones of many sizes, flat and round, that lie half upon each other on coarse sand, lit from the lamp's side. */
export function pebble(input: MaterialInput): Material {
  const { color, noise, random } = input;
  const perSize = random.between(5.5, 8.5);
  const lump = noLump();
  // Rounder than a box, fuller than an ellipse.
  const lumpAt = createLumps(2.4, input);
  return (u, v, footprint, out) => {
    lumpAt(u * perSize + 300, v * perSize + 300, lump);
    const { top, rim, tone, hue, side } = lump;
    const detail = Math.max(0.12, 1 - footprint * perSize * 0.8);
    const speck = noise.fractal(u * 55, v * 55, 2, footprint * 55) - 0.5;
    const band = noise.fractal(u * 9 + 40 * tone, v * 9, 3, footprint * 9) - 0.5;
    const stone = 0.55 + 0.75 * tone + 0.42 * side * detail + 0.16 * speck + 0.3 * band;
    const edge = 1 - detail * 0.62 * (1 - smoothstep(0, 0.42, rim));
    const grit = 0.34 + 0.5 * speck;
    const shade = top < 0 ? 1 - detail * (1 - grit) : Math.max(0.06, stone * edge);
    out[0] = color[0] * shade * (1 + 0.2 * hue);
    out[1] = color[1] * shade;
    out[2] = color[2] * shade * (1 - 0.2 * hue);
    out[3] = 0.08;
  };
}

/** Crumbs of earth with a few leaves and blades; from above they are drawn one by one. */
export function soil({ color, noise, towardLamp, isFromAbove = false }: MaterialInput): Material {
  const leaf = isFromAbove ? scale(color, 1.25) : mix(saturate(color, 1.3), [0.5, 0.22, 0.05], 0.4);
  const [lx, ly] = towardLamp;
  return (u, v, footprint, out) => {
    const height = noise.fractal(u * 7, v * 7, 5, footprint * 7);
    const lit = noise.fractal((u + lx * 0.02) * 7, (v + ly * 0.02) * 7, 5, footprint * 7);
    const litter = smoothstep(0.55, 0.66, noise.fractal(u * 4.5 + 11, v * 6 + 3, 3, footprint * 5));
    const crumb = isFromAbove ? 0.7 * (noise.fractal(u * 46, v * 46, 3, footprint * 46) - 0.5) : 0;
    const shade = Math.max(0.15, 0.9 + 3 * (height - lit) + 0.9 * (height - 0.5) + crumb);
    for (let c = 0; c < 3; c++) out[c] = (color[c]! * (1 - litter) + leaf[c]! * litter) * shade;
    out[3] = 0.03;
  };
}

export function asphalt({ color, noise }: MaterialInput): Material {
  return (u, v, footprint, out) => {
    // Askew, so that no row of grains follows the image's sides.
    const a = u * 0.8 - v * 0.6;
    const b = u * 0.6 + v * 0.8;
    const grain = noise.fractal(a * 120, b * 120, 3, footprint * 120) - 0.5;
    const wear = noise.fractal(u * 1.1, v * 0.7, 4, footprint) - 0.5;
    const chip = smoothstep(0.82, 0.92, noise.at(a * 85 + 7, b * 85)) * Math.max(0, 1 - footprint * 85);
    const shade = Math.max(0.1, 1 + 1.1 * grain + 0.6 * wear + 0.9 * chip);
    for (let c = 0; c < 3; c++) out[c] = color[c]! * shade;
    out[3] = smoothstep(0.02, 0.16, wear) * 0.5 + 0.06;
  };
}
