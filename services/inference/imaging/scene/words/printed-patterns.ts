/** Prints that a theme names in several words, "heart pattern", "wallpaper with palm leaves", and those that are another thing's: a striped shirt. */

import {
  carriers,
  lights,
  type NamedWall,
  type Pattern,
  patterns,
  type Setting,
  type StandKind,
  type Surface,
  settings,
  surfaces,
  takesPattern,
} from "./lexicon.ts";
import { isPrint, type Print, printColors } from "./lexicon-patterns.ts";
import { namedThings } from "./named-things.ts";
import { belongingWords } from "./read-stands.ts";
import { furnitureWords, showsWall, upon } from "./read-surfaces.ts";
import { isColorForm } from "./theme-colors.ts";
import { isWallWord, type ThemeWord } from "./theme-words.ts";
import { wordSet } from "./word-set.ts";

/** What is drawn in a print, by the lexicon's words for the things. */
const motifForms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    artdecoprint: "deco",
    starprint: "star starnight",
    heartprint: "heart valentine",
    floralprint:
      "flower floral peony daisy rose wildflower bloom blossom hibiscus poppy tulip sunflower cherryblossom sakura",
    leafprint: "tropicalleaf leaf leave palm foliage monstera jungle tropical botanical botanic fern banana plant",
    cloverprint: "clover",
    geometricprint: "geometric geometry geometrical shape memphis",
    cowprint: "cow",
    waveprint: "retro",
    damaskprint: "brocade baroque",
    stripe: "striped stripy",
  }).flatMap(([print, words]) => words.split(" ").map((word) => [word, print] as const)),
);

/** Animals whose coat is a print beside a word for one. */
const coats = wordSet("leopard zebra");

/** Words between a print and what it shows: "pattern of stars", "tapeta w kwiaty". */
const joints = wordSet("of with in de d a à aux avec con di mit met z w von the and");
const sharedJoints = wordSet("on upon auf sur sobre su op na");

const isPatternWord = (word: ThemeWord | undefined) => word?.form === "pattern";
const isPaper = (word: Pick<ThemeWord, "form"> | undefined) => word?.form === "wallpaper";

/** The words with one for each print: "star pattern" is one, and "pattern" alone shapes nothing. */
function joined(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const isOfPaper = ({ word, form }: ThemeWord, at: number) =>
    form === null && coats.has(word) && isPaper(words[at + 1]) && !words[at + 1]!.startsPhrase;
  const out = words.map((one, at) => (isOfPaper(one, at) ? { ...one, form: `${one.word}print` } : one));
  for (let at = 0; at < out.length; at++) {
    const one = out[at]!;
    if (!isPatternWord(one) && !isPaper(one)) continue;
    const motif = motifBeside(out, at);
    if (motif === undefined) continue;
    const drawn = out[motif]!;
    const form = isPrint(patterns.get(drawn.form!)) ? drawn.form! : motifForms.get(drawn.form!)!;
    out[motif] = { ...drawn, form: motifForms.get(drawn.form!) ?? form };
    if (isPatternWord(one)) {
      const first = Math.min(at, motif);
      const between = out.slice(first, Math.max(at, motif) + 1).map(({ word }) => word);
      const word = [...new Set(between)].join(" ");
      out.splice(first, between.length, { ...out[motif], word, startsPhrase: out[first]!.startsPhrase });
      at = first;
    }
  }
  return out.map((one) => (isPatternWord(one) ? { ...one, form: null } : one));
}

/** Where the motif is that a word for a print is of: just before it, or behind it and a joint. */
function motifBeside(words: readonly ThemeWord[], at: number): number | undefined {
  const isMotif = (index: number) => {
    const form = words[index]?.form ?? "";
    return motifForms.has(form) || isPrint(patterns.get(form));
  };
  const isColor = (index: number) => isColorForm(words[index]?.form);
  let before = at - 1;
  while (isColor(before) && !words[before + 1]!.startsPhrase) before--;
  if (isMotif(before) && !words[before + 1]!.startsPhrase) return before;
  let behind = at + 1;
  // "Wzór w paski": the joint is the print's own.
  const ownJoint = words[behind]?.word.split(" ")[0] ?? "";
  let isJoined = joints.has(ownJoint) && words[behind]?.form !== null;
  while (words[behind]?.isStop === true && joints.has(words[behind]!.word) && !words[behind]!.startsPhrase) {
    isJoined = true;
    behind++;
  }
  while (isColor(behind) && !words[behind]!.startsPhrase) behind++;
  return isJoined && isMotif(behind) && !words[behind]!.startsPhrase ? behind : undefined;
}

