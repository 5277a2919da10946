/** What the product of a theme stands on: a stand, or a thing behind "on". */

import { type Carrier, carriers, colors, type StandKind, type Surface, settings, stands, surfaces } from "./lexicon.ts";
import { isMoss, upon } from "./read-surfaces.ts";
import { floorWords, isWallWord, type ThemeWord } from "./theme-words.ts";

/** The part of a theme that its stand decides. */
interface StandDraft {
  stand?: StandKind;
  standColor?: string;
  surface?: Surface;
  surfaceColor?: string;
  floor?: Surface;
  isMossy: boolean;
}

/** Colors of a stand that is made of metal. */
export const metalColors: ReadonlyMap<string, string> = new Map(
  [
    ["gold", "#c9a04e"],
    ["silver", "#b9bcc0"],
    ["rosegold", "#d0977f"],
    ["champagne", "#d9c29a"],
  ].map(([word, color]) => [colors.get(word!)!, color!]),
);

export function takeStand(theme: StandDraft, stand: StandKind, own: string | undefined): void {
  theme.stand = stand;
  const metal = metalColors.get(own ?? "");
  if (metal !== undefined) theme.surface ??= { kind: "metal", color: metal };
  else if (own !== undefined) theme.standColor = own;
}

/** "On a brick floor": the word before it is the ground's material, and no thing. */
function isOfGround(next: ThemeWord | undefined): boolean {
  if (next === undefined || next.startsPhrase) return false;
  if (floorWords.has(next.word)) return true;
  return isWallWord(next.form) || [surfaces, settings, stands].some((table) => table.has(next.form ?? ""));
}

/** Stop words between "on" and what something is on: "on top of a stack of books". */
export const belongingWords: ReadonlySet<string> = new Set(
  (
    "a an the one two three of top stack pile stacked piled big small large little tall my our this that ein eine einem einer einen der die das dem den un une le la les l d de du des " +
    "una el los las del uno il lo gli i di della een het van pila stapel stosie"
  ).split(" "),
);

/**
 * Whether the product is on what the next word names.
 *
 * @param wasUpon whether it is on what this word names
 */
export function isPlacedUpon(
  { word, isStop, startsPhrase }: Pick<ThemeWord, "word" | "isStop" | "startsPhrase">,
  next: ThemeWord | undefined,
  wasUpon: boolean,
): boolean {
  if (upon.has(word) || (word === "en" && (next?.word === "un" || next?.word === "una"))) return true;
  return wasUpon && !startsPhrase && (!isStop || belongingWords.has(word));
}

/** What the product is put on by a word behind "on". */
export function carrierOf(form: string, word: string, next: ThemeWord | undefined): Carrier | undefined {
  return floorCompound.test(word) || isOfGround(next) ? undefined : carriers.get(form);
}

/**
 * @param before the word just before the thing's, which may be its material: "a wooden crate", "a mossy log"
 * @returns the lexicon's word for the place of such things; null: any
 */
export function takeCarrier(
  theme: StandDraft,
  { stand, surface, setting }: Carrier,
  before: string | null,
  own: string | undefined,
): string | null {
  const made = surfaces.get(before ?? "");
  const isMade = made !== undefined && !isMoss(made);
  theme.stand = stand;
  if (isMade && theme.surface === made) return setting;
  theme.isMossy ||= isMoss(made);
  // "Grass, on a crate": the grass is below it.
  if (theme.surface !== undefined && !isMoss(theme.surface)) theme.floor ??= theme.surface;
  theme.surface = isMade ? made : surface;
  delete theme.surfaceColor;
  if (own !== undefined && own !== theme.surface.color) theme.surfaceColor = own;
  return setting;
}

/** "Fliesenboden", "tegelvloer": the material is the floor's. */
export const floorCompound = /(boden|vloer)$/;
