/** What of a theme a scene has, from the parts that were painted. */

import type { Camera } from "./canvas/camera.ts";
import type { Laid } from "./from-above/flat-lay.ts";
import { isFading } from "./ground/fading-paper.ts";
import { hasFallenLeaves } from "./ground/fallen-leaves.ts";
import { isPavedWithSetts } from "./ground/ground-mirror.ts";
import { scatteredProps } from "./ground/scatter.ts";
import { laidPlace, placeItems } from "./plan/lay-places.ts";
import type { ScenePlan } from "./plan/scene-plan.ts";
import { readAvoid } from "./words/avoid.ts";
import {
  type Decor,
  outdoorBackdrops,
  type PropKind,
  type Setting,
  type SurfaceKind,
  settings,
} from "./words/lexicon.ts";
import { isLeftOut, lyingThings, type ThemeThing } from "./words/named-things.ts";
import type { Theme } from "./words/theme.ts";

/** They lie on the ground, or are strewn over it, and so do the things of a place. */
const scatteredKinds: ReadonlySet<PropKind> = new Set<PropKind>([
  "petals",
  "confetti",
  "glitter",
  "snowfall",
  "drops",
  "puddles",
  "rain",
]);

/** Props that grow. */
const growingProps: ReadonlySet<PropKind> = new Set<PropKind>(["plants", "palms", "lemons"]);

/** Places that are told by what lies around the product. */
const decorOfGround: ReadonlySet<Decor> = new Set<Decor>([
  "autumn",
  "christmas",
  "flowers",
  "lavender",
  "olives",
  "vines",
  "orchard",
  "palms",
  "lake",
  "mountain-lake",
  "kitchen-garden",
]);

/** The drawn things of a scene, as its camera sees them. */
export function thingsIn(plan: ScenePlan, view: Camera["view"]): readonly ThemeThing[] {
  const { things, decor, without } = plan;
  if (view === "level") return things;
  const hasItems = laidPlace(plan) !== null;
  const areTowelsLaid = placeItems(plan).some(({ name }) => name === "towel");
  // What a place has lies there in other drawings.
  const isDrawnSo = ({ name, words }: ThemeThing) => {
    if (!hasItems) return true;
    if (name === "towels") return words.length > 0 && !areTowelsLaid;
    // A vanity has its mirror on the wall.
    if (name === "mirror") return words.some((word) => readAvoid(word).things.has("mirrors"));
    return words.length > 0 && name !== "makeup";
  };
  return lyingThings(things, decor).filter((thing) => isDrawnSo(thing) && !isLeftOut(thing, without));
}

const nothingUnseen: ReadonlySet<string> = new Set();

/**
 * The props that the scene has.
 *
 * @param laid what found room around a product that is seen from above
 * @param unseen names of props and drawings that the product hides
 */
export function propsIn(plan: ScenePlan, view: Camera["view"], laid: Laid, unseen = nothingUnseen): PropKind[] {
  const scattered = scatteredProps(plan, view);
  return plan.props.filter((prop) => {
    if (unseen.has(prop)) return false;
    if (scattered.has(prop)) return true;
    if (view === "level") return isAtLevel(prop, plan);
    return laid.props.has(prop) || isOfAutumn(prop, plan) || (prop === "gradient" && isFading(plan));
  });
}

/** Fallen leaves are the plants of autumn. */
const isOfAutumn = (prop: PropKind, plan: ScenePlan) => prop === "plants" && hasFallenLeaves(plan);

/** Whether a camera at the product's height sees the prop behind it or on its ground. */
function isAtLevel(prop: PropKind, { backdrop, decor, without }: ScenePlan): boolean {
  const isOutdoors = outdoorBackdrops.has(backdrop);
  if (prop === "rain") return decor === "window-sill" || decor === "rainy-window";
  if (scatteredKinds.has(prop) || (growingProps.has(prop) && without.has("plants"))) return false;
  if (prop === "bokeh") return !without.has("lights");
  if (prop === "gradient") return !isOutdoors && backdrop !== "tiled-wall";
  return isOutdoors || (prop !== "lemons" && prop !== "pampas");
}

