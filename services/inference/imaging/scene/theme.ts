import { colors, stopWords, lights, moods, settings, surfaces } from "./lexicon.ts";
import type { LightKind, Mood, Setting, Surface } from "./lexicon.ts";

/** A parsed theme text: what it names, and which of its words are not recognized. */
export interface Theme {
  readonly surface?: Surface;
  /** A color just before the surface, as in "black marble". `#rrggbb`. */
  readonly surfaceColor?: string;
  readonly setting?: Setting;
  readonly settingColor?: string;
  readonly light?: LightKind;
  readonly moods: readonly Mood[];
  /** −1 darker … 1 lighter, for a surface such as "dark oak". */
  readonly surfaceTone: number;
  /** Colors without a noun. */
  readonly accents: readonly string[];
  readonly recognized: readonly string[];
  readonly unrecognized: readonly string[];
}

/** Words beyond this number are ignored and reported as unrecognized. */
const wordsMax = 60;

/** "Brick wall": the material before one of these words belongs to the backdrop. */
const wallWords: ReadonlySet<string> = new Set(["wall", "walls", "backdrop", "background"]);

function wallSetting({ kind, color }: Surface): Setting {
  return { ...settings.get("wall")!, backdrop: kind === "tile" ? "tiled-wall" : "wall", color };
}

/** Words that darken or lighten the word behind them. */
const tones: ReadonlyMap<string, number> = new Map([
  ["dark", -1],
  ["deep", -1],
  ["light", 1],
  ["pale", 1],
]);

/** A tree before one of the forest words is not a wood surface: "pine forest", "cherry blossom". */
const treeWords: ReadonlySet<string> = new Set(["pine", "oak", "birch", "bamboo", "cherry", "maple"]);
const forestWords: ReadonlySet<string> = new Set(
  "forest forests tree trees wood woods garden grove blossom blossoms".split(" "),
);

/** Letters of a word beyond this number are left out of the report. */
const wordLettersMax = 40;

/** Where two moods contradict each other, the one named first applies. */
const oppositeMoods: readonly (readonly [Mood, Mood])[] = [
  ["dark", "bright"],
  ["warm", "cold"],
  ["minimal", "vivid"],
];

/** Never fails: unknown words shape nothing, and a text without a known one is the empty theme. */
export function parseTheme(text: string): Theme {
  const found =
    text
      .toLowerCase()
      .normalize("NFKC")
      .match(/#[0-9a-f]{6}\b|[\p{L}\p{N}]+/gu) ?? [];
  const words = found.map((word) => word.slice(0, wordLettersMax));
  const theme: { -readonly [K in keyof Theme]?: Theme[K] } = {};
  const foundMoods: Mood[] = [];
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
  const considered = words.slice(0, wordsMax);
  for (const [index, word] of considered.entries()) {
    const form = lexiconForm(word);
    if (form === null) {
      if (!stopWords.has(word)) unrecognized.push(word);
      continue;
    }
    recognized.push(word);
    const next = considered[index + 1];
    if (form.startsWith("#") || colors.has(form)) {
      flushColor();
      color = applyTone(form.startsWith("#") ? form : colors.get(form)!, tone);
      tone = 0;
      if (form === "gold" || form === "black") foundMoods.push(form === "gold" ? "luxury" : "dark");
      continue;
    }
    const ownTone = tones.get(form);
    if (ownTone !== undefined && next !== undefined && !stopWords.has(next)) {
      tone = ownTone;
      // "Dark green" names a color only; "dark oak" and "dark studio" also name a mood.
      if (colors.has(next)) continue;
    }
    const named = treeWords.has(form) && forestWords.has(next ?? "") ? undefined : surfaces.get(form);
    const isWall = named !== undefined && wallWords.has(next ?? "");
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
    if (mood !== undefined && !(form === "light" && tone === 0)) foundMoods.push(mood);
  }
  flushColor();
  return { ...theme, moods: withoutContradictions(foundMoods), surfaceTone, accents, recognized, unrecognized };
}

function withoutContradictions(moods: readonly Mood[]): Mood[] {
  const loses = (mood: Mood, at: number) =>
    oppositeMoods.some(
      (pair) => pair.includes(mood) && moods.slice(0, at).includes(pair[0] === mood ? pair[1] : pair[0]),
    );
  return [...new Set(moods.filter((mood, at) => !loses(mood, at)))];
}

function applyTone(color: string, tone: number): string {
  if (tone === 0) return color;
  const channel = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16);
    const toned = tone < 0 ? value * 0.5 : value + (255 - value) * 0.5;
    return Math.round(toned).toString(16).padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** The word's form in the lexicon, without a plural ending. null: unknown. */
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
