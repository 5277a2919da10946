/** A street of an old town, out of focus: rows of houses at both sides that meet far away, shops below, lamps in the evening. */

import type { Random } from "@packshot/domain/random.ts";
import { addGlow, blurCanvas, fillDisc, lensBlur, shadeSmoothly } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, luminance, mix, multiply, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { isWet } from "../ground/ground-mirror.ts";
import { isLampLit } from "../plan/lighting.ts";
import type { BackdropInput } from "./painter.ts";
import { paintSkyGradient } from "./sky.ts";

/** Pale stone below roofs of zinc, where the place's own color is gray: Paris. */
const stones = ["#d8cfbd", "#cfc6b4", "#ded6c6", "#c9c0ae"] as const;
const plasters = ["#d8b98c", "#cfa07c", "#e2d3b8", "#c98f6c", "#d9c3a4", "#b9a58e", "#c7b7a5", "#dba98c"] as const;
const roofs = ["#9a5a40", "#7d4a38", "#86695a"] as const;
const shutters = ["#4f6654", "#5f5a50", "#6d7f86", "#7a4436"] as const;
const awnings = ["#a63a32", "#39604a", "#c9a24f", "#3f5f80"] as const;

/** Lengths are heights of the eye above the street. */
const streetHalf = 3.4;
/** Where the street turns, and a house stands across it. */
const streetEnd = 46;
const storey = 2.1;
const shopTall = 2.7;
const mansardTall = 1.7;
/** Depth at which half of a color is haze. */
const hazeDepth = 52;

interface House {
  /** Depths between which it stands. */
  readonly from: number;
  readonly to: number;
  /** Height of its eaves above the street. */
  readonly tall: number;
  readonly columns: number;
  readonly plaster: LinearRgb;
  readonly roof: LinearRgb;
  readonly shutter: LinearRgb;
  readonly awning: LinearRgb | null;
  /** Which of its windows are lit, and what they mirror. */
  readonly seed: number;
}

interface Street {
  readonly input: BackdropInput;
  readonly isPale: boolean;
  readonly isEvening: boolean;
  readonly isWet: boolean;
  /** Light on the walls of the left and of the right. */
  readonly light: readonly [LinearRgb, LinearRgb];
  readonly haze: LinearRgb;
  readonly pavement: LinearRgb;
}

export function paintTown(input: BackdropInput): void {
  paintSharpTown(input);
  lensBlur(input.canvas, 0.0095);
  blurCanvas(input.canvas, 0.003);
}

/** How far beside the product the end of a street is seen at which a landmark stands. */
const landmarkBeside = 0.1;
const landmarkAwayMax = 0.32;

/** Where the houses meet, as a share of the canvas's width: beside the product where a landmark stands there. */
export function streetMiddle({
  plan,
  lampSide,
  productHalf,
}: Pick<BackdropInput, "plan" | "lampSide" | "productHalf">): number {
  if (!plan.things.some(({ place }) => place === "far")) return 0.5 - 0.1 * lampSide;
  return 0.5 + (lampSide > 0 ? -1 : 1) * Math.min(landmarkAwayMax, productHalf + landmarkBeside);
}

/** Stone that many have walked on. */
const worn = fromHex("#9a9088");

