import { createRandom, hashText, type Random } from "@packshot/domain/random.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHex, fromHsl, luminance, mix, saturate, scale } from "../canvas/color.ts";
import type { PrintColors } from "../materials/material.ts";
import type { GelColors } from "../words/colored-gels.ts";
import type {
  BackdropKind,
  Decor,
  LightKind,
  Pattern,
  PropKind,
  RoomWall,
  Setting,
  StandKind,
  SurfaceKind,
} from "../words/lexicon.ts";
import { colors, outdoorBackdrops, settings, surfaces } from "../words/lexicon.ts";
import { isLeftOut, type LeftOut, type ThemeThing } from "../words/named-things.ts";
import { metalColors } from "../words/read-stands.ts";
import type { Theme } from "../words/theme.ts";
import { groundBelow, type PlannedGround } from "./ground-from-above.ts";
import { createLighting, type Lighting, showingColor, withKeyShare } from "./lighting.ts";
import { applyMoods, createGrade, darkened, type Grade, limitReflectance, tintSurface, wallOf } from "./mood-colors.ts";
import { litByNeon, type NeonColors, neonOf, withNeonStudio } from "./neon.ts";
import { atPrintedWall, colorsOfPrint } from "./print-colors.ts";
import { namedLength } from "./product-length.ts";
import {
  decorOf,
  isColorlessPastel,
  pastelColors,
  patternOf,
  underSky,
  withBlackBokeh,
  withGelStudio,
  withGold,
} from "./theme-looks.ts";

/** The plan of a scene: backdrop, surface and light. Colors are linear. */
export interface ScenePlan {
  readonly backdrop: BackdropKind;
  /** The theme names a place and not only a surface: silk that hangs behind itself is none, and garments lie on it. */
  readonly isPlace: boolean;
  /** The product is on a blanket among greenery. */
  readonly isPicnic: boolean;
  /** Things that make the place what it is; null: the backdrop alone does. */
  readonly decor: Decor | null;
  /** The place that is seen through a room's window; null: none is named. */
  readonly view: Setting | null;
  /** What the wall behind the place's furniture is made of; null: it is plastered. */
  readonly roomWall: { readonly decor: RoomWall; readonly color: LinearRgb } | null;
  /** Moss grows on the surface. */
  readonly isMossy: boolean;
  /** Snow has fallen on the ground and on the mountains. */
  readonly isSnowy: boolean;
  /** Large leaves grow there. */
  readonly isJungle: boolean;
  /** There are no hills behind its fields: windmills stand in flat land. */
  readonly isFlat: boolean;
  readonly backdropColor: LinearRgb;
  /** Its wall is bare and has a color that the client names. */
  readonly isWallColorAsked: boolean;
  readonly surface: SurfaceKind;
  readonly surfaceColor: LinearRgb;
  /** A pattern on the surface; null: none. */
  readonly pattern: Pattern | null;
  /** What is printed on the surface or the wall, in its colors; null: nothing, or the surface makes it by itself. */
  readonly print: PrintColors | null;
  /** The ground: below a stand, or the surface itself. */
  readonly floor: SurfaceKind;
  readonly floorColor: LinearRgb;
  readonly stand: StandKind | null;
  readonly props: readonly PropKind[];
  /** Drawn things behind and beside the product. */
  readonly things: readonly ThemeThing[];
  /** A color that the theme gives to them; null: their own. */
  readonly propColor: LinearRgb | null;
  /** Colors of the things beside the product. */
  readonly pieceColors: readonly [LinearRgb, LinearRgb, LinearRgb];
  /** A second color for lamps, books, flowers and parts of the wall. */
  readonly accent: LinearRgb;
  /** That of the cushions on a sofa or a bed. */
  readonly cushionColor: LinearRgb;
  /** That of the stand's edge; null: it has none of its own. */
  readonly trimColor: LinearRgb | null;
  /** The wall's color at its top, where it changes from one to another; null: it has one. */
  readonly gradientColor: LinearRgb | null;
  /** The accent color appears as small lights behind the product. */
  readonly hasAccentLights: boolean;
  readonly lightKind: LightKind;
  /** null: the light is no neon, or has no color that the theme names. */
  readonly neon: NeonColors | null;
  /** Colors of the lamps at the left and at the right; null: they have none. */
  readonly gels: GelColors | null;
  readonly lighting: Lighting;
  readonly grade: Grade;
  /** What a camera from above sees instead of the surface; null: the surface. */
  readonly groundBelow: PlannedGround | null;
  /** The product's longer side as the theme's words tell it, seen from above also as its outline does: in units of the ground. */
  readonly productLong: number;
  /** The product stands on a pole on the floor, which is laid in boards and tiles of true size. */
  readonly isOnFloor?: true;
  /** No product is in the scene: the lens is focused on its things. */
  readonly isEmpty?: true;
  /** What the client does not want to see. */
  readonly without: ReadonlySet<LeftOut>;
  /** The scene's seed, derived from the client's seed and the theme's text. */
  readonly seed: number;
}

