/** The drawn things of a theme, as its words are read. */

import {
  type Decor,
  outdoorBackdrops,
  type Setting,
  type Surface,
  type SurfaceKind,
  settings,
  surfaces,
} from "./lexicon.ts";
import { furnishings, type NamedThing, namedThings, type ThemeThing } from "./named-things.ts";
import type { PendingColor } from "./theme-colors.ts";
import type { ThemeWord } from "./theme-words.ts";

/** As many as a picture has places for. */
const thingsMax = 5;

/** A place is told by so many things, its own beside those of the theme. */
const tellingMax = 3;

/** They fly in rooms, too. */
const fliesIndoors: ReadonlySet<string> = new Set("butterfly bats soap-bubbles paper-plane bird planets".split(" "));

/** Where food is made or served, which lies on any ground. */
const placesOfFood: ReadonlySet<string> = new Set(["kitchen", "bar", "cafe", "market"]);

/** Houses of the country: in a town and among flowers they would hang in the air. */
const countryHouses: ReadonlySet<string> = new Set("villa cottage farmhouse barn log-cabin".split(" "));

/** A castle does not stand in a kitchen, and no clock hangs in the sky. */
function fits({ name, place, kind }: NamedThing, { backdrop, decor }: Partial<Setting>): boolean {
  const isIndoors = backdrop === undefined || !outdoorBackdrops.has(backdrop);
  if (countryHouses.has(name) && (backdrop === "skyline" || decor === "flowers" || decor === "porch")) return false;
  // They grow in no surf.
  if (place === "flower" && backdrop === "sea" && decor === undefined) return false;
  // Behind a windowsill is the window.
  if (decor === "window-sill") return place === "beside" || place === "flower" || place === "corner";
  if (place === "far" || place === "sky") return !isIndoors || fliesIndoors.has(name);
  // A neon sign hangs in a street, too.
  return place === "wall" ? isIndoors || (kind === "lights" && backdrop === "skyline") : true;
}

/** What a place has on its own: rooms have a window, and where a fire burns there is no second one. */
function isThere({ name }: NamedThing, { backdrop, decor, surface }: Partial<Setting>): boolean {
  if (name === "rainbow") return decor === "playroom";
  // The product stands on the boards of a pier.
  if (name === "pier") return backdrop === "sea" && surface?.kind === "wood";
  if (name === "window") return backdrop === "interior";
  // It grows there.
  if (name === "pampas-vase") return backdrop !== undefined && outdoorBackdrops.has(backdrop);
  if (name === "fireplace") return decor === "fireplace" || decor === "christmas";
  if (name === "haussmann") return decor === "town" || decor === "bistro";
  return decor !== undefined && ownThings[decor]?.includes(name) === true;
}

/** What places paint by themselves. */
const ownThings: Readonly<Partial<Record<Decor, readonly string[]>>> = {
  graffiti: ["graffiti"],
  loft: ["sofa"],
  gym: ["mirror"],
  lockers: ["bench"],
  laundry: ["washing-machine"],
  skatepark: ["skate-ramp"],
  bistro: ["bistro-table", "wicker-chair", "awning"],
  classroom: ["blackboard", "school-desk"],
  "ice-cream-parlor": ["awning"],
};

const isOutdoors = (setting: Setting | undefined): boolean =>
  setting !== undefined && outdoorBackdrops.has(setting.backdrop);

const isRoom = (setting: Setting | undefined): boolean => setting !== undefined && !isOutdoors(setting);

/** A yacht is told by what tells a boat. */
function isSame(one: Setting | undefined, other: Setting | undefined): boolean {
  return one?.backdrop === other?.backdrop && one?.decor === other?.decor && one?.color === other?.color;
}

/** On a beach it sells from a hut. */
const huts: ReadonlySet<string> = new Set(["juicebar"]);
const hut = namedThings.get("beachbar")!;

function isBeach(setting: Setting | undefined): boolean {
  return setting?.backdrop === "sea" && setting.surface.kind === "sand" && setting.decor !== "underwater";
}

interface ReadThing extends NamedThing {
  readonly words: readonly string[];
}

/** French "serviettes" are towels, and napkins where one eats. */
const diningPlaces = ["restaurant", "dining", "diner", "cafe", "cafeterrace"].map((word) => settings.get(word));
const napkin = namedThings.get("napkin")!;

function asNapkins(thing: ReadThing, setting: Setting | undefined): ReadThing {
  const isNapkin = thing.name === "towels" && thing.words.every((word) => word.startsWith("serviette"));
  if (!isNapkin || setting === undefined || !diningPlaces.some((place) => isSame(place, setting))) return thing;
  return { ...thing, ...napkin, words: thing.words };
}

/** Where a party by day hangs flags between trees; a ball of mirrors turns indoors. */
const partyGrounds: ReadonlySet<string | undefined> = new Set(["foliage", "hills", "sea"]);
const mirrorBall = namedThings.get("disco")!.name;
const stove = namedThings.get("stove")!.name;
const bunting = namedThings.get("bunting")!;

