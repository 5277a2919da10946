/** The colors of a theme's text: each belongs to the noun that follows it, or to none. */

import { colors } from "./lexicon.ts";

/** A color that waits for its noun. */
export function createPendingColor() {
  let color: string | undefined;
  let word = "";
  const accents: string[] = [];

  function flush(): void {
    if (color !== undefined) accents.push(color);
    color = undefined;
  }

  /** "Emerald green" is emerald: of two color words side by side that are of one hue, the one that says more counts. */
  function isShade(form: string): boolean {
    if (color === undefined || plainHues.has(form) === plainHues.has(word)) return false;
    if (!isSameHue(colors.get(form), color)) return false;
    if (plainHues.has(form)) return true;
    color = undefined;
    return false;
  }

  return {
    /**
     * @param form the lexicon's word, or `#rrggbb`
     * @param tone −1 darker, 1 lighter
     * @param before the form of the word before it
     */
    read: (form: string, tone: number, before: string | null): void => {
      if (before === word && isShade(form)) return;
      flush();
      color = applyTone(form.startsWith("#") ? form : colors.get(form)!, tone);
      word = form;
    },
    /** The noun's own, unless one waits. */
    set: (own: string): void => {
      color ??= own;
    },
    isLike: (form: string): boolean => color !== undefined && isSameHue(colors.get(form), color),
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

const plainHues = new Set("red orange yellow green blue purple pink brown".split(" "));
/** Degrees between two shades of one hue, at most. */
const sameHueMax = 60;

function isSameHue(one: string | undefined, other: string): boolean {
  if (one === undefined) return false;
  const away = Math.abs(hueOf(one) - hueOf(other));
  return Math.min(away, 360 - away) <= sameHueMax;
}

/** Degrees; 0 for a gray. */
function hueOf(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
  return (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI;
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