const pavedSurfaces: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["asphalt", "concrete", "stone", "tile"]);

/** Whether a wet ground is one on which water stands; on others there are drops. */
export function hasPuddles({ props, floor, backdrop, stand }: ScenePlan): boolean {
  return props.includes("puddles") && stand === null && pavedSurfaces.has(floor) && outdoorBackdrops.has(backdrop);
}

const hardSurfaces: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>([
  ...pavedSurfaces,
  "marble",
  "terrazzo",
  "metal",
  "wood",
]);

/** Whether the table or the floor of a studio or a room is wet: "cosmetics on wet black stone". */
export function hasFilm(plan: ScenePlan): boolean {
  return plan.props.includes("puddles") && plan.stand === null && hardSurfaces.has(plan.floor) && !hasPuddles(plan);
}

const tableSurfaces: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>([
  "wood",
  "marble",
  "terrazzo",
  "fabric",
  "silk",
  "velvet",
  "tile",
  "metal",
  "gloss",
]);

/** A board before a landscape is a table; it has no end only before a sky. */
export function isTable({ backdrop, floor }: ScenePlan): boolean {
  return tableSurfaces.has(floor) && backdrop !== "sky" && backdrop !== "stars";
}

/** Colors of backdrops for which the theme names none. */
const defaultBackdropColors: Partial<Readonly<Record<BackdropKind, LinearRgb>>> = {
  foliage: fromHex("#4a6a2f"),
  sea: fromHex("#3f87a6"),
  dunes: fromHex("#c98f55"),
  hills: fromHex("#7c945c"),
  mountains: fromHex("#6f8296"),
  skyline: fromHex("#6d7c8d"),
  snowfield: fromHex("#a9bccb"),
};

export interface PlanOptions {
  /** `#rrggbb`: the wall's color, that of the ground or the stand, then those of the things beside the product. */
  readonly palette?: readonly string[];
  /** What is not painted. */
  readonly without?: ReadonlySet<LeftOut>;
}

