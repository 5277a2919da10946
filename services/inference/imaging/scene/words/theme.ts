import { type Avoided, isAvoided, isAvoidedProp, withoutAvoided } from "./avoid.ts";
import { patternsAsCast } from "./cast-patterns.ts";
import { type GelColors, gelColorsOf, gelsAsNamed, graySkies } from "./colored-gels.ts";
import { wordsAsMeant } from "./doubtful-places.ts";
import { coloredProps, isGilded, isOfPlants, type LastKnown, leafBehind } from "./golden.ts";
import { headPlacesFirst } from "./head-places.ts";
import { type NamedPart, partsNamed } from "./left-places.ts";
import type { LightKind, Mood, NamedWall, Pattern, PropKind, Setting, StandKind, Surface } from "./lexicon.ts";
import {
  avoidable,
  carriers,
  colors,
  flatLays,
  hintedWords,
  moods,
  ownPlaceWords,
  props,
  settings,
  stands,
  surfaces,
  takesPattern,
} from "./lexicon.ts";
import type { Print } from "./lexicon-patterns.ts";
import { asMeantBeside, beginsWithStand, cushionsOnSeats, islandsOfKitchens } from "./meant-beside.ts";
import { isLeftOut, namedThings, type ThemeThing } from "./named-things.ts";
import { oldWorldWordsIn } from "./old-world.ts";
import { createPatternReader, isInkFirst, printsAsNamed } from "./printed-patterns.ts";
import { withoutProductName } from "./product-names.ts";
import { drawnGoods } from "./product-nouns.ts";
import { colorsBeforeSigns, createLightReader, isOfLight, isOfShadow } from "./read-light.ts";
import { areFlowersElsewhere, createPlaceReader, type PlaceHints, placeHintsOf } from "./read-places.ts";
import { belongingWords, carrierOf, floorCompound, isPlacedUpon, takeCarrier, takeStand } from "./read-stands.ts";
import { createSurfaceReader, ownerOf, upon, wallSetting } from "./read-surfaces.ts";
import { createThingsReader, paintedEggsIn } from "./read-things.ts";
import { type GroundWords, settleGround } from "./settle-ground.ts";
import { createPendingColor, type PendingColor } from "./theme-colors.ts";
import { floorWords, isWallWord, readThemeText, type ThemeWord, tableWords } from "./theme-words.ts";
import { joiningWords, meantAfter, trimWords } from "./things-of-colors.ts";

/** A parsed theme text: what it names, and which of its words are not recognized. */
export interface Theme {
  readonly surface?: Surface;
  /** A pattern on the surface. */
  readonly pattern?: Pattern;
  /** A print on the wall behind the product, and on the ground where `pattern` is the same. */
  readonly wallPattern?: Print;
  /** Colors of its lamps from the left and from the right. */
  readonly gelColors?: GelColors;
  /** Its colors are named from the ink's to the ground's: "white stars on navy". */
  readonly isInkFirst: boolean;
  /** A color just before the surface, as in "black marble". `#rrggbb`. */
  readonly surfaceColor?: string;
  readonly setting?: Setting;
  readonly settingColor?: string;
  /** The place outside the windows of that one. */
  readonly view?: Setting;
  readonly light?: LightKind;
  /** Its light is a color's, "gold light", and implies no place, as that of a golden hour does. */
  readonly isColoredLight: boolean;
  /** Colors that the theme gives to neon light: `#rrggbb`. */
  readonly neonColors: readonly string[];
  /** What the product is put on. */
  readonly stand?: StandKind;
  readonly standColor?: string;
  /** What the stand is on. */
  readonly floor?: Surface;
  readonly floorColor?: string;
  readonly props: readonly PropKind[];
  readonly propColor?: string;
  /** That of edges and small parts, as in "black podium with gold accents". */
  readonly trimColor?: string;
  /** Drawn things for which the place has room, with their colors. */
  readonly things: readonly ThemeThing[];
  readonly moods: readonly Mood[];
  /** The words ask for a camera that looks down. */
  readonly isFlatLay: boolean;
  /** Moss grows on the surface. */
  readonly isMossy: boolean;
  /** Snow is named, be it as an adjective of something else. */
  readonly isSnowy: boolean;
  /** −1 darker … 1 lighter, for a surface such as "dark oak". */
  readonly surfaceTone: number;
  /** What the wall behind the place's furniture is made of; absent: plaster. */
  readonly roomWall?: NamedWall;
  /** That of the cushions on its sofa or bed. */
  readonly cushionColor?: string;
  /** Colors without a noun. */
  readonly accents: readonly string[];
  readonly recognized: readonly string[];
  readonly unrecognized: readonly string[];
  /** What its words name beside drawn things. */
  readonly named: readonly NamedPart[];
  /** Recognized words whose thing the scene does not have, but at most its light, its colors and its ground. */
  readonly notShown: readonly string[];
}

