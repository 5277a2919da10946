import { createRandom, hashText } from "@packshot/domain/random.ts";
import type { LinearRgb } from "./color.ts";
import { fromHsl, fromHex, luminance, mix, saturate, scale } from "./color.ts";
import type { BackdropKind, LightKind, Mood, SurfaceKind } from "./lexicon.ts";
import { settings } from "./lexicon.ts";
import type { Lighting } from "./lighting.ts";
import { outdoorBackdrops, createLighting } from "./lighting.ts";
import type { Theme } from "./theme.ts";

/** The plan of a scene: backdrop, surface and light. Colors are linear. */
export interface ScenePlan {
  readonly backdrop: BackdropKind;
  /** The theme names a place and not only a surface. */
  readonly isPlace: boolean;
  readonly backdropColor: LinearRgb;
  readonly surface: SurfaceKind;
  readonly surfaceColor: LinearRgb;
  /** A second color for lamps, books, flowers and parts of the wall. */
  readonly accent: LinearRgb;
  /** The accent color appears as small lights behind the product. */
  readonly hasAccentLights: boolean;
  readonly lightKind: LightKind;
  readonly lighting: Lighting;
  readonly grade: Grade;
  /** The scene's seed, derived from the client's seed and the theme's text. */
  readonly seed: number;
}

export interface Grade {
  readonly saturation: number;
  readonly contrast: number;
  /** Lift of the blacks, 0–0.1, as of faded film. */
  readonly lift: number;
  readonly tint: LinearRgb;
}

/** Colors of backdrops for which the theme names none. */
const defaultBackdropColors: Partial<Readonly<Record<BackdropKind, LinearRgb>>> = {
  foliage: fromHex("#4a6a2f"),
  sea: fromHex("#3f87a6"),
  dunes: fromHex("#c98f55"),
  hills: fromHex("#7c945c"),
  mountains: fromHex("#6f8296"),
  skyline: fromHex("#6d7c8d"),
  snowfield: fromHex("#a9bccb"),
};

/** True for scenes whose backdrop must be seen, so that they have no view from above. */
export function needsHorizon({ backdrop, lightKind, isPlace }: ScenePlan): boolean {
  if (lightKind === "neon" || lightKind === "night") return true;
  return isPlace && !(backdrop === "sweep" || backdrop === "wall" || backdrop === "tiled-wall");
}

export function planScene(namedTheme: Theme, text: string, seed: number): ScenePlan {
  const theme = withImpliedSetting(namedTheme);
  // A text without a known word is the empty theme, to the byte.
  const named = theme.recognized.length === 0 ? "" : text.trim().toLowerCase();
  const random = createRandom((seed ^ hashText(named)) >>> 0);
  const accent = theme.accents[0] === undefined ? null : fromHex(theme.accents[0]);

  const dark = theme.moods.includes("dark") || theme.moods.includes("luxury");
  const surfaceKind: SurfaceKind = theme.surface?.kind ?? theme.setting?.surface.kind ?? (dark ? "stone" : "plain");
  const backdrop: BackdropKind = theme.setting?.backdrop ?? defaultBackdrop(theme, surfaceKind);
  const lightKind: LightKind = theme.light ?? theme.setting?.light ?? defaultLight(theme, backdrop);

  let backdropColor = theme.settingColor
    ? fromHex(theme.settingColor)
    : theme.setting
      ? fromHex(theme.setting.color)
      : (defaultBackdropColors[backdrop] ?? accent ?? defaultWall(theme));
  let surfaceColor = theme.surfaceColor
    ? tintSurface(fromHex(theme.surfaceColor), theme.surface && fromHex(theme.surface.color))
    : theme.surface
      ? fromHex(theme.surface.color)
      : theme.setting && backdrop !== "sweep"
        ? fromHex(theme.setting.surface.color)
        : backdropColor;
  // "Black marble, gold": beside a surface with a color of its own, gold colors small lights and not the wall.
  const hasAccentLights = theme.moods.includes("luxury") && theme.surface !== undefined;
  if (hasAccentLights && theme.setting === undefined) backdropColor = defaultWall(theme);
  if (accent !== null && !hasAccentLights && theme.settingColor === undefined && !outdoorBackdrops.has(backdrop)) {
    backdropColor = theme.setting && backdrop !== "sweep" ? mix(backdropColor, accent, 0.6) : accent;
    if (theme.surface === undefined && (theme.setting === undefined || backdrop === "sweep")) surfaceColor = accent;
  }
  if (theme.surfaceTone !== 0) surfaceColor = scale(surfaceColor, theme.surfaceTone < 0 ? 0.32 : 1.5);
  [backdropColor, surfaceColor] = [backdropColor, surfaceColor].map((c) => applyMoods(c, theme.moods)) as [
    LinearRgb,
    LinearRgb,
  ];
  return {
    backdrop,
    isPlace: theme.setting !== undefined,
    backdropColor: limitReflectance(backdropColor),
    surface: surfaceKind,
    surfaceColor: limitReflectance(surfaceColor),
    accent: accent ?? fromHsl(random.between(0, 360), 0.3, 0.55),
    hasAccentLights: hasAccentLights && accent !== null,
    lightKind,
    lighting: createLighting(lightKind, backdrop, random),
    grade: createGrade(theme.moods, lightKind),
    seed: Math.floor(random.next() * 4_294_967_296),
  };
}