export function planScene(namedTheme: Theme, text: string, seed: number, options: PlanOptions = {}): ScenePlan {
  const { palette = [], without = new Set<LeftOut>() } = options;
  const hasGlitter = !without.has("glitter") && !without.has("objects");
  const theme = withImpliedGround(
    withImpliedSetting(withGold(withGelStudio(withNeonStudio(withBlackBokeh(atPrintedWall(namedTheme)))), hasGlitter)),
  );
  // A text without a known word is the empty theme, to the byte.
  const words = theme.recognized.length === 0 ? "" : text.trim().toLowerCase();
  const random = createRandom((seed ^ hashText(words)) >>> 0);
  const surface = surfaceOf(theme);
  const named = theme.setting?.backdrop ?? defaultBackdrop(theme, surface);
  const backdrop = backdropIn(theme, named);
  const lightKind: LightKind = theme.light ?? placeLight(theme, backdrop) ?? defaultLight(theme, backdrop);
  const given = palette.map(fromHex);
  const pastel = isColorlessPastel(theme) ? createRandom(seed).pick(pastelColors).map(fromHex) : [];
  const planned = planColors(theme, backdrop, given.length === 0 ? pastel.slice(0, 1) : given);
  const isPicnic = theme.stand === undefined && isOnBlanket(theme, backdrop, surface);
  const below = isPicnic ? null : groundBelow(theme);
  const colorBelow = (own: string | null) =>
    own === null ? planned.backdropColor : limitReflectance(given[1] ?? applyMoods(fromHex(own), theme.moods));
  const accent = planned.accent ?? fromHsl(drawHue(backdrop, random), backdrop === "stars" ? 0.3 : 0.15, 0.55);
  const drawn = underSky(theme, backdrop, underPalms(theme, createLighting(lightKind, backdrop, random)));
  const neon = neonOf(theme);
  const trim = theme.trimColor && (metalColors.get(theme.trimColor) ?? theme.trimColor);
  const isWallColorAsked = isColorAsked(theme, planned, backdrop, given);
  const shown = isWallColorAsked ? showingColor(planned, drawn, lightKind) : drawn;
  const lighting = withKeyShare(neon === null ? shown : litByNeon(drawn, neon), lightKind);
  return {
    ...planned,
    isWallColorAsked,
    backdrop,
    isPlace: theme.setting !== undefined && !(surface === "silk" && theme.setting.surface === theme.surface),
    isPicnic,
    decor: decorOf(theme, backdrop, lightKind),
    view: theme.view ?? null,
    roomWall:
      theme.roomWall === undefined
        ? null
        : { ...theme.roomWall, color: limitReflectance(fromHex(theme.roomWall.color)) },
    ...landOf(theme, backdrop),
    surface,
    pattern: patternOf(theme),
    print: colorsOfPrint(namedTheme),
    floor: theme.stand === undefined ? surface : floorBelowStand(theme, backdrop),
    stand: theme.stand ?? null,
    props: theme.props,
    things: theme.things.filter((thing) => !isLeftOut(thing, without)),
    propColor: theme.propColor === undefined ? null : limitReflectance(fromHex(theme.propColor)),
    accent,
    cushionColor: cushionsOf(theme, accent),
    trimColor: trim === undefined ? null : limitReflectance(fromHex(trim)),
    gradientColor: theme.props.includes("gradient") ? gradientOf(theme, planned.backdropColor) : null,
    lightKind,
    neon,
    gels: theme.gelColors ?? null,
    groundBelow: below && { kind: below.kind, color: colorBelow(below.color) },
    lighting:
      // No sun shines in the rain.
      theme.props.includes("rain") ||
      without.has("patterns") ||
      (without.has("plants") && (lighting.gobo === "leaves" || lighting.gobo === "fronds"))
        ? { ...lighting, gobo: "none" }
        : lighting,
    grade: createGrade(theme.moods, lightKind, outdoorBackdrops.has(backdrop) && !hasSnow(theme, backdrop)),
    seed: Math.floor(random.next() * 4_294_967_296),
    pieceColors: pieceColors(theme, planned.backdropColor, given, pastel),
    productLong: namedLength(text, theme),
    without,
  };
}

function cushionsOf({ cushionColor }: Theme, accent: LinearRgb): LinearRgb {
  return cushionColor ? limitReflectance(fromHex(cushionColor)) : mix(accent, [0.62, 0.56, 0.5], 0.6);
}

function surfaceOf({ moods, props, surface, stand, setting }: Theme): SurfaceKind {
  const isDark = moods.includes("dark") || moods.includes("luxury");
  const campsite: SurfaceKind | undefined = props.includes("tent") ? "grass" : undefined;
  const own = surface?.kind ?? campsite ?? (stand === undefined ? setting?.surface.kind : "plain");
  return own ?? (isDark ? "stone" : "plain");
}