/** Words that darken or lighten the word behind them. */
const tones: ReadonlyMap<string, number> = new Map([
  ["dark", -1],
  ["deep", -1],
  ["light", 1],
  ["pale", 1],
]);

/** A tree before one of the forest words is not a wood surface: "pine forest", "cherry blossom". */
const treeWords: ReadonlySet<string> = new Set(["pine", "oak", "birch", "bamboo", "cherry", "maple", "hardwood"]);
const forestWords: ReadonlySet<string> = new Set(
  "forest forests tree trees wood woods garden grove blossom blossoms".split(" "),
);

/** Whether it follows in the same phrase, as the parts of a compound do. */
function isToned(next: ThemeWord | undefined, word: string): next is ThemeWord {
  return next !== undefined && !next.isStop && (!next.startsPhrase || next.word === word);
}

/** Where two moods contradict each other, the one named first applies. */
const oppositeMoods: readonly (readonly [Mood, Mood])[] = [
  ["dark", "bright"],
  ["warm", "cold"],
  ["minimal", "vivid"],
];

/** Never fails: unknown words shape nothing, and a text without a known one is the empty theme. */
export function parseTheme(text: string, avoided?: Avoided): Theme {
  const { words: written, ignored, isNounFirst, arePrintsBehind } = readThemeText(text);
  const meant = asMeantBeside(graySkies(leafBehind(gelsAsNamed(wordsAsMeant(written)))), isNounFirst);
  const read = printsAsNamed(colorsBeforeSigns(patternsAsCast(meant)), arePrintsBehind);
  const { words: all, ofProduct } = withoutProductName(read, isNounFirst);
  const kept = avoided === undefined ? all : all.filter((word) => !isAvoided(word, avoided));
  const words = headPlacesFirst(paintedEggsIn(islandsOfKitchens(kept)));
  // Whoever avoids the table's wood or its kitchen gets no other wooden table instead.
  const isDenied = all.some((word) => !kept.includes(word) && isOfGround(word));
  const hints = placeHintsOf(words);
  const goods = goodsOf(ofProduct);
  const reader = createReader(hints, {
    isTableDenied: isDenied,
    isOnFirst: beginsWithStand(words),
    ofProduct: goods.find(({ setting }) => setting !== undefined)?.setting,
    ofGround: { namesRoom: hints.namesRoom, isOnLand: goods.some(({ place }) => place === "behind") },
  });
  const cushions = cushionsOnSeats(words);
  const asDoor = (word: ThemeWord) =>
    hints.hasRoomForDoor && word.form === "barndoor" ? { ...word, form: "frontdoor" } : word;
  for (const [at, word] of words.entries())
    if (!cushions.words.has(word)) reader.read(asDoor(word), words.slice(at + 1, at + 3));
  const { theme: found, moods: foundMoods, ...others } = reader.finish();
  const gelColors = gelColorsOf(words);
  const isBySea = hints.isAtBeach && isSandBySea(found.setting) && found.surface?.kind === "water";
  const theme = isBySea ? withSeaOf(found) : found;
  const seas = isBySea ? words.filter(({ form }) => form !== null && surfaces.get(form)?.kind === "water") : [];
  // "French street" has old houses because of its first word.
  const ofTown = theme.setting?.decor === "town" ? oldWorldWordsIn(words) : new Set<ThemeWord>();
  const told = words.filter((word) => word.form !== null || ofTown.has(word));
  const known = told.map(({ word }) => word);
  const isUnknown = (word: ThemeWord) => words.includes(word) && !told.includes(word) && !word.isStop;
  const unknown = read.filter((word) => isUnknown(word) || ofProduct.includes(word)).map(({ word }) => word);
  return {
    ...theme,
    // Fireworks are seen at night.
    ...(theme.light === undefined &&
      others.things.some(({ name }) => name === "fireworks") && { light: "night" as const }),
    props: [...new Set(theme.props)],
    moods: withoutContradictions(foundMoods),
    isInkFirst: isInkFirst(words),
    ...(gelColors !== undefined && { gelColors }),
    ...others,
    ...(cushions.color !== undefined && { cushionColor: cushions.color }),
    named: [...others.named, ...cushions.parts, ...seas.map(({ word }) => ({ word, isSea: true }))],
    ...(avoided && leaveOut({ ...theme, ...others }, all, avoided)),
    // A compound is several words of the lexicon and one of the text.
    recognized: known.filter((word, at) => word !== known[at - 1] || told[at]?.form === told[at - 1]?.form),
    unrecognized: [...unknown.filter((word, at) => word !== unknown[at - 1]), ...ignored],
  };
}

