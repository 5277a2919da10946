/** The words that a theme may use, parsed from their tables. */

import { isPrint, patternKinds, patternRows } from "./lexicon-patterns.ts";
import {
  avoidableRows,
  carrierRows,
  flatLayRows,
  lightRows,
  moodRows,
  propRows,
  settingRows,
  standRows,
  stopWordRows,
  styleRows,
} from "./lexicon-settings.ts";
import { colorRows, surfaceRows } from "./lexicon-surfaces.ts";

export const surfaceKinds = [
  "wood",
  "marble",
  "concrete",
  "stone",
  "sand",
  "grass",
  "fabric",
  "tile",
  "metal",
  "water",
  "snow",
  "plain",
  "gloss",
  "pebble",
  "soil",
  "asphalt",
  "terrazzo",
  "silk",
  "velvet",
  "ice",
  "mirror",
  "foil",
] as const;
export type SurfaceKind = (typeof surfaceKinds)[number];

export const backdropKinds = [
  "sweep",
  "wall",
  "tiled-wall",
  "interior",
  "shelves",
  "foliage",
  "sea",
  "dunes",
  "hills",
  "mountains",
  "skyline",
  "sky",
  "stars",
  "snowfield",
] as const;
export type BackdropKind = (typeof backdropKinds)[number];

/** They are lit by the sky. */
export const outdoorBackdrops: ReadonlySet<BackdropKind> = new Set([
  "sea",
  "dunes",
  "hills",
  "mountains",
  "sky",
  "stars",
  "snowfield",
  "foliage",
  "skyline",
]);

/** Backdrops that are seen through a window. */
export const viewKinds = ["sea", "mountains", "snowfield", "skyline", "hills", "foliage", "dunes", "sky"] as const;
export type ViewKind = (typeof viewKinds)[number];

export function isView(backdrop: BackdropKind): backdrop is ViewKind {
  return viewKinds.some((kind) => kind === backdrop);
}

export const lightKinds = [
  "studio",
  "soft",
  "window",
  "blinds",
  "morning",
  "golden",
  "sunset",
  "blue-hour",
  "hard",
  "noon",
  "overcast",
  "dramatic",
  "night",
  "neon",
  "dappled",
  "candle",
  "lamps",
  "caustics",
] as const;
export type LightKind = (typeof lightKinds)[number];

export const moodKinds = [
  "warm",
  "cold",
  "pastel",
  "minimal",
  "luxury",
  "dark",
  "bright",
  "vivid",
  "vintage",
  "cosy",
] as const;
export type Mood = (typeof moodKinds)[number];

export const standKinds = [
  "podium",
  "block",
  "steps",
  "shelf",
  "tray",
  "stump",
  "log",
  "crate",
  "bench",
  "barrel",
  "stool",
  "chair",
  "books",
  "suitcase",
  "rock",
  "bale",
  "sofa",
  "armchair",
  "cushion",
  "gift",
  "bricks",
  "drum",
  "cake-stand",
  "hexagon",
  "board",
] as const;
export type StandKind = (typeof standKinds)[number];

/** Patterns of surfaces. */
export type Pattern = (typeof patternKinds)[number];

/** Surfaces that have a pattern. */
const patternsOf: Readonly<Partial<Record<SurfaceKind, readonly Pattern[]>>> = {
  wood: ["herringbone", "court", "lanes"],
  fabric: ["folds", "creases", "fur"],
  silk: ["folds", "creases"],
  velvet: ["folds"],
  plain: ["folds", "creases", "zellige"],
  tile: ["checks", "painted", "zellige"],
  asphalt: ["court", "lanes"],
  grass: ["court", "lanes"],
  concrete: ["court", "lanes", "slabs"],
  marble: ["slabs", "banded"],
  metal: ["leaf", "hammered"],
  stone: ["slabs"],
  terrazzo: ["slabs"],
};

/** Surfaces that take any print. */
const printable: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["fabric", "silk", "plain"]);

/** Whether a surface of this kind can have the pattern. */
export function takesPattern(kind: SurfaceKind, pattern: Pattern): boolean {
  if (isPrint(pattern) && printable.has(kind) && pattern !== "zellige") return true;
  return patternsOf[kind]?.includes(pattern) ?? false;
}

