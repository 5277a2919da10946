/** Which named places and things a report tells as shown: places that give way to others are, where these show them. */

import {
  type Decor,
  moods,
  outdoorBackdrops,
  type PropKind,
  type Setting,
  type StandKind,
  type SurfaceKind,
  settings,
  styleWords,
  surfaces,
} from "./lexicon.ts";
import { wordSet } from "./word-set.ts";

/** A part of the scene that a word names. */
export interface NamedPart {
  readonly word: string;
  readonly prop?: PropKind;
  readonly place?: Setting;
  readonly stand?: StandKind;
  /** The sea behind a beach, which no camera that looks down sees. */
  readonly isSea?: boolean;
  /** On a sofa or a bed, which no camera that looks down sees. */
  readonly isCushion?: boolean;
}

const asPlants = (word: string): NamedPart => ({ word, prop: "plants" });

export function partsNamed(
  word: string,
  prop: PropKind | undefined,
  place: Setting | undefined,
  stand: StandKind | undefined,
): NamedPart[] {
  if (prop === undefined && place === undefined && stand === undefined) return [];
  return [{ word, ...(prop && { prop }), ...(place && { place }), ...(stand && { stand }) }];
}

/** Any place that is named with one of them is the theme's, in that season. */
export const mildSeasons = wordSet("spring summer");

/** One in a shop is the shop's, and one in a bathroom its basin's. */
export const counterWords = wordSet("counter countertop");

/** One is before anything: a café, a shop, a wall. */
export const pavementWords = wordSet("sidewalk pavement");

/** A drink or a piece of furniture: "coffee on a desk". */
export const impliedWords = wordSet("coffee coffeetable sidetable diningtable");

/** Places where something blooms beside the product. */
const bloomingDecor: ReadonlySet<Decor | undefined> = new Set<Decor | undefined>(["terrace", "flower-shop"]);

const servingDecor: ReadonlySet<Decor> = new Set<Decor>(["bar", "bistro", "cafe", "flower-shop"]);

/** Whether the place has a counter, on which the product stands. */
export const hasCounter = ({ backdrop, decor }: Setting) =>
  isTiled({ decor }) || backdrop === "shelves" || (decor !== undefined && servingDecor.has(decor));

/** Whether a style changes more of a place than that it is bright, which any is without another mood. */
export const tellsMood = (style: string) => moods.has(style) && moods.get(style) !== "bright";

const bareWalls = wordSet("wall background backdrop");
const paved: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["asphalt", "concrete", "stone", "tile"]);

/** Whether a place that gave way to another one is seen there still: any room is in a house, and all outdoors is in summer. */
function isSeenAfter(word: string, place: Setting, other: Setting): boolean {
  if (impliedWords.has(word) || bareWalls.has(word)) return true;
  if (counterWords.has(word)) return hasCounter(other);
  if (mildSeasons.has(word)) return outdoorBackdrops.has(other.backdrop);
  if (styleWords.has(word) && tellsMood(word)) return true;
  if (pavementWords.has(word)) return paved.has(other.surface.kind);
  return isPartOf(other, place);
}

/** Whether the place shows the other one, too: any that is indoors is in a house. */
export function isPartOf(place: Setting, other: Setting): boolean {
  const { backdrop, decor, color } = place;
  if (isAnyRoom(other) && !outdoorBackdrops.has(backdrop)) return true;
  if (other.decor === "flowers" && bloomingDecor.has(decor)) return true;
  // Boards hang above a laundry's machines.
  if (other === settings.get("shelves") && decor === "laundry") return true;
  if (backdrop !== other.backdrop) return false;
  if (other.decor !== undefined) return decor === other.decor;
  // A bedroom shows no restaurant, though it is a room.
  return backdrop !== "interior" || color === other.color;
}

export const isSame = (one: Setting, other: Setting) => one.backdrop === other.backdrop && one.decor === other.decor;

/** "Room", "house", "interior". */
export function isAnyRoom({ backdrop, color, decor }: Setting): boolean {
  const any = settings.get("interior")!;
  return backdrop === any.backdrop && color === any.color && decor === undefined;
}

const tiledDecor: ReadonlySet<Decor | undefined> = new Set<Decor | undefined>([
  "bathroom",
  "kitchen",
  "restaurant-kitchen",
]);
export const isTiled = ({ decor }: Pick<Setting, "decor">) => tiledDecor.has(decor);

interface PlaceDraft {
  readonly setting?: Setting;
  readonly view?: Setting;
  readonly surface?: unknown;
}

/** The places that a theme names, and that others then replace. @param placeWord the lexicon's word for the present one */
export function createLeftPlaces(theme: PlaceDraft, placeWord: () => string) {
  const left = new Set<Setting>();
  const leave = () => left.add(settings.get(placeWord())!);

  /** Notes a place that another one replaces, and of which nothing is seen there. */
  function leaveFor(other: Setting): void {
    // A nightstand is what the product stands on.
    if (theme.surface !== undefined && surfaces.has(placeWord())) return;
    if (theme.setting !== undefined && !isSeenAfter(placeWord(), theme.setting, other)) leave();
  }

  function withoutLeft({ place, ...part }: NamedPart): NamedPart {
    const isSeen = place !== undefined && (!left.has(place) || place === theme.setting || place === theme.view);
    return isSeen ? { ...part, place } : part;
  }

  /**
   * The parts that the theme names, without places of which it has nothing.
   *
   * @param ofPlace words for what the place has on its own
   * @param wildHerbs words for herbs that grow there
   */
  const partsShown = (parts: readonly NamedPart[], ofPlace: readonly string[], wildHerbs: readonly string[]) => [
    ...parts.map(withoutLeft),
    ...ofPlace.map((word) => ({ word, place: theme.setting! })),
    ...wildHerbs.map(asPlants),
  ];

  return { leave, leaveFor, partsShown };
}
