/** What words say of a scene's looks beside its colors: pastel without a color, rust, and bokeh that is black. */

import { colors, type Pattern, type Surface, settings, surfaces } from "../words/lexicon.ts";
import type { Theme } from "../words/theme.ts";

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