export const propKinds = [
  "shapes",
  "arch",
  "curtain",
  "plants",
  "palms",
  "lemons",
  "candles",
  "petals",
  "confetti",
  "glitter",
  "snowfall",
  "drops",
  "splash",
  "puddles",
  "toys",
  "eggs",
  "gifts",
  "hearts",
  "moon",
  "fog",
  "pampas",
  "parasol",
  "pumpkins",
  "rain",
  "stones",
  "tent",
  "waterfall",
  "gradient",
  "bokeh",
] as const;
export type PropKind = (typeof propKinds)[number];

/** What a painter adds to a place on its own, and leaves out when `avoid` names it. */
export const avoidedThings = [
  "lights",
  "lamps",
  "plants",
  "furniture",
  "beds",
  "tables",
  "nightstands",
  "seats",
  "mirrors",
  "fireplaces",
  "fire",
  "windows",
  "curtains",
  "objects",
  "pictures",
  "blackboards",
  "bottles",
  "books",
  "bread",
  "candles",
  "cups",
  "gifts",
  "pumpkins",
  "screens",
  "tools",
  "towels",
  "toys",
  "weights",
  "people",
  "clouds",
  "patterns",
  "never",
] as const;
export type AvoidedThing = (typeof avoidedThings)[number];

/** Who avoids the first also avoids the others. */
export const avoidedWith: Readonly<Partial<Record<AvoidedThing, readonly AvoidedThing[]>>> = {
  lights: ["lamps"],
  furniture: ["beds", "tables", "nightstands", "seats", "mirrors"],
  tables: ["nightstands"],
  fireplaces: ["fire"],
  windows: ["curtains"],
  objects: [
    "pictures",
    "blackboards",
    "bottles",
    "books",
    "bread",
    "candles",
    "cups",
    "gifts",
    "pumpkins",
    "screens",
    "tools",
    "towels",
    "toys",
    "weights",
  ],
};

/** What makes a place out of its backdrop: things that only that place has. */
export const decorKinds = [
  "gym",
  "garage",
  "station",
  "joinery",
  "cafe",
  "lobby",
  "bedroom",
  "living-room",
  "playroom",
  "loft",
  "industrial",
  "palms",
  "bricks",
  "christmas",
  "runway",
  "gallery",
  "terrace",
  "autumn",
  "market",
  "greenhouse",
  "flowers",
  "fireplace",
  "nursery",
  "spa",
  "rooftop",
  "porch",
  "orchard",
  "olives",
  "vines",
  "lavender",
  "dunes",
  "underwater",
  "lake",
  "mountain-lake",
  "bathroom",
  "kitchen",
  "restaurant-kitchen",
  "stairwell",
  "bakery",
  "library",
  "desk",
  "pool",
  "town",
  "concrete-wall",
  "board-wall",
  "stone-wall",
  "marble-wall",
  "cloth-wall",
  "foil-wall",
  "painted-tiles",
  "airport",
  "rainy-window",
  "window-sill",
  "stadium",
  "bar",
  "graffiti",
  "bistro",
  "lockers",
  "laundry",
  "skatepark",
  "classroom",
  "supermarket",
  "ice-cream-parlor",
  "flower-shop",
  "meeting-room",
  "trail",
  "stream",
  "barn-door",
  "kitchen-garden",
  "tennis-court",
  "plaster-wall",
  "printed-wall",
  "leaf-wall",
  "banded-wall",
  "hammered-wall",
  "herringbone-wall",
] as const;
export type Decor = (typeof decorKinds)[number];

/** Walls of a room that are known by their texture. */
export const roomWalls = [
  "bricks",
  "concrete-wall",
  "board-wall",
  "stone-wall",
  "marble-wall",
  "printed-wall",
] as const;
export type RoomWall = (typeof roomWalls)[number];

/** A room's wall as a theme names it. */
export interface NamedWall {
  readonly decor: RoomWall;
  /** `#rrggbb`. */
  readonly color: string;
}

export function isRoomWall(decor: Decor | undefined): decor is RoomWall {
  return roomWalls.some((wall) => wall === decor);
}

