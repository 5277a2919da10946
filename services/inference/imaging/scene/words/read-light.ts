/** The light of a theme, as its words are read. */

import {
  colors,
  type LightKind,
  lights,
  type PropKind,
  type Setting,
  type StandKind,
  type Surface,
  settings,
} from "./lexicon.ts";
import type { PendingColor } from "./theme-colors.ts";
import type { ThemeWord } from "./theme-words.ts";

/** The part of a theme that its light decides, and what it follows from. */
interface LightDraft {
  light?: LightKind;
  isColoredLight: boolean;
  readonly neonColors: string[];
  setting?: Setting;
  readonly surface?: Surface;
  readonly stand?: StandKind;
  readonly props: readonly PropKind[];
}

/** The color before one of them is the light's: "gold light", but "gold lights" are of gold. */
const lightNouns: ReadonlySet<string> = new Set(
  "light lighting glow licht luz luce lumière światło światłem świetle".split(" "),
);
/** So is an evening before them: it is no party's. */
const sunNouns: ReadonlySet<string> = new Set("sun sunlight sunshine sunbeams sunrays rays".split(" "));
/** An evening with one of them is outdoors. */
const sunLights: ReadonlySet<LightKind | undefined> = new Set<LightKind | undefined>(["golden", "sunset", "noon"]);
/** Lights that a colored tube outshines. */
const paleLights: ReadonlySet<LightKind | undefined> = new Set<LightKind | undefined>([
  "soft",
  "candle",
  "window",
  "lamps",
  "dramatic",
  "studio",
]);
const isColor = (form: string | null) => form !== null && (form.startsWith("#") || colors.has(form));

const shadows: ReadonlySet<string> = new Set("shadow shade leafshade hardshadow".split(" "));

/** @param before the stop word just before it, where its language puts colors behind nouns */
export const isOfLight = (next: ThemeWord | undefined, before = "") =>
  lightNouns.has(before) || (next !== undefined && !next.startsPhrase && lightNouns.has(next.word));

/** "Soft black shadow": no wall is black. */
export const isOfShadow = (next: ThemeWord | undefined) =>
  next !== undefined && !next.startsPhrase && shadows.has(next.form ?? "");

const isOfSun = (next: ThemeWord | undefined) =>
  isOfLight(next) || isOfShadow(next) || (next !== undefined && !next.startsPhrase && sunNouns.has(next.word));

/** The first light that is named, unless a later one outshines it; "cozy" lights by candles where nothing else does. */
export function createLightReader(theme: LightDraft, color: Pick<PendingColor, "take" | "keep">) {
  let isCosy = false;
  let isEvening = false;
  let isSunny = false;

  /** @param before the form just before it: "blue neon" is blue */
  function read(form: string, prop: PropKind | undefined, next: ThemeWord | undefined, before: string | null): void {
    if (form === "neon" && isColor(before)) {
      const own = color.take();
      if (own !== undefined) shine(own);
    }
    const light = lights.get(form) ?? (prop === "candles" ? "candle" : undefined);
    if (form === "evening") isEvening ||= !isOfSun(next);
    else if (sunLights.has(light)) {
      isSunny = true;
      theme.isColoredLight = false;
    }
    if (light !== undefined) take(light, form);
  }

  /** A color that a tube has: of lamps beside it, the tube's light is the one that has a color. */
  function shine(tube: string): void {
    theme.neonColors.push(tube);
    if (paleLights.has(theme.light)) theme.light = "neon";
  }

  function take(light: LightKind, form: string): boolean {
    if (!(theme.light === undefined || isCosy || outshines(light, theme.light, form))) return false;
    theme.light = light;
    isCosy = form === "cozy";
    return true;
  }

  /** "Gold light": as of a golden hour, but of lamps as well. */
  function readGold(): void {
    if (take("golden", "gold") && !isSunny) theme.isColoredLight = true;
  }

  /**
   * An evening that is nowhere is at a table, by lamps; its light or its sun alone is that of a sunset. The color of
   * neon that shines by no light of its own, as at sunset, is one that no noun took.
   */
  function settle(): void {
    if (theme.light !== "neon") for (const tube of theme.neonColors.splice(0)) color.keep(tube);
    const { setting, surface, stand, props } = theme;
    if (!isEvening || isSunny || theme.light !== "sunset" || (setting ?? surface ?? stand ?? props[0]) !== undefined)
      return;
    theme.setting = settings.get("dining")!;
    theme.light = "lamps";
  }

  /** "Neon blue light", but "neon blue wall". @returns whether it is the neon's */
  function readTube(form: string, before: string | null, next: ThemeWord | undefined): boolean {
    const isOfTube = before === "neon" && (next === undefined || next.startsPhrase || next.isStop || isOfLight(next));
    if (isOfTube) shine(form.startsWith("#") ? form : colors.get(form)!);
    return isOfTube;
  }

  return { read, readGold, readTube, settle };
}

/** A gray sky is of the day, unless another hour is named; neon lights a night. */
function outshines(light: LightKind, before: LightKind, form: string): boolean {
  const isPattern = light === "dappled" || light === "blinds";
  // "Harsh sunlight, palm shadow": the shadow is that of leaves.
  if (before === "hard") return isPattern && form !== "shadow" && form !== "shade";
  // The shadow of a window is in a soft light, too.
  if (before === "soft" && form === "windowshade") return true;
  return before === "overcast" || (before === "night" && light === "neon") || (isPattern && byDay.has(before));
}

const byDay: ReadonlySet<LightKind> = new Set<LightKind>(["window", "noon", "soft", "morning"]);