const cloths: ReadonlySet<string> = new Set(["fabric", "silk", "velvet"]);
const chevronFloors = wordSet("oak wood parquet plank walnut floorboard hardwood floor herringbone");
const chevrons = wordSet("chevron chevrons");
const greenPlaces = wordSet("grass meadow lawn field");

/** Chevrons are laid in wood, or printed; a feast's clovers are printed, where no meadow is named. */
function asPrinted(words: readonly ThemeWord[]): readonly ThemeWord[] {
  const has = (forms: ReadonlySet<string>) => words.some(({ form, word }) => forms.has(form ?? "") || forms.has(word));
  const isLaid =
    has(chevronFloors) || words.some(({ form }) => form !== null && settings.has(form) && !isWallWord(form));
  const isFeast = words.some(({ form }) => form === "stpatrick") && !has(greenPlaces);
  return words.map((one, at) => {
    // "Floral fabric" is no garden.
    const next = words[at + 1];
    const isOfCloth = next !== undefined && !next.startsPhrase && cloths.has(surfaces.get(next.form ?? "")?.kind ?? "");
    if (isOfCloth && (one.form === "floral" || one.form === "tropical"))
      return { ...one, form: one.form === "floral" ? "floralprint" : "leafprint" };
    if (chevrons.has(one.word) && patterns.get(one.form ?? "") === "herringbone" && !isLaid)
      return { ...one, form: "zigzag" };
    return one.form === "clover" && isFeast ? { ...one, form: "cloverprint" } : one;
  });
}

/** What is worn or carried is no ground: "striped umbrella". Cloths, floors and walls are. */
function isOfThing(next: ThemeWord | undefined): boolean {
  if (next === undefined || next.startsPhrase || next.isStop) return false;
  return next.form === null || isThing(next.form);
}

function isThing(form: string | null): boolean {
  if (form === null || !namedThings.has(form) || surfaces.has(form) || settings.has(form)) return false;
  const carrier = carriers.get(form);
  return carrier === undefined || !takesPattern(carrier.surface.kind, "stripes");
}

/** A sofa is in a room, whose ground has no print of its own; the product is on it where the theme says so. */
function isOfFurniture(words: readonly ThemeWord[], at: number): boolean {
  const next = words[at + 1];
  if (next === undefined || next.startsPhrase || !furnitureWords.has(next.form ?? "")) return false;
  let before = at - 1;
  while (belongingWords.has(words[before]?.word ?? "")) before--;
  return !upon.has(words[before]?.word ?? "");
}

/**
 * The words with the prints of other things as words that are not known: "striped shirt on oak", "robe à pois", "stripes of light".
 *
 * @param areBehind the language puts prints behind nouns
 */
export function printsAsNamed(words: readonly ThemeWord[], areBehind: boolean): readonly ThemeWord[] {
  const read = joined(asPrinted(words));
  return read.map((one, at) => {
    const isPrinted = isPrint(patterns.get(one.form ?? "")) || chevrons.has(one.word);
    if (one.form === null || !isPrinted || isNoPattern(one.form)) return one;
    const before = read[at - 1];
    const isUnknown = (word: ThemeWord | undefined) => word !== undefined && word.form === null && !word.isStop;
    const isBehindNoun = areBehind && !one.startsPhrase && isUnknown(before);
    const isJoint = before?.isStop === true && joints.has(before.word) && !one.startsPhrase && !before.startsPhrase;
    const isBehindJoint = isJoint && (isUnknown(read[at - 2]) || isThing(read[at - 2]?.form ?? null));
    // "Koszula w paski", "robe à pois".
    const hasJoint = one.word.includes(" ") && joints.has(one.word.split(" ")[0]!) && !one.startsPhrase;
    const isOfLight = [before, read[at + 1]].some((word) => lights.has(word?.form ?? ""));
    const isStripeOfLight = one.form === "stripe" && isOfLight;
    // In these languages an adjective's noun is before it.
    const isOfNext =
      (isOfThing(read[at + 1]) && !(areBehind && read[at + 1]!.form === null)) || isOfFurniture(read, at);
    const isBehindOwn = isBehindNoun || isBehindJoint || (hasJoint && isUnknown(before));
    return isBehindOwn || isStripeOfLight || isOfNext ? { ...one, form: null } : one;
  });
}