export interface Surface {
  readonly kind: SurfaceKind;
  /** `#rrggbb`, as `Setting.color`. */
  readonly color: string;
}

/** A thing that carries the product. */
export interface Carrier {
  readonly stand: StandKind;
  readonly surface: Surface;
  /** The lexicon's word for the place where it is; null: any. */
  readonly setting: string | null;
}

export interface Setting {
  readonly backdrop: BackdropKind;
  readonly color: string;
  readonly surface: Surface;
  readonly light: LightKind;
  readonly decor?: Decor;
}

export const surfaces = parseRows(surfaceRows, ([kind, color]) => ({
  kind: oneOf(surfaceKinds, kind),
  color: hex(color),
}));
export const settings = parseRows(
  settingRows.replaceAll(/[~^]/g, ""),
  ([backdrop, color, kind, surface, light, decor]): Setting => ({
    backdrop: oneOf(backdropKinds, backdrop),
    color: hex(color),
    surface: { kind: oneOf(surfaceKinds, kind), color: hex(surface) },
    light: oneOf(lightKinds, light),
    ...(decor !== undefined && { decor: oneOf(decorKinds, decor) }),
  }),
);
export const lights = parseRows(lightRows, ([light]) => oneOf(lightKinds, light));
export const moods = parseRows(moodRows, ([mood]) => oneOf(moodKinds, mood));
/** Words for a camera that looks down. */
export const flatLays = parseRows(flatLayRows, () => true);
export const stands = parseRows(standRows, ([stand]) => oneOf(standKinds, stand));
export const carriers = parseRows(
  carrierRows,
  ([stand, kind, color, setting]): Carrier => ({
    stand: oneOf(standKinds, stand),
    surface: { kind: oneOf(surfaceKinds, kind), color: hex(color) },
    setting: setting === "-" ? null : setting!,
  }),
);
export const props = parseRows(propRows, ([prop]) => oneOf(propKinds, prop));
export const patterns = parseRows(patternRows, ([pattern]) => oneOf(patternKinds, pattern));
/** Words for a print, beside one for what it shows. */
export const printNouns: ReadonlyMap<string, true> = new Map([["pattern", true]]);
export const avoidable = parseRows(avoidableRows, ([thing]) => oneOf(avoidedThings, thing));
export const colors = parseRows(colorRows, ([color]) => hex(color));
/** Places of which a scene has the light, the colors and the ground, and not the thing itself. */
export const hintedWords: ReadonlySet<string> = new Set(
  [...settingRows.matchAll(/[~^](\S+)/g)].map((match) => match[1]!),
);
/** Those of which the thing is there, too, where the theme names no other place. */
export const ownPlaceWords: ReadonlySet<string> = new Set(
  [...settingRows.matchAll(/\^(\S+)/g)].map((match) => match[1]!),
);
export const styleWords: ReadonlySet<string> = new Set(styleRows.trim().split(/\s+/));
export const stopWords: ReadonlySet<string> = new Set(stopWordRows.trim().split(/\s+/));

/** @throws RangeError on a row without a word, a word with two meanings, and what `parseMeaning` throws */
export function parseRows<T>(rows: string, parseMeaning: (fields: string[]) => T): ReadonlyMap<string, T> {
  const words = new Map<string, T>();
  for (const row of rows.trim().split("\n")) {
    const [meaning = "", listed = ""] = row.split(":");
    for (const word of listed.trim().split(" ")) {
      if (word === "") throw new RangeError(`lexicon: "${row}" has no word`);
      if (words.has(word)) throw new RangeError(`lexicon: "${word}" has two meanings`);
      words.set(word, parseMeaning(meaning.split(" ")));
    }
  }
  return words;
}

export function oneOf<T extends string>(kinds: readonly T[], field: string | undefined): T {
  const kind = kinds.find((one) => one === field);
  if (kind === undefined) throw new RangeError(`lexicon: "${field}" is not one of ${kinds.join(", ")}`);
  return kind;
}

function hex(field: string | undefined): string {
  if (field === undefined || !/^#[0-9a-f]{6}$/.test(field)) throw new RangeError(`lexicon: "${field}" is not a color`);
  return field;
}