const isSandBySea = (place: Setting | undefined) => place?.backdrop === "sea" && place.surface.kind === "sand";

/** "Beach with turquoise water": the sea is turquoise, and the product stands on sand. */
function withSeaOf<T extends Pick<Theme, "surface" | "surfaceColor" | "settingColor">>(theme: T) {
  const { surface: _water, surfaceColor, ...others } = theme;
  const settingColor = theme.settingColor ?? surfaceColor;
  return { ...others, ...(settingColor !== undefined && { settingColor }) };
}

const isOfGround = ({ form }: ThemeWord) => form !== null && (surfaces.has(form) || settings.has(form));

/**
 * The parts of a theme from which something is taken.
 *
 * @param words all words of the text
 */
function leaveOut(
  { setting, view, props: named, things, notShown }: Pick<Theme, "setting" | "view" | "props" | "things" | "notShown">,
  words: readonly ThemeWord[],
  avoided: Avoided,
): Partial<Theme> {
  const leftOut = things.filter((thing) => isLeftOut(thing, avoided.things));
  const denied = words.filter((word) => isAvoided(word, avoided)).map(({ word }) => word);
  // A kitchen without its stove is one.
  const places = words.filter(({ word, form }) => form !== null && settings.has(form) && !avoidable.has(word));
  const shown = new Set(setting === undefined ? [] : places.map(({ word }) => word));
  const lost = [...denied, ...leftOut.flatMap(({ words: own }) => own)].filter((word) => !shown.has(word));
  return {
    ...(setting && { setting: withoutAvoided(setting, avoided) }),
    ...(view && { view: withoutAvoided(view, avoided) }),
    props: [...new Set(named)].filter((prop) => !isAvoidedProp(prop, avoided)),
    things: things.filter((thing) => !leftOut.includes(thing)),
    notShown: [...new Set([...notShown, ...lost])],
  };
}

type Draft = {
  -readonly [K in keyof Omit<
    Theme,
    | "props"
    | "things"
    | "isInkFirst"
    | "isColoredLight"
    | "neonColors"
    | "isSnowy"
    | "isMossy"
    | "isFlatLay"
    | "named"
    | "notShown"
  >]?: Theme[K];
} & {
  readonly props: PropKind[];
  readonly neonColors: string[];
  isColoredLight: boolean;
  isSnowy: boolean;
  isMossy: boolean;
  isFlatLay: boolean;
  joined?: string;
};

const emptyDraft = (): Draft => ({
  props: [],
  neonColors: [],
  isColoredLight: false,
  isSnowy: false,
  isMossy: false,
  isFlatLay: false,
});

/** Colors of what is splashed; water has none. */
const liquids: ReadonlyMap<string, string> = new Map([
  ["milksplash", "#f4efe6"],
  ["chocolatesplash", "#4a2414"],
  ["coffeesplash", "#43240f"],
  ["juicesplash", "#f0991c"],
]);

