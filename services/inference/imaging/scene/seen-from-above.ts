import type { ScenePlan } from "./scene-plan.ts";

/** The plan as a camera from above sees it. */
export function seenFromAbove(plan: ScenePlan): ScenePlan {
  if (plan.groundBelow === null) return plan;
  const { kind, color } = plan.groundBelow;
  return {
    ...plan,
    // Forests are green below, too.
    isMossy: plan.isMossy || (kind === "soil" && plan.backdrop === "foliage"),
    surface: kind,
    surfaceColor: color,
    floor: kind,
    floorColor: color,
    groundBelow: null,
  };
}