/** What grows on the land, lies on it or shapes it. */
function landOf(theme: Theme, backdrop: BackdropKind): Pick<ScenePlan, "isMossy" | "isSnowy" | "isJungle" | "isFlat"> {
  const { setting, things, isMossy } = theme;
  return {
    isMossy,
    isSnowy: hasSnow(theme, backdrop),
    isJungle: setting !== undefined && setting === settings.get("jungle"),
    isFlat: setting !== settings.get("hill") && things.some(({ name }) => name === "windmill"),
  };
}

/** Whether the theme names a picnic, or a blanket: other cloth in a garden is one to show a product on. */
function isOnBlanket({ setting, surface }: Theme, backdrop: BackdropKind, kind: SurfaceKind): boolean {
  if (kind !== "fabric" && kind !== "silk") return false;
  const isPlaceOfCloth = setting?.surface.kind === "fabric";
  if (isPlaceOfCloth && setting.decor === "lavender") return true;
  const isPicnic = isPlaceOfCloth && setting.decor === undefined;
  return backdrop === "foliage" && (isPicnic || surface === surfaces.get("blanket"));
}

/** The theme's second color, or a paler shade of the first. */
function gradientOf(theme: Theme, wall: LinearRgb): LinearRgb {
  const named = [theme.settingColor, theme.propColor, theme.surfaceColor, ...theme.accents].flatMap((one) => one ?? []);
  const second = [...new Set(named)][1];
  if (second !== undefined) return limitReflectance(applyMoods(fromHex(second), theme.moods));
  return luminance(wall) > 0.55 ? scale(saturate(wall, 1.5), 0.6) : mix(wall, [0.86, 0.84, 0.82], 0.8);
}

/** Whether the wall is bare and has a color that the client names. */
function isColorAsked(
  theme: Theme,
  { hasAccentLights }: PlanColors,
  backdrop: BackdropKind,
  palette: readonly LinearRgb[],
): boolean {
  const isBare = backdrop === "sweep" || backdrop === "wall";
  const named = theme.settingColor ?? (hasAccentLights ? undefined : theme.accents[0]);
  return isBare && (named ?? palette[0]) !== undefined;
}

/** Palms shade with their fronds, and not with leaves. */
function underPalms({ props, setting }: Theme, lighting: Lighting): Lighting {
  const isBeach = setting?.backdrop === "sea" && setting.surface.kind === "sand";
  const hasPalms = props.includes("palms") || setting?.decor === "palms" || setting?.decor === "pool" || isBeach;
  return lighting.gobo === "leaves" && hasPalms ? { ...lighting, gobo: "fronds" } : lighting;
}

function hasSnow({ isSnowy }: Theme, backdrop: BackdropKind): boolean {
  return (isSnowy && backdrop !== "interior") || backdrop === "snowfield";
}

/** A meadow at sunset is open to the sky, and hills below snow are a field of it. */
function backdropIn({ setting, light, isSnowy }: Theme, named: BackdropKind): BackdropKind {
  const isMeadow = named === "foliage" && setting?.surface.kind === "grass" && setting.decor === undefined;
  if (isMeadow && light === "sunset") return "hills";
  return named === "hills" && isSnowy ? "snowfield" : named;
}

/** Degrees. Nebulas are blue to violet. */
function drawHue(backdrop: BackdropKind, random: Random): number {
  return backdrop === "stars" ? random.between(205, 310) : random.between(0, 360);
}

function floorBelowStand(theme: Theme, backdrop: BackdropKind): SurfaceKind {
  if (theme.floor !== undefined) return theme.floor.kind;
  return backdrop === "sweep" ? "plain" : (theme.setting?.surface.kind ?? "plain");
}

