/** The ground that follows from all words of a theme together. */

import {
  type LightKind,
  type Mood,
  type NamedWall,
  outdoorBackdrops,
  type Pattern,
  type Setting,
  type StandKind,
  type Surface,
  type SurfaceKind,
  settings,
  surfaces,
} from "./lexicon.ts";
import { bareBrick, isBrick, isKitchen, showsWall, type TiledWall, wallSetting } from "./read-surfaces.ts";
import { lumaOf } from "./theme-colors.ts";

const isBoarded = (setting: Setting | undefined) =>
  setting?.decor === "porch" || setting?.decor === "terrace" || setting === settings.get("mountainterrace");

/** Trees on grass or on a trail: a garden's terrace keeps its stone. */
function isWood(setting: Setting | undefined): boolean {
  if (setting?.backdrop !== "foliage" || (setting.decor !== undefined && setting.decor !== "trail")) return false;
  return setting.surface.kind === "grass" || setting.surface.kind === "soil";
}

const outdoorGrounds: ReadonlySet<SurfaceKind | undefined> = new Set<SurfaceKind>(["grass", "soil", "sand", "snow"]);

/** Its board is there for small products. */
const isBareGarden = (setting: Setting | undefined) =>
  setting?.backdrop === "foliage" && setting.decor === undefined && setting.surface.kind === "wood";

/** The part of a theme that its ground is part of. */
interface GroundDraft {
  surface?: Surface;
  surfaceColor?: string;
  /** The lexicon's word for a place that two named ones are. */
  joined?: string;
  setting?: Setting;
  settingColor?: string;
  roomWall?: NamedWall;
  readonly stand?: StandKind;
  light?: LightKind;
  readonly isSnowy: boolean;
}

export interface GroundWords {
  readonly moods: readonly Mood[];
  /** −1 darker … 1 lighter, for the surface. */
  readonly surfaceTone: number;
  /** room: small things without a place, which are on a table in a room; table: the theme names one. */
  readonly on: "room" | "table" | "place";
  readonly pattern: Pattern | undefined;
  readonly tiles: TiledWall | undefined;
  /** The theme says that its material is the floor's. */
  readonly isFloor: boolean;
  /** It names a room, and be it beside a feast. */
  readonly namesRoom: boolean;
  /** The product is too large for a table: a lawn mower. */
  readonly isOnLand: boolean;
  /** A road leads through the place. */
  readonly hasRoad: boolean;
}

/** Tiles hang on the walls of kitchens, of bathrooms and of places without a name. */
function hangTiles(theme: GroundDraft, { surface, color }: TiledWall): void {
  const { setting } = theme;
  const isTiled = setting === undefined || isKitchen(setting) || setting.backdrop === "tiled-wall";
  if (isBrick(surface) && setting !== undefined && showsWall(setting))
    theme.roomWall = { decor: "bricks", color: color ?? bareBrick };
  if (!isTiled) return;
  const wall = wallSetting(surface);
  theme.setting = { ...wall, surface: setting?.surface ?? wall.surface, light: setting?.light ?? wall.light };
  if (color !== undefined) theme.settingColor = color;
}

/** Bricks in a room are its wall. */
function standAtBricks(theme: GroundDraft): void {
  if (!isBrick(theme.surface) || !showsWall(theme.setting)) return;
  theme.roomWall = { decor: "bricks", color: theme.surfaceColor ?? bareBrick };
  delete theme.surface;
  delete theme.surfaceColor;
}

/** Black is darker than this, and navy lighter. */
const darkMax = 0.15;

const isDark = (color: string, tone: number) => tone < 0 || lumaOf(color) < darkMax;

/** Silk without a place hangs behind what lies on it, as it is draped for jewelry. Evenly lit, black silk would be gray. */
function hangSilk(theme: GroundDraft, surface: Surface, isBlack: boolean): void {
  const wall = wallSetting(surface);
  const light = isBlack ? "dramatic" : wall.light;
  theme.setting = { ...wall, surface, color: theme.surfaceColor ?? surface.color, light };
}