/** The town as it is before the lens blurs it. */
export function paintSharpTown(input: BackdropInput): void {
  paintSkyGradient(input, 0.95);
  const { canvas, plan, random, lampSide, horizonY } = input;
  const { key, ambient, horizon } = plan.lighting;
  const isPale = Math.max(...plan.backdropColor) < 1.5 * Math.min(...plan.backdropColor);
  const lit = (share: number): LinearRgb => [
    ambient[0] + share * key[0],
    ambient[1] + share * key[1],
    ambient[2] + share * key[2],
  ];
  // The lamp's side is in its own shade: light falls on the houses across.
  const light = lampSide > 0 ? ([lit(0.72), lit(0.22)] as const) : ([lit(0.22), lit(0.72)] as const);
  const street: Street = {
    input,
    isPale,
    isEvening: (isLampLit(plan.lightKind) || plan.lightKind === "sunset") && !plan.without.has("lights"),
    isWet: isWet(plan),
    light,
    haze: mix(horizon, scale(lit(0.4), 0.8), 0.4),
    // Asphalt goes on between the houses, paler where it is worn.
    pavement: multiply(plan.floor === "asphalt" ? mix(plan.floorColor, worn, 0.3) : worn, lit(0.35)),
  };
  const middle = streetMiddle(input);
  const hasCanal = plan.things.some(({ name }) => name === "canal-houses");
  const columns = columnsOf(street, middle, random);
  const { width, height, planes } = canvas;
  // The lens blurs it by more than two pixels.
  shadeSmoothly(canvas, (x, y, out) => {
    const column = columns[Math.floor(x * columns.length)]!;
    const { aside, depth, house, along, light: wall } = column;
    const below = y - horizonY;
    const high = 1 - below * depth;
    if (high < 0 && hasCanal && isOnWater(aside, below)) mirrorTown(street, column, below, out);
    else if (high < 0) paveStreet(street, column, below, out);
    else if (!paintFacade(street, house, wall, along, high, out)) {
      const at = Math.floor(y * height) * width + Math.floor(x * width);
      for (let c = 0; c < 3; c++) out[c] = planes[c]![at]!;
      return;
    }
    const far = high < 0 ? 1 / Math.max(0.02, below) : depth;
    const share = 1 - 0.5 ** (far / hazeDepth);
    for (let c = 0; c < 3; c++) out[c]! += (street.haze[c]! - out[c]!) * share;
  });
  if (street.isEvening) hangLamps(street, middle);
}

/** What stands in a column of the canvas. */
interface Column {
  /** To the right of the street's middle, in heights of the canvas. */
  readonly aside: number;
  readonly depth: number;
  readonly house: House;
  /** Where on the house's front. */
  readonly along: number;
  readonly light: LinearRgb;
}

function columnsOf(street: Street, middle: number, random: Random): Column[] {
  const { canvas, aspect } = street.input;
  const rows = [housesOf(street, random), housesOf(street, random)] as const;
  const across = { ...housesOf(street, random)[0]!, from: -streetHalf, to: streetHalf, tall: 10 };
  const count = Math.ceil(canvas.width / 2);
  return Array.from({ length: count }, (_, i) => {
    const aside = ((i + 0.5) / count - middle) * aspect;
    const depth = Math.min(streetEnd, streetHalf / Math.max(1e-3, Math.abs(aside)));
    const side = aside < 0 ? 0 : 1;
    if (depth === streetEnd)
      return { aside, depth, house: across, along: aside * depth, light: mix(street.light[0], street.light[1], 0.5) };
    const house = rows[side].find(({ to }) => depth < to)!;
    return { aside, depth, house, along: depth, light: street.light[side] };
  });
}

function housesOf({ isPale, input }: Street, random: Random): House[] {
  const houses: House[] = [];
  for (let from = 2; from < streetEnd; ) {
    const to = from + random.between(4.2, 7);
    const own = mix(fromHex(random.pick(isPale ? stones : plasters)), input.plan.backdropColor, 0.25);
    const storeys = isPale ? 4 : random.integer(2, 4);
    houses.push({
      from,
      to,
      tall: shopTall + storey * storeys + random.between(0, isPale ? 0.3 : 0.7),
      columns: Math.max(2, Math.round((to - from) / random.between(1.5, 2))),
      plaster: scale(own, random.between(0.8, 1.02)),
      roof: fromHex(isPale ? "#7d858c" : random.pick(roofs)),
      shutter: isPale ? scale(own, 0.92) : fromHex(random.pick(shutters)),
      awning: random.chance(0.6) ? fromHex(random.pick(awnings)) : null,
      seed: random.integer(0, 200),
    });
    from = to;
  }
  return houses;
}

/** Stones of the street, worn pale in its middle and dark along the houses. */
function paveStreet(street: Street, column: Column, below: number, out: Float32Array): void {
  const { input, pavement } = street;
  const { aside } = column;
  const depth = 1 / Math.max(0.004, below);
  const across = Math.abs(aside * depth) / streetHalf;
  const stone = input.noise.at(aside * depth * 2.2 + 40, depth * 1.1) - 0.5;
  const shade = (1.05 - 0.5 * smoothstep(0.5, 1.05, across)) * (1 + 0.35 * stone);
  if (!street.isWet) {
    for (let c = 0; c < 3; c++) out[c] = pavement[c]! * shade;
    return;
  }
  // Lights of windows run down a wet street toward the viewer.
  const high = wetStretch * (below * (1 + 0.5 * stone) * column.depth - 1);
  const isHouse = high > 0 && paintFacade(street, column.house, column.light, column.along, high, out);
  for (let c = 0; c < 3; c++) {
    const own = wetStone * pavement[c]! * shade;
    const seen = isHouse ? out[c]! : street.haze[c]!;
    out[c] = own + (seen - own) * wetMirrored * (0.8 + 0.8 * stone);
  }
}