/**
 * Words of the theme whose thing the scene does not have.
 *
 * @param laid what found room around a product that is seen from above
 * @param unseen names of props and drawings that the product hides
 */
export function notShown(
  theme: Theme,
  plan: ScenePlan,
  view: Camera["view"],
  laid: Laid,
  unseen = nothingUnseen,
): string[] {
  const seen = thingsIn(plan, view).filter(({ name }) =>
    view === "level" ? !unseen.has(name) : laid.drawings.has(name),
  );
  const props = propsIn(plan, view, laid, unseen);
  const shown = new Set(seen.flatMap(({ words }) => words));
  const missing = plan.things.flatMap(({ words }) => words);
  for (const { word, prop, place, stand, isSea, isCushion } of theme.named) {
    const isThere =
      (isSea && view === "level") ||
      (isCushion && view === "level" && hasCushions(plan)) ||
      (prop !== undefined && props.includes(prop)) ||
      (stand !== undefined && plan.stand === stand) ||
      (place !== undefined && (view === "level" || isOnGround(place, plan, laid)));
    if (isThere) shown.add(word);
    else missing.push(word);
  }
  // A camp is there without its fire; who names the fire alone is told of it.
  for (const { name, words: named } of plan.things)
    if (unseen.has(name)) for (const word of named) if (isNameOf(name, word)) shown.delete(word);
  // At level a place may be told by its colors alone, of whose ground a camera from above sees all.
  const told = view === "level" ? theme.notShown : theme.notShown.filter((word) => !shown.has(word));
  const words = new Set([...told, ...missing.filter((word) => !shown.has(word))]);
  return [...words].filter((word) => laid.items.size === 0 || !liesThere(word, laid.items));
}

/** Whether a word is a drawing's own name, and not that of a place which has it. */
const isNameOf = (name: string, word: string) =>
  word.toLowerCase().replaceAll(/[ -]/g, "") === name.replaceAll("-", "");

/** Whether one of the drawings that lie in the place is what the word names. */
function liesThere(word: string, items: ReadonlySet<string>): boolean {
  const { things } = readAvoid(word);
  return [...items].some((name) => things.has(`drawing:${name}`));
}

const naturalGrounds: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["grass", "soil", "sand", "snow", "pebble"]);

const isNatural = ({ floor }: ScenePlan) => naturalGrounds.has(floor);

/** Places of which a picture from above shows all there is: their ground, and what grows or lies on it. */
const groundPlaces: ReadonlySet<Setting> = new Set(
  "beach shore desert dune meadow park garden forest woodland jungle forestpath winter"
    .split(" ")
    .flatMap((word) => settings.get(word) ?? []),
);

/** Whether a camera from above sees the place on the ground: a track by its lanes, a town by its setts, others by what lies there. */
function isOnGround(place: Setting, plan: ScenePlan, laid: Laid): boolean {
  const { decor, surface } = place;
  // Paper that fades is the backdrop itself.
  if (place.backdrop === "sweep" && isFading(plan)) return true;
  // The firs of a snowfield are behind it.
  if (plan.backdrop === "snowfield" && place.backdrop === "foliage") return false;
  // A tropical beach is one.
  const isBeach = groundPlaces.has(place) && place.backdrop === "sea" && plan.decor === "palms";
  if (isBeach && plan.floor === "sand" && plan.stand === null) return true;
  if ((decor ?? null) !== plan.decor) return false;
  if (groundPlaces.has(place) && isNatural(plan) && plan.stand === null) return true;
  if (laid.tellsPlace || (plan.pattern === "lanes" && surface.kind === plan.floor)) return true;
  if (decor === "town" && isPavedWithSetts(plan)) return true;
  return decor !== undefined && decorOfGround.has(decor) && (laid.hasOwnOfPlace || hasFallenLeaves(plan));
}

/** Rooms whose sofa or bed has cushions. */
function hasCushions({ decor, without }: ScenePlan): boolean {
  return (decor === "living-room" && !without.has("seats")) || (decor === "bedroom" && !without.has("beds"));
}