function asBunting(thing: ReadThing, { backdrop, decor }: Partial<Setting>): ReadThing {
  if (thing.name !== mirrorBall || !partyGrounds.has(backdrop) || decor === "underwater") return thing;
  return { ...thing, ...bunting, words: thing.words };
}

const souks = ["souk", "riad"].map((word) => settings.get(word)!);
const brassLantern = namedThings.get("moroccanlantern")!;

/** Lamps that hang in a bazaar are lanterns of brass. */
function asLanterns(thing: ReadThing, setting: Setting | undefined): ReadThing {
  if (thing.name !== "pendant" || !souks.some((souk) => isSame(souk, setting))) return thing;
  const { kind, color, name } = brassLantern;
  return { ...thing, kind, color, name, place: "above" };
}

const wildFern = namedThings.get("wildfern")!;
const saguaro = namedThings.get("saguaro")!;

/** No garden has such a ground. */
const indoors: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["marble", "silk", "velvet"]);

const growing: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["grass", "soil", "snow"]);
const pots: ReadonlySet<string> = new Set(["pot", "flowerpot", "pottedfern", "herbpot"]);
const herbPots = namedThings.get("herb")!.name;
/** Grass, where they name what grows on the land. */
const grasses: ReadonlySet<string> = new Set(["hierbas", "erbe"]);

/** A fern grows in the ground of a forest; on tiles and boards it has a pot. */
function growsThere(setting: Setting | undefined): boolean {
  if (setting === undefined || isRoom(setting)) return false;
  return growing.has(setting.surface.kind) || setting.decor === "trail";
}

/** Ferns of a wood and cacti of a desert grow in no pots, and are larger than those that do. */
function asWild(thing: ReadThing, setting: Setting | undefined): ReadThing {
  if (thing.name === "fern" && growsThere(setting)) return { ...thing, ...wildFern };
  return thing.name === "cactus" && setting?.backdrop === "dunes" ? { ...thing, ...saguaro } : thing;
}

/** Herbs of the land are in no pots; in a garden and on a terrace they may be. */
function isOpenLand(setting: Setting | undefined): boolean {
  return growsThere(setting) || setting?.surface.kind === "sand" || setting?.surface.kind === "stone";
}

/** Things of one drawing are one thing: a forest's ferns and its wild ones. */
function merged(things: readonly ReadThing[]): ReadThing[] {
  return [...Map.groupBy(things, ({ name }) => name).values()].map((same) => ({
    ...same[0]!,
    words: same.flatMap(({ words }) => words),
  }));
}

/** A street ends at one landmark; no other has room between its houses. */
function atStreetEnd(things: readonly ReadThing[], setting: Setting | undefined): ReadThing[] {
  const landmark = things.find(({ place }) => place === "far");
  return things.filter((thing) => setting?.decor !== "town" || thing.place !== "far" || thing === landmark);
}

/** Eggs beside one of them are painted; others are a hen's. */
const easterWords: ReadonlySet<string> = new Set("easter paintedegg easterbasket easternest pastel bunny".split(" "));

export function paintedEggsIn(words: readonly ThemeWord[]): readonly ThemeWord[] {
  if (!words.some(({ form }) => easterWords.has(form ?? ""))) return words;
  return words.map((word) => (word.form === "egg" ? { ...word, form: "paintedegg" } : word));
}

interface LaidTheme {
  readonly isFlatLay: boolean;
  readonly setting?: Setting | undefined;
  surface?: Surface | undefined;
}

interface FoundThings {
  readonly things: readonly ThemeThing[];
  readonly noRoom: readonly string[];
  readonly ofPlace: readonly string[];
  /** The words for wild herbs, which are no drawing. */
  readonly wildHerbs: readonly string[];
}