/** A wet street is darker, and mirrors a share of what is behind it, drawn out so much. */
const wetStone = 0.6;
const wetMirrored = 0.5;
const wetStretch = 0.55;

/** Half a canal's width, in halves of the street's; quays are at both its sides. */
const canalHalf = 0.62;
/** Shares of what it mirrors near the viewer and far away, and its own color. */
const mirroredNear = 0.36;
const mirroredFar = 0.7;
const canalWater = fromHex("#7d9a94");
const skyInWater: LinearRgb = [0.62, 0.74, 0.86];

const isOnWater = (aside: number, below: number) => Math.abs(aside / Math.max(0.004, below)) < canalHalf * streetHalf;

/** The water of a canal: the houses behind it upside down, broken by ripples. */
function mirrorTown(
  street: Street,
  { aside, depth, house, along, light }: Column,
  below: number,
  out: Float32Array,
): void {
  const { input, haze } = street;
  const away = 1 / Math.max(0.004, below);
  const ripple = input.noise.fractal(aside * away * 1.3 + 8, away * 4.2, 3, 0.01) - 0.5;
  const high = below * (1 + 0.7 * ripple) * depth - 1;
  const isHouse = high > 0 && paintFacade(street, house, light, along, high, out);
  const edge = smoothstep(1, 0.86, Math.abs(aside * away) / (canalHalf * streetHalf));
  // The steeper one looks down on it, the more of the water itself is seen.
  const mirrors = mirroredNear + (mirroredFar - mirroredNear) * smoothstep(3, 16, away);
  for (let c = 0; c < 3; c++) {
    const seen = isHouse ? out[c]! : haze[c]! * skyInWater[c]!;
    const own = canalWater[c]! * haze[c]!;
    out[c] = (own + (seen - own) * mirrors) * (0.6 + 0.4 * edge) * (1 + 0.7 * ripple);
  }
}

/**
 * @param high above the street
 * @returns whether the house is that high
 */
function paintFacade(
  street: Street,
  house: House,
  light: LinearRgb,
  along: number,
  high: number,
  out: Float32Array,
): boolean {
  const { isPale, isEvening, input } = street;
  const { from, to, tall, columns, plaster, roof, seed } = house;
  const share = (along - from) / (to - from);
  const column = Math.floor(share * columns);
  const across = Math.abs(share * columns - column - 0.5);
  const end = Math.min(along - from, to - along);
  if (high > tall) {
    const above = high - tall;
    const isChimney = isPale && above < mansardTall + 1.1 && Math.abs(share - 0.12) < 0.07;
    if (above > (isPale ? mansardTall : 0.55) && !isChimney) return false;
    const isDormer = isPale && above > 0.25 && above < 1.35 && across < 0.24;
    const face = isDormer ? (across < 0.15 && above < 1.15 ? 0.35 : 1.5) : 0.95 - 0.12 * above;
    for (let c = 0; c < 3; c++) out[c] = (isChimney ? plaster[c]! * 0.7 : roof[c]! * face) * light[c]!;
    return true;
  }
  if (high < shopTall) {
    paintShop(street, house, light, along, high, out);
    return true;
  }
  const floor = Math.floor((high - shopTall) / storey);
  const up = (high - shopTall) / storey - floor;
  const stain = 1 + 0.22 * (input.noise.at(along * 1.1 + seed, high * 0.6) - 0.5);
  // Under the eaves and beside the next house less of the sky is seen.
  const open = (0.72 + 0.28 * smoothstep(0, 0.5, end)) * (0.66 + 0.34 * smoothstep(0, 0.6, tall - high));
  const isLedge = up < 0.07 || tall - high < 0.22;
  const belowLedge = 1 - 0.3 * smoothstep(0.8, 0.99, up);
  const base = isLedge ? 1.18 : belowLedge;
  for (let c = 0; c < 3; c++) out[c] = plaster[c]! * light[c]! * stain * open * base;
  const isBalcony = isPale ? floor === 1 || floor === 3 : floor === 1 && column % 2 === 0 && across < 0.4;
  const inWindow = across < 0.17 && up > (isPale ? 0.1 : 0.22) && up < 0.82;
  if (inWindow) {
    const own = input.noise.cell(seed + column, floor + 7);
    const isLit = isEvening && own > 0.45;
    const isBar = across < 0.014 || Math.abs(up - 0.56) < 0.012;
    // Panes mirror the sky at their top, and are shaded by their reveal at the very top.
    const mirror = (0.16 + 0.5 * own * smoothstep(0.2, 0.8, up)) * (1 - 0.6 * smoothstep(0.74, 0.82, up));
    for (let c = 0; c < 3; c++) {
      const glass = isLit ? lamplight[c]! * (0.5 + own) : 0.03 + mirror * street.haze[c]! * 0.7;
      out[c] = isBar ? 0.7 * light[c]! * open : glass;
    }
  } else if (across < 0.2 && up > 0.08 && up < 0.86) {
    for (let c = 0; c < 3; c++) out[c]! *= 1.2;
  } else if (!isPale && across < 0.36 && up > 0.22 && up < 0.82) {
    const slat = 0.82 + 0.18 * Math.sin(up * 130);
    for (let c = 0; c < 3; c++) out[c] = house.shutter[c]! * light[c]! * open * slat;
  }
  if (isBalcony && up < 0.36) {
    // A rail of iron before the windows, on a slab.
    const iron = up < 0.06 ? 0 : up > 0.33 ? 0.9 : 0.5;
    for (let c = 0; c < 3; c++) out[c]! *= 1 - iron;
  }
  return true;
}