/** What stands in a vase where a theme names flowers in a room: blossoms have a drawing of their own. */
const cutFlowerOf = (form: string) => (namedThings.has(form) ? form : "peony");

interface ReaderOptions {
  /** A lone table brings neither its wood nor a room. */
  readonly isTableDenied: boolean;
  /** The product is on what the theme names first. */
  readonly isOnFirst: boolean;
  /** Where such a product is, which is not drawn, if no place is named. */
  readonly ofProduct: Setting | undefined;
  readonly ofGround: Pick<GroundWords, "namesRoom" | "isOnLand">;
}

function createReader(hints: PlaceHints, { isTableDenied, isOnFirst, ofProduct, ofGround }: ReaderOptions) {
  const theme = emptyDraft();
  const foundMoods: Mood[] = [];
  const color = createPendingColor();
  let tone = 0;
  /** Where the black stands that brings the mood. */
  let blackAt: number | undefined;
  const pattern = createPatternReader();
  let isAtTable = false;
  let isUpon = isOnFirst;
  let carrierPlace: string | null | undefined;
  let lastStop = "";
  let lastJoint = ""; // The last stop word that is no article.
  let lastForm: string | null = null;
  let lastKnown: LastKnown = [null, null];
  const place = createPlaceReader(theme, color, takeColor, hints);
  const ground = createSurfaceReader(theme, takeColor);
  const light = createLightReader(theme, color);
  const things = createThingsReader(color);
  const named: NamedPart[] = [];
  const notShown = new Set<string>();
  const ownPlaces: OwnPlace[] = [];

  function takeColor(): string | undefined {
    tone = 0;
    return color.take();
  }

  function readColor(form: string, next: ThemeWord | undefined): void {
    if (isOfShadow(next) || light.readTube(form, lastForm, next)) return;
    color.read(form, tone, lastForm);
    if (trimWords.has(lastStop) && lastForm === null) takeTrim(theme, color.take());
    tone = 0;
    if (form === "gold") foundMoods.push("luxury");
    if (form === "black" && blackAt === undefined) blackAt = foundMoods.push("dark") - 1;
  }

  function read({ form, word, isStop, startsPhrase }: ThemeWord, [next, after]: readonly ThemeWord[]): void {
    if (startsPhrase) lastForm = null;
    // "A podium in pink with petals": the podium is pink, and not the petals.
    if (isStop && joiningWords.has(word) && !tableWords.has(lastStop)) color.settle();
    if (isStop) lastStop = word;
    light.readWord({ word, isStop, startsPhrase }, lastForm);
    if (isStop && !belongingWords.has(word)) lastJoint = word;
    isUpon = isPlacedUpon({ word, isStop, startsPhrase }, next, isUpon);
    if (trimWords.has(word)) takeTrim(theme, takeColor());
    isAtTable = (ground.readTable(form ?? word, word, colors.has(lastForm ?? "")) && !isTableDenied) || isAtTable;
    if (floorWords.has(word)) ground.readFloor(surfaces.has(lastForm ?? ""));
    else if (form !== null && !surfaces.has(form) && !colors.has(form)) ground.leaveFloor();
    const beforeIt = lastForm === null ? lastStop : "";
    const meant = form === null ? null : meantAfter(beforeIt, lastKnown[0], form, [next, after]);
    pattern.read({ form: meant, word, isStop, startsPhrase });
    if (form !== null && meant !== null) {
      if (meant !== form) readNoun(meant, word, next);
      else if (form === "gold" && isOfLight(next, beforeIt)) light.readGold();
      else if (form.startsWith("#") || colors.has(form)) readColor(form, next);
      else if (form === "golden" && isGilded(word, [next, after], lastStop, lastKnown)) readColor("gold", next);
      // Golden leaves are no sky.
      else if (form === "golden" && isOfPlants(next)) light.readGold();
      // What is on towels has them below it, and not beside it.
      else readNoun(form === "towels" && isUpon ? "towel" : form, word, next);
      if (floorCompound.test(word)) ground.readFloor(true);
    }
    lastForm = form;
    if (form !== null) lastKnown = [form, lastKnown[0]];
  }

  function readNoun(form: string, word: string, next: ThemeWord | undefined): void {
    if (tones.has(form) && isToned(next, word)) {
      tone = tones.get(form)!;
      // "Dark green" names a color only; "dark oak" and "dark studio" also name a mood.
      if (next.form !== null && colors.has(next.form)) return;
    }
    const carrier = isUpon && theme.stand === undefined ? carrierOf(form, word, next) : undefined;
    if (carrier !== undefined) carrierPlace = takeCarrier(theme, carrier, lastForm, takeColor());
    const prop = carrier === undefined ? props.get(form) : undefined;
    if (prop !== undefined) takeProp(theme, prop, form, { color, takeColor });
    theme.isFlatLay ||= flatLays.has(form);
    // On a mirror: it is the ground.
    const isCut = areFlowersElsewhere(form, theme.stand !== undefined || place.isRoom(), hints);
    const isCarried = isOfCoffee(form, next) || carrier !== undefined || (surfaces.has(form) && upon.has(lastStop));
    const thing = isCarried ? undefined : things.read(isCut ? cutFlowerOf(form) : form, word, takeColor);
    const isOfSlabs = form === "tile" && theme.surface !== undefined && takesPattern(theme.surface.kind, "slabs");
    if (isOfSlabs) pattern.take("slabs", word, form);
    const stand = stands.get(form);
    if (stand !== undefined && theme.stand === undefined) takeStand(theme, stand, takeColor());
    const isTree = treeWords.has(form) && forestWords.has(next?.form ?? "");
    const made = isTree || thing !== undefined ? undefined : surfaces.get(form);
    const isWall = made !== undefined && isWallWord(next?.form);
    const isOfProp = made !== undefined && coloredProps.has(props.get(next?.form ?? "") ?? "");
    // "Red velvet curtain": the cloth is the curtain's.
    if (isOfProp) color.set(made.color);
    const owner = made === undefined ? null : ownerOf(made, next, form, lastForm);
    if (owner === "thing") color.set(color.peek() ?? made!.color);
    if (owner === "unknown") notShown.add(word);
    const surface = isWall || isOfProp || owner !== null || carrier !== undefined ? undefined : made;
    const setting = isCut ? undefined : isWall ? wallSetting(made) : settings.get(form);
    // A backdrop of a material is below the product, too.
    if (isWall && !endsAtGround(next) && theme.surface === undefined) goOnBelow(theme, made, color.peek());
    const isGround = surface !== undefined && (theme.surface === undefined || setting === undefined);
    const hasGround = isGround && ground.read(surface, { form, next, before: lastStop, joint: lastJoint, tone });
    // A nightstand is a board to stand on, and implies its room.
    const hasPlace =
      setting !== undefined && place.readSetting(form, setting, isGround || prop !== undefined, [lastForm, next]);
    const ofPlace = stand ?? surface ?? setting ?? carriers.get(form);
    const isNoun = ofPlace !== undefined && (prop ?? thing) === undefined && !isWallWord(form);
    const isShown = hasGround || hasPlace || carrier !== undefined || (stand !== undefined && theme.stand === stand);
    if (hasPlace && ownPlaceWords.has(form)) ownPlaces.push({ word, place: settings.get(form)! });
    else if (isNoun && !isOfSlabs && (isOnlyHinted(form, hints) || !isShown)) notShown.add(word);
    named.push(...partsNamed(word, prop, hasPlace ? setting : undefined, carrier?.stand ?? stand));
    light.read(form, prop, next, lastForm);
    const mood = moods.get(form);
    if (mood !== undefined && !(form === "light" && tone === 0)) foundMoods.push(mood);
  }

  return {
    read,
    finish: () => {
      const isOpen = !things.lieOnLinen(theme) && (theme.stand === undefined || carrierPlace !== undefined);
      const ofThings = isOpen ? (things.setting(theme) ?? (theme.surface && ofProduct)) : undefined;
      const implied = settings.get(carrierPlace ?? "") ?? ofThings;
      if (implied !== undefined && place.mayYield(implied)) theme.setting = implied;
      light.settle();
      if (things.hasWindow()) place.readWindow(theme.props.includes("rain"));
      // A white wall behind a black podium is white, and white stars are on black.
      if (blackAt !== undefined && place.isRoom() && !isBlack(theme.settingColor)) foundMoods.splice(blackAt, 1);
      const isBare = theme.setting === undefined && color.isEmpty();
      settleGround(theme, {
        moods: foundMoods,
        on: isBare && (isAtTable || things.areOfTable()) ? "room" : isAtTable ? "table" : "place",
        pattern: pattern.ofGround(),
        ...ground.found(),
        hasRoad: place.hasRoad(),
        ...ofGround,
      });
      const { things: shown, noRoom, ofPlace, wildHerbs } = things.finish(theme.setting, theme.joined);
      delete theme.joined;
      const { patterned, lost } = pattern.settle(theme, () => color.take());
      return {
        theme: { ...withHerbs(theme, wildHerbs), ...patterned },
        things: shown,
        moods: foundMoods,
        accents: color.left(),
        surfaceTone: ground.found().surfaceTone,
        named: place.partsShown(named, ofPlace, wildHerbs),
        notShown: [...new Set([...notShown, ...lost, ...replacedWords(ownPlaces, theme), ...noRoom])],
      };
    },
  };
}

