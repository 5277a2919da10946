/**
 * Looks that a theme's words give a scene together, which no single word's row has: pastel without a color, rust, black bokeh, colored
 * gels before gray, gold that glitters, and skies of a named color.
 */

import { fromHex, luminance, mix, saturate, scale } from "../canvas/color.ts";
import {
  type BackdropKind,
  colors,
  type Decor,
  type LightKind,
  type Pattern,
  type Surface,
  settings,
  surfaces,
} from "../words/lexicon.ts";
import type { Theme } from "../words/theme.ts";
import type { Lighting } from "./lighting.ts";
import { limitReflectance } from "./mood-colors.ts";

/** A wall and three colors that go with it, for pastel things whose theme names no color. */
export const pastelColors: readonly [readonly string[], ...(readonly string[])[]] = [
  ["#f3dcd4", "#cfe0d6", "#f0c9a8", "#c9d4ec"],
  ["#dbe6ee", "#f3cdd0", "#f2e2b8", "#bcd3c4"],
  ["#e8e0f0", "#c9d9ee", "#f4cfd8", "#d9e8c9"],
];

/** Whether pastel shapes or a pastel stand are asked for before a bare wall, without any color: the seed draws one of `pastelColors`. */
export function isColorlessPastel(theme: Theme): boolean {
  const { moods, accents, stand, props, setting, settingColor, surface, standColor, propColor } = theme;
  const isSet = stand !== undefined || props.includes("shapes") || props.includes("arch");
  const isBare = setting === undefined || (setting.backdrop === "sweep" && setting.color === "#ece8e2");
  const hasColor = surface ?? settingColor ?? standColor ?? propColor ?? accents[0];
  return moods.includes("pastel") && isSet && isBare && hasColor === undefined;
}

/** By these a street is told by its lights. */
const darkLights: ReadonlySet<LightKind> = new Set<LightKind>(["night", "neon", "blue-hour", "dramatic"]);

/** The things that the place has: by day a street has houses at both sides, and no towers across it. */
export function decorOf(theme: Theme, backdrop: BackdropKind, lightKind: LightKind): Decor | null {
  const { setting, props, named, things } = theme;
  if (setting?.decor !== undefined) return setting.decor;
  if (backdrop === "sea" && props.includes("palms")) return "palms";
  const isStreet = backdrop === "skyline" && named.some(({ place }) => place === settings.get("street"));
  return isStreet && !darkLights.has(lightKind) && !things.some(({ place }) => place === "far") ? "town" : null;
}

/** What the words say of the surface. Rust is named: bronze in a dark scene has the same color. */
export function patternOf(theme: Theme): Pattern | null {
  if (theme.pattern !== undefined) return theme.pattern;
  const { surface, surfaceColor, floor, floorColor } = theme;
  if (surface?.kind === "metal") return isRust(surface, surfaceColor) ? "rust" : null;
  return theme.stand !== undefined && isRust(floor, floorColor) ? "rust" : null;
}

const isRust = (surface: Surface | undefined, color: string | undefined) =>
  surface?.kind === "metal" &&
  (color === undefined ? surface.color === surfaces.get("rusty")!.color : color === colors.get("rust"));

/**
 * No light is black: a bare wall behind it is.
 *
 * @returns the same theme where it names a place, a surface or a stand, or bokeh of another color
 */
export function withBlackBokeh(theme: Theme): Theme {
  const { propColor, ...other } = theme;
  const isBare = theme.surface === undefined && theme.stand === undefined && theme.setting === undefined;
  const isBlack = theme.props.includes("bokeh") && propColor === colors.get("black");
  return isBare && isBlack ? { ...other, setting: settings.get("studio")!, settingColor: propColor! } : theme;
}

/** A gel's color shows on gray; a darker wall would show none. */
const grayWall = "#9b9b9f";
const darkestWall = "#4a4a50";

const skyLights: ReadonlySet<Theme["light"]> = new Set<Theme["light"]>(["golden", "sunset", "night", "blue-hour"]);

/** Lamps with colored gels and no place are before a gray backdrop. */
export function withGelStudio(theme: Theme): Theme {
  const { gelColors, setting, surface, settingColor } = theme;
  // The sky of a sunset, or a town at night, has these colors.
  if (gelColors === undefined || skyLights.has(theme.light)) return theme;
  const isBare = setting === undefined || (setting.backdrop === "sweep" && setting.decor === undefined);
  if (!isBare || (setting === undefined && surface !== undefined)) return theme;
  const isBlack = settingColor === colors.get("black");
  return {
    ...theme,
    setting: setting ?? settings.get("studio")!,
    settingColor: isBlack ? darkestWall : (settingColor ?? grayWall),
    moods: theme.moods.filter((mood) => mood !== "dark"),
  };
}

/**
 * Gold beside another color of a bare backdrop glitters before it; black is that of the wall then, and of nothing else.
 *
 * @param hasGlitter nobody avoids it
 */
export function withGold(theme: Theme, hasGlitter: boolean): Theme {
  const { setting, surface, settingColor, accents } = theme;
  const named = [settingColor, ...accents].flatMap((one) => one ?? []);
  const gold = colors.get("gold")!;
  const black = colors.get("black")!;
  const isBare = surface === undefined && (setting === undefined || setting.backdrop === "sweep");
  // "Gold background with black stars" names its wall.
  if (!isBare || settingColor === gold || theme.stand !== undefined || !named.includes(gold)) return theme;
  const others = named.filter((one) => one !== gold);
  if (others.length === 0) return theme;
  const isFree = hasGlitter && theme.props.length === 0 && theme.things.length === 0 && theme.trimColor === undefined;
  const glittering = isFree ? ({ ...theme, props: ["glitter"], propColor: gold } as const) : theme;
  if (others.some((one) => one !== black)) return glittering;
  const wall = { ...settings.get("blackfriday")!, backdrop: "wall" } as const;
  return { ...glittering, setting: wall, settingColor: black, accents: [gold] };
}

/** The shares of a named color in a sky's horizon and in its zenith. */
const horizonShare = 0.7;
const zenithShare = 0.45;

/** "Pink sky": it is pink above the horizon. Gray is the color of clouds. */
export function underSky({ settingColor }: Theme, backdrop: BackdropKind, lighting: Lighting): Lighting {
  if (backdrop !== "sky" || settingColor === undefined) return lighting;
  const own = fromHex(settingColor);
  if (Math.max(...own) < 1.3 * Math.min(...own)) return lighting;
  const { horizon, zenith } = lighting;
  const bright = scale(own, Math.min(1.6, luminance(horizon) / Math.max(0.12, luminance(own))));
  return {
    ...lighting,
    horizon: mix(horizon, limitReflectance(bright), horizonShare),
    zenith: mix(zenith, saturate(own, 1.2), zenithShare),
  };
}