type PlanColors = Pick<ScenePlan, "backdropColor" | "surfaceColor" | "floorColor" | "hasAccentLights"> & {
  readonly accent: LinearRgb | null;
};

function planColors(theme: Theme, backdrop: BackdropKind, palette: readonly LinearRgb[]): PlanColors {
  const small = theme.accents[0] ?? theme.trimColor;
  const accent = palette[2] ?? (small === undefined ? null : fromHex(small));
  const hasStudio = theme.setting === undefined || backdrop === "sweep";
  let wall = theme.settingColor
    ? fromHex(theme.settingColor)
    : theme.setting && !isDarkStudio(theme)
      ? wallOf(theme.setting, theme.moods)
      : (defaultBackdropColors[backdrop] ?? accent ?? defaultWall(theme));
  const bare = theme.surface?.kind === "gloss" || theme.surface?.kind === "plain" ? theme.surfaceColor : undefined;
  // A seamless ground has the color of its wall.
  if (bare !== undefined && hasStudio && accent === null) wall = mix(fromHex(bare), [0.84, 0.83, 0.81], 0.35);
  // "Black marble, gold": beside a surface with a color of its own, gold colors small lights and not the wall.
  const hasTrim = theme.trimColor !== undefined && theme.accents.length === 0;
  // Gold shines in a place, too, and does not paint it.
  const isGilded = theme.accents[0] === colors.get("gold") && (!hasStudio || isDarkStudio(theme));
  const hasAccentLights = hasTrim || isGilded || (theme.moods.includes("luxury") && theme.surface !== undefined);
  if (hasAccentLights && (theme.setting === undefined || backdrop === "sweep") && !theme.settingColor)
    wall = defaultWall(theme);
  const isPainted = accent !== null && !theme.settingColor && !isOfMaterial(theme);
  const colorsWall = isPainted && !hasAccentLights && !outdoorBackdrops.has(backdrop);
  if (colorsWall) wall = hasStudio ? accent : mix(wall, accent, 0.6);
  // A stand with a color of its own is before a paler wall of that color, unless the wall has one.
  const hasOwnWall = theme.setting !== undefined || theme.settingColor !== undefined || accent !== null;
  const hasArch = theme.props.includes("arch") && theme.surface === undefined;
  const pieceColor = theme.standColor ?? (hasArch ? theme.propColor : undefined);
  if (pieceColor && (!hasOwnWall || hasTrim)) wall = wallBehind(fromHex(pieceColor));
  const own = theme.surfaceColor
    ? tintSurface(fromHex(theme.surfaceColor), theme.surface && fromHex(theme.surface.color))
    : theme.surface && fromHex(theme.surface.color);
  const ground = theme.setting && backdrop !== "sweep" ? fromHex(theme.setting.surface.color) : wall;
  let surface = own ?? (colorsWall && hasStudio ? accent : ground);
  if (theme.stand !== undefined)
    surface = own ?? (theme.standColor ? fromHex(theme.standColor) : standOf(wall, hasStudio));
  // Cloth in a bare room takes the theme's color, before a paler wall.
  const isCloth =
    theme.surface?.kind === "fabric" || theme.surface?.kind === "silk" || theme.surface?.kind === "velvet";
  if (isCloth && colorsWall && hasStudio && !theme.surfaceColor && accent !== null) {
    surface = tintSurface(accent, fromHex(theme.surface!.color));
    wall = mix(accent, [0.84, 0.83, 0.81], 0.55);
  } else if (isCloth && theme.setting === undefined && !theme.settingColor && accent === null) {
    wall = luminance(surface) < 0.12 ? mix(surface, [0.3, 0.29, 0.28], 0.35) : mix(surface, [0.84, 0.83, 0.81], 0.55);
  }
  // Velvet and gold are photographed in the dark.
  if (hasAccentLights && theme.surface?.kind === "velvet") wall = mix(surface, [0.06, 0.05, 0.045], 0.4);
  if (theme.surfaceTone !== 0) surface = theme.surfaceTone < 0 ? darkened(surface) : scale(surface, 1.5);
  const floor = theme.floor ? fromHex(theme.floorColor ?? theme.floor.color) : ground;
  // "Green tiles" in a bathroom are its wall's, above a floor of a paler green.
  if (backdrop === "tiled-wall" && theme.surface?.kind === "tile" && theme.surfaceColor && !theme.settingColor) {
    wall = surface;
    surface = mix(surface, [0.8, 0.79, 0.77], 0.6);
  }
  const finish = (color: LinearRgb, given: LinearRgb | undefined) =>
    limitReflectance(given ?? applyMoods(color, theme.moods));
  const givenGround = palette[1] ?? (hasStudio && theme.surface === undefined ? palette[0] : undefined);
  const surfaceColor = finish(surface, givenGround);
  return {
    backdropColor: finish(wall, palette[0]),
    surfaceColor,
    floorColor: theme.stand === undefined ? surfaceColor : finish(floor, hasStudio ? palette[0] : undefined),
    hasAccentLights: hasAccentLights && accent !== null,
    accent,
  };
}

