/** The light of a theme, as its words are read. */

import {
  colors,
  type Decor,
  type LightKind,
  lights,
  type PropKind,
  type Setting,
  type StandKind,
  type Surface,
  settings,
} from "./lexicon.ts";
import { isColorForm, type PendingColor } from "./theme-colors.ts";
import { isWallWord, type ThemeWord } from "./theme-words.ts";

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
/** Black shines from no tube, and gold is metal's. */
const tubeless: ReadonlySet<string | undefined> = new Set(
  "black gold silver gray brown beige tan nude taupe khaki charcoal espresso chocolate"
    .split(" ")
    .map((form) => colors.get(form)),
);
const isTube = (form: string | null): form is string => isColorForm(form) && !tubeless.has(colors.get(form));

const signJoints: ReadonlySet<string> = new Set("in en".split(" "));

/** "Neonschild blau", "neon sign in blue" with the color before the sign, as "blue neon sign" has it. */
export function colorsBeforeSigns(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const ordered = [...words];
  for (const [at, sign] of words.entries()) {
    const isColored = !sign.startsPhrase && isColorForm(words[at - 1]?.form ?? null);
    if (sign.form !== "neonsign" || isColored) continue;
    const to = signJoints.has(words[at + 1]?.word ?? "") ? at + 2 : at + 1;
    const behind = words.slice(at + 1, to + 1);
    const own = words[to];
    const next = words[to + 1];
    const isFree = next === undefined || next.startsPhrase || next.isStop || isOfLight(next);
    if (own === undefined || !isTube(own.form) || !isFree || behind.some(({ startsPhrase }) => startsPhrase)) continue;
    const joint = words.slice(at + 1, to);
    ordered.splice(at, to + 1 - at, ...joint, { ...own, startsPhrase: false }, { ...sign, startsPhrase: false });
    ordered[at] = { ...ordered[at]!, startsPhrase: sign.startsPhrase };
  }
  return ordered;
}

/** A wall is painted, where a backdrop of neon is lit: "blue neon wall". */
const takesColor = (next: ThemeWord | undefined) =>
  next !== undefined && !next.startsPhrase && isWallWord(next.form) && !seamlessWalls.has(next.form!);
const seamlessWalls: ReadonlySet<string> = new Set(["backdrop", "background"]);

/** Words that join two colors. */
export const andWords: ReadonlySet<string> = new Set("and und et y e ed en i oraz".split(" "));

const shadows: ReadonlySet<string> = new Set("shadow shade leafshade hardshadow".split(" "));

/** @param before the stop word just before it, where its language puts colors behind nouns */
export const isOfLight = (next: ThemeWord | undefined, before = "") =>
  lightNouns.has(before) || (next !== undefined && !next.startsPhrase && lightNouns.has(next.word));

/** "Soft black shadow": no wall is black. */
export const isOfShadow = (next: ThemeWord | undefined) =>
  next !== undefined && !next.startsPhrase && shadows.has(next.form ?? "");

const isOfSun = (next: ThemeWord | undefined) =>
  isOfLight(next) || isOfShadow(next) || (next !== undefined && !next.startsPhrase && sunNouns.has(next.word));

/** A soft light that one of them sheds is no morning's. */
const softSources: ReadonlySet<string> = new Set("studio softbox box candle candlelight lamp lamplight".split(" "));

/** "Soft morning light" is a morning's; "soft light, morning coffee" and "soft studio light, morning" are not. */
function createSoftness() {
  let isHere = false;
  let isBefore = false;
  return {
    begin: (form: string): void => {
      isHere = !softSources.has(form);
    },
    startPhrase: (): void => {
      isBefore ||= isHere;
      isHere = false;
    },
    /** Whether the light is that of a morning. */
    givesWay: (form: string, light: LightKind | undefined, next: ThemeWord | undefined): boolean => {
      isHere &&= !softSources.has(form);
      return light === "morning" && (isHere || (isBefore && (isOfLight(next) || isOfShadow(next))));
    },
  };
}

