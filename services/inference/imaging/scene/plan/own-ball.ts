/**
 * A ball on its own playing field: the balls that the field's theme draws beside it are smaller or larger than the product, and a racket is
 * ten times as long as the ball that fills the picture. The product is the ball that the theme means.
 */

import type { ProductPose } from "../../shadow/pose.ts";
import type { Theme } from "../words/theme.ts";
import type { ScenePlan } from "./scene-plan.ts";

/** Drawings of balls, some with what strikes them. */
const balls: ReadonlySet<string> = new Set(
  "tennis football basketball golf baseball volleyball bowling beach-ball billiard-balls".split(" "),
);
/** A ball is as wide as high, and fills so much of a square as a disc does, within these shares. */
const aspectWithin = 0.07;
const fillWithin = 0.03;

/** @returns the plan and the theme without the balls; words that name nothing else are not shown */
export function withoutOtherBalls(
  plan: ScenePlan,
  theme: Theme,
  pose: ProductPose | null,
): { readonly plan: ScenePlan; readonly theme: Theme } {
  const others = plan.things.filter(({ name }) => balls.has(name));
  if (others.length === 0 || pose?.view !== "level" || !isBall(pose)) return { plan, theme };
  const words = others.flatMap((thing) => thing.words);
  const missing = words.filter((word) => theme.named.every((named) => named.word !== word));
  return {
    plan: { ...plan, things: plan.things.filter((thing) => !others.includes(thing)) },
    theme: { ...theme, notShown: [...theme.notShown, ...missing] },
  };
}

function isBall({ silhouette: { inside, left, right, top, bottom } }: ProductPose): boolean {
  const wide = right - left;
  const tall = bottom - top;
  if (Math.abs(wide / tall - 1) > aspectWithin) return false;
  const fill = inside.reduce((sum, cell) => sum + cell, 0) / (wide * tall);
  return Math.abs(fill - Math.PI / 4) < fillWithin;
}