const lamplight: LinearRgb = [1.3, 0.86, 0.42];

/** Windows of a shop or a café between pilasters, below an awning; lit in the evening, when one sees what stands in them. */
function paintShop(
  { isEvening, haze, isPale, input }: Street,
  { from, to, columns, plaster, awning, shutter, seed }: House,
  light: LinearRgb,
  along: number,
  high: number,
  out: Float32Array,
): void {
  const end = Math.min(along - from, to - along);
  const pane = ((along - from) / (to - from)) * columns;
  const column = Math.floor(pane);
  const across = Math.abs(pane - column - 0.5);
  const isDoor = column === seed % columns;
  const isGlass = across < 0.36 && high > (isDoor ? 0.12 : 0.55) && high < 2.05;
  const stripe = isPale || Math.floor(end * 3.2) % 2 === 0;
  const inAwning = awning !== null && end > 0.3 && high > 1.75 && high < 2.3;
  const goods = input.noise.at(along * 2.6 + seed, high * 2.2);
  const own = 0.5 + 0.8 * input.noise.cell(seed + column, 3);
  const shown = own * (0.6 + 0.8 * smoothstep(0.3, 0.75, goods)) * (isDoor ? 0.6 : 1);
  const lintel = high > 2.4 ? 1.3 : 1;
  for (let c = 0; c < 3; c++) {
    const isFrame = across < 0.43 && high < 2.2;
    const frame = (isFrame ? shutter[c]! * 0.6 : plaster[c]! * 0.95 * lintel) * light[c]! * 0.75;
    const inside = isEvening ? lamplight[c]! * (0.4 + 0.25 * high) : 0.11 * light[c]! + 0.1 * haze[c]! * (high / 2);
    const cloth = stripe || awning === null ? (awning ?? plaster)[c]! : 0.78;
    // The cloth leans into the light.
    out[c] = inAwning ? cloth * light[c]! * (0.75 + 0.6 * (high - 1.75)) : isGlass ? inside * shown : frame;
  }
}

/** Depths of the lamps along both rows. */
const lampDepths = [6.5, 10, 16, 26] as const;

function hangLamps({ input, light }: Street, middle: number): void {
  const { canvas, aspect, horizonY } = input;
  const power = Math.min(1, 0.4 + luminance(light[0]));
  for (const depth of lampDepths) {
    for (const side of [-0.86, 0.86]) {
      const x = middle + (side * streetHalf) / depth / aspect;
      const y = horizonY - 1.9 / depth;
      fillDisc(canvas, x, y, 0.16 / depth + 0.004, [2.4, 1.6, 0.8], 0.9, true);
      addGlow(canvas, x, y, 0.9 / depth + 0.02, scale([0.34, 0.2, 0.08], power));
    }
  }
}
