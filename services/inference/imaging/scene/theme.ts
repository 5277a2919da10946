import { colors, stopWords, lights, moods, settings, surfaces } from "./lexicon.ts";
import type { LightKind, Mood, Setting, Surface } from "./lexicon.ts";

/** A theme text, read: what it names, and which of its words said nothing to us. */
export interface Theme {
  readonly surface?: Surface;
  /** Asked for just before the surface: "black marble". `#rrggbb`. */
  readonly surfaceColor?: string;
  readonly setting?: Setting;
  readonly settingColor?: string;
  readonly light?: LightKind;
  readonly moods: readonly Mood[];
  /** −1 darker … 1 lighter, for the surface: "dark oak". */
  readonly surfaceTone: number;
  /** Colors that stand with no noun. */
  readonly accents: readonly string[];
  readonly recognized: readonly string[];
  readonly unrecognized: readonly string[];
}

/** Longer texts than this many words add nothing: the rest is reported as unrecognized. */
const wordsMax = 60;

/** "Brick wall": the material stands upright, behind the product. */
const walls: ReadonlySet<string> = new Set(["wall", "walls", "backdrop", "background"]);

function wallSetting({ kind, color }: Surface): Setting {
  return { ...settings.get("wall")!, backdrop: kind === "tile" ? "tiled-wall" : "wall", color };
}

/** Words that darken or lighten what they stand before. */
const tones: ReadonlyMap<string, number> = new Map([
  ["dark", -1],
  ["deep", -1],
  ["light", 1],
  ["pale", 1],
]);

/** A tree before one of these is no board: "pine forest", "cherry blossom". */
const trees: ReadonlySet<string> = new Set(["pine", "oak", "birch", "bamboo", "cherry", "maple"]);
const woods: ReadonlySet<string> = new Set(
  "forest forests tree trees wood woods garden grove blossom blossoms".split(" "),
);

/** Never fails: a text of unknown words is a theme too (the seed's palette then comes from their letters). */
export function parseTheme(text: string): Theme {
  const words =
    text
      .toLowerCase()
      .normalize("NFKC")
      .match(/#[0-9a-f]{6}\b|[\p{L}\p{N}]+/gu) ?? [];
  const theme: { -readonly [K in keyof Theme]?: Theme[K] } = {};
  const found: Mood[] = [];
  const accents: string[] = [];
  const recognized: string[] = [];
  const unrecognized: string[] = words.slice(wordsMax);
  let color: string | undefined;
  let tone = 0;
  let surfaceTone = 0;
  const flushColor = () => {
    if (color !== undefined) accents.push(color);
    color = undefined;
  };
  const used = words.slice(0, wordsMax);
  for (const [index, word] of used.entries()) {
    const form = lexiconForm(word);
    if (form === null) {
      if (!stopWords.has(word)) unrecognized.push(word);
      continue;
    }
    recognized.push(word);
    const next = used[index + 1];
    if (form.startsWith("#") || colors.has(form)) {
      flushColor();
      color = applyTone(form.startsWith("#") ? form : colors.get(form)!, tone);
      tone = 0;
      if (form === "gold" || form === "black") found.push(form === "gold" ? "luxury" : "dark");
      continue;
    }
    const ownTone = tones.get(form);
    if (ownTone !== undefined && next !== undefined && !stopWords.has(next)) {
      tone = ownTone;
      // "Dark green" names a color; "dark oak" and "dark studio" also say how the picture feels.
      if (colors.has(next)) continue;
    }
    const named = trees.has(form) && woods.has(next ?? "") ? undefined : surfaces.get(form);
    const isWall = named !== undefined && walls.has(next ?? "");
    const surface = isWall ? undefined : named;
    const setting = isWall ? wallSetting(named) : settings.get(form);
    if (surface !== undefined && (theme.surface === undefined || setting === undefined)) {
      if (theme.surface === undefined) {
        theme.surface = surface;
        if (color !== undefined) theme.surfaceColor = color;
        surfaceTone = tone;
        color = undefined;
        tone = 0;
      }
    } else if (setting !== undefined && theme.setting === undefined) {
      theme.setting = setting;
      if (color !== undefined) theme.settingColor = color;
      color = undefined;
      tone = 0;
    }
    const light = lights.get(form);
    if (light !== undefined && theme.light === undefined) theme.light = light;
    const mood = moods.get(form);
    if (mood !== undefined && !(form === "light" && tone === 0)) found.push(mood);
  }
  flushColor();
  return { ...theme, moods: [...new Set(found)], surfaceTone, accents, recognized, unrecognized };
}

function applyTone(color: string, tone: number): string {
  if (tone === 0) return color;
  const channel = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16);
    const bent = tone < 0 ? value * 0.5 : value + (255 - value) * 0.5;
    return Math.round(bent).toString(16).padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** The word as the lexicon has it, plural endings taken off where needed. */
function lexiconForm(word: string): string | null {
  if (word.startsWith("#")) return word;
  const forms = [
    word,
    word.replace(/s$/, ""),
    word.replace(/es$/, ""),
    word.replace(/ies$/, "y"),
    word.replace(/ves$/, "f"),
  ];
  const known = (form: string) => [surfaces, settings, lights, moods, colors].some((table) => table.has(form));
  return forms.find(known) ?? null;
}
