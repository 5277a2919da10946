/** The ground of a theme, and what its words for materials mean beside it: a wall of tiles, a stand's floor, a leather armchair. */

import {
  type Decor,
  type Setting,
  type StandKind,
  type Surface,
  type SurfaceKind,
  settings,
  stands,
  surfaces,
} from "./lexicon.ts";
import { namedThings } from "./named-things.ts";
import { floorWords, type ThemeWord, tableWords } from "./theme-words.ts";

/** Walls that are known by their texture. */
const wallDecor: Readonly<Partial<Record<SurfaceKind, Decor>>> = {
  concrete: "concrete-wall",
  wood: "board-wall",
  stone: "stone-wall",
  marble: "marble-wall",
  velvet: "cloth-wall",
  silk: "cloth-wall",
  fabric: "cloth-wall",
  foil: "foil-wall",
};

/** Plaster and clay are of the same kind, and have no joints. */
const castColors: ReadonlySet<string> = new Set(["concrete", "cement"].map((word) => surfaces.get(word)!.color));

const leafColor = surfaces.get("goldleaf")!.color;
const isPainted = (color: string) => color === surfaces.get("azulejo")!.color;

/** The wall of that material. */
export function wallSetting({ kind, color }: Surface): Setting {
  const wall = { ...settings.get("wall")!, color };
  const isPlaster = kind === "concrete" && !castColors.has(color);
  const decor = isPlaster ? "plaster-wall" : kind === "metal" && color === leafColor ? "leaf-wall" : wallDecor[kind];
  if (kind !== "tile") return { ...wall, backdrop: "wall", ...(decor && { decor }) };
  const tiled = color === surfaces.get("brick")!.color ? "bricks" : isPainted(color) ? "painted-tiles" : undefined;
  return { ...wall, backdrop: "tiled-wall", ...(tiled && { decor: tiled }) };
}

export const isMoss = (surface: Surface | undefined) =>
  surface !== undefined && surface.color === surfaces.get("moss")!.color;

const kitchens = ["kitchen", "counter", "tuscankitchen", "farmhousekitchen", "restaurantkitchen"].map(
  (word) => settings.get(word)!,
);

export const isKitchen = (setting: Setting | undefined) =>
  kitchens.some(({ backdrop, color }) => setting?.backdrop === backdrop && setting.color === color);

/** Bricks whose theme names no color. */
export const bareBrick = "#96553f";

/** Rooms whose back wall is painted as one. */
const walledRooms: ReadonlySet<Decor | undefined> = new Set<Decor | undefined>([
  undefined,
  "living-room",
  "cafe",
  "bedroom",
  "playroom",
  "nursery",
  "fireplace",
  "christmas",
  "desk",
  "loft",
  "industrial",
]);

/** Whether the place has a wall that may be of any material. */
export function showsWall(place: Setting | undefined): boolean {
  return place?.backdrop === "interior" && walledRooms.has(place.decor);
}

const isShiny = (surface: Surface | undefined) => surface?.kind === "gloss" || surface?.kind === "mirror";

export const isBrick = (surface: Surface | undefined) => surface === surfaces.get("brick");

/** A material behind one of these words is below the stand: "podium on sand". */
export const upon: ReadonlySet<string> = new Set("on upon over auf sur sobre su sul sulla op na".split(" "));

/** Behind one of them is what a table is made of, or what lies on it. */
const topWords: ReadonlySet<string> = new Set("with of mit aus avec en de con di met van z".split(" "));

/** "Snowy mountains, wooden table": the noun's surface goes before the adjective's. */
const surfaceAdjectives: ReadonlySet<string> = new Set(
  "snowy sandy mossy muddy icy glossy reflective shiny mirrored polished lacquered".split(" "),
);

/** Colors of what hangs on walls; ceramic and porcelain are of the same kind, and things are made of them. */
const wallTiles: ReadonlySet<string> = new Set(
  ["brick", "tile", "mosaic", "zellige", "azulejo"].map((word) => surfaces.get(word)!.color),
);

/** The part of a theme that its materials decide. */
interface SurfaceDraft {
  surface?: Surface;
  surfaceColor?: string;
  readonly setting?: Setting;
  readonly stand?: StandKind;
  floor?: Surface;
  floorColor?: string;
  isSnowy: boolean;
  isMossy: boolean;
}

/** A word for a material, in its sentence. */
interface SurfaceWord {
  readonly form: string;
  readonly next: ThemeWord | undefined;
  /** The stop word before it. */
  readonly before: string;
  /** The last one that is no article. */
  readonly joint: string;
  readonly tone: number;
}

export interface TiledWall {
  readonly surface: Surface;
  readonly color?: string;
}

