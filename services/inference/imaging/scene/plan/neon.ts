/** Neon light in the colors that a theme gives it: without them it is pink and blue. */

import { fromHex, type LinearRgb, luminance, mix, saturate, scale } from "../canvas/color.ts";
import { colors, settings } from "../words/lexicon.ts";
import { namedThings } from "../words/named-things.ts";
import type { Theme } from "../words/theme.ts";
import type { Lighting } from "./lighting.ts";

/** Light of the tubes at the side away from the lamp, and at the lamp's. */
export type NeonColors = readonly [LinearRgb, LinearRgb];

/** A wall that is left dark, so that the tubes color it. */
const unlitWall = "#26262c";

/** The tubes are seen again in it. */
const glossyFloor = { kind: "gloss", color: "#1b1b20" } as const;

const sign = namedThings.get("neonsign")!;

/** A color that shines from a tube is none of the theme's things, and brings a dark wall where no place is named. */
export function withNeonStudio(theme: Theme): Theme {
  const { light, neonColors, setting, surface, settingColor, accents, moods } = theme;
  if (light !== "neon" || neonColors.length === 0) return theme;
  const isBare = setting === undefined || (setting.backdrop === "sweep" && setting.decor === undefined);
  // "Pink neon sign": it hangs in the street of any other sign.
  const isOfSign = theme.things.some(({ name, color }) => name === sign.name && color !== sign.color);
  if (!isBare || (setting === undefined && isOfSign)) return theme;
  const named = neonColors[0]!;
  const second = neonColors[1] ?? accents.find(isVivid);
  const others = accents.filter((one) => one !== second);
  const black = moods.includes("dark") ? colors.get("black")! : unlitWall;
  // "Bright studio with blue neon" has its own wall.
  const isBright = setting !== undefined && moods.includes("bright");
  const wall = settingColor ?? others.find(isPaint) ?? (isBright ? undefined : black);
  return {
    ...theme,
    ...(surface === undefined && { setting: setting ?? { ...settings.get("wall")!, surface: glossyFloor } }),
    ...(wall !== undefined && { settingColor: wall }),
    accents: others,
    neonColors: second === undefined ? [named] : [named, second],
  };
}

/** @returns null: the theme's light is no neon, or has no color of its own */
export function neonOf({ light, neonColors }: Theme): NeonColors | null {
  const [one, other = one] = neonColors;
  if (light !== "neon" || one === undefined) return null;
  return [tubeOf(one), tubeOf(other!)];
}

/** Gold beside blue neon is of metal. */
const isPaint = (color: string) => color !== colors.get("gold");

function isVivid(color: string): boolean {
  const own = fromHex(color);
  return isPaint(color) && Math.min(...own) < 0.45 * Math.max(...own) && Math.max(...own) > 0.1;
}

/** The brightest channel of a tube. */
const tubeMost = 1.55;

function tubeOf(color: string): LinearRgb {
  const own = saturate(fromHex(color), 1.15);
  return scale(own, tubeMost / Math.max(0.05, ...own));
}

/** What of a tube's color is in the light that fills the room. */
const keyTint = 0.72;
const ambientTint = 0.6;

export function litByNeon(lighting: Lighting, [away, near]: NeonColors): Lighting {
  const tinted = (light: LinearRgb, tube: LinearRgb, share: number): LinearRgb => {
    const power = luminance(light);
    const even = mix([1, 1, 1], scale(tube, 1 / tubeMost), share);
    return scale(even, power / Math.max(0.25, luminance(even)));
  };
  return {
    ...lighting,
    key: tinted(lighting.key, near, keyTint),
    ambient: tinted(lighting.ambient, away, ambientTint),
  };
}