/** The ground that follows from all words together. */
export function settleGround(
  theme: GroundDraft,
  { moods: found, surfaceTone, on, pattern, tiles, isFloor, namesRoom, isOnLand, hasRoad }: GroundWords,
): void {
  if (tiles !== undefined) hangTiles(theme, tiles);
  standAtBricks(theme);
  const { surface, setting } = theme;
  // Candles in a bright room do not light it.
  if (theme.light === "candle" && found.includes("bright")) delete theme.light;
  // The water of a pool is behind its edge.
  if (surface?.kind === "water" && setting?.decor === "pool") {
    delete theme.surface;
    delete theme.surfaceColor;
  }
  // Snow on a forest lies on its trees, too.
  if (theme.isSnowy && isWood(setting)) theme.setting = settings.get("winter")!;
  // Toys on a lawn need no playroom.
  if (!namesRoom && outdoorGrounds.has(surface?.kind) && setting?.decor === "playroom") delete theme.setting;
  // Christmas on snow is outside, unless a room or its window is named.
  const isInside = namesRoom || on === "table" || theme.light === "window";
  if (surface?.kind === "snow" && setting === settings.get("christmas") && !isInside) {
    theme.setting = settings.get("christmassnow")!;
    theme.joined = "christmassnow";
  }
  // Snow lies on the boards of a porch, which are its ground.
  if (surface?.kind === "snow" && isBoarded(setting)) delete theme.surface;
  // Plants on a shelf are in a room.
  if (theme.stand === "shelf" && setting === settings.get("plant")) delete theme.setting;
  // A table at a party is in a room.
  if (on === "table" && setting === settings.get("party")) theme.setting = settings.get("dining")!;
  // "Green marble tiles" are on a bathroom's wall, too.
  if (setting?.backdrop === "tiled-wall" && pattern === "slabs")
    theme.settingColor ??= theme.surfaceColor ?? surface?.color;
  if (isKitchen(setting) && surface?.kind === "tile" && !isFloor) {
    const { decor, ...wall } = wallSetting(surface);
    const own = decor === "painted-tiles" ? { decor } : {};
    theme.setting = { ...setting, ...wall, ...own, surface: setting!.surface, light: setting!.light };
    if (theme.surfaceColor !== undefined) theme.settingColor = theme.surfaceColor;
    delete theme.surface;
    delete theme.surfaceColor;
  }
  // Their blue is the motif's.
  if (theme.setting?.decor === "painted-tiles") delete theme.settingColor;
  if (theme.stand === undefined && theme.setting === undefined && surface?.kind === "silk")
    hangSilk(theme, surface, isDark(theme.surfaceColor ?? surface.color, surfaceTone) && !found.includes("bright"));
  if (theme.stand !== undefined || theme.surface !== undefined) return;
  if (hasRoad) theme.surface = surfaces.get("asphalt")!;
  if (isOnLand && on !== "table" && isBareGarden(setting)) theme.surface = surfaces.get("grass")!;
  // Checks without a cloth are those of a tablecloth.
  if (on === "room")
    Object.assign(theme, {
      ...(pattern !== "checks" && { surface: surfaces.get("oak") }),
      setting: settings.get("room"),
    });
  const isWooden = isKitchen(setting) && (on === "table" || found.includes("vintage"));
  // A table in a bedroom is none of its cloths, and one in a loft not its floor.
  const isOfFloor = setting?.surface.kind === "fabric" || setting?.surface.kind === "concrete";
  const isOnTable = on === "table" && setting?.backdrop === "interior" && isOfFloor;
  if (isOnTable || (on === "table" && setting === undefined)) theme.surface = surfaces.get("oak")!;
  if (isWooden) theme.surface = surfaces.get(found.includes("vintage") ? "plank" : "oak")!;
  else if (on === "table" && setting !== undefined && outdoorBackdrops.has(setting.backdrop))
    theme.surface = surfaces.get("oak")!;
}