/** @param pending the theme's color: "lemon slices on blue" has that ground, and is in no bar */
export function createThingsReader(pending: Pick<PendingColor, "isEmpty">) {
  const named = new Map<string, NamedThing & { readonly words: string[] }>();
  const places: string[] = [];
  let hasHut = false;
  let hasPots = false;
  let hasDisco = false;
  let hasStove = false;
  return {
    /**
     * @param form the lexicon's word
     * @param word as it is in the text
     * @returns the thing that the form names
     */
    read: (form: string, word: string, takeColor: () => string | undefined): NamedThing | undefined => {
      if (furnishings.has(form)) places.push(form);
      hasHut ||= huts.has(form);
      hasPots ||= pots.has(form);
      hasDisco ||= form !== "party" && namedThings.get(form)?.name === mirrorBall;
      const thing = namedThings.get(form);
      if (thing === undefined) return undefined;
      hasStove ||= thing.name === stove && !settings.has(form);
      const known = named.get(thing.name);
      known?.words.push(word);
      if (known === undefined) {
        // A white fence is white already, and its garden is not; a blue kitchen is blue, and not its stove.
        const own = thing.color === null && isRoom(settings.get(form)) ? undefined : takeColor();
        const color = thing.color === null ? null : (own ?? thing.color);
        named.set(thing.name, { ...thing, color, words: [word] });
      } else if (known.color !== null && known.color === thing.color) {
        // A feast has garlands, and these are orange.
        named.set(thing.name, { ...known, color: takeColor() ?? known.color });
      }
      return thing;
    },
    /** Where the first of them stands; in snow no wood is green. */
    setting: ({ isSnowy, surface }: LaidTheme & { readonly isSnowy: boolean }): Setting | undefined => {
      // Flowers in a vase are in a room, and so are those on marble and silk.
      const isCut = named.has("vase") || (surface !== undefined && indoors.has(surface.kind));
      // Sausages hang in a kitchen, unless they are on a grill.
      const all = [...named.values()];
      const placing = all.toSorted((a, b) => Number(a.name === "sausages") - Number(b.name === "sausages"));
      const words = placing.flatMap(({ place, setting }) =>
        (isCut && place === "flower") || (!pending.isEmpty() && placesOfFood.has(setting ?? "")) ? [] : (setting ?? []),
      );
      if (words[0] === undefined) return undefined;
      return settings.get(isSnowy && words[0] === "forest" ? "winter" : words[0]);
    },
    /** @returns whether flowers are cut for a flat lay; it is on linen where the theme names nothing else for it */
    lieOnLinen: (theme: LaidTheme): boolean => {
      const all = [...named.values()];
      const areFlowers = all.length > 0 && all.every(({ place, setting }) => place === "flower" && setting !== null);
      if (!areFlowers || !theme.isFlatLay || theme.setting !== undefined) return false;
      if (theme.surface === undefined && pending.isEmpty()) theme.surface = surfaces.get("linen")!;
      return true;
    },
    hasWindow: (): boolean => named.has("window"),
    /** Whether all of them are small things that stand anywhere. */
    areOfTable: (): boolean =>
      named.size > 0 && [...named.values()].every(({ place, setting }) => place === "beside" && setting === null),
    /**
     * The things that a place has room for, and the words for the others: for those that the place has on its own, and the rest.
     *
     * @param joined the place that two of the theme's are: "a café in Paris" is a terrace
     */
    finish: (setting: Setting | undefined, joined: string | undefined): FoundThings => {
      const hasFlowers = [...named.values()].some(({ place }) => place === "flower");
      // Flowers in a room have a vase already; outdoors they grow, and a bouquet stands beside the product.
      const isVaseOf = ({ name }: NamedThing) => name === "vase" && hasFlowers && !isOutdoors(setting);
      // A market of flowers sells no vegetables, unless the theme names their crate.
      const isOfMarket = ({ name, words }: { readonly name: string; readonly words: readonly string[] }) =>
        joined === "flowershop" && name === "crate" && words.length === 1;
      // A painted kitchen has a hood and a stove of its own: the drawing of a whole cooker before them would be far too small.
      const isOfKitchen = ({ name }: NamedThing) => name === stove && !hasStove && setting?.decor === "kitchen";
      const areHerbsWild = !hasPots && setting !== undefined && !isRoom(setting) && isOpenLand(setting);
      const herbs = areHerbsWild ? [...named.values()].filter(({ name }) => name === herbPots) : [];
      const herbWords = herbs.flatMap(({ words }) => words);
      const all = merged(
        [...named.values()]
          .map((one) => (hasDisco ? one : asBunting(one, setting ?? {})))
          .map((thing) => asNapkins(asLanterns(hasPots ? thing : asWild(thing, setting), setting), setting)),
      )
        .filter(
          (thing) => !isThere(thing, setting ?? {}) && !isVaseOf(thing) && !isOfMarket(thing) && !isOfKitchen(thing),
        )
        .filter(({ name }) => herbs.length === 0 || name !== herbPots);
      const fitting = atStreetEnd(
        all.filter((thing) => fits(thing, setting ?? {})),
        setting,
      ).slice(0, thingsMax);
      const others = all.filter((one) => !fitting.includes(one));
      const own = (
        joined === undefined || !furnishings.has(joined) || places.includes(joined) ? places : [...places, joined]
      )
        .filter((word) => isSame(settings.get(word), setting))
        .flatMap((word) => furnishings.get(word)!);
      if (hasHut && isBeach(setting)) own.push(hut);
      const telling = own.filter(
        ({ name }, at) => !fitting.some((one) => one.name === name) && own.findIndex((one) => one.name === name) === at,
      );
      // A theme that names things says by itself what is there.
      const room = fitting.length > 1 ? 0 : tellingMax - fitting.length;
      return {
        things: [...fitting, ...telling.slice(0, room).map((thing) => ({ ...thing, words: [] }))],
        noRoom: others.flatMap(({ words }) => words),
        ofPlace: [...named.values()].filter((thing) => isThere(thing, setting ?? {})).flatMap(({ words }) => words),
        wildHerbs: herbWords.filter((word) => !grasses.has(word)),
      };
    },
  };
}
