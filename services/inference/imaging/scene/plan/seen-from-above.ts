import type { ProductPose } from "../../shadow/pose.ts";
import { outlinedLength } from "./outlined-length.ts";
import type { ScenePlan } from "./scene-plan.ts";

/**
 * The plan as a camera from above sees it.
 *
 * @param pose null: photos of a set have one ground, whatever their products
 */
export function seenFromAbove(plan: ScenePlan, pose: ProductPose | null = null): ScenePlan {
  const productLong = plan.productLong === 1 && pose !== null ? outlinedLength(pose) : plan.productLong;
  if (plan.groundBelow === null) return { ...plan, productLong };
  const { kind, color } = plan.groundBelow;
  return {
    ...plan,
    productLong,
    // Forests are green below, too.
    isMossy: plan.isMossy || (kind === "soil" && plan.backdrop === "foliage"),
    surface: kind,
    surfaceColor: color,
    floor: kind,
    floorColor: color,
    groundBelow: null,
  };
}