/** What kind of thing the product is, as far as the scene has a drawing of it, and where such a thing is. */
const goodsOf = (product: readonly ThemeWord[]) =>
  product
    .flatMap(({ form }) => (drawnGoods.has(form ?? "") ? (namedThings.get(form!) ?? []) : []))
    .map(({ place, setting }) => ({ place, setting: settings.get(setting ?? "") }));

/** A place that is shown only where no other one is painted: "Hawaii" beside "kitchen" is told. */
interface OwnPlace {
  readonly word: string;
  readonly place: Setting;
}

const replacedWords = (ownPlaces: readonly OwnPlace[], { setting }: Pick<Theme, "setting">) =>
  ownPlaces.filter(({ place }) => place !== setting).map(({ word }) => word);

/** A city is there by its streets. */
const isOnlyHinted = (form: string, { cities }: PlaceHints) => hintedWords.has(form) && !cities.has(form);

function withHerbs(theme: Draft, wildHerbs: readonly string[]): Draft {
  return wildHerbs.length === 0 ? theme : { ...theme, props: [...theme.props, "plants"] };
}

/** True for the color of a wall that is not named, too. */
const isBlack = (wall: string | undefined) => wall === undefined || wall === colors.get("black");

/** A coffee grinder is no coffee. */
const isOfCoffee = (form: string, next: ThemeWord | undefined) =>
  form === "coffee" && next?.form === null && !next.isStop && !next.startsPhrase;