/** "Dark moody background": its paper is not the white one of other studios. */
function isDarkStudio({ setting, moods }: Theme): boolean {
  const studio = settings.get("studio")!;
  return setting?.backdrop === studio.backdrop && setting.color === studio.color && moods.includes("dark");
}

/** A wall of terracotta or brick, whose color is the material's: "terracotta wall, olive branch". */
function isOfMaterial({ setting }: Theme): boolean {
  const wall = settings.get("wall")!;
  return setting?.surface === wall.surface && setting.color !== wall.color;
}

/** A paler shade of a stand; behind a black one it is dark. */
function wallBehind(stand: LinearRgb): LinearRgb {
  return luminance(stand) < 0.03 ? mix(stand, [0.5, 0.48, 0.46], 0.1) : mix(stand, [0.84, 0.83, 0.81], 0.45);
}

/** A stand without a color of its own is lighter than its wall, and white in a place. */
function standOf(wall: LinearRgb, hasStudio: boolean): LinearRgb {
  if (!hasStudio) return [0.74, 0.71, 0.66];
  return luminance(wall) > 0.2 ? mix(wall, [0.86, 0.84, 0.82], 0.5) : mix(wall, [0.5, 0.48, 0.46], 0.25);
}

function pieceColors(
  theme: Theme,
  wall: LinearRgb,
  palette: readonly LinearRgb[],
  pastel: readonly LinearRgb[],
): ScenePlan["pieceColors"] {
  const own = theme.propColor === undefined ? [] : [fromHex(theme.propColor)];
  // The first color is the wall's, unless shapes stand before one with its own.
  const isOfShapes = theme.settingColor !== undefined && theme.props.includes("shapes");
  const free = theme.accents.slice(isOfShapes ? 0 : 1).map(fromHex);
  const given = [...palette.slice(2), ...own, ...free].map(limitReflectance);
  const drawn = [scale(saturate(wall, 1.15), 0.8), scale(saturate(wall, 1.2), 0.7), scale(saturate(wall, 1.1), 0.86)];
  const chosen = [0, 1, 2].map((at) => given[at] ?? pastel[at + 1] ?? drawn[at]!);
  return [chosen[0]!, chosen[1]!, chosen[2]!];
}

/** The light that belongs to the place; snow is white, on mountains below a clear sky and in gardens below clouds. */
function placeLight({ setting, isSnowy, moods }: Theme, backdrop: BackdropKind): LightKind | undefined {
  if (backdrop === "sky" && moods.includes("pastel")) return "morning";
  if (!isSnowy) return setting?.light;
  if (backdrop === "mountains") return "noon";
  return setting?.light === "golden" || setting?.light === "dappled" ? "overcast" : setting?.light;
}