/** They name a cloth or a floor by themselves. */
const isNoPattern = (form: string) => surfaces.has(form) || form === "picnicblanket" || form === "checkerfloor";

/** "White stars on navy": the color behind the joint is the ground's. */
export function isInkFirst(words: readonly ThemeWord[]): boolean {
  const isColor = (word: ThemeWord | undefined) => isColorForm(word?.form);
  const first = words.findIndex(isColor);
  const joint = words.findIndex(({ word, isStop }, at) => at > first && isStop && sharedJoints.has(word));
  return first >= 0 && joint > 0 && isColor(words[joint + 1]);
}

const backdrops = wordSet("backdrop background");

/** A pattern, its word, and the lexicon's. */
interface PatternWord {
  readonly pattern: Pattern;
  readonly word: string;
  readonly form: string;
  /** What is just behind it, or wallpaper before it: "hammered metal wall", "tapeta w paski". A backdrop goes on below the product. */
  readonly of: "wall" | "backdrop" | null;
}

/** The pattern of a theme, as its words are read. */
export function createPatternReader() {
  let found: PatternWord | undefined;
  /** What the words before belong to: a pattern whose noun is to come, wallpaper whose print is to come, or neither. */
  let run: "pattern" | "paper" | null = null;

  /** The first of them; a sports hall's parquet has its lines. */
  const take = (pattern: Pattern, word: string, form: string): void => {
    if (found !== undefined && pattern !== "court") return;
    found = { pattern, word, form, of: run === "paper" ? "wall" : null };
  };

  function read({ form, word, isStop, startsPhrase }: ThemeWord): void {
    if (startsPhrase) run = null;
    const pattern = patterns.get(form ?? "");
    if (pattern !== undefined) take(pattern, word, form!);
    if (isWallWord(form)) {
      if (run === "pattern") found = { ...found!, of: backdrops.has(form!) ? "backdrop" : "wall" };
      run = isPaper({ form }) ? "paper" : null;
    } else if (pattern !== undefined && pattern === found?.pattern) run = "pattern";
    else if (isStop) run = run === "paper" && joints.has(word) ? "paper" : null;
    else if (!isColorForm(form) && !(run === "pattern" && surfaces.has(form ?? ""))) run = null;
  }

  return {
    read,
    take,
    /** undefined: the ground has none. */
    ofGround: (): Pattern | undefined => (found?.of === "wall" ? undefined : found?.pattern),
    /**
     * What has the pattern, and the word for one that nothing can have.
     *
     * @param takeColor takes one that no noun of the theme has taken
     */
    settle: (theme: PatternedDraft, takeColor: () => string | undefined) => {
      const patterned = found && findPattern(theme, found, takeColor);
      return { patterned, lost: patterned || !found || isOnWall(found.pattern, theme) ? [] : [found.word] };
    },
  };
}

/** A word without a surface that is of a cloth on a table, before a wall. */
const clothWords = wordSet("check checked checkered chequered checkerboard chequerboard gingham plaid striped stripy");
/** In a place, too. Other prints are of no cloth that a room or a meadow has by itself: "bathroom with tropical wallpaper". */
const placesClothWords = new Set([...clothWords, ...wordSet("tartan dotted polkadot")]);

interface Patterned {
  readonly setting?: Setting;
  readonly roomWall?: NamedWall;
  readonly wallPattern?: Print;
  readonly pattern?: Pattern;
  readonly surface?: Surface;
  readonly surfaceColor?: string;
}

interface PatternedDraft {
  readonly setting?: Setting;
  readonly surface?: Surface;
  readonly surfaceColor?: string;
  readonly stand?: StandKind;
}