type Colors = { readonly color: PendingColor; readonly takeColor: () => string | undefined };

function takeProp(theme: Draft, prop: PropKind, form: string, { color, takeColor }: Colors): void {
  theme.props.push(prop);
  if (prop === "gradient") return;
  // Plants are green, and a flower's color is the place's.
  if (prop === "plants" && !color.isGreen()) return;
  const own = takeColor() ?? liquids.get(form);
  if (own === undefined || prop === "plants") return;
  // Palms and lemons have colors of their own, and a curtain beside them keeps its.
  if (prop !== "palms" && prop !== "lemons") theme.propColor = own;
}

/** A wall ends at the ground, where a backdrop goes on. */
const endsAtGround = (next: ThemeWord | undefined) => next?.form === "wall" || next?.form?.startsWith("panel") === true;

/** A backdrop's material is the ground, too. */
function goOnBelow(theme: Draft, surface: Surface, own: string | undefined): void {
  theme.surface = surface;
  if (own !== undefined) theme.surfaceColor = own;
}

function takeTrim(theme: Draft, own: string | undefined): void {
  if (own !== undefined) theme.trimColor = own;
}

function withoutContradictions(moods: readonly Mood[]): Mood[] {
  const loses = (mood: Mood, at: number) =>
    oppositeMoods.some(
      (pair) => pair.includes(mood) && moods.slice(0, at).includes(pair[0] === mood ? pair[1] : pair[0]),
    );
  return [...new Set(moods.filter((mood, at) => !loses(mood, at)))];
}