/** They are cozy by their lamps: by candles alone all of them would be orange. */
const lampRooms: ReadonlySet<Decor> = new Set<Decor>(["living-room", "bedroom", "library", "desk"]);

/** The first light that is named, unless a later one outshines it; "cozy" lights by candles where nothing else does. */
export function createLightReader(theme: LightDraft, color: Pick<PendingColor, "take" | "keep" | "peek" | "dropLast">) {
  let isCosy = false;
  let isEvening = false;
  let isSunny = false;
  const softness = createSoftness();
  /** The last stop word, and the form just before it. */
  let link: { readonly word: string; readonly before: string | null } = { word: "", before: null };
  /** The color that "and" joins to the one that waits. */
  let joined: string | undefined;
  /** The color that a sign took. */
  let sign: string | undefined;
  /** The form of the last color that is a tube's. */
  let lastTube: string | undefined;

  /** @param before the form just before it: "blue neon" is blue */
  function read(form: string, prop: PropKind | undefined, next: ThemeWord | undefined, before: string | null): void {
    if (form === "neon" && isColorForm(before) && !takesColor(next)) readTubesBefore(before);
    // The sign has taken the color: its light has it, too.
    if (form === "neonsign" && isTube(before)) {
      sign = before.startsWith("#") ? before : colors.get(before)!;
      shine(sign, before);
    }
    const light = lights.get(form) ?? (prop === "candles" ? "candle" : undefined);
    if (form === "evening") isEvening ||= !isOfSun(next);
    else if (sunLights.has(light)) {
      isSunny = true;
      theme.isColoredLight = false;
    }
    if (softness.givesWay(form, light, next) && theme.light === "soft") theme.light = light;
    if (light !== undefined && take(light, form) && light === "soft") softness.begin(form);
  }

  /** @param before the form of the color that waits */
  function readTubesBefore(before: string): void {
    const own = isTube(before) ? color.take() : undefined;
    if (own !== undefined) shine(own, before);
    // "Pink and blue neon" is of both, and "blue and gold neon" of blue.
    if (joined !== undefined && color.dropLast(joined)) shine(joined, before);
  }

  /** A color that a tube has: of lamps beside it, the tube's light is the one that has a color. */
  function shine(tube: string, form: string): void {
    theme.neonColors.push(tube);
    lastTube = form;
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
    if (isCosy && theme.setting?.decor !== undefined && lampRooms.has(theme.setting.decor)) theme.light = "lamps";
    if (theme.light !== "neon") for (const tube of theme.neonColors.splice(0)) if (tube !== sign) color.keep(tube);
    const { setting, surface, stand, props } = theme;
    if (!isEvening || isSunny || theme.light !== "sunset" || (setting ?? surface ?? stand ?? props[0]) !== undefined)
      return;
    theme.setting = settings.get("dining")!;
    theme.light = "lamps";
  }

  /**
   * Every word, before its form is read.
   *
   * @param before the form just before it
   */
  function readWord({ word, isStop, startsPhrase }: Omit<ThemeWord, "form">, before: string | null): void {
    if (isStop) link = { word, before };
    if (startsPhrase) softness.startPhrase();
  }

  /**
   * "Neon blue light", but "neon blue wall"; the other one of "neon pink and blue"; "neon in pink".
   *
   * @param before the form just before it
   * @returns whether it is the neon's
   */
  function readTube(form: string, before: string | null, next: ThemeWord | undefined): boolean {
    const isJoined = before === null && andWords.has(link.word);
    joined = isJoined && isTube(link.before) ? color.peek() : undefined;
    const isOther = isJoined && lastTube !== undefined && (link.before === "neon" || link.before === lastTube);
    const isIn = before === null && link.word === "in" && link.before === "neon";
    const isFree = next === undefined || next.startsPhrase || next.isStop || isOfLight(next);
    const isOfTube = (before === "neon" || isOther || isIn) && isFree && isTube(form);
    if (isOfTube) shine(form.startsWith("#") ? form : colors.get(form)!, form);
    return isOfTube;
  }

  return { read, readGold, readWord, readTube, settle };
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