/** A theme that names only a light implies no place: the sky has it, or the lights of a town. */
function withImpliedSetting(theme: Theme): Theme {
  if (theme.setting !== undefined || theme.surface !== undefined || theme.light === undefined) return theme;
  if (["neon", "night", "blue-hour"].includes(theme.light)) return { ...theme, setting: settings.get("downtown")! };
  const isLow = theme.light === "sunset" || (theme.light === "golden" && !theme.isColoredLight);
  return isLow ? { ...theme, setting: settings.get("sky")! } : theme;
}

/** A tent stands on grass, the grass of a beach grows behind its sand, and snow does not fall into a room. */
function withImpliedGround(theme: Theme): Theme {
  const { setting } = theme;
  if (setting?.backdrop === "interior" && theme.surface?.kind === "snow") return { ...theme, surface: setting.surface };
  const isSandy = setting?.surface.kind === "sand" && (setting.backdrop === "sea" || setting.backdrop === "dunes");
  if (isSandy && theme.surface?.kind === "grass") {
    const decor = setting.backdrop === "sea" ? { decor: "dunes" as const } : {};
    return { ...theme, surface: setting.surface, setting: { ...setting, ...decor } };
  }
  const isOpen =
    theme.surface === undefined &&
    theme.stand === undefined &&
    setting?.surface.kind !== "wood" &&
    theme.props.includes("tent");
  return isOpen ? { ...theme, surface: surfaces.get("grass")! } : theme;
}

function defaultBackdrop(theme: Theme, ofSurface: SurfaceKind): BackdropKind {
  const hangs = theme.props.some((prop) => prop === "curtain" || prop === "candles" || prop === "plants");
  if (theme.stand !== undefined && theme.floor === undefined) {
    return theme.stand === "shelf" || hangs ? "wall" : "sweep";
  }
  if (theme.surface === undefined && theme.floor === undefined) return hangs ? "wall" : "sweep";
  const surface = theme.stand === undefined ? ofSurface : theme.floor!.kind;
  if (surface === "grass" || surface === "soil") return "foliage";
  if (surface === "sand") return theme.light === "sunset" || theme.light === "golden" ? "dunes" : "wall";
  if (surface === "snow") return "snowfield";
  // Before a colored wall, or splashing, it is a studio's.
  if (surface === "water")
    return theme.accents.length > 0 || theme.props.includes("splash") || theme.props.includes("drops")
      ? "sweep"
      : "sea";
  if (surface === "asphalt") return "skyline";
  if (surface === "plain" || surface === "gloss") return "sweep";
  if (theme.light === "neon") return "skyline";
  if (surface === "wood" && theme.accents.length === 0 && !theme.moods.includes("minimal")) return "interior";
  return "wall";
}

function defaultLight(theme: Theme, backdrop: BackdropKind): LightKind {
  if (backdrop === "foliage") return "dappled";
  if (outdoorBackdrops.has(backdrop)) return "noon";
  if (theme.moods.includes("dark") || theme.moods.includes("luxury"))
    return theme.surface?.color === "#ece9e4" ? "soft" : "dramatic";
  if (theme.moods.includes("cosy")) return "candle";
  if (theme.moods.includes("warm")) return "golden";
  if (backdrop === "wall" || backdrop === "interior") return "window";
  return "studio";
}

function defaultWall(theme: Theme): LinearRgb {
  if (theme.moods.includes("dark")) return fromHex("#55524f");
  if (theme.moods.includes("luxury"))
    return theme.surface && luminance(fromHex(theme.surface.color)) > 0.5 ? fromHex("#cfc6bb") : fromHex("#4a423a");
  if (theme.moods.includes("warm")) return fromHex("#dcc7ad");
  if (theme.moods.includes("cold")) return fromHex("#c5ced6");
  if (theme.surface?.kind === "wood") return fromHex("#d3cabd");
  if (theme.surface?.kind === "concrete" || theme.surface?.kind === "stone") return fromHex("#b9b6b1");
  return fromHex("#ece8e2");
}
