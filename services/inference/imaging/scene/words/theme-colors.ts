/** The colors of a theme's text: each belongs to the noun that follows it, or to none. */

import { colors } from "./lexicon.ts";

/** Whether a word's form is a color's: the lexicon's word, or `#rrggbb`. */
export const isColorForm = (form: string | null | undefined): form is string =>
  form != null && (form.startsWith("#") || colors.has(form));

/** @returns `#rrggbb` */
export const colorOfForm = (form: string): string => (form.startsWith("#") ? form : colors.get(form)!);

/** A color that waits for its noun. */
export function createPendingColor() {
  let color: string | undefined;
  let word = "";
  const accents: string[] = [];

  function flush(): void {
    if (color !== undefined) accents.push(color);
    color = undefined;
  }

  /** "Emerald green" is emerald: of a color and a shade of it, side by side, the shade counts. */
  function isNamedBefore(form: string): boolean {
    if (color === undefined) return false;
    if (shades.get(word) === form) return true;
    if (shades.get(form) === word) color = undefined;
    return false;
  }

  return {
    /**
     * @param form the lexicon's word, or `#rrggbb`
     * @param tone −1 darker, 1 lighter
     * @param before the form of the word before it in the same phrase
     */
    read: (form: string, tone: number, before: string | null): void => {
      if (before === word && isNamedBefore(form)) return;
      flush();
      color = applyTone(colorOfForm(form), tone);
      word = form;
    },
    /** The noun's own, unless one waits. */
    set: (own: string): void => {
      color ??= own;
    },
    /** The one that waits is for no noun. */
    settle: flush,
    /** For no noun. */
    keep: (own: string): void => {
      accents.push(own);
    },
    /** Puts another one in the place of the last that is for no noun, if it is the first. */
    replaceLast: (one: string, other: string): boolean => {
      const isLast = accents.at(-1) === one;
      if (isLast) accents[accents.length - 1] = other;
      return isLast;
    },
    /** Takes the last that is for no noun away, if it is this one. */
    dropLast: (one: string): boolean => {
      const isLast = accents.at(-1) === one;
      if (isLast) accents.pop();
      return isLast;
    },
    isEmpty: (): boolean => color === undefined && accents.length === 0,
    isGreen: (): boolean => color !== undefined && (word === "green" || shades.get(word) === "green"),
    peek: (): string | undefined => color,
    take: (): string | undefined => {
      const taken = color;
      color = undefined;
      return taken;
    },
    /** Colors that no noun took. */
    left: (): readonly string[] => {
      flush();
      return accents;
    },
  };
}

export type PendingColor = ReturnType<typeof createPendingColor>;

/** Shades, and the color of each. */
const shades: ReadonlyMap<string, string> = new Map(
  Object.entries({
    green: "emerald mint sage lime olive forestgreen pistachio",
    blue: "navy azure cobalt skyblue babyblue royalblue midnightblue turquoise",
    red: "crimson ruby burgundy wine",
    pink: "blush fuchsia hotpink rose magenta",
    yellow: "mustard",
    brown: "chocolate espresso caramel",
    purple: "lavender lilac violet plum mauve",
    orange: "apricot rust",
  }).flatMap(([plain, words]) => words.split(" ").map((shade) => [shade, plain] as const)),
);

/** "Emerald" of "green". */
export const isShadeOf = (shade: string, plain: string): boolean => shades.get(shade) === plain;

function applyTone(color: string, tone: number): string {
  if (tone === 0) return color;
  const channel = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16);
    const toned = tone < 0 ? value * 0.5 : value + (255 - value) * 0.5;
    return Math.round(toned).toString(16).padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** @param color `#rrggbb`. @returns 0–1: how light it looks, 1 for white */
export function lumaOf(color: string): number {
  const value = Number.parseInt(color.slice(1), 16);
  return (0.2126 * (value >> 16) + 0.7152 * ((value >> 8) & 255) + 0.0722 * (value & 255)) / 255;
}