export function createSurfaceReader(theme: SurfaceDraft, takeColor: () => string | undefined) {
  let isWeak = false;
  let isTable = false;
  let isFloor = false;
  let isFloorNext = false;
  let tone = 0;
  let tiles: TiledWall | undefined;

  /** @returns whether the scene has it */
  function read(surface: Surface, { form, next, before, joint, tone: own }: SurfaceWord): boolean {
    const isAdjective = surfaceAdjectives.has(form) || (surface.kind === "wood" && isThing(next));
    theme.isSnowy ||= surface.kind === "snow";
    // "Black glossy marble" is black.
    let given = isWeak && isShiny(theme.surface) ? theme.surfaceColor : undefined;
    // So is a white table's marble top, and no cloth on it.
    if (isTable && (topWords.has(before) || topWords.has(joint)) && !floorWords.has(next?.word ?? "")) {
      given = cloths.has(surface.kind) ? undefined : theme.surfaceColor;
      isTable = false;
      clear();
    }
    theme.isMossy ||= isMoss(surface) && theme.surface !== undefined;
    if (isWeak && !isAdjective) {
      theme.isMossy ||= isMoss(theme.surface);
      clear();
    }
    isWeak = isAdjective;
    const isBelow = theme.stand !== undefined && (theme.surface !== undefined || upon.has(before));
    if (isBelow && theme.floor === undefined) {
      theme.floor = surface;
      const ownColor = takeColor();
      if (ownColor !== undefined) theme.floorColor = ownColor;
    }
    if (isBelow) return theme.floor?.kind === surface.kind;
    // "Green tiles, oak counter": the tiles are on the wall.
    const isBefore = theme.surface?.kind === "tile" && surface.kind !== "tile" && !isFloor && !isAdjective;
    if (isBefore && wallTiles.has(theme.surface!.color)) {
      tiles = { surface: theme.surface!, ...(theme.surfaceColor !== undefined && { color: theme.surfaceColor }) };
    }
    if (isBefore) clear();
    if (isOfStand(next)) standOnPrevious();
    // "Concrete loft, exposed brick": the bricks are the loft's wall.
    if (theme.surface !== undefined && isBrick(surface) && showsWall(theme.setting) && !isOfFloor(next)) {
      const own = takeColor();
      tiles ??= { surface, ...(own !== undefined && { color: own }) };
      return true;
    }
    if (theme.surface !== undefined) return theme.surface.kind === surface.kind || isMoss(surface);
    isFloor ||= isFloorNext;
    theme.surface = surface;
    tone = own;
    const ownColor = takeColor() ?? given;
    if (ownColor !== undefined) theme.surfaceColor = ownColor;
    return true;
  }

  /** "Sand with a stone pedestal": the pedestal of stone is on sand. */
  function standOnPrevious(): void {
    if (theme.surface === undefined || theme.stand !== undefined || theme.floor !== undefined) return;
    theme.floor = theme.surface;
    if (theme.surfaceColor !== undefined) theme.floorColor = theme.surfaceColor;
    clear();
  }

  function clear(): void {
    delete theme.surface;
    delete theme.surfaceColor;
  }

  /**
   * "Black table": it is black, and so is the glossy one whose color is behind the adjective.
   *
   * @param isColored a color is just before it
   * @returns whether the word is a table's
   */
  function readTable(form: string, word: string, isColored: boolean): boolean {
    // A white desk is white in an office, too, whose room it brings by itself.
    if (form === "desk" && isColored) paintTable();
    if (!tableWords.has(form) && !tableWords.has(word)) return false;
    if (isColored) paintTable();
    return true;
  }

  function paintTable(): void {
    if (theme.surfaceColor !== undefined || theme.stand !== undefined) return;
    if (theme.surface !== undefined && !isShiny(theme.surface)) return;
    const own = takeColor();
    if (own === undefined) return;
    isTable = theme.surface === undefined;
    theme.surface ??= surfaces.get("oak")!;
    theme.surfaceColor = own;
  }

  return {
    read,
    readTable,
    /** @param isBehind the word for the floor is just behind the material's */
    readFloor: (isBehind: boolean): void => {
      isFloor ||= isBehind && theme.surface !== undefined;
      isFloorNext = !isBehind;
    },
    /** Another thing's word is read, so that a floor's is not the next material's. */
    leaveFloor: (): void => {
      isFloorNext = false;
    },
    found: () => ({ surfaceTone: tone, tiles, isFloor }),
  };
}

/** Things that are a room of their own where no other is named: "an armchair in a library". */
export const furnitureWords: ReadonlySet<string> = new Set("sofa couch armchair bookshelf".split(" "));

const cloths: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["fabric", "silk", "velvet"]);

/** What a product stands on, whose material may be named beside it. */
const standingPlaces: ReadonlySet<string> = new Set(
  "bench workbench gym-bench bistro-table picnic-table console-table massage-table kitchen-island".split(" "),
);

/** Materials of which small things are made more often than grounds. */
const smallThingMaterials: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["metal", "gloss", "mirror"]);

/**
 * What the material before a word is of: the thing that the word draws, one that is not known, a glass of what the word before it names, or
 * none of them.
 */
export function ownerOf(
  { kind }: Surface,
  next: ThemeWord | undefined,
  form: string,
  before: string | null,
): "thing" | "vessel" | "unknown" | null {
  // A whiskey glass is no ground.
  if (form === "glass" && namedThings.has(before ?? "")) return "vessel";
  if (next === undefined || form === "carpet") return null;
  const isSmall = smallThingMaterials.has(kind);
  if (next.form === null) return isSmall && !next.isStop ? "unknown" : null;
  const thing = namedThings.get(next.form);
  const isPlace = settings.has(next.form) && !furnitureWords.has(next.form);
  if (thing === undefined || kind === "wood" || isPlace) return null;
  // Windows of steel are no ground of it.
  if (thing.kind === "windows") return isSmall ? "vessel" : null;
  // "A shop of leather, workbench": the bench is another phrase's.
  if (next.startsPhrase && standingPlaces.has(thing.name)) return null;
  return thing.kind === "furniture" || (isSmall && thing.place === "beside") ? "thing" : null;
}

const isOfFloor = (next: ThemeWord | undefined) => next !== undefined && floorWords.has(next.word);

const isOfStand = (next: ThemeWord | undefined): boolean =>
  next?.form != null && !next.startsPhrase && stands.has(next.form);

const toys = new Set(["toy", "toys"]);

function isThing(word: ThemeWord | undefined): boolean {
  const form = word?.form ?? "";
  return toys.has(form) || (namedThings.has(form) && !settings.has(form));
}