/** @returns undefined: the print is none of a bare wall's, nor of paper */
function findPrint({ setting, surface, stand }: PatternedDraft, { pattern, form }: PatternWord): Patterned | undefined {
  if (!isPrint(pattern) || isNoPattern(form)) return undefined;
  const wall = settings.get("wall")!;
  const isPapered = setting?.backdrop === "wall" && setting.color === wall.color && setting.decor === undefined;
  const isStudio = setting === undefined || (setting.backdrop === "sweep" && setting.decor === undefined);
  if (!isPapered && !isStudio) return undefined;
  if (isPapered || stand !== undefined) return { wallPattern: pattern };
  if (surface !== undefined && surface.kind !== "plain") return undefined;
  if (setting === undefined && clothWords.has(form)) return undefined;
  return { wallPattern: pattern, pattern, surface: surface ?? surfaces.get("paper")! };
}

const oak = surfaces.get("oak")!.color;
const metals: ReadonlySet<string> = new Set(
  [...surfaces.values()].filter(({ kind }) => kind === "metal").map(({ color }) => color),
);

/** A bare wall of what has the pattern: banded stone, hammered metal, boards in a herringbone, tiles of several colors. */
function wallWith(setting: Setting, pattern: Pattern): Patterned | undefined {
  const { decor, color } = setting;
  const isPlain = setting.color === settings.get("wall")!.color;
  if (pattern === "banded" && decor === "marble-wall") return { setting: { ...setting, decor: "banded-wall" } };
  if (pattern === "hammered" && setting.backdrop === "wall" && metals.has(color))
    return { setting: { ...setting, decor: "hammered-wall" } };
  if (pattern === "herringbone" && (decor === "board-wall" || (isPlain && decor === undefined)))
    return { setting: { ...setting, decor: "herringbone-wall", color: isPlain ? oak : color } };
  return pattern === "zellige" && setting.backdrop === "tiled-wall" && decor === undefined
    ? { wallPattern: pattern }
    : undefined;
}

/** The wall that the pattern is of, as of a room's wallpaper; undefined: no wall can have it. */
function findWall({ setting, surface }: PatternedDraft, { pattern, of }: PatternWord): Patterned | undefined {
  if (of === null || setting === undefined) return undefined;
  if (!isPrint(pattern) || pattern === "zellige" || !showsWall(setting)) {
    const wall = wallWith(setting, pattern);
    // A backdrop goes on below the product.
    const isBelow = wall !== undefined && surface !== undefined && takesPattern(surface.kind, pattern);
    return isBelow ? { ...wall, surface, pattern } : wall;
  }
  return { wallPattern: pattern, roomWall: { decor: "printed-wall", color: setting.color } };
}

/** Whether the pattern is that of the wall. */
const isOnWall = (pattern: Pattern, { setting }: PatternedDraft) =>
  (pattern === "painted" && setting?.decor === "painted-tiles") ||
  (pattern === "leaf" && setting?.decor === "leaf-wall");

/** A pattern without a surface is that of a wooden floor, or of a tablecloth. */
const ownSurface = (pattern: Pattern): Surface => surfaces.get(pattern === "herringbone" ? "oak" : "tablecloth")!;

/**
 * @param takeColor takes one that no noun of the theme has taken
 * @returns undefined: neither surface nor wall can have the pattern
 */
function findPattern(
  theme: PatternedDraft,
  named: PatternWord,
  takeColor: () => string | undefined,
): Patterned | undefined {
  const print = findWall(theme, named) ?? findPrint(theme, named);
  if (print !== undefined) return print;
  const { pattern, form } = named;
  const ofPlace =
    theme.setting && takesPattern(theme.setting.surface.kind, pattern) ? theme.setting.surface : undefined;
  // No floor has what a wall cannot have.
  if (named.of === "wall" && theme.setting !== undefined && theme.surface === undefined) return undefined;
  const isBarePlace = theme.setting !== undefined && theme.surface === undefined && theme.stand === undefined;
  const isPaper = isPrint(pattern) && !isNoPattern(form) && !placesClothWords.has(form);
  if (isBarePlace && ofPlace === undefined && isPaper) return undefined;
  const surface = theme.surface ?? ofPlace ?? ownSurface(pattern);
  if (!takesPattern(surface.kind, pattern)) return undefined;
  const color = takeColor();
  const printed = surface.kind === "tile" || !isPrint(pattern) ? undefined : printColors[pattern];
  const surfaceColor = theme.surfaceColor ?? color ?? printed;
  return { surface, pattern, ...(surfaceColor !== undefined && { surfaceColor }) };
}
