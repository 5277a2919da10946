/**
 * A low round thing, such as a robot vacuum, that was photographed from high above: the horizon of its picture is far above the image, whose
 * floor goes on to the foot of what is behind it. In a level room it would seem to stand on its edge.
 */

import { traceGround } from "../../shadow/ground.ts";
import type { ProductPose } from "../../shadow/pose.ts";
import { discOf } from "../../shadow/round-base.ts";
import type { BackdropKind, PropKind } from "../words/lexicon.ts";
import type { NamedThing } from "../words/named-things.ts";
import type { Theme } from "../words/theme.ts";
import { namesTable } from "../words/theme-words.ts";
import type { ScenePlan } from "./scene-plan.ts";

/** What ends at a floor. Open country goes on to a horizon. */
const walls: ReadonlySet<BackdropKind> = new Set<BackdropKind>(["interior", "shelves", "wall", "tiled-wall"]);

/** They stand behind the product, at its height. */
const solids: ReadonlySet<PropKind> = new Set<PropKind>(["arch", "shapes"]);
/** Where things are of which the foot of a wall shows nothing. */
const highPlaces: ReadonlySet<NamedThing["place"]> = new Set<NamedThing["place"]>([
  "wall",
  "above",
  "corner",
  "far",
  "sky",
]);
/** Only the pot of a house plant would show. */
const highProps: ReadonlySet<PropKind> = new Set<PropKind>(["hearts", "moon", "plants", "palms", "pampas", "curtain"]);
/** Only a third of what stands at the wall shows where it is this tall, as a share of the wall. */
const behindTallMax = 0.4;

/** From so high: the sine of the camera's pitch. */
const pitchMin = 0.42;
/** A robot vacuum's side is at most so tall, as a share of its width: jars, tins and candles are taller, and stand on tables. */
const discTallMax = 0.25;

/**
 * @param words the plan's theme: what stands on a table that it names has its room at the table's end
 * @returns the pose with the camera's pitch as the product's base shows it; undefined: it looks as it does at other products
 */
export function lookDownAt(
  pose: ProductPose,
  { backdrop, stand, props, decor }: ScenePlan,
  words: string,
): ProductPose | undefined {
  const { silhouette, stance, view } = pose;
  const isInRoom = walls.has(backdrop) && decor !== "desk" && !namesTable(words);
  const isOnFloor = stand === null && isInRoom && !props.some((prop) => solids.has(prop));
  if (stance !== "standing" || view !== "level" || !isOnFloor) return undefined;
  const disc = discOf(silhouette);
  if (disc === undefined || disc.pitch < pitchMin) return undefined;
  if (disc.tall > discTallMax * (silhouette.right - silhouette.left)) return undefined;
  return { ...pose, pitch: disc.pitch, ground: traceGround(silhouette, disc.pitch) };
}

/** @returns the plan and the theme without what is above the picture of a camera that looks down; the words for it are not shown */
export function withoutHighThings(plan: ScenePlan, theme: Theme): { readonly plan: ScenePlan; readonly theme: Theme } {
  // A kitchen is one without the upper part of its stove.
  const isOfPlace = (word: string) => theme.named.some((named) => named.word === word);
  const high = plan.things.filter(
    ({ place, tall, words }) =>
      highPlaces.has(place) || (place === "behind" && tall > behindTallMax && !words.every(isOfPlace)),
  );
  const missing = high.flatMap(({ words }) => words);
  return {
    plan: {
      ...plan,
      things: plan.things.filter((thing) => !high.includes(thing)),
      props: plan.props.filter((prop) => !highProps.has(prop)),
    },
    theme: { ...theme, notShown: [...theme.notShown, ...missing] },
  };
}
