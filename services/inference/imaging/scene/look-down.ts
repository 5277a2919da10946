/**
 * A low round thing, such as a robot vacuum, that was photographed from high above: the horizon of its picture is far above the image, whose
 * floor goes on to the foot of what is behind it. In a level room it would seem to stand on its edge.
 */

import { traceGround } from "../shadow/ground.ts";
import type { ProductPose } from "../shadow/pose.ts";
import { discOf } from "../shadow/round-base.ts";
import type { ScenePlan } from "./scene-plan.ts";
import type { BackdropKind, PropKind } from "./words/lexicon.ts";
import type { NamedThing } from "./words/named-things.ts";
import type { Theme } from "./words/theme.ts";

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
const highProps: ReadonlySet<PropKind> = new Set<PropKind>(["hearts", "moon"]);

/** From so high: the sine of the camera's pitch. */
const pitchMin = 0.42;
/** @returns the pose with the camera's pitch as the product's base shows it; undefined: it looks as it does at other products */
export function lookDownAt(pose: ProductPose, { backdrop, stand, props }: ScenePlan): ProductPose | undefined {
  const { silhouette, stance, view } = pose;
  const isOnFloor = stand === null && walls.has(backdrop) && !props.some((prop) => solids.has(prop));
  if (stance !== "standing" || view !== "level" || !isOnFloor) return undefined;
  const disc = discOf(silhouette);
  if (disc === undefined || disc.pitch < pitchMin) return undefined;
  return { ...pose, pitch: disc.pitch, ground: traceGround(silhouette, disc.pitch) };
}

/** @returns the plan and the theme without what is above the picture of a camera that looks down; the words for it are not shown */
export function withoutHighThings(plan: ScenePlan, theme: Theme): { readonly plan: ScenePlan; readonly theme: Theme } {
  const high = plan.things.filter(({ place }) => highPlaces.has(place));
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