/** A theme that names only a light implies a place. */
function withImpliedSetting(theme: Theme): Theme {
  if (theme.setting !== undefined || theme.surface !== undefined || theme.light === undefined) return theme;
  if (theme.light === "neon" || theme.light === "night") return { ...theme, setting: settings.get("downtown")! };
  if (theme.light === "sunset" || theme.light === "golden") return { ...theme, setting: settings.get("beach")! };
  return theme;
}

function defaultBackdrop(theme: Theme, surface: SurfaceKind): BackdropKind {
  if (theme.surface === undefined) return "sweep";
  if (surface === "grass" || surface === "soil") return "foliage";
  if (surface === "sand") return theme.light === "sunset" || theme.light === "golden" ? "dunes" : "wall";
  if (surface === "snow") return "snowfield";
  if (surface === "water") return "sea";
  if (surface === "asphalt") return "skyline";
  if (surface === "plain" || surface === "gloss") return "sweep";
  if (theme.light === "neon") return "skyline";
  if (surface === "wood" && theme.accents.length === 0 && !theme.moods.includes("minimal")) return "interior";
  return "wall";
}

function defaultLight(theme: Theme, backdrop: BackdropKind): LightKind {
  if (backdrop === "foliage") return "dappled";
  if (outdoorBackdrops.has(backdrop)) return "noon";
  if (theme.moods.includes("dark") || theme.moods.includes("luxury"))
    return theme.surface?.color === "#ece9e4" ? "soft" : "dramatic";
  if (theme.moods.includes("cosy")) return "candle";
  if (theme.moods.includes("warm")) return "golden";
  if (backdrop === "wall" || backdrop === "interior") return "window";
  return "studio";
}

function defaultWall(theme: Theme): LinearRgb {
  if (theme.moods.includes("dark")) return fromHex("#55524f");
  if (theme.moods.includes("luxury"))
    return theme.surface && luminance(fromHex(theme.surface.color)) > 0.5 ? fromHex("#cfc6bb") : fromHex("#4a423a");
  if (theme.moods.includes("warm")) return fromHex("#dcc7ad");
  if (theme.moods.includes("cold")) return fromHex("#c5ced6");
  if (theme.surface?.kind === "wood") return fromHex("#d3cabd");
  if (theme.surface?.kind === "concrete" || theme.surface?.kind === "stone") return fromHex("#b9b6b1");
  return fromHex("#ebe9e6");
}

/** Tints a material but keeps its depth: green velvet is darker than green linen. Neutral colors are not changed. */
function tintSurface(color: LinearRgb, materialColor: LinearRgb | undefined): LinearRgb {
  const isGray = Math.max(...color) < 1.25 * Math.min(...color) + 0.02;
  if (materialColor === undefined || isGray) return color;
  const depth = Math.sqrt(luminance(materialColor) / Math.max(0.01, luminance(color)));
  return saturate(scale(color, Math.min(1.15, Math.max(0.5, depth))), 0.85);
}

function applyMoods(color: LinearRgb, moods: readonly Mood[]): LinearRgb {
  let c = color;
  if (moods.includes("pastel")) c = mix(saturate(c, 0.85), [0.9, 0.88, 0.88], 0.42);
  if (moods.includes("vivid")) c = saturate(c, 1.5);
  if (moods.includes("minimal")) c = saturate(c, 0.75);
  if (moods.includes("dark")) c = scale(c, luminance(c) > 0.15 ? 0.4 : 0.85);
  if (moods.includes("warm")) c = [c[0] * 1.06, c[1], c[2] * 0.88];
  if (moods.includes("cold")) c = [c[0] * 0.9, c[1], c[2] * 1.08];
  if (moods.includes("vintage")) c = saturate(c, 0.75);
  return c;
}

/** No painted object reflects more than 86 % of the light; only lamps are brighter. */
function limitReflectance(color: LinearRgb): LinearRgb {
  const most = Math.max(...color, 0.0001);
  return most > 0.86 ? scale(color, 0.86 / most) : color;
}

function createGrade(moods: readonly Mood[], light: LightKind): Grade {
  const has = (mood: Mood) => moods.includes(mood);
  return {
    saturation: has("vivid") ? 1.15 : has("minimal") || has("vintage") ? 0.88 : 1,
    contrast: light === "dramatic" || has("luxury") ? 1.08 : has("pastel") || has("minimal") ? 0.96 : 1.02,
    lift: has("vintage") ? 0.045 : has("pastel") ? 0.02 : 0.006,
    tint: has("warm") || has("cosy") ? [1.03, 1, 0.95] : has("cold") ? [0.97, 1, 1.04] : [1, 1, 1],
  };
}
