/** The colors of a print: those that a theme names, on a ground and in inks that go with them. */

import { fromHex, type LinearRgb, luminance, mix, scale } from "../canvas/color.ts";
import type { PrintColors } from "../materials/material.ts";
import { colors, settings } from "../words/lexicon.ts";
import { isPrint, type Print, printColors } from "../words/lexicon-patterns.ts";
import type { Theme } from "../words/theme.ts";
import { limitReflectance } from "./mood-colors.ts";

/** Ground and inks where a theme names no color. */
const usual: Readonly<Record<Print, readonly [ground: string, ink: string, second: string, third: string]>> = {
  "art-deco": ["#1d2b3a", "#cda349", "#cda349", "#cda349"],
  tartan: ["#a3262a", "#1f3a34", "#e8d9a8", "#efece4"],
  houndstooth: ["#efece5", "#26262a", "#26262a", "#26262a"],
  argyle: ["#e9e2d2", "#37506e", "#8d3b3a", "#f3efe6"],
  damask: ["#d9cdb6", "#b9a683", "#b9a683", "#b9a683"],
  floral: ["#efe6d8", "#d98a94", "#e3b24c", "#7d966c"],
  toile: ["#f1ebdd", "#3f5c8f", "#3f5c8f", "#3f5c8f"],
  clovers: ["#e9efdc", "#2f7a3c", "#86bd7c", "#2f7a3c"],
  stars: ["#23315a", "#e9d9a0", "#e9d9a0", "#e9d9a0"],
  hearts: ["#f7f0ec", "#cf4257", "#e79aa6", "#cf4257"],
  leopard: ["#d3a565", "#9a642d", "#2b1c13", "#2b1c13"],
  zebra: ["#f1eee8", "#1d1c1e", "#1d1c1e", "#1d1c1e"],
  cow: ["#f1eee8", "#2a2422", "#2a2422", "#2a2422"],
  camouflage: ["#8b8a62", "#4c5736", "#5d4a33", "#25291f"],
  "tie-dye": ["#f3efe8", "#2f7fc4", "#e0529a", "#f0b93a"],
  geometric: ["#f4e7dc", "#2aa6a0", "#f2695c", "#f3bb3c"],
  leaves: ["#e9ecdf", "#3f7a4f", "#1f5438", "#79a866"],
  zigzag: ["#efebe2", "#4f6f94", "#4f6f94", "#4f6f94"],
  waves: ["#f0dcae", "#d97a2b", "#7d3a1e", "#e6a93c"],
  zellige: ["#efe9dc", "#2f6f8f", "#e2b45a", "#2c8a78"],
  stripes: ["#efece5", "#4f6f94", "#4f6f94", "#4f6f94"],
  dots: ["#efece5", "#b8322c", "#b8322c", "#b8322c"],
  checks: ["#efece5", "#b8322c", "#b8322c", "#b8322c"],
};

/** Their ground has the color that a theme names, and their ink is a shade of it. */
const tonal: ReadonlySet<Print> = new Set<Print>(["damask", "camouflage"]);
/** Their ground has it, and their ink stays. */
const grounded: ReadonlySet<Print> = new Set<Print>(["art-deco", "tartan", "leopard", "leaves", "waves"]);

const metals: ReadonlySet<string | undefined> = new Set(
  ["gold", "silver", "copper", "brass"].map((word) => colors.get(word)),
);

/** Their ink is dark. */
const inksOfAnimals: ReadonlySet<Print> = new Set<Print>(["zebra", "cow", "houndstooth"]);

/** Darker than this, a color is a print's ground. */
const darkMax = 0.12;

/** @returns null: the theme's surface and wall have no print, or one of two colors that its surface makes by itself */
export function colorsOfPrint(theme: Theme): PrintColors | null {
  const { pattern, wallPattern, settingColor, surfaceColor, accents, isInkFirst } = theme;
  const print = wallPattern ?? pattern;
  if (!isPrint(print) || (wallPattern === undefined && printColors[print] !== undefined)) return null;
  const ofWall = wallPattern === undefined ? [] : [settingColor];
  const ofNoNoun = wallPattern === undefined ? [] : accents;
  const named = [...new Set([...ofWall, surfaceColor, ...ofNoNoun].flatMap((one) => one ?? []))];
  const [ground, ...inks] = ordered(print, named, isInkFirst).map(limitReflectance) as Colors;
  return { print, ground, inks };
}

type Colors = [ground: LinearRgb, ink: LinearRgb, second: LinearRgb, third: LinearRgb];

const pale = fromHex("#efe9dc");

function ordered(print: Print, named: readonly string[], isInkFirst: boolean): Colors {
  const [ground, ink, second, third] = usual[print].map(fromHex) as Colors;
  const metal = named.filter((one) => metals.has(one)).map(fromHex)[0];
  const others = named.filter((one) => !metals.has(one)).map(fromHex);
  const [one, other, last = other] = isInkFirst ? others.toReversed() : others;
  if (metal !== undefined)
    return [one ?? (print === "art-deco" ? ground : pale), metal, other ?? metal, last ?? other ?? metal];
  if (one === undefined) return [ground, ink, second, third];
  // Two colors make four bands.
  if (print === "waves" && last === other && other !== undefined) return [one, other, pale, mix(other, pale, 0.45)];
  if (other !== undefined) return [one, other, last!, last!];
  if (tonal.has(print)) return [one, ...shadesOf(one)];
  if (grounded.has(print)) return [one, ink, second, third];
  // Beside white or black one draws in the other.
  if (print === "floral") return luminance(one) < darkMax ? [one, ink, second, third] : [ground, one, second, third];
  if (luminance(one) < darkMax && !inksOfAnimals.has(print))
    return print === "stars" ? [one, ink, ink, ink] : [one, pale, pale, pale];
  return [ground, one, print === "geometric" ? second : mix(one, pale, 0.55), one];
}

/** Darker shades of a pale color, and paler ones of a dark one. */
function shadesOf(own: LinearRgb): [LinearRgb, LinearRgb, LinearRgb] {
  const shade = (share: number) =>
    luminance(own) > 0.35 ? scale(own, 1 - 0.9 * share) : mix(own, [0.72, 0.7, 0.66], 0.6 * share);
  return [shade(0.42), shade(0.62), shade(0.25)];
}

const printedThings: ReadonlyMap<Print, string> = new Map([["clovers", "clover"]]);

/** The theme with its print on the wall, whose colors are the print's and no other thing's. */
export function atPrintedWall(theme: Theme): Theme {
  const { setting, settingColor: _wall, wallPattern, accents: _named, moods, things, ...others } = theme;
  // A room has it behind its furniture.
  if (wallPattern === undefined || theme.roomWall !== undefined) return theme;
  const wall = settings.get("wall")!;
  return {
    ...others,
    wallPattern,
    accents: [],
    // Beside their print the things themselves would be strays.
    things: things.filter(({ name }) => name !== printedThings.get(wallPattern)),
    moods: moods.filter((mood) => mood !== "luxury" && mood !== "dark"),
    setting: { ...(setting ?? wall), backdrop: "wall", decor: "printed-wall", light: "soft" },
  };
}
